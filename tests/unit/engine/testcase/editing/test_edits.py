from __future__ import annotations

import itertools
import random

from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.editing import edits
from crashwright.engine.testcase.editing.deletion import renamed, surviving
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Arguments, Call, Display, Literal, MethodCall, Ref
from crashwright.engine.testcase.testcase import TestCase


def callee(name: str, *names: str, kind: CalleeKind = CalleeKind.FUNCTION, hint: type = str) -> Callee:
    parameters = tuple(Parameter(each, ParameterKind.POSITIONAL_OR_KEYWORD, ClassHint(hint)) for each in names)
    return Callee("m", name, kind, parameters, live=len)


ENTRY, OTHER = callee("entry", "text"), callee("other", "count", hint=int)


class DummyApi:
    callables = (ENTRY, OTHER)
    constants = ()

    def methods_of(self, cls):
        return ()

    def constructors_of(self, hint):
        return ()

    def producers(self, hint):
        return ()

    def builtin(self, name):
        return callee(name)

    def standard(self, module, name):
        return callee(name)


def factory(**options) -> Factory:
    return Factory(DummyApi(), SeedPool(), (ENTRY,), fresh=itertools.count(100), **options)


def args(*positional, **keywords):
    return Arguments(positional, tuple(keywords.items()))


class Never(random.Random):
    """Always draws the same number."""

    def __init__(self, value: float) -> None:
        super().__init__(0)
        self.value = value

    def random(self) -> float:
        return self.value


TEST = TestCase((Literal(0, "a"), Literal(1, "b"), Call(2, OTHER, args(1)), Call(3, ENTRY, args(2, key=1))))


def test_deleting_takes_dependants_along():
    smaller = edits.delete(TEST, 1, Never(0.99))
    assert smaller.statements == (Literal(0, "a"),)


def test_deleting_rebinds_to_a_variable_of_the_type():
    smaller = edits.delete(TEST, 1, Never(0.0))
    assert smaller.statements == (Literal(0, "a"), Call(2, OTHER, args(0)), Call(3, ENTRY, args(2, key=0)))


def test_deleting_drops_optional_uses():
    test = TestCase((Literal(0, "a"), Literal(1, 1), Literal(2, Display("list", (Ref(1), 5))), Call(3, ENTRY, args(0, key=1))))
    smaller = edits.delete(test, 1, Never(0.99))
    assert smaller.statements == (Literal(0, "a"), Literal(2, Display("list", (5,))), Call(3, ENTRY, args(0)))


def test_deleting_one_of_two_definitions_leaves_the_other():
    test = TestCase((Literal(0, "a"), Literal(0, "b"), Call(1, ENTRY, args(0))))
    assert edits.delete(test, 1, Never(0.99)).statements == (Literal(0, "a"), Call(1, ENTRY, args(0)))


def test_what_survives_knows_redefinitions():
    rest = (Call(5, ENTRY, args(0)), Literal(0, "new"), Call(6, ENTRY, args(0)))
    assert surviving(rest, {0}) == rest[1:]


def test_renaming_uses():
    assert renamed(TEST.statements[2:], 1, 0) == (Call(2, OTHER, args(0)), Call(3, ENTRY, args(2, key=0)))


def test_crossover_of_relatives_shares_statements():
    one = TestCase((Literal(0, "x"), Literal(1, "y"), Call(2, ENTRY, args(0)), Call(3, ENTRY, args(1))))
    other = TestCase((Literal(0, "p"), Literal(1, "q"), Call(2, ENTRY, args(1)), Call(3, OTHER, args(0))))
    first, second = edits.crossover(one, other, factory(), Never(0.5))
    assert first.statements == one.statements[:2] + other.statements[2:]
    assert second.statements == other.statements[:2] + one.statements[2:]


def test_crossover_brings_definitions_along():
    one = TestCase((Literal(10, 1), Literal(11, 2)))
    other = TestCase((Literal(0, "a"), Literal(1, Display("list", (Ref(0),))), Literal(2, 0), Call(3, ENTRY, args(1))))
    first, _ = edits.crossover(one, other, factory(), Never(0.7))
    brought = other.statements[:2]
    assert first.statements == (Literal(10, 1), Literal(2, 0), *brought, Call(3, ENTRY, args(1)))


