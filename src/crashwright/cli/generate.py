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
from crashwright.cli.option_groups import ARGUMENTS, EVERYDAY, MORE, QUIET, STUDY, VERBOSE, check_loudness, short
from crashwright.cli.page_file import check_page, write_page
from crashwright.cli.places import place_of
from crashwright.cli.project_settings import generate_settings, nearest_pyproject
from crashwright.cli.streams import unread
from crashwright.cli.switches import switched_off
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
_SEVERAL = Parameter(negative="", show_default=False)
_SWITCH = Parameter(negative="", show_default=False)


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class GenerateOptions:
    """The options, under the same names in ``[tool.crashwright.generate]`` of the nearest pyproject.toml."""

    output: Annotated[str | None, short("output", "o")] = None
    "The folder for test_MODULE.py; for one module also a file [default: tests if there is such a folder, else the current folder]."
    python: Annotated[str | None, short("python", "p")] = None
    "The Python interpreter that can import the module, such as .venv/bin/python [default: the one that runs crashwright]."
    path: Annotated[tuple[str, ...], _SEVERAL] = ()
    "A folder to import your code from, if it is not installed; may be repeated."
    target: Annotated[tuple[str, ...], _SEVERAL] = ()
    "Generate tests only for this function, class or Class.method of the module; may be repeated."
    budget: Annotated[float | None, short("budget", "b")] = None
    "How many seconds to search, for all modules together [default: 60, no limit if --evaluations or --budget-each is given]."
    jobs: Annotated[int, short("jobs", "j")] = 1
    (
        "How many modules are worked on at the same time, each in its own process; for one module, how many searches, each with "
        "its own seed."
    )
    update: Annotated[bool, _SWITCH] = False
    "Replace the tests that an earlier run wrote to the file; your own code in it stays."
    existing_tests: str | None = None
    "A folder with your own tests: what they cover already gets no new tests."
    candidate: Annotated[tuple[str, ...], _SEVERAL, Parameter(allow_leading_hyphen=True)] = ()
    (
        "A file with code for the search to start from: a script, test or transcript that uses the module. Example: --candidate "
        "demo.py. - reads standard input; may be repeated."
    )
    allow: Annotated[tuple[str, ...], _SEVERAL] = ()
    "What the module may do: network, processes, ctypes or write:FOLDER; may be repeated."
    budget_each: Annotated[float | None, MORE] = None
    (
        "If there are several modules: how many seconds to search for one of them at most. Example: --budget-each 20 [default: a "
        "share of the budget, by size]."
    )
    evaluations: Annotated[int | None, MORE] = None
    "How many tests the search may run; with the same seed, every run writes the same suite."
    seed: Annotated[int, MORE] = 1
    "The seed of the random numbers; another seed is another attempt."
    accidental_exceptions: Annotated[bool, MORE, _SWITCH] = False
    (
        "Also write tests of exceptions that the module does not raise on purpose, if no other test takes the branch. Example: "
        "f(None) raises AttributeError. They come last in the file."
    )
    keep_redundant: Annotated[bool, MORE, _SWITCH] = False
    "Also write tests that take no other branches and kill no other mutants than the rest of the suite does."
    max_per_function: Annotated[int, MORE] = MOST_TESTS
    (
        "How many test functions one function gets at most. Similar tests become the cases of one; a test that alone takes a "
        "branch is always written."
    )
    force: Annotated[bool, MORE, _SWITCH] = False
    "Overwrite the test file even if it has code that you wrote."
    no_cache: Annotated[bool, MORE, _SWITCH] = False
    "Neither use nor store anything in your cache folder, where compiled modules are kept between runs."
    database: Annotated[str | None, MORE] = None
    (
        "The file in which the suites of several modules are stored, so that the same command continues an interrupted run "
        "[default: one in .crashwright/ until all modules are done]."
    )
    retry: Annotated[bool, MORE, _SWITCH] = False
    "With --database: try modules again for which an earlier run wrote no suite."
    cluster: Annotated[str | None, MORE] = None
    "Work on a Dask cluster: tcp://HOST:PORT of its scheduler (crashwright[cluster], docs/batch.md)."
    html: Annotated[str | None, MORE] = None
    (
        "Also write the result as an HTML page to this file: the source with the branches that tests take, the distances to the "
        "others, the mutants. The page needs no network."
    )
    json: Annotated[bool, MORE, _SWITCH] = False
    "Print the result as one JSON document on standard output, and progress as JSON lines on standard error."
    criteria: Annotated[str | None, STUDY] = None
    "The coverage criteria to search for, separated by commas [default: all eight]."
    selection: Annotated[str, STUDY] = SELECTION
    "Which coverage goals the search has at the same time: all, smart, smart-no-subsumption, or a list of criteria."
    algorithm: Annotated[Literal["dynamosa", "mosa", "whole-suite", "random"], STUDY] = "dynamosa"
    "The search algorithm."
    flags: Annotated[Literal["none", "interprocedural"], STUDY] = "interprocedural"
    (
        "How far a test is from the other answer of a condition that a function computes: as far as its answer tells (none), or "
        "measured within that function once part of the budget is spent (interprocedural)."
    )
    engine: Annotated[Literal["search", "portfolio"], STUDY] = "search"
    (
        "How tests are found: evolutionary search, or also symbolic execution for the branches that the search leaves open "
        "(portfolio, needs --jobs 1)."
    )
    without: Annotated[tuple[str, ...], STUDY, _SEVERAL] = ()
    (
        "A part of the search to switch off, to measure what it contributes: a mechanism, a source of tests, or a step before or "
        "after it, which docs/reference.md lists; may be repeated."
    )
    also: Annotated[tuple[Literal["wants"], ...], STUDY, _SEVERAL] = ()
    "A part of the search to switch on that is off by default, to measure what it contributes; may be repeated."


