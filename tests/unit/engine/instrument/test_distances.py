"""Distances: zero for the side taken, above zero for the other, finite for finite numbers; and never a word with the subject."""

from __future__ import annotations

import math
import operator
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as some

from crashwright.engine.instrument import distances, text_distances
from crashwright.engine.instrument.interface import UNSET
from crashwright.engine.instrument.layout import Branching, ProbeLayout, State
from crashwright.engine.instrument.python_probes import PythonProbes
from crashwright.engine.subject.flow.conditions import CHARACTER_TESTS

HUGE = 10**400
edge_numbers = some.sampled_from(
    [0, -1, 1, True, False, 0.0, -0.0, 5e-324, 1e308, -1e308, 2**53, 2**53 + 1, float(2**53), HUGE, -HUGE]
)
finite = some.one_of(some.integers(), some.floats(allow_nan=False, allow_infinity=False), some.booleans(), edge_numbers)
numbers = some.one_of(finite, some.just(math.inf), some.just(-math.inf), some.just(math.nan))
exact = some.one_of(
    some.decimals(allow_nan=False, allow_infinity=False, places=4), some.fractions(), some.integers(), some.booleans()
)
scalars = some.one_of(numbers, some.text(max_size=8), some.binary(max_size=8), some.none())
values = some.recursive(
    scalars,
    lambda inner: some.one_of(
        some.lists(inner, max_size=4),
        some.tuples(inner, inner),
        some.dictionaries(some.one_of(some.text(max_size=3), some.integers()), inner, max_size=3),
        some.frozensets(some.one_of(some.text(max_size=3), some.integers()), max_size=4),
    ),
    max_leaves=8,
)
OPERATIONS = {
    "lt": operator.lt,
    "le": operator.le,
    "eq": operator.eq,
    "ne": operator.ne,
    "in_": lambda item, items: item in items,
    "not_in": lambda item, items: item not in items,
}


def state() -> State:
    return ProbeLayout(0, 0, 1, ()).template[:]


def probe(name: str, left: object, right: object) -> tuple[float, float]:
    """Distances to true and to false after one evaluation."""
    made = state()
    result = OPERATIONS[name](left, right)
    probes = PythonProbes([], 1)
    assert getattr(probes, name)(made, 0, result, left, right, None) is result
    return made[0], made[1]


def check(name: str, left: object, right: object, must_be_finite: bool) -> None:
    outcome = OPERATIONS[name](left, right)
    to_true, to_false = probe(name, left, right)
    taken, other = (to_true, to_false) if outcome else (to_false, to_true)
    assert taken == 0
    assert other > 0
    assert not must_be_finite or other < math.inf
    assert other / (other + 1.0) >= 0 or other == math.inf


@pytest.mark.parametrize("name", ["lt", "le", "eq", "ne"])
@given(left=finite, right=finite)
def test_finite_numbers_have_finite_distances(name: str, left: float, right: float) -> None:
    check(name, left, right, must_be_finite=True)


@pytest.mark.parametrize("name", ["lt", "le", "eq", "ne"])
@given(left=numbers, right=numbers)
def test_any_numbers(name: str, left: float, right: float) -> None:
    check(name, left, right, must_be_finite=False)


@pytest.mark.parametrize("name", ["lt", "le", "eq", "ne"])
@given(left=exact, right=exact)
def test_decimals_and_fractions(name: str, left: object, right: object) -> None:
    if {type(left), type(right)} == {Decimal, Fraction} and name in ("lt", "le"):
        return  # Python cannot order these two
    check(name, left, right, must_be_finite=True)


@pytest.mark.parametrize("name", ["lt", "le", "eq", "ne", "in_", "not_in"])
@given(left=some.text(max_size=200), right=some.text(max_size=200))
def test_texts(name: str, left: str, right: str) -> None:
    check(name, left, right, must_be_finite=True)


@pytest.mark.parametrize("name", ["eq", "ne"])
@given(left=values, right=values)
def test_any_built_in_values(name: str, left: object, right: object) -> None:
    check(name, left, right, must_be_finite=False)


@pytest.mark.parametrize("name", ["in_", "not_in"])
@given(
    item=scalars, items=some.one_of(some.lists(scalars), some.dictionaries(some.integers(), some.none()), some.frozensets(scalars))
)
def test_members(name: str, item: object, items: list[object]) -> None:
    check(name, item, items, must_be_finite=False)


@given(item=some.integers(), items=some.builds(range, some.integers(-9, 9), some.integers(-9, 9), some.sampled_from([1, 2, -3])))
def test_members_of_ranges(item: int, items: range) -> None:
    check("in_", item, items, must_be_finite=True)


@given(values)
def test_truth(operand: object) -> None:
    made = state()
    PythonProbes([], 1).truth(made, 0, bool(operand), operand, None)
    assert made[0 if operand else 1] == 0 < made[1 if operand else 0]


@given(some.text(max_size=20), some.one_of(some.text(max_size=5), some.tuples(some.text(max_size=3), some.text(max_size=3))))
def test_affixes(text: str, wanted: str) -> None:
    probes = PythonProbes([], 1)
    for name in ("startswith", "endswith"):
        made, outcome = state(), getattr(text, name)(wanted)
        getattr(probes, name)(made, 0, outcome, text, wanted, None)
        assert made[0 if outcome else 1] == 0 < made[1 if outcome else 0] < math.inf


