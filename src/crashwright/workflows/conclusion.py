"""From a finished hunt to the result: the verdict, what is missing, and what to try next."""

from __future__ import annotations

from crashwright.core.errors import ExitCode
from crashwright.crash.resolve import ResolvedCrash
from crashwright.finishing.finisher import FinishedTest
from crashwright.workflows.deadline import Deadline
from crashwright.workflows.hunt import Hunt
from crashwright.workflows.request import Request
from crashwright.workflows.result import PrintedResult, Result, Timing


def conclude(
    request: Request, resolved: ResolvedCrash, subject: str, python: str, hunt: Hunt, deadline: Deadline, interrupted: bool
) -> Result:
    """The result of ``hunt``, nothing written yet."""
    progress = hunt.progress
    verdict = _verdict(hunt, interrupted)
    test = _printed(hunt.best, hunt) if hunt.best is not None and hunt.best.level > 0 else None
    reached = max(
        progress.frames if progress else 0, max((found.frames for found in hunt.candidates), default=0), test.frames if test else 0
    )
    return Result(
        exit_code=verdict,
        target=resolved.target,
        subject=subject,
        python=python,
        seed=request.search.seed,
        evaluations=hunt.evaluations,
        timing=Timing(round(hunt.search_seconds, 3), round(deadline.elapsed(), 3)),
        frames_total=len(resolved.target.package_frames),
        frames_reached=reached,
        frames_in_report=len(resolved.target.package_frames) + resolved.target.frames_beyond,
        distance=min([found.distance for found in hunt.candidates] + ([progress.distance] if progress else []), default=-1.0),
        test=test,
        entry=hunt.ready.entry if hunt.ready else "",
        furthest=progress.furthest if progress else "",
        hints=hunt.hints,
        advice=() if verdict is ExitCode.REPRODUCED else _advice(request, hunt, len(resolved.target.package_frames)),
        notes=tuple(dict.fromkeys((*resolved.notes, *(hunt.ready.notes if hunt.ready else ())))),
        skipped=tuple(f"{one.frame.path}:{one.frame.line} in {one.frame.function}: {one.reason}" for one in resolved.skipped),
        incidents=tuple(dict.fromkeys(hunt.incidents)),
        rejected=tuple(dict.fromkeys(hunt.rejected)),
        interpreter=request.asked_python,
        import_path=tuple(dict.fromkeys((*request.path, *resolved.extra_path))),
        command=request.command,
    )


def _verdict(hunt: Hunt, interrupted: bool) -> ExitCode:
    if hunt.reproduced:
        return ExitCode.REPRODUCED
    if interrupted:
        return ExitCode.INTERRUPTED
    if hunt.best is not None and hunt.best.level >= 1:
        return ExitCode.PARTIAL
    return ExitCode.NOT_FOUND


def _printed(best: FinishedTest, hunt: Hunt) -> PrintedResult:
    found = best.verification.agreement
    sizes = [_size(candidate.test) for candidate in hunt.candidates if candidate.level == best.found.level]
    return PrintedResult(
        text=best.text,
        file="",
        level=best.level,
        levels=best.verification.levels,
        runner=best.verification.runner,
        frames=found.frames,
        missing=""
        if best.reproduces
        else "; ".join(best.legality.forbidden) or best.verification.missing or "the fresh runs differ",
        legality=best.legality.text,
        legal=best.legality.text == "legal",
        statements=best.statements,
        statements_found=max([best.statements, *sizes]),
        origin=best.found.origin,
        near_miss=found.near_miss,
        chain=found.chain,
    )


def _size(test: dict[str, object]) -> int:
    statements = test.get("statements", ())
    return len(statements) if isinstance(statements, (list, tuple)) else 0


def _advice(request: Request, hunt: Hunt, frames: int) -> tuple[str, ...]:
    """What to try next, most promising first."""
    advice = []
    if request.budget.seconds is not None:
        advice.append(f"more time: --budget {request.budget.seconds * 5:g}")
    elif request.budget.evaluations is not None:
        advice.append(f"more tests: --evaluations {request.budget.evaluations * 5}")
    advice.append(f"another start: --seed {request.search.seed + 1}")
    if frames > 1:
        advice.append(f"fewer frames: --frame {frames - 1} starts one call nearer to the crash")
    if hunt.best is not None and hunt.best.level > 0 and not request.keep_best:
        advice.append("the best partial test as a file: --keep-best")
    return tuple(advice)
