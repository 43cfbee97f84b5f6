"""A crash that takes several requests is reproduced by these requests: real frameworks, real databases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import Place, reported_from

pytest.importorskip("sqlalchemy", reason="SQLAlchemy is in the test extra")

FLASK = """
    from flask import Flask, abort, jsonify, request

    PLANS = {"basic": 1, "pro": 5}


    def create_app():
        app = Flask(__name__)
        app.members, app.loans = [], []
        app.add_url_rule("/members", view_func=join, methods=["POST"])
        app.add_url_rule("/loans", view_func=lend, methods=["POST"])
        app.add_url_rule("/loans/<int:loan_id>/return", view_func=give_back, methods=["POST"])
        app.add_url_rule("/members/<int:member_id>/oldest", view_func=oldest)
        return app


    class Payload:
        def __init__(self, data):
            self.data = data if isinstance(data, dict) else {}

        def text(self, key):
            value = self.data.get(key)
            if not isinstance(value, str) or not value:
                abort(422, f"{key}: a text is expected")
            return value

        def number(self, key):
            value = self.data.get(key)
            if type(value) is not int:
                abort(422, f"{key}: a number is expected")
            return value


    def application():
        from flask import current_app
        return current_app


    def join():
        payload = Payload(request.get_json(silent=True))
        email, plan = payload.text("email"), payload.text("plan")
        if "@" not in email:
            abort(422, "email: not an address")
        if plan not in PLANS:
            abort(422, "plan: unknown")
        application().members.append({"email": email, "plan": plan})
        return jsonify(id=len(application().members)), 201


    def lend():
        member = Payload(request.get_json(silent=True)).number("member")
        if not 0 < member <= len(application().members):
            abort(404)
        application().loans.append({"member": member, "back": False})
        return jsonify(id=len(application().loans)), 201


    def give_back(loan_id):
        if not 0 < loan_id <= len(application().loans) or application().loans[loan_id - 1]["back"]:
            abort(404)
        application().loans[loan_id - 1]["back"] = True
        return jsonify(id=loan_id)


    def oldest(member_id):
        loans = [one for one in application().loans if one["member"] == member_id]
        if not loans:
            abort(404)
        return work([one for one in loans if not one["back"]])


    def work(loans):
        if not loans:
            raise ValueError("too many")
        return jsonify(count=len(loans))
"""

FASTAPI = """
    from fastapi import Depends, FastAPI, HTTPException
    from pydantic import BaseModel
    from sqlalchemy import ForeignKey, create_engine
    from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship, sessionmaker

    engine = create_engine("sqlite:///./parcels.db")
    SessionLocal = sessionmaker(bind=engine)


    class Base(DeclarativeBase):
        pass


    class Parcel(Base):
        __tablename__ = "parcel"
        id: Mapped[int] = mapped_column(primary_key=True)
        status: Mapped[str] = mapped_column(default="created")
        scans: Mapped[list["Scan"]] = relationship()


    class Scan(Base):
        __tablename__ = "scan"
        id: Mapped[int] = mapped_column(primary_key=True)
        parcel_id: Mapped[int] = mapped_column(ForeignKey("parcel.id"))


    Base.metadata.create_all(engine)
    app = FastAPI()


    def get_db():
        db = SessionLocal()
        try:
            yield db
        finally:
            db.close()


    class Status(BaseModel):
        status: str


    @app.post("/parcels", status_code=201)
    def create(db: Session = Depends(get_db)):
        parcel = Parcel()
        db.add(parcel)
        db.commit()
        return {"id": parcel.id}


    @app.post("/parcels/{parcel_id}/status")
    def change(parcel_id: int, body: Status, db: Session = Depends(get_db)):
        parcel = db.get(Parcel, parcel_id)
        if parcel is None:
            raise HTTPException(404)
        if body.status not in ("created", "delivered"):
            raise HTTPException(422, "status: unknown")
        parcel.status = body.status
        db.commit()
        return {"status": parcel.status}


    @app.get("/parcels/{parcel_id}")
    def show(parcel_id: int, db: Session = Depends(get_db)):
        parcel = db.get(Parcel, parcel_id)
        if parcel is None:
            raise HTTPException(404)
        return work(parcel) if parcel.status == "delivered" else {}


    def work(parcel):
        if not parcel.scans:
            raise ValueError("too many")
        return {"scans": len(parcel.scans)}
