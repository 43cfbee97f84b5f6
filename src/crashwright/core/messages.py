"""The messages between the wings: lines of JSON ``{"message": NAME, ...fields}``.

Host to engine, on its standard input: one :class:`Start` line, then :class:`Migrants` where there are islands, :class:`Insight`
once :class:`StandsStill` or, for a suite, :class:`Stalled` has asked for it, and :class:`Stop` where a search for a
suite shall end early; closing it ends the engine at once. Engine to host, on the pipe that the bootstrap names: the others, and
Migrants.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from crashwright.core.codec import TaggedUnion
from crashwright.core.precondition import WrittenPreconditions
from crashwright.core.settings import EngineSettings
from crashwright.core.suggested import SuggestedCode
from crashwright.core.suite import (
    CriterionCoverage,
    LineMutants,
    ModuleTarget,
    OpenBranch,
    PossibleDefect,
    SuiteTest,
    TakenBranch,
    WantedBranch,
)
from crashwright.core.target import CrashTarget


class Task(StrEnum):
    """What a host wants of the tests of a suite."""

    SEARCH = "search"
    """Begin with them, and find more."""
    OBSERVE = "observe"
    """Report every assertion that holds; of asserted ones, those of theirs that still do."""
    SELECT = "select"
    """Check their assertions, and keep the few that kill the most mutants."""


class Phase(StrEnum):
    """What a search for a suite does now."""

    SEARCH = "search"
    MINIMISE = "minimise"


class EndReason(StrEnum):
    """Why a search ended."""

    REPRODUCED = "reproduced"
    BUDGET = "budget"
    STOPPED = "stopped"
    EXHAUSTED = "exhausted"
    """There is nothing left to do."""


class FailureKind(StrEnum):
    """Why an engine cannot go on."""

    IMPORT = "import"
    SLOW_IMPORT = "slow import"
    """It was still computing when its time was up."""
    WAITING_IMPORT = "waiting import"
    """It waited for something that did not come."""
    SETTINGS = "settings"
    """It reads settings of its framework, and nobody gave it any."""
    PREPARATION = "preparation"
    """What the user wants done first failed."""
    TARGET = "target"
    EMPTY = "empty"
    """There is nothing to call."""
    INTERNAL = "internal"


class IncidentKind(StrEnum):
    """What a user should know."""

    REFUSED = "refused"
    KILLED = "killed"
    """A test ended an engine."""
    DIED = "died"
    """An engine ended between two tests, or was ended from outside."""
    DEFECT = "defect"
    """An error of our own ended an engine; another one went on."""
    RENEWED = "renewed"
    BANNED = "banned"
    DISTURBED = "disturbed"
    ISLAND = "island"
    NOTED = "noted"
    """Of sessions that measure: what they have to say."""


class Unfit(StrEnum):
    """Why a test does not go into a suite, in words for the user."""

    TOO_LONG = "it takes too long"
    UNSTABLE = "it does not behave the same in each run"
    KILLER = "it ended the process"
    REFUSED = "it does what confinement refuses"
    NAMELESS = "it raises an exception that a test cannot name"
    POLLUTES = "it changes how other tests behave"
    CLOSES = "it closes files that it has not opened"
    EMPTY = "it is not a test"
    FOREIGN = "it no longer fits the module"
    ACCIDENT = "it raises an exception by accident"
    SPARE = "it covers no branch and kills no mutant that other tests miss"


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Candidates that have come in the course of a search."""

    candidates: tuple[SuggestedCode, ...]


@dataclass(frozen=True, slots=True)
class Start:
    """Import the subject and search. ``seeds`` are encoded tests to try first; those that do not fit it are passed over.
    ``preconditions`` of the crash's frames are measured where the search enters them, ``composed`` are encoded tests that a
    symbolic engine has made of them; ``insights``: :class:`StandsStill` is answered with more of both."""

    settings: EngineSettings
    target: CrashTarget
    seeds: tuple[dict[str, Any], ...] = ()
    preconditions: WrittenPreconditions = field(default_factory=WrittenPreconditions)
    composed: tuple[dict[str, Any], ...] = ()
    insights: bool = False
    candidates: tuple[SuggestedCode, ...] = ()
    """Tried before anything else, and made use of where they fall short."""
    suggests: bool = False
    """:class:`Suggestions` may come."""
    witnessing: bool = False
    """The ``preconditions`` are sentences about the crash: the search goes on to the end of its budget, and tells what its runs
    show of each (:class:`Witnessed`)."""


