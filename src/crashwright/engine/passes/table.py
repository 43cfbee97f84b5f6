"""The table of passes: what a found test goes through, in this order. To add one: a function, and a line here.

A *pass* takes what is known of the found test (``passes.found.FoundTest``) and a test, proposes others, and returns the best of
those for which ``found.good`` holds: the given one, if it finds nothing better. What it has to guarantee:

- It returns nothing that ``found.good`` was not asked about and found good, or the very object that it was given: that is how one
  sees that it has changed nothing.
- It judges nothing itself. Whether the crash is still the same, whether arguments are what they should be, and whether what
  somebody has written stays, is for the predicate to say, so that all passes agree. It may see to it that it proposes little that
  will be refused: each proposal is a run.
- It does not look at the clock. If time is the budget, the predicate refuses all that is proposed once its time is over, so a pass
  that stops after so many refusals comes to an end. One that makes much without running it asks ``found.is_late`` now and then.
- It draws from ``found.rng`` only, and everything else about it is fixed: a seed repeats it.
- It does not undo what one before it has done: what takes away comes before what puts something usual in the place of the rest, and
  what tidies up comes last. What it has put right no later one spoils, for arguments may become no odder than it left them.
- If it finds a test that shows more of the report than the one that was found, it says so (``found.replaced_by``), and goes on from
  there.
- What it puts in is something that somebody would write. A shorter test is not a better one by itself.

Passes of the stage CHOICE decide which of several tests of the crash it is to be; only the crash is held then. From then on, in the
stage CHANGE, the test may not lose anything that it is. The host hears of the test after the first of these, and after the last.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import Enum
from typing import NamedTuple

from crashwright.engine.frameworks.ways_in import in_own_folder
from crashwright.engine.passes import choices, values
from crashwright.engine.passes.dead_ends import cut_off
from crashwright.engine.passes.found import FoundTest
from crashwright.engine.passes.specified_mocks import with_specs
from crashwright.engine.passes.touches import touched_up
from crashwright.engine.testcase.editing.laid_out import laid_out
from crashwright.engine.testcase.editing.unused import without_unused
from crashwright.engine.testcase.testcase import TestCase


class Stage(Enum):
    """What is held of the test when it is a pass's turn."""

    CHOICE = "choice"
    CHANGE = "change"


class PassRow(NamedTuple):
    """A pass with its place."""

    name: str
    """By which users switch it off."""
    about: str
    """What it does, for users."""
    stage: Stage
    run: Callable[[FoundTest, TestCase], TestCase]
    partial: bool = True
    """Whether tests that fall short of the crash go through it too: there is less time for them."""


def _in_own_folder(found: FoundTest, test: TestCase) -> TestCase:
    return choices.if_good(found, test, in_own_folder(test))


def _touched(found: FoundTest, test: TestCase) -> TestCase:
    return touched_up(test, found.good, found.evidence.kept, found.evidence.loops)


def _laid_out(found: FoundTest, test: TestCase) -> TestCase:
    return choices.if_good(found, test, laid_out(test, found.evidence.kept))


CHOICE, CHANGE = Stage.CHOICE, Stage.CHANGE
PASSES: tuple[PassRow, ...] = (
    PassRow("quotes", "literals of the report are put back", CHOICE, choices.quoting),
    PassRow("legal", "arguments get the types that they should have", CHOICE, choices.legal),
    PassRow("as-written", "what is written together is taken apart", CHOICE, choices.taken_apart),
    PassRow("own-folder", "files are kept in a folder of the test", CHOICE, _in_own_folder),
    PassRow("dead-ends", "what stands behind the crash in functions of the test goes", CHOICE, cut_off, partial=False),
    PassRow("smaller", "statements are left out, then values made smaller", CHANGE, values.minimised),
    PassRow("repaired", "values of the report take the place of others", CHANGE, values.repaired, partial=False),
    PassRow("usual", "odd arguments become usual ones", CHANGE, values.usual, partial=False),
    PassRow("plain", "what evolution has left becomes what people type", CHANGE, values.plain, partial=False),
    PassRow("standard", "dates and amounts become as people write them", CHANGE, values.standard),
    PassRow("after-crash", "what would fail after the crash is mended", CHANGE, values.working_after, partial=False),
    PassRow("touches", "texts are closed, loops and returning programs put back", CHANGE, _touched, partial=False),
    PassRow("layout", "documents are laid out in lines", CHANGE, _laid_out, partial=False),
    PassRow("other-keys", "a record that lacks a key gets the other ones", CHANGE, values.with_other_keys),
    PassRow("specs", "mocks say what they stand for", CHANGE, lambda found, test: with_specs(test, found.good), partial=False),
    PassRow("unused", "what nothing uses goes", CHANGE, lambda found, test: without_unused(test, found.good), partial=False),
)


def passes_of(stage: Stage, whole: bool, without: Collection[str] = ()) -> tuple[PassRow, ...]:
    """Those of a stage, for a test that shows the ``whole`` crash or part of it, that are not switched off."""
    return tuple(row for row in PASSES if row.stage is stage and (whole or row.partial) and row.name not in without)