"""

TYPER = """
    import json
    from pathlib import Path

    import typer

    app = typer.Typer()
    STORE = Path("stock.json")


    def load():
        return json.loads(STORE.read_text()) if STORE.exists() else {"items": [], "orders": []}


    def save(data):
        STORE.write_text(json.dumps(data))


    class Refused(Exception):
        pass


    @app.command()
    def add(sku: str, price: float):
        data = load()
        if sku in data["items"] or price <= 0:
            raise Refused(f"{sku}: known, or for nothing")
        save({**data, "items": [*data["items"], sku]})


    @app.command()
    def order(sku: str):
        data = load()
        if sku not in data["items"]:
            raise Refused(f"no item {sku}")
        save({**data, "orders": [*data["orders"], sku]})
        print(f"order {len(data['orders']) + 1}")


    @app.command()
    def drop(sku: str):
        data = load()
        if sku not in data["items"]:
            raise Refused(f"no item {sku}")
        save({**data, "items": [one for one in data["items"] if one != sku]})


    @app.command()
    def value(number: int):
        data = load()
        if not 0 < number <= len(data["orders"]):
            raise Refused(f"no order {number}")
        work(data["items"], data["orders"][number - 1])


    def work(items, sku):
        if sku not in items:
            raise ValueError("too many")
"""


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_flask_is_asked_until_it_does_not_refuse(place: Place) -> None:
    pytest.importorskip("flask", reason="Flask is in the test extra")
    place.subject(FLASK)
    reported_from(place, "return work(", "oldest")
    done = place.reproduce("--evaluations", "2000", "--json")
    assert done.code == 0, (done.out, done.err)
    text = json.loads(done.out)["test"]["text"]
    asked = [text.index(part) for part in ('post("/members"', 'post("/loans"', 'post("/loans/1/return"', 'get("/members/1/oldest"')]
    assert asked == sorted(asked)
    assert done.left_nothing


@pytest.mark.nightly
def test_fastapi_keeps_what_it_stores_in_memory(place: Place) -> None:
    pytest.importorskip("fastapi", reason="FastAPI is in the test extra")
    place.subject(FASTAPI)
    reported_from(place, "return work(", "show")
    done = place.reproduce("--evaluations", "2000", "--json")
    assert done.code == 0, (done.out, done.err)
    text = json.loads(done.out)["test"]["text"]
    assert "{get_db: sessions}" in text
    asked = [text.index(part) for part in ('post("/parcels"', '"delivered"', 'get("/parcels/1"')]
    assert asked == sorted(asked)
    assert done.left_nothing


def test_a_program_with_commands_is_run_as_its_users_do(place: Place) -> None:
    pytest.importorskip("typer", reason="typer is in the test extra")
    place.subject(TYPER)
    reported_from(place, "work(data", "value")
    done = place.reproduce("--evaluations", "2000", "--json")
    assert done.code == 0, (done.out, done.err)
    text = json.loads(done.out)["test"]["text"]
    asked = [text.index(part) for part in ('app, ["add", ', 'app, ["order", ', 'app, ["drop", ', 'app(["value", "1"]')]
    assert asked == sorted(asked)
    assert "monkeypatch.chdir(tmp_path)" in text
    assert done.left_nothing


INSTANCE = """
    import os
    import sqlite3

    from flask import Flask, current_app, g, redirect, request


    def get_db():
        if "db" not in g:
            g.db = sqlite3.connect(current_app.config["DATABASE"])
        return g.db


    def init_db():
        get_db().executescript("CREATE TABLE tool (id INTEGER PRIMARY KEY, name TEXT NOT NULL, daily INTEGER)")


    def create_app():
        app = Flask(__name__, instance_relative_config=True)
        os.makedirs(app.instance_path, exist_ok=True)
        app.config["DATABASE"] = os.path.join(app.instance_path, "tools.sqlite")
        app.add_url_rule("/tools", view_func=add, methods=["POST"])
        app.add_url_rule("/tools/<int:tool_id>/price", view_func=price)
        return app


    def add():
        name = request.form["name"]
        if not name.isidentifier():
            return "a name", 422
        get_db().execute("INSERT INTO tool (name) VALUES (?)", (name,))
        get_db().commit()
        return redirect("/")


    def price(tool_id):
        found = get_db().execute("SELECT daily FROM tool WHERE id = ?", (tool_id,)).fetchone()
        if found is None:
            return "no such tool", 404
        return str(of_a_week(found[0], request.args["days"]))


    def of_a_week(daily, days):
        return daily * 7 - int(days)
