"""Answers that are counts of crashes: which crashes count, and what follows from how many."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("scipy", reason="the extra `experiments` is not installed")

from benchmarks.comparison.runs import FAILED, Key, Row
from benchmarks.evidence.claims import CONFIRMED, OPEN, PAPERS, REFUTED, Reckoned
from benchmarks.evidence.pages import judged
from benchmarks.evidence.plot import plot_shares
from benchmarks.evidence.shares import QUESTIONS, Outcomes, Records, Share, outcomes, screened, silent


def ran(crash: str, configuration: str, success: int | None, seed: int = 0, ended: str = "budget") -> Row:
    key = Key(crash, 1, configuration, seed, 1_000, "c")
    return Row(key, 1, success, 1_000, 4 if success else 0, 1, 0.0, 1.0, 1.0, ended)


RUNS = [
    ran("a", "weighted-sum/none", 7),
    ran("a", "weighted-sum/none", None, seed=1),
    ran("b", "weighted-sum/none", None),
    ran("c", "weighted-sum/none", 9),
    ran("d", "weighted-sum/none", None, ended=FAILED),
    ran("a", "weighted-sum/bbc", 7),
    ran("b", "weighted-sum/bbc", 8),
]


def composed(level: int, solved: int = 2, agreeing: int = 0) -> dict[str, int]:
    return {"level": level, "solved": solved, "frames": 2, "composed": 2, "agreeing": agreeing}


KNOWN = Records(
    RUNS,
    {"a": composed(4, agreeing=2), "b": composed(2, agreeing=1), "c": composed(0), "e": composed(0, solved=1)},
    {"a": {"buggy": 2}, "b": {"buggy": 2}, "c": {"buggy": None}},
)


def test_runs_that_chose_subjects_are_counted_and_no_others() -> None:
    assert screened(KNOWN, "weighted-sum/none") == {"a": True, "b": False, "c": True}
    assert QUESTIONS["block coverage"](KNOWN) == [Outcomes("weighted-sum/bbc", "weighted-sum/none", 1, 0, 1, 2)]


def test_a_run_in_which_block_coverage_decided_nothing_stands_for_the_one_without_it() -> None:
    silent_run, telling = ran("e", "st-distance/bbc", 5), replace(ran("f", "st-distance/bbc", 5), decided=2)
    both = ran("e", "st-distance/bbc-literal", 5), replace(ran("f", "st-distance/bbc-literal", 5), decided=1)
    known = Records([silent_run, telling, *both], {}, {})
    assert screened(known, "st-distance/none") == {"e": True}
    assert [one.of for one in QUESTIONS["block coverage"](known)] == [1, 1]
    assert silent(known) == (0, 0)
    assert silent(Records([*RUNS, silent_run, ran("e", "st-distance/none", 6)], {}, {})) == (3, 1)


def test_two_are_compared_on_the_crashes_that_both_were_tried_on() -> None:
    (found,) = QUESTIONS["more than STAR"](KNOWN)
    assert (found.only_first, found.only_second, found.both, found.of) == (1, 0, 1, 3)
    assert outcomes("x", {"a": False}, "y", {"a": True}).effect == 0.0


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("majority", [(2, 3)]),
        ("exploited", [(2, 4)]),
        ("whole", [(1, 2)]),
        ("followed", [(3, 3), (1, 3)]),
        ("useful", [(2, 4), (1, 2)]),
    ],
)
def test_shares_are_of_the_crashes_in_question(question: str, expected: list[tuple[int, int]]) -> None:
    assert [(one.count, one.of) for one in QUESTIONS[question](KNOWN)] == expected


def test_a_share_says_how_far_it_may_be_off() -> None:
    one = Share("crash", 31, 129, (31, 52))
    low, high = one.interval
    assert low == pytest.approx(0.175, abs=0.001)
    assert high == pytest.approx(0.321, abs=0.001)
    assert one.p < 0.001


def test_what_is_detectable_needs_six_crashes_one_way() -> None:
    assert Outcomes("x", "y", 0, 0, 0, 6).detectable == pytest.approx(0.964)
    assert Outcomes("x", "y", 0, 0, 0, 1000).detectable < 0.01


@pytest.mark.parametrize(
    ("one", "corrected", "expected"),
    [
        (Share("s", 1, 10, (9, 10)), 0.01, f"{REFUTED} in size"),
        (Share("s", 9, 10, (1, 10)), 0.01, CONFIRMED),
        (Share("s", 9, 10, (1, 10), at_most=True), 0.01, OPEN),
        (Share("s", 1, 10, (9, 10)), 0.2, OPEN),
        (Outcomes("x", "y", 9, 0, 0, 20), 0.01, CONFIRMED),
        (Outcomes("x", "y", 0, 9, 0, 20), 0.01, REFUTED),
        (Outcomes("x", "y", 1, 0, 0, 20), 1.0, OPEN),
    ],
)
def test_verdicts_of_counts_follow_from_the_figures(one: Share | Outcomes, corrected: float, expected: str) -> None:
    assert judged(one, corrected) == expected


def test_claims_ask_questions_that_there_are() -> None:
    asked = [one.question for paper in PAPERS for claim in paper.claims for one in claim.answers if isinstance(one, Reckoned)]
    assert sorted(asked) == sorted(QUESTIONS)


def test_the_plot_of_shares_names_each(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the extra `experiments` is not installed")
    plot_shares([Share("crash at their line", 1, 4, (1, 2)), Share("in all frames", 1, 2, (1, 3))], tmp_path / "p.svg")
    text = (tmp_path / "p.svg").read_text()
    assert "crash at their line" in text
    assert "the paper" in text
