"""How to assert an exception: its nearest public class, and as much of its message as is the same everywhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from crashwright.engine.assertions.assertion import Raised
from crashwright.engine.assertions.values import Present, ValueNames
from crashwright.engine.execution.executor import Executor, release
from crashwright.engine.execution.handlers import Environment
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.subject.introspection import class_qualname, derives, identities
from crashwright.engine.testcase.testcase import TestCase

SHORTEST = 8
"""Characters of a message that was cut that still say something."""
LONGEST = 160
_UNSTABLE = re.compile(r"\b0x[0-9a-fA-F]{6,}|\bat 0x|\bid=\d{9,}")
_VAGUE = identities(RecursionError, MemoryError, UnicodeError)


Judge = Callable[[TestCase, Outcome], bool]
"""Whether a run of a test ended by an accident (``search.suite.accidents``)."""


def no_accident(_test: TestCase, _outcome: Outcome) -> bool:
    """For who does not mind."""
    return False


def meant_always(_test: TestCase, _outcome: Outcome) -> bool:
    """For who does not ask."""
    return True


class _Say(NamedTuple):
    """A statement of ours: ask an exception for its message."""

    number: int = 0


class RaisedMessages:
    """Asks exceptions for their message as a test does: under the clock, since the subject may define ``__str__``."""

    def __init__(self, executor: Executor, present: Present, quarantine: Collection[int] = ()) -> None:
        self._executor = executor
        self._present = present
        self._question = TestCase((_Say(),))  # type: ignore[arg-type]
        self._silent = self._question.key() in quarantine

    def of(self, error: BaseException) -> str | None:
        """The stable beginning of the message; None where there is none. Raises Spoiled."""
        told: list[str] = []
        if self._silent:
            return None  # a ``__str__`` has ended the process

        def say(_env: Environment, _statement: Any) -> None:
            text = str(error)
            if type(text) is str:
                told.append(text)

        outcome = self._executor.run_with(self._question, {_Say: say}, keep=True)  # the test's own end put everything back
        release(outcome)
        return self._stable(told[0]) if told and outcome.error is None else None

    def _stable(self, text: str) -> str | None:
        line = text.splitlines()[0] if text.strip() else ""
        cut = line != text
        found = _UNSTABLE.search(line)
        if found:
            line, cut = line[: found.start()], True
        if len(line) > LONGEST:
            line, cut = line[:LONGEST].rpartition(" ")[0] or line[:LONGEST], True
        if self._present.shows_in(line):
            return None
        return line.strip() or None if not cut or len(line.strip()) >= SHORTEST else None


def raised_by(error: BaseException, names: ValueNames, wording: RaisedMessages) -> tuple[str, Raised | None, bool]:
    """The class's name, how to assert the exception (None where that cannot be), and whether confinement made it."""
    cls = type(error)
    name = class_qualname(cls)
    if derives(cls, MemoryError):
        return name, None, True  # of our limit
    if cls is PermissionError and (error.errno is not None or "crashwright" in str(error.args)):  # type: ignore[attr-defined]
        return name, None, True
    exception = names.nearest(cls)
    if exception is None:
        return name, None, False
    return name, Raised(exception, None if id(cls) in _VAGUE else wording.of(error)), False


def common_message(one: str | None, other: str | None) -> str | None:
    """The beginning of two messages of the same exception that both have; None where that says too little."""
    if one is None or other is None:
        return None
    if one == other:
        return one
    size = next((index for index, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    shared = one[:size].rpartition(" ")[0].strip()
    return shared if len(shared) >= SHORTEST else None
