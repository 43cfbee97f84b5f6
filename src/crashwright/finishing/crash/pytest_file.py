"""Puts a printed test into a file: header, imports, and one test function in one of three forms.

``fail`` has the bare calls and is red until the bug is fixed; ``raises`` is green while the crash is there; ``xfail`` is strict.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from crashwright.core.preparation import Preparation
from crashwright.engine.testcase.printing.printing import PrintedTest
from crashwright.finishing import preparation_lines
from crashwright.finishing.crash.crash_statement import commented, crashing_lines, expected
from crashwright.finishing.crash.header import Header

_NOTHING = Preparation()
LONGEST_SLEEP = 2.0
"""Seconds that a test may really sleep; of one that sleeps longer the clock of the standard library is patched."""
FORMS = ("fail", "raises", "xfail")
WIDTH = 88
"""The line length of the printed file: the default of the usual formatters."""


@dataclass(frozen=True, slots=True)
class CrashPoint:
    """What the test is known to raise, and where. ``module`` is that of the exception's class; ``line`` counts from 0 in the body
    of the printed test, None while it is not known (then its last statement)."""

    exception: str
    module: str
    message: str
    line: int | None = None

    @property
    def importable(self) -> bool:
        """The class can be named in the test."""
        return self.module == "builtins" or (all(part.isidentifier() for part in (*self.module.split("."), self.exception)))

    @property
    def name(self) -> str:
        """The class as the test writes it; one that cannot be imported is caught as what it surely is."""
        return self.exception if self.importable else "Exception"

    @property
    def printed(self) -> str:
        """``IndexError: list index out of range``"""
        return f"{self.exception}: {self.message}" if self.message else self.exception


@dataclass(frozen=True, slots=True)
class PytestFile:
    """The text, and where the body of the test stands in it: ``body_line`` is the file's line (from 1) of the body's first line."""

    text: str
    body_line: int
    statement: tuple[int, int]
    """First and last line of the crashing statement in the file (from 1)."""


def pytest_file(
    printed: PrintedTest, header: Header, name: str, point: CrashPoint, slept: float = 0.0, preparation: Preparation = _NOTHING
) -> PytestFile:
    """The file for ``printed``, which sleeps for ``slept`` seconds; ``preparation`` is set up before."""
    body = list(printed.body)
    preparation = preparation_lines.needed(preparation, body)
    place = crashing_lines(body, point.line)
    indent = 8 if printed.is_async else 4
    shift = 0
    if header.form == "raises":
        marked = expected(body, place, point.name, point.message, WIDTH - indent)
        shift = 1
    else:
        marked = commented(body, place, point.printed, WIDTH - indent)
        shift = len(marked) - len(body)
    imports = preparation_lines.with_imports(preparation, _imports(printed, header.form, point, preparation))
    opening = [*preparation_lines.fixtures(preparation), *preparation_lines.marks(preparation)]
    opening += _opening(printed, header.form, name, point, slept)
    above = [*printed.above, "", ""] if printed.above else []
    before = [*header.lines(), "", *imports, *([""] * 2 if imports else [""]), *above, *opening]
    after = ["", "    asyncio.run(scenario())"] if printed.is_async else []
    lines = [*before, *(" " * indent + line if line else "" for line in marked), *after]
    first = len(before) + 1
    return PytestFile("\n".join(lines) + "\n", first, (first + shift + place.first, first + shift + place.last))


def _opening(printed: PrintedTest, form: str, name: str, point: CrashPoint, slept: float) -> list[str]:
    lines = [f"@pytest.mark.xfail(strict=True, raises={point.name})"] if form == "xfail" else []
    long = slept > LONGEST_SLEEP
    lines.append(f"def {name}({', '.join(dict.fromkeys((*printed.fixtures, *(['monkeypatch'] if long else []))))}):")
    if long and printed.is_async:
        lines.append(f"    sleep = asyncio.sleep  # the test sleeps for {slept:,.0f} seconds")
        lines.append('    monkeypatch.setattr("asyncio.sleep", lambda delay, result=None: sleep(0, result))')
    elif long:
        lines.append(f'    monkeypatch.setattr("time.sleep", lambda seconds: None)  # {slept:,.0f} seconds')
    if printed.is_async:
        lines.append("    async def scenario():")
    return lines


def _imports(printed: PrintedTest, form: str, point: CrashPoint, preparation: Preparation) -> list[str]:
    """Import lines: the standard library, a blank line, the rest; in each group plain imports first."""
    lines = {*printed.imports, *preparation_lines.imports(preparation)}
    if printed.is_async:
        lines.add("import asyncio")
    if form in ("raises", "xfail"):
        lines.add("import pytest")
        if point.importable and point.module != "builtins" and point.exception not in _bound(lines):
            lines.add(f"from {point.module} import {point.exception}")
    ordered = sorted(lines, key=lambda line: (line.startswith("from "), line))
    standard = [line for line in ordered if line.split()[1].partition(".")[0] in sys.stdlib_module_names]
    others = [line for line in ordered if line not in standard]
    return [*standard, *([""] if standard and others else []), *others]


def _bound(lines: set[str]) -> set[str]:
    """The names that ``from`` lines bind."""
    names = (name for line in lines if line.startswith("from ") for name in line.partition(" import ")[2].split(", "))
    return {name.rpartition(" as ")[2] for name in names}
