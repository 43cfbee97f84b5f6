"""What goals read off an activation: the short ways tell the same as the whole view; and what is wanted is told once."""

from __future__ import annotations

import contextlib
import operator
import random
from types import ModuleType

import pytest

from crashwright.core.location import CodeKey
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.instrument.trace import INFINITE
from crashwright.engine.instrument.variants import ProbedModule

SOURCE = """
def walk(items, word):
    count = 0
    for item in items:
        if item > 3 and word:
            count += 1
        elif item == -1:
            break
    try:
        return 10 // count
    except ZeroDivisionError:
        return word.startswith("abc")
    except:
        return None
"""


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def subject(recorder: Recorder) -> ModuleType:
    module = ModuleType("subject")
    exec(ProbedModule("subject", SOURCE, "subject.py", {CodeKey("subject", "walk", 2)}, recorder).compile(None), module.__dict__)
    return module


CALLS = [([], ""), ([1], "x"), ([5, -1], "y"), ([4], ""), ([-1, 2], "abcd"), (["a"], "z"), ([0, 9], "")]


def run(recorder: Recorder, subject: ModuleType, items: list[object], word: str) -> None:
    recorder.reset()
    with contextlib.suppress(TypeError):  # an item that cannot be compared is one of the calls
        subject.walk(items, word)


@pytest.mark.parametrize("call", CALLS)
def test_single_distances_are_those_of_the_view(recorder: Recorder, subject: ModuleType, call: tuple[list[object], str]) -> None:
    run(recorder, subject, *call)
    [activation] = recorder.trace().activations
    predicates = range(len(recorder.functions[0].predicates))
    assert [activation.distance_to(p, True) for p in predicates] == [activation.true_distance.get(p) for p in predicates]
    assert [activation.distance_to(p, False) for p in predicates] == [activation.false_distance.get(p) for p in predicates]
    assert list(activation.marks[: len(activation.hits)]) == list(activation.hits)


def test_beyond_is_what_is_reached_and_not_known(recorder: Recorder, subject: ModuleType) -> None:
    rng = random.Random(1)
    known = 0
    for call in CALLS * 3:
        run(recorder, subject, *call)
        [activation] = recorder.trace().activations
        reached = activation.reached()
        for some in (0, known, reached, known & rng.getrandbits(600)):
            assert activation.beyond(some) == reached & ~some
        known |= reached


def test_wanted_values_are_taken_once(recorder: Recorder) -> None:
    state = [0.0, 0.0, 0.0]

    def want(*values: object) -> None:
        for value in values:
            recorder.probes.eq(state, 0, False, -1, value, None)

    recorder.note_wanted(True)
    assert recorder.take_wanted() == ()
    want(1, 2, "a")
    assert recorder.take_wanted() == (1, 2, "a")
    want(2, 3, 1.0)
    assert recorder.take_wanted() == (3, 1.0)
    assert recorder.take_wanted() == ()
    want(*range(100, 500))
    assert recorder.take_wanted() == tuple(range(244, 500))
    recorder.note_wanted(True)
    want(7)
    assert recorder.take_wanted() == (7,)


def test_what_a_run_wanted_that_was_cut_off_is_forgotten(recorder: Recorder) -> None:
    state = [0.0, 0.0, 0.0]
    recorder.note_wanted(True)
    for value in ("kept", "dropped"):
        recorder.reset()
        recorder.probes.eq(state, 0, False, -1, value, None)
    recorder.drop_wanted()
    assert recorder.take_wanted() == ("kept",)


def test_operands_of_orderings_are_wanted_where_they_are_no_small_numbers(recorder: Recorder) -> None:
    recorder.note_wanted(True)

    def ordered(*pairs: tuple[object, object]) -> tuple[object, ...]:
        for probe, operation in ((recorder.probes.lt, operator.lt), (recorder.probes.le, operator.le)):
            for lesser, greater in pairs:
                probe([INFINITE, INFINITE, 0], 0, operation(lesser, greater), lesser, greater, None)
        return recorder.take_wanted()

    assert ordered((3, 70_000)) == ()
    recorder.note_orders(True)
    assert ordered((3, 70_000), (-5_000, 9_000), (7, 200), (10_000, 10_001), (0.5, 70_001.0), (80_000, 1)) == (
        70_000,
        -5_000,
        9_000,
        80_000,
    )
    recorder.note_orders(False)
    assert ordered((3, 90_000)) == ()


def test_what_was_compared_is_noted_with_what_was_wanted_in_its_place(recorder: Recorder) -> None:
    state = [0.0, 0.0, 0.0]
    probes = recorder.probes
    recorder.note_wanted(True)
    recorder.note_answers(True)
    probes.eq(state, 0, False, "given", "wanted", None)
    probes.ne(state, 0, True, b"one", b"two", None)
    probes.eq(state, 0, False, 3, 7, None)
    probes.eq(state, 0, False, 3, "7", None)
    probes.eq(state, 0, False, "", "7", None)
    probes.in_(state, 0, False, "key", {"known": 1}, None)
    probes.in_(state, 0, False, "x", "text", None)
    probes.startswith(state, 0, False, "alpha", ("be",), None)
    probes.endswith(state, 0, False, "alpha", "bet", None)
    assert recorder.answers() == (
        *(("given", "wanted"), (b"one", b"two"), (3, 7), ("key", "known"), ("text", "xtext")),
        *(("alpha", "bepha"), ("al", "be"), ("alpha", "albet"), ("pha", "bet")),
    )
    recorder.note_answers(False)
    recorder.note_wanted(True)
    probes.eq(state, 0, False, "given", "wanted", None)
    assert recorder.answers() == ()


def test_all_keys_of_a_large_table_are_noted_in_turn(recorder: Recorder) -> None:
    recorder.note_wanted(True)
    recorder.note_answers(True)
    table = {f"key{number}": number for number in range(100)}
    for _ in range(15):
        recorder.probes.in_([0.0, 0.0, 0.0], 0, False, "x", table, None)
    assert {wanted for _, wanted in recorder.answers()} == set(table)
