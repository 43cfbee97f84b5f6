"""The search for preconditions as a job: what the host asks for, and what a child process does (``solving.child``)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from crashwright.core.codec import Undecodable, from_json, to_json
from crashwright.core.precondition import Precondition, WrittenPreconditions, read, written
from crashwright.core.target import CrashTarget
from crashwright.symbolic.execution.limits import Limits
from crashwright.symbolic.execution.preconditions import preconditions
from crashwright.symbolic.solving.child.job import End, Ending, Job
from crashwright.symbolic.solving.solver import Solver
from crashwright.symbolic.solving.z3_terms import Language

ENTRY: Final = f"{__name__}:find"
LEAST_TO_TELL: Final = 0.2
"""Seconds before its limit at which a walk ends by itself, and says what it took."""


@dataclass(frozen=True, slots=True)
class Question:
    """``sources``: texts of the modules that the frames are in, by module; ``version``: of the Python that crashed; ``seconds``:
    for all of it, the start of the process included."""

    target: CrashTarget
    sources: dict[str, str]
    version: tuple[int, int]
    seconds: float


@dataclass(frozen=True, slots=True)
class Effort:
    """What a walk took: ways to an entry, blocks passed over, alternatives left out, contradictions; checks and their seconds."""

    paths: int
    blocks: int
    left_out: int
    contradictions: int
    checks: int
    solving: float


def find(request: Any, tell: Callable[[object], None]) -> object:
    """In the child: tell of each precondition as it is found."""
    began = time.monotonic()
    question = from_json(Question, request)
    solver = Solver(Language(), time.monotonic)
    limits = Limits(time.monotonic, began + max(question.seconds - LEAST_TO_TELL, 0.0))
    counts = preconditions(
        question.target, question.sources, question.version, solver, limits, lambda one: tell(to_json(written([one])))
    )
    effort = solver.effort
    return to_json(Effort(counts.paths, counts.blocks, counts.left_out, counts.contradictions, effort.checks, effort.seconds))


class PreconditionSearch:
    """Use as a context manager: no process outlives it. Raises OSError where none can be started."""

    def __init__(self, question: Question, clock: Callable[[], float] = time.monotonic) -> None:
        self._job = Job(ENTRY, to_json(question), question.seconds, clock=clock)

    def __enter__(self) -> PreconditionSearch:
        return self

    def __exit__(self, *_: object) -> None:
        self._job.stop()

    def found(self) -> Iterator[Precondition]:
        """As they come, until the walk is over or its time is."""
        for message in self._job.told():
            yield from read(from_json(WrittenPreconditions, message))

    @property
    def ending(self) -> tuple[Effort | None, str]:
        """What it took; and why there is no more, "" where it came to its end."""
        ending = self._job.ending or Ending(End.STOPPED)
        if ending.end is not End.FINISHED:
            return None, ending.reason or ending.end.value
        try:
            return from_json(Effort, ending.result), ""
        except Undecodable as error:
            return None, str(error)
