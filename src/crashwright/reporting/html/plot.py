"""Where the lines of a plot run, in the units of its drawing: the template draws them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

WIDTH, HEIGHT = 640, 150
_LEFT, _RIGHT, _TOP, _BOTTOM = 72, 12, 12, 28
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


class Tick(NamedTuple):
    """A mark on an axis at ``at``, in the drawing's units."""

    at: float
    text: str


class PlotLine(NamedTuple):
    """A line of the plot: ``points`` as SVG has them, its last point, and what it is."""

    points: str
    end: tuple[float, float]
    name: str


class Plot(NamedTuple):
    """``left``, ``right``, ``top`` and ``bottom`` are the box that the lines lie in."""

    title: str
    description: str
    lines: tuple[PlotLine, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = _LEFT
    right: int = WIDTH - _RIGHT
    top: int = _TOP
    bottom: int = HEIGHT - _BOTTOM


class Series(NamedTuple):
    """Values that hold from their time on."""

    name: str
    points: Sequence[tuple[float, float]]


def plot(title: str, description: str, series: Sequence[Series], unit: str, most: float | None = None) -> Plot | None:
    """Steps over time; None where there is nothing to draw. ``most`` is the top of the scale, where that is known."""
    finite = [Series(one.name, [point for point in one.points if all(map(math.isfinite, point))]) for one in series]
    drawn = [one for one in finite if one.points]
    if not drawn:
        return None
    longest = max(x for one in drawn for x, _ in one.points) or 1.0
    highest = (most if most is not None else max(y for one in drawn for _, y in one.points)) or 1.0
    across, up = ticks(longest), ticks(highest, whole=most is not None)
    width, height = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM

    def place(x: float, y: float) -> tuple[float, float]:
        return round(_LEFT + width * x / longest, 1), round(_TOP + height * (1 - min(y, highest) / highest), 1)

    lines = []
    for one in drawn:
        steps = [place(*one.points[0])]
        for x, y in one.points[1:]:
            at = place(x, y)
            steps += [(at[0], steps[-1][1]), at]
        lines.append(PlotLine(" ".join(f"{x:g},{y:g}" for x, y in steps), steps[-1], one.name))
    return Plot(
        title,
        description,
        tuple(lines),
        tuple(Tick(place(value, 0)[0], f"{value:g} {unit}") for value in across),
        tuple(Tick(place(0, value)[1], f"{value:g}") for value in up),
    )


def ticks(highest: float, whole: bool = False) -> tuple[float, ...]:
    """About four round numbers from 0 to ``highest``."""
    power = 10.0 ** math.floor(math.log10(highest / 4))
    step = next(power * one for one in _STEPS if power * one * 4 >= highest * 0.999)
    if whole:
        step = max(1.0, math.ceil(step))
    return tuple(round(step * number, 12) for number in range(int(highest / step * 1.001) + 1))
