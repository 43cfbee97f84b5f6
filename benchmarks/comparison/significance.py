"""Tests of significance by scipy (extra ``experiments``): the papers' two for one crash, and one over crashes."""

from __future__ import annotations

from collections.abc import Sequence

from scipy.stats import fisher_exact, mannwhitneyu, wilcoxon  # type: ignore[import-untyped]  # it has no type information

ALPHA = 0.01


def fisher(successes: int, runs: int, other_successes: int, other_runs: int) -> float:
    """The p-value of Fisher's exact test, two-sided, of equal odds of success."""
    table = [[successes, runs - successes], [other_successes, other_runs - other_successes]]
    return float(fisher_exact(table)[1])


def rank_sum(first: Sequence[float], second: Sequence[float]) -> float:
    """The p-value of the Wilcoxon rank-sum (Mann-Whitney) test, two-sided: exact for few values without ties, else the normal
    approximation with corrections for ties and continuity."""
    if len({*first, *second}) == 1:
        return 1.0
    return float(mannwhitneyu(first, second, alternative="two-sided").pvalue)


def signed_rank(differences: Sequence[float]) -> float:
    """The p-value of the Wilcoxon signed-rank test, two-sided, of differences around 0; those of 0 are left out."""
    # Rounded: 0.9 - 0.8 and 0.3 - 0.2 are the same difference, and share a rank.
    kept = [rounded for one in differences if (rounded := round(one, 9))]
    return float(wilcoxon(kept).pvalue) if kept else 1.0
