"""What the user asks of ``reproduce``: one frozen value, checked once."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field

from crashwright.core.errors import UsageError
from crashwright.core.settings import Budget, SearchSettings
from crashwright.finishing.pytest_file import FORMS

ALGORITHMS = ("guided", "random")
ALLOWANCES = ("network", "processes", "ctypes", "write:FOLDER")
FITNESSES = ("ordered", "weighted-sum")


@dataclass(frozen=True, slots=True)
class Request:
    """``report`` is the text, ``report_name`` what the user called it (``-`` for standard input). ``index`` counts the reports in
    the text from 1; None is the last one. ``frame`` counts from the crash frame (1) outwards. ``output`` is None for a file named
    after the crash in ``folder``."""

    report: str
    report_name: str = "-"
    index: int | None = None
    python: str = ""
    path: tuple[str, ...] = ()
    package: str | None = None
    frame: int | None = None
    budget: Budget = field(default_factory=Budget)
    search: SearchSettings = field(default_factory=SearchSettings)
    allow: tuple[str, ...] = ()
    output: str | None = None
    folder: str = "."
    expect: str = "fail"
    keep_best: bool = False

    def __post_init__(self) -> None:
        _one_of("--algorithm", self.search.algorithm, ALGORITHMS)
        _one_of("--fitness", self.search.fitness, FITNESSES)
        _one_of("--expect", self.expect, FORMS)
        for name in self.allow:
            _one_of("--allow", "write:FOLDER" if name.startswith("write:") else name, ALLOWANCES)
        _positive("--index", self.index)
        _positive("--frame", self.frame)
        _positive("--budget", self.budget.seconds)
        _positive("--evaluations", self.budget.evaluations)

    @property
    def command(self) -> str:
        """The command that repeats this run, without what concerns only this machine or the form of the file."""
        words = ["crashwright", "reproduce", self.report_name]
        default = SearchSettings()
        options = {
            "--index": self.index,
            "--package": self.package,
            "--frame": self.frame,
            "--evaluations": self.budget.evaluations,
            "--fitness": self.search.fitness if self.search.fitness != default.fitness else None,
            "--algorithm": self.search.algorithm if self.search.algorithm != default.algorithm else None,
            "--seed": self.search.seed,
        }
        for folder in self.path:
            words += ["--path", folder]
        for name in self.allow:
            words += ["--allow", name]
        for option, value in options.items():
            if value is not None:
                words += [option, str(value)]
        return shlex.join(words)


def _one_of(option: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise UsageError(f"{option} {value}: no such choice.", f"Choose one of {', '.join(choices)}.")


def _positive(option: str, value: float | None) -> None:
    if value is not None and value <= 0:
        raise UsageError(f"{option} {value:g}: must be more than 0.", f"Leave {option} away for its default.")
