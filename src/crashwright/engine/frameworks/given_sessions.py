"""Functions that give the endpoints of an application their session of SQLAlchemy, and what stands in for them in a test: sessions
on a database in memory, with the tables of the program, as the documentation of FastAPI has it for tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from crashwright.engine.frameworks.guarded_routes import Guard, importable
from crashwright.engine.frameworks.sqlalchemy import is_used, mapped_classes
from crashwright.engine.frameworks.sqlalchemy_sessions import sessions_in_use, with_tables
from crashwright.engine.frameworks.ways_in import IN_MEMORY, MAKES_ENGINE
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.introspection import (
    class_module,
    class_name,
    function_home,
    instance_dict,
    instance_of,
    is_class,
    live_at,
    loaded_dict,
)
from crashwright.engine.testcase.names.source import Known
from crashwright.engine.testcase.statements import Named

_POOL = ("sqlalchemy.pool", "StaticPool")
_CREATE = "create_engine"


class GivenSessions:
    """Of one application. ``guards`` are what its routes depend on, ``package`` is the project's."""

    def __init__(self, guards: Iterable[Guard], package: str) -> None:
        self._package = package
        models = [one for one in mapped_classes() if class_module(one).partition(".")[0] == package] if is_used() else []
        found = [named for guard in guards if (named := importable(guard.live)) is not None] if models else []
        self._givers = [one for one in dict.fromkeys(found) if _gives_stored(one)]
        self._base = with_tables(package, models[0]) if models else object
        self._session = next(iter(sessions_in_use()), None)

    def __bool__(self) -> bool:
        return bool(self._givers) and self._session is not None

    def names(self, api: ApiModel) -> dict[str, Known]:
        """What :meth:`lines` and :attr:`overrides` name."""
        if not self or self._session is None:
            return {}
        module, _, name = MAKES_ENGINE.partition(":")
        live: Any = live_at(module, name)
        create = Callee(module, name, CalleeKind.FUNCTION, live=live)
        pool, session = live_at(*_POOL), api.constructor(self._session)
        base = api.constructor(self._base)
        known: dict[str, Known] = {one.qualname: one for one in self._givers}
        known |= {"StaticPool": Named(*_POOL, pool), class_name(self._session): session}
        known[base.qualname] = Named(base.module, base.qualname, self._base)
        return {**known, _CREATE: create}

    def lines(self) -> list[str]:
        """Statements that make the database and define what gives sessions."""
        if not self or self._session is None:
            return []
        asked = "connect_args={'check_same_thread': False}"
        giver = f"def sessions():\n    with {class_name(self._session)}(engine) as session:\n        yield session"
        made = f"engine = {_CREATE}({IN_MEMORY[0]!r}, poolclass=StaticPool, {asked})"
        return [made, f"{class_name(self._base)}.metadata.create_all(engine)", giver]

    def opened(self) -> list[str]:
        """The statement that opens a ``session`` on that database."""
        return [f"session = {class_name(self._session)}(engine)"] if self and self._session is not None else []

    @property
    def overrides(self) -> dict[str, str]:
        """What stands in for what, as source."""
        return {one.qualname: "sessions" for one in self._givers}


def _gives_stored(named: Named) -> bool:
    """Whether the function opens a session, and not one that is in memory already."""
    function: Any = named.live
    namespace = loaded_dict(function_home(function))
    used = [namespace[name] for name in function.__code__.co_names if name in namespace]
    engines = [engine for one in used for engine in _engines_of(one)]
    makes = any(_makes_sessions(one) for one in used)
    return makes and not any(_is_in_memory(one) for one in engines)


def _makes_sessions(live: object) -> bool:
    maker = live_at("sqlalchemy.orm", "sessionmaker")
    made = is_class(maker) and (live is maker or instance_of(live, maker))
    return made or any(live is one for one in sessions_in_use())


def _engines_of(live: object) -> Iterator[object]:
    engine, maker = live_at("sqlalchemy.engine", "Engine"), live_at("sqlalchemy.orm", "sessionmaker")
    if is_class(engine) and instance_of(live, engine):
        yield live
    elif is_class(maker) and instance_of(live, maker):
        options = instance_dict(live).get("kw")
        yield from _engines_of(options.get("bind")) if type(options) is dict else ()


def _is_in_memory(engine: Any) -> bool:
    return str(engine.url) in IN_MEMORY
