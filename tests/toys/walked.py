"""Crashes of small sources, and the preconditions that a walk back from them finds."""

from __future__ import annotations

import sys
import time
import types
from collections.abc import Sequence

from crashwright.core.location import CodeKey, Position
from crashwright.core.precondition import Precondition
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.symbolic.execution.limits import Limits
from crashwright.symbolic.execution.preconditions import preconditions
from crashwright.symbolic.execution.walk import Counts
from crashwright.symbolic.solving.solver import Solver
from crashwright.symbolic.solving.z3_terms import Language

MODULE = "walked_subject"
SECONDS = 20.0


def loaded(source: str) -> types.ModuleType:
    """The source as a module that nothing else knows."""
    module = types.ModuleType(MODULE)
    exec(compile(source, f"<{MODULE}>", "exec", dont_inherit=True), vars(module))
    return module


def target_of(error: BaseException) -> CrashTarget:
    """The frames of the source that an exception came through."""
    frames: list[TargetFrame] = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename == f"<{MODULE}>":
            line, end_line, column, end_column = list(code.co_positions())[trace.tb_lasti // 2]
            assert None not in (line, end_line, column, end_column)
            caret = Position(line or 0, column or 0, end_line or 0, end_column or 0)
            key = CodeKey(MODULE, code.co_qualname, code.co_firstlineno)
            frames.append(TargetFrame(key, code.co_filename, trace.tb_lineno, "", caret, True))
        trace = trace.tb_next
    message = repr(error.args[0]) if isinstance(error, KeyError) else str(error)
    return CrashTarget(MODULE, type(error).__name__, message, tuple(frames))


def walked(source: str, target: CrashTarget, *, necessary: bool = False, **limits: object) -> tuple[list[Precondition], Counts]:
    """What the walk tells, in its order."""
    found: list[Precondition] = []
    start = time.monotonic()
    counts = preconditions(
        target,
        {MODULE: source},
        sys.version_info[:2],
        Solver(Language(), time.monotonic),
        Limits(time.monotonic, start + SECONDS, **limits),  # type: ignore[arg-type]
        found.append,
        necessary=necessary,
    )
    return found, counts


def of_level(found: Sequence[Precondition], level: int) -> list[Precondition]:
    """Those for one frame."""
    return [one for one in found if one.level == level]
