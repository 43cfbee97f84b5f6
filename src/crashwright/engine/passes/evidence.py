"""What the report and the subject tell of the values in a good test of a crash."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from crashwright.engine.passes.ordinary import Ordinary
from crashwright.engine.passes.past_the_crash import PastTheCrash
from crashwright.engine.passes.records import Records
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.testcase.editing.as_written import AsWritten, Left
from crashwright.engine.testcase.statements import Value, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.typed import Observed


@dataclass(frozen=True, slots=True)
class ValueEvidence:
    """Of tests that are as good one is kept that ``is_legal``. ``quoted`` are literals that the report shows, by the variables that
    hold them: a test that can keep them keeps them. ``repairs`` gives what to try in place of a test that reproduces the crash, but
    not as the report shows it, ``ordinary`` knows which values are usual, ``plain`` which ones somebody would type, ``records``
    what is read of the record that lacks a key. ``shown`` is what of tests somebody has written."""

    is_legal: Callable[[TestCase], bool] = lambda _test: True
    quoted: Mapping[Variable, Value] = field(default_factory=dict)
    repairs: Callable[[Evaluation], list[TestCase]] = lambda _near: []
    ordinary: Ordinary | None = None
    plain: Ordinary | None = None
    records: Records | None = None
    standard: Callable[[TestCase, Callable[[TestCase], bool]], TestCase] | None = None
    """Gives a good test plain dates and amounts, as far as it stays good."""
    past: PastTheCrash | None = None
    """Makes work what comes after the crash."""
    loops: bool = False
    """Whether the report goes through what it calls."""
    shown: AsWritten = field(default_factory=AsWritten)
    observed: Observed = field(default_factory=dict)
    """Classes of results, as runs showed them."""

    @property
    def kept(self) -> Mapping[Variable, Value]:
        """Literals that keep their values in a test that is made smaller: those that the report or a candidate shows."""
        return ChainMap(dict(self.quoted), self.shown.literals)

    def left_of(self, test: TestCase) -> Left:
        """What edits of ``test`` have to leave."""
        return self.shown.left_of(test, self.observed)