class SuiteDisplay(Protocol):
    """Shows a run to somebody."""

    def event(self, event: ModulesEvent) -> None: ...
    def result(self, result: SuiteResult) -> None: ...
    def close(self) -> None: ...


def keys() -> frozenset[str]:
    """The keys of ``[tool.crashwright.generate]``: the options' names."""
    return frozenset(field.name.replace("_", "-") for field in dataclasses.fields(GenerateOptions))


def _configure(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Cyclopts hook: fill in what the command line leaves open."""
    file = nearest_pyproject(Path.cwd())
    if file is not None and b"crashwright" in file.read_bytes():
        Dict(generate_settings(file, keys()), source=str(file), use_commands_as_keys=False)(app, commands, arguments)


app = App(
    name="generate",
    usage="Usage: crashwright generate [OPTIONS] [MODULE | PACKAGE | FILE]...",
    config=_configure,
    group_arguments=ARGUMENTS,
    group_parameters=EVERYDAY,
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
    result_action="return_value",
)


@app.default
def command(
    *modules: str,
    options: GenerateOptions = GenerateOptions(),
    quiet: Annotated[bool, QUIET] = False,
    verbose: Annotated[bool, VERBOSE] = False,
) -> int:
    """Write a pytest suite for a module, or one for each module of a package.

    You can also set the options in [tool.crashwright.generate] of the nearest pyproject.toml; the command line wins.

    Parameters
    ----------
    modules
        Modules and packages, as you import them (package.module), or their files.
    quiet
        Print no progress lines, only the result.
    verbose
        Print a line for each step, and lists in full that are shortened otherwise.
    """
    shown = _report(options.json, quiet, verbose)
    with errors_as_json(options.json), closing(shown):
        check_loudness(quiet, verbose)
        check_page(options.html)
        result = generate_all(_request(modules, options), suite_machinery(), partial(place_of, options.cluster), shown.event)
        shown.result(result)
        return write_page(options.html, lambda: _page(result), result.exit_code)


def _page(result: SuiteResult) -> str:
    # Only a page needs templates.
    from crashwright.reporting.html.suite_page import suite_page

    return suite_page(suite_document(result))


def _request(modules: tuple[str, ...], options: GenerateOptions) -> ModulesRequest:
    return ModulesRequest(
        modules, _suites(options), options.budget_each, options.database, options.retry, elsewhere=options.cluster is not None
    )


def _suites(options: GenerateOptions) -> SuiteRequest:
    bounded = any(one is not None for one in (options.budget, options.evaluations, options.budget_each))
    seconds = options.budget if bounded else DEFAULT_SECONDS
    criteria = criteria_of(options.criteria) if options.criteria is not None else CRITERIA
    selection = options.selection
    if selection not in SELECTIONS and options.criteria is None:
        criteria, selection = criteria_of(selection, "--selection"), "all"
    mechanisms, sources = switched_off(options.without)
    return SuiteRequest(
        subject="",
        python=options.python or sys.executable,
        path=options.path,
        output=options.output,
        targets=options.target,
        criteria=criteria,
        selection=selection,
        flags=options.flags,
        budget=Budget(seconds, options.evaluations),
        search=suite_search(
            options.algorithm, options.seed, mechanisms, options.engine, sources, tuple(map(Mechanism, options.also))
        ),
        jobs=options.jobs,
        existing_tests=options.existing_tests,
        update=options.update,
        force=options.force,
        cache=not options.no_cache,
        allow=options.allow,
        candidates=candidate_texts(options.candidate),
        accidents=options.accidental_exceptions,
        keep_redundant=options.keep_redundant,
        most_tests=options.max_per_function,
        asked_python=options.python or "",
    )


def _report(json: bool, quiet: bool, verbose: bool, clock: Callable[[], float] = time.monotonic) -> SuiteDisplay:
    log = unread() if quiet else sys.stderr
    if json:
        return SuiteJsonReport(sys.stdout, log, clock)
    if quiet or verbose or not sys.stdout.isatty():
        return SuitePlainReport(sys.stdout, log, clock, whole=verbose)
    # Only a terminal needs rich.
    from rich.console import Console

    from crashwright.reporting.suite_terminal import SuiteTerminalReport

    return SuiteTerminalReport(Console())
