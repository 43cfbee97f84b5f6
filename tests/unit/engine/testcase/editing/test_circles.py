"""Objects are put into themselves: lists, dicts, and the subject's own by attributes and methods."""

from __future__ import annotations

import random

from dummy_api import DummyApi, parameter

from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.editing.circles import attributes_set, close_circle
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import NO_ARGUMENTS, Arguments, Call, Display, Literal
from crashwright.engine.testcase.testcase import TestCase


class Node:
    def __init__(self, label: str) -> None:
        self.label = label
        self.parent = None
        self._hidden = 1

    def add(self, child) -> None: ...


NODE = Callee(__name__, "Node", CalleeKind.CLASS, (parameter("label"),), live=Node, owner=Node)
ADD = Callee(__name__, "Node.add", CalleeKind.METHOD, (parameter("child"),), live=Node.add, owner=Node)
ENTRY = Callee(__name__, "walk", CalleeKind.FUNCTION, (parameter("items"),), live=len)


class TreeApi(DummyApi):
    callables = (NODE, ENTRY)

    def methods_of(self, cls):
        return (ADD,) if cls is Node else ()

    def constructors_of(self, hint):
        return (NODE,)


def circles(*statements: st.Statement, on_path: frozenset[str] = frozenset()) -> list[st.Statement]:
    """What 60 circles of this test before its last statement added."""
    test = TestCase(statements)
    factory = Factory(TreeApi(), SeedPool(), (ENTRY,))
    for _ in range(100):
        factory.new()
    rng = random.Random(1)
    made = [close_circle(test, factory, rng, on_path) for _ in range(60)]
    assert all(one.is_valid() and one.statements[-1] == statements[-1] for one in made)
    return [statement for one in made for statement in one.statements if statement not in statements]


def test_a_list_is_appended_to_itself() -> None:
    added = circles(Literal(0, Display("list", ())), Call(1, ENTRY, Arguments((0,))))
    assert {(one.receiver, one.name, one.arguments.positional) for one in added} == {(0, "append", (0,))}


def test_a_dict_gets_itself_under_a_key_that_it_has_or_another() -> None:
    added = circles(Literal(0, Display("dict", (("left", None),))), Call(1, ENTRY, Arguments((0,))))
    assert all(one.receiver == one.value == 0 for one in added if isinstance(one, st.SetItem))
    keys = [one.value for one in added if isinstance(one, Literal)]
    assert "left" in keys
    assert len(set(keys)) > 1


def test_objects_of_the_subject_are_linked_by_attributes_and_methods() -> None:
    node = (Literal(0, "a"), Call(1, NODE, Arguments((0,))), Call(2, ENTRY, Arguments((1,))))
    added = circles(*node)
    attributes = {one.name for one in added if isinstance(one, st.SetAttribute)}
    assert attributes == {"label", "parent"}
    assert any(isinstance(one, st.MethodCall) and one.receiver == 1 and one.arguments.positional == (1,) for one in added)
    named = circles(*node, on_path=frozenset({"parent"}))
    assert (
        sum(getattr(one, "name", "") == "parent" for one in named) > sum(getattr(one, "name", "") == "label" for one in named) * 2
    )


def test_what_holds_nothing_is_left_alone() -> None:
    assert circles(Literal(0, "text"), Call(1, ENTRY, Arguments((0,)))) == []
    assert circles(Call(1, ENTRY, NO_ARGUMENTS)) == []


def test_only_public_attributes_of_an_own_constructor_are_set() -> None:
    assert attributes_set(Node) == ("label", "parent")
    assert attributes_set(dict) == ()

    class Leaf(Node):
        following = None
        count = 0

        def __init__(self) -> None:
            super().__init__("a")
            self.root = self

    assert attributes_set(Leaf) == ("root", "following", "label", "parent")


def test_an_attribute_is_given_the_object_alone_in_a_list_or_under_a_key() -> None:
    made = Call(0, NODE, NO_ARGUMENTS)
    added = circles(made, Call(1, ENTRY, Arguments((0,))), on_path=frozenset({"parent"}))
    kinds = {one.value.kind for one in added if isinstance(one, Literal) and isinstance(one.value, Display)}
    assert kinds == {"list", "dict"}
    assert any(isinstance(one, st.SetAttribute) and one.value == 0 for one in added)
