"""What holds for every crash fitness function, on hand-made traces."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

from conforming import Bug, conformance
from hypothesis import given
from hypothesis import strategies as some
from shelf_crash import (
    ELSEWHERE,
    FAR,
    NEAR,
    OTHER_MESSAGE,
    OTHER_TYPE,
    OUTSIDE,
    RIGHT,
    SHORT_CUT,
    SILENT,
    TIMED_OUT,
    called,
    chain,
    judge,
    made,
    trace,
)

from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.goals.crash.fitness import FITNESS, CrashFitness, Maker
from crashwright.engine.goals.crash.score import CrashScore, Variant
from crashwright.engine.instrument.trace import Activation, Trace

WRONG_SIDES = some.one_of(
    some.floats(min_value=0, exclude_min=True, allow_nan=False), some.sampled_from([5e-324, 1e-300, 1e-12, 1.0, 1e300, math.inf])
)
STEPS = [
    [],
    [called(0, (3,))],
    [called(0, (3,), {FAR: 5.0})],
    [called(0, (3,), {FAR: 1.0})],
    [called(0, (3,), {FAR: 0.0})],
    [called(0, (3, 4), {FAR: 0.0, NEAR: 9.0})],
    [called(0, (3, 4), {FAR: 0.0, NEAR: 1.0})],
    [called(0, (3, 4), {FAR: 0.0, NEAR: 0.0})],
]
"""Runs from far to near, up to the target frame's line."""
OUTCOMES = [SILENT, ELSEWHERE, OUTSIDE, OTHER_TYPE, SHORT_CUT, OTHER_MESSAGE, TIMED_OUT]
"""All but the crash."""


def every_run() -> list[tuple[Outcome, list[Activation]]]:
    traces = [*STEPS, chain(0), chain(1), chain(2)]
    return [(outcome, activations) for outcome in (*OUTCOMES, RIGHT) for activations in traces]


def silent(fitness: CrashFitness, *activations: Activation) -> float:
    return fitness.score(SILENT, trace(*activations)).fitness


def it_scores_a_run_by_the_run_alone(maker: Maker) -> None:
    """Whatever was scored before."""
    runs = [(outcome, trace(*activations)) for outcome, activations in every_run()]
    busy = made(maker)
    first = [busy.score(*run) for run in runs]
    assert [busy.score(*run) for run in reversed(runs)] == first[::-1]
    assert [made(maker).score(*run).fitness for run in runs[::9]] == [score.fitness for score in first[::9]]


def it_scores_what_left_no_trace(maker: Maker) -> None:
    """Also a crash at import, where there is no function to come near to."""
    for variant in (Variant(), Variant(block_coverage=False)):
        for fitness in (made(maker, variant), maker(judge(), (), (), variant)):
            for outcome in (*OUTCOMES, RIGHT):
                score = fitness.score(outcome, Trace((), []))
                assert 0 <= score.fitness < math.inf
                assert fitness.score(outcome, trace()).fitness == score.fitness


def its_zero_is_the_whole_crash_and_nothing_else(maker: Maker) -> None:
    fitness = made(maker)
    whole = fitness.score(RIGHT, trace(*chain(2)))
    assert (whole.fitness, whole.level, whole.agreeing, whole.frames) == (0.0, 4, 3, 3)
    others = [fitness.score(outcome, trace(*run)) for outcome, run in every_run() if outcome is not RIGHT]
    assert all(score.fitness > 0 and score.level < 4 for score in others)
    rests = [fitness.score(outcome, trace(*chain(2))) for outcome in (OTHER_MESSAGE, SHORT_CUT, OTHER_TYPE, SILENT)]
    assert 0 < rests[0].fitness < 0.06
    assert all(better.fitness < worse.fitness for better, worse in pairwise(rests[:3]))
    assert [score.level for score in rests] == [3, 2, 0, 0]


