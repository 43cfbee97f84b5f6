"""Functions that give endpoints their session, and what stands in for them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import create_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, sessionmaker

from crashwright.engine.frameworks.given_sessions import GivenSessions
from crashwright.engine.frameworks.guarded_routes import Guard
from crashwright.engine.subject.api.api import ApiModel

HERE = __name__.partition(".")[0]
engine = create_engine("sqlite:///./of_the_program.db")
on_disk = sessionmaker(bind=engine)
in_memory = sessionmaker(bind=create_engine("sqlite://"))


class StoredBase(DeclarativeBase):
    pass


class Crate(StoredBase):
    __tablename__ = "crate"
    id: Mapped[int] = mapped_column(primary_key=True)


def from_disk() -> Iterator[Session]:
    with on_disk() as session:
        yield session


def by_class() -> Iterator[Session]:
    with Session(engine) as session:
        yield session


def made_when_asked() -> Iterator[Session]:
    with sessionmaker(engine)() as session:
        yield session


def from_memory() -> Iterator[Session]:
    with in_memory() as session:
        yield session


def settings() -> dict[str, str]:
    return {}


@pytest.mark.parametrize("live", [from_disk, by_class, made_when_asked])
def test_sessions_on_a_file_are_replaced_by_some_in_memory(live: object) -> None:
    given = GivenSessions([Guard(settings), Guard(live)], HERE)
    assert given
    name = live.__name__  # type: ignore[attr-defined]
    assert given.overrides == {name: "sessions"}
    assert given.lines() == [
        "engine = create_engine('sqlite://', poolclass=StaticPool, connect_args={'check_same_thread': False})",
        "StoredBase.metadata.create_all(engine)",
        "def sessions():\n    with Session(engine) as session:\n        yield session",
    ]
    assert given.opened() == ["session = Session(engine)"]
    assert {name, "create_engine", "StaticPool", "Session", "StoredBase"} <= given.names(ApiModel(HERE, [__name__])).keys()


@pytest.mark.parametrize("live", [from_memory, settings])
def test_others_are_left_alone(live: object) -> None:
    given = GivenSessions([Guard(live)], HERE)
    assert not given
    assert given.lines() == []
    assert given.names(ApiModel(HERE, [__name__])) == {}


def test_without_models_there_is_nothing_to_store() -> None:
    assert not GivenSessions([Guard(from_disk)], "another_package")
