"""What is needed further in comes to where it came from, whatever lies between: by runs of small functions."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import cast

import pytest

from crashwright.core.location import CodeKey
from crashwright.core.target import TargetFrame
from crashwright.engine.execution.executor import Executor
from crashwright.engine.sources.carrying.arrivals import Arrival, Arrivals, ArrivedValue
from crashwright.engine.sources.carrying.carrier import Carrier, Needed
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.statements import Arguments, Call, Display, Literal, MethodCall, Ref, SetAttribute, Statement
from crashwright.engine.testcase.testcase import TestCase

BOTH = ParameterKind.POSITIONAL_OR_KEYWORD


class Part:
    def __init__(self, name: str, tags: object = ()) -> None:
        self.name = name
        self.tags = list(cast("list[object]", tags))


class Box:
    def __init__(self, parts: object, label: str = "plain") -> None:
        self.parts = parts
        self.label = label
        self._depth = 0

    def deeper(self, depth: int) -> None:
        self._depth = depth


def needs(value: object) -> object:
    return value


def by_attribute(box: Box) -> object:
    return needs(box.label)


def by_copy(part: Part) -> object:
    return needs(part.tags)


def by_state(box: Box) -> object:
    return needs(box._depth)


def by_key(table: dict[str, list[object]]) -> object:
    return needs(table["boxes"][1])


def by_text(line: str) -> object:
    return needs(line.split("=")[1].strip())


def by_reading(line: str) -> object:
    return needs(int(line[2:]))


def by_bytes(data: bytes) -> object:
    return needs(data.decode())


def by_rows(rows: list[dict[str, str]]) -> object:
    return [needs(Box(**row)) for row in rows]  # type: ignore[arg-type]


def read_pairs(text: str) -> dict[str, str]:
    return dict(cast("list[tuple[str, str]]", [line.split(":") for line in text.split(";") if line]))


def write_pairs(pairs: dict[str, str]) -> str:
    return ";".join(f"{key}:{value}" for key, value in pairs.items())


def by_conversion(text: str) -> object:
    return needs(read_pairs(text))


def callee(live: object, *parameters: str) -> Callee:
    kind = CalleeKind.CLASS if isinstance(live, type) else CalleeKind.FUNCTION
    name = cast(FunctionType, live).__name__
    return Callee("loads", name, kind, tuple(Parameter(one, BOTH) for one in parameters), live=live)


PART, BOX, NEEDS = callee(Part, "name", "tags"), callee(Box, "parts", "label"), callee(needs, "value")
WRITE = callee(write_pairs, "pairs")


def frame_of(function: Callable[..., object]) -> TargetFrame:
    code = cast(FunctionType, function).__code__
    return TargetFrame(CodeKey(function.__module__, code.co_qualname, code.co_firstlineno), "", code.co_firstlineno, "", None, True)


def held(node: ArrivedValue) -> object:
    """What it is, wherever it came from."""
    return node.value if node.is_scalar else (node.cls, {step.key: held(part) for step, part in node.parts})


def carried(inner: Sequence[Statement], outer: Sequence[Statement], inverses: Sequence[Callee] = ()) -> tuple[list[str], int]:
    """The tests in which nothing differs any more, and how many runs there were."""
    executor = Executor()

    def arrive(test: TestCase) -> list[Arrival]:
        with Arrivals(frame_of(needs), None, lambda: executor.variables) as arrivals:
            executor.run(test)
        return arrivals.found

    wanted = arrive(TestCase(tuple(inner)))[-1]
    ran: list[TestCase] = []

    def noted(test: TestCase) -> list[Arrival]:
        ran.append(test)
        return arrive(test)

    carrier = Carrier(noted, itertools.count(100).__next__, lambda: ["="], inverses)
    carrier.carry(Needed(TestCase(tuple(inner)), wanted.arguments), [TestCase(tuple(outer))], 100)
    assert all(one.is_valid() for one in ran)
    found = [one for one in ran if any(held(each.arguments["value"]) == held(wanted.arguments["value"]) for each in arrive(one))]
    return ["; ".join(print_test(one).body) for one in found], len(ran)


def needing(value: object) -> list[Statement]:
    return [Literal(50, value), Call(51, NEEDS, Arguments((50,)))]  # type: ignore[arg-type]


A_BOX: list[Statement] = [Literal(0, None), Call(1, BOX, Arguments((0,)))]


@pytest.mark.parametrize(
    ("function", "inner", "outer", "expected"),
    [
        pytest.param(by_attribute, needing("final"), [*A_BOX], 'by_attribute(Box(None, label="final"))', id="argument"),
        pytest.param(
            by_copy,
            needing(Display("list", ("up",))),
            [Literal(0, "a"), Call(1, PART, Arguments((0,)))],
            'by_copy(Part("a", tags=["up"]))',
            id="what the constructor copies",
        ),
        pytest.param(
            by_state, needing(7), [*A_BOX], "box = Box(None); box._depth = 7; by_state(box)", id="state that no argument sets"
        ),
        pytest.param(
            by_key,
            needing("gold"),
            [Literal(1, Display("dict", (("boxes", Display("list", (0, 1))),)))],
            'by_key({"boxes": [0, "gold"]})',
            id="an item within a literal",
        ),
        pytest.param(by_text, needing("37"), [Literal(1, "share = 1 ")], 'by_text("share = 37 ")', id="part of a text"),
        pytest.param(by_text, needing("37"), [Literal(1, "share=")], 'by_text("share==37")', id="part of a text that is empty"),
        pytest.param(by_reading, needing(37), [Literal(1, "n:5")], 'by_reading("n:37")', id="a number that is read"),
        pytest.param(by_bytes, needing("rush"), [Literal(1, b"slow")], 'by_bytes(b"rush")', id="decoded bytes"),
    ],
)
def test_one_step(function: Callable[..., object], inner: list[Statement], outer: list[Statement], expected: str) -> None:
    found, runs = carried(inner, [*outer, Call(2, callee(function, "given"), Arguments((1,)))])
    assert expected in found or "==" in expected, found
    assert found
    assert runs <= 40


def test_an_object_comes_with_what_was_done_to_it() -> None:
    inner: list[Statement] = [
        *A_BOX,
        Literal(2, 4),
        SetAttribute(1, "label", 2),
        MethodCall(3, 1, "deeper", Arguments((2,))),
        Call(4, NEEDS, Arguments((1,))),
    ]
    outer: list[Statement] = [
        Literal(10, 0),
        Literal(11, Display("dict", (("boxes", Display("list", (0, Ref(10)))),))),
        Call(12, callee(by_key, "table"), Arguments((11,))),
    ]
    found, runs = carried(inner, outer)
    assert 'box = Box(None); box.label = 4; box.deeper(4); by_key({"boxes": [0, box]})' in found, found
    assert runs <= 10


def test_what_an_object_is_made_of_lacks_a_key() -> None:
    inner: list[Statement] = [*A_BOX, Literal(2, "final"), SetAttribute(1, "label", 2), Call(3, NEEDS, Arguments((1,)))]
    outer: list[Statement] = [
        Literal(10, Display("list", (Display("dict", (("parts", "some"),)),))),
        Call(11, callee(by_rows, "rows"), Arguments((10,))),
    ]
    found, runs = carried(inner, outer)
    assert 'by_rows([{"parts": None, "label": "final"}])' in found, found
    assert runs <= 20


def test_what_a_text_is_read_into_is_written_by_the_inverse() -> None:
    inner = needing(Display("dict", (("width", "42"),)))
    outer: list[Statement] = [Literal(1, "a:b"), Call(2, callee(by_conversion, "text"), Arguments((1,)))]
    found, _ = carried(inner, outer, [WRITE])
    assert 'by_conversion(write_pairs({"width": "42"}))' in found, found
    assert carried(inner, outer)[0] == []


def test_what_does_not_enter_the_function_is_not_gone_on_from() -> None:
    outer: list[Statement] = [Literal(1, "a"), Call(2, WRITE, Arguments((1,)))]
    assert carried(needing("b"), outer) == ([], 1)


def test_no_more_runs_than_are_given_and_a_base_once() -> None:
    runs: list[TestCase] = []

    def arrive(test: TestCase) -> list[Arrival]:
        runs.append(test)
        return []

    carrier = Carrier(arrive, itertools.count(100).__next__, list)
    base = TestCase(tuple(needing(1)))
    needed = Needed(base, {})
    assert carrier.carry(needed, [base, base, TestCase(tuple(needing(2)))], 2) == 2
    assert carrier.carry(needed, [base], 5) == 0


def test_where_nothing_is_to_be_run_the_base_is_tried_another_time() -> None:
    carrier = Carrier(lambda _test: None, itertools.count(100).__next__, list)
    base = TestCase(tuple(needing(1)))
    assert carrier.carry(Needed(base, {}), [base], 5) == 1
    assert carrier.carry(Needed(base, {}), [base], 5) == 1
