"""``crashwright reproduce``: options, where they come from, and how the result is shown."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Annotated, Protocol

from cyclopts import App, ArgumentCollection, Parameter
from cyclopts.config import Dict

from crashwright.cli.candidate_files import candidate_texts, stored_answers
from crashwright.cli.json_errors import errors_as_json
from crashwright.cli.option_groups import ARGUMENTS, EVERYDAY, QUIET, VERBOSE, check_loudness
from crashwright.cli.page_file import check_page, write_page
from crashwright.cli.project_settings import nearest_pyproject, project_settings
from crashwright.cli.published import as_published
from crashwright.cli.report_text import report_name, report_text
from crashwright.cli.reproduce_options import DEFAULTS, ReproduceOptions, keys
from crashwright.cli.streams import unread
from crashwright.cli.switches import switched_off
from crashwright.core.mechanisms import Mechanism
from crashwright.core.settings import Budget, SearchSettings
from crashwright.reporting.json_result import JsonReport, document
from crashwright.reporting.plain import PlainReport
from crashwright.workflows.events import Event
from crashwright.workflows.fixed_side import Fixed
from crashwright.workflows.machinery import machinery
from crashwright.workflows.reproduce.request import Request
from crashwright.workflows.reproduce.result import Result
from crashwright.workflows.reproduce.story import reproduce

DEFAULT_SECONDS = 60.0


class CrashDisplay(Protocol):
    """Shows a run to somebody."""

    def event(self, event: Event) -> None: ...
    def result(self, result: Result) -> None: ...
    def close(self) -> None: ...


def _configure(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Cyclopts hook: fill in what the command line leaves open."""
    file = nearest_pyproject(Path.cwd())
    if file is not None:
        Dict(project_settings(file, keys()), source=str(file), use_commands_as_keys=False)(app, commands, arguments)


app = App(
    name="reproduce",
    config=_configure,
    group_arguments=ARGUMENTS,
    group_parameters=EVERYDAY,
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
    result_action="return_value",
)


@app.default
def command(
    report: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    options: ReproduceOptions = DEFAULTS,
    quiet: Annotated[bool, QUIET] = False,
    verbose: Annotated[bool, VERBOSE] = False,
) -> int:
    """Turn a traceback into a small, verified, failing pytest test.

    You can also set the options in [tool.crashwright] of the nearest pyproject.toml; the command line wins.

    Parameters
    ----------
    report
        The file with the traceback, or its address (needs --allow fetch); - reads it from standard input.
    quiet
        Print no progress lines, only the result.
    verbose
        Print a line for each step, and lists in full that are shortened otherwise.
    """
    shown = _report(options.json, quiet, verbose)
    with errors_as_json(options.json), closing(shown):
        check_loudness(quiet, verbose)
        check_page(options.html)
        result = reproduce(_request(report, options), machinery(), shown.event)
        shown.result(result)
        return write_page(options.html, lambda: _page(result), result.exit_code)


def _page(result: Result) -> str:
    # Only a page needs templates.
    from crashwright.reporting.html.crash_page import crash_page

    return crash_page(document(result))


def _request(report: str, options: ReproduceOptions) -> Request:
    seconds = options.budget if options.budget is not None or options.evaluations is not None else DEFAULT_SECONDS
    mechanisms, sources = switched_off(options.without)
    search = SearchSettings(
        engine=options.engine,
        strategy=options.strategy,
        algorithm=options.algorithm,
        fitness=options.fitness,
        trace_distance=options.trace_distance,
        secondary=options.secondary,
        flags=options.flags,
        operators=options.operators,
        schedule=options.schedule,
        seed=options.seed,
        without=mechanisms,
        without_rows=sources,
        also=tuple(map(Mechanism, options.also)),
    )
    return Request(
        report=report_text(report, options.allow),
        report_name=report_name(report),
        index=options.report_number,
        python=options.python or sys.executable,
        path=options.path,
        package=options.package,
        frame=options.target_frame,
        budget=Budget(seconds, options.evaluations),
        search=as_published(options.published, search),
        allow=options.allow,
        setup=options.setup or "",
        output=options.output,
        force=options.force,
        expect=options.expect,
        keep_best=options.keep_best,
        cache=not options.no_cache,
        jobs=options.jobs,
        asked_python=options.python or "",
        candidates=candidate_texts(options.candidate, report),
        suggest=options.candidate_program or "",
        suggest_calls=options.candidate_calls,
        suggestions=stored_answers(options.candidate_answers),
        fixed=Fixed(options.fixed_python, options.fixed_path, options.fixed_ref),
    )


def _report(json: bool, quiet: bool, verbose: bool, clock: Callable[[], float] = time.monotonic) -> CrashDisplay:
    log = unread() if quiet else sys.stderr
    if json:
        return JsonReport(sys.stdout, log, clock)
    if quiet or verbose or not sys.stdout.isatty():
        return PlainReport(sys.stdout, log, clock, whole=verbose)
    # Only a terminal needs rich.
    from rich.console import Console

    from crashwright.reporting.terminal import TerminalReport

    return TerminalReport(Console())
