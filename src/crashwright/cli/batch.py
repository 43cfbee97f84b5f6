"""``crashwright batch``: options, and how the answers are shown."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, Protocol

from cyclopts import App, Parameter

from crashwright.cli.json_errors import errors_as_json
from crashwright.cli.option_groups import EVERYDAY, MORE, STUDY, short
from crashwright.cli.page_file import check_page, write_page
from crashwright.cli.places import place_of
from crashwright.cli.project_settings import configured
from crashwright.cli.report_text import check_no_option
from crashwright.core.errors import UsageError
from crashwright.core.settings import Budget, SearchSettings
from crashwright.reporting.batch import BatchJsonReport, BatchPlainReport, batch_document
from crashwright.workflows.batch.environments import environments
from crashwright.workflows.batch.events import BatchEvent
from crashwright.workflows.batch.request import BatchRequest, BatchResult
from crashwright.workflows.batch.story import batch
from crashwright.workflows.reproduce.request import Request

DEFAULT_SECONDS = 60.0
FOLDER = "crashwright-tests"
DATABASE = "crashwright.sqlite"
_SEVERAL = Parameter(negative="", show_default=False)
_SWITCH = Parameter(negative="", show_default=False)


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class BatchOptions:
    """The options; those of ``reproduce`` that are here too mean the same, for each crash."""

    budget: Annotated[float | None, short("budget", "b")] = None
    "How many seconds the whole batch may take, shared among the crashes; time that one leaves goes to the others."
    budget_each: float | None = None
    (
        "How many seconds one crash may take. Example: --budget-each 20 [default: 60, no limit if --budget or --evaluations is "
        "given]."
    )
    evaluations: Annotated[int | None, MORE] = None
    "How many tests the search may run for one crash."
    jobs: Annotated[int, short("jobs", "j")] = 1
    "How many crashes are worked on at the same time, each in its own process."
    cluster: Annotated[str | None, MORE] = None
    "Work on a Dask cluster: tcp://HOST:PORT of its scheduler (crashwright[cluster], docs/batch.md)."
    output: Annotated[str, short("output", "o")] = FOLDER
    "The folder for the tests. It is created if it does not exist."
    database: Annotated[str | None, MORE] = None
    "The file in which the batch is stored, so that the same command continues it [default: crashwright.sqlite in that folder]."
    retry: Annotated[bool, _SWITCH] = False
    "Try crashes again that an earlier run did not reproduce."
    python: Annotated[str | None, short("python", "p")] = None
    "The Python interpreter that can import the crashing packages [default: the one that runs crashwright]."
    python_for: Annotated[tuple[str, ...], MORE, _SEVERAL] = ()
    (
        "The Python interpreter for the crashes of one package, as PACKAGE=PYTHON. Example: --python-for shop=.venv/bin/python; "
        "may be repeated."
    )
    environments: Annotated[str | None, MORE] = None
    "A TOML or CSV file that names the interpreters for packages or reports (docs/batch.md)."
    path: Annotated[tuple[str, ...], _SEVERAL] = ()
    "A folder to import your code from, if it is not installed; may be repeated."
    package: str | None = None
    "The import name of the package to test [default: your own code, else the installed library that was called]."
    seed: Annotated[int, MORE] = 1
    "The seed of the random numbers; another seed is another attempt."
    engine: Annotated[Literal["search", "portfolio", "symbolic"], STUDY] = "search"
    "How tests are found: evolutionary search, symbolic execution, or both together (portfolio)."
    allow: Annotated[tuple[str, ...], _SEVERAL] = ()
    (
        "What the packages may do: network, processes, ctypes or write:FOLDER; also secrets (use those in the reports); may be "
        "repeated."
    )
    expect: Annotated[Literal["fail", "raises", "xfail"], MORE] = "fail"
    "What the tests do: fail until the bug is fixed, pass as long as the crash is there (raises), or be marked as a strict xfail."
    keep_best: Annotated[bool, _SWITCH] = False
    "If a crash is not reproduced, write the best partial test, marked PARTIAL."
    no_cache: Annotated[bool, MORE, _SWITCH] = False
    (
        "Neither use nor store anything between runs: tests and interrupted searches in .crashwright/, and compiled modules in "
        "your cache folder."
    )
    html: Annotated[str | None, MORE] = None
    "Also write the result as an HTML page to this file: a table of the crashes to sort and filter. The page needs no network."
    json: Annotated[bool, MORE, _SWITCH] = False
    "Print the result as one JSON document on standard output, and progress as JSON lines, with each answer, on standard error."


class BatchDisplay(Protocol):
    """Shows a batch to somebody."""

    def event(self, event: BatchEvent) -> None: ...
    def result(self, result: BatchResult) -> None: ...
    def close(self) -> None: ...


app = App(
    name="batch",
    usage="Usage: crashwright batch [OPTIONS] [REPORT | FOLDER | -]...",
    config=configured("python", "path", "package", "seed", "allow", "json"),
    group_parameters=EVERYDAY,
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
    result_action="return_value",
)


@app.default
def command(*reports: Annotated[str, Parameter(allow_leading_hyphen=True)], options: BatchOptions = BatchOptions()) -> int:
    """Reproduce the crashes of many reports, the most frequent first.

    Parameters
    ----------
    reports
        Files and folders with reports, any number in each; - reads standard input. Without any, continue the batch of --database.
    """
    shown = batch_report(options.json)
    with errors_as_json(options.json), closing(shown):
        check_page(options.html)
        return worked_off(batch_request(reports, options), options, shown)


def worked_off(request: BatchRequest, options: BatchOptions, shown: BatchDisplay) -> int:
    """Answer the reports and show what came of them; the exit code."""
    result = batch(request, place_of(options.cluster, options.jobs), time.monotonic, shown.event)
    shown.result(result)
    return write_page(options.html, lambda: _page(result, options.html or ""), result.exit_code)


def _page(result: BatchResult, file: str) -> str:
    # Only a page needs templates.
    from crashwright.reporting.html.batch_page import batch_page

    return batch_page(batch_document(result), file)


def batch_request(names: tuple[str, ...], options: BatchOptions) -> BatchRequest:
    """What the options ask for. Raises CrashwrightError."""
    if options.jobs < 1:
        raise UsageError(f"--jobs {options.jobs}: must be more than 0.", "Leave out --jobs to use its default.")
    for name in names:
        check_no_option(name)
    database = options.database or str(Path(options.output) / DATABASE)
    if not names and not Path(database).is_file():
        raise UsageError(
            "There are no reports, and there is no batch to continue.", "Name files or folders, or - for standard input."
        )
    return BatchRequest(
        names=names,
        standard_input=sys.stdin.buffer,
        each=_each(options),
        folder=options.output,
        database=database,
        seconds=options.budget,
        environments=environments(options.python_for, options.environments),
        retry=options.retry,
        now=time.time(),
    )


def _each(options: BatchOptions) -> Request:
    bounded = options.budget is not None or options.evaluations is not None
    return Request(
        report="",
        python=options.python or sys.executable,
        path=options.path,
        package=options.package,
        budget=Budget(options.budget_each if options.budget_each is not None or bounded else DEFAULT_SECONDS, options.evaluations),
        search=SearchSettings(engine=options.engine, seed=options.seed),
        allow=options.allow,
        expect=options.expect,
        keep_best=options.keep_best,
        cache=not options.no_cache,
        asked_python=options.python or "",
    )


def batch_report(json: bool, clock: Callable[[], float] = time.monotonic) -> BatchDisplay:
    """What shows a batch here."""
    if json:
        return BatchJsonReport(sys.stdout, sys.stderr)
    if not sys.stdout.isatty():
        return BatchPlainReport(sys.stdout, sys.stderr)
    # Only a terminal needs rich.
    from rich.console import Console

    from crashwright.reporting.batch_terminal import BatchTerminalReport

    return BatchTerminalReport(Console(), clock)
