"""The compiled probes record what those in Python do: for every predicate of the zoo, and for any operands."""

from __future__ import annotations

import functools
import importlib.util
import math
import operator
import random
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from built_probes import compiled_probes
from hypothesis import given, settings
from hypothesis import strategies as some

from crashwright.core.location import CodeKey
from crashwright.engine.instrument.interface import OPERATORS, UNSET, Probes
from crashwright.engine.instrument.layout import ProbeLayout
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.instrument.python_probes import PythonProbes
from crashwright.engine.instrument.trace import Activation, Trace
from crashwright.engine.instrument.variants import ProbedModule

MAKERS = (PythonProbes, compiled_probes)
INFINITE = math.inf
HUGE = 10**400


# -- any operands


class Stranger:
    """An object of no built-in class."""

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = object.__hash__


class Number(int):
    """No exact integer."""


STRANGER = Stranger()
INTEGERS = [0, -1, 1, 255, 256, 257, -257, 2**52, 2**52 + 1, -(2**53) - 1, 2**63, 1 << 70, HUGE, -HUGE, True, False]
FLOATS = [0.0, -0.0, 0.5, 5e-324, 1e308, -1e308, float(2**53), math.inf, -math.inf, math.nan]
edges = some.sampled_from([*INTEGERS, *FLOATS, Number(3), STRANGER, Stranger(), None, Decimal("1.5"), Fraction(1, 3)])
letters = some.text(alphabet="ab\u00e9\u20ac\U0001f600\x00", max_size=6)
texts = some.one_of(
    letters,
    some.text(max_size=4),
    some.sampled_from(["", "a", "a" * 128, "a" * 129, "b" + "a" * 200, "a" * 300 + "b", "\U0001f600" * 140, "x" * 257]),
)
numbers = some.one_of(some.integers(), some.integers(-300, 300), some.floats(), some.booleans(), edges)
bytestrings = some.one_of(some.binary(max_size=6), some.sampled_from([b"", b"a" * 128, b"a" * 130 + b"b", bytes(range(256))]))
scalars = some.one_of(numbers, texts, bytestrings)
hashable = some.one_of(some.integers(-9, 9), texts, some.none(), some.booleans())
containers = some.one_of(
    some.lists(scalars, max_size=3),
    some.lists(some.integers(-9, 9), min_size=15, max_size=18),
    some.tuples(scalars, scalars),
    some.tuples(texts, texts),
    some.dictionaries(hashable, scalars, max_size=3),
    some.sets(hashable, max_size=4),
    some.frozensets(hashable, max_size=4),
    some.builds(bytearray, bytestrings),
    some.sampled_from([(), range(0), range(3, 9, 2), range(5, -5, -3), 1 + 2j]),
)
anything = some.one_of(scalars, scalars, containers)
befores = some.sampled_from([INFINITE, 70000.0, 3, 2.5, 1.0, 1, 0.6, 0.5, 0.25, int(sys.float_info.max), 0.0])


def described(value: object) -> object:
    """What tells values apart, to the bit."""
    if type(value) is float:
        return "float", "nan" if value != value else value.hex()
    if isinstance(value, (list, tuple)):
        return [described(part) for part in value]
    return type(value).__name__, value


def both(record: Callable[[Probes, list[float]], object], state: list[float], noting: int = 0) -> list[object]:
    """What each kind of probes records, notes and gives back."""
    found = []
    for make in MAKERS:
        probes, own = make([], 1), list(state)
        if noting:
            probes.note(True)
            probes.note_orders(noting > 1)
            probes.note_answers(noting > 2)
        given_back = record(probes, own)
        noted, answers = probes.noted(), probes.answers()
        found.append([described(own), described(noted), described(answers), repr(type(given_back)), id(given_back)])
    return found


def agree(record: Callable[[Probes, list[float]], object], state: list[float], noting: int = 0) -> None:
    by_python, by_c = both(record, state, noting)
    assert by_c == by_python


def outcome(compare: Callable[[object, object], object], left: object, right: object) -> object:
    """What the comparison says; None where it is an error, after which no probe is called."""
    try:
        return compare(left, right)
    except (TypeError, ValueError, ArithmeticError):
        return None


COMPARISONS: dict[str, Callable[[Any, Any], object]] = {
    "lt": operator.lt,
    "le": operator.le,
    "eq": operator.eq,
    "ne": operator.ne,
    "in_": lambda item, items: item in items,
    "not_in": lambda item, items: item not in items,
    "startswith": lambda text, wanted: text.startswith(wanted) if isinstance(text, (str, bytes)) else None,
    "endswith": lambda text, wanted: text.endswith(wanted) if isinstance(text, (str, bytes)) else None,
    "isinstance_": lambda value, kind: isinstance(value, type(kind)),
}


