"""Answers that are counts of crashes: what share of them something reaches, and which of two reproduces a crash alone.

They come from every crash that was looked at, not from those that were chosen to be compared: from the campaign's screening runs,
and from the records of ``benchmarks.composition`` and ``benchmarks.usefulness``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from scipy.stats import binom, binomtest  # type: ignore[import-untyped]  # it has no type information

from benchmarks.comparison.runs import FAILED, Row
from benchmarks.comparison.significance import fisher
from benchmarks.evidence.block_coverage import BUILT, FITNESSES, LITERAL, NONE
from benchmarks.evidence.crash_runs import SCREENING_EVALUATIONS, SCREENING_SEED
from benchmarks.evidence.paired import ALPHA, POWER, sign_test

RESULTS: Final = Path(__file__).parents[1] / "results"
EVOCRASH: Final = f"weighted-sum/{NONE}"
WHOLE, REPRODUCED = 3, 4
"""Levels: all frames; and the message, too."""


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many. ``claimed`` is what the paper reports, likewise; ``at_most``: what it speaks of cannot be more than this
    here."""

    what: str
    count: int
    of: int
    claimed: tuple[int, int]
    at_most: bool = False

    @property
    def interval(self) -> tuple[float, float]:
        """Of the share."""
        return interval(self.count, self.of)

    @property
    def p(self) -> float:
        """Fisher's, of equal shares here and in the paper, whose crashes are a sample, too."""
        return fisher(self.count, self.of, *self.claimed)

    @property
    def is_less(self) -> bool:
        """Than the paper's."""
        return self.count / self.of < self.claimed[0] / self.claimed[1]


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Crashes, ``of`` so many that two were both tried on, that only the first, only the second, and both have reproduced."""

    first: str
    second: str
    only_first: int
    only_second: int
    both: int
    of: int

    @property
    def p(self) -> float:
        """McNemar's, exact."""
        return sign_test(self.only_first, self.only_second)

    @property
    def effect(self) -> float:
        """A12: the probability that the first reproduces a crash where the second does not, half of the ties added."""
        return 0.5 + (self.only_first - self.only_second) / (2 * self.of)

    @property
    def detectable(self) -> float:
        """The share of crashes that only one of the two reproduces at which p would have been below 0.05 with a probability of
        80 %."""
        needed = next(one for one in range(1, 99) if sign_test(one, 0) < ALPHA)
        return next(share / 1000 for share in range(1, 1001) if binom.sf(needed - 1, self.of, share / 1000) >= POWER)


def interval(count: int, of: int) -> tuple[float, float]:
    """The 95 % confidence interval of a share, Wilson's."""
    found = binomtest(count, of).proportion_ci(1 - ALPHA, method="wilson")
    return float(found.low), float(found.high)


class Records(NamedTuple):
    """What is counted: the campaign's runs of crashes, the rows of composed tests, and those of usefulness, by crash."""

    crash_runs: Sequence[Row]
    composed: Mapping[str, Mapping[str, Any]]
    useful: Mapping[str, Mapping[str, Any]]


def records(crash_runs: Sequence[Row]) -> Records:
    """With those that the repository holds."""
    composed = json.loads((RESULTS / "composition.json").read_text(encoding="utf-8"))
    useful = json.loads((RESULTS / "usefulness.json").read_text(encoding="utf-8"))["crashes"]
    return Records(crash_runs, {one["key"]["crash"]: one for one in composed}, {one["crash"]: one for one in useful})


def screened(known: Records, configuration: str) -> dict[str, bool]:
    """By crash, whether a run of 1,000 evaluations with seed 0 reproduced it. A run with block coverage in which it decided no tie
    stands for the one without it that was not made: both are the same, test by test (see :func:`silent`)."""
    found = {one.key.crash: one.success is not None for one in _screening(known) if _is_silent(one, configuration)}
    return found | {one.key.crash: one.success is not None for one in _screening(known) if one.key.configuration == configuration}


def silent(known: Records) -> tuple[int, int]:
    """The pairs of runs, with block coverage and without it, in which it decided no tie; and how many of them gave the same."""
    without = {(one.key.crash, one.key.configuration, one.key.seed, one.key.evaluations): one for one in known.crash_runs}
    pairs = same = 0
    for one in known.crash_runs:
        fitness = one.key.configuration.partition("/")[0]
        other = without.get((one.key.crash, f"{fitness}/{NONE}", one.key.seed, one.key.evaluations))
        if other is not None and _is_silent(one, f"{fitness}/{NONE}"):
            pairs += 1
            same += (one.success, one.used, one.fitness) == (other.success, other.used, other.fitness)
    return pairs, same


