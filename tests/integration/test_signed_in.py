"""A crash behind a login is reproduced by a request of somebody who is signed in: real frameworks, real databases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import Place

pytest.importorskip("sqlalchemy", reason="SQLAlchemy is in the test extra")

pytestmark = pytest.mark.slow  # each takes half a minute on a busy machine

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
