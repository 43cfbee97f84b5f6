"""The search for preconditions as a job: what the host asks for, and what a child process does (``solving.child``)."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from crashwright.core.codec import from_json, to_json
from crashwright.core.precondition import Precondition, WrittenPreconditions, read, written
from crashwright.core.target import CrashTarget
from crashwright.symbolic.execution.limits import ALL, Limits, Optimisations
from crashwright.symbolic.execution.preconditions import preconditions
from crashwright.symbolic.solving.child.job import Job
from crashwright.symbolic.solving.child.telling import Telling
from crashwright.symbolic.solving.solver import Solver
from crashwright.symbolic.solving.z3_terms import Language

ENTRY: Final = f"{__name__}:find"
STEPS: Final = 1000
RESOURCES, RESOURCES_EACH = 6_000_000, 500_000
"""What bounds a walk that is to repeat exactly, all of its checks and each of them: about ten seconds."""
NICENESS: Final = 5
"""It stands behind the engines that search."""
LEAST_TO_TELL: Final = 0.5
"""Seconds before its limit at which a walk ends by itself, and says what it took."""


@dataclass(frozen=True, slots=True)
class Question:
    """``sources``: texts of the modules that the frames are in, by module; ``version``: of the Python that crashed; ``seconds``:
    for all of it, the start of the process included. ``exact``: the walk is bounded by counts, so that it repeats, unless the
    seconds do not suffice. ``necessary``: what all ways have in common is asked for too. ``use``: what makes the walk shorter, to
    see what it brings."""

    target: CrashTarget
    sources: dict[str, str]
    version: tuple[int, int]
    seconds: float
    exact: bool = False
    necessary: bool = False
    use: Optimisations = ALL
    asked_at: float = 0.0
    """The host's time of day, so that the child knows how much of its time its start took."""


@dataclass(frozen=True, slots=True)
class WalkEffort:
    """What a walk took: ways to an entry, instructions, calls gone into, blocks come to, and passed over, times round a loop,
    accesses to attributes and to places of containers, alternatives left out, contradictions; checks and their seconds."""

    paths: int
    steps: int
    calls: int
    blocks: int
    passed: int
    loops: int
    fields: int
    arrays: int
    left_out: int
    contradictions: int
    checks: int
    solving: float


def find(request: Any, tell: Callable[[object], None]) -> object:
    """In the child: tell of each precondition as it is found."""
    question = from_json(Question, request)
    began = time.monotonic() - min(max(time.time() - question.asked_at, 0.0), question.seconds)
    solver = Solver(Language(), time.monotonic, RESOURCES_EACH if question.exact else None)
    until = began + max(question.seconds - LEAST_TO_TELL, 0.0)
    limits = Limits(time.monotonic, until, use=question.use)
    if question.exact:
        limits.until = math.inf  # where that does not suffice it is killed, and the host says so
        limits.steps, limits.is_spent = STEPS, lambda: solver.effort.resources > RESOURCES
    counts = preconditions(
        question.target,
        question.sources,
        question.version,
        solver,
        limits,
        lambda one: tell(to_json(written([one]))),
        necessary=question.necessary,
    )
    effort = solver.effort
    return to_json(
        WalkEffort(
            paths=counts.paths,
            steps=counts.steps,
            calls=counts.calls,
            blocks=counts.blocks,
            passed=counts.passed,
            loops=counts.loops,
            fields=counts.fields,
            arrays=counts.arrays,
            left_out=counts.left_out,
            contradictions=counts.contradictions,
            checks=effort.checks,
            solving=effort.seconds,
        )
    )


class PreconditionSearch(Telling[Precondition, WalkEffort]):
    """The walk in a child process. Raises OSError where none can be started."""

    def __init__(self, question: Question, clock: Callable[[], float] = time.monotonic) -> None:
        request = to_json(replace(question, asked_at=time.time()))
        job = Job(ENTRY, request, question.seconds, clock=clock, niceness=NICENESS)
        super().__init__(job, lambda message: read(from_json(WrittenPreconditions, message)), WalkEffort, question.exact)
