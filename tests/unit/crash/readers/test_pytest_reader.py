"""pytest's output: what a frame is, where a failure ends, what is refused."""

import pytest

from crashwright.core.report import CrashReport, ReportedEnvironment, ReportedFrame, Unknown
from crashwright.crash.readers.pytest_long import long_entry
from crashwright.crash.readers.pytest_text import BROKEN_OFF, PytestReader
from crashwright.crash.readers.pytest_values import argument_values, local_values, shortened

FAILURE = """\
self = Shelf({'bolt': [1, 2]}), name = 'nut'

    @logged
    def find(self, name):
        # words

>       return self.slots[name]
               ^^^^^^^^^^^^^^^^
E       KeyError: 'nut'

shop/stock.py:26: KeyError
"""
FRAME = ReportedFrame(
    "shop/stock.py",
    26,
    "find",
    "return self.slots[name]",
    (7, 23),
    None,
    {"self": "Shelf({'bolt': [1, 2]})", "name": "'nut'"},
)
PLAIN = 'Traceback (most recent call last):\n  File "/x/a.py", line 3, in f\n    x()\nValueError: bad\n'


def read(text: str) -> tuple[CrashReport, ...]:
    found = PytestReader().read(text)
    assert not isinstance(found, Unknown), found
    return found


def function(*source: str, values: str = "") -> str:
    lines = [*([values, ""] if values else []), *source]
    entry = long_entry(lines, "a.py", 3)
    assert entry
    return entry.frame.function


def test_a_failure_without_its_title() -> None:
    (report,) = read(FAILURE)
    assert report.crash.frames == (FRAME,)
    assert (report.crash.type, report.crash.message) == ("KeyError", "'nut'")


@pytest.mark.parametrize("margin", ["    ", "> ", "\t", ">> > "])
def test_margins_of_a_fragment(margin: str) -> None:
    (report,) = read("".join(f"{margin}{line}\n" for line in FAILURE.splitlines()))
    assert report.crash.frames == (FRAME,)


def test_a_fence_and_prose_around() -> None:
    (report,) = read(f"I ran it:\n\n```console\n$ pytest\n__________ test_find __________\n\n{FAILURE}```\n\nWhat now?\n")
    assert report.crash.frames == (FRAME,)
    assert report.crash.message == "'nut'"


def test_a_traceback_pasted_behind_is_read_too() -> None:
    first, second = read(f"{FAILURE}\nAnd this:\n\n{PLAIN}")
    assert first.crash.type == "KeyError"
    assert second.crash.type == "ValueError"


def test_plain_tracebacks_are_left_to_their_reader() -> None:
    assert PytestReader().read(PLAIN) == Unknown("")
    assert PytestReader().read("") == Unknown("")


def test_the_last_failure_breaks_off() -> None:
    cut = FAILURE[: FAILURE.index("E  ")]
    assert PytestReader().read(f"____ test_a ____\n\n{FAILURE}____ test_b ____\na.py:3: in f\n    x()\n") == Unknown(BROKEN_OFF)
    assert PytestReader().read(f"____ test_a ____\na.py:3: in f\n    x()\n_ _ _ _ _ _\n{cut}") == Unknown(BROKEN_OFF)


def test_the_last_native_failure_breaks_off() -> None:
    found = PytestReader().read(f"____ test_a ____\n{PLAIN}____ test_b ____\n{PLAIN.rpartition('ValueError')[0]}")
    assert isinstance(found, Unknown)
    assert "breaks off" in found.reason


def test_captured_output_is_no_report() -> None:
    captured = f"---- Captured log call ----\n{PLAIN}a.py:3: in f\n    x()\nE   ValueError: no\n"
    (report,) = read(f"____ test_a ____\n\n{FAILURE}{captured}==== 1 failed ====\n")
    assert report.crash.type == "KeyError"


def test_colours_that_lost_their_escape() -> None:
    lines = [
        "[31m[1m______________ test_a _______________[0m",
        "[1m[31ma.py[0m:3: in f",
        "    [0m[94mreturn[39;49;00m x",
        "[1m[31mE   KeyError: 1[0m",
    ]
    (report,) = read("\n".join(lines))
    assert report.crash.frames == (ReportedFrame("a.py", 3, "f", "return x"),)


