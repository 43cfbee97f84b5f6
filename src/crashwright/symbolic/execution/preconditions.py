"""The preconditions of a crash: its target and the sources of its frames in, conditions for each level out (STAR, section 3.3)."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from crashwright.core.precondition import Precondition
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.core.terms import Term
from crashwright.symbolic.execution.limits import Limits, OutOfTime
from crashwright.symbolic.execution.possible_writes import PossibleWrites
from crashwright.symbolic.execution.sources import SourceProgram
from crashwright.symbolic.execution.trace import BranchTarget, CrashTrace, SourceFacts, TraceFrame, TraceWalk
from crashwright.symbolic.execution.walk import Core, Counts, Walk
from crashwright.symbolic.execution.wide_walk import WideWalk
from crashwright.symbolic.semantics.path import Path
from crashwright.symbolic.solving.solver import Solver, SolverVerdict

_STACK = 256 << 20
"""Bytes: the walk goes as deep as the way back is long."""
_DEEPEST = 60_000
_SECONDS_WIDE: Final = 4.0
_STEPS_WIDE: Final = 400
"""What the walk over all ways at once may take, and no more than a third of what is left."""


def preconditions(
    target: CrashTarget,
    sources: Mapping[str, str],
    version: tuple[int, int],
    solver: Solver,
    limits: Limits,
    told: Callable[[Precondition], None],
    *,
    necessary: bool = False,
) -> Counts:
    """Find preconditions, and tell of each at once; first what is ``necessary`` for the crash, where that is wanted too.
    ``sources``: texts by module; ``version``: of the Python that crashed.

    Returns what it took. Raises SyntaxError for a source that is none in this Python, and LookupError for one without the
    function that crashed.
    """
    program = SourceProgram(sources, version)
    known = tuple(_frames(program, target.package_frames))
    if target.package_frames and not known:
        key = target.package_frames[-1].key
        raise LookupError(f"{key.module}:{key.qualname} is not in the source that is installed: another one crashed")
    path = Path(solver)
    walk = Walk(path, program, limits, lambda: _core(solver, limits))
    if known:
        crash = CrashTrace(target.exception, target.message, known)
        facts = _facts(program)
        may_hold = partial(_may_hold, solver.beside(), limits)
        if necessary:
            beside = solver.beside()
            wide = WideWalk(
                Path(beside, is_wide=True),
                program,
                limits.within(min(_SECONDS_WIDE, limits.left / 3), _STEPS_WIDE),
                lambda: _core(beside, limits),
                PossibleWrites(program).at,
            )
            with_room(TraceWalk(wide, crash, facts, may_hold, told).run)
        with_room(TraceWalk(walk, crash, facts, may_hold, told).run)
    return walk.counts


def ways_to(
    branch: BranchTarget, program: SourceProgram, solver: Solver, limits: Limits, told: Callable[[Precondition], None]
) -> None:
    """The same for an outcome of a condition, in a program that is read already, on the stack that there is. Raises OutOfTime."""
    walk = Walk(Path(solver), program, limits, lambda: _core(solver, limits))
    may_hold = partial(_may_hold, solver.beside(), limits)
    TraceWalk(walk, branch, _facts(program), may_hold, told).run()


def _facts(program: SourceProgram) -> SourceFacts:
    return SourceFacts(program.classes_named, program.is_import, program.made)


def _frames(program: SourceProgram, frames: Sequence[TargetFrame]) -> Iterator[TraceFrame]:
    """From the crash outwards, as far as the source is known. A comprehension is written out where it stands: its frame and that of
    the function about it are one, at the place of the inner one."""
    inner: TraceFrame | None = None
    for level, frame in enumerate(reversed(frames), 1):
        function = program.holder(frame.key)
        if function is None:
            break
        if inner is not None and inner.function is function:
            inner = inner._replace(level=level)
        else:
            if inner is not None:
                yield inner
            inner = TraceFrame(function, frame.line, frame.caret, function.class_name, level)
        if not frame.key.name.startswith("<") or frame.key.name == "<lambda>":
            yield inner
            inner = None
    if inner is not None:
        yield inner


def _core(solver: Solver, limits: Limits) -> Core | None:
    answer = solver.check_roughly(limits.for_check)
    return frozenset(map(str, answer.core)) if answer.verdict is SolverVerdict.CONTRADICTION else None


def _may_hold(solver: Solver, limits: Limits, terms: Sequence[Term]) -> bool:
    limits.spend()
    solver.push()
    try:
        for one in terms:
            solver.add(one)
        return solver.check(limits.for_check).possible
    finally:
        solver.pop()


def with_room(run: Callable[[], None]) -> None:
    """On a stack of its own, which is large. What it raises is raised here, but for the end of its time."""
    raised: list[BaseException] = []

    def inside() -> None:
        try:
            run()
        except OutOfTime:
            return
        except BaseException as error:  # noqa: BLE001  # raised again below, in the thread that asked
            raised.append(error)

    before, size = sys.getrecursionlimit(), threading.stack_size(_STACK)
    sys.setrecursionlimit(_DEEPEST)
    try:
        thread = threading.Thread(target=inside)
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(before)
        threading.stack_size(size)
    if raised:
        raise raised[0]
