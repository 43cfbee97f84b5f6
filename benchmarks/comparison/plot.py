"""The plot of the comparison: success ratios over the crashes, and how many runs succeed within N evaluations."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib

matplotlib.use("svg")

from matplotlib import pyplot
from matplotlib.axes import Axes

from benchmarks.comparison.analysis import Block

_COLOURS = {"random": "#777777", "ordered": "#0072b2", "weighted-sum": "#d55e00", "st-distance": "#009e73"}


def plot(solved: Sequence[Block], configurations: Sequence[str], evaluations: int, file: Path) -> None:
    """Write the plot of the blocks that some run reproduces as SVG. The same blocks give the same file."""
    with pyplot.rc_context({"svg.hashsalt": "crashwright", "font.size": 9, "svg.fonttype": "none"}):
        figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
        _ratios(left, solved, configurations)
        _curves(right, solved, configurations, evaluations)
        figure.savefig(file, metadata={"Date": None})
        pyplot.close(figure)


def _ratios(axes: Axes, solved: Sequence[Block], configurations: Sequence[str]) -> None:
    """As figure 2 of paper 000: median, quartiles, and the mean as a square."""
    ratios = [[block.samples[name].ratio for block in solved] for name in configurations]
    mean = {"marker": "s", "markerfacecolor": "white", "markeredgecolor": "black"}
    boxes = axes.boxplot(ratios, orientation="horizontal", showmeans=True, meanprops=mean, patch_artist=True)
    for box, name in zip(boxes["boxes"], configurations, strict=True):
        box.set_facecolor(_colour(name))
        box.set_alpha(1.0 if name.endswith("+bbc") else 0.4)
    axes.set_yticks(range(1, len(configurations) + 1), configurations)
    axes.invert_yaxis()
    axes.set_xlim(-0.03, 1.03)
    axes.set_xlabel(f"success ratio of a crash ({len(solved)} crashes; square: mean)")


def _curves(axes: Axes, solved: Sequence[Block], configurations: Sequence[str], evaluations: int) -> None:
    """The share of (crash, seed) runs that have reproduced their crash after N evaluations."""
    for name in configurations:
        runs = sum(block.samples[name].runs for block in solved)
        found = sorted(value for block in solved for value in _successes(block, name))
        shares = [0.0, *((number + 1) / runs for number in range(len(found)))]
        style = "-" if name.endswith("+bbc") else "--"
        axes.step([1, *found, evaluations], [*shares, shares[-1]], style, where="post", color=_colour(name), label=name)
    axes.set_xscale("log")
    axes.set_xlim(1, evaluations)
    axes.set_ylim(0, 1)
    axes.set_xlabel("evaluations")
    axes.set_ylabel("share of runs that reproduced the crash")
    axes.legend(fontsize=8)


def _successes(block: Block, name: str) -> Sequence[int]:
    """The evaluations of the runs that succeeded: the smallest ones, since failures stand at the full budget."""
    sample = block.samples[name]
    return sorted(sample.evaluations)[: sample.successes]


def _colour(name: str) -> str:
    return _COLOURS.get(name.removesuffix("+bbc"), "#000000")