def test_crossover_rebinds_to_what_is_there():
    one = TestCase((Literal(10, "here"), Literal(11, 2)))
    other = TestCase((Literal(0, "a"), Call(3, ENTRY, args(0))))
    first, _ = edits.crossover(one, other, factory(), _Sequence([0.5, 0.0, 0.0]))
    assert first.statements == (Literal(10, "here"), Call(3, ENTRY, args(10)))


class _Sequence(random.Random):
    """Draws these numbers, then noughts."""

    def __init__(self, values: list[float]) -> None:
        super().__init__(0)
        self.values = values

    def random(self) -> float:
        return self.values.pop(0) if self.values else 0.0


def test_an_offspring_that_grew_too_long_is_its_parent():
    long = TestCase(tuple(Literal(index, index) for index in range(8)))
    short = TestCase((Literal(20, 1),))
    first, second = edits.crossover(long, short, factory(max_length=3), Never(0.999))
    assert first is long
    assert second.statements == long.statements[7:]


def test_entries_are_found_by_callee_property_and_name():
    prop = callee("Shelf.free", kind=CalleeKind.PROPERTY)
    method = callee("Shelf.take", kind=CalleeKind.METHOD)
    assert edits.has_entry(TEST, frozenset({ENTRY}))
    assert not edits.has_entry(TEST, frozenset({prop, method}))
    assert edits.has_entry(TestCase((Literal(0, 1), st.GetAttribute(1, 0, "free"))), frozenset({prop}))
    assert edits.has_entry(TestCase((Literal(0, 1), st.SetAttribute(0, "free", 0))), frozenset({prop}))
    assert edits.has_entry(TestCase((Literal(0, 1), MethodCall(1, 0, "take", args()))), frozenset({method}))
    assert edits.has_entry(TestCase((Literal(0, 1), MethodCall(1, 0, "x", args(), method))), frozenset({method}))


def test_pruning_keeps_effects_and_what_they_use():
    keyed = Literal(4, Display("set", (Ref(2),)))
    test = TestCase((Literal(0, 1), Literal(1, 2), Call(2, OTHER, args(1)), st.FileFixture(3, "a", ""), keyed, Literal(5, 1)))
    assert edits.prune(test).statements == (Literal(1, 2), Call(2, OTHER, args(1)), keyed)
    assert edits.prune(test, (5,)).statements[-1] == Literal(5, 1)
    whole = TestCase(test.statements[1:3])
    assert edits.prune(whole) is whole


def test_chopping_keeps_at_least_one_statement():
    assert len(edits.chop(TEST, 0)) == 1
    assert edits.chop(TEST, 9) is TEST


def test_a_literal_change_keeps_its_variable_and_the_rest():
    changed = edits.change(TEST, 0, factory(), random.Random(3))
    assert changed.statements[0][0] == 0
    assert all(one is two for one, two in zip(changed.statements[1:], TEST.statements[1:], strict=True))


def test_mutation_always_changes_something_small():
    made = factory()
    rng = random.Random(5)
    lengths = [len(edits.mutate(TEST, made, rng)) for _ in range(500)]
    assert 0 < sum(lengths) / 500 < 8
    assert max(lengths) <= made.max_length


def test_insertion_respects_the_longest_length():
    made = factory(max_length=4)
    rng = random.Random(5)
    assert {edits.insert(TEST, 2, made, rng) for _ in range(50)} == {TEST}


class Held:
    """Its property can be read, set and deleted."""

    size = property(lambda self: 1, lambda self, value: None, lambda self: None)
    fixed = property(lambda self: 1)


def test_properties_are_set_and_deleted_where_they_can_be():
    held = Callee("m", "Held", CalleeKind.CLASS, live=Held, owner=Held)
    members = [
        Callee("m", f"Held.{name}", CalleeKind.PROPERTY, live=vars(Held)[name], owner=Held, returns=ClassHint(int))
        for name in ("size", "fixed")
    ]
    made = factory()
    made.methods_of = lambda cls: tuple(members) if cls is Held else ()
    rng, test = random.Random(1), TestCase((Call(0, held, args()), Call(1, ENTRY, args(0))))
    inserted = [statement for _ in range(400) for statement in edits.insert(test, 1, made, rng).statements]
    for kind in (st.SetAttribute, st.DeleteAttribute):
        assert {statement.name for statement in inserted if type(statement) is kind} == {"size"}
    assert edits.has_entry(TestCase((Call(0, held, args()), st.DeleteAttribute(0, "size"))), frozenset(members))