@given(some.text(max_size=20), some.sampled_from(sorted(CHARACTER_TESTS)))
def test_character_tests(text: str, method: str) -> None:
    made, outcome = state(), getattr(text, method)()
    PythonProbes([], 1).text_is(made, 0, outcome, text, method, None)
    assert made[0 if outcome else 1] == 0 < made[1 if outcome else 0] <= 1


@given(some.lists(some.integers(-5, 5), min_size=3, max_size=3), some.lists(some.sampled_from(range(6)), min_size=2, max_size=2))
def test_chains(operands: list[int], operators: list[int]) -> None:
    comparisons = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]
    first = comparisons[operators[0]](operands[0], operands[1])
    result = first and comparisons[operators[1]](operands[1], operands[2])
    made = state()
    third = operands[2] if first else UNSET
    PythonProbes([], 1).chain(made, 0, tuple(operators), UNSET, result, operands[0], operands[1], third, None)
    assert made[0 if result else 1] == 0 < made[1 if result else 0] < math.inf


def test_distances_guide() -> None:
    """Each of these is a step towards the goal, so the distances fall."""
    assert [distances.to_equal(x, 10) for x in (1, 5, 9)] == [9, 5, 1]
    falling = [distances.to_equal(x, "hello") for x in (None, "", "hel", "hallo", "hemlo")]
    assert falling[0] == distances.MISMATCH
    assert falling[1] > falling[2] > falling[3]
    assert distances.to_equal("helo", "hello") == 1  # one missing in the middle costs no more than one at the end
    assert distances.to_equal([1, 2, 9], [1, 2, 3]) < distances.to_equal([1, 9, 9], [1, 2, 3]) < distances.to_equal([1], [1, 2, 3])
    assert distances.to_member(7, [1, 9, 5]) == 2
    assert text_distances.containment("lp", "help") > 0
    assert text_distances.containment("b", "xyzc") < text_distances.containment("b", "xyzw")
    assert distances.to_text_test("12x4", "isdigit") == 0.25
    assert distances.to_false([1, 2, 3]) == 3
    assert distances.beyond_equal(10, 7) == 4
    assert distances.to_equal_or_less(10, 7) == 3


def test_the_least_distance_is_kept_and_settles() -> None:
    probes, made = PythonProbes([], 1), state()
    for value in (10, 4, 8):
        probes.eq(made, 0, False, value, 3, None)
    assert made == [1, 0.0, 0]
    probes.eq(made, 0, True, 3, 3, None)
    probes.eq(made, 0, False, 3, 9, None)
    assert made == [0.0, 0.0, 1]


class Hostile(type):
    """A class that answers nothing, not even for its class."""

    def __hash__(cls) -> int:
        raise AssertionError("hash of the class")

    def __eq__(cls, other: object) -> bool:
        raise AssertionError("equality of the class")

    def __getattribute__(cls, name: str) -> object:
        raise AssertionError(f"attribute {name} of the class")


class Silent(int, metaclass=Hostile):
    def _refuse(self, *args: object) -> bool:
        raise AssertionError("asked the subject")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __bool__ = __sub__ = __contains__ = __getattribute__ = _refuse  # type: ignore[assignment]
    __hash__ = __len__ = __iter__ = __float__ = __abs__ = _refuse  # type: ignore[assignment]


@pytest.mark.parametrize("right", [1, 1.5, "a", b"a", [1], {"a": 1}, {1}, None, Decimal(1), (1, "a"), range(3)])
@pytest.mark.parametrize("name", ["lt", "le", "eq", "ne", "in_", "not_in", "isinstance_", "startswith", "endswith"])
def test_nothing_is_asked_of_the_subject(name: str, right: object) -> None:
    silent = Silent.__new__(Silent) if False else int.__new__(Silent, 3)
    probe = getattr(PythonProbes([], 1), name)
    for outcome in (True, False):
        for left, other in ((silent, right), (right, silent), (silent, silent), ([silent], [right]), ({"k": silent}, {"k": 1})):
            probe(state(), 0, outcome, left, other, None)


def test_nothing_is_asked_about_truth_or_exceptions_either() -> None:
    silent, probes, made = int.__new__(Silent, 3), PythonProbes([], 1), state()
    assert probes.truth(made, 0, True, silent, None) is True
    assert probes.value(made, 0, silent) is silent
    assert probes.text_is(made, 0, False, silent, "isdigit", None) is False
    try:
        raise KeyError
    except KeyError:
        for classes in (silent, (silent, KeyError), 3, "x"):
            assert probes.except_(made, 0, classes) is classes


def test_results_that_are_no_booleans_are_handed_back() -> None:
    probes, made, strange = PythonProbes([], 1), state(), object()
    for name in ("lt", "le", "eq", "ne", "in_", "not_in", "isinstance_", "startswith"):
        assert getattr(probes, name)(made, 0, strange, 1, 2, None) is strange
    assert probes.flag(made, 0, strange) is strange
    assert probes.chain(made, 0, (0, 0), None, strange, 1, 2, UNSET, None) is strange
    assert made == state()


def test_decimal_context_stays_as_it_is() -> None:
    from decimal import localcontext

    with localcontext() as context:
        context.clear_flags()
        distances.to_equal(Decimal("1.1234567890123456789012345678901"), Decimal("0.1"))
        distances.to_equal(Decimal("NaN"), Decimal("sNaN"))
        assert not any(context.flags.values())


def test_layout() -> None:
    layout = ProbeLayout(4, 2, 1, (Branching(0, 1),))
    assert layout.template == [1, 0, math.inf, math.inf, 0]
