"""Guided operators: an entry call is never lost, and a mutation that loses it starts again from the individual."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from crashwright.engine.search.evocrash_operators import OPERATORS, EvoCrashOperators
from crashwright.engine.search.operators import TestOperators
from crashwright.engine.search.unguided_operators import ALL_OPERATORS, aim_at_module
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.editing import edits
from crashwright.engine.testcase.editing.mix import Mix
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import NO_ARGUMENTS, Arguments, Call, Iterate, Literal
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import used

ENTRY = Callee("m", "entry", CalleeKind.FUNCTION, live=len)
OTHER = Callee("m", "other", CalleeKind.FUNCTION, live=len)


class NoApi:
    callables = (ENTRY,)
    constants = ()

    def methods_of(self, cls: type) -> tuple[Callee, ...]:
        return ()

    def constructors_of(self, hint: object) -> tuple[Callee, ...]:
        return ()

    def producers(self, hint: object) -> tuple[Callee, ...]:
        return ()

    def builtin(self, name: str) -> Callee:
        return ENTRY

    def standard(self, module: str, name: str) -> Callee:
        return ENTRY


def operators() -> TestOperators:
    return TestOperators(Factory(NoApi(), SeedPool(), (ENTRY,)), 40)


PARENT = TestCase((Literal(0, "x"), Literal(1, 2), Call(2, ENTRY, NO_ARGUMENTS)))


def test_a_mutation_that_loses_the_entry_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[TestCase] = []
    lost, good = TestCase((Literal(0, "x"),)), TestCase((Call(2, ENTRY, NO_ARGUMENTS),))

    def mutate(test: TestCase, factory: Factory, rng: random.Random, mix: Mix) -> TestCase:
        given.append(test)
        return good if len(given) == 3 else lost

    monkeypatch.setattr(edits, "mutate", mutate)
    assert operators().mutate(PARENT, random.Random(1)) is good
    assert given == [PARENT] * 3


def test_each_statement_is_edited_once_in_n(monkeypatch: pytest.MonkeyPatch) -> None:
    size, rounds = 5, 6000
    test = TestCase(tuple(Literal(number, number) for number in range(size)))
    drawn: Counter[int] = Counter()
    orders: list[list[int]] = []

    def edit(test: TestCase, index: int, factory: Factory, rng: random.Random, mix: Mix) -> TestCase:
        drawn[index] += 1
        orders[-1].append(index)
        return test

    monkeypatch.setattr(edits, "_edit", edit)
    rng = random.Random(3)
    factory = Factory(NoApi(), SeedPool(), (ENTRY,))
    for _ in range(rounds):
        orders.append([])
        edits.mutate(test, factory, rng)
    none = (1 - 1 / size) ** size  # then one is drawn after all
    expected = (1 + none) / size
    assert all(abs(drawn[index] / rounds - expected) < 0.03 for index in range(size))
    assert all(order and order == sorted(set(order), reverse=True) for order in orders)


def test_one_statement_is_always_edited(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    monkeypatch.setattr(edits, "_edit", lambda test, index, factory, rng, mix: seen.append(index) or test)
    rng = random.Random(4)
    for _ in range(20):
        edits.mutate(TestCase((Literal(0, 1),)), Factory(NoApi(), SeedPool(), (ENTRY,)), rng)
    assert seen == [0] * 20


def pure() -> TestOperators:
    return OPERATORS["evocrash"](Factory(NoApi(), SeedPool(), (ENTRY,)), 40, Quarantine())


def test_evocrash_goes_on_with_what_lost_its_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[TestCase] = []
    lost, good = TestCase((Literal(0, "x"),)), TestCase((Call(2, ENTRY, NO_ARGUMENTS),))

    def mutate(test: TestCase, factory: Factory, rng: random.Random) -> TestCase:
        given.append(test)
        return good if len(given) == 3 else lost

    monkeypatch.setattr(edits, "mutate_evenly", mutate)
    assert pure().mutate(PARENT, random.Random(1)) is good
    assert given == [PARENT, lost, lost]


def test_evocrash_mutation_may_change_nothing() -> None:
    made, rng = pure(), random.Random(2)
    assert PARENT in [made.mutate(PARENT, rng) for _ in range(300)]


def test_evocrash_draws_deletions_changes_and_insertions_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: Counter[str] = Counter()

    def counting(name: str) -> None:
        monkeypatch.setattr(edits, name, lambda test, *_: drawn.update((name,)) or test)

    for name in ("delete", "change", "insert"):
        counting(name)
    factory, rng = Factory(NoApi(), SeedPool(), (ENTRY,)), random.Random(3)
    for _ in range(6000):
        edits.mutate_evenly(PARENT, factory, rng)
    assert all(abs(drawn[name] - 2000) < 200 for name in ("delete", "change", "insert"))


def test_evocrash_starts_from_random_tests_of_any_length_and_cuts_nothing_off() -> None:
    made, rng = pure(), random.Random(4)
    made.plant([PARENT])
    sampled = [made.sample(rng) for _ in range(100)]
    assert PARENT not in sampled
    assert max(len(test.statements) for test in sampled) > 20
    assert made.chopped(PARENT, 1) is PARENT
    assert isinstance(made, EvoCrashOperators)


def unguided(factory: Factory) -> TestOperators:
    return ALL_OPERATORS["unguided"](factory, 40, Quarantine())


def test_unguided_operators_do_not_miss_the_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = TestCase((Literal(0, "x"),))
    monkeypatch.setattr(edits, "mutate_evenly", lambda *_: lost)
    monkeypatch.setattr(edits, "crossover", lambda *_: (lost, lost))
    factory, rng = Factory(NoApi(), SeedPool(), (ENTRY,)), random.Random(5)
    assert unguided(factory).mutate(PARENT, rng) is lost
    assert unguided(factory).crossover(PARENT, PARENT, rng) == (lost, lost)
    assert pure().crossover(PARENT, PARENT, rng) == (PARENT, PARENT)


def test_unguided_tests_call_what_the_module_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crashwright.engine.search.unguided_operators.callables_of", lambda _api, module: (ENTRY, OTHER))
    for operators_made, expected in ((unguided, {ENTRY, OTHER}), (lambda _factory: pure(), {ENTRY})):
        factory = Factory(NoApi(), SeedPool(), (ENTRY,))
        aim_at_module(operators_made(factory), factory, NoApi(), "m")
        assert set(factory.entry) == expected


def test_what_stands_behind_the_last_entry_call_and_its_result_is_cut_off_of_diverse_tests() -> None:
    items = Iterate(4, 2, "list", 3)
    test = TestCase((*PARENT.statements, Literal(3, "y"), items, Call(5, OTHER, NO_ARGUMENTS), Literal(6, 1)))
    diverse = operators()
    diverse.diversify({})
    assert operators().chopped(test, 0) is test
    assert diverse.chopped(test, 0).statements == test.statements[:5]
    assert diverse.chopped(test, 6).statements == test.statements[:5]
    assert diverse.chopped(test, 3).statements == test.statements[:3]


def test_what_the_report_quotes_mostly_stays_as_it_is_and_where_it_is() -> None:
    entry = Call(2, ENTRY, Arguments((0, 1)))
    test = TestCase((Literal(0, "x"), Literal(1, 2), entry))

    def forgotten(made: TestOperators) -> int:
        rng = random.Random(1)
        changed = [made.mutate(test, rng) for _ in range(300)]
        return sum(one.statements[:1] != test.statements[:1] or 0 not in used(one.statements[-1]) for one in changed)

    quoting = operators()
    quoting.diversify({0: "x", 7: "elsewhere"})
    assert 0 < forgotten(quoting) < forgotten(operators()) // 2


def test_one_is_not_what_the_report_quotes_if_it_quotes_true() -> None:
    entry = Call(2, ENTRY, Arguments((0,)))
    test, other = TestCase((Literal(0, 1), entry)), TestCase((Literal(0, True), entry))
    quoting = operators()
    quoting.diversify({0: True})
    assert quoting._forgets(other, test)
    assert not quoting._forgets(test, other)


def test_types_change_only_where_that_is_allowed() -> None:
    made = operators()

    def kinds() -> set[type]:
        rng = random.Random(1)
        test = TestCase((Literal(0, "x"), Call(2, ENTRY, Arguments((0,)))))
        changed = [edits.change(test, 0, made._factory, rng) for _ in range(500)]
        return {type(one.statements[0][1]) for one in changed}

    assert len(kinds()) > 3
    made.insist_on_types(True)
    assert kinds() == {str}
    made.insist_on_types(False)
    assert len(kinds()) > 3