def test_a_gap_in_a_recursion_is_filled_with_repetitions() -> None:
    head = "__________ test_a __________\nt.py:1: in test_a\n    f()\n"
    deep = "a.py:3: in f\n    f()\n"
    end = "E   RecursionError: deep\n!!! Recursion error detected\n  Displaying first and last 2 stack frames out of 90.\n"
    (report,) = read(head + deep * 3 + end)
    assert [frame.repeated for frame in report.crash.frames] == [0, 86, 0, 0]
    (other,) = read(head + deep + deep.replace(":3", ":4") * 2 + end)
    assert [frame.repeated for frame in other.crash.frames] == [0, 0, 0, 0]


def test_the_environment_of_a_run() -> None:
    head = (
        "platform linux -- Python 3.12.0rc1, pytest-8.2.0, pluggy-1.5.0 -- /usr/bin/python\nplugins: cov-5.0.0, my-tool-1.2.dev3\n"
    )
    (report,) = read(f"=== test session starts ===\n{head}=== FAILURES ===\n____ test_a ____\n\n{FAILURE}")
    packages = {"pytest": "8.2.0", "pluggy": "1.5.0", "pytest-cov": "5.0.0", "pytest-my-tool": "1.2.dev3"}
    assert report.environment == ReportedEnvironment("3.12.0rc1", packages)
    (worker,) = read(f"____ test_a ____\n[gw1] linux -- Python 3.11.7 /usr/bin/python\n\n{FAILURE}")
    assert worker.environment == ReportedEnvironment("3.11.7")


def test_names_come_from_the_source_shown() -> None:
    assert function("    async def run(self):", ">       x()") == "run"
    assert function("    @a", "    @b(", "        1,", "    )", "    def g(", "        x,", "    ) -> int:", ">       x()") == "g"
    assert function("    def f():", "        def g():", "            y()", ">       x()") == "f"
    assert function(">   def f(): return 1 / 0") == "f"
    assert function("    class A:", ">       x = 1 / 0") == "A"
    assert function("    def f():", '        """Words', "    at the margin", '    """', ">       x()") == "f"
    assert function("    def f():", "        y()", "    ", "    if f:", ">       x()") == "<module>"
    assert function("    import os", ">   x()") == "<module>"
    assert function(">   f = lambda x: 1 / x") == "<lambda>"
    assert function(">       return x") == "<unknown>"
    assert function(">   ???") == "<unknown>"


def test_comprehensions_are_told_apart() -> None:
    iterator = ".0 = <list_iterator object at 0x7f>"
    assert function(">   return sum(1 / x for x in y)", values=iterator) == "<genexpr>"
    assert function(">   return [1 / x for x in y]", values=iterator) == "<listcomp>"
    assert function("    return {", ">       x: 1 / x", "        for x in y", "    }", values=iterator) == "<dictcomp>"
    both = ">   return {1 / x for x in y}, [x for x in y]"
    assert function(both, "            ^^^^^", values=iterator) == "<setcomp>"
    assert function(both, values=iterator) == "<genexpr>"  # nothing tells


def test_arguments_are_cut_at_names_of_the_source() -> None:
    source = "def f(a, b, *args): pass"
    assert argument_values(["a = [1, x = 2], b = 'y'", "args = (3,)"], source) == {"a": "[1, x = 2]", "b": "'y'", "args": "(3,)"}
    assert argument_values(["a = Odd", "  of = lines", "b = 2"], source) == {"a": "Odd\n  of = lines", "b": "2"}
    assert argument_values([], source) == {}


def test_values_that_were_cut_are_left_out() -> None:
    cut = "'" + "y" * 117 + "..." + "y" * 118 + "'"
    assert shortened(cut)
    assert shortened("[1, 2, 3, 4, 5, 6, ...]")
    assert not shortened("'wait...'")
    assert local_values(["a          = 1", f"b          = {cut}", "c          = Odd", "d = 2"], "") == {"a": "1", "c": "Odd\nd = 2"}


def test_an_exception_group_among_failures() -> None:
    inner = "\n".join(
        [
            "  + Exception Group Traceback (most recent call last):",
            '  |   File "/x/_pytest/python.py", line 1, in pytest_pyfunc_call',
        ]
    )
    rest = [
        '  |   File "/x/a.py", line 2, in f',
        "  | ExceptionGroup: many (1 sub-exception)",
        "  +-+---------------- 1 ----------------",
    ]
    member = [
        "    | Traceback (most recent call last):",
        '    |   File "/x/a.py", line 3, in g',
        "    | KeyError: 1",
        "    +------------------------------------",
    ]
    (report,) = read("\n".join(["______ test_many ______", inner, *rest, *member]))
    assert [frame.function for frame in report.crash.frames] == ["f"]
    assert [one.crash.type for one in report.crash.group] == ["KeyError"]
