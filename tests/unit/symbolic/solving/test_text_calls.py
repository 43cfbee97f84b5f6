"""Calls of texts as they are written in terms, and what the solver is told of them: never what Python contradicts."""

from __future__ import annotations

import re
import time

import pytest

from crashwright.core.pattern_calls import PatternCall
from crashwright.core.terms import Sort, Term
from crashwright.core.text_calls import TextCall, read
from crashwright.symbolic.solving.solver import Solver, SolverVerdict
from crashwright.symbolic.solving.z3_terms import Language
from crashwright.symbolic.values.literals import given, text
from crashwright.symbolic.values.logic import equal
from crashwright.symbolic.values.texts import called

CALLS = [
    *[
        TextCall(name)
        for name in ("capitalize", "title", "swapcase", "lstrip", "rstrip", "isdigit", "isalpha", "isalnum", "isspace")
    ],
    *[TextCall(name) for name in ("isupper", "islower", "isidentifier", "isascii")],
    TextCall("rstrip", (",",)),
    TextCall("lstrip", ("a ",)),
    TextCall("strip", ("a",)),
    TextCall("removeprefix", ("a",)),
    TextCall("zfill", (3,)),
    TextCall("rjust", (4,)),
    TextCall("replace", (",", "")),
    TextCall("replace", ("a,", "x", 1)),
    TextCall("count", (",",)),
    TextCall("rfind", (",",)),
    TextCall("split", counted=True),
    TextCall("split", (",",), counted=True),
    TextCall("split", (",", 1), counted=True),
    TextCall("splitlines", counted=True),
    *[TextCall("split", (",",), part) for part in (0, 1, -1)],
    TextCall("split", (",", 1), 1),
    TextCall("rsplit", (",", 1), 0),
    *[TextCall("rpartition", (",",), part) for part in range(3)],
]
PATTERN_CALLS = [
    *[PatternCall(method, "a+(,)?", tested=True) for method in ("match", "search", "fullmatch")],
    *[PatternCall(method, "(?i)[a-c](,|$)", group=group) for method in ("match", "search") for group in (0, 1)],
    PatternCall("search", r"a(,)?\b", tested=True),
    PatternCall("match", "a(b)?", group=1, tested=True),
    PatternCall("search", "_(,)", group=1),
    PatternCall("sub", "[,a]+", "x"),
    PatternCall("sub", "^a", ""),
]
TEXTS = ("", " ", "a,b", ",", "12", "Ab c", "a,,a, ", "x\ny")


@pytest.mark.parametrize("call", CALLS, ids=lambda one: one.written)
def test_they_read_as_they_are_written(call: TextCall) -> None:
    assert read(call.written) == call
    assert (
        call.of("a,b") == eval(call.written, {"_": "a,b"}) if call.part is None or call.part < 2 or call.method != "split" else True
    )


@pytest.mark.parametrize("call", PATTERN_CALLS, ids=lambda one: one.written)
def test_calls_of_regular_expressions_are_what_they_say(call: PatternCall) -> None:
    assert read(call.written) == call
    for one in (*TEXTS, "a", "ab", "_,"):
        try:
            expected = eval(call.written, {"_": one, "re": re})
        except TypeError:  # there is nothing to take a group of
            expected = False if call.tested else None
        assert call.of(one) == expected


@pytest.mark.parametrize(
    "text",
    [
        "_.encode()",
        "_.rstrip(x)",
        "len(_)",
        "__import__('os')",
        "_.format(1)",
        "_ . rstrip()",
        "1 +",
        "re.split('a', _)",
        "re.match('a')",
    ],
)
def test_nothing_else_is_read(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read(text)


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(Language(), time.monotonic)


@pytest.mark.parametrize("call", [*CALLS, *PATTERN_CALLS], ids=lambda one: one.written)
def test_the_solver_agrees_with_python(solver: Solver, call: TextCall | PatternCall) -> None:
    whole = given(Sort.TEXT, "whole")
    made = called(whole, call)
    for one in TEXTS:
        expected = called(text(one), call)
        if expected.op is made.op:
            continue  # it makes nothing of this
        solver.push()
        solver.add(equal(whole, text(one)))
        solver.add(equal(made, Term(expected.op, expected.sort, (), expected.payload)))
        assert solver.check(5.0).verdict is SolverVerdict.SATISFIABLE, one
        solver.pop()
