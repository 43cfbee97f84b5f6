"""What the test defines: sources and their names, smaller versions, classes made for a test, and how they are run."""

import ast
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as hs

from crashwright.engine.testcase.definitions.inline import InlineNames, expression_of
from crashwright.engine.testcase.definitions.reduction import smaller_sources
from crashwright.engine.testcase.definitions.source import (
    bound_names,
    code_of,
    is_clear,
    is_inert,
    name_of,
    open_names,
    parsed,
    source_of,
)
from crashwright.engine.testcase.definitions.variation import varied_source
from crashwright.engine.testcase.statements import Display, Literal, Named, Ref, Reference

SHELF = """
@decorated(1)
class Shelf(Base, metaclass=Meta):
    size: Optional[List[int]] = None

    def take(self, key=DEFAULT):
        def again():
            return Shelf, again
        for one in key:
            print(one, self.size)
        return [1, again()]
"""


def test_names_that_a_definition_takes_and_binds():
    source = source_of(parsed(SHELF))
    assert name_of(source) == "Shelf"
    assert open_names(source) == ("Base", "DEFAULT", "List", "Meta", "Optional", "decorated", "int", "print")
    assert {"take", "self", "key", "again", "one"} <= bound_names(source)
    assert is_clear(source)
    assert not is_clear("class A:\n    def f(self, g):\n        return g\n\n    def h(self):\n        return g()")


@pytest.mark.parametrize(
    ("source", "inert"),
    [
        ("def f(a=1):\n    return open(a)", True),
        ("def f(a=g()):\n    pass", False),
        ("@g\ndef f():\n    pass", False),
        ("class A:\n    x = 1\n\n    def f(self):\n        return g()", True),
        ("class A:\n    x = g()", False),
        ("class A(B):\n    pass", False),
    ],
)
def test_what_runs_nothing_when_it_is_defined(source, inert):
    assert is_inert(source) is inert


@pytest.mark.parametrize("source", ["x = 1", "def f(): pass\ndef g(): pass", "class"])
def test_what_is_no_definition(source):
    with pytest.raises(ValueError, match=r"."):
        parsed(source)


def test_smaller_sources_say_less_and_end():
    source = source_of(parsed(SHELF))
    smaller = [*smaller_sources(source)]
    assert all(len(text) < len(source) and parsed(text).name == "Shelf" for text in smaller)
    steps = 0
    while (less := next(iter(smaller_sources(source)), None)) is not None and steps < 100:
        source, steps = less, steps + 1
    assert source == "class Shelf(Base):\n    pass"


@given(hs.recursive(hs.none() | hs.integers(-99, 99) | hs.booleans() | hs.text("ab'\"", max_size=4), lambda x: hs.tuples(x, x)))
def test_inlined_literals_are_what_they_were(value):
    def tree(part):
        return Display("tuple", tuple(tree(item) for item in part)) if isinstance(part, tuple) else part

    text = expression_of([Literal(0, tree(value))], 0, InlineNames())
    assert text is None or ast.literal_eval(text) == value


def test_inlined_names_mean_one_thing_each():
    names = InlineNames(("Shelf",))
    statements = [Reference(0, Named("shop", "Shelf")), Reference(1, Named("depot", "Unit.Shelf"))]
    text = expression_of([*statements, Literal(2, Display("list", (Ref(0), Ref(1), Ref(0))))], 2, names)
    assert text == "[Shelf_2, Shelf_3, Shelf_2]"
    assert names.known == {"Shelf_2": Named("shop", "Shelf"), "Shelf_3": Named("depot", "Unit.Shelf")}


def test_code_that_does_not_compile_is_refused():
    with pytest.raises(ValueError, match="outside"):
        code_of("class A:\n    return 1", "a")


@pytest.mark.parametrize("value", [10**400, -(10**400), math.inf, math.nan])
def test_a_constant_is_not_replaced_by_what_is_no_constant(value: float) -> None:
    source = "class Shelf:\n    size = 3\n    depth = 4"
    assert {varied_source(source, random.Random(seed), lambda _old: value) for seed in range(20)} <= {
        source,
        *smaller_sources(source),
    }


@pytest.mark.parametrize("other", [7, None, 1.5, b"b", "t"])
def test_the_parts_of_a_formatted_text_stay_texts(other):
    source = source_of(parsed("class Label:\n    def text(self):\n        return f'a {self.name:>8} b {3}'"))
    made = {varied_source(source, random.Random(seed), lambda _value: other) for seed in range(40)}
    assert all(parsed(one) for one in made)
    assert len(made) > 1


def test_a_definition_with_one_parameter_twice_is_not_clear():
    assert not is_clear("def f(a, a):\n    return a")
    with pytest.raises(ValueError, match="duplicate"):
        open_names("def f(a, a):\n    return a")


def test_an_error_of_the_parsers_own_is_no_definition(monkeypatch):
    def broken(_source):
        raise SystemError("AST constructor recursion depth mismatch")

    with monkeypatch.context() as patched:
        patched.setattr(ast, "parse", broken)
        with pytest.raises(ValueError, match="mismatch"):
            parsed("def f(): pass")