def its_quick_look_overlooks_nothing(maker: Maker) -> None:
    fitness = made(maker)
    for outcome, activations in every_run():
        assert fitness.may_be(outcome) or fitness.score(outcome, trace(*activations)).level == 0
    assert not fitness.may_be(SILENT)


def it_improves_with_each_step_to_the_line_of_the_target_frame(maker: Maker) -> None:
    for block_coverage in (True, False):
        fitness = made(maker, Variant(block_coverage=block_coverage))
        scores = [fitness.score(SILENT, trace(*activations)) for activations in (*STEPS, chain(0))]
        assert all(farther.fitness > nearer.fitness for farther, nearer in pairwise(scores))
        assert [score.frames for score in scores] == [0, *[1] * 8]
        told = [score.standing.name for score in scores]
        assert told == ["NOT_ENTERED", "STOPPED", *["WRONG_SIDE"] * 2, "STOPPED", *["WRONG_SIDE"] * 2, "STOPPED", "REACHED"]
        assert {score.level for score in scores} == {0}


def it_is_no_worse_further_down_the_chain(maker: Maker) -> None:
    fitness = made(maker)
    depths = [silent(fitness, *chain(depth)) for depth in range(3)]
    assert all(nearer <= farther for farther, nearer in pairwise(depths))
    assert fitness.score(RIGHT, trace(*chain(2))).fitness < depths[-1]


def its_timeout_is_no_better_than_doing_nothing(maker: Maker) -> None:
    fitness = made(maker)
    assert fitness.score(TIMED_OUT, trace()).fitness >= silent(fitness)


def it_prefers_the_right_side_of_a_decision_to_every_wrong_side(maker: Maker) -> None:
    """SPEC 2, the inversion: a run that took the right side and was stopped before the line. How much of the path began must not
    matter."""

    @given(wrong=WRONG_SIDES, level=some.sampled_from([FAR, NEAR]), begun=some.booleans())
    def holds(wrong: float, level: int, begun: bool) -> None:
        passed = {FAR: 0.0} if level == NEAR else {}
        fitness = made(maker)
        right = silent(fitness, called(0, (3,), {**passed, level: 0.0}))
        astray = silent(fitness, called(0, (3, 4) if begun else (3,), {**passed, level: wrong}))
        assert silent(fitness, *chain(0)) < right < astray < math.inf

    holds()


def it_is_finite_and_no_worse_for_a_nearer_decision(maker: Maker) -> None:
    @given(near=WRONG_SIDES, far=WRONG_SIDES)
    def holds(near: float, far: float) -> None:
        fitness = made(maker)
        farther = silent(fitness, called(0, (3,), {FAR: far}))
        nearer = silent(fitness, called(0, (3, 4), {FAR: 0.0, NEAR: near}))
        stopped = silent(fitness, called(0, (3,), {FAR: 0.0}))
        assert 0 < nearer < stopped < farther < silent(fitness) < math.inf

    holds()


def it_carries_coverage_only_where_that_is_asked_for(maker: Maker) -> None:
    runs = [trace(), trace(called(0, (3,))), trace(called(0, (3, 4), {FAR: 0.0, NEAR: 0.0}))]
    with_it, without = made(maker), made(maker, Variant(block_coverage=False))
    for outcome in (SILENT, ELSEWHERE, OUTSIDE, OTHER_TYPE):
        assert all(without.score(outcome, run).coverage is None for run in runs)
        assert all(with_it.score(outcome, run).coverage is not None for run in runs)


def its_ties_stay_ties_without_coverage(maker: Maker) -> None:
    """Two runs that were stopped at different statements between the same decisions."""
    fitness = made(maker, Variant(block_coverage=False))

    def score(lines: tuple[int, ...]) -> float:
        outer, middle = chain(1)
        return silent(fitness, outer, middle, called(2, lines, {0: 0.0}, middle, 9))

    assert score((12,)) == score((12, 13))


Spoil = Callable[["Broken", Outcome, Trace, CrashScore], CrashScore]


