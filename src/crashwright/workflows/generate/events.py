"""What happens while suites are generated, for whoever shows it. ``module`` says of which one, where there are several."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from crashwright.core.messages import Incident, Ready, SuiteProgress
from crashwright.workflows.generate.result import ModuleSuite


@dataclass(frozen=True, slots=True)
class SubjectFound:
    """The module, or the modules of the package, are found; ``notes`` say what of it is passed over."""

    subject: str
    modules: tuple[str, ...]
    python: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SuitePreparing:
    """An engine still imports the module and reads the sources of its package, for ``seconds`` now; or, where it ``runs`` tests
    already, it warms up and explores, and has nothing to tell of yet."""

    module: str
    seconds: float
    runs: bool = False


@dataclass(frozen=True, slots=True)
class SuiteEngineStarted:
    """An engine has imported the module and searches."""

    module: str
    ready: Ready


@dataclass(frozen=True, slots=True)
class SuiteSearching:
    """Progress of a search; ``seconds_left`` of it (None: unbounded)."""

    module: str
    progress: SuiteProgress
    tests_per_second: float
    seconds_left: float | None


class StepAfterSearch(StrEnum):
    """What follows a search."""

    EXAMINING = "examining"
    """Assertions are found."""
    VERIFYING = "verifying"


@dataclass(frozen=True, slots=True)
class SuiteStep:
    """``step`` begins, which concerns ``tests``."""

    module: str
    step: StepAfterSearch
    tests: int


@dataclass(frozen=True, slots=True)
class SuiteIncident:
    """The engine met something that the user should know."""

    module: str
    incident: Incident


@dataclass(frozen=True, slots=True)
class SuiteInterrupted:
    """Ctrl-C: what is archived becomes the suite."""


@dataclass(frozen=True, slots=True)
class ModuleEnded:
    """One module of several is done; ``worker`` (from 1, 0 for none) has worked on it."""

    suite: ModuleSuite
    number: int
    total: int
    worker: int = 0


SuiteEvent = (
    SubjectFound | SuitePreparing | SuiteEngineStarted | SuiteSearching | SuiteStep | SuiteIncident | SuiteInterrupted | ModuleEnded
)
