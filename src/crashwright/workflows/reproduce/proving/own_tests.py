"""The project's own tests as candidates: those that have to do with the path of the crash are run in one fresh interpreter.

One that crashes in the way of the report is proved as it is; those that come nearest to the crash are given to the search.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from crashwright.core.portions import OWN_TESTS_PART
from crashwright.core.report import CrashReport
from crashwright.core.suggested import SuggestedCode
from crashwright.crash.ownership import is_own_path
from crashwright.finishing.crash.existing_test import ExistingRun, OneTest, OwnSuite
from crashwright.finishing.crash.inlined_fixtures import inlined
from crashwright.finishing.crash.suggested_file import alone
from crashwright.finishing.running.fresh_runner import Looking
from crashwright.workflows.reproduce.proving.proved import INSIDE
from crashwright.workflows.reproduce.proving.prover import Prover
from crashwright.workflows.reproduce.proving.reading_tests import OwnTest, tests_on_the_path
from crashwright.workflows.reproduce.proving.surroundings import roots_of, surroundings
from crashwright.workflows.reproduce.proving.ways import checked, is_assertion, watched_frames

_LONGEST = 20.0
"""Seconds for the run of all of them."""
_GIVEN = 3
"""Tests that the search is given."""


@dataclass(slots=True)
class ProjectTests:
    """Of the project that ``prover`` works for."""

    prover: Prover
    report: CrashReport

    def tried(self) -> tuple[SuggestedCode, ...]:
        """What the search is given of them; nothing if ``prover`` has proved one that is enough."""
        prover = self.prover
        root = self._root()
        chosen = tests_on_the_path(root, prover.resolved.target, self.report) if root is not None else []
        if root is None or not chosen or prover.deadline.left() <= 0:
            return ()
        run = self._run(chosen)
        if not run.tests:
            why = f": {run.problems[0]}" if run.problems else ""
            prover.tell(f"your own tests cannot be run{why}")
            return ()
        known = {(str(one.file), one.name): one for one in chosen}
        pairs = [(one, own) for one in run.tests if (own := known.get(self._key(one, root))) is not None]
        nearest = sorted(pairs, key=lambda pair: (pair[0].agreement.level, not pair[0].kept, pair[1].reported), reverse=True)
        for test, own in nearest[:_GIVEN]:
            if test.agreement.level >= INSIDE and (not test.kept or test.outcome == "failed"):
                prover.try_all([SuggestedCode(f"{self._shown(own.file)}::{own.name}", _source(own.file))], own=True)
            if prover.is_enough:
                return ()
        return self._given(pairs, len(chosen))

    def _given(self, pairs: Sequence[tuple[OneTest, OwnTest]], count: int) -> tuple[SuggestedCode, ...]:
        reached = [(test.reached, own) for test, own in pairs if test.reached is not None]
        reached.sort(key=lambda pair: pair[0], reverse=True)
        best = list({(own.file, own.name): own for _, own in reached}.values())[:_GIVEN]
        frames = self.prover.resolved.target.package_frames
        ran = f"{count} of your own tests were run"
        if not best:
            self.prover.tell(f"{ran}: none of them enters the functions of the report")
            return ()
        furthest = frames[reached[0][0].place].key.name
        self.prover.tell(f"{ran}: {self._shown(best[0].file)}::{best[0].name} comes nearest to the crash (it enters {furthest})")
        # One that calls a function further in by itself says nothing of the way there, and its fixtures make the search slower.
        through = {own for one, own in reached if one.frames == one.place + 1}
        return tuple(SuggestedCode(f"{self._shown(own.file)}::{own.name}", self._text(own)) for own in best if own in through)

    def _text(self, own: OwnTest) -> str:
        """The test alone, with the fixtures that it uses."""
        source = _source(own.file)
        text = checked(alone(source, own.name), source)
        around = surroundings(str(own.file), self.prover.request)
        return inlined(text, [_source(one) for one in around.conftests]) or text

    def _run(self, chosen: Sequence[OwnTest]) -> ExistingRun:
        prover = self.prover
        target = prover.resolved.target
        files = tuple(dict.fromkeys(str(one.file) for one in chosen))
        looking = Looking(
            caught=True,
            frames=watched_frames(target),
            chosen=tuple((str(one.file), one.name) for one in chosen),
            explained=is_assertion(target),
            coroutines=True,
        )
        around = surroundings(files[0], prover.request)
        seconds = min(OWN_TESTS_PART * prover.deadline.left(), _LONGEST)
        return OwnSuite(files, around, prover.runner).run(target, seconds, looking)

    def _root(self) -> Path | None:
        """Of the project that has code of the crash."""
        target = self.prover.resolved.target
        files = [Path(os.path.realpath(frame.path)) for frame in target.own_frames if is_own_path(frame.path)]
        roots = roots_of(self.prover.request)
        return next((root for root in roots if any(file.is_relative_to(root) for file in files)), None)

    def _key(self, test: OneTest, root: Path) -> tuple[str, str]:
        """The file and the name of a test that pytest names from ``root``."""
        file, _, name = test.name.partition("::")
        return str(root / file), name.partition("[")[0]

    def _shown(self, file: Path) -> str:
        shown = os.path.relpath(file, self.prover.request.folder)
        return str(file) if shown.startswith("..") else shown


def _source(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")
