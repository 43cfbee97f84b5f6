"""The result of ``reproduce``: everything that a report of it needs, in one frozen value that is also the JSON document."""

from __future__ import annotations

from dataclasses import dataclass, field

from crashwright.core.errors import ExitCode
from crashwright.core.messages import CandidateTried, Confined
from crashwright.core.report import CrashReport
from crashwright.core.target import CrashTarget
from crashwright.finishing.crash.after_fix import AfterFix

OWN = "a test of your own"
"""The origin of a test that the project had before."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Wall seconds: of the search, and of the whole command."""

    search: float
    total: float


@dataclass(frozen=True, slots=True)
class PrintedResult:
    """The best test, printed. ``level`` is judged in fresh interpreters (``levels``: one for each run) by ``runner``; ``missing``
    says what is missing to level 4; ``file`` is empty where it was not written. ``statements_found`` counts those before
    minimisation."""

    text: str
    file: str
    level: int
    levels: tuple[int, ...]
    runner: str
    frames: int
    missing: str
    legality: str
    legal: bool
    statements: int
    statements_found: int
    origin: str
    engine: str = "search"
    """What made the test that it comes from: search | symbolic."""
    near_miss: str = ""
    """Why it may show another bug though it counts as reproduced, in words: the message has another value."""
    frame: int = 0
    """The frame that it enters by, counted from the crash, where that is one further in than the target frame."""
    chain: str = ""
    """Whether the exceptions before the crash agree with those of the report, in words; "" where it has none of the package."""
    after_fix: AfterFix | None = None
    """What it does where the bug is fixed, if that is known."""
    name: str = ""
    """What its file is called where nobody names it."""
    wording: str = ""
    """What this Python says in place of the report's message, in words; "" where it says the same."""
    replaced: str = ""
    """What stood in the file before, in words: what an earlier test of ours was about; "" where there was none."""
    as_written: str = ""
    """The candidate that it is, in its author's words; "" if it was searched for."""


@dataclass(frozen=True, slots=True)
class InnerResult:
    """A search from a frame further in, as the chosen one was not reproduced. ``frame`` counts from the crash, ``name`` is its
    function; ``frames_reached`` of its frames were entered. ``missing`` says what the best test lacks, ``problem`` why there was no
    search."""

    frame: int
    name: str
    reproduced: bool
    frames_reached: int
    evaluations: int
    seconds: float
    missing: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class CoursePoint:
    """Where the best test stood ``seconds`` and ``evaluations`` after the search began: it entered ``frames`` of the package's
    frames, at ``distance``. ``frame`` is the one that the search enters by, counted from the crash, 0 for the chosen one."""

    seconds: float
    evaluations: int
    frames: int
    distance: float
    frame: int = 0


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Lines of source from line ``first`` on."""

    first: int
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """``exit_code`` is the verdict. ``frames_total`` counts the package's frames out to the target frame, ``frames_in_report`` all
    of them. ``furthest`` is the furthest point in words, ``hints`` why it was not found, best first; ``advice`` what to try next.
    ``import_path`` must be on ``sys.path`` for the test to run; ``interpreter`` runs it, "" where that is crashwright's own."""

    exit_code: ExitCode
    target: CrashTarget
    subject: str
    python: str
    seed: int
    evaluations: int
    timing: Timing
    frames_total: int
    frames_reached: int
    distance: float
    test: PrintedResult | None = None
    frames_in_report: int = 0
    entry: str = ""
    furthest: str = ""
    hints: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    confined: Confined = field(default_factory=Confined)
    probes: str = ""
    """Whether they are compiled, in words."""
    skipped: tuple[str, ...] = ()
    incidents: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    remembered: tuple[str, ...] = ()
    """What earlier runs of the same crash had to say, and what of this one could not be kept."""
    import_path: tuple[str, ...] = ()
    interpreter: str = ""
    command: str = ""
    engine: str = "search"
    """What looked for tests: search | portfolio | symbolic."""
    candidates: tuple[CandidateTried, ...] = ()
    """How near each candidate came as it is."""
    inwards: tuple[InnerResult, ...] = ()
    """The searches from frames further in, where the target frame was not reproduced."""
    course: tuple[CoursePoint, ...] = ()
    """How the search came nearer."""
    excerpts: tuple[Excerpt, ...] = ()
    """The source around each frame of the target."""
    report: CrashReport | None = None
    """What was read."""


def only_from(inner: str, frame: int, outer: str, frames: int) -> str:
    """What is missing to a test that enters further in."""
    return f"reproduced from `{inner}` (frame {frame}), not from `{outer}` (frame {frames})"
