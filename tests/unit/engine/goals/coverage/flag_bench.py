"""Instruments the flag subjects, runs calls and gives the distances of branches."""

from __future__ import annotations

import ast
import importlib
import random
import sys
from collections.abc import Callable
from pathlib import Path

from crashwright.core.location import CodeKey
from crashwright.engine.goals.coverage.flags import FlagDistances
from crashwright.engine.goals.crash.frame_goal import frame_goal, statement_distance
from crashwright.engine.instrument.hook import Instrumentation
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.subject.flags.branches import FlagAnalysis
from crashwright.engine.subject.flow.control_dependence import ControlDependence
from crashwright.engine.subject.source import ModuleSource, Sources

MODULE = "flag_listings"
FOLDER = Path(__file__).parent


class FlagBench:
    """One instrumented copy of the subjects."""

    def __init__(self) -> None:
        sys.path.insert(0, str(FOLDER))
        sys.modules.pop(MODULE, None)
        source = ModuleSource(MODULE, str(FOLDER / f"{MODULE}.py"), (FOLDER / f"{MODULE}.py").read_text())
        keys = [key for key, node in source.codes() if isinstance(node, ast.FunctionDef | ast.Lambda)]
        self.lines = source.text.splitlines()
        self.recorder = Recorder()
        hook = Instrumentation(self.recorder, {MODULE: keys})
        hook.install()
        try:
            self.module = importlib.import_module(MODULE)
        finally:
            hook.uninstall()
            sys.path.remove(str(FOLDER))
        self.sources = Sources()
        self.analysis = FlagAnalysis(self.sources, [MODULE])
        self.flags = FlagDistances(self.analysis)
        self.numbers = {function.key.qualname: number for number, function in enumerate(self.recorder.functions)}

    def key(self, qualname: str) -> CodeKey:
        return self.recorder.functions[self.numbers[qualname]].key

    def run(self, qualname: str, *arguments: object) -> object:
        """The result; of a call that raises the exception."""
        self.recorder.reset()
        try:
            return getattr(self.module, qualname)(*arguments)
        except Exception as error:  # noqa: BLE001 - whatever the subject raises is the result
            return error

    def predicate(self, qualname: str, line_text: str, nth: int = 0) -> int:
        """The nth predicate on the first line of the function that contains ``line_text``."""
        number = self.numbers[qualname]
        function = self.recorder.functions[number]
        line = next(line for line in range(function.key.first_line, len(self.lines)) if line_text in self.lines[line - 1])
        return [index for index, predicate in enumerate(function.predicates) if predicate.position.line == line][nth]

    def distance(self, qualname: str, line_text: str, outcome: bool, *arguments: object) -> float | None:
        """After running the function: the flag distance of its branch."""
        self.run(qualname, *arguments)
        trace = self.recorder.trace()
        flags = self.flags.of(trace.functions, trace.activations)
        return flags.nearest(self.numbers[qualname], self.predicate(qualname, line_text), outcome)

    def line_distance(self, qualname: str, line: int, flags: bool) -> Callable[..., float]:
        """The distance to a line of a function, for runs of it: plain, or with the flag of its nearest decision."""
        number = self.numbers[qualname]
        function = self.recorder.functions[number]
        node = self.sources.node_of(function.key)
        assert node is not None
        flow = ControlDependence(node)
        goal = frame_goal(number, function, line, flow, None)

        def measure(*arguments: object) -> float:
            self.run(qualname, *arguments)
            trace = self.recorder.trace()
            reader = self.flags.of(trace.functions, trace.activations) if flags else None
            found = [goal.distance(one, reader) for one in trace.activations if one.function == number]
            return min(map(statement_distance, found), default=1.0)

        return measure


Input = tuple[tuple[int, ...], int]


def climb(measure: Callable[..., float], seed: int, evaluations: int) -> bool:
    """A small (10+10) evolution strategy over an array and a number; whether it reaches distance 0."""
    rng = random.Random(seed)

    def fresh() -> Input:
        return tuple(rng.randint(-1024, 1024) for _ in range(rng.randint(1, 4))), rng.randint(-1024, 1024)

    def moved(number: int) -> int:
        return number + rng.choice((-1, 1)) * 2 ** rng.randint(0, 16) if rng.random() < 0.9 else rng.randint(-1024, 1024)

    def mutated(one: Input) -> Input:
        keys, value = list(one[0]), one[1]
        kind = rng.random()
        if kind < 0.45:
            value = moved(value)
        elif kind < 0.9 and keys:
            place = rng.randrange(len(keys))
            keys[place] = moved(keys[place])
        elif kind < 0.95 and keys:
            del keys[rng.randrange(len(keys))]
        else:
            keys.insert(rng.randint(0, len(keys)), rng.randint(-1024, 1024))
        return tuple(keys), value

    population: list[tuple[float, Input]] = []
    for _ in range(evaluations):
        parent = rng.choice(population)[1] if len(population) >= 10 else None
        one = fresh() if parent is None else mutated(parent)
        distance = measure(list(one[0]), one[1])
        if distance == 0:
            return True
        population = sorted([*population, (distance, one)], key=lambda pair: pair[0])[:10]
    return False
