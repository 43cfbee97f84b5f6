"""Sessions of SQLAlchemy for parameters that take one: on an engine with a database in memory, where the tables of the program's
models are. A session that is bound to nothing refuses the first question.

# Deviation: none of the papers has a database; the state of their subjects is in objects.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from crashwright.engine.frameworks.sqlalchemy import is_used, mapped_classes
from crashwright.engine.frameworks.ways_in import IN_MEMORY
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.api.types import ClassHint, Hint
from crashwright.engine.subject.introspection import class_dict, class_module, class_mro, is_class, live_at
from crashwright.engine.testcase.making.recipes import Recipe
from crashwright.engine.testcase.making.vocabulary import StatementBuilder
from crashwright.engine.testcase.statements import (
    Arguments,
    Call,
    GetAttribute,
    Literal,
    MethodCall,
    Named,
    Reference,
    Statement,
    Variable,
)

_ENGINE, _SESSION, _FACTORY = ("sqlalchemy.engine", "Engine"), ("sqlalchemy.orm", "Session"), ("sqlalchemy.orm", "sessionmaker")


def session_recipes(api: ApiModel) -> dict[type, Recipe]:
    """How instances of engines, sessions and their factories are made; none if the program maps no class."""
    models = [one for one in mapped_classes() if class_module(one).partition(".")[0] == api.package] if is_used() else []
    if not models:
        return {}
    making = _Making(api, models[0])
    found: dict[type, Recipe] = dict.fromkeys(sessions_in_use(), making.session)
    for place, recipe in ((_FACTORY, making.session), (_ENGINE, making.engine)):
        live = live_at(*place)
        if is_class(live):
            found[live] = recipe
    return found


def sessions_in_use() -> Iterator[type]:
    """The class of sessions, and those made of it that are called like it."""
    session = live_at(*_SESSION)
    if is_class(session):
        yield session
        made: list[type] = type.__subclasses__(session)
        yield from (one for one in made if "__init__" not in class_dict(one))


def with_tables(package: str, model: type) -> type:
    """The base of the program's models, if it declares one; else the model."""
    bases = [one for one in class_mro(model)[1:] if class_module(one).partition(".")[0] == package]
    return next((one for one in bases if "metadata" in class_dict(one)), model)


class _Making:
    """``model`` is one of the program's: with it come the tables of all."""

    def __init__(self, api: ApiModel, model: type) -> None:
        self._api = api
        callee = api.constructor(with_tables(api.package, model))
        self._model = Named(callee.module, callee.qualname, callee.live)
        make: Any = live_at("sqlalchemy", "create_engine")
        self._create = Callee("sqlalchemy", "create_engine", CalleeKind.FUNCTION, live=make)

    def session(self, builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
        """A session, or a factory of sessions, of the test's engine."""
        assert isinstance(hint, ClassHint)
        engine = self.engine(builder, statements, hint, rng, depth)
        statements.append(Call(builder.new(), self._api.constructor(hint.cls), Arguments((engine,))))
        return statements[-1][0]

    def engine(self, builder: StatementBuilder, statements: list[Statement], _hint: Hint, _rng: Random, _depth: int) -> Variable:
        """The one that the test has, or a new one with all tables."""
        known = next((one for one in statements if isinstance(one, Call) and one.callee is self._create), None)
        if known is not None:
            return known.variable
        address, model = Literal(builder.new(), IN_MEMORY[0]), Reference(builder.new(), self._model)
        engine = Call(builder.new(), self._create, Arguments((address.variable,)))
        metadata = GetAttribute(builder.new(), model.variable, "metadata")
        tables = MethodCall(builder.new(), metadata.variable, "create_all", Arguments((engine.variable,)))
        statements += [address, engine, model, metadata, tables]
        return engine.variable
