"""The result of ``generate``: everything that a report of it needs, in frozen values that are also the JSON document."""

from __future__ import annotations

from dataclasses import dataclass, field

from crashwright.core.errors import ExitCode
from crashwright.core.messages import Confined
from crashwright.core.suite import CriterionCoverage, LineMutants, OpenBranch, PossibleDefect

WRITTEN = ExitCode.SUCCESS
"""The code 0 of ``generate``: a suite was written (or nothing is left to be tested)."""
NOTHING = ExitCode.NOT_FOUND
"""The code 1: there is no test that could be written."""
NEAREST = 10
"""How many open branches are told."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A test that was found and not written, and why."""

    test: str
    reason: str


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """How many tests did not hold on another date, in another environment or folder: what does not is not asserted in ``weakened``
    ones, ``dropped`` ones are out."""

    weakened: int = 0
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class ModuleBranch:
    """A branch of the module, in words, and the ``tests`` of the file that take it: none where it is open (with the nearest
    ``distance`` that was reached, None where its condition was never evaluated), or where they were left out of the file."""

    line: int
    qualname: str
    text: str
    taken: bool
    tests: tuple[str, ...] = ()
    distance: float | None = None


@dataclass(frozen=True, slots=True)
class SuiteTiming:
    """Wall seconds: of the import, the search, what followed it, and all of it. An engine that is slow to end its search is part of
    ``minimising``."""

    imported: float = 0.0
    search: float = 0.0
    minimising: float = 0.0
    examination: float = 0.0
    verification: float = 0.0
    writing: float = 0.0
    total: float = 0.0


@dataclass(frozen=True, slots=True)
class ModuleSuite:
    """What came of one module. ``file`` is empty where none was written, ``problem`` then says why. ``open_branches`` are the
    nearest of ``open_count``. ``tests`` counts test functions, parametrised ones once; ``assertions`` those in them.
    ``mutants_total`` counts those of the whole module (None: there was no such analysis), ``mutants_killed`` those that a test of
    the file tells, ``mutants_untried`` those for which there was no time, ``mutants_excluded`` those that change no code."""

    module: str
    exit_code: ExitCode
    file: str = ""
    tests: int = 0
    assertions: int = 0
    coverage: tuple[CriterionCoverage, ...] = ()
    open_branches: tuple[OpenBranch, ...] = ()
    open_count: int = 0
    mutants_killed: int = 0
    mutants_total: int | None = None
    dropped: tuple[Dropped, ...] = ()
    evaluations: int = 0
    tests_per_second: float = 0.0
    timing: SuiteTiming = field(default_factory=SuiteTiming)
    problem: str = ""
    advice: str = ""
    confined: Confined = field(default_factory=Confined)
    probes: str = ""
    """Whether they are compiled, in words."""
    incidents: tuple[str, ...] = ()
    text: str = ""
    """The file, where it could not be written."""
    source: str = ""
    """The module's, where it was searched."""
    branches: tuple[ModuleBranch, ...] = ()
    """All that are aimed at, in the order of their lines."""
    mutants: tuple[LineMutants, ...] = ()
    """What became of those that were tried, line by line."""
    printed: str = ""
    """The file as it was written."""
    replaced: str = ""
    """What it took the place of, in words; "" if there was nothing, or that was brought up to date."""
    elsewhere: Elsewhere = field(default_factory=Elsewhere)
    mutants_untried: int = 0
    mutants_excluded: int = 0
    never_returned: tuple[str, ...] = ()
    """Public callables of which no test had a result: each call raised."""
    possible_defects: tuple[PossibleDefect, ...] = ()
    """What Python raises in the module out of legal arguments. No test of the file expects it."""


@dataclass(frozen=True, slots=True)
class SuiteResult:
    """``exit_code`` is the verdict; ``modules`` in the order of their names. ``import_path`` must be on ``sys.path`` for the tests
    to run; ``command`` repeats the run."""

    exit_code: ExitCode
    subject: str
    python: str
    seed: int
    modules: tuple[ModuleSuite, ...]
    seconds: float
    notes: tuple[str, ...] = ()
    import_path: tuple[str, ...] = ()
    command: str = ""
    interpreter: str = ""
    """Runs the tests, "" where that is crashwright's own."""
    has_pytest: bool = True
    """pytest is installed there."""
