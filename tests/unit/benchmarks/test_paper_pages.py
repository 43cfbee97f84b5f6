"""The pages of the papers: verdicts follow from the figures, and what is committed is what the committed runs give."""

from __future__ import annotations

import pytest
from benchmarks.evidence.claims import CONFIRMED, OPEN, PAPERS, REFUTED, Compared
from benchmarks.evidence.experiment import Contrast, Measure, Value
from benchmarks.evidence.pages import CONTRASTS, PAGES, STORE, TIMED, pages, verdict
from benchmarks.evidence.paired import find

MEASURE = Measure("branch", "points", 100.0)


def finding(*differences: float):
    runs = [
        Value(f"s{number}", side, 1, {"branch": 0.5 + (one if side == "a" else 0.0)})
        for number, one in enumerate(differences)
        for side in ("a", "b")
    ]
    return find(runs, Contrast("a", "b", (MEASURE,)), MEASURE)


@pytest.mark.parametrize(
    ("differences", "sign", "size", "margin", "p", "expected"),
    [
        ((0.10, 0.11, 0.12), 1, None, 0.0, 0.01, CONFIRMED),
        ((0.10, 0.11, 0.12), -1, None, 0.0, 0.01, REFUTED),
        ((0.10, 0.11, 0.12), 1, None, 0.0, 0.2, OPEN),
        ((0.010, 0.011, 0.012), 1, 5.0, 0.0, 0.2, f"{REFUTED} in size"),
        ((-0.2, 0.3, 0.1), 1, 5.0, 0.0, 0.5, OPEN),
        ((0.001, -0.001, 0.002), 0, None, 2.0, 0.9, CONFIRMED),
        ((0.1, -0.1, 0.2), 0, None, 2.0, 0.9, OPEN),
    ],
)
def test_verdicts_follow_from_the_figures(
    differences: tuple[float, ...], sign: int, size: float | None, margin: float, p: float, expected: str
) -> None:
    assert verdict(Compared("a", "b", "branch", sign, size, margin), finding(*differences), p) == expected


def test_one_subject_decides_nothing() -> None:
    asked = Compared("a", "b", "branch", 1)
    assert verdict(asked, finding(0.4), 0.001) == verdict(asked, None, 1.0) == OPEN


def test_claims_ask_for_what_the_campaign_compares() -> None:
    for paper in PAPERS:
        contrasts = [*CONTRASTS[paper.number], *(CONTRASTS[TIMED] if paper.number == "004" else ())]
        known = {(one.first, one.second, measure.name) for one in contrasts for measure in one.measures}
        asked = [one for claim in paper.claims for one in claim.answers if isinstance(one, Compared)]
        assert {(one.first, one.second, one.measure) for one in asked} <= known


def test_the_pages_are_what_the_runs_give() -> None:
    made = pages(STORE)
    assert {one.name for one in PAGES.glob("*.md")} == set(made)
    for name, text in made.items():
        assert (PAGES / name).read_text(encoding="utf-8") == text, f"python -m benchmarks.evidence.pages writes {name} again"
