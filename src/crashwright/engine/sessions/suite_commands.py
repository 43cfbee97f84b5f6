"""The commands of a module's programs in the search for its suite: they are run by words, and not called as the functions that are
behind them."""

from __future__ import annotations

from collections.abc import Sequence

from crashwright.core.location import CodeKey
from crashwright.engine.frameworks.click_runner import LETTING_THROUGH, RunProgram
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import INVOKE, Display
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import used


class SuiteCommands:
    """Of one module."""

    def __init__(self, programs: Sequence[RunProgram], api: ApiModel) -> None:
        self._programs = programs
        self._keys = {key for program in programs for command in program.commands for key in command.keys}
        self._api = api
        self._behind: dict[Callee, bool] = {}

    def without(self, callables: Sequence[Callee]) -> tuple[Callee, ...]:
        """The callables that are no function behind a command."""
        return tuple(one for one in callables if not self._is_behind(one))

    def bypassed(self, test: TestCase) -> bool:
        """Whether a test calls a function behind a command itself, or runs one with what is no text."""
        if not self._keys:
            return False
        calls = [one for one in test.statements if isinstance(one, st.Call | st.MethodCall)]
        words = {one.arguments.positional[1] for one in calls if _runs(one)}
        return any(one.callee is not None and self._is_behind(one.callee) for one in calls) or any(
            isinstance(one, st.Literal) and one.variable in words and not _are_texts(one.value) for one in test.statements
        )

    def keeping_errors(self, test: TestCase, raised: bool) -> TestCase | None:
        """``test`` with runners that keep errors to themselves, as they do if nobody says otherwise, but for the last run of a test
        that ``raised``; None if there is nothing to change."""
        through = {one.variable for one in test.statements if isinstance(one, st.Literal) and one.value is False}
        changed = list(test.statements)
        for place, one in enumerate(changed[: len(changed) - raised]):
            if isinstance(one, st.MethodCall) and one.name == INVOKE:
                kept = tuple(pair for pair in one.arguments.keywords if pair[0] != LETTING_THROUGH or pair[1] not in through)
                changed[place] = one._replace(arguments=one.arguments._replace(keywords=kept))
        needed = {variable for one in changed for variable in used(one)}
        left = [one for one in changed if not isinstance(one, st.Literal) or one.variable not in through or one.variable in needed]
        return TestCase(tuple(left)) if len(left) < len(test) else None

    def run_by(self, test: TestCase) -> CodeKey | None:
        """The function behind the command that a test runs last; None where it runs none."""
        for one in reversed(test.statements):
            if isinstance(one, st.MethodCall) and _runs(one):
                made = {line[0]: line for line in test.statements if isinstance(line, st.Reference | st.Literal)}
                program, words = (made.get(given) for given in one.arguments.positional[:2])
                if isinstance(program, st.Reference) and isinstance(words, st.Literal) and isinstance(words.value, Display):
                    return self._key(program, words.value)
        return None

    def _key(self, program: st.Reference, words: Display) -> CodeKey | None:
        for one in self._programs:
            if one.program == program.named:
                command = one.command_of(words.items)
                return command.keys[-1] if command is not None and command.keys else None
        return None

    def _is_behind(self, callee: Callee) -> bool:
        if callee not in self._behind:
            self._behind[callee] = not self._keys.isdisjoint(self._api.keys_of(callee))
        return self._behind[callee]


def _runs(call: st.Call | st.MethodCall) -> bool:
    return isinstance(call, st.MethodCall) and call.name == INVOKE and len(call.arguments.positional) > 1


def _are_texts(value: st.Value) -> bool:
    return isinstance(value, Display) and value.kind == "list" and all(type(one) is str for one in value.items)
