"""What runs show of sentences about a crash."""

from __future__ import annotations

from typing import NamedTuple

from crashwright.core.location import CodeKey
from crashwright.core.messages import Witness
from crashwright.core.precondition import Guard, Precondition
from crashwright.core.terms import Op, Sort, Term
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.search.witnesses import Witnesses

KEY = CodeKey("shop", "take", 1)
NONE = Term(Op.IS_NONE, Sort.TRUTH, (Term(Op.INPUT, Sort.VALUE, (), "items"),))
ALWAYS = Precondition(1, KEY, (Guard(NONE, 2, KEY),), is_necessary=True)
EXAMPLE = Precondition(1, KEY, (Guard(NONE, 2, KEY),))


class Ran(NamedTuple):
    """A run: the arguments of each entry, and how it ended."""

    entries: tuple[object, ...]
    level: int
    timed_out: bool = False


def counts(*runs: Ran) -> list[Witness]:
    witnesses = Witnesses([ALWAYS, EXAMPLE])
    entered = witnesses.watch(KEY, ("items",))
    for run in runs:
        witnesses.begin()
        for argument in run.entries:
            entered((argument,))
        witnesses.note(Outcome(1, timed_out=run.timed_out), CrashScore(0.0, run.level, 1, 1 if run.level else 0))
    return witnesses.counts


def test_a_crash_without_what_always_holds_contradicts_it() -> None:
    assert counts(Ran((None,), 4), Ran((3,), 4)) == [Witness(2, 1, 1, 0)] * 2


def test_an_example_that_does_not_crash_is_harmless() -> None:
    assert counts(Ran((None,), 4), Ran((None,), 0), Ran((3,), 0))[1] == Witness(1, 0, 2, 1)


def test_what_is_not_clear_does_not_count() -> None:
    several, slow, another = Ran((None, 3), 4), Ran((None,), 0, timed_out=True), Ran((3,), 1)
    assert counts(several, slow, another) == [Witness()] * 2


def test_what_arguments_do_not_tell_is_not_known() -> None:
    unknown = Precondition(1, KEY, (Guard(Term(Op.UNKNOWN, Sort.TRUTH, (), (0, "a call")), 2, KEY),), is_necessary=True)
    witnesses = Witnesses([unknown])
    entered = witnesses.watch(KEY, ("items",))
    entered((None,))
    witnesses.note(Outcome(1), CrashScore(0.0, 4, 1, 1))
    assert witnesses.counts == [Witness()]
    assert witnesses.runs == 1
