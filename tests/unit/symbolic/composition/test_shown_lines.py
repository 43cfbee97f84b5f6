"""Tests that make the call that a report shows: its literals stay, its callers' names become values."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest
from composed import composed, crash_of, crashes

from crashwright.core.target import CallSite
from crashwright.symbolic.composition.echoed import EchoedNames
from crashwright.symbolic.composition.fillers import filling, joined, quoted, words_of
from crashwright.symbolic.execution.sources import SourceProgram

STYLES = """
from decimal import Decimal

TABLE = {"plain": 1, "wide": 0}

class Pen:
    def __init__(self, width, *, style="plain"):
        self.width = width
        self.style = style

    def draw(self, text, times=1):
        if text:
            return times // TABLE[self.style]

    def __getitem__(self, key):
        return {}[key]

def spread(values, gap=1, unit="mm"):
    if unit == "pt":
        return values[3] / gap

def ratio(one, other):
    return one / 2.0 if one != other else 0
"""


def shown(call: str, line: str) -> list[str]:
    """The tests for the outermost frame of the crash that ``call`` makes, where the report shows ``line``."""
    target = replace(crash_of(STYLES, call), call_sites=(CallSite(line, "<module>", {}),), package="program")
    outermost = len(target.package_frames)
    tests = composed(STYLES, target, outermost)
    return [one for one in tests if (again := crashes(STYLES, one)) is not None and again.exception == target.exception]


@pytest.mark.parametrize(
    ("call", "line", "written"),
    [
        pytest.param("Pen(1, style='wide').draw('a')", "x = Pen(data, style='wide').draw(text)", "style=", id="receiver"),
        pytest.param("spread([1], unit='pt')", "print(spread(values, unit='pt'))", 'unit="pt"', id="literals"),
        pytest.param("Pen(1)['k']", "Pen(2)[key]", 'Pen(2)["k"]', id="operator"),
        pytest.param("ratio(Decimal(1), 2)", "ratio(Decimal(data), value)", "ratio(Decimal(", id="what the sources import"),
    ],
)
def test_the_call_is_written_as_the_report_shows_it(call: str, line: str, written: str) -> None:
    found = shown(call, line)
    assert any(written in one for one in found), found


def test_what_the_message_quotes_is_passed_where_nothing_is_known() -> None:
    assert quoted("'wide'") == ("wide",)
    assert quoted("cannot convert float NaN to integer")[-1] != quoted("cannot convert float NaN to integer")[-1]
    assert quoted("byte 0xf9 in position 3") == (b"\xf9", 3)
    assert "wide" in filling("", quoted("'wide'"), ())
    assert "wide" not in filling("int", quoted("'wide'"), ())


def test_texts_are_put_together_of_what_the_message_and_the_functions_say() -> None:
    program = SourceProgram({"parts": 'def f(text):\n    return text.split(":")[0] == "BEGIN" or text + b"="\n'}, (3, 11))
    words = list(words_of(program.function("parts:f")))
    assert words == [":", "a:", ":a", "BEGIN", b"=", b"a=", b"=a"]
    assert list(joined(("name", 3), words)) == ["name:", ":name"]


def test_names_of_the_callers_own_variables_are_open() -> None:
    program = SourceProgram({"box": "from decimal import Decimal\nclass Box:\n    pass\ndef make_box(): ...\n"}, (3, 11))
    names = EchoedNames(program, "box")
    texts = ("data", "Box()", "make_box", "Decimal(x)", "box.other", "data.size", "Lid()", "[data]", "-1")
    open_ones = [one for one in texts if names.is_open(ast.parse(one, mode="eval").body)]
    assert open_ones == ["data", "data.size", "Lid()"]
