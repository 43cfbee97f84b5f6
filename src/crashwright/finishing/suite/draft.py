"""A test on its way into the file: its statements with the assertions among them, and what it is given where it is parametrised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from crashwright.core.suite import SuiteTest
from crashwright.engine.assertions.assertion import AssertedTest, Raised
from crashwright.engine.subject.api.callee import CalleeKind
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.checks import Check, Given
from crashwright.engine.testcase.printing.layout import Doc
from crashwright.engine.testcase.statements import Display, Expected, Named, Ref, Statement, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.uses import Uses
from crashwright.engine.testcase.variables import defined
from crashwright.finishing.suite.conditions import condition_words, is_contradicted

Line = Statement | Check | Given
Call = st.Call | st.MethodCall


@dataclass(frozen=True, slots=True)
class CaseRow:
    """The values of one case of a parametrised test; a ``document`` is how one is written, a pattern's value its message."""

    values: tuple[Expected, ...]
    documents: tuple[Doc, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """``indices`` are the places in the suite of the tests that it stands for, one for each of ``rows`` where it is parametrised.
    ``subject`` is the qualified name of what it tests, ``match`` the parameter that holds the message."""

    indices: tuple[int, ...]
    subject: str
    line: int
    statements: tuple[Line, ...]
    raised: Raised | None = None
    parameters: tuple[str, ...] = ()
    rows: tuple[CaseRow, ...] = ()
    match: str = ""
    accident: bool = False
    """It pins an exception that the code does not raise on purpose."""
    conditions: tuple[str, ...] = ()
    """What it alone does, in words."""
    needed: bool = False
    """It takes a branch or line that no other test does."""
    fixtures: tuple[str, ...] = ()
    """The fixtures of the file that it uses."""

    @property
    def test(self) -> TestCase:
        """As the printer takes it."""
        return TestCase(cast(tuple[Statement, ...], self.statements))

    @property
    def is_bare(self) -> bool:
        """It asserts nothing."""
        return self.raised is None and not any(isinstance(line, Check) for line in self.statements)

    @property
    def is_async(self) -> bool:
        """Whether it runs under an event loop."""
        return any(isinstance(line, st.Await) or (isinstance(line, st.Enter) and line.is_async) for line in self.statements)

    @property
    def owner(self) -> str:
        """The qualified name of the class that the subject is or belongs to; "" for a function of the module."""
        outer = self.subject.partition(".<locals>")[0]
        return outer if self._makes(outer) else outer.rpartition(".")[0]

    def _makes(self, name: str) -> bool:
        calls = (line.callee for line in self.statements if isinstance(line, st.Call))
        return any(callee.kind is CalleeKind.CLASS and callee.qualname == name for callee in calls)

    def call(self) -> tuple[int, Call | st.GetAttribute] | None:
        """The last call of the subject (or the last reading of that property) and its place."""
        name = self.subject.partition(".<locals>")[0].rpartition(".")[2]
        wanted = {name, self.owner.rpartition(".")[2]} if name == "__init__" else {name}
        for index in range(len(self.statements) - 1, -1, -1):
            line = self.statements[index]
            if isinstance(line, st.Call) and line.callee.name in wanted:
                return index, line
            if isinstance(line, st.MethodCall | st.GetAttribute) and line.name in wanted:
                return index, line
        return None

    def definition(self, variable: Variable, before: int) -> Line | None:
        """What defined ``variable`` before the statement with that index."""
        for line in reversed(self.statements[:before]):
            if defined(cast(Statement, line)) == variable:
                return line
        return None

    def given(self) -> dict[str, object]:
        """The plain values that the call under test has for its parameters, with those that it leaves to their defaults."""
        found = self.call()
        if found is None:
            return {}
        index, line = found
        if isinstance(line, st.GetAttribute) or line.callee is None:
            return {}
        parameters, arguments = line.callee.parameters, line.arguments
        passed = dict(zip([one.name for one in parameters], arguments.positional, strict=False)) | dict(arguments.keywords)
        values: dict[str, object] = {}
        for one in parameters:
            if not one.required and one.name not in passed and isinstance(one.default, str | bytes | int | float | None):
                values[one.name] = one.default
        for name, variable in passed.items():
            literal = self.definition(variable, index)
            if isinstance(literal, st.Literal) and not isinstance(literal.value, Display | st.Made | Named | Ref):
                values[name] = literal.value
        return values

    def column(self, name: str) -> list[Expected]:
        """The values of a parameter, case by case."""
        place = self.parameters.index(name)
        return [row.values[place] for row in self.rows]


def draft(index: int, test: SuiteTest, asserted: AssertedTest) -> Draft:
    """The draft of one test: assertions in place, definitions that nobody uses left out. Raises ValueError where an assertion
    looks at a variable that is not defined there."""
    lines: list[Line] = []
    known: set[Variable | None] = set()
    checks = list(asserted.assertions)
    for number, statement in enumerate(asserted.test.statements):
        lines.append(statement)
        known.add(defined(statement))
        while checks and checks[0].after <= number:
            after, observed, kind, expected = checks.pop(0)
            if observed.variable not in known:
                raise ValueError(f"an assertion after statement {after} looks at what is not there")
            lines.append(Check(observed.variable, observed.path, kind, expected))
    statements = needed_lines(lines, asserted.raised is not None)
    made = Draft((index,), test.subject, test.line, statements, asserted.raised, accident=test.accident, needed=not test.spare)
    given = made.given()
    true = [decision for decision in test.decisions if not is_contradicted(decision, given)]
    return replace(made, conditions=tuple(words for decision in true if (words := condition_words(decision))))


def subject_of(test: TestCase, module: str) -> str:
    """The qualified name of what ``test`` is about where no engine says so: the last callable of ``module`` that it calls, or of
    its package, or any; "" where it calls nothing."""
    callees = [one.callee for one in test.statements if isinstance(one, st.Call | st.MethodCall) and one.callee is not None]
    package = module.partition(".")[0]
    for near in (
        lambda callee: callee.module == module,
        lambda callee: callee.module.partition(".")[0] == package,
        lambda _: True,
    ):
        found = [callee.qualname for callee in callees if near(callee)]
        if found:
            return found[-1]
    return ""


def needed_lines(lines: Sequence[Line], raises: bool) -> tuple[Line, ...]:
    """Without definitions that nobody uses, and without what notes output or logs of which nothing is said; the last line is what
    is expected to raise, where something ``raises``."""
    said = {line.variable for line in lines if isinstance(line, Check)}
    lines = [
        line for line in lines if not (isinstance(line, st.Ambient) and line.place in st.CAPTURES and line.variable not in said)
    ]
    needed = Uses(tuple(cast(Sequence[Statement], lines))).needed
    last = len(lines) - 1
    return tuple(line for index, line in enumerate(lines) if needed[index] or (raises and index == last))
