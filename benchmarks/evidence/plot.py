"""The plots, as SVG: the same results give the same file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import wrap

import matplotlib

matplotlib.use("svg")

from matplotlib import pyplot
from matplotlib.axes import Axes

from benchmarks.evidence.paired import Finding
from benchmarks.evidence.shares import Share

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#777777")


def plot(found: Sequence[Finding], file: Path) -> None:
    """A panel for each measure: a dot for each subject's difference, and the mean with its interval."""
    measures = list(dict.fromkeys(one.measure for one in found))
    columns = min(4, len(measures))
    lines = -(-len(measures) // columns)
    with pyplot.rc_context({"svg.hashsalt": "crashwright", "font.size": 8, "svg.fonttype": "none"}):
        height = 0.9 + 0.3 * max(sum(one.measure == measure for one in found) for measure in measures)
        figure, axes = pyplot.subplots(lines, columns, figsize=(3.6 * columns, height * lines), layout="constrained", squeeze=False)
        for place, panel in enumerate(axes.flat):
            if place < len(measures):
                _panel(panel, [one for one in found if one.measure == measures[place]], labelled=place % columns == 0)
            else:
                panel.axis("off")
        figure.savefig(file, metadata={"Date": None})
        pyplot.close(figure)


def plot_shares(shares: Sequence[Share], file: Path) -> None:
    """Each here, with its interval, beside what the paper reports."""
    with pyplot.rc_context({"svg.hashsalt": "crashwright", "font.size": 8, "svg.fonttype": "none"}):
        figure, axes = pyplot.subplots(figsize=(7.2, 0.9 + 0.4 * len(shares)), layout="constrained")
        for place, one in enumerate(shares):
            theirs = replace(one, count=one.claimed[0], of=one.claimed[1])
            for shown, colour, up, name in ((one, _COLOURS[0], -0.12, "here"), (theirs, _COLOURS[1], 0.12, "the paper")):
                axes.plot([100 * end for end in shown.interval], [place + up] * 2, "-", color=colour)
                axes.plot([100 * shown.count / shown.of], [place + up], "s", color=colour, label="" if place else name)
        axes.set_yticks(range(len(shares)), ["\n".join(wrap(one.what, 45)) for one in shares])
        axes.set_ylim(len(shares) - 0.5, -0.5)
        axes.set_xlim(0, 100)
        axes.set_xlabel("% of crashes")
        axes.legend()
        figure.savefig(file, metadata={"Date": None})
        pyplot.close(figure)


def _panel(axes: Axes, found: Sequence[Finding], labelled: bool) -> None:
    measure = found[0].measure
    for place, one in enumerate(found):
        values = [measure.scale * pairs.difference for pairs in one.pairs]
        colour = _COLOURS[place % len(_COLOURS)]
        axes.plot(values, [place] * len(values), ".", color=colour, alpha=0.4)
        mean = measure.scale * one.difference
        if len(values) > 1:
            axes.plot([measure.scale * one.low, measure.scale * one.high], [place, place], "-", color=colour)
        axes.plot([mean], [place], "s", color=colour)
    axes.set_yticks(range(len(found)), [f"{one.first} : {one.second}" for one in found] if labelled else [""] * len(found))
    axes.set_ylim(len(found) - 0.5, -0.5)
    axes.axvline(0, color="black", linewidth=0.7)
    axes.set_xlabel(f"{measure.name}: {measure.unit} more")