def _screening(known: Records) -> list[Row]:
    rows = [one for one in known.crash_runs if (one.key.seed, one.key.evaluations) == (SCREENING_SEED, SCREENING_EVALUATIONS)]
    return [one for one in rows if one.ended != FAILED]


def _is_silent(one: Row, configuration: str) -> bool:
    fitness, _, secondary = one.key.configuration.partition("/")
    return configuration == f"{fitness}/{NONE}" and secondary in (BUILT, LITERAL) and not one.decided and one.ended != FAILED


def outcomes(first: str, ours: Mapping[str, bool], second: str, theirs: Mapping[str, bool]) -> Outcomes:
    """On the crashes that both have."""
    common = ours.keys() & theirs.keys()
    pairs = [(ours[one], theirs[one]) for one in common]
    return Outcomes(first, second, pairs.count((True, False)), pairs.count((False, True)), pairs.count((True, True)), len(common))


def _block_coverage(known: Records) -> list[Outcomes]:
    found = list[Outcomes]()
    for fitness in FITNESSES:
        without = f"{fitness}/{NONE}"
        for secondary in (LITERAL, BUILT):
            name = f"{fitness}/{secondary}"
            found.append(outcomes(name, screened(known, name), without, screened(known, without)))
    return [one for one in found if one.of]


def _majority(known: Records) -> list[Share]:
    found = screened(known, EVOCRASH)
    return [Share("reproduced in all frames with the message, in 1,000 tests", sum(found.values()), len(found), (41, 50))]


def _more_than_star(known: Records) -> list[Outcomes]:
    star = {crash: row["level"] == REPRODUCED for crash, row in known.composed.items()}
    return [outcomes("EvoCrash's search, 1,000 tests", screened(known, EVOCRASH), "composed tests", star)]


def _exploited(known: Records) -> list[Share]:
    levels = [row["level"] for row in known.composed.values()]
    return [Share("crash at the line of the report", sum(level > 0 for level in levels), len(levels), (31, 52))]


def _whole(known: Records) -> list[Share]:
    levels = [row["level"] for row in known.composed.values() if row["level"]]
    return [Share("of these in all frames", sum(level >= WHOLE for level in levels), len(levels), (20, 31))]


def _followed(known: Records) -> list[Share]:
    solved = [row for row in known.composed.values() if row["solved"] == row["frames"]]
    reproduced = sum(row["level"] == REPRODUCED for row in solved)
    composed = sum(row["composed"] == row["frames"] for row in solved)
    return [
        Share(
            "of crashes with a precondition of the outermost frame: tests of that frame are composed",
            composed,
            len(solved),
            (26, 31),
        ),
        Share("of the same: one of the tests crashes as reported", reproduced, len(solved), (26, 31)),
    ]


def _useful(known: Records) -> list[Share]:
    exploited = [crash for crash, row in known.composed.items() if row["level"]]
    judged = {crash: one["buggy"] for crash, one in known.useful.items() if one["buggy"] is not None and crash in known.composed}
    reached = [one for one in exploited if one in judged and known.composed[one]["agreeing"] >= judged[one]]
    claimed = (22, 52)
    return [
        Share("crash at the line of the report, of all", len(exploited), len(known.composed), claimed, at_most=True),
        Share(
            "crash there and reach the frame of the bug, of those where it is known",
            len(reached),
            len(judged),
            claimed,
            at_most=True,
        ),
    ]


QUESTIONS: Final[Mapping[str, Callable[[Records], Sequence[Share] | Sequence[Outcomes]]]] = {
    "block coverage": _block_coverage,
    "majority": _majority,
    "more than STAR": _more_than_star,
    "exploited": _exploited,
    "whole": _whole,
    "followed": _followed,
    "useful": _useful,
}


def _stand_ins(known: Records) -> str:
    pairs, same = silent(known)
    made = {one.key.crash for one in _screening(known) if one.key.configuration == f"st-distance/{NONE}"}
    stand_ins = len(screened(known, f"st-distance/{NONE}").keys() - made)
    return (
        f"One run of {SCREENING_EVALUATIONS:,} tests each. Where block coverage decides no tie, the run is the one without it, "
        f"test by test: {same} of {pairs} such pairs of runs in the campaign gave the same to the digit. So for {stand_ins} "
        f"crashes a run in which it decided none stands for that of st-distance/{NONE}, which was made for {len(made)} others."
    )


NOTES: Final[Mapping[str, Callable[[Records], str]]] = {"block coverage": _stand_ins}
"""What is to be said of the figures of a question."""
