"""Connections to files that are gone."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import create_engine, text

from crashwright.engine.execution.isolation.pooled_connections import PooledConnections


def test_an_engine_connects_anew_with_a_file_that_was_taken_away(tmp_path: Path) -> None:
    file = tmp_path / "shelf.sqlite3"
    engine = create_engine(f"sqlite:///{file}")
    pooled = PooledConnections()
    for _ in range(2):
        with engine.begin() as connection:
            connection.execute(text("create table crate (id integer)"))
        pooled.close()
        file.unlink()
    assert not file.exists()


def test_a_database_in_memory_stays() -> None:
    engine = create_engine("sqlite://")
    pooled = PooledConnections()
    with engine.begin() as connection:
        connection.execute(text("create table crate (id integer)"))
    pooled.close()
    with engine.begin() as connection:
        assert connection.execute(text("select * from crate")).fetchall() == []
