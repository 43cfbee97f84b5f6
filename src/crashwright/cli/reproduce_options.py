"""The options of ``crashwright reproduce``, which are the keys of ``[tool.crashwright]`` too."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Annotated, Literal

from cyclopts import Parameter

from crashwright.cli.option_groups import MORE, STUDY, short
from crashwright.workflows.reproduce.suggesting import CALLS

_SEVERAL = Parameter(negative="", show_default=False)
_SWITCH = Parameter(negative="", show_default=False)


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class ReproduceOptions:
    """The options, under the same names in ``[tool.crashwright]`` of the nearest pyproject.toml."""

    output: Annotated[str | None, short("output", "o")] = None
    "The test file to write, or a folder for it [default: test_PACKAGE_ENTRY_CRASH.py in the current folder]."
    python: Annotated[str | None, short("python", "p")] = None
    (
        "The Python interpreter that can import the crashing package, such as .venv/bin/python [default: the one that runs "
        "crashwright]."
    )
    path: Annotated[tuple[str, ...], _SEVERAL] = ()
    "A folder to import your code from, if it is not installed; may be repeated."
    package: str | None = None
    "The import name of the package to test [default: your own code, else the installed library that was called]."
    budget: Annotated[float | None, short("budget", "b")] = None
    "How many seconds the whole command may take [default: 60, no limit if --evaluations is given]."
    jobs: Annotated[int, short("jobs", "j")] = 1
    "How many searches run at the same time. Each has its own seed; they share their best tests."
    candidate: Annotated[tuple[str, ...], _SEVERAL, Parameter(allow_leading_hyphen=True)] = ()
    (
        "A file with code to start from: a script, test, transcript or issue text that crashes this way or nearly. Example: "
        "--candidate demo.py. - reads standard input; may be repeated."
    )
    allow: Annotated[tuple[str, ...], _SEVERAL] = ()
    (
        "What the package may do: network, processes, ctypes or write:FOLDER; also secrets (use those in the report) and fetch "
        "(load the report from its address); may be repeated."
    )
    keep_best: Annotated[bool, _SWITCH] = False
    "If the crash is not reproduced, write the best partial test, marked PARTIAL."
    report_number: Annotated[str | None, MORE] = None
    (
        "Which report to use if the text has several. Example: --report-number 2 is the second one, --report-number 2.1 the first "
        "exception of its group [default: the last]."
    )
    target_frame: Annotated[int | None, MORE] = None
    (
        "The frame whose function the test calls, counted outwards from the crash. Example: --target-frame 1 calls the function "
        "that crashed, --target-frame 2 its caller [default: the package's outermost frame]."
    )
    evaluations: Annotated[int | None, MORE] = None
    "How many tests the search may run; with the same seed, every run is the same."
    seed: Annotated[int, MORE] = 1
    "The seed of the random numbers; another seed is another attempt."
    setup: Annotated[str | None, MORE] = None
    "A function to call before each test, as MODULE:FUNCTION."
    candidate_program: Annotated[str | None, MORE] = None
    (
        "A program of yours that is asked for candidates, at the start and when the search makes no progress. Example: "
        "--candidate-program 'python ask.py' (docs/candidates.md)."
    )
    candidate_calls: Annotated[int, MORE] = CALLS
    "How often that program may be asked."
    candidate_answers: Annotated[str | None, MORE] = None
    (
        "The file in which an earlier run stored the answers of that program: they are used again, and the program is not asked. "
        "Example: --candidate-answers .crashwright/candidate-answers/3f2a.jsonl."
    )
    fixed_python: Annotated[str, MORE, Parameter(show_default=False)] = ""
    "A Python interpreter that has the package with the bug fixed: tests that pass there are preferred."
    fixed_path: Annotated[str, MORE, Parameter(show_default=False)] = ""
    "A folder with the fixed package: tests that pass with it are preferred."
    fixed_ref: Annotated[str, MORE, Parameter(show_default=False)] = ""
    (
        "A commit, branch or tag of the project with the bug fixed: tests that pass there are preferred. Your working tree is "
        "not changed."
    )
    expect: Annotated[Literal["fail", "raises", "xfail"], MORE] = "fail"
    (
        "What the test does: fail until the bug is fixed (fail), pass as long as the crash is there (raises), or be marked as a "
        "strict xfail."
    )
    force: Annotated[bool, MORE, _SWITCH] = False
    "Overwrite the file of --output even if crashwright did not write it."
    no_cache: Annotated[bool, MORE, _SWITCH] = False
    (
        "Neither use nor store anything between runs: tests and interrupted searches in .crashwright/, and compiled modules in "
        "your cache folder."
    )
    html: Annotated[str | None, MORE] = None
    (
        "Also write the result as an HTML page to this file: frames with their source, progress of the search, the test. The "
        "page needs no network."
    )
    json: Annotated[bool, MORE, _SWITCH] = False
    "Print the result as one JSON document on standard output, and progress as JSON lines on standard error."
    engine: Annotated[Literal["search", "portfolio", "symbolic"], STUDY] = "search"
    "How tests are found: evolutionary search, symbolic execution, or both together (portfolio)."
    strategy: Annotated[Literal["cores", "paper"], STUDY] = "cores"
    (
        "How the symbolic engine chooses the calls that give an object its state: by what contradicts the others (cores), or by "
        "the fixed priorities of its paper (paper)."
    )
    algorithm: Annotated[Literal["guided", "random"], STUDY] = "guided"
    "The search algorithm: guided by fitness, or random."
    fitness: Annotated[Literal["ordered", "weighted-sum", "st-distance"], STUDY] = "ordered"
    "The fitness function: how the distance of a test to the crash is measured."
    trace_distance: Annotated[Literal["closest", "prefix"], STUDY] = "closest"
    "How --fitness weighted-sum compares stack traces: each frame with the closest one, or frame by frame from the crash outwards."
    secondary: Annotated[Literal["bbc", "bbc-literal", "none"], STUDY] = "bbc"
    (
        "The secondary objective, which decides between tests of equal fitness: basic block coverage, the same exactly as in "
        "its paper, or none."
    )
    operators: Annotated[Literal["extended", "evocrash"], STUDY] = "extended"
    "The operators that make and change tests: those of EvoCrash with our additions, or those of EvoCrash alone."
    schedule: Annotated[Literal["grow", "restart"], STUDY] = "grow"
    "What happens if the search makes no progress: the population grows, or the search restarts with a larger one."
    flags: Annotated[Literal["none", "interprocedural"], STUDY] = "none"
    (
        "How far a test is from the other answer of a condition that a function computes: as far as its answer tells (none), or "
        "measured within that function (interprocedural)."
    )
    published: Annotated[Literal["evocrash", "botsing"] | None, STUDY] = None
    "Search exactly as a paper did, EvoCrash or Botsing: it sets all other options of the search but --seed."
    without: Annotated[tuple[str, ...], STUDY, _SEVERAL] = ()
    (
        "A part of the search to switch off, to measure what it contributes: a mechanism, a source of tests, or a step before or "
        "after it, which docs/reference.md lists; may be repeated."
    )
    also: Annotated[tuple[Literal["wants", "earned"], ...], STUDY, _SEVERAL] = ()
    "A part of the search to switch on that is off by default, to measure what it contributes; may be repeated."


DEFAULTS = ReproduceOptions()


def keys() -> frozenset[str]:
    """The keys of ``[tool.crashwright]``: the options' names."""
    return frozenset(field.name.replace("_", "-") for field in dataclasses.fields(ReproduceOptions))
