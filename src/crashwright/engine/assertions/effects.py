"""What a call of a test did, told by a run without it: what is not true then is what the call did.

A suite's assertions are chosen by the mutants that they kill, and a mutant stands for one slip in one place. That a call does
anything at all is worth saying too: ``repository.remove(1)`` is followed by ``assert repository.list() == []`` because without
the call that would not hold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from crashwright.engine.assertions.assertion import Assertion
from crashwright.engine.assertions.cases import Case
from crashwright.engine.assertions.checking import Checked, Checker, with_checks
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Ref
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import defined, used

_ACTIONS = (st.Call, st.MethodCall, st.CallValue, st.SetAttribute, st.SetItem, st.DeleteItem, st.DeleteAttribute)
_MARK = -2
"""Tells these runs from those under mutants."""


class Effects:
    """``quarantine`` holds the keys of tests that once ended the process."""

    def __init__(self, checker: Checker, quarantine: Collection[int]) -> None:
        self._checker = checker
        self._quarantine = quarantine

    def of(self, case: Case) -> Mapping[int, list[int]]:
        """By the index of a call that no later statement needs, the numbers of the assertions that do not hold without it; only
        calls without which the rest of the test runs as before, and something differs. Raises Spoiled."""
        found = {}
        for index in _not_needed(case.test):
            failing = self._without(case, index)
            if failing:
                found[index] = failing
        return found

    def _without(self, case: Case, index: int) -> list[int]:
        rest = TestCase((*case.test.statements[:index], *case.test.statements[index + 1 :]))
        own = defined(case.test.statements[index])
        numbers, shifted, failing = [], [], []
        for number, one in enumerate(case.assertions):
            if own is not None and (one.observed.variable == own or one.expected == Ref(own)):
                failing.append(number)  # there would be nothing to look at
            elif one.after >= max(index, 1):
                numbers.append(number)
                shifted.append(one._replace(after=one.after - 1))
        checked = self._checked(rest, tuple(shifted))
        if checked is None or (checked.error, checked.executed) != (
            case.error if case.raised else "",
            len(rest) - bool(case.raised),
        ):
            return []  # that it was made shows in how the test goes on
        failing += [number for number, is_true in zip(numbers, checked.held, strict=True) if is_true is False]
        return sorted(failing)

    def _checked(self, test: TestCase, assertions: tuple[Assertion, ...]) -> Checked | None:
        prepared = with_checks(test, assertions, _MARK)
        if not test.statements or prepared.key() in self._quarantine:
            return None
        return self._checker.check_prepared(prepared, assertions)


def _not_needed(test: TestCase) -> Iterator[int]:
    """The calls whose results nobody uses: what they are for shows elsewhere, or in the result itself."""
    needed = {variable for statement in test.statements for variable in used(statement)}
    for index, statement in enumerate(test.statements):
        if isinstance(statement, _ACTIONS) and defined(statement) not in needed:
            yield index