@given(some.data())
def test_comparisons(data: some.DataObject) -> None:
    name = data.draw(some.sampled_from(sorted(COMPARISONS)))
    left = data.draw(anything)
    right = data.draw(some.one_of(anything, some.just(left)))
    result = outcome(COMPARISONS[name], left, right)
    to_true, to_false, noting = data.draw(befores), data.draw(befores), data.draw(some.integers(0, 3))
    if name == "isinstance_":
        right = type(right)
    if result is not None:
        agree(
            lambda probes, state: getattr(probes, name)(state, 2, result, left, right, None), [1, 0, to_true, to_false, 0], noting
        )
    elif not noting:  # an outcome that cannot be: whatever it is, both do the same
        for wrong in (True, False, STRANGER):
            agree(
                lambda probes, state, wrong=wrong: getattr(probes, name)(state, 0, wrong, left, right, None), [to_true, to_false, 0]
            )


@given(operand=anything, to_true=befores, to_false=befores)
def test_truth(operand: object, to_true: float, to_false: float) -> None:
    state = [to_true, to_false, 0]
    for result in (bool(operand), STRANGER):
        agree(lambda probes, state, result=result: probes.truth(state, 0, result, operand, None), state)
        agree(lambda probes, state, result=result: probes.flag(state, 0, result), state)
    agree(lambda probes, state: probes.value(state, 0, operand), state)
    agree(lambda probes, state: probes.exhausted(state, 0, operand), state)


@given(
    operands=some.lists(some.one_of(some.integers(-3, 3), numbers, texts), min_size=3, max_size=4),
    kinds=some.lists(some.sampled_from(range(len(OPERATORS))), min_size=3, max_size=3),
    to_true=befores,
    to_false=befores,
)
def test_chains(operands: list[object], kinds: list[int], to_true: float, to_false: float) -> None:
    kinds = kinds[: len(operands) - 1]
    compare = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, operator.is_, operator.is_not]
    known: list[object] = [operands[0]]
    result: object = True
    for kind, (left, right) in zip(kinds, pairwise(operands), strict=True):
        if kind >= len(compare):
            return
        result = outcome(compare[kind], left, right)
        if result is None:
            return
        known.append(right)
        if not result:
            break
    known += [UNSET] * (len(operands) - len(known))
    agree(lambda probes, state: probes.chain(state, 0, tuple(kinds), UNSET, result, *known, None), [to_true, to_false, 0])


@given(left=scalars, right=some.one_of(scalars, containers), kind=some.sampled_from([0, 1, 2, 3, 4, 5, 8, 9]), before=befores)
def test_comparisons_in_comprehensions(left: object, right: object, kind: int, before: float) -> None:
    def record(probes: Probes, state: list[float]) -> object:
        try:
            return probes.compared(state, 0, kind, left, right)
        except (TypeError, ValueError, ArithmeticError) as error:
            return type(error)

    agree(record, [before, before, 0])


def test_what_is_wanted_is_bounded_alike() -> None:
    def wants(probes: Probes, state: list[float]) -> None:
        for number in range(700):
            probes.eq(state, 0, False, -1 - number, number % 300 + (number % 7) / 2, None)
            probes.lt(state, 0, False, number * 1000, -5, None)
            if number % 100 == 0:
                probes.keep_latest()
            if number % 250 == 0:
                probes.drop_latest()

    for noting in (1, 2, 3):
        agree(wants, [INFINITE, INFINITE, 0], noting)


# -- mutation sites

COMPARING = ("<", "<=", ">", ">=", "==", "!=", "is", "is not", "in", "not in")
SYMBOLS = (*COMPARING, "+", "-", "*", "/", "//", "%", "&", "|", "^", "<<", ">>")
FORMS = (
    "a {} b",
    "[a {} x for x in [b]]",
    "[x for x in [a] if x {} b]",
)
OTHERS = (
    "(a and b, a or b, a and 'x' and b)",
    "(-a, 7, -3, 'text')",
    "(a, b, c, 2.5, None, not a)",
    "(a if a and not b else c) or b",
    "a < b <= c",
    "a ** 2 + 2 ** c",
)


def mutated(make: Callable[..., Probes]) -> tuple[Recorder, list[Callable[..., object]]]:
    """A function for each kind of mutant, with the probes of its mutants."""
    expressions = [form.format(symbol) for symbol in SYMBOLS for form in FORMS] + list(OTHERS)
    source = "".join(f"def f{number}(a, b, c):\n    return {text}\n" for number, text in enumerate(expressions))
    keys = {CodeKey("mutated", f"f{number}", 2 * number + 1) for number in range(len(expressions))}
    recorder, names = Recorder(make=make), dict[str, Any]()
    module = ProbedModule("mutated", source, "mutated.py", keys, recorder, None, True)
    exec(module.compile(None), names)
    recorder.infections.want(None)
    return recorder, [names[f"f{number}"] for number in range(len(expressions))]


