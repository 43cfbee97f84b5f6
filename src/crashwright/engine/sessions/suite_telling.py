"""What the host is told of a test of a suite: what it is about, what it alone takes, what it is there for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from crashwright.core.location import CodeKey
from crashwright.core.suite import SuiteTest
from crashwright.engine.goals.coverage.catalogue import Catalogue
from crashwright.engine.goals.coverage.coverage import decision_of, one_sided
from crashwright.engine.search.suite.reduction import ReducedTest
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.source import ModuleSource
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.codec import encode
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.statements import Statement
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.typed import type_of
from crashwright.engine.testcase.variables import defined

MOST_DECISIONS = 4
"""Branches of a test that are told for its name."""


@dataclass(frozen=True, slots=True)
class SuiteTelling:
    """``lines`` are those of the callables under test, by address."""

    catalogue: Catalogue
    source: ModuleSource
    lines: Mapping[str, int]
    factory: Factory
    command: Callable[[TestCase], CodeKey | None]
    """The function behind the command that a test runs last."""

    def of(self, kept: ReducedTest, spare: bool = False, doubtful: bool = False, accident: bool = False) -> SuiteTest:
        """The message."""
        first = kept.goals[0]
        subject, line = self._subject(kept.test) or (first.qualname, first.line)
        source = self.source.text.split("\n")
        about = [goal for goal in kept.goals if goal.criterion == "branch" and is_visible(goal.qualname, subject)]
        branches = [goal.number for goal in about if one_sided(self.catalogue, goal.number, kept.covered)][:MOST_DECISIONS]
        found = (decision_of(self.catalogue, number, source) for number in branches)
        return SuiteTest(
            test=encode(kept.test),
            subject=subject,
            goals=tuple(goal.label for goal in kept.goals),
            line=line,
            spare=spare,
            doubtful=doubtful,
            accident=accident,
            decisions=tuple([decision for decision in found if decision is not None]),
        )

    def _subject(self, test: TestCase) -> tuple[str, int] | None:
        """The callable that the test is about, the last one under test that it calls or property that it reads: its qualified
        name and its line."""
        command = self.command(test)
        if command is not None:
            return command.qualname, command.first_line
        for index in range(len(test) - 1, -1, -1):
            callee = self._called(test, index)
            if callee is not None and callee.address in self.lines:
                return callee.qualname, self.lines[callee.address]
        return None

    def _called(self, test: TestCase, index: int) -> Callee | None:
        statement: Statement = test.statements[index]
        if isinstance(statement, st.Call | st.MethodCall | st.CallValue):
            return statement.callee
        if not isinstance(statement, st.GetAttribute):
            return None
        made = next((one for one in reversed(test.statements[:index]) if defined(one) == statement.receiver), None)
        cls = None if made is None else type_of(made, self.factory.observed)
        read = () if cls is None else self.factory.methods_of(cls)
        return next((one for one in read if one.kind is CalleeKind.PROPERTY and one.name == statement.name), None)


def is_visible(function: str, subject: str) -> bool:
    """Whether a decision of ``function`` says something of a test of ``subject``: it is made there, or in what is private and has
    no tests of its own. In another one its names mean other things."""
    inside = function == subject or function.startswith(f"{subject}.")
    return inside or any(part.startswith("_") and not part.endswith("__") for part in function.split("."))
