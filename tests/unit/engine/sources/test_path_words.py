"""What the way depends on beyond the functions of the report."""

from __future__ import annotations

import random

import dispatching

from crashwright.core.location import CodeKey, Position
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.sources.path_words import add_dispatched, add_written, writers_of_guards
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.source import Sources
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import MethodCall, Statement


def frame(function: object, line: int, caret: Position | None = None) -> TargetFrame:
    code = function.__code__  # type: ignore[attr-defined]
    key = CodeKey("dispatching", code.co_qualname, code.co_firstlineno)
    return TargetFrame(key, code.co_filename, code.co_firstlineno + line, "", caret, True)


TARGET = CrashTarget(
    "dispatching", "IndexError", "", (frame(dispatching.Visitor.visit, 4), frame(dispatching.Visitor.visit_zork_mid, 3))
)
API = ApiModel("dispatching", ["dispatching"])


def test_the_word_of_a_computed_name_is_a_seed() -> None:
    pool, sources = SeedPool(), Sources()
    source = sources.of_module("dispatching")
    add_dispatched(pool, TARGET, sources, [source.tree])  # type: ignore[union-attr]
    assert set(pool.strings) == {"zork_mid", "zork-mid"}
    assert pool.origin("zork-mid") == "the name of a frame"


def test_what_writes_the_guard_gives_its_constants_and_is_called_more_often() -> None:
    writers = writers_of_guards(TARGET, Sources(), API)
    assert [callee.qualname for callee in writers.callees] == ["Visitor.set_mode"]
    pool = SeedPool()
    add_written(pool, writers)
    assert "brmk-9" in pool.strings
    assert 17_171 not in pool.ints

    def calls(favoured: bool) -> int:
        rng = random.Random(1)
        factory = Factory(API, SeedPool(), API.callee_for(*TARGET.frames[0].key))
        if favoured:
            factory.preferences.add(writers.callees)
        statements: list[Statement] = []
        for _ in range(400):
            factory.random_call(statements, rng)
        made = [one for one in statements if type(one) is MethodCall]
        return sum(one.callee == writers.callees[0] for one in made)

    assert calls(True) > 1.5 * calls(False) > 0
