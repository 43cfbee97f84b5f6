"""``crashwright reproduce``: options, where they come from, and how the result is shown."""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, Protocol

from cyclopts import App, ArgumentCollection, Parameter
from cyclopts.config import Dict

from crashwright.cli.json_errors import errors_as_json
from crashwright.cli.project_settings import nearest_pyproject, project_settings
from crashwright.cli.report_text import report_text
from crashwright.core.settings import Budget, SearchSettings
from crashwright.reporting.json_result import JsonReport
from crashwright.reporting.plain import PlainReport
from crashwright.workflows.events import Event
from crashwright.workflows.machinery import machinery
from crashwright.workflows.reproduce import reproduce
from crashwright.workflows.request import Request
from crashwright.workflows.result import Result

DEFAULT_SECONDS = 60.0


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class Options:
    """The options, under the same names in ``[tool.crashwright]`` of the nearest pyproject.toml."""

    index: str | None = None
    "Which report of a text that holds several, counted from 1, 2.1 for a member of its group [default: the last]."
    python: str | None = None
    "The interpreter that can import the crashing package [default: the one that runs crashwright]."
    path: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = ()
    "A folder to import from, besides what is installed; may be repeated."
    package: str | None = None
    "The import name of the package to blame [default: your own code, else the innermost installed package]."
    frame: int | None = None
    "Where the test enters, counted from the crash frame, 1, outwards [default: the package's outermost frame]."
    budget: float | None = None
    "Seconds that the whole command may take [default: 60, without limit where --evaluations is given]."
    evaluations: int | None = None
    "Tests that may be run; with a seed, the same run every time."
    jobs: int = 1
    "How many engines search at the same time, each with a seed of its own; they exchange their best tests."
    seed: int = 1
    "The seed of everything random."
    fitness: Literal["ordered", "weighted-sum", "st-distance"] = "ordered"
    "How nearness to the crash is measured."
    trace_distance: Literal["closest", "prefix"] = "closest"
    "How weighted-sum compares stack traces: each frame with the closest one, or from the crash outwards."
    secondary: Literal["bbc", "bbc-literal", "none"] = "bbc"
    "What decides between tests that are equally near: basic block coverage, the same to the letter of its paper, or nothing."
    operators: Literal["extended", "evocrash"] = "extended"
    "How tests are made and varied: with what we add to EvoCrash's operators, or by these alone."
    schedule: Literal["grow", "restart"] = "grow"
    "What happens without progress: the population grows, or the search begins again with a larger one."
    algorithm: Literal["guided", "random"] = "guided"
    "How tests are searched for."
    allow: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = ()
    "What the package may do besides computing: network, processes, ctypes or write:FOLDER; secrets of the report: secrets."
    setup: str | None = None
    "A function that is called before each test, as MODULE:FUNCTION."
    output: str | None = None
    "The file to write [default: test_PACKAGE_ENTRY_CRASH.py in the current folder]."
    expect: Literal["fail", "raises", "xfail"] = "fail"
    "The form: fails until the bug is fixed; passes today; strict xfail."
    keep_best: Annotated[bool, Parameter(negative="")] = False
    "Write the best partial test, marked PARTIAL, where the crash is not reproduced."
    no_cache: Annotated[bool, Parameter(negative="")] = False
    "Neither read nor write .crashwright/, where tests found earlier and the state of a running search are kept."
    json: Annotated[bool, Parameter(negative="")] = False
    "One JSON document on standard output, progress as JSON lines on standard error."


class Report(Protocol):
    """Shows a run to somebody."""

    def event(self, event: Event) -> None: ...
    def result(self, result: Result) -> None: ...
    def close(self) -> None: ...


def keys() -> frozenset[str]:
    """The keys of ``[tool.crashwright]``: the options' names."""
    return frozenset(field.name.replace("_", "-") for field in dataclasses.fields(Options))


def _configure(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Cyclopts hook: fill in what the command line leaves open."""
    file = nearest_pyproject(Path.cwd())
    if file is not None:
        Dict(project_settings(file, keys()), source=str(file), use_commands_as_keys=False)(app, commands, arguments)


app = App(
    name="reproduce", config=_configure, help_format="plaintext", suppress_keyboard_interrupt=False, result_action="return_value"
)


@app.default
def command(report: Annotated[str, Parameter(allow_leading_hyphen=True)], /, *, options: Options = Options()) -> int:
    """Turn a traceback into a small, verified, failing pytest test.

    The options may also stand in [tool.crashwright] of the nearest pyproject.toml; the command line wins.

    Parameters
    ----------
    report
        The file with the traceback; - reads it from standard input.
    """
    shown = _report(options.json)
    with errors_as_json(options.json), closing(shown):
        result = reproduce(_request(report, options), machinery(), shown.event)
        shown.result(result)
        return result.exit_code


def _request(report: str, options: Options) -> Request:
    seconds = options.budget if options.budget is not None or options.evaluations is not None else DEFAULT_SECONDS
    return Request(
        report=report_text(report),
        report_name=report,
        index=options.index,
        python=options.python or sys.executable,
        path=options.path,
        package=options.package,
        frame=options.frame,
        budget=Budget(seconds, options.evaluations),
        search=SearchSettings(
            algorithm=options.algorithm,
            fitness=options.fitness,
            trace_distance=options.trace_distance,
            secondary=options.secondary,
            operators=options.operators,
            schedule=options.schedule,
            seed=options.seed,
        ),
        allow=options.allow,
        setup=options.setup or "",
        output=options.output,
        expect=options.expect,
        keep_best=options.keep_best,
        cache=not options.no_cache,
        jobs=options.jobs,
        asked_python=options.python or "",
    )


def _report(json: bool, clock: Callable[[], float] = time.monotonic) -> Report:
    if json:
        return JsonReport(sys.stdout, sys.stderr, clock)
    if not sys.stdout.isatty():
        return PlainReport(sys.stdout, sys.stderr, clock)
    # Only a terminal needs rich.
    from rich.console import Console

    from crashwright.reporting.terminal import TerminalReport

    return TerminalReport(Console())
