"""What compares element by element is asserted by what it gives away in plain values."""

from __future__ import annotations

from crashwright.engine.assertions.assertion import Assertion, Observed
from crashwright.engine.assertions.checking import holds
from crashwright.engine.assertions.looks import Looker, SeenFact
from crashwright.engine.assertions.values import Present, ValueNames
from crashwright.engine.testcase.checks import Check
from crashwright.engine.testcase.printing.check_text import check_parts
from crashwright.engine.testcase.printing.imports import Imports
from crashwright.engine.testcase.printing.layout import Doc
from crashwright.engine.testcase.statements import Display


class Array:
    """Like one of a numerical library."""

    flags = "C_CONTIGUOUS"

    def __init__(self, *items: object) -> None:
        self.items = items

    def __array__(self) -> None: ...

    def __len__(self) -> int:
        return len(self.items)

    def __eq__(self, other: object) -> object:  # type: ignore[override]
        return [item == other for item in self.items]

    def tolist(self) -> list[object]:
        return list(self.items)


class Table(Array):
    def to_dict(self) -> dict[str, object]:
        return {"a": {0: 1.5}}


def told(value: object) -> list[SeenFact]:
    return Looker(ValueNames(lambda _value: None), Present("", 1e9)).full(value, consume=False)


def test_all_that_is_in_it_is_asserted_and_nothing_else() -> None:
    facts = told(Array(1, 2))
    assert facts[0] == SeenFact((".tolist()",), "equals", Display("list", (1, 2)))
    assert [fact.kind for fact in facts[1:]] == ["isinstance"]
    assert told(Table(1))[0].path == (".to_dict()",)


def test_of_what_cannot_be_written_the_length_is() -> None:
    assert [(fact.path, fact.kind) for fact in told(Array(object()))] == [((), "isinstance"), (("len",), "equals")]


def test_such_an_assertion_is_judged_and_printed() -> None:
    path, expected = (".tolist()",), Display("list", (1, 2))
    assert holds(Assertion(0, Observed(3, path), "equals", expected), {3: Array(1, 2)})
    assert not holds(Assertion(0, Observed(3, path), "equals", expected), {3: Array(1)})
    parts = check_parts(Check(3, path, "equals", expected), lambda _variable: Doc("shares"), Imports())
    assert parts.flat == "assert shares.tolist() == [1, 2]"
