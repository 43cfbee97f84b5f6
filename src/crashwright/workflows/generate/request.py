"""What the user asks of ``generate``: one frozen value, checked once."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field

from crashwright.core.errors import UsageError
from crashwright.core.mechanisms import Mechanism
from crashwright.core.settings import Budget, SearchSettings
from crashwright.core.suite import CRITERIA
from crashwright.crash.suggested import CandidateText
from crashwright.finishing.suite.parameters import MOST_TESTS
from crashwright.workflows.hunting.choices import check_choices, one_of, positive

ALGORITHMS = ("dynamosa", "mosa", "whole-suite", "random")
SELECTIONS = ("all", "smart", "smart-no-subsumption")
FLAGS = ("none", "interprocedural")
ENGINES = ("search", "portfolio")
ALGORITHM = "dynamosa"
ENGINE = "search"
SELECTION = "all"
WITH_FLAGS = "interprocedural"


def suite_search(
    algorithm: str = ALGORITHM,
    seed: int = 1,
    without: tuple[Mechanism, ...] = (),
    engine: str = ENGINE,
    without_rows: tuple[str, ...] = (),
    also: tuple[Mechanism, ...] = (),
) -> SearchSettings:
    """How the engine searches for a suite."""
    return SearchSettings(algorithm=algorithm, seed=seed, without=without, engine=engine, without_rows=without_rows, also=also)


@dataclass(frozen=True, slots=True)
class Part:
    """Where the module is one of several, each in a process of its own. ``command`` repeats the whole. The tests are to stand in
    ``file``, which now holds ``present``, None where it is not there. ``seconds``: when all must be over."""

    command: str
    file: str
    present: str | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class SuiteRequest:
    """``subject`` is a module, a package or a file. ``output`` is the folder for the files, or a file; None for ``tests`` in
    ``folder`` where that is there, else ``folder``. ``targets`` confines the goals to functions and classes. ``existing_tests`` is
    a folder whose tests need not be made again; ``update`` replaces what an earlier run wrote, ``force`` the whole file."""

    subject: str
    python: str = ""
    path: tuple[str, ...] = ()
    output: str | None = None
    targets: tuple[str, ...] = ()
    criteria: tuple[str, ...] = CRITERIA
    selection: str = SELECTION
    flags: str = WITH_FLAGS
    """As of crashes (``SearchSettings.flags``); here they come into the search later."""
    budget: Budget = field(default_factory=Budget)
    search: SearchSettings = field(default_factory=suite_search)
    jobs: int = 1
    existing_tests: str | None = None
    update: bool = False
    force: bool = False
    allow: tuple[str, ...] = ()
    accidents: bool = False
    """Also tests of exceptions that the code does not raise on purpose, where they alone take a branch."""
    most_tests: int = MOST_TESTS
    """Test functions for one function of the module, where they can be cases of others."""
    keep_redundant: bool = False
    """Also tests that take no branch and kill no mutant that the others leave."""
    candidates: tuple[CandidateText, ...] = ()
    """What somebody suggests as tests."""
    cache: bool = True
    """What engines read is kept between runs."""
    folder: str = "."
    asked_python: str = ""
    """The interpreter as the user named it, "" where it is that of crashwright."""
    part: Part | None = None
    """Of a package its ``__init__`` alone is meant then."""

    def __post_init__(self) -> None:
        for criterion in self.criteria:
            one_of("--criteria", criterion, CRITERIA)
        if not self.criteria:
            raise UsageError("--criteria has no criteria.", f"Choose from {', '.join(CRITERIA)}.")
        one_of("--selection", self.selection, SELECTIONS)
        one_of("--flags", self.flags, FLAGS)
        one_of("--algorithm", self.search.algorithm, ALGORITHMS)
        one_of("--engine", self.search.engine, ENGINES)
        check_choices(None, self.allow)
        if self.update and self.force:
            raise UsageError("--update keeps what you wrote, --force does not.", "Use one of them.")
        for option, value in (
            ("--budget", self.budget.seconds),
            ("--evaluations", self.budget.evaluations),
            ("--jobs", self.jobs),
            ("--max-per-function", self.most_tests),
        ):
            positive(option, value)

    @property
    def command(self) -> str:
        """The command that repeats this run, without what concerns only this machine."""
        return self.part.command if self.part is not None else self.command_for(self.subject)

    def command_for(self, *subjects: str) -> str:
        """The same for others."""
        words = ["crashwright", "generate", *subjects]
        for option, values in (
            ("--path", self.path),
            ("--target", self.targets),
            ("--allow", self.allow),
            ("--candidate", [one.name for one in self.candidates]),
            ("--without", self.search.switched_off),
            ("--also", tuple(one.value for one in self.search.also)),
        ):
            for value in values:
                words += [option, value]
        options = {
            "--python": self.asked_python or None,
            "--criteria": ",".join(self.criteria) if self.criteria != CRITERIA else None,
            "--selection": self.selection if self.selection != SELECTION else None,
            "--flags": self.flags if self.flags != WITH_FLAGS else None,
            "--algorithm": self.search.algorithm if self.search.algorithm != ALGORITHM else None,
            "--engine": self.search.engine if self.search.engine != ENGINE else None,
            "--existing-tests": self.existing_tests,
            "--max-per-function": self.most_tests if self.most_tests != MOST_TESTS else None,
            "--jobs": self.jobs if self.jobs != 1 else None,
            "--budget": f"{self.budget.seconds:g}" if self.budget.seconds is not None else None,
            "--evaluations": self.budget.evaluations,
            "--seed": self.search.seed,
        }
        for option, chosen in options.items():
            if chosen is not None:
                words += [option, str(chosen)]
        if self.accidents:
            words.append("--accidental-exceptions")
        if self.keep_redundant:
            words.append("--keep-redundant")
        return shlex.join(words)


def criteria_of(text: str, option: str = "--criteria") -> tuple[str, ...]:
    """The criteria in a list such as ``branch,line``, in the order in which they are reported. Raises UsageError."""
    names = [name for part in text.split(",") if (name := part.strip())]
    for name in names:
        one_of(option, name, CRITERIA)
    return tuple(name for name in CRITERIA if name in names)
