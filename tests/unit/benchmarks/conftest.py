"""Makes ``benchmarks`` importable: it is no part of what is installed. And its stores do not wait for the disk."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[3]))


@pytest.fixture(autouse=True)
def _stores_need_not_outlive_a_power_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect

    def connected(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*arguments, **options)
        connection.execute("PRAGMA synchronous = OFF")
        return connection

    monkeypatch.setattr(sqlite3, "connect", connected)
