"""Models know each other before any test uses them."""

from __future__ import annotations

import subprocess
import sys

import pytest
from patience import HANG

pytest.importorskip("sqlalchemy", reason="SQLAlchemy is in the test extra")

MODELS = """
from sqlalchemy import Column, ForeignKey, Integer
from sqlalchemy.orm import declarative_base, relationship
Base = declarative_base()
class User(Base):
    __tablename__ = "user"
    id = Column(Integer, primary_key=True)
class Loan(Base):
    __tablename__ = "loan"
    id = Column(Integer, primary_key=True)
    user_id = Column(ForeignKey("user.id"))
    user = relationship({name!r}, backref="loans")
from crashwright.engine.frameworks.sqlalchemy import relate_models
relate_models()
print("loans" in vars(User))
try:
    User()
except Exception as error:
    print(str(error)[:44].rstrip(" ,"))
"""


@pytest.mark.parametrize(
    ("name", "told"), [("User", ["True"]), ("Nobody", ["False", "When initializing mapper Mapper[Loan(loan)]"])]
)
def test_what_fails_is_left_to_who_uses_them_first(name: str, told: list[str]) -> None:
    command = [sys.executable, "-c", MODELS.format(name=name)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG, check=False)
    assert done.stdout.splitlines() == told, done.stderr
