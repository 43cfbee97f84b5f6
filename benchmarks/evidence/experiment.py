"""What an experiment of the evidence is: runs in a fixed order, and what to compare in them.

The order is by seeds: every subject with every configuration and seed 1, then seed 2, and so on. The runs of one subject with one
seed follow each other, so that whenever time is up all but one subject have all configurations of as many seeds, or of one seed
less.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

Stop = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Job:
    """A run that is missing. ``make`` stores it and returns it as a line of progress; None where it was stopped, and nothing is
    stored."""

    name: str
    make: Callable[[Stop], str | None]


@dataclass(frozen=True, slots=True)
class Value:
    """What one run gave, by measure. A run without a result (failed, wall limit) has none."""

    subject: str
    configuration: str
    seed: int
    measures: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Measure:
    """Something that is compared. ``scale`` turns it into what is printed in ``unit``."""

    name: str
    unit: str
    scale: float = 1.0
    binary: bool = False
    """It is 0 or 1: success."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """``first`` against ``second``; they are configurations' names."""

    first: str
    second: str
    measures: tuple[Measure, ...]


@dataclass(frozen=True, slots=True)
class Tallied:
    """Runs by how they ended, of ``planned``, with ``seeds`` 1 to N; ``screening`` runs chose subjects and are not compared."""

    made: Mapping[str, int]
    planned: int
    seeds: int
    screening: int
    notes: Sequence[str]
    """What was not run, and why, in words; what engines said."""


class Experiment(Protocol):
    """One paper's question."""

    number: str
    title: str
    method: str
    """How it is done, in Markdown."""
    contrasts: tuple[Contrast, ...]

    def next(self) -> Job | None:
        """The run to make next, None where all are made. What is made is looked up in the store each time, so that it makes no
        difference whether it was made now or before somebody killed the command."""

    def spent(self) -> float:
        """CPU seconds of the runs made."""

    def subjects(self) -> Sequence[str]:
        """What is compared so far."""

    def values(self) -> list[Value]:
        """The results so far."""

    def tallied(self) -> Tallied:
        """How much was run."""

    def details(self) -> str:
        """More of what it found, in Markdown."""
