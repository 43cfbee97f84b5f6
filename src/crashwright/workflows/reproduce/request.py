"""What the user asks of ``reproduce``: one frozen value, checked once."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field

from crashwright.core.errors import UsageError
from crashwright.core.report import CrashReport
from crashwright.core.settings import Budget, SearchSettings
from crashwright.crash.suggested import STANDARD_INPUT, CandidateText
from crashwright.finishing.crash.pytest_file import FORMS
from crashwright.workflows.fixed_side import Fixed
from crashwright.workflows.hunting.choices import check_choices, one_of, positive
from crashwright.workflows.reproduce.suggesting import CALLS, Suggestion

SEARCH_CHOICES = {
    "engine": ("search", "portfolio", "symbolic"),
    "strategy": ("cores", "paper"),
    "algorithm": ("guided", "random"),
    "fitness": ("ordered", "weighted-sum", "st-distance"),
    "trace_distance": ("closest", "prefix"),
    "secondary": ("bbc", "bbc-literal", "none"),
    "operators": ("extended", "evocrash"),
    "schedule": ("grow", "restart"),
    "flags": ("none", "interprocedural"),
}
"""What may stand in the fields of ``SearchSettings`` that are options."""


@dataclass(frozen=True, slots=True)
class Request:
    """``report`` is the text, ``report_name`` what the user called it (``-`` for standard input). ``index`` counts the reports in
    the text from 1, members of groups as ``2.1``; None is the last one. ``frame`` counts from the crash frame (1) outwards.
    ``output`` is a file or a folder, None for ``folder``; with ``force`` the file is overwritten, whoever wrote it. ``cache``: what
    was found is kept, and tried first again.
    ``jobs`` engines search at the same time. ``setup`` (``module:function``) is called before each test."""

    report: str
    report_name: str = "-"
    index: str | None = None
    python: str = ""
    path: tuple[str, ...] = ()
    package: str | None = None
    frame: int | None = None
    budget: Budget = field(default_factory=Budget)
    search: SearchSettings = field(default_factory=SearchSettings)
    allow: tuple[str, ...] = ()
    output: str | None = None
    force: bool = False
    folder: str = "."
    expect: str = "fail"
    keep_best: bool = False
    cache: bool = True
    jobs: int = 1
    setup: str = ""
    candidates: tuple[CandidateText, ...] = ()
    """What somebody suggests as reproductions; the code blocks of the report are others."""
    suggest: str = ""
    """The command of a program that is asked for candidates ..."""
    suggest_calls: int = CALLS
    """... at most so often."""
    suggestions: tuple[Suggestion, ...] = ()
    """What such a program has answered to an earlier run."""
    fixed: Fixed = field(default_factory=Fixed)
    """Where the bug is fixed: tests that turn green there are preferred."""
    asked_python: str = ""
    """The interpreter as the user named it, "" where it is that of crashwright."""
    known: CrashReport | None = None
    """The report, where it has been read already; ``report`` is then what stands around it."""
    origin: tuple[str, ...] = ()
    """The words that name it to ``crashwright reproduce``, where these are more than ``report_name``."""

    def __post_init__(self) -> None:
        for name, choices in SEARCH_CHOICES.items():
            one_of(_option(name), getattr(self.search, name), choices)
        one_of("--expect", self.expect, FORMS)
        check_choices(self.frame, self.allow)
        if self.setup and not all(part.isidentifier() for part in self.setup.replace(":", ".", 1).split(".")):
            raise UsageError(f"--setup {self.setup}: this is not the name of a function.", "Give a function as MODULE:FUNCTION.")
        if self.setup and ":" not in self.setup:
            raise UsageError(f"--setup {self.setup}: the function is missing.", "Give a function as MODULE:FUNCTION.")
        positive("--budget", self.budget.seconds)
        positive("--evaluations", self.budget.evaluations)
        positive("--jobs", self.jobs)
        positive("--candidate-calls", self.suggest_calls)
        _check_command(self.suggest)

    @property
    def command(self) -> str:
        """The command that repeats this run, without what concerns only this machine or the form of the file."""
        words = ["crashwright", "reproduce", *(self.origin or (self.report_name,))]
        default = SearchSettings()
        chosen = {
            _option(name): value for name in SEARCH_CHOICES if (value := getattr(self.search, name)) != getattr(default, name)
        }
        options: dict[str, str | int | None] = {
            "--report-number": self.index,
            "--python": self.asked_python or None,
            "--package": self.package,
            "--target-frame": self.frame,
            "--evaluations": self.budget.evaluations,
            "--setup": self.setup or None,
            "--jobs": self.jobs if self.jobs != 1 else None,
            **chosen,
            "--seed": self.search.seed,
        }
        for folder in self.path:
            words += ["--path", folder]
        words += self.fixed.options
        for candidate in self.candidates:
            words += ["--candidate", "-" if candidate.name == STANDARD_INPUT else candidate.name]
        for name in self.allow:
            words += ["--allow", name]
        for name in self.search.switched_off:
            words += ["--without", name]
        for mechanism in self.search.also:
            words += ["--also", mechanism.value]
        for option, value in options.items():
            if value is not None:
                words += [option, str(value)]
        return shlex.join(words)


def _check_command(command: str) -> None:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(
            f"--candidate-program {command}: {error}.", "Write the command as in a shell; it is run without one."
        ) from None
    if command and not words:
        raise UsageError("--candidate-program has no command.", "Name a program.")


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")
