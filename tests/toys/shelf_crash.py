"""A crash through three functions, made by hand: the traces and outcomes that the tests of crash fitness functions score."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from types import CodeType

from crashwright.core.location import CodeKey, Position
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.execution.outcome import Outcome, RaisedFrame
from crashwright.engine.goals.crash.fitness import FITNESS, CrashFitness, Maker
from crashwright.engine.goals.crash.frame_goal import FrameGoal, frame_goal
from crashwright.engine.goals.crash.score import CrashJudge, Variant
from crashwright.engine.instrument.trace import Activation, Predicate, ProbedFunction, Trace
from crashwright.engine.subject.flow.conditions import position_of
from crashwright.engine.subject.flow.control_dependence import ControlDependence

FILE = "/lib/shelf.py"
SOURCE = """
def take(x):
    if x:
        if x.ready:
            return locate(x)

def locate(x):
    x = x.inner
    return check(x)

def check(x):
    if x > 3:
        y = x.size
        return y.strip()
"""
TREE = ast.parse(SOURCE)
NAMESPACE: dict[str, object] = {}
exec(compile(SOURCE, FILE, "exec"), NAMESPACE)
TAKE, LOCATE, CHECK = (NAMESPACE[name].__code__ for name in ("take", "locate", "check"))  # type: ignore[attr-defined]
MESSAGE = "'int' object has no attribute 'strip'"
FAR, NEAR = 0, 1
"""The predicates of ``take``: FAR guards NEAR, which guards its line."""


def probed(scope: ast.stmt) -> ProbedFunction:
    """A function with a marker for every statement and a predicate for every condition, in order of the source."""
    assert isinstance(scope, ast.FunctionDef)
    inner = [node for node in ast.walk(scope) if node is not scope]
    markers = sorted(position_of(node) for node in inner if isinstance(node, ast.stmt))
    tests = sorted(position_of(node.test) for node in inner if isinstance(node, ast.If))
    key = CodeKey("shelf", scope.name, scope.lineno)
    return ProbedFunction(key, tuple(Predicate(test, "truth") for test in tests), tuple(markers))


FUNCTIONS = tuple(probed(scope) for scope in TREE.body)
LINES = (5, 9, 14)
"""Of the report: in ``take``, ``locate`` and ``check``."""


def goals_of(lines: Iterable[int] = LINES) -> tuple[FrameGoal, ...]:
    """The goals of the crash, target frame first."""
    return tuple(
        frame_goal(index, FUNCTIONS[index], line, ControlDependence(TREE.body[index]), None)  # type: ignore[arg-type]
        for index, line in enumerate(lines)
    )


def frame(name: str, line: int, first: int, caret: Position | None = None) -> TargetFrame:
    return TargetFrame(CodeKey("shelf", name, first), FILE, line, "", caret, True)


TARGET = CrashTarget("shelf", "AttributeError", MESSAGE, (frame("take", 5, 2), frame("locate", 9, 7), frame("check", 14, 11)))


def judge() -> CrashJudge:
    return CrashJudge(TARGET, lambda path: path.startswith("/lib"))


def fitness_of(name: str, trace_distance: str = "closest", block_coverage: bool = True, literal: bool = False) -> CrashFitness:
    return made(FITNESS[name], Variant(trace_distance, block_coverage, literal=literal))


def made(maker: Maker, variant: Variant | None = None) -> CrashFitness:
    return maker(judge(), goals_of(), (None, None, None), variant or Variant())


def called(
    function: int,
    lines: Iterable[int],
    true: Mapping[int, float] | None = None,
    caller: Activation | None = None,
    caller_line: int = 0,
) -> Activation:
    """An activation of function number ``function`` that began the statements on ``lines``; ``true`` are the distances to true of
    its predicates, 0 where they were true."""
    made = Activation(function, len(FUNCTIONS[function].markers), caller, caller_line)
    begun = set(lines)
    for number, position in enumerate(FUNCTIONS[function].markers):
        if position.line in begun:
            made.hits[number] = 1  # type: ignore[index]
    made.true_distance.update(true or {})
    return made


def trace(*activations: Activation) -> Trace:
    return Trace(FUNCTIONS, list(activations))


def taken() -> Activation:
    """``take`` as far as its line."""
    return called(0, (3, 4, 5), {FAR: 0.0, NEAR: 0.0})


def chain(depth: int) -> list[Activation]:
    """The calls of the report with their lines reached, down to frame number ``depth``."""
    outer = taken()
    middle = called(1, (8, 9), caller=outer, caller_line=5)
    inner = called(2, (12, 13, 14), {0: 0.0}, middle, 9)
    return [outer, middle, inner][: depth + 1]


def raised(error: BaseException, *lines: tuple[CodeType, int]) -> Outcome:
    return Outcome(1, error, tuple(RaisedFrame(code, line, 0) for code, line in lines))


SILENT = Outcome(3)
TIMED_OUT = Outcome(0, None, (), True)
CHAIN = ((TAKE, 5), (LOCATE, 9), (CHECK, 14))
RIGHT = raised(AttributeError(MESSAGE), *CHAIN)
OTHER_MESSAGE = raised(AttributeError("'list' object has no attribute 'strip'"), *CHAIN)
OTHER_TYPE = raised(TypeError("no"), *CHAIN)
SHORT_CUT = raised(AttributeError(MESSAGE), (CHECK, 14))
ELSEWHERE = raised(AttributeError("'int' object has no attribute 'ready'"), (TAKE, 4))
OUTSIDE = raised(AttributeError("'int' object has no attribute 'ready'"))
