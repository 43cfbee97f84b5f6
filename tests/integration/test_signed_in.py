"""A crash behind a login is reproduced by a request of somebody who is signed in: real frameworks, real databases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import Place

pytest.importorskip("sqlalchemy", reason="SQLAlchemy is in the test extra")


FLASK = """
    from datetime import date
    from typing import Optional

    from flask import Flask, abort, current_app, session
    from sqlalchemy import ForeignKey, create_engine
    from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship
    from sqlalchemy.pool import StaticPool


    class Base(DeclarativeBase):
        pass


    class Member(Base):
        __tablename__ = "member"
        id: Mapped[int] = mapped_column(primary_key=True)
        name: Mapped[str]


    class Loan(Base):
        __tablename__ = "loan"
        id: Mapped[int] = mapped_column(primary_key=True)
        member_id: Mapped[int] = mapped_column(ForeignKey("member.id"))
        back: Mapped[Optional[date]]
        member: Mapped[Member] = relationship(backref="loans")


    def create_app():
        app = Flask(__name__)
        app.secret_key = "of the tests"
        app.engine = create_engine("sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False})
        Base.metadata.create_all(app.engine)
        app.add_url_rule("/loans/<int:loan_id>", view_func=show)
        return app


    def show(loan_id):
        with Session(current_app.engine) as database:
            caller = database.get(Member, session["member"]) if "member" in session else None
            if caller is None:
                abort(401)
            loan = database.get(Loan, loan_id)
            if loan is None or loan.member_id != caller.id:
                abort(404)
            return work(loan)


    def work(loan):
        if loan.back is None:
            raise ValueError("too many")
        return {"back": loan.back.isoformat()}
"""


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def reported(place: Place, framework: str) -> None:
    """The report with the frames of the framework and of the view."""
    lines = (place.code / "victim.py").read_text().splitlines()
    number = next(index for index, line in enumerate(lines, 1) if "return work(loan)" in line)
    text = place.report.read_text()
    frame = f'{framework}  File "/srv/victim.py", line {number}, in show\n    return work(loan)\n'
    place.report.write_text(text.replace('  File "/srv/app.py", line 3, in <module>\n    main()\n', frame, 1))


def test_flask_asks_its_session_for_a_member_who_is_stored(place: Place) -> None:
    place.subject(FLASK)
    reported(
        place,
        '  File "/srv/lib/python3.11/site-packages/flask/app.py", line 902, in dispatch_request\n'
        "    return self.ensure_sync(self.view_functions[rule.endpoint])(**view_args)\n",
    )
    done = place.reproduce("--evaluations", "2000", "--json")
    assert done.code == 0, (done.out, done.err)
    text = json.loads(done.out)["test"]["text"]
    assert 'with client.session_transaction() as session:\n        session["member"] = ' in text
    assert "Member(" in text
    assert "Loan(" in text
    assert done.left_nothing


TOKENS = """
    import functools
    import secrets

    from flask import Flask, abort, current_app, g, jsonify, request


    def create_app():
        app = Flask(__name__)
        app.users, app.tokens, app.crates = {}, {}, []
        app.before_request(load_user)
        app.add_url_rule("/users", view_func=join, methods=["POST"])
        app.add_url_rule("/login", view_func=login, methods=["POST"])
        app.add_url_rule("/crates", view_func=add, methods=["POST"])
        app.add_url_rule("/crates/<int:crate_id>/freight", view_func=freight)
        return app


    def load_user():
        header = request.headers.get("Authorization", "")
        g.user = None
        if header.startswith("Bearer "):
            g.user = current_app.tokens.get(header.removeprefix("Bearer "))


    def roles_required(*roles):
        def decorate(view):
            @functools.wraps(view)
            def guarded(*args, **kwargs):
                if g.user is None:
                    abort(401)
                if g.user["role"] not in roles:
                    abort(403)
                return view(*args, **kwargs)

            return guarded

        return decorate


    def join():
        data = request.get_json()
        if "@" not in data.get("email", "") or len(data.get("password", "")) < 6:
            abort(422)
        current_app.users[data["email"]] = {"password": data["password"], "role": data.get("role", "member")}
        return jsonify(ok=True), 201


    def login():
        data = request.get_json()
        user = current_app.users.get(data.get("email"))
        if user is None or user["password"] != data.get("password"):
            abort(401)
        token = secrets.token_hex(8)
        current_app.tokens[token] = user
        return jsonify(token=token)


    @roles_required("keeper", "admin")
    def add():
        data = request.get_json()
        current_app.crates.append({"label": data["label"], "weight": data.get("weight")})
        return jsonify(id=len(current_app.crates)), 201


    @roles_required("keeper", "admin")
    def freight(crate_id):
        if not 0 < crate_id <= len(current_app.crates):
            abort(404)
        return jsonify(price=price_of(current_app.crates[crate_id - 1]))


    def price_of(crate):
        return crate["weight"] * 1.2
"""


def test_a_caller_gets_a_role_and_a_token_by_requests(place: Place) -> None:
    pytest.importorskip("flask", reason="Flask is in the test extra")
    place.subject(TOKENS, crash_line='crate["weight"] * 1.2')
    place.tell(
        "TypeError: unsupported operand type(s) for *: 'NoneType' and 'float'",
        ("return view(*args, **kwargs)", "guarded"),
        ("return jsonify(price=", "freight"),
        ('crate["weight"] * 1.2', "price_of"),
    )
    done = place.reproduce("--evaluations", "1500", "--json")
    assert done.code == 0, (done.out, done.err)
    text = json.loads(done.out)["test"]["text"]
    asked = [text.index(part) for part in ('post("/users"', 'post("/login"', 'post("/crates"', 'get("/crates/1/freight"')]
    assert asked == sorted(asked)
    assert '"Bearer "' in text
    assert done.left_nothing


MIDDLEWARE = """
    import secrets

    from aiohttp import web

    USERS, CRATES = web.AppKey("users", dict), web.AppKey("crates", list)


    @web.middleware
    async def known(request, handler):
        user = None
        %s
        if user is None and request.path not in ("/users", "/login"):
            raise web.HTTPUnauthorized()
        request["user"] = user
        return await handler(request)


    async def join(request):
        data = await request.json()
        if "@" not in data.get("email", "") or len(data.get("password", "")) < 6:
            raise web.HTTPUnprocessableEntity()
        request.app[USERS][data["email"]] = {"password": data["password"], "token": None}
        return web.json_response({"ok": True}, status=201)


    async def login(request):
        data = await request.json()
        user = request.app[USERS].get(data.get("email"))
        if user is None or user["password"] != data.get("password"):
            raise web.HTTPUnauthorized()
        user["token"] = secrets.token_hex(8)
        answer = web.json_response(%s)
        %s
        return answer


    async def add(request):
        data = await request.json()
        request.app[CRATES].append({"label": data["label"], "weight": data.get("weight")})
        return web.json_response({"id": len(request.app[CRATES])}, status=201)


    async def freight(request):
        number = int(request.match_info["number"])
        if not 0 < number <= len(request.app[CRATES]):
            raise web.HTTPNotFound()
        return web.json_response({"price": price_of(request.app[CRATES][number - 1])})


    def price_of(crate):
        return crate["weight"] * 1.2


    def build():
        app = web.Application(middlewares=[known])
        app[USERS], app[CRATES] = {}, []
        app.router.add_post("/users", join)
        app.router.add_post("/login", login)
        app.router.add_post("/crates", add)
        app.router.add_get(r"/crates/{number:\\d+}/freight", freight)
        return app
"""
BY_HEADER = (
    'header = request.headers.get("Authorization", "")\n        if header.startswith("Bearer "):\n'
    '            token = header.removeprefix("Bearer ")\n'
    '            user = next((one for one in request.app[USERS].values() if one["token"] == token), None)',
    '{"token": user["token"]}',
    "",
)
BY_COOKIE = (
    'token = request.cookies.get("sid", "")\n        if token:\n'
    '            user = next((one for one in request.app[USERS].values() if one["token"] == token), None)',
    '{"ok": True}',
    'answer.set_cookie("sid", user["token"])',
)


@pytest.mark.parametrize(
    ("form", "sent"),
    [(BY_HEADER, 'headers.update(AUTHORIZATION="Bearer " + '), pytest.param(BY_COOKIE, "", marks=pytest.mark.nightly)],
)
def test_whoever_logs_in_to_an_aiohttp_application_is_known_afterwards(place: Place, form: tuple[str, str, str], sent: str) -> None:
    pytest.importorskip("aiohttp", reason="aiohttp is in the test extra")
    place.subject(MIDDLEWARE % form, crash_line='crate["weight"] * 1.2')
    place.tell(
        "TypeError: unsupported operand type(s) for *: 'NoneType' and 'float'",
        ("return await handler(request)", "known"),
        ('"price": price_of(', "freight"),
        ('crate["weight"] * 1.2', "price_of"),
    )
    done = place.reproduce("--evaluations", "1500", "--json")
    assert done.code == 0, (done.out, done.err)
    text = json.loads(done.out)["test"]["text"]
    asked = [text.index(part) for part in ('post("/users"', 'post("/login"', 'post("/crates"', 'get("/crates/1/freight"')]
    assert asked == sorted(asked)
    assert sent in text
    assert done.left_nothing
