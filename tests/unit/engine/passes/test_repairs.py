"""What is tried in place of a test that comes near, by the message of the report."""

from __future__ import annotations

import random

from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.passes.repairs import Repairs
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.usage.message_templates import Filled
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Literal
from crashwright.engine.testcase.testcase import TestCase


class NoApi:
    callables: tuple[Callee, ...] = ()
    constants = ()

    def methods_of(self, cls: type) -> tuple[Callee, ...]:
        return ()

    constructors_of = producers = methods_of

    def builtin(self, name: str) -> Callee:
        raise KeyError(name)

    def standard(self, module: str, name: str) -> Callee:
        raise KeyError(module, name)


def repaired(text: str, message: str) -> list[object]:
    filled = Filled((None, " ends, ", None, " is open"), ("VCARD", "TEL"))
    rng = random.Random(1)
    repairs = Repairs("ValueError", "VCARD ends, TEL is open", filled, lambda: (), Factory(NoApi(), SeedPool(), ()), rng)
    near = Evaluation(TestCase((Literal(0, text),)), CrashScore(0.01, 3, 1, 1, message=message))
    return [one.value for test in repairs.of(near) for one in test.statements if isinstance(one, Literal)]


def test_parts_of_the_message_stand_where_the_tests_own_stood() -> None:
    found = repaired("BEGIN:b\nEND:a", "a ends, b is open")
    assert {"BEGIN:b\nEND:VCARD", "BEGIN:TEL\nEND:a", "BEGIN:TEL\nEND:VCARD"} <= set(found)


def test_where_there_was_nothing_it_goes_behind_a_mark() -> None:
    assert "BEGIN:b\nEND:VCARD" in repaired("BEGIN:b\nEND:", " ends, b is open")
    assert "BEGIN:VCARD\nEND:" in repaired("BEGIN:\nEND:", " ends, TEL is open")


def test_a_message_of_another_template_suggests_nothing() -> None:
    assert repaired("BEGIN:b\nEND:a", "something else") == []
