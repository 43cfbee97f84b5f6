"""One run of a file of a suite in a fresh interpreter, and what came of each of its tests."""

from __future__ import annotations

from dataclasses import dataclass, field

from crashwright.finishing.running.fresh_runner import FreshRunner, Manner
from crashwright.finishing.running.record import Record
from crashwright.finishing.running.recorder_files import ELSEWHERE, SUITE_WATCH
from crashwright.finishing.suite.weakening import Untrue
from crashwright.supervision.fresh import FreshRun

WATCHED = ("--tb=line", "-p", "no:faulthandler")
"""Tracebacks of many failing tests would take longer than the tests; pytest's own watch over hangs would disarm ours."""
_REFUSED = "it does what confinement refuses"


@dataclass(frozen=True, slots=True)
class FileRun:
    """One process with one file of tests. ``items`` are the names of all its tests in the order of the file, None where it could
    not be imported (then ``problem`` says why); ``passed`` and ``failed`` (with the reason) those that came to an end, ``raised``
    the module and name of the class of exception for some of these, ``untrue`` the assertions that did not hold. ``stuck`` is the
    one in which the process ended, ``timed_out`` that this was from outside, since the time was up."""

    items: tuple[str, ...] | None = None
    passed: frozenset[str] = frozenset()
    failed: dict[str, str] = field(default_factory=dict)
    raised: dict[str, tuple[str, str]] = field(default_factory=dict)
    untrue: dict[str, Untrue] = field(default_factory=dict)
    stuck: str | None = None
    timed_out: bool = False
    problem: str = ""
    output: str = ""


@dataclass(frozen=True, slots=True)
class RunConditions:
    """Under which a file is run: ``only`` these tests (empty: all), seconds for each, and the hash seed; ``plain`` runs it as it
    is, where pytest would otherwise rewrite its assertions, which takes time. ``elsewhere`` names the subject's package where the
    run is to be as on another machine on another day (``finishing.running.elsewhere``)."""

    only: tuple[str, ...] = ()
    reverse: bool = False
    hash_seed: int = 0
    test_seconds: float = 10.0
    plain: bool = False
    elsewhere: str = ""


def run_file(runner: FreshRunner, text: str, name: str, conditions: RunConditions, seconds: float) -> FileRun:
    """Run ``text`` as a file called ``name`` for ``seconds`` at most."""
    bench = runner.bench()
    test, only = bench.work / name, bench.support / "only.txt"
    test.write_text(text, encoding="utf-8")
    only.write_text("\n".join(conditions.only), encoding="utf-8")
    environment = {
        "PYTHONHASHSEED": str(conditions.hash_seed),
        "CRASHWRIGHT_ONLY": str(only) if conditions.only else "",
        "CRASHWRIGHT_TEST_SECONDS": str(conditions.test_seconds),
        "CRASHWRIGHT_REVERSE": "1" if conditions.reverse else "",
        "CRASHWRIGHT_ELSEWHERE": conditions.elsewhere,
    }
    # First what changes the folder, then what notes in which one tests run.
    plugins = (*[ELSEWHERE] * bool(conditions.elsewhere), SUITE_WATCH)
    manner = Manner((*WATCHED, *["--assert=plain"] * conditions.plain), plugins, environment)
    return _file_run(*runner.run_alone(bench, test, manner, seconds))


def _file_run(run: FreshRun, record: Record) -> FileRun:
    failed = {test: record.reasons[test] or outcome for test, outcome in record.outcomes.items() if outcome != "passed"}
    failed |= dict.fromkeys(record.refused, _REFUSED)
    return FileRun(
        items=None if record.problems else record.items,
        passed=frozenset(test for test in record.outcomes if test in record.ended and test not in failed),
        failed=failed,
        raised=record.classes,
        untrue={test: Untrue(lines, whole) for test, (lines, whole) in record.untrue.items()},
        # pytest itself may still have come to an end, where a test had closed its files.
        stuck=next((test for test in reversed(record.began) if test not in record.ended), None),
        timed_out=run.code is None,
        problem=record.problems[-1] if record.problems else "",
        output=run.output[-2000:],
    )