class Broken:
    """A good fitness whose scores are spoiled."""

    def __init__(self, good: CrashFitness, spoil: Spoil, may_be: bool | None) -> None:
        self.name = good.name
        self.scored = 0
        self._good, self._spoil, self._may_be = good, spoil, may_be

    def score(self, outcome: Outcome, run: Trace) -> CrashScore:
        self.scored += 1
        return self._spoil(self, outcome, run, self._good.score(outcome, run))

    def may_be(self, outcome: Outcome) -> bool:
        return self._good.may_be(outcome) if self._may_be is None else self._may_be


def broken(spoil: Spoil = lambda _self, _outcome, _run, score: score, may_be: bool | None = None) -> Maker:
    return lambda *given: Broken(FITNESS["ordered"](*given), spoil, may_be)


def tired(self: Broken, _outcome: Outcome, _run: Trace, score: CrashScore) -> CrashScore:
    return score._replace(fitness=score.fitness + self.scored)


def breaks_without_a_trace(_self: Broken, _outcome: Outcome, run: Trace, score: CrashScore) -> CrashScore:
    if not run.activations:
        raise Bug
    return score


def content_with_a_way(_self: Broken, outcome: Outcome, _run: Trace, score: CrashScore) -> CrashScore:
    return score if outcome is not OTHER_MESSAGE else score._replace(fitness=0.0)


def coarse(_self: Broken, _outcome: Outcome, _run: Trace, score: CrashScore) -> CrashScore:
    return score._replace(fitness=float(int(score.fitness)))


def bored_by_depth(_self: Broken, _outcome: Outcome, _run: Trace, score: CrashScore) -> CrashScore:
    return score._replace(fitness=score.fitness + 3 * score.frames)


def rests_at_timeouts(_self: Broken, outcome: Outcome, _run: Trace, score: CrashScore) -> CrashScore:
    return score._replace(fitness=0.5) if outcome.timed_out else score


def counts_statements(_self: Broken, _outcome: Outcome, run: Trace, score: CrashScore) -> CrashScore:
    """What began counts for more than which side was taken."""
    begun = sum(sum(map(bool, activation.hits)) for activation in run.activations)
    return score._replace(fitness=score.fitness + 100.0 / (1 + begun))


def boundless(_self: Broken, _outcome: Outcome, run: Trace, score: CrashScore) -> CrashScore:
    far = sum(sum(activation.true_distance.values()) for activation in run.activations)
    return score._replace(fitness=score.fitness + far)


def bare(_self: Broken, _outcome: Outcome, _run: Trace, score: CrashScore) -> CrashScore:
    return score._replace(coverage=None)


def splits_ties(_self: Broken, _outcome: Outcome, run: Trace, score: CrashScore) -> CrashScore:
    return score._replace(fitness=score.fitness - 1e-6 * sum(sum(map(bool, one.hits)) for one in run.activations))


test_every_fitness, test_broken_ones_are_refused = conformance(
    FITNESS,
    {
        it_scores_a_run_by_the_run_alone: broken(tired),
        it_scores_what_left_no_trace: broken(breaks_without_a_trace),
        its_zero_is_the_whole_crash_and_nothing_else: broken(content_with_a_way),
        its_quick_look_overlooks_nothing: broken(may_be=False),
        it_improves_with_each_step_to_the_line_of_the_target_frame: broken(coarse),
        it_is_no_worse_further_down_the_chain: broken(bored_by_depth),
        its_timeout_is_no_better_than_doing_nothing: broken(rests_at_timeouts),
        it_prefers_the_right_side_of_a_decision_to_every_wrong_side: broken(counts_statements),
        it_is_finite_and_no_worse_for_a_nearer_decision: broken(boundless),
        it_carries_coverage_only_where_that_is_asked_for: broken(bare),
        its_ties_stay_ties_without_coverage: broken(splits_ties),
    },
)


def test_each_is_called_by_its_name() -> None:
    assert {name: made(maker).name for name, maker in FITNESS.items()} == {name: name for name in FITNESS}
