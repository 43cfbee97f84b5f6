"""Sessions for parameters: on one engine of the test, with the tables of the program's models."""

from __future__ import annotations

from random import Random

import pytest
from shop import Buyer
from sqlalchemy import Engine
from sqlalchemy.orm import Session, sessionmaker

from crashwright.engine.execution.executor import Executor
from crashwright.engine.frameworks.sqlalchemy_sessions import session_recipes
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Arguments, MethodCall, Named, Reference, Statement
from crashwright.engine.testcase.testcase import TestCase


@pytest.fixture
def factory() -> Factory:
    api = ApiModel("shop", ["shop"])
    factory = Factory(api, SeedPool(), ())
    for cls, recipe in session_recipes(api).items():
        factory.instances.learn_recipe(cls, recipe)
    return factory


def made(factory: Factory, cls: type, statements: list[Statement]) -> int:
    """Draws until it is made by the recipe, as it is most of the time."""
    for seed in range(20):
        drawn: list[Statement] = list(statements)
        variable = factory.argument(drawn, ClassHint(cls), Random(seed), 1, legal=True)
        if any(isinstance(one, MethodCall) and one.name == "create_all" for one in drawn):
            statements[:] = drawn
            return variable
    raise AssertionError("never made")


def test_a_session_finds_the_tables(factory: Factory) -> None:
    statements: list[Statement] = []
    session = made(factory, Session, statements)
    model = Reference(factory.new(), Named("shop", "Buyer", Buyer))
    asked = factory.new()
    statements += [model, MethodCall(asked, session, "get", Arguments((model.variable, factory.literal(statements, 7))))]
    outcome = Executor().run(TestCase(tuple(statements)))
    assert outcome.error is None
    text = "\n".join(str(one) for one in print_test(TestCase(tuple(statements))).body)
    assert "Base.metadata" in text
    assert 'create_engine("sqlite://")' in text


def test_there_is_one_engine_in_a_test(factory: Factory) -> None:
    statements: list[Statement] = []
    for cls in (Engine, sessionmaker, Session):
        made(factory, cls, statements)
    assert [one.name for one in statements if isinstance(one, MethodCall)].count("create_all") == 1


def test_a_program_without_models_has_none() -> None:
    assert session_recipes(ApiModel("json", ["json"])) == {}
