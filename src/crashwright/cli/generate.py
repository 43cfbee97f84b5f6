"""``crashwright generate``: options, where they come from, and how the suites are shown."""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Literal, Protocol

from cyclopts import App, ArgumentCollection, Parameter
from cyclopts.config import Dict

from crashwright.cli.candidate_files import candidate_texts
from crashwright.cli.json_errors import errors_as_json
from crashwright.cli.page_file import check_page, write_page
from crashwright.cli.places import place_of
from crashwright.cli.project_settings import generate_settings, nearest_pyproject
from crashwright.core.mechanisms import Mechanism
from crashwright.core.settings import Budget
from crashwright.core.suite import CRITERIA
from crashwright.finishing.suite.parameters import MOST_TESTS
from crashwright.reporting.suite_progress import SuiteJsonReport, SuitePlainReport, suite_document
from crashwright.workflows.generate.machinery import suite_machinery
from crashwright.workflows.generate.request import SELECTION, SELECTIONS, SuiteRequest, criteria_of, suite_search
from crashwright.workflows.generate.result import SuiteResult
from crashwright.workflows.modules.request import ModulesRequest
from crashwright.workflows.modules.story import ModulesEvent, generate_all

DEFAULT_SECONDS = 60.0


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class Options:
    """The options, under the same names in ``[tool.crashwright.generate]`` of the nearest pyproject.toml."""

    python: str | None = None
    "The interpreter that can import the module [default: the one that runs crashwright]."
    path: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = ()
    "A folder to import from, besides what is installed; may be repeated."
    output: str | None = None
    "The folder for test_MODULE.py, or for one module a file [default: tests where that is there, else the current folder]."
    target: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = ()
    "A function, class or Class.method of the module to generate tests for, not all of it; may be repeated."
    criteria: str | None = None
    "The coverage criteria to aim at, separated by commas [default: all eight]."
    selection: str = SELECTION
    "Which goals are aimed at at a time: all, smart, smart-no-subsumption, or a list of criteria."
    algorithm: Literal["dynamosa", "mosa", "whole-suite", "random"] = "dynamosa"
    "How suites are searched for."
    engine: Literal["search", "portfolio"] = "search"
    "What finds tests: the search, or with it (portfolio, --jobs 1) a symbolic engine for the branches that it leaves open."
    without: Annotated[tuple[Mechanism, ...], Parameter(negative="", show_default=False)] = ()
    "A part of the search to switch off, to see what it brings; may be repeated."
    budget: float | None = None
    "Seconds of search, for all modules together [default: 60, without limit where --evaluations or --each is given]."
    each: float | None = None
    "Seconds of search for one of several modules at most [default: by its size, of the budget]."
    evaluations: int | None = None
    "Tests that may be run; with a seed, the same suite every time."
    seed: int = 1
    "The seed of everything random."
    jobs: int = 1
    "How many modules are worked on at the same time, each in its own process; or engines on one, each with its own seed."
    cluster: str | None = None
    "Work on a Dask cluster instead: tcp://HOST:PORT of its scheduler (crashwright[cluster], docs/batch.md)."
    database: str | None = None
    "The file where suites of many modules stand: the same command goes on [default: one in .crashwright/ until all are answered]."
    retry: Annotated[bool, Parameter(negative="")] = False
    "Of --database: modules without a suite are tried again."
    existing_tests: str | None = None
    "A folder with tests that you have: what they cover is not generated again."
    update: Annotated[bool, Parameter(negative="")] = False
    "Replace what an earlier run wrote in the file; what you wrote stays."
    force: Annotated[bool, Parameter(negative="")] = False
    "Overwrite the file of the tests even if it holds what you wrote."
    accidents: Annotated[bool, Parameter(negative="")] = False
    "Also tests of exceptions that the module does not raise on purpose, where they alone take a branch; they come last."
    keep: Literal["needed", "all"] = "needed"
    "Which tests stay: those that take a branch or tell a mutant that no other one does, or all."
    max_per_function: int = MOST_TESTS
    "Test functions for one function at most: more that are alike become cases of one, but for those that alone take a branch."
    candidate: Annotated[tuple[str, ...], Parameter(negative="", show_default=False, allow_leading_hyphen=True)] = ()
    "A script, test or transcript that somebody suggests: the search begins with it; - is standard input; may be repeated."
    allow: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = ()
    "What the module may do besides computing: network, processes, ctypes or write:FOLDER; may be repeated."
    html: str | None = None
    "A file for a page to look at: the source with the branches that tests take, nearest distances, mutants; it needs no network."
    json: Annotated[bool, Parameter(negative="")] = False
    "One JSON document on standard output, progress as JSON lines on standard error."


