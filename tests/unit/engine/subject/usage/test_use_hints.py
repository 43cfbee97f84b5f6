"""What functions do with their parameters, and which types can take it."""

from __future__ import annotations

import ast
import collections.abc
import datetime
import enum
import textwrap

import pytest

from crashwright.engine.subject.api.hints import HintScope
from crashwright.engine.subject.api.types import NONE, ClassHint, Hint, TypeHint
from crashwright.engine.subject.usage.use_hints import Owned, UseReader
from crashwright.engine.subject.usage.uses_of_values import ModuleUses


class Node:
    def __init__(self) -> None:
        self.left = self.right = None


class Colour(enum.Enum):
    RED = 1


class Box:
    def __len__(self) -> int:
        return 0


CLASSES = (Owned(Node, frozenset({"left", "right"})), Owned(Box, frozenset({"__len__"})))


def hints(source: str, parameter: str = "x", function: str = "f") -> dict[Hint, float]:
    uses = ModuleUses(ast.parse(textwrap.dedent(source)))
    use = uses.use_of(function, parameter)
    return {} if use is None else dict(UseReader("elsewhere", HintScope({"Node": Node}), CLASSES).hints(use))


def classes(source: str, parameter: str = "x", function: str = "f") -> set[object]:
    return {hint.cls for hint in hints(source, parameter, function) if isinstance(hint, ClassHint)}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return x.strip()", {str, bytes}),
        ("x.append(1)", {list}),
        ("return x['k']", {dict}),
        ("return x + 1", {int, float}),
        ("return x ** 2", {int, float}),
        ("return x()", {collections.abc.Callable}),
        ("return x + '!'", {str}),
        ("return re.match('a', x)", {str}),
        ("return x.year", {datetime.datetime, datetime.date}),
        ("return x.left.right", {Node}),
        ("y = x\n    return y.left", {Node}),
        ("for part in x.items(): pass", {dict}),
        ("match x:\n        case {'k': 1}: pass", {dict}),
        ("match x:\n        case Node() | str(): pass", {Node, str}),
        ("match x:\n        case 'a' | 'b': pass", {str}),
        ("y = g()\n    match y:\n        case z: return z.left", set()),
        ("match x:\n        case _ as y: return y.left", {Node}),
    ],
)
def test_types_that_support_the_use(body: str, expected: set[object]) -> None:
    assert classes(f"def f(x):\n    {body}\n") == expected


def test_nothing_is_said_of_a_value_that_is_only_passed_on() -> None:
    assert hints("def f(x):\n    return [x]\n") == {}


def test_lengths_are_had_by_containers_and_the_subjects_own() -> None:
    assert {str, list, dict, Box} <= classes("def f(x):\n    return len(x)\n")


def test_a_test_for_nothing_suggests_it() -> None:
    assert NONE in hints("def f(x):\n    if x is None: return 0\n    return x + 1\n")


def test_isinstance_tests_are_taken_at_their_word() -> None:
    found = hints("def f(x):\n    if isinstance(x, (Node, str)): return 1\n")
    assert set(found) == {ClassHint(Node), ClassHint(str)}


def test_what_is_passed_to_a_function_of_the_module_is_used_there() -> None:
    source = """
        def f(x): return g(1, x)
        def g(a, b): return b.left
    """
    assert classes(source) == {Node}


def test_what_is_kept_on_self_is_used_by_the_other_methods() -> None:
    source = """
        class C:
            def __init__(self, keys): self.keys = keys
            def add(self, key): self.keys.append(key)
    """
    assert classes(source, "keys", "C.__init__") == {list}


def test_elements_have_types_of_their_own() -> None:
    found = hints("def f(x):\n    x.sort()\n    for node in x:\n        node.left = 1\n")
    assert found == {ClassHint(list, (ClassHint(Node),)): 3.0}


def test_pairs_are_unpacked() -> None:
    found = hints("def f(x):\n    x.sort()\n    for a, b in x: pass\n")
    (hint,) = found
    assert isinstance(hint, ClassHint)
    assert isinstance(hint.arguments[0], ClassHint)
    assert hint.arguments[0].cls is tuple
    assert len(hint.arguments[0].arguments) == 2


def test_a_new_value_under_the_same_name_is_another_value() -> None:
    assert classes("def f(x):\n    x = str(x)\n    return x.strip()\n") == set()


@pytest.mark.parametrize("body", ["return x is Node", "return x == Node", "return x in (int, Node)", "return x != Node"])
def test_what_is_compared_with_a_class_is_one(body: str) -> None:
    assert TypeHint(Node) in hints(f"def f(x):\n    {body}")


def test_what_is_compared_with_a_member_is_of_its_enumeration() -> None:
    source = "def f(x, y):\n    return x is Colour.RED or y == Node.left or y == x"
    use = ModuleUses(ast.parse(source)).use_of("f", "x")
    other = ModuleUses(ast.parse(source)).use_of("f", "y")
    assert use is not None
    assert other is not None
    reader = UseReader("elsewhere", HintScope({"Node": Node, "Colour": Colour}), CLASSES)
    assert ClassHint(Colour) in dict(reader.hints(use))
    assert not reader.hints(other), "an attribute of another class says nothing"