def test_random_tests_have_an_entry_even_at_length_one():
    made = factory()
    for seed in range(50):
        assert edits.has_entry(made.random_test(random.Random(seed), 1), made.entry_set)


def test_arguments_behind_a_star_come_and_go_where_edits_are_diverse() -> None:
    star = Parameter("more", ParameterKind.VAR_POSITIONAL, ClassHint(str), False)
    starred = Callee("m", "starred", CalleeKind.FUNCTION, (*callee("starred", "text").parameters, star), live=len)
    test = TestCase((Literal(0, "a"), Literal(1, "b"), Call(2, starred, args(0, 1))))

    def passed(**options) -> list[tuple[int, ...]]:
        made = factory(**options)
        changed = [edits.change(test, 2, made, random.Random(seed)) for seed in range(300)]
        assert all(one.is_valid() for one in changed)
        return [one.statements[-1].arguments.positional for one in changed]

    assert {len(one) for one in passed()} == {2}
    diverse = passed(diverse=True)
    assert {len(one) for one in diverse} == {1, 2, 3}
    assert all(one == (0,) for one in diverse if len(one) == 1)


def test_operators_are_asked_from_both_sides_and_with_anything_where_edits_are_diverse() -> None:
    class Money: ...

    money = Callee("m", "Money", CalleeKind.CLASS, (), live=Money, owner=Money)
    doubled = Callee("m", "Money.__mul__", CalleeKind.METHOD, callee("", "by").parameters, owner=Money)

    class Api(DummyApi):
        callables = (money,)

        def methods_of(self, cls):
            return (doubled,) if cls is Money else ()

        def constructors_of(self, hint):
            return (money,)

    test = TestCase((Call(0, money, args()), Call(1, ENTRY, args())))

    def operations(diverse: bool) -> list[st.Operation]:
        made = Factory(Api(), SeedPool(), (ENTRY,), fresh=itertools.count(100), diverse=diverse)
        rng = random.Random(1)
        inserted = [edits.insert(test, 1, made, rng) for _ in range(1500)]
        return [one for each in inserted for one in each.statements if isinstance(one, st.Operation)]

    def literal_first(found: list[st.Operation]) -> list[st.Operation]:
        return [one for one in found if 0 in one.operands[1:] and one.operands[0] != 0]

    before, after = operations(diverse=False), operations(diverse=True)
    assert before
    assert not literal_first(before)
    assert literal_first(after)
    assert sum(one.operator == "*" for one in after) > len(after) // 2 > sum(one.operator == "*" for one in before)


def test_operators_are_calls_of_what_they_stand_for_and_of_what_they_are_reflected_to() -> None:
    def operation(symbol: str) -> TestCase:
        return TestCase((Literal(0, 1), Literal(1, 2), st.Operation(2, symbol, (0, 1))))

    method = CalleeKind.METHOD
    adds, reflected = Callee("m", "Money.__add__", method), Callee("m", "Money.__radd__", method)
    for entry in (adds, reflected):
        assert edits.has_entry(operation("+"), {entry})
        assert not edits.has_entry(operation("-"), {entry})
    assert not edits.has_entry(operation("+"), {ENTRY})


def test_a_reflected_operator_is_written_as_the_operator_where_edits_are_diverse() -> None:
    class Money: ...

    reflected = Callee("m", "Money.__rsub__", CalleeKind.METHOD, callee("", "other").parameters, owner=Money)
    statements: list[st.Statement] = [Literal(0, 1)]
    factory(diverse=True).call(statements, reflected, random.Random(1), receiver=0)
    assert isinstance(statements[-1], st.Operation)
    assert statements[-1].operator == "-"
    assert statements[-1].operands[1] == 0
    factory().call(statements, reflected, random.Random(1), receiver=0)
    assert isinstance(statements[-1], MethodCall)
