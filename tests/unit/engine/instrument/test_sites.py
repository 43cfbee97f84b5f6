"""The probe at the site of a crash: which sub-expression it is, how far it was from failing, and what it must not ask."""

from __future__ import annotations

import ast
import contextlib
from collections import OrderedDict, deque
from typing import NoReturn

import pytest

from crashwright.core.location import CodeKey, Position
from crashwright.engine.instrument.distances import LARGEST
from crashwright.engine.instrument.probed_code import site_in
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.instrument.trace import Activation
from crashwright.engine.instrument.variants import ProbedModule


class Key:
    """A key that must not be asked."""

    def __hash__(self) -> int:
        return hash("a")

    def __eq__(self, other: object) -> NoReturn:
        raise AssertionError


def run(expression: str, **values: object) -> tuple[Activation, list[int]]:
    """One call of a function that evaluates ``expression`` as the site, or fails in it; and the numbers of the site."""
    source = f"def f({', '.join(values)}):\n    return {expression}\n"
    node = ast.parse(source).body[0].body[0].value  # type: ignore[attr-defined]
    caret = Position(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
    key, recorder = CodeKey("m", "f", 1), Recorder()
    namespace: dict[str, object] = {}
    exec(ProbedModule("m", source, "m.py", {key}, recorder, {key: caret}).compile(None), namespace)
    function = namespace["f"]
    assert callable(function)
    recorder.reset()
    with contextlib.suppress(LookupError, ZeroDivisionError, TypeError):
        function(**values)
    [activation] = recorder.trace().activations
    return activation, [n for n, predicate in enumerate(recorder.functions[0].predicates) if predicate.kind == "site"]


def distances(expression: str, **values: object) -> tuple[float, float] | None:
    activation, [site] = run(expression, **values)
    found = activation.true_distance.get(site)
    return None if found is None else (found, activation.false_distance[site])


@pytest.mark.parametrize(
    ("size", "index", "to_failing"),
    [(3, 0, 3), (3, 2, 1), (9, 4, 5), (3, -1, 3), (3, -3, 1), (3, 3, 0), (3, -4, 0), (0, 0, 0), (0, -1, 0), (3, 10**400, 0)],
)
@pytest.mark.parametrize("kind", [list, tuple, bytes, bytearray, deque])
def test_an_index_counts_the_steps_to_the_nearer_end(kind: type, size: int, index: int, to_failing: int) -> None:
    assert distances("x[i]", x=kind(range(size)), i=index) == (to_failing, 0 if to_failing else 1)


def test_shorter_containers_are_nearer_to_failing() -> None:
    for index in (0, -1):
        found = [distances("x.copy()[i]", x=[0] * size, i=index) for size in range(4, -1, -1)]
        assert [each and each[0] for each in found] == [4, 3, 2, 1, 0]


@pytest.mark.parametrize(
    ("key", "to_failing"), [("a", 1), ("b", 0), (1, 1), (1.0, 1), (2.5, 0), (b"a", 0), ((1, "x"), 1), ((1, "y"), 0), (None, 0)]
)
def test_a_key_is_there_or_missing(key: object, to_failing: int) -> None:
    assert distances("x[i]", x={"a": 1, 1: 2, (1, "x"): 3}, i=key) == (to_failing, 1 - to_failing)


@pytest.mark.parametrize(
    ("container", "index"),
    [
        ({Key(): 1}, "a"),
        ({"a": 1}, (1, (2,))),
        (dict.fromkeys(range(1000)), 3),
        (OrderedDict(a=1), "a"),
        (type("Mine", (list,), {})([1]), 0),
        ([1], True),
        ([1], "a"),
    ],
)
def test_nothing_is_told_where_the_subject_would_have_to_be_asked(container: object, index: object) -> None:
    if isinstance(container, dict) and isinstance(next(iter(container)), Key):
        with pytest.raises(AssertionError):  # the subject's own look-up
            run("x[i]", x=container, i=index)
        return
    assert distances("x[i]", x=container, i=index) is None


@pytest.mark.parametrize("operator", ["/", "//", "%"])
@pytest.mark.parametrize(
    ("right", "to_failing"), [(0, 0), (0.0, 0), (-0.0, 0), (False, 0), (True, 1), (-3, 3), (0.25, 0.25), (5e-324, 5e-324)]
)
def test_a_divisor_is_as_far_as_it_is_large(operator: str, right: float, to_failing: float) -> None:
    assert distances(f"1 {operator} x", x=right) == (to_failing, 0 if to_failing else 1)


def test_strange_divisors() -> None:
    assert distances("1 / x", x="a") is None
    for far in (10**400, float("inf"), float("nan")):
        assert distances("7 % x", x=far) == (LARGEST, 0)


def test_the_least_of_several_accesses_counts() -> None:
    source = "def f(x):\n    for i in range(3):\n        x[i]\n"
    key, recorder = CodeKey("m", "f", 1), Recorder()
    namespace: dict[str, object] = {}
    exec(ProbedModule("m", source, "m.py", {key}, recorder, {key: Position(3, 8, 3, 12)}).compile(None), namespace)
    recorder.reset()
    namespace["f"]([0] * 9)  # type: ignore[operator]
    [activation] = recorder.trace().activations
    kinds = [predicate.kind for predicate in recorder.functions[0].predicates]
    assert kinds == ["iter", "site"]
    assert activation.distance_to(1, True) == 7


@pytest.mark.parametrize(
    ("source", "caret", "site"),
    [
        ("a[b[c]]", "a[b[c]]", "a[b[c]]"),
        ("a[b[c]]", "b[c]", "b[c]"),
        ("x = a.b[c] + d[e]", "d[e]", "d[e]"),
        ("a[b] = c", "a[b]", "a[b]"),
        ("del a[b][c]", "a[b][c]", "a[b][c]"),
        ("a[b[c] / d]", "b[c] / d", "b[c] / d"),
        ("f(a[b])", "f(a[b])", None),
        ("a + b[c]", "a + b[c]", None),
        ("a[1:2]", "a[1:2]", None),
        ("a[b, 1:2]", "a[b, 1:2]", None),
        ("a * b", "a * b", None),
        ("a /= b[c[d]]", "a /= b[c[d]]", "c[d]"),
        ("a", "a", None),
    ],
)
def test_which_sub_expression_is_the_site(source: str, caret: str, site: str | None) -> None:
    start = source.index(caret)
    found = site_in(ast.parse(source), Position(1, start, 1, start + len(caret)))
    assert (None if found is None else ast.unparse(found)) == site


def test_without_the_probe_the_numbers_stay() -> None:
    source = "def f(x, i):\n    if x[i] or i < 3:\n        pass\n"
    key, recorder = CodeKey("m", "f", 1), Recorder()
    namespace: dict[str, object] = {}
    module = ProbedModule("m", source, "m.py", {key}, recorder, {key: Position(2, 7, 2, 11)})
    exec(module.compile(frozenset()), namespace)
    assert [predicate.kind for predicate in recorder.functions[0].predicates] == ["truth", "site", "lt"]
    recorder.reset()
    namespace["f"]([1], 0)  # type: ignore[operator]
    assert not recorder.trace().activations[0].true_distance