class Report(Protocol):
    """Shows a run to somebody."""

    def event(self, event: ModulesEvent) -> None: ...
    def result(self, result: SuiteResult) -> None: ...
    def close(self) -> None: ...


def keys() -> frozenset[str]:
    """The keys of ``[tool.crashwright.generate]``: the options' names."""
    return frozenset(field.name.replace("_", "-") for field in dataclasses.fields(Options))


def _configure(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Cyclopts hook: fill in what the command line leaves open."""
    file = nearest_pyproject(Path.cwd())
    if file is not None and b"crashwright" in file.read_bytes():
        Dict(generate_settings(file, keys()), source=str(file), use_commands_as_keys=False)(app, commands, arguments)


app = App(
    name="generate", config=_configure, help_format="plaintext", suppress_keyboard_interrupt=False, result_action="return_value"
)


@app.default
def command(*modules: str, options: Options = Options()) -> int:
    """Write a pytest suite for a module, or one for each module of a package or of several.

    The options may also stand in [tool.crashwright.generate] of the nearest pyproject.toml; the command line wins.

    Parameters
    ----------
    modules
        Modules and packages as in an import (package.module), or their files.
    """
    shown = _report(options.json)
    with errors_as_json(options.json), closing(shown):
        check_page(options.html)
        result = generate_all(_request(modules, options), suite_machinery(), partial(place_of, options.cluster), shown.event)
        shown.result(result)
        return write_page(options.html, lambda: _page(result), result.exit_code)


def _page(result: SuiteResult) -> str:
    # Only a page needs templates.
    from crashwright.reporting.html.suite_page import suite_page

    return suite_page(suite_document(result))


def _request(modules: tuple[str, ...], options: Options) -> ModulesRequest:
    return ModulesRequest(
        modules, _suites(options), options.each, options.database, options.retry, elsewhere=options.cluster is not None
    )


def _suites(options: Options) -> SuiteRequest:
    bounded = any(one is not None for one in (options.budget, options.evaluations, options.each))
    seconds = options.budget if bounded else DEFAULT_SECONDS
    criteria = criteria_of(options.criteria) if options.criteria is not None else CRITERIA
    selection = options.selection
    if selection not in SELECTIONS and options.criteria is None:
        criteria, selection = criteria_of(selection, "--selection"), "all"
    return SuiteRequest(
        subject="",
        python=options.python or sys.executable,
        path=options.path,
        output=options.output,
        targets=options.target,
        criteria=criteria,
        selection=selection,
        budget=Budget(seconds, options.evaluations),
        search=suite_search(options.algorithm, options.seed, options.without, options.engine),
        jobs=options.jobs,
        existing_tests=options.existing_tests,
        update=options.update,
        force=options.force,
        allow=options.allow,
        candidates=candidate_texts(options.candidate),
        accidents=options.accidents,
        keep=options.keep,
        most_tests=options.max_per_function,
        asked_python=options.python or "",
    )


def _report(json: bool, clock: Callable[[], float] = time.monotonic) -> Report:
    if json:
        return SuiteJsonReport(sys.stdout, sys.stderr, clock)
    if not sys.stdout.isatty():
        return SuitePlainReport(sys.stdout, sys.stderr, clock)
    # Only a terminal needs rich.
    from rich.console import Console

    from crashwright.reporting.suite_terminal import SuiteTerminalReport

    return SuiteTerminalReport(Console())
