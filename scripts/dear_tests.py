"""Which tests are dear: CPU seconds of each test, file and shared fixture, which a busy machine changes little.

usage: python scripts/dear_tests.py [--top N] [--rows FILE] [whatever pytest takes]
    python scripts/dear_tests.py                the fast tests
    python scripts/dear_tests.py -m slow        the slow ones; -m nightly: those that run at night

pytest runs in this process, without pytest-xdist. Counted are user and system time of this process and of all children that it has
waited for, from before the set-up of a test until after its tear-down. What killed parents had not waited for is missing.
A fixture that several tests share is counted twice: with the test that asked for it first, and in a list of its own.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import pytest


def spent() -> float:
    """CPU seconds so far."""
    elsewhere = sys.modules.get("spent_elsewhere")  # once a test has imported what uses it
    return sum(os.times()[:4]) + (elsewhere.total() if elsewhere else 0.0)


class Meter:
    """A plugin of pytest that counts."""

    def __init__(self, rows: TextIO | None) -> None:
        self.rows = rows
        self.tests: Counter[str] = Counter()
        self.fixtures: Counter[str] = Counter()
        self.imports: Counter[str] = Counter()
        self.outcomes: Counter[str] = Counter()
        self.collection = 0.0

    @pytest.hookimpl(wrapper=True)
    def pytest_collection(self) -> Iterator[None]:
        begin = spent()
        result = yield
        self.collection = spent() - begin
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Iterator[None]:
        begin = spent()
        result = yield
        if isinstance(collector, pytest.Module):
            self.imports[collector.nodeid] += spent() - begin
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        begin = spent()
        result = yield
        self.tests[item.nodeid] += spent() - begin
        if self.rows:
            print(f"{self.tests[item.nodeid]:.2f}\t{item.nodeid}", file=self.rows, flush=True)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Iterator[None]:
        begin = spent()
        result = yield
        if fixturedef.scope != "function":
            self.fixtures[f"{fixturedef.baseid}::{fixturedef.argname} ({fixturedef.scope})"] += spent() - begin
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or report.outcome != "passed":
            self.outcomes[report.outcome] += 1


def files_of(tests: Counter[str]) -> Counter[str]:
    """The sums over the tests of each file."""
    files: Counter[str] = Counter()
    for name, seconds in tests.items():
        files[name.partition("::")[0]] += seconds
    return files


def table(title: str, seconds: Counter[str], top: int) -> None:
    """The dearest of them."""
    print(f"\n{title}: {seconds.total():.1f} CPU s in all, {len(seconds)} of them")
    for name, each in seconds.most_common(top):
        print(f"{each:8.2f}  {name}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--top", type=int, default=40, help="how many of each list (40)")
    parser.add_argument("--rows", type=Path, help="write a line for each test there, as soon as it has ended")
    options, words = parser.parse_known_args()
    sys.path.insert(0, os.getcwd())  # as python -m pytest does
    meter = Meter(options.rows.open("w") if options.rows else None)
    code = pytest.main(["-p", "no:xdist", "-p", "no:cacheprovider", "--no-header", *words], [meter])
    table("Tests", meter.tests, options.top)
    table("Files", files_of(meter.tests), options.top)
    table("Shared fixtures", meter.fixtures, options.top)
    table("Imports of test files", meter.imports, options.top)
    print(f"\ncollection {meter.collection:.1f} CPU s, tests {meter.tests.total():.1f} CPU s, all {spent():.1f} CPU s; ", end="")
    print(", ".join(f"{number} {outcome}" for outcome, number in meter.outcomes.items()))
    return int(code)


if __name__ == "__main__":
    raise SystemExit(main())
