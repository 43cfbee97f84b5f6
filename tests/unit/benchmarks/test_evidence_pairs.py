"""What pairs of runs say of two configurations."""

from __future__ import annotations

import math

import pytest

pytest.importorskip("scipy", reason="the extra `experiments` is not installed")

from benchmarks.evidence.experiment import Contrast, Measure, Value
from benchmarks.evidence.paired import find, findings, holm, paired, sign_test, spread

BRANCH, SUCCESS = Measure("branch", "points", 100.0), Measure("success", "points", 100.0, binary=True)
CONTRAST = Contrast("new", "old", (BRANCH, SUCCESS))


def values(subject: str, configuration: str, branch: list[float], success: str = "") -> list[Value]:
    """Of seeds 1 to N."""
    marks = success or "0" * len(branch)
    return [
        Value(subject, configuration, seed, {"branch": one, "success": float(mark)})
        for seed, (one, mark) in enumerate(zip(branch, marks, strict=True), 1)
    ]


def test_only_seeds_that_both_have_are_compared() -> None:
    made = [*values("m", "new", [0.5, 0.9, 0.1]), *values("m", "old", [0.25, 0.25]), *values("lonely", "new", [1.0])]
    [pairs] = paired(made, CONTRAST, "branch")
    assert (pairs.subject, pairs.first, pairs.second) == ("m", (0.5, 0.9), (0.25, 0.25))
    assert pairs.difference == pytest.approx(0.45)
    assert find(made, Contrast("new", "other", ()), BRANCH) is None


def test_subjects_count_alike_whatever_their_seeds() -> None:
    made = [*values("a", "new", [0.4] * 4), *values("a", "old", [0.0] * 4), *values("b", "new", [0.0]), *values("b", "old", [0.2])]
    found = find(made, CONTRAST, BRANCH)
    assert found is not None
    assert found.difference == pytest.approx(0.1)
    assert found.low < 0 < found.high
    assert (found.counts(), found.runs) == ((1, 1, 0), 5)
    assert found.detectable > found.high - found.difference


def test_of_success_the_pairs_that_differ_are_counted() -> None:
    made = [*values("a", "new", [0.0] * 4, "1110"), *values("a", "old", [0.0] * 4, "1001")]
    found = find(made, CONTRAST, SUCCESS)
    assert found is not None
    assert found.discordant == (2, 1)
    assert found.discordant_p == 1.0
    assert found.difference == pytest.approx(0.25)


def test_one_subject_alone_is_told_by_its_seeds_corrected_for_their_number() -> None:
    made = [*values("a", "new", [0.0] * 10, "1" * 10), *values("a", "old", [0.0] * 10, "0" * 10)]
    made += [*values("b", "new", [0.0] * 10, "1" * 5 + "0" * 5), *values("b", "old", [0.0] * 10, "0" * 10)]
    found = find(made, CONTRAST, SUCCESS)
    assert found is not None
    assert [round(one.p(True), 3) for one in found.pairs] == [0.0, 0.033]
    assert found.significant() == (2, 0)


def test_each_measure_is_corrected_for_its_contrasts() -> None:
    made = [value for number in range(6) for value in (*values(f"m{number}", "new", [1.0]), *values(f"m{number}", "old", [0.5]))]
    made += [value for number in range(6) for value in values(f"m{number}", "third", [0.5])]
    [one, _, other, _] = findings(made, (CONTRAST, Contrast("old", "third", (BRANCH, SUCCESS))))
    assert one[0].p == pytest.approx(0.03125)
    assert one[1] == pytest.approx(0.0625)
    assert other[1] == 1.0


def test_holm_corrects_step_by_step() -> None:
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([]) == []


def test_the_interval_is_students_and_one_subject_has_none() -> None:
    half, detectable = spread([1.0, 2.0, 3.0])
    assert half == pytest.approx(4.3027 / math.sqrt(3), rel=1e-4)
    assert detectable == pytest.approx((4.3027 + 1.0607) / math.sqrt(3), rel=1e-4)
    assert spread([1.0]) == (math.inf, math.inf)
    assert sign_test(6, 0) == pytest.approx(0.03125)
    assert sign_test(0, 0) == 1.0
