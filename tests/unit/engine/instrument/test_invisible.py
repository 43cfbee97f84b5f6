"""Probes do not change the subject: the zoo behaves the same to the last column, question asked and reference."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from crashwright.engine.instrument.probes import Recorder

HERE = Path(__file__).parent


def _beside(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"instrument_{name}", HERE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


observe = _beside("observe")
PLAIN = observe.load(observe.ZOO, "zoo")
ANIMALS = observe.animals(PLAIN)


SITES = range(0, 14, 3)
"""So that every index access and division of a function gets its turn in one of the zoos or another."""
ZOOS = [(share, None, mutated) for mutated in (False, True) for share in (1.0, 0.5, 0.0)] + [(1.0, site, False) for site in SITES]


@pytest.fixture(
    scope="module",
    params=ZOOS,
    ids=["all", "half", "none", "all and mutants", "half and mutants", "mutants", *(f"site {site}" for site in SITES)],
)
def probed(request: pytest.FixtureRequest) -> tuple[ModuleType, Recorder]:
    share, site, mutated = request.param
    recorder = Recorder()
    return observe.load(observe.ZOO, "zoo", share, recorder, site, mutated), recorder


@pytest.mark.parametrize("name", ANIMALS)
def test_the_same_with_and_without_probes(name: str, probed: tuple[ModuleType, Recorder]) -> None:
    module, recorder = probed
    for turn in range(16):  # often enough for the interpreter to specialise the code, and for predicates and mutants to settle
        if turn % 3:
            recorder.reset()
        assert observe.observe(module, name) == observe.observe(PLAIN, name)


def test_the_zoo_is_instrumented() -> None:
    recorder = observe.Recorder()
    module = observe.load(observe.ZOO, "zoo", 1.0, recorder)
    recorder.reset()
    for name in ANIMALS:
        observe.observe(module, name)
    touched = recorder.trace()
    entered = {touched.functions[activation.function].key.qualname for activation in touched.activations}
    assert set(ANIMALS) <= entered
    evaluated = sum(len(activation.true_distance) for activation in touched.activations)
    assert evaluated > 150
    for activation in touched.activations:
        for number, to_true in activation.true_distance.items():
            to_false = activation.false_distance[number]
            assert min(to_true, to_false) == 0
            assert to_true >= 0 <= to_false


def test_every_access_may_be_the_site() -> None:
    for turn in range(14):
        module = observe.load(observe.ZOO, "zoo", 1.0, None, turn)
        for name in ("case_accesses", "case_divisions"):
            assert observe.observe(module, name) == observe.observe(PLAIN, name)


def test_recursion_goes_as_deep() -> None:
    """At most a few frames are lost at the very end: through calls, through ``__eq__`` and through known method names."""
    for mutated in (False, True):
        probed_depths = observe.load(observe.ZOO, "zoo", 1.0, mutated=mutated).depths()
        for plain, probed in zip(PLAIN.depths(), probed_depths, strict=True):
            assert plain - 5 <= probed <= plain
