"""Asks a program of the user's for candidates: at the start, and where the search stands still. What it answers is recorded, so
that another run can be given the same at the same places."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from crashwright.core.messages import BestTests, CandidateTried, Progress, Suggestions
from crashwright.core.suggested import SuggestedCode
from crashwright.crash.suggested import CandidateText, suggested_code
from crashwright.supervision.asked_program import ProgramAnswer
from crashwright.workflows.deadline import Clock

CALLS = 3
STANDSTILL_SECONDS, STANDSTILL_TESTS = 3.0, 500
"""Without progress for so long, and so many tests, it is asked again."""
LONGEST_CALL = 120.0
_MOST_ANSWERS = 50


class RunningProgram(Protocol):
    """A running program: ``supervision.asked_program.AskedProgram``."""

    def poll(self) -> ProgramAnswer | None:
        """Its answer, once there is one."""

    def end(self) -> None:
        """End it, now."""


Ask = Callable[[str, float], RunningProgram]
"""Starts the program with a question, for so many seconds at most; OSError where that is not possible."""
StartProgram = Callable[[list[str], str, float], RunningProgram]
"""As :data:`Ask`, any command."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What was answered while the engine ``engine`` (counted from 1) of a run searched; ``code.at``: when that took it in."""

    code: SuggestedCode
    engine: int


@dataclass(slots=True)
class Suggesting:
    """Of one search. ``question`` makes the document from the number of the call, where the search stands, and its best tests;
    ``tell`` hears what the user should know, in words that have passed ``sift``; ``learn`` is told of the code that is answered.
    Each of ``known`` was answered to an earlier run, and is tried at the same place again."""

    ask: Ask | None
    question: Callable[[int, Progress | None, tuple[dict[str, Any], ...]], str]
    tell: Callable[[str], None]
    sift: Callable[[str], str]
    clock: Clock
    calls: int = CALLS
    known: tuple[Suggestion, ...] = ()
    learn: Callable[[str], None] = lambda _source: None
    answered: dict[str, Suggestion] = field(default_factory=dict)
    _engine: int = 0
    _asked: int = 0
    _running: RunningProgram | None = None
    _progress: Progress | None = None
    _best: tuple[dict[str, Any], ...] = ()
    _since: tuple[float, int] = (0.0, 0)
    _nearest: tuple[int, float] | None = None

    @property
    def may_ask(self) -> bool:
        """Candidates may come in the course of the search."""
        return self.ask is not None and self.calls > 0

    def for_engine(self) -> tuple[SuggestedCode, ...]:
        """What an engine that is about to start is given: all that was answered before, and of what an earlier run was answered
        meanwhile when that took it in."""
        self._engine += 1
        before = [*self.answered.values(), *(one for one in self.known if one.engine < self._engine)]
        meanwhile = [one.code for one in self.known if one.engine == self._engine]
        return (*(replace(one.code, at=0) for one in before), *meanwhile)

    def hear(self, message: Progress | BestTests | CandidateTried) -> None:
        """What the search tells of itself."""
        if isinstance(message, BestTests):
            self._best = message.tests
        elif isinstance(message, CandidateTried):
            known = self.answered.get(message.name)
            if known is not None and known.engine == self._engine:
                self.answered[message.name] = replace(known, code=replace(known.code, at=message.at))
        else:
            self._progress = message
            nearest = -message.frames, message.distance
            if self._nearest is None or nearest < self._nearest:
                self._nearest, self._since = nearest, (self.clock(), message.evaluations)

    def news(self) -> Suggestions | None:
        """What has been answered since; the program is asked where it is time for that."""
        if self._running is None:
            if self.may_ask and self._asked < self.calls and self._is_time:
                self._begin()
            return None
        answer = self._running.poll()
        if answer is None:
            return None
        self._running = None
        self._since = self.clock(), 0 if self._progress is None else self._progress.evaluations
        code = self._read(answer)
        self.answered.update((one.name, Suggestion(one, self._engine)) for one in code)
        return Suggestions(tuple(code)) if code else None

    def end(self) -> None:
        """Nothing is waited for any more, and nothing is left running."""
        if self._running is not None:
            self._running.end()
            self._running = None

    @property
    def _is_time(self) -> bool:
        if not self._asked:
            return True
        seconds, evaluations = self._since
        tests = 0 if self._progress is None else self._progress.evaluations - evaluations
        return self.clock() - seconds >= STANDSTILL_SECONDS and tests >= STANDSTILL_TESTS

    def _begin(self) -> None:
        assert self.ask is not None
        self._asked += 1
        try:
            self._running = self.ask(self.question(self._asked, self._progress, self._best), LONGEST_CALL)
        except OSError as error:
            self.tell(f"the suggesting program cannot be started: {error.strerror}")
            self.calls = 0

    def _read(self, answer: ProgramAnswer) -> list[SuggestedCode]:
        """The candidates of an answer, and a line on what is wrong with it."""
        call = f"suggestion {self._asked}"
        lines = [line for line in answer.text.splitlines() if line.strip()]
        told = [code for line in lines if (code := _code(line))]
        problems = [answer.problem] if answer.problem else []
        if len(told) < len(lines):
            problems.append(f"{len(lines) - len(told)} of {len(lines)} lines of its answer are not candidates")
        elif not lines and not answer.problem:
            problems.append("it answered nothing")
        over = len(told) - _MOST_ANSWERS
        if over > 0:
            problems.append(f"{over} candidates beyond the first {_MOST_ANSWERS} are left out")
        given = [CandidateText(f"{call}.{n}", code) for n, code in enumerate(told[:_MOST_ANSWERS], 1)]
        found = suggested_code(given)
        for one in found.code:
            self.learn(one.source)
        problems += found.problems[:3]
        for problem in problems:
            self.tell(self.sift(f"the suggesting program, call {self._asked}: {problem}"))
        return list(found.code)


def _code(line: str) -> str:
    try:
        data = json.loads(line)
    except ValueError:
        return ""
    code = data.get("code") if isinstance(data, dict) else data
    return code if isinstance(code, str) and code.strip() else ""


def recorded(answered: Iterable[Suggestion], sift: Callable[[str], str] = str) -> str:
    """The answers of a run, a line each, with the engine that took them in, and the number of its tests by then. Their code passes
    ``sift``: it is stored."""
    return "".join(
        json.dumps({"name": one.code.name, "code": sift(one.code.source), "engine": one.engine, "at": one.code.at}) + "\n"
        for one in answered
        if one.code.at > 0
    )


def read_recorded(text: str) -> tuple[Suggestion, ...]:
    """What :func:`recorded` wrote. ValueError where it is something else."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            data = json.loads(line)
            code = SuggestedCode(str(data["name"]), str(data["code"]), int(data["at"]))
            found.append(Suggestion(code, int(data["engine"])))
        except (ValueError, TypeError, KeyError) as error:
            raise ValueError(f"line {number} is not a stored suggestion") from error
    return tuple(found)
