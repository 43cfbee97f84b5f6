"""Which class statements run a function, and that tests have them."""

from __future__ import annotations

import random

import class_makers
import pytest

from crashwright.core.location import CodeKey
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.execution.executor import Executor
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.class_statements import Declared, declared_by
from crashwright.engine.subject.api.entry import Entry, entries
from crashwright.engine.testcase.making.class_statements import ClassStatements
from crashwright.engine.testcase.making.declaring import is_declarative
from crashwright.engine.testcase.making.definitions import Definer
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Definition

API = ApiModel("class_makers", ["class_makers"])
FUNCTIONS = {
    "Meta.__new__": class_makers.Meta.__new__,
    "Plugin.__init_subclass__": class_makers.Plugin.__init_subclass__.__func__,  # type: ignore[attr-defined]
    "Column.__set_name__": class_makers.Column.__set_name__,
}
DECLARED = {
    "Meta.__new__": Declared(bases=(class_makers.Record,)),
    "Plugin.__init_subclass__": Declared(bases=(class_makers.Plugin,)),
    "Column.__set_name__": Declared(held=(class_makers.Column,)),
}


def key_of(name: str) -> CodeKey:
    return CodeKey("class_makers", name, FUNCTIONS[name].__code__.co_firstlineno)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_is_declared_runs_the_function(name: str) -> None:
    assert declared_by(API, key_of(name)) == DECLARED[name]


def test_no_class_statement_runs_another_function() -> None:
    assert not declared_by(API, CodeKey("class_makers", "Column.__init__", 26))
    assert not declared_by(API, CodeKey("class_makers", "helper", 1))


def test_a_metaclass_is_entered_by_what_it_made() -> None:
    key = key_of("Meta.__new__")
    frame = TargetFrame(key, class_makers.__file__, key.first_line + 4, "raise ValueError", None, True)
    found = entries(API, CrashTarget("class_makers", "ValueError", "a number is needed", (frame,)))
    assert isinstance(found, Entry)
    assert [one.live for one in found.callees] == [class_makers.Record]
    assert found.how == "through a class statement that derives from Record"


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("Meta.__new__", "a number is needed"),
        ("Plugin.__init_subclass__", "a whole number needs a value"),
        ("Column.__set_name__", "__set_name__"),
    ],
)
def test_random_tests_declare_classes_that_are_refused(name: str, error: str) -> None:
    declared = declared_by(API, key_of(name))
    callees = tuple(API.constructor(cls) for cls in (*declared.bases, *declared.held))
    definer = Definer()
    factory, rng = Factory(API, SeedPool(), callees, definer=definer), random.Random(1)
    factory.preferences.class_statements = ClassStatements(declared, definer)
    for _ in range(600):
        test = factory.random_test(rng, 6)
        assert test.is_valid()
        if error in repr(Executor().run(test).error):
            break
    else:
        pytest.fail(f"none of 600 tests comes to {name}")
    assert any(isinstance(one, Definition) for one in test.statements)


def test_what_looks_at_its_subclasses_is_there_to_be_derived_from() -> None:
    assert is_declarative(class_makers.Plugin)
    assert is_declarative(class_makers.Record)
    assert not is_declarative(class_makers.Column)
