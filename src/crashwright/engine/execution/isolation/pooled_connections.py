"""Connections to files that the engines of SQLAlchemy keep from one test to the next: the files are gone by then, and SQLite says
"disk I/O error" where a fresh interpreter would make them anew. A program whose engine is made once has one for all tests.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakSet

from crashwright.engine.subject.introspection import is_class, live_at


class PooledConnections:
    """Of the engines that are connected from now on."""

    def __init__(self) -> None:
        self._connected: WeakSet[Any] = WeakSet()
        listen: Any = live_at("sqlalchemy.event", "listen")
        engine = live_at("sqlalchemy.engine", "Engine")
        if listen is not None and is_class(engine):
            listen(engine, "engine_connect", self._note)

    def close(self) -> None:
        """Those to files: each engine opens new ones when it needs some."""
        for engine in list(self._connected):
            if engine.dialect.name == "sqlite" and engine.url.database not in (None, "", ":memory:"):
                engine.dispose()
        self._connected.clear()

    def _note(self, connection: Any, *_: object) -> None:
        self._connected.add(connection.engine)