@dataclass(frozen=True, slots=True)
class StartSuite:
    """As :class:`Start`, for a suite: ``seeds`` are the tests that ``task`` is about (encoded tests, or asserted ones). Of
    ``spares``, by their places, only those are kept that alone tell a mutant from the original."""

    settings: EngineSettings
    target: ModuleTarget
    seeds: tuple[dict[str, Any], ...] = ()
    task: Task = Task.SEARCH
    spares: tuple[int, ...] = ()
    insights: bool = False
    """:class:`Stalled` is answered."""


AnyStart = Start | StartSuite


@dataclass(frozen=True, slots=True)
class Migrants:
    """The best tests of an island for the next one, encoded, best first; the host passes them on. ``epoch`` counts from 1;
    ``last`` says that nobody will come from there any more."""

    epoch: int
    tests: tuple[dict[str, Any], ...] = ()
    last: bool = False


@dataclass(frozen=True, slots=True)
class Insight:
    """What a symbolic engine has found since a search for a crash stood still: all ``preconditions`` that it is sure of now, and
    all tests that it has ``composed``, encoded, in place of what was told before. It is taken in between two generations. To a
    search for a suite: what was composed for the branches that it asked for, after ``asked_at`` evaluations."""

    preconditions: WrittenPreconditions
    composed: tuple[dict[str, Any], ...] = ()
    asked_at: int = 0


@dataclass(frozen=True, slots=True)
class Stop:
    """To a search for a suite: no more searching, send what there is, made small and plain within ``seconds`` (0: as it is)."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Imported:
    """The subject is imported, which took ``seconds``; what all searches of the engine share is being made: its API, examples."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Confined:
    """What holds an engine, in words for the user; ``notes`` say what could not be done. ``import_refused`` is what the import
    wanted (``start a process``)."""

    text: str = ""
    notes: tuple[str, ...] = ()
    import_refused: tuple[str, ...] = ()

    @property
    def refusals(self) -> tuple[str, ...]:
        """What the import was refused, in sentences."""
        return tuple(f"crashwright refused the import to {what}" for what in self.import_refused)


@dataclass(frozen=True, slots=True)
class Ready:
    """The search begins. ``python`` is the interpreter's version; ``entry`` the way in (``module.qualname``) or why there is
    none. ``probes`` says in words whether they are compiled."""

    python: str
    import_seconds: float
    entry: str
    confined: Confined = Confined()
    probes: str = ""


@dataclass(frozen=True, slots=True)
class Ties:
    """Of the pairs of tests of equal fitness that a search for a crash has put in order, how many there were where a secondary
    objective was asked, and of how many it preferred one."""

    pairs: int = 0
    decided: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """Where the search stands. ``frames`` of ``frames_total`` package frames are reached by the best test; ``distance`` its
    fitness."""

    seconds: float
    evaluations: int
    frames: int
    frames_total: int
    distance: float
    furthest: str
    """The furthest point in words, such as ``shelf.py:88 Shelf._locate``."""
    population: int = 0
    warm_up: float = 0.0
    """Of the seconds, those that the subject was warmed up in."""
    ties: Ties = Ties()
    stops: tuple[str, ...] = ()
    """What stops most tests that come so far, in words."""


@dataclass(frozen=True, slots=True)
class Found:
    """A test worth keeping, encoded by ``engine.testcase.codec``. ``level`` is the score 0-4 seen in the engine."""

    test: dict[str, Any]
    level: int
    frames: int
    distance: float
    evaluations: int
    seconds: float
    legal: bool = True
    unchecked: int = 0
    """Arguments of which no signature says anything, of those that ``legal`` is about ..."""
    arguments: int = 0
    """... and how many there are."""
    origin: str = ""
    """What the test started from, such as ``the echoed call`` or ``a constant of the module``."""
    minimised: bool = False
    """It is an earlier one made smaller."""
    settled: bool = True
    """False: it reproduces the crash, but something of the report speaks against it, and the search goes on for a better one."""
    slept: float = 0.0
    """Seconds that the test sleeps: in the engine in virtual time."""
    ties: Ties = Ties()


@dataclass(frozen=True, slots=True)
class BestTests:
    """The best tests so far, encoded, best first: what another engine shall begin with, should this one be lost."""

    evaluations: int
    seconds: float
    tests: tuple[dict[str, Any], ...] = ()


class Witness(NamedTuple):
    """Of the runs that entered a function once: how many ``crashed`` there, and how many of these ``without`` what a sentence says;
    in how many it ``held``, and how many of these were ``harmless``."""

    crashed: int = 0
    without: int = 0
    held: int = 0
    harmless: int = 0


@dataclass(frozen=True, slots=True)
class Witnessed:
    """What the ``runs`` of an engine show of the sentences that it was given, in their order."""

    runs: int
    counts: tuple[Witness, ...] = ()


@dataclass(frozen=True, slots=True)
class Archived:
    """Tests that the search has just archived, encoded: what they cover was covered by none, or by longer ones."""

    tests: tuple[dict[str, Any], ...]
    evaluations: int


