"""What ``explain`` answers: all that is known of a report before anything of the subject runs. It is also the JSON document."""

from __future__ import annotations

from dataclasses import dataclass

from crashwright.core.errors import ExitCode


@dataclass(frozen=True, slots=True)
class FrameConditions:
    """What must hold when ``code`` is entered for the crash to happen, on one way. ``lines`` says for each condition where it comes
    from; ``telling`` are the places of those to show where not all are; ``open_points`` says what was not modelled on that way, and
    ``open_lines`` where that was met; ``other_ways`` how many more were found. ``always`` are those that hold on every way, with
    ``always_lines``; they are not among the ``conditions``, which are those of one way, an example, if ``is_example``."""

    level: int
    code: str
    conditions: tuple[str, ...]
    lines: tuple[str, ...]
    telling: tuple[int, ...] = ()
    open_points: tuple[str, ...] = ()
    open_lines: tuple[str, ...] = ()
    other_ways: int = 0
    always: tuple[str, ...] = ()
    always_lines: tuple[str, ...] = ()
    is_example: bool = False
    contradicted: tuple[str, ...] = ()
    """What was derived as holding on every way, and a run crashed without."""
    tried: int = 0
    crashed: int = 0
    """In how many runs the example held, and how many of these crashed."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """From the crash outwards. ``reason``: why there are none, or none further out. ``runs`` of the package were compared with
    them, or ``unchecked`` says why not."""

    frames: tuple[FrameConditions, ...] = ()
    reason: str = ""
    runs: int = 0
    unchecked: str = ""


@dataclass(frozen=True, slots=True)
class ListedReport:
    """One report of the text: ``index`` chooses it with --report-number, members of exception groups as ``2.1``."""

    index: str
    text: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class ExplainedFrame:
    """A frame of the report and the code found for it. ``place`` is ``file:line`` here and ``code`` its qualified name, both ""
    where ``reason`` says why it was not found. ``moved``: the line differs from the report's. ``role`` is target, crash, path (in
    between, of the package), between (of others), caller, beyond (called by the crash frame) or missing. ``level`` counts the
    package's frames from the crash (0: none of them); ``repeated`` counts further repetitions that the report does not print."""

    reported: str
    function: str
    role: str
    place: str = ""
    code: str = ""
    module: str = ""
    level: int = 0
    stdlib: bool = False
    moved: bool = False
    repeated: int = 0
    source: str = ""
    reason: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """What would be searched: ``entry`` is called (``how`` it was found), ``instrumented`` functions are watched, ``rule`` says
    when a message agrees. The rest are the seeds that the report shows."""

    entry: str
    how: str
    private: bool
    sure: bool
    instrumented: tuple[str, ...]
    exception: str
    message: str
    rule: str
    echoed: tuple[str, ...] = ()
    literals: tuple[str, ...] = ()
    local_values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ExplainedFact:
    """Something that the code says of a parameter. ``line`` is ``file:line``, "" where no single line says so; ``is_on_path``: the
    crash came by it."""

    text: str
    line: str
    is_on_path: bool


@dataclass(frozen=True, slots=True)
class ExplainedParameter:
    """What the code wants of one parameter of ``code``: ``types``, the likeliest first, and ``parts`` of it with theirs, such as
    ``['json']['format']: str``. ``producers`` are functions whose results are passed to it."""

    code: str
    name: str
    types: tuple[str, ...]
    parts: tuple[str, ...]
    literals: tuple[str, ...]
    producers: tuple[str, ...]
    facts: tuple[ExplainedFact, ...]


@dataclass(frozen=True, slots=True)
class Wants:
    """Of the parameters of the way in. ``reason``: why there are none."""

    parameters: tuple[ExplainedParameter, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ExplainProblem:
    """Why there would be no search, and what to do about it."""

    message: str
    advice: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """``exit_code`` is REPRODUCED (0) where a search could begin. ``chain`` names the exceptions before the last, root cause first.
    ``frames`` are outermost first. ``reported_version`` and ``reported_python`` are "" where the report does not tell."""

    exit_code: ExitCode
    exception: str
    message: str
    reports: tuple[ListedReport, ...] = ()
    chain: tuple[str, ...] = ()
    frames: tuple[ExplainedFrame, ...] = ()
    python: str = ""
    executable: str = ""
    reported_python: str = ""
    subject: str = ""
    reported_version: str = ""
    package: str = ""
    why_package: str = ""
    why_frame: str = ""
    search: SearchPlan | None = None
    problem: ExplainProblem | None = None
    notes: tuple[str, ...] = ()
    command: str = ""
    wants: Wants | None = None
    conditions: Conditions | None = None
    """As ``wants``, if they were asked for."""
