"""What the user suggests is run as it is before anything is searched: a right test is proved as its author wrote it.

It runs under pytest with the fixtures and settings of the project around it, confined, in fresh interpreters. What can be
translated for the search, or made smaller, has no part in it.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from crashwright.core.errors import ExitCode
from crashwright.core.level import WHOLE
from crashwright.core.messages import CandidateTried
from crashwright.core.portions import ONE_SUGGESTED_PART, SUGGESTED_PART
from crashwright.core.suggested import SuggestedCode
from crashwright.core.target import CrashTarget
from crashwright.crash.fingerprint import fingerprint
from crashwright.crash.resolve import ResolvedCrash
from crashwright.crash.suggested import STANDARD_INPUT
from crashwright.environment.source_roots import project_root
from crashwright.finishing.crash import suggested_file
from crashwright.finishing.crash.after_fix import AfterFix, FixedJudge
from crashwright.finishing.crash.existing_test import ExistingRun, SuggestedTest
from crashwright.finishing.crash.header import Header
from crashwright.finishing.crash.inlined_fixtures import inlined
from crashwright.finishing.crash.legality import Legality, legality
from crashwright.finishing.crash.let_through import let_through
from crashwright.finishing.crash.verify import LONGEST_RUN
from crashwright.finishing.naming import file_name, function_name, function_title
from crashwright.finishing.running.agreement import Agreement
from crashwright.finishing.running.at_once import in_order
from crashwright.finishing.running.fresh_runner import FreshRunner, ProjectSurroundings
from crashwright.workflows.deadline import Deadline
from crashwright.workflows.reproduce.output import Output
from crashwright.workflows.reproduce.request import Request
from crashwright.workflows.reproduce.result import PrintedResult, Result, Timing, only_from

RUNS = 3
_INSIDE = 2
"""The level of a test that has the line and the message of the crash, but enters by a frame further in."""
_LEAST = 2.0
"""Seconds for one run at least, and the share of the time left for it at most."""
_MOST = 12
"""Candidates, where there is no time to go by."""
_SETTINGS = (
    ("pytest.ini", ""),
    (".pytest.ini", ""),
    ("pyproject.toml", "[tool.pytest"),
    ("tox.ini", "[pytest]"),
    ("setup.cfg", "[tool:pytest]"),
)
"""Where pytest finds its settings, and what stands in the file then."""


class Proved(NamedTuple):
    """A candidate that reproduces the crash. ``text`` is the file to write: the author's lines under our header; ``levels`` has one
    level for each fresh run."""

    name: str
    text: str
    levels: tuple[int, ...]
    agreement: Agreement
    legality: Legality
    target: CrashTarget
    """From the frame that it enters by: the chosen one, or one further in."""
    after: AfterFix | None = None

    def beside(self, conftest: Path, request: Request) -> Proved:
        """As it is if it needs the fixtures of a ``conftest.py`` that does not count for the folder in which it is written."""
        named = os.path.relpath(conftest, request.folder)
        said = self.legality
        return self._replace(
            legality=replace(said, unchecked=f"{said.text}; needs the fixtures of {named}: move it beside that file")
        )


@dataclass(slots=True)
class Proving:
    """Runs what is suggested, before the search and in the course of it; ``best`` is what was proved so far. ``tell`` hears what
    became of each; ``on_run`` is told the level and number of each run that counts. ``sift`` takes secrets out of a text."""

    request: Request
    resolved: ResolvedCrash
    runner: FreshRunner
    deadline: Deadline
    tell: Callable[[str], None]
    on_run: Callable[[int, int], None]
    inner: Callable[[int], CrashTarget]
    """The crash as it is seen from a frame further in, counted from the crash."""
    sift: Callable[[str], str] = str
    judge: FixedJudge | None = None
    best: Proved | None = None

    def try_all(self, suggested: Iterable[SuggestedCode]) -> None:
        """Run them in order until one reproduces the crash from the chosen frame; else the outermost one counts."""
        until = self.deadline.elapsed() + SUGGESTED_PART * self.deadline.left()
        for one in islice(suggested, _MOST):
            if self.is_whole:
                return
            if self.deadline.elapsed() >= until:
                self.tell(f"candidate {one.name} and those after it go to the search: they take too long to run as they are")
                return
            found = self._proved(one)
            if found is not None and (self.best is None or len(found.target.package_frames) > len(self.best.target.package_frames)):
                self.best = found

    @property
    def is_whole(self) -> bool:
        """The crash is reproduced from the chosen frame."""
        return self.best is not None and self.best.target is self.resolved.target

    @property
    def is_enough(self) -> bool:
        """Nothing is searched beside it: it enters by the chosen frame, or has most of the frames. The author knows why not all."""
        return self.best is not None and 2 * len(self.best.target.package_frames) >= len(self.resolved.target.package_frames)

    @property
    def tried(self) -> CandidateTried:
        """What became of the best one, as engines tell it."""
        assert self.best is not None
        return tried(self.best, self.resolved)

    def _proved(self, code: SuggestedCode) -> Proved | None:
        around = surroundings(code.name, self.request)
        tried: list[tuple[str, ExistingRun]] = []
        for text in self._files(code.source):
            tried.append((text, self._run(text, around, self.resolved.target)))
            if self.resolved.preparation and _level(tried[-1][1]) < WHOLE:
                made = _checked(suggested_file.prepared(text, self.resolved.preparation), text)
                tried.append((made, self._run(made, around, self.resolved.target)))
            if _level(tried[-1][1]) == WHOLE:
                break
        if not tried:
            return None
        text, run = max(tried, key=lambda pair: _level(pair[1]))
        if _level(run) < _INSIDE and run.tests and not run.timed_out:
            text, run = self._let_through(text, run, around)
        best = run.best
        if best is None or best.agreement.level not in (_INSIDE, WHOLE) or not best.agreement.frames:
            self.tell(f"candidate {code.name}, run as it is: {_came_to(run)}")
            return None
        target = self.resolved.target if best.agreement.level == WHOLE else self.inner(best.agreement.frames)
        if target is not self.resolved.target:
            run = self._run(text, around, target, most=1.0)
        return self._made(code.name, code.source, text, run, around, target) if _level(run) == WHOLE else None

    def _let_through(self, text: str, run: ExistingRun, around: ProjectSurroundings) -> tuple[str, ExistingRun]:
        """The file changed so that a crash which somebody catches leaves the test, if there is one."""
        deep = self._run(text, around, self.resolved.target, deep=True).best
        if deep is None or not deep.kept or deep.agreement.level < _INSIDE:
            return text, run
        failed = next((one.agreement.test_line for one in run.tests if one.name == deep.name), 0)
        for made in let_through(text, deep.name.partition("::")[2], deep.kept, failed):
            changed = _checked(made, text)
            again = self._run(changed, around, self.resolved.target)
            if _level(again) >= _INSIDE:
                return changed, again
        return text, run

    def _files(self, source: str) -> Iterator[str]:
        name = function_title(self.resolved.target)
        try:
            yield from suggested_file.as_test_files(source, name)
        except SyntaxError:  # a script that returns, or awaits, outside of a function
            return

    def _made(
        self, name: str, source: str, text: str, run: ExistingRun, around: ProjectSurroundings, target: CrashTarget
    ) -> Proved | None:
        """The smallest file of its one test, in the wanted form, that reproduces the crash in each of the runs; else as it is."""
        best = run.best
        assert best is not None
        shown = text
        if self.request.expect != "raises":
            shown = _checked(suggested_file.unexpected(shown), shown)
        single = _checked(suggested_file.alone(shown, best.name.partition("::")[2]), shown)
        if text.strip() != source.strip():  # no test of its author's, but what we made of a script
            single = _checked(suggested_file.without_idle(single), single)
        forms = tuple(dict.fromkeys((self.sift(single), single, self.sift(text), text)))
        there = self._where_written(around)
        if there.conftests != around.conftests:
            away = [_source_of(one) for one in around.conftests if one not in there.conftests]
            for one in forms:
                whole = inlined(one, away)
                found = None if whole is None else self._judged(name, whole, there, target, before=None)
                if found is not None:
                    return found
        for one in forms:
            found = self._judged(name, one, around, target, before=run if one == text else None)
            if found is not None:
                return found if there.conftests == around.conftests else found.beside(around.conftests[-1], self.request)
        return None

    def _where_written(self, around: ProjectSurroundings) -> ProjectSurroundings:
        """What is around the file that is written: a ``conftest.py`` counts for the tests beneath its folder alone."""
        folder = Path(os.path.abspath(Output.of(self.request).folder))
        return replace(around, conftests=tuple(one for one in around.conftests if folder.is_relative_to(one.parent)))

    def _judged(
        self, name: str, text: str, around: ProjectSurroundings, target: CrashTarget, before: ExistingRun | None
    ) -> Proved | None:
        runs = [] if before is None else [before]
        if before is not None:
            self.on_run(WHOLE, 1)

        def one(place: int) -> ExistingRun | None:
            return self._run(text, around, target, most=1.0, place=place) if self.deadline.left() > 0 else None

        for run in in_order(one, RUNS - len(runs), self.runner.at_once):
            if run is None:
                break
            if run.timed_out and runs:
                break  # it reproduced the crash before: on a busy machine the time ends, and nothing speaks against it
            runs.append(run)
            self.on_run(_level(run), len(runs))
            if _level(run) < WHOLE:
                return None
        best = runs[0].best if runs else None
        if best is None:
            return None
        found = best.agreement
        verdict = legality(text, target, refused=found.raised.refused if found.raised is not None else ())
        formed = text if best.outcome == "passed" else self._formed(text, found)  # one that passes expects the crash already
        if formed != text and _level(self._run(formed, around, target, most=1.0)) < WHOLE:
            formed = text
        text = self._headed(formed, found, target)
        verdict = Legality((), (*verdict.forbidden, *verdict.doubts), "as its author wrote it")
        after = None
        if self.judge is not None and self.deadline.left() > 0:
            after = self.judge.judge_text(text, self._name, min(self.deadline.left(), LONGEST_RUN))
        return Proved(name, text, tuple(map(_level, runs)), found, verdict, target, after)

    def _formed(self, text: str, found: Agreement) -> str:
        if found.thrown is None or not found.test_line:
            return text
        thrown = found.thrown
        crash = suggested_file.SuggestedCrash(thrown.type, thrown.module, thrown.message, found.test_line)
        return _checked(suggested_file.in_form(text, self.request.expect, crash), text)

    def _headed(self, text: str, found: Agreement, target: CrashTarget) -> str:
        short_of = "" if target is self.resolved.target else function_name(self.resolved.target.package_frames[0])
        header = Header(target, found, self.request.expect, self.request.command, short_of)
        return _checked(suggested_file.headed(text, header.lines()), text)

    def _run(
        self,
        text: str,
        around: ProjectSurroundings,
        target: CrashTarget,
        deep: bool = False,
        most: float = ONE_SUGGESTED_PART,
        place: int = 0,
    ) -> ExistingRun:
        # A candidate that hangs must leave time for the others, and for the search; one that ended before will end again.
        seconds = min(max(_LEAST, most * self.deadline.left()), LONGEST_RUN)
        return SuggestedTest(text, self._name, around, self.runner).run(target, seconds, deep, place)

    @property
    def _name(self) -> str:
        return file_name(self.resolved.target, fingerprint(self.resolved.target))


def surroundings(name: str, request: Request) -> ProjectSurroundings:
    """The project around the candidate ``name``: that of its file, if it lies in the project that the command is run for."""
    folder = Path(os.path.abspath(request.folder))
    file = None if name == STANDARD_INPUT else Path(os.path.abspath(name.partition(", block ")[0]))
    homes = [folder, *(Path(os.path.abspath(one)) for one in request.path)]
    root = project_root(folder)
    inside = file is not None and any(file.is_relative_to(home) for home in (root, *homes))
    if file is not None and not inside and file.is_file():
        own = project_root(file.parent)
        root = own if own != file.parent else root
    start = file.parent if file is not None and file.is_relative_to(root) else root
    between = [one for one in (start, *start.parents) if one.is_relative_to(root)][::-1]
    usual = [root / "tests", root / "test"] if start == root else []
    conftests = tuple(one for place in dict.fromkeys((*between, *usual)) if (one := place / "conftest.py").is_file())
    return ProjectSurroundings(folder, conftests, _settings(root))


def _source_of(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")


def level_of(found: Proved, resolved: ResolvedCrash) -> int:
    """How much of the crash it reproduces."""
    return WHOLE if found.target is resolved.target else _INSIDE


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
    statements = sum(isinstance(node, ast.stmt) for node in ast.walk(_test_of(found)))
    test = PrintedResult(
        text=found.text,
        file="",
        level=WHOLE if whole else _INSIDE,
        levels=found.levels if whole else tuple(min(_INSIDE, one) for one in found.levels),
        runner=runner,
        frames=frames,
        missing=missing,
        legality=found.legality.text,
        legal=not found.legality.doubts,
        statements=statements,
        statements_found=statements,
        origin="a candidate",
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


def _settings(root: Path) -> Path | None:
    for name, mark in _SETTINGS:
        try:
            if mark in (root / name).read_text(encoding="utf-8", errors="replace"):
                return root / name
        except OSError:
            continue
    return None


def _level(run: ExistingRun) -> int:
    return run.best.agreement.level if run.best is not None else 0


def _nearer(run: ExistingRun, other: ExistingRun) -> bool:
    return _level(run) > _level(other)


def _came_to(run: ExistingRun) -> str:
    best = run.best
    if run.problems and (best is None or not best.agreement.level):
        return run.problems[0]
    if best is None:
        return "it has no test"
    return best.agreement.missing or f"it {best.outcome or 'does not end'}"


def _checked(text: str, before: str) -> str:
    """``text``, or what it was before if it is no Python any more."""
    try:
        ast.parse(text)
    except SyntaxError:
        return before
    return text
