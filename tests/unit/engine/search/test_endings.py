from __future__ import annotations

import pytest

from crashwright.engine.execution.confinement.guard import Refusal
from crashwright.engine.execution.outcome import Outcome, RaisedFrame
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.search.endings import ENOUGH, Endings, StoppingPlace


class Loud(Exception):
    def __str__(self) -> str:
        raise AssertionError("asked")


def ended(error: BaseException) -> Outcome:
    code = ended.__code__
    return Outcome(0, error, (RaisedFrame(code, code.co_firstlineno + 1, 0),))


ENTERED, DEEPER = CrashScore(0.9, 0, 1, 0), CrashScore(0.5, 0, 2, 0)
NETWORK = Refusal("use the network (connect); --allow network permits it", "network")
PLACE = f"test_endings.py:{ended.__code__.co_firstlineno + 1} ended"


def of(*runs: tuple[Outcome, CrashScore, Refusal | None]) -> Endings:
    endings = Endings()
    for run in runs:
        endings.note(*run)
    return endings


def test_what_ended_most_tests_is_told() -> None:
    endings = of(*[(ended(LookupError("no key")), ENTERED, None)] * 3, (Outcome(1), ENTERED, None))
    assert list(endings.told()) == [f"75 % of the tests that got this far stopped at {PLACE} with LookupError: no key"]
    assert (endings.refused, endings.allowances()) == (False, ())


def test_the_commonest_of_many_different_endings_is_told_as_such() -> None:
    endings = of(*((ended(kind("no")), ENTERED, None) for kind in (LookupError, ValueError, TypeError, ValueError)))
    said = f"50 % of the tests that got this far stopped at {PLACE} with ValueError: no"
    assert list(endings.told()) == [said]
    endings.note(ended(KeyError("k")), ENTERED, None)
    assert list(endings.told()) == [f"{said.replace('50', '40')}, more than anywhere else"]
    assert endings.stop is None


def test_tests_that_return_are_counted_too() -> None:
    endings = of(*[(Outcome(1), ENTERED, None)] * 2, (ended(LookupError()), ENTERED, None))
    assert list(endings.told()) == ["66 % of the tests that got this far returned without an exception"]
    assert list(of((Outcome(1), CrashScore(2.0, 0, 0, 0), None)).told()) == []
    assert endings.stop is None


@pytest.mark.parametrize(("messages", "always"), [(["not set up"], True), (["no key 1", "no key 2"], False)])
def test_what_stops_all_tests_with_the_same_words_does_not_hang_on_their_arguments(messages: list[str], always: bool) -> None:
    endings = of(*[(ended(LookupError(one)), ENTERED, None) for one in messages] * (ENOUGH // len(messages)))
    assert endings.stop == StoppingPlace(PLACE, __file__, always)


def test_what_stopped_earlier_tests_is_forgotten_once_one_came_further() -> None:
    endings = of(*[(ended(LookupError()), ENTERED, None)] * 9, (ended(ValueError("x")), DEEPER, None), (Outcome(1), ENTERED, None))
    assert list(endings.told()) == [f"all tests that got this far stopped at {PLACE} with ValueError: x"]


def test_refusals_come_first_and_are_not_told_twice() -> None:
    endings = of((ended(PermissionError(f"crashwright refused to {NETWORK.text}")), ENTERED, NETWORK))
    assert list(endings.told()) == [f"confinement stopped all tests that got this far, which tried to {NETWORK.text}"]
    assert (endings.refused, endings.allowances()) == (True, ("network",))


def test_what_the_kernel_refuses_alone_is_taken_for_that() -> None:
    endings = of((ended(PermissionError(13, "Permission denied")), ENTERED, None))
    assert list(endings.told())[1] == "confinement may be the reason: --allow network, processes or write:FOLDER allows more"
    assert (endings.refused, endings.allowances()) == (True, ())
    assert not of((ended(PermissionError("no such customer")), ENTERED, None)).refused


@pytest.mark.parametrize("error", [Loud(), ValueError(Loud())])
def test_words_of_the_subjects_own_making_are_not_asked_for(error: Exception) -> None:
    told = list(of((ended(error), ENTERED, None)).told())
    assert told == [f"all tests that got this far stopped at {PLACE} with {type(error).__name__}"]


def test_tests_that_raise_the_crash_are_no_endings() -> None:
    crashed = CrashScore(0.3, 2, 1, 1)
    assert list(of((ended(LookupError()), crashed, None), (ended(LookupError()), crashed, None)).told()) == []


def test_the_time_limit_is_an_ending() -> None:
    told = list(of((Outcome(0, timed_out=True), ENTERED, None)).told())
    assert told == ["all tests that got this far ran into the time limit for one test"]
