"""What a run did, coarsely: the cell that its test competes in.

Fitness looks at one line, and most tests of a hard crash have one fitness. What tells them apart is how they ended, what they
touched of the path and what their last call worked on; among tests that are alike in all of this the smaller one is as good.

# Deviation: not in the papers. Cells are those of MAP-Elites (Mouret and Clune 2015) and Go-Explore (Ecoffet et al. 2021).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.instrument.trace import Trace
from crashwright.engine.subject.introspection import class_name
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Literal, Statement, Value, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import defined, used

LOOKED_AT = 20
"""Activations that are looked at, the first and the last of a run."""

MUCH = 6
"""In bits: what is larger is much, and all alike. Cells of their own would keep what is slow to run."""


class RunEnding(NamedTuple):
    """How a run ended: the class of the exception ("" where it completed) and the place that raised it."""

    exception: str = ""
    function: str = ""
    line: int = 0


class CallShape(NamedTuple):
    """What the last call of a test works on: the calls that made its receiver and its arguments and that were made on them, each
    with how often (to a factor of two), how much text there is in the test (to a factor of four), and how many literals of the
    report it has as they were."""

    calls: frozenset[tuple[object, int]]
    text: int
    quoted: int


class Conduct(NamedTuple):
    """What a run did. ``begun`` are the statements on the way to the line that is to be reached next, ``functions`` those of the
    path that were entered, ``often`` how often (to a factor of two)."""

    ending: RunEnding
    begun: bytes
    functions: frozenset[int]
    often: int


class Behaviour(NamedTuple):
    """What a run did, and of which test."""

    conduct: Conduct
    shape: CallShape


COMPLETED = RunEnding()
TIMED_OUT = RunEnding("timeout")


def conduct_of(outcome: Outcome, trace: Trace, score: CrashScore) -> Conduct:
    """Of one run; made of what is there after every run."""
    activations = trace.activations
    looked_at = activations if len(activations) <= 2 * LOOKED_AT else activations[:LOOKED_AT] + activations[-LOOKED_AT:]
    return Conduct(
        ending_of(outcome),
        b"" if score.coverage is None else score.coverage.begun,
        frozenset([activation.function for activation in looked_at]),
        min(len(activations).bit_length(), MUCH),
    )


def behaviour_of(test: TestCase, ran: int, conduct: Conduct, quoted: Mapping[Variable, Value]) -> Behaviour:
    """Of ``test``, of which ``ran`` statements began. How it ended behind its last statement makes no difference: what matters has
    been run, and what was cut off cannot come back."""
    if ran > len(test.statements) and conduct.ending is not TIMED_OUT:
        conduct = conduct._replace(ending=COMPLETED)
    return Behaviour(conduct, shape_of(test, quoted))


def ending_of(outcome: Outcome) -> RunEnding:
    """By the innermost frame, whoever's code that is."""
    if outcome.timed_out:
        return TIMED_OUT
    if outcome.error is None:
        return COMPLETED
    name = class_name(type(outcome.error))
    if not outcome.frames:
        return RunEnding(name)
    code, line, _ = outcome.frames[-1]
    return RunEnding(name, code.co_name, line)


def shape_of(test: TestCase, quoted: Mapping[Variable, Value]) -> CallShape:
    """Of a test that ends with the call that matters."""
    statements = test.statements
    kept = 0
    if quoted:
        kept = sum(type(one) is Literal and one[0] in quoted and quoted[one[0]] == one[1] for one in statements)
    times: dict[object, int] = {}
    for name in _worked_on(statements):
        times[name] = times.get(name, 0) + 1
    calls = frozenset([(name, number.bit_length()) for name, number in times.items()])
    return CallShape(calls, min(test.characters().bit_length() // 2, MUCH // 2), kept)


def _worked_on(statements: Sequence[Statement]) -> list[object]:
    """The last call, and all that made or changed what it works on, backwards: by name, or else by the kind of statement."""
    found: list[object] = []
    needed: set[Variable] = set()
    for statement in reversed(statements):
        kind = type(statement)
        if kind is Literal:
            if type(statement[1]) is st.Display and statement[0] in needed:
                needed.update(used(statement))
            continue
        uses = used(statement)
        if found and defined(statement) not in needed and not (uses and uses[0] in needed):
            continue
        needed.update(uses)
        if isinstance(statement, st.MethodCall):
            found.append(statement.name)
        else:
            found.append(statement.callee.name if isinstance(statement, st.Call) else kind)
    return found
