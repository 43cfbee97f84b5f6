"""What is done to a proved candidate before it is kept: one test, in the wanted form, with what its folder lacks. All of it at once
if the crash stays, else step by step; each is judged by a fresh run, and nothing of it takes the proof back."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from crashwright.core.level import WHOLE
from crashwright.core.portions import SMALLER_PART
from crashwright.finishing.crash import suggested_file
from crashwright.finishing.crash.after_fix import FixedJudge
from crashwright.finishing.crash.coroutine_tests import has_coroutines, synchronous
from crashwright.finishing.crash.existing_test import OneTest
from crashwright.finishing.crash.inlined_fixtures import inlined
from crashwright.finishing.crash.let_through import let_through
from crashwright.finishing.crash.verify import LONGEST_RUN
from crashwright.finishing.running.fresh_runner import ProjectSurroundings
from crashwright.workflows.reproduce.proving.proved import Proved
from crashwright.workflows.reproduce.proving.prover import Prover
from crashwright.workflows.reproduce.proving.surroundings import where_written
from crashwright.workflows.reproduce.proving.ways import RunPlan, checked

_MOST_RUNS = 8
"""Fresh runs for all of it."""

Change = Callable[[str], str]


@dataclass(slots=True)
class Smaller:
    """``folder`` is the one that is written to; ``sift`` takes secrets out of a text."""

    prover: Prover
    folder: Path
    sift: Callable[[str], str] = str
    judge: FixedJudge | None = None
    _runs: int = 0
    _until: float = 0.0

    def made(self, found: Proved) -> Proved:
        """``found`` with the text to keep."""
        deadline = self.prover.deadline
        self._until = deadline.elapsed() + SMALLER_PART * deadline.left()
        there = where_written(found.way.around, self.folder)
        found = self._changed(found, there)
        found = self._formed(found, there)
        text = self.prover.headed(found.text, found)
        after = None
        if self.judge is not None and deadline.left() > 0:
            after = self.judge.judge_text(text, self.prover.file_name, min(deadline.left(), LONGEST_RUN))
        return found._replace(text=text, after=after)

    def _changed(self, found: Proved, there: ProjectSurroundings) -> Proved:
        text, name = found.way.text, found.test.name.partition("::")[2]
        changes = self._changes(found, there)
        starts = list(dict.fromkeys((*_let_through(found, text, name), text)))
        if starts == [text] and _all(changes, text) == text and not self._may_need_its_place(found, text):
            return found._replace(text=text)
        for start in starts:
            whole = _all(changes, start)
            test = self._crashing(found, whole, there, leaves=start != text)
            if test is not None:
                return found._replace(text=whole, test=test)
        kept = found._replace(text=text)
        for change in changes:
            made = checked(change(kept.text), kept.text)
            test = self._crashing(found, made, found.way.around) if made != kept.text else None
            if test is not None:
                kept = kept._replace(text=made, test=test)
        return self._with_needs(kept, there)

    def _changes(self, found: Proved, there: ProjectSurroundings) -> tuple[Change, ...]:
        name = found.test.name.partition("::")[2]
        script = found.way.text.strip() != found.original.strip()  # no test of its author's, but what we made of a script
        away = [_source_of(one) for one in found.way.around.conftests if one not in there.conftests]
        wanted: tuple[Change | None, ...] = (
            None if self.prover.request.expect == "raises" else suggested_file.unexpected,
            lambda text: suggested_file.alone(text, name),
            suggested_file.without_idle if script else None,
            lambda text: (inlined(text, away) or text) if away else text,
            (lambda text: synchronous(text, name)) if self._lacks_coroutines(found) else None,
            self.sift,
        )
        return tuple(one for one in wanted if one is not None)

    def _lacks_coroutines(self, found: Proved) -> bool:
        """Its tests are coroutine functions, which nothing but our own plugin runs here."""
        return has_coroutines(found.way.text) and self._crashing(found, found.way.text, found.way.around) is None

    def _may_need_its_place(self, found: Proved, text: str) -> bool:
        """It lies elsewhere than what is written, and may use what lies beside it."""
        file = found.way.file
        if file is None or file.parent == self.folder:
            return False
        return "__file__" in text or "from ." in text or any(one != file for one in file.parent.glob("*.py"))

    def _with_needs(self, found: Proved, there: ProjectSurroundings) -> Proved:
        """With what must be said if the file does not work where it is written."""
        if self._crashing(found, found.text, there) is not None:
            return found
        folder = self.prover.request.folder
        lacking = [one for one in found.way.around.conftests if one not in there.conftests]
        if has_coroutines(found.text):
            needs = "needs a plugin of pytest that runs coroutines"
        elif lacking:
            needs = f"needs the fixtures of {os.path.relpath(lacking[-1], folder)}: move it beside that file"
        elif found.way.file is not None:
            needs = f"needs what lies beside {os.path.relpath(found.way.file, folder)}: move it there"
        else:
            return found
        return found._replace(remarks=(*found.remarks, needs))

    def _formed(self, found: Proved, there: ProjectSurroundings) -> Proved:
        """Under ``pytest.raises``, or as an expected failure, if that is asked for; one that passes expects the crash already."""
        thrown, line = found.agreement.thrown, found.agreement.test_line
        if self.prover.request.expect == "fail" or found.test.outcome == "passed" or thrown is None or not line:
            return found
        crash = suggested_file.SuggestedCrash(thrown.type, thrown.module, thrown.message, line)
        made = checked(suggested_file.in_form(found.text, self.prover.request.expect, crash), found.text)
        return found if self._crashing(found, made, there) is None else found._replace(text=made)

    def _crashing(self, found: Proved, text: str, around: ProjectSurroundings, leaves: bool = False) -> OneTest | None:
        """Its test that crashes in the same way, if one does; ``leaves``: and nobody catches it any more."""
        prover = self.prover
        if self._runs >= _MOST_RUNS or (self._runs and prover.deadline.elapsed() >= self._until):
            return None
        self._runs += 1
        looking = replace(found.way.looking, coroutines=False)
        way = RunPlan(text, around, looking, in_scratch=found.way.in_scratch)
        best = prover.run(way, found.target).best
        if best is None or best.agreement.level < WHOLE or (leaves and best.kept):
            return None
        same = best.agreement.chain == found.agreement.chain
        return best if same else None


def _all(changes: tuple[Change, ...], text: str) -> str:
    for change in changes:
        text = checked(change(text), text)
    return text


def _let_through(found: Proved, text: str, name: str) -> Iterator[str]:
    """The file changed so that a crash that somebody catches leaves the test."""
    if found.test.kept:
        for made in islice(let_through(text, name, found.test.kept, found.test.failed), 3):
            yield checked(made, text)


def _source_of(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")
