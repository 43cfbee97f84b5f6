"""What was proved of a candidate, and the result of a run that needs no search beside it."""

from __future__ import annotations

import ast
import os
from typing import NamedTuple

from crashwright.core.errors import ExitCode
from crashwright.core.level import WHOLE
from crashwright.core.messages import CandidateTried
from crashwright.core.target import CrashTarget
from crashwright.crash.fingerprint import fingerprint
from crashwright.crash.resolve import ResolvedCrash
from crashwright.finishing.crash.after_fix import AfterFix
from crashwright.finishing.crash.existing_test import OneTest
from crashwright.finishing.crash.legality import Legality, legality
from crashwright.finishing.naming import file_name, function_name
from crashwright.finishing.running.agreement import Agreement
from crashwright.workflows.deadline import Deadline
from crashwright.workflows.reproduce.proving.ways import RunPlan
from crashwright.workflows.reproduce.request import Request
from crashwright.workflows.reproduce.result import OWN, PrintedResult, Result, Timing, only_from

OTHER_WAY = "all of your own frames and the message of the report, by another way through the library that raises it"
INSIDE = 2
"""The level of a test that has the line and the message of the crash, but enters by a frame further in."""


class Proved(NamedTuple):
    """A candidate that reproduces the crash, run in a ``way``. ``text`` is the file to write: the author's lines under our header;
    ``levels`` has one level for each fresh run of the file as it is; ``test`` is the one of its tests that does it."""

    name: str
    way: RunPlan
    text: str
    levels: tuple[int, ...]
    test: OneTest
    target: CrashTarget
    """From the frame that it enters by: the chosen one, or one further in."""
    original: str
    """The candidate as it was given."""
    own: bool = False
    """It is a test of the project."""
    remarks: tuple[str, ...] = ()
    after: AfterFix | None = None

    @property
    def agreement(self) -> Agreement:
        """How its exception compares with the crash."""
        return self.test.agreement

    @property
    def verdict(self) -> Legality:
        """What there is to say of the way in which it uses the subject. Nothing is forbidden: its author meant it so."""
        raised = self.agreement.raised
        found = legality(self.text, self.target, refused=raised.refused if raised is not None else ())
        remarks = (*found.forbidden, *found.doubts, *self.way.remarks, *self.remarks)
        return Legality((), ("as its author wrote it", *remarks) if remarks else (), "as its author wrote it")


def level_of(found: Proved, resolved: ResolvedCrash) -> int:
    """How much of the crash it reproduces."""
    return WHOLE if found.target is resolved.target else INSIDE


def has_own_frames(found: Proved, target: CrashTarget) -> bool:
    """Does its exception pass through all frames of ``target`` that are not of libraries, with no others in their files between?"""
    raised = found.agreement.raised
    wanted = [(os.path.realpath(frame.path), frame.line, frame.key.name) for frame in target.own_frames]
    if raised is None or not found.agreement.message_agrees or not target.library_frames:
        return False
    files = {file for file, _, _ in wanted}
    got = [(file, place.line, place.function) for place in raised.frames if (file := os.path.realpath(place.file)) in files]
    return got[-len(wanted) :] == wanted


def tried(found: Proved, resolved: ResolvedCrash) -> CandidateTried:
    """What became of it, as engines tell it of those that they run."""
    return CandidateTried(found.name, level_of(found, resolved), len(found.target.package_frames), 1, at=1)


def result_of(found: Proved, request: Request, resolved: ResolvedCrash, python: str, runner: str, deadline: Deadline) -> Result:
    """The result of a run that needed no search."""
    target, frames = resolved.target, len(found.target.package_frames)
    whole = found.target is target
    outer = function_name(target.package_frames[0])
    inner = function_name(found.target.package_frames[0])
    missing = "" if whole else only_from(inner, frames, outer, len(target.package_frames))
    if missing and has_own_frames(found, target):
        missing = OTHER_WAY
    statements = sum(isinstance(node, ast.stmt) for node in ast.walk(_test_of(found)))
    test = PrintedResult(
        text=found.text,
        file="",
        level=WHOLE if whole else INSIDE,
        levels=found.levels if whole else tuple(min(INSIDE, one) for one in found.levels),
        runner=runner,
        frames=frames,
        missing=missing,
        legality=found.verdict.text,
        legal=not found.verdict.doubts,
        statements=statements,
        statements_found=statements,
        origin=OWN if found.own else "a candidate",
        near_miss=found.agreement.near_miss,
        chain=found.agreement.chain,
        after_fix=found.after,
        frame=0 if whole else frames,
        name=file_name(target, fingerprint(target), partial=not whole),
        as_written=found.name,
    )
    return Result(
        exit_code=ExitCode.SUCCESS if whole else ExitCode.PARTIAL,
        target=target,
        subject=resolved.subject,
        python=python,
        seed=request.search.seed,
        evaluations=0,
        timing=Timing(0.0, round(deadline.elapsed(), 3)),
        frames_total=len(target.package_frames),
        frames_reached=frames,
        distance=0.0,
        test=test,
        frames_in_report=len(target.package_frames) + target.frames_beyond,
        notes=tuple(dict.fromkeys(resolved.notes)),
        import_path=tuple(dict.fromkeys((*request.path, *resolved.extra_path))),
        interpreter=request.asked_python,
        command=request.command,
        candidates=(tried(found, resolved),),
    )


def _test_of(found: Proved) -> ast.AST:
    tree = ast.parse(found.text)
    tests = [
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test")
    ]
    body = tests[0].body if tests else tree.body
    return ast.Module(body, [])