"""


@pytest.mark.nightly
def test_flask_has_an_instance_folder_of_its_own_with_tables(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.subject(INSTANCE, crash_line="daily * 7")
    place.tell(
        "TypeError: unsupported operand type(s) for *: 'NoneType' and 'int'",
        ("return str(of_a_week", "price"),
        ("return daily * 7", "of_a_week"),
        before='127.0.0.1 - - [07/May/2026 18:12:31] "GET /tools/1/price?days=3 HTTP/1.1" 500 -',
    )
    done = place.reproduce("--evaluations", "1500", "--json")
    assert done.code == 0, (done.out, done.err)
    text = json.loads(done.out)["test"]["text"]
    assert 'client.get("/tools/1/price?days=3")' in text
    assert "init_db()" in text
    assert "auto_find_instance_path" in text
    assert not (place.code / "instance").exists()
    assert done.left_nothing


KEPT = """
    import json
    import os

    import typer

    app = typer.Typer()


    def place():
        return os.path.join(os.path.expanduser("~"), ".stock", "items.json")


    def load():
        if not os.path.isfile(place()):
            return []
        with open(place()) as stream:
            return json.load(stream)


    @app.command()
    def add(sku: str, count: int = 1):
        os.makedirs(os.path.dirname(place()), exist_ok=True)
        items = [*load(), {"sku": sku, "counts": [count, count]}]
        with open(place(), "w") as stream:
            json.dump(items, stream)


    @app.command()
    def report():
        for item in load():
            print(work(item))


    def work(item):
        first, last = item["counts"]
        return f"{item['sku']}: {last - first}"
"""


@pytest.mark.nightly
def test_what_a_program_keeps_at_home_is_not_as_it_wrote_it(tmp_path: Path) -> None:
    pytest.importorskip("typer", reason="typer is in the test extra")
    place = Place(tmp_path)
    place.subject(KEPT, crash_line="first, last =")
    place.tell(
        "ValueError: not enough values to unpack (expected 2, got 0)",
        ("print(work(item))", "report"),
        ('first, last = item["counts"]', "work"),
    )
    done = place.reproduce("--evaluations", "1500", "--json")
    assert done.code == 0, (done.out, done.err)
    text = json.loads(done.out)["test"]["text"]
    asked = [text.index(part) for part in ('"HOME", str(tmp_path)', 'Path("~/.stock/items.json")', 'app(["report"]')]
    assert asked == sorted(asked)
    assert done.left_nothing


IMPORTED = """
    import csv
    import sqlite3
    from pathlib import Path

    import typer

    app = typer.Typer()


    @app.command()
    def load(file: Path = typer.Argument(..., exists=True)):
        store = sqlite3.connect("notes.db")
        store.execute("CREATE TABLE IF NOT EXISTS hive (label TEXT, key TEXT UNIQUE)")
        with open(file, newline="") as stream:
            for row in csv.DictReader(stream):
                add(store, row["hive"])
        store.commit()


    def add(store, label):
        if store.execute("SELECT 1 FROM hive WHERE label = ?", (label,)).fetchone() is None:
            store.execute("INSERT INTO hive VALUES (?, ?)", (label, label.casefold()))


    @app.command()
    def version():
        print("1.0")
"""


@pytest.mark.nightly
def test_a_file_that_a_command_was_given_is_given_again_a_little_different(tmp_path: Path) -> None:
    pytest.importorskip("typer", reason="typer is in the test extra")
    place = Place(tmp_path)
    place.subject(IMPORTED, crash_line='store.execute("INSERT')
    (place.code / "samples").mkdir()
    (place.code / "samples" / "hives.csv").write_text("hive;queen\nLinden;2023\nOak;2024\n".replace(";", ","))
    (place.code / "README.md").write_text("    victim load samples/hives.csv\n")
    place.tell(
        "sqlite3.IntegrityError: UNIQUE constraint failed: hive.key",
        ('add(store, row["hive"])', "load"),
        ('store.execute("INSERT', "add"),
        before="$ victim load ~/bees/2024.csv",
    )
    done = place.reproduce("--evaluations", "1500", "--json")
    assert done.code == 0, (done.out, done.err)
    text = json.loads(done.out)["test"]["text"]
    assert "samples/hives.csv" in text
    asked = [
        text.index(part)
        for part in ('app, ["load", "samples/hives.csv"]', '.write_text("hive', 'app(["load", "samples/hives.csv"]')
    ]
    assert asked == sorted(asked)
    assert done.left_nothing