@functools.cache
def mutated_twins() -> tuple[tuple[Recorder, list[Callable[..., object]]], ...]:
    return mutated(PythonProbes), mutated(compiled_probes)


def infections(recorder: Recorder, functions: list[Callable[..., object]], runs: list[list[Any]]) -> list[object]:
    """What one run of every function with each of the operands leaves behind."""
    found: list[object] = []
    for function in functions:
        recorder.reset()
        for operands in runs:
            try:
                function(*operands)
            except (TypeError, ValueError, ArithmeticError):
                continue
        found.append([(number, described(distance)) for number, distance in recorder.trace().infections.items()])
    return found


operands = some.one_of(some.integers(-5, 5), some.integers(-300, 300), numbers, texts, containers, some.none())
sensible = operands.filter(lambda value: not isinstance(value, int) or abs(value) < 2**14)


@settings(max_examples=15)
@given(some.lists(some.lists(sensible, min_size=3, max_size=3), min_size=1, max_size=3), some.integers(0, 3))
def test_mutation_sites(runs: list[list[Any]], part: int) -> None:
    twins = mutated_twins()
    for recorder, _ in twins:
        known = sorted(mutant.number for mutant in recorder.infections.probed())
        recorder.infections.want(None if not part else frozenset(known[part::3]))
    assert infections(*twins[1], runs) == infections(*twins[0], runs)


@settings(max_examples=15)
@given(some.lists(some.lists(scalars, min_size=3, max_size=3), min_size=1, max_size=3))
def test_mutation_sites_with_large_numbers(runs: list[list[Any]]) -> None:
    """Only of operators that make nothing larger."""
    harmless = [number for number, symbol in enumerate(SYMBOLS) if symbol not in ("*", "<<")]
    chosen = [len(FORMS) * number + form for number in harmless for form in range(len(FORMS))]
    by_python, by_c = ((recorder, [functions[number] for number in chosen]) for recorder, functions in mutated_twins())
    assert infections(*by_c, runs) == infections(*by_python, runs)


def test_sites_are_seen() -> None:
    recorder, functions = mutated(compiled_probes)
    found = infections(recorder, functions, [[1, 2, 3], ["a", "ab", 3], [1.5, 2, [1, 2]]])
    assert len(recorder.infections.probed()) > 200
    assert sum(map(len, found)) > 200  # type: ignore[arg-type]


# -- all predicates of the zoo


def _beside(name: str) -> ModuleType:
    path = Path(__file__).parents[1] / "unit" / "engine" / "instrument" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"conformance_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


observe = _beside("observe")


def records(trace: Trace) -> Iterator[tuple[object, ...]]:
    """Everything about the activations, with their places in the list for themselves."""
    places: dict[Activation | None, int | None] = {None: None}
    places.update({activation: number for number, activation in enumerate(trace.activations)})
    for activation in trace.activations:
        where = (places.get(activation.caller), activation.caller_line, activation.caller_position)
        yield trace.functions[activation.function].key, where, described(list(activation.marks))
    yield dict(trace.infections), ()


@pytest.mark.parametrize(("share", "mutated"), [(1.0, False), (0.5, False), (1.0, True)])
def test_the_zoo_leaves_the_same_records(share: float, mutated: bool) -> None:
    recorders = [Recorder(make=make) for make in MAKERS]
    zoos = [observe.load(observe.ZOO, "zoo", share, recorder, None, mutated) for recorder in recorders]
    for recorder in recorders:
        recorder.note_wanted(True)
    compared = 0
    for name in observe.animals(zoos[0]):
        for _ in range(3):
            seen = []
            for zoo, recorder in zip(zoos, recorders, strict=True):
                random.seed(1)
                recorder.reset()
                behaviour = observe.observe(zoo, name)
                seen.append((behaviour, list(records(recorder.trace())), described(recorder.wanted)))
            assert seen[0] == seen[1], name
            compared += len(seen[0][1])
    assert compared > 1000


def test_no_room_on_the_stack() -> None:
    """At the recursion limit of the subject what only Python measures is not measured, and nothing more is raised."""
    probes = compiled_probes([ProbeLayout(0, 0, 1, ())], 10)
    states: list[list[float]] = []

    def deeper() -> None:
        state: list[float] = [INFINITE, INFINITE, 0]
        states.append(state)
        probes.eq(state, 0, False, [1], [2], None)
        deeper()

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len_of_stack() + 60)
    try:
        with pytest.raises(RecursionError):
            deeper()
    finally:
        sys.setrecursionlimit(limit)
    assert states[0] == [0.5, 0.0, 0]
    assert states[-1] in ([1.0, 0.0, 0], [0.5, 0.0, 0], [INFINITE, INFINITE, 0])


def len_of_stack() -> int:
    frame, depth = sys._getframe(), 0
    while frame is not None:
        frame, depth = frame.f_back, depth + 1
    return depth
