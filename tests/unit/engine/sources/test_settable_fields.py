"""Attributes that the way depends on, that users set and no method does."""

from __future__ import annotations

import random

import ovens

from crashwright.core.location import CodeKey, Position
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.sources.settable_fields import field_seeds, settable_fields
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.source import Sources
from crashwright.engine.testcase.editing.edits import insert
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Literal, SetAttribute
from crashwright.engine.testcase.testcase import TestCase

CODE = ovens.Oven.bake.__code__
LINE = CODE.co_firstlineno + 6
FRAME = TargetFrame(
    CodeKey("ovens", CODE.co_qualname, CODE.co_firstlineno), CODE.co_filename, LINE, "", Position(LINE, 19, LINE, 32), True
)
TARGET = CrashTarget("ovens", "IndexError", "string index out of range", (FRAME,))
API = ApiModel("ovens", ["ovens"])


def factory(knows: bool = True) -> Factory:
    made = Factory(API, SeedPool(), API.callee_for(*FRAME.key))
    for cls, fields in settable_fields(TARGET, Sources()).items() if knows else ():
        made.preferences.fields.learn(cls, fields)
    return made


def call(made: Factory) -> TestCase:
    statements: list[object] = []
    made.call_entry(statements, random.Random(3))  # type: ignore[arg-type]
    return TestCase(tuple(statements))  # type: ignore[arg-type]


def set_in(test: TestCase) -> dict[str, object]:
    values = {one.variable: one.value for one in test.statements if isinstance(one, Literal)}
    return {one.name: values[one.value] for one in test.statements if isinstance(one, SetAttribute)}


def test_the_nearest_come_first_and_what_users_may_not_set_or_pass_is_left_out() -> None:
    assert [field.name for field in settable_fields(TARGET, Sources())[ovens.Oven]] == ["label", "fan", "trays"]


def test_a_seed_sets_each_to_what_its_default_is_not() -> None:
    made = factory()
    seeds = list(field_seeds([call(made)], made))
    assert [set_in(seed) for seed in seeds] == [{"label": ""}, {"fan": True}, {"trays": None}]
    assert all(seed.is_valid() for seed in seeds)
    assert list(field_seeds([call(made)], factory(knows=False))) == []


def test_insertions_set_them_before_what_follows() -> None:
    rng, made = random.Random(1), factory()
    test = call(made)
    longer = [insert(test, len(test.statements) - 1, made, rng) for _ in range(300)]
    names = [name for one in longer for name in set_in(one)]
    assert {"label", "fan"} <= set(names) <= {"label", "fan", "trays"}
    plain = factory(knows=False)
    assert not any(set_in(insert(test, len(test.statements) - 1, plain, rng)) for _ in range(300))