@dataclass(frozen=True, slots=True)
class SuiteProgress:
    """Where a search for a suite stands. ``aimed_at`` goals are being aimed at now; ``tests`` are in the archive."""

    seconds: float
    evaluations: int
    coverage: tuple[CriterionCoverage, ...]
    aimed_at: int
    tests: int
    population: int = 0
    phase: Phase = Phase.SEARCH
    warm_up: float = 0.0
    """Of the seconds, those that the subject was warmed up in."""


@dataclass(frozen=True, slots=True)
class Stalled:
    """A search for a suite has come no further for a while: the ``branches`` of the module in ``path`` that it would be told a way
    to, the most promising first. It goes on meanwhile."""

    path: str
    branches: tuple[WantedBranch, ...]
    evaluations: int


@dataclass(frozen=True, slots=True)
class StandsStill:
    """A search for a crash has found nothing better for long, after so many ``evaluations``: it asks for an :class:`Insight`."""

    evaluations: int


@dataclass(frozen=True, slots=True)
class Suite:
    """The suite, minimised, of a search that ended; ``open_branches`` the nearest first."""

    tests: tuple[SuiteTest, ...]
    coverage: tuple[CriterionCoverage, ...]
    open_branches: tuple[OpenBranch, ...]
    evaluations: int
    seconds: float
    taken: tuple[TakenBranch, ...] = ()
    """The other branches, in the order of their lines; those that the import or existing tests take are left out."""
    never_returned: tuple[str, ...] = ()
    """The public callables of which no test had a result: each call raised."""
    defects: tuple[PossibleDefect, ...] = ()
    """What Python raised on the way out of legal arguments."""


@dataclass(frozen=True, slots=True)
class Examined:
    """One test of ``StartSuite.seeds`` (by index) with the assertions that hold, encoded by ``engine.assertions.assertion``; None
    where it goes into no suite, with the reason."""

    index: int
    asserted: dict[str, Any] | None
    reason: Unfit | None = None
    detail: str = ""
    """Of the reason."""
    killed: int = 0
    """Mutants that its assertions tell from the original."""


@dataclass(frozen=True, slots=True)
class CandidateTried:
    """A candidate was run as it is: the best level and number of frames that its ``tests`` came to. None where nothing of it can be
    said as a test."""

    name: str
    level: int
    frames: int
    tests: int
    at: int = 0
    """Evaluations after which it was taken in."""


@dataclass(frozen=True, slots=True)
class Incident:
    """Something that the user should know: a killed test, a refused action, a restart."""

    kind: IncidentKind
    text: str


@dataclass(frozen=True, slots=True)
class Mutants:
    """Of those ``tried``, how many are told from the original. ``total`` counts all of the module, but for ``excluded`` ones that
    change no code or cannot be put in its place. ``killers`` are, for each mutant that is told, the places of the tests that do."""

    killed: int
    tried: int
    lines: tuple[LineMutants, ...] = ()
    total: int = 0
    excluded: int = 0
    killers: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Finished:
    """The search ended."""

    reason: EndReason
    evaluations: int
    seconds: float
    hints: tuple[str, ...] = ()
    """Why it was not found, in words for the user, best first."""
    refused: bool = False
    """Most tests were refused something, or seem to have been ..."""
    allowances: tuple[str, ...] = ()
    """... which ``--allow`` with this would open."""
    stopped_at: str = ""
    """The place at which most tests stopped, such as ``stock.py:88 Shelf._locate`` ..."""
    unprepared: bool = False
    """... outside of the package, whatever they passed: something has to be set up first."""
    mutants: Mutants | None = None
    """Of an examination that selects: what its assertions kill."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The engine cannot go on. ``text`` and ``advice`` are for the user, ``detail`` is for a bug report."""

    kind: FailureKind
    text: str
    detail: str = ""
    advice: str = ""


Message = (
    Start
    | StartSuite
    | Migrants
    | Insight
    | Suggestions
    | Stop
    | Imported
    | Ready
    | Progress
    | Found
    | BestTests
    | Witnessed
    | Archived
    | SuiteProgress
    | Stalled
    | StandsStill
    | Suite
    | Examined
    | CandidateTried
    | Incident
    | Finished
    | Failed
)
MESSAGES: TaggedUnion[Message] = TaggedUnion("message", Message.__args__)


def encode(message: Message) -> bytes:
    """One line, newline included."""
    return (json.dumps(MESSAGES.to_json(message), separators=(",", ":")) + "\n").encode()


def decode(line: bytes | str) -> Message:
    """The message of one line; ValueError where it is none of ours."""
    return MESSAGES.from_json(json.loads(line))
