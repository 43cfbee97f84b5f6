"""Which run is made next: experiments share the time evenly, each in its own order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from benchmarks.evidence.experiment import Experiment, Job, Stop


def turn(experiments: Sequence[Experiment]) -> tuple[Experiment, Job] | None:
    """Of the experiments that lack runs the one that has had least time; None where all is done."""
    waiting = [(one, job) for one in experiments if (job := one.next()) is not None]
    return min(waiting, key=lambda pair: pair[0].spent()) if waiting else None


def work(experiments: Sequence[Experiment], over: Stop, tell: Callable[[str], None]) -> bool:
    """Make what is missing, until all is done (True) or ``over``."""
    while not over():
        found = turn(experiments)
        if found is None:
            return True
        experiment, job = found
        line = job.make(over)
        tell(f"{experiment.number}  {job.name} stopped" if line is None else f"{experiment.number}  {line}")
    return False
