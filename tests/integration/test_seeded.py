"""An application whose database the project itself can fill: the test has what that stores."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import pytest
from patience import HANG
from warm_program import run_program

pytest.importorskip("sqlalchemy", reason="SQLAlchemy is in the test extra")
pytest.importorskip("fastapi", reason="FastAPI is in the test extra")

pytestmark = pytest.mark.slow

FILES = {
    "store.py": """
        from functools import lru_cache
        from typing import Optional

        from sqlalchemy import create_engine
        from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, sessionmaker


        class Base(DeclarativeBase):
            pass


        class Plot(Base):
            __tablename__ = "plots"
            id: Mapped[int] = mapped_column(primary_key=True)
            code: Mapped[str]
            crop: Mapped[Optional[str]]


        @lru_cache
        def get_engine():
            return create_engine("sqlite:///allotment.sqlite3", connect_args={"check_same_thread": False})


        def get_session():
            with sessionmaker(get_engine())() as session:
                yield session
    """,
    "fill.py": """
        from .store import Base, Plot, get_engine


        def fill(session):
            session.add(Plot(code="N-1", crop="leeks"))
            session.add(Plot(code="S-7", crop=None))
            session.commit()


        if __name__ == "__main__":
            Base.metadata.create_all(get_engine())
    """,
    "api.py": """
        from fastapi import Depends, FastAPI, HTTPException
        from sqlalchemy import select

        from .store import Plot, get_session


        def create_app():
            app = FastAPI()
            app.add_api_route("/plots/{code}/label", label)
            return app


        def label(code: str, session=Depends(get_session)):
            plot = session.scalars(select(Plot).where(Plot.code == code)).first()
            if plot is None:
                raise HTTPException(404, "no such plot")
            return {"label": describe(plot)}


        def describe(plot):
            return plot.code + " " + plot.crop.title()
    """,
}


def test_what_the_project_stores_for_a_trial_is_what_is_asked_for(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "allotment").mkdir(parents=True)
    (project / "allotment" / "__init__.py").write_text("")
    for name, text in FILES.items():
        (project / "allotment" / name).write_text(textwrap.dedent(text).lstrip())
    lines = (project / "allotment" / "api.py").read_text().splitlines()
    frames = [("label", 'return {"label": describe(plot)}'), ("describe", 'return plot.code + " " + plot.crop.title()')]
    told = ["ERROR:    Exception in ASGI application", "Traceback (most recent call last):"]
    for function, text in frames:
        number = next(number for number, line in enumerate(lines, 1) if line.strip() == text)
        told += [f'  File "/srv/allotment/api.py", line {number}, in {function}', f"    {text}"]
    told.append("AttributeError: 'NoneType' object has no attribute 'title'")
    (tmp_path / "crash.txt").write_text("\n".join(told) + "\n")
    words = ["reproduce", "crash.txt", "--path", "project", "--evaluations", "600", "--seed", "1", "--json"]
    done = run_program(words, tmp_path, HANG)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["verdict"] == "reproduced"
    (test,) = tmp_path.glob("test_*.py")
    text = test.read_text()
    assert "from allotment.fill import fill" in text
    assert '"/plots/S-7/label"' in text
