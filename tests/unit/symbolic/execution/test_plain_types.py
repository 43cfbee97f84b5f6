"""Types are chosen where conditions would be cases of types, and nothing contradictory is told."""

from __future__ import annotations

from textwrap import dedent

import pytest
from walked import loaded, of_level, target_of, walked

from crashwright.core.precondition import Precondition
from crashwright.core.terms import Op
from crashwright.engine.goals.crash.precondition import distance
from crashwright.symbolic.wording.preconditions import worded


def found_of(source: str, call: str) -> list[Precondition]:
    """The preconditions of the crash of a call, those of the outermost frame."""
    module = loaded(dedent(source))
    with pytest.raises(Exception) as caught:  # noqa: PT011  # each has its own
        eval(call, vars(module))
    target = target_of(caught.value)
    return of_level(walked(dedent(source), target)[0], len(target.frames))


def said(found: Precondition) -> list[str]:
    return [one.text for one in worded(found)]


def test_what_is_looked_up_in_is_a_dict() -> None:
    source = """
    def f(known, name):
        if name in known:
            return 1
        return [][3]
    """
    [found] = found_of(source, "f({}, 'a')")
    assert said(found) == ["`known` is a dict", "`name` is not a key of `known`"]
    assert distance([found], {"known": {"b": 1}, "name": "a"}) == 0
    assert distance([found], {"known": {"a": 1}, "name": "a"}) > 0


@pytest.mark.parametrize(
    ("use", "value", "kind"),
    [
        ("words.startswith('a')", "'b'", "a str"),
        ("words - 3", "5", "an int"),
        ("words.setdefault('a')", "{}", "a dict"),
        ("words.append('a')", "[]", "a list"),
    ],
)
def test_a_value_is_what_it_is_used_as(use: str, value: str, kind: str) -> None:
    source = f"""
    def f(words, other):
        if words == other:
            return 0
        {use}
        return [][0]
    """
    assert any(f"`words` is {kind}" in said(one) for one in found_of(source, f"f({value}, 'z')"))


def test_what_only_has_to_be_true_may_be_of_any_type() -> None:
    source = """
    def f(skip, box):
        if not skip:
            return box[0]
        return None
    """
    [found] = found_of(source, "f(0, [])")
    assert "`skip` is falsy" in said(found)
    assert distance([found], {"skip": "", "box": []}) == distance([found], {"skip": None, "box": []}) == 0


def test_a_way_that_comes_to_a_contradiction_is_not_told() -> None:
    source = """
    def g(number):
        if number > 3:
            return [][number]
        return 0

    def f(text):
        return g(int(text or "0"))
    """
    found = found_of(source, "f('7')")
    assert found
    for one in found:
        assert not any(guard.term.op is Op.LITERAL for guard in one.guards)
        assert not any("never" in text for text in said(one))


@pytest.mark.parametrize(
    ("source", "call", "conditions"),
    [
        (
            """
            def f(graph):
                if graph.is_directed():
                    return 1 / (len(graph) - 1)
            """,
            "f(type('Graph', (), {'is_directed': lambda self: True, '__len__': lambda self: 1})())",
            ["`len(graph)` == 1"],
        ),
        (
            """
            def f(names, data):
                for name in names:
                    if name in data:
                        return name
            """,
            "f(['a'], True)",
            ["`data` is a bool"],
        ),
        (
            """
            def f(person):
                return person.get("born").year
            """,
            "f({})",
            ["'born' is not a key of `person`"],
        ),
        (
            """
            def f(record):
                for key in ("name", "born"):
                    if key not in record:
                        raise KeyError(key)
                return record["born"] / 0
            """,
            "f({'name': 1, 'born': 2})",
            ["'born' is a key of `record`", "'name' is a key of `record`"],
        ),
        (
            """
            def f(slots, count):
                if count > 3:
                    return slots[count]
            """,
            "f([], 4)",
            ["`count` >= `len(slots)`"],
        ),
        (
            """
            def f(count: int):
                return int(count)
            """,
            "f(float('inf'))",
            ["`count` is a float"],
        ),
        (
            """
            def f(name: str):
                return name.split(".")[0]
            """,
            "f(b'a.b')",
            ["`name` is bytes"],
        ),
        (
            """
            PRICES = {}
            PRICES.update(tea=3)

            def f(name):
                return PRICES[name]["price"]
            """,
            "f('tea')",
            ["`PRICES[name]` is an int", "`name` is a key of `PRICES`"],
        ),
        (
            """
            import re

            def f(text):
                if text != '':
                    return re.sub('a', 'b', text)
            """,
            "f(None)",
            ["`text` is None"],
        ),
        (
            """
            class Base:
                pass

            class Box(Base):
                def __init__(self, given):
                    super().__init__()
                    if self.ready:
                        raise ValueError(given)

            Base.__init__ = lambda self: vars(self).update(ready=True)

            def f(given):
                return Box(given)
            """,
            "f(3)",
            [],
        ),
    ],
)
def test_what_fails_is_said_of_what_was_given(source: str, call: str, conditions: list[str]) -> None:
    module = loaded(dedent(source))
    with pytest.raises(Exception) as caught:  # noqa: PT011  # each has its own
        eval(call, vars(module))
    target = target_of(caught.value)
    inner = of_level(walked(dedent(source), target)[0], 1)
    assert inner
    told = [said(one) for one in inner]
    assert any(set(conditions) <= set(one) for one in told)
    assert not any("self.ready" in text for one in told for text in one if "whatever" not in text)
