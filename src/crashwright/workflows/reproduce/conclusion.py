"""From a finished hunt to the result: the verdict, what is missing, and what to try next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from crashwright.core.errors import ExitCode
from crashwright.core.messages import Confined, EndReason
from crashwright.core.target import CrashTarget
from crashwright.crash.resolve import ResolvedCrash
from crashwright.engine.sources.values.origin import COMPOSED, EARLIER
from crashwright.finishing.crash.finisher import FinishedTest
from crashwright.finishing.naming import function_name
from crashwright.workflows.deadline import Deadline
from crashwright.workflows.reproduce.hunt import Hunt
from crashwright.workflows.reproduce.inwards import InnerSearch
from crashwright.workflows.reproduce.request import Request
from crashwright.workflows.reproduce.result import InnerResult, PrintedResult, Result, Timing, only_from

PARTLY = 2
"""The level of a test of fewer frames: the right line and message."""


def conclude(
    request: Request,
    resolved: ResolvedCrash,
    subject: str,
    python: str,
    hunt: Hunt,
    deadline: Deadline,
    interrupted: bool,
    inwards: Sequence[InnerSearch] = (),
) -> Result:
    """The result of ``hunt``, and of the searches further in that followed it; nothing written yet."""
    progress = hunt.progress
    hunts = [hunt, *(one.hunt for one in inwards)]
    verdict = _verdict(hunt, interrupted, inwards)
    inner = _found_inside(inwards)
    test = _printed(hunt.best, hunt) if hunt.best is not None and hunt.best.level > 0 else None
    if inner is not None:
        test = _printed_inside(inner, resolved.target)
    entered = [] if inner is not None else [test.frames if test else 0]
    reached = max(progress.frames if progress else 0, max((found.frames for found in hunt.candidates), default=0), *entered)
    return Result(
        exit_code=verdict,
        target=resolved.target,
        subject=subject,
        python=python,
        seed=request.search.seed,
        engine=request.search.engine,
        evaluations=sum(one.evaluations for one in hunts),
        timing=Timing(round(sum(one.search_seconds for one in hunts), 3), round(deadline.elapsed(), 3)),
        frames_total=len(resolved.target.package_frames),
        frames_reached=reached,
        frames_in_report=len(resolved.target.package_frames) + resolved.target.frames_beyond,
        distance=min([found.distance for found in hunt.candidates] + ([progress.distance] if progress else []), default=-1.0),
        test=test,
        entry=hunt.ready.entry if hunt.ready else "",
        furthest=progress.furthest if progress else "",
        hints=hunt.hints,
        advice=() if verdict is ExitCode.SUCCESS else _advice(request, hunt, len(resolved.target.package_frames), inwards),
        notes=tuple(dict.fromkeys(resolved.notes)),
        confined=hunt.ready.confined if hunt.ready else Confined(),
        probes=hunt.ready.probes if hunt.ready else "",
        skipped=tuple(f"{one.frame.path}:{one.frame.line} in {one.frame.function}: {one.reason}" for one in resolved.skipped),
        incidents=tuple(dict.fromkeys(text for one in hunts for text in one.incidents)),
        rejected=tuple(dict.fromkeys(text for one in hunts for text in one.rejected)),
        candidates=tuple(hunt.tried.values()),
        interpreter=request.asked_python,
        import_path=tuple(dict.fromkeys((*request.path, *resolved.extra_path))),
        command=request.command,
        inwards=tuple(map(_inside, inwards)),
    )


def best_of(hunt: Hunt, inwards: Sequence[InnerSearch]) -> FinishedTest | None:
    """The test to keep: one that reproduces the crash from a frame further in is the best partial one."""
    inner = _found_inside(inwards)
    return hunt.best if inner is None else inner.hunt.best


def _found_inside(inwards: Sequence[InnerSearch]) -> InnerSearch | None:
    return next((one for one in inwards if one.hunt.reproduced), None)


def _printed_inside(inner: InnerSearch, target: CrashTarget) -> PrintedResult | None:
    """As judged by the frames of ``target``: the right line and message, but not all frames."""
    if inner.hunt.best is None:
        return None
    test = _printed(inner.hunt.best, inner.hunt)
    outer = len(target.package_frames)
    missing = only_from(inner.name, inner.frame, function_name(target.package_frames[0]), outer)
    levels = tuple(min(PARTLY, one) for one in test.levels)
    origin = f"a test of the search from {function_name(target.package_frames[0])}" if test.origin == EARLIER else test.origin
    return replace(test, level=PARTLY, levels=levels, missing=missing, frame=inner.frame, origin=origin)


def _inside(one: InnerSearch) -> InnerResult:
    hunt, progress = one.hunt, one.hunt.progress
    reached = max(progress.frames if progress else 0, max((found.frames for found in hunt.candidates), default=0))
    missing = hunt.rejected[-1] if hunt.rejected and not hunt.reproduced else ""
    return InnerResult(
        frame=one.frame,
        name=one.name,
        reproduced=hunt.reproduced,
        frames_reached=reached,
        evaluations=hunt.evaluations,
        seconds=round(hunt.search_seconds, 3),
        missing=missing,
        problem=one.problem,
    )


def _verdict(hunt: Hunt, interrupted: bool, inwards: Sequence[InnerSearch]) -> ExitCode:
    if hunt.reproduced:
        return ExitCode.SUCCESS
    if interrupted:
        return ExitCode.INTERRUPTED
    if _found_inside(inwards) is not None or (hunt.best is not None and hunt.best.level >= 1):
        return ExitCode.PARTIAL
    return ExitCode.NOT_FOUND


def _printed(best: FinishedTest, hunt: Hunt) -> PrintedResult:
    found = best.verification.agreement
    sizes = [_size(candidate.test) for candidate in hunt.candidates if candidate.level == best.found.level]
    return PrintedResult(
        text=best.text,
        file="",
        level=best.level,
        levels=tuple(min(best.level, one) for one in best.verification.levels)
        if best.legality.forbidden
        else best.verification.levels,
        runner=best.verification.runner,
        frames=found.frames,
        missing=""
        if best.reproduces
        else "; ".join(best.legality.forbidden) or best.verification.missing or "the fresh runs disagree",
        legality=best.legality.text,
        legal=best.legality.text == "legal",
        statements=best.statements,
        statements_found=max([best.statements, *sizes]),
        origin=best.found.origin,
        engine="symbolic" if best.found.origin == COMPOSED else "search",
        near_miss=found.near_miss,
        wording=found.wording,
        chain=found.chain,
        after_fix=best.after,
        name=best.file_name,
    )


def _size(test: dict[str, object]) -> int:
    statements = test.get("statements", ())
    return len(statements) if isinstance(statements, (list, tuple)) else 0


def _advice(request: Request, hunt: Hunt, frames: int, inwards: Sequence[InnerSearch]) -> tuple[str, ...]:
    """What to try next, most promising first; only what can help."""
    advice = [f"allow what was refused, if you trust the code: --allow {one}" for one in hunt.allowances]
    # What is refused to every test stays so. A module is imported once, and that is all there is to it.
    if hunt.refused and not hunt.allowances:
        advice.append("redirect it before each test, with a function of yours: --setup MODULE:FUNCTION")
    if not hunt.refused and hunt.reason is not EndReason.EXHAUSTED:
        far = hunt.best is None or hunt.best.level == 0
        if far and hunt.unprepared and not request.setup:
            advice.append(
                f"set up what {hunt.stopped_at} needs before each test, with a function of yours: --setup MODULE:FUNCTION"
            )
        # Without a single test for the crash, time is what was missing.
        if hunt.progress is not None and not request.candidates and far:
            what = f"gets past {hunt.stopped_at}" if hunt.stopped_at else "comes close to the crash"
            advice.append(f"code that {what}, such as a script or a test: --candidate FILE")
        if request.budget.seconds is not None:
            advice.append(f"more time: --budget {request.budget.seconds * 5:g}")
        elif request.budget.evaluations is not None:
            advice.append(f"more tests: --evaluations {request.budget.evaluations * 5}")
        advice.append(f"another seed: --seed {request.search.seed + 1}")
    if frames > 1 and not inwards:
        advice.append(f"start one call closer to the crash: --target-frame {frames - 1}")
    written = request.keep_best or (hunt.best is not None and hunt.best.is_confirmed)
    if hunt.best is not None and hunt.best.level > 0 and not written and _found_inside(inwards) is None:
        advice.append("write the best partial test to a file: --keep-best")
    return tuple(advice)
