"""The options of ``crashwright reproduce``, which are the keys of ``[tool.crashwright]`` too."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Annotated, Literal

from cyclopts import Parameter

from crashwright.core.mechanisms import Mechanism
from crashwright.workflows.reproduce.suggesting import CALLS


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
    "The import name of the package to blame [default: your own code, else the installed library that was called]."
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
    engine: Literal["search", "portfolio", "symbolic"] = "search"
    "What looks for tests: the evolutionary search, the symbolic engine, or both together: portfolio."
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
    without: Annotated[tuple[Mechanism, ...], Parameter(negative="", show_default=False)] = ()
    "A part of the search to switch off, to see what it brings; may be repeated."
    allow: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = ()
    "What the package may do: network, processes, ctypes, write:FOLDER; of the report: use its secrets, fetch it from its address."
    setup: str | None = None
    "A function that is called before each test, as MODULE:FUNCTION."
    candidate: Annotated[tuple[str, ...], Parameter(negative="", show_default=False, allow_leading_hyphen=True)] = ()
    "A script, test, transcript or issue text that may reproduce the crash, or nearly; - is standard input; may be repeated."
    suggest: str | None = None
    "A program of yours that is asked for candidates, at the start and where the search stands still (docs/candidates.md)."
    suggest_calls: int = CALLS
    "How often it may be asked."
    suggestions: str | None = None
    "The file with what it answered to an earlier run: the same is tried at the same places, and nobody is asked."
    fixed_python: str = ""
    "An interpreter in which the bug is fixed: tests that pass there are preferred."
    fixed_path: str = ""
    "A folder to import the fixed package from, to the same end."
    fixed_ref: str = ""
    "A commit, branch or tag of the project in which it is fixed, to the same end; your working tree stays as it is."
    output: str | None = None
    "The file to write, or a folder [default: test_PACKAGE_ENTRY_CRASH.py in the current folder]."
    force: Annotated[bool, Parameter(negative="")] = False
    "Overwrite the file of --output even if crashwright did not write it."
    expect: Literal["fail", "raises", "xfail"] = "fail"
    "The form: fails until the bug is fixed; passes today; strict xfail."
    keep_best: Annotated[bool, Parameter(negative="")] = False
    "Write the best partial test, marked PARTIAL, where the crash is not reproduced."
    no_cache: Annotated[bool, Parameter(negative="")] = False
    "Neither read nor write .crashwright/, where tests found earlier and the state of a running search are kept."
    html: str | None = None
    "A file for a page to look at: frames with their source, how far the search got, the test; it needs no network."
    json: Annotated[bool, Parameter(negative="")] = False
    "One JSON document on standard output, progress as JSON lines on standard error."


DEFAULTS = Options()


def keys() -> frozenset[str]:
    """The keys of ``[tool.crashwright]``: the options' names."""
    return frozenset(field.name.replace("_", "-") for field in dataclasses.fields(Options))
