"""The probe at the entry of a function: what it is handed, what it records, and that it keeps nothing."""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Sequence

import pytest

from crashwright.core.location import CodeKey
from crashwright.engine.instrument.entries import MOST_MEASURED
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.instrument.trace import Activation
from crashwright.engine.instrument.variants import ProbedModule

KEY = CodeKey("m", "f", 1)
SEEN: list[tuple[Sequence[str], tuple[object, ...]]] = []


def measuring(source: str, found: float = 2.5, key: CodeKey = KEY) -> tuple[dict[str, object], Recorder]:
    recorder = Recorder()
    SEEN.clear()

    def measure(names: Sequence[str], arguments: Sequence[object]) -> tuple[float, float]:
        SEEN.append((names, tuple(map(type, arguments))))
        return found, 0.5

    recorder.measure_entries({key: lambda names: lambda arguments: measure(names, arguments)})
    namespace: dict[str, object] = {}
    exec(ProbedModule("m", source, "m.py", {key}, recorder).compile(None), namespace)
    recorder.reset()
    return namespace, recorder


def entry_of(recorder: Recorder, activation: Activation) -> float | None:
    predicates = recorder.functions[0].predicates
    [number] = [number for number, one in enumerate(predicates) if one.kind == "entry"]
    return activation.distance_to(number, True)


@pytest.mark.parametrize(("found", "outcome"), [(2.5, 2.5), (0.0, 0.0)])
def test_a_distance_is_recorded(found: float, outcome: float) -> None:
    namespace, recorder = measuring("def f(x):\n    return x\n", found)
    assert namespace["f"](3) == 3  # type: ignore[operator]
    [activation] = recorder.trace().activations
    assert entry_of(recorder, activation) == outcome
    assert activation.settled(len(recorder.functions[0].predicates) - 1) == 0.5


@pytest.mark.parametrize(
    "source",
    [
        "def f(a, /, b, *more, c=1.0, **rest):\n    'told'\n    return a\n",
        "async def f(a, /, b, *more, c=1.0, **rest):\n    return locals()\n",
        "def f(a, /, b, *more, c=1.0, **rest):\n    yield lambda: (a, more)\n",
    ],
)
def test_all_parameters_are_handed_over(source: str) -> None:
    namespace, _ = measuring(source)
    made = namespace["f"](1, "b", 3)  # type: ignore[operator]
    if hasattr(made, "send"):
        with contextlib.suppress(StopIteration):
            made.send(None)
        made.close()
    assert [(("a", "b", "c", "more", "rest"), (int, str, float, tuple, dict))] == SEEN


def test_names_that_the_compiler_mangles() -> None:
    namespace, _ = measuring("class C:\n    def f(self, __x):\n        return __x\n", key=CodeKey("m", "C.f", 2))
    assert namespace["C"]().f(4) == 4  # type: ignore[operator]
    assert SEEN[0][0] == ("self", "__x")


def test_arguments_live_no_longer() -> None:
    namespace, _ = measuring("def f(x, seen):\n    del x\n    return seen()\n")

    class Thing:
        pass

    thing = Thing()
    seen = weakref.ref(thing)
    held = [thing]
    del thing
    found = namespace["f"](held.pop(), seen)  # type: ignore[operator]
    assert found is None


def test_only_the_first_entries_of_a_run_are_measured() -> None:
    namespace, recorder = measuring("def f(x):\n    return x\n")
    for _ in range(MOST_MEASURED + 5):
        namespace["f"](1)  # type: ignore[operator]
    found = [entry_of(recorder, one) for one in recorder.trace().activations]
    assert found == [2.5] * MOST_MEASURED + [None] * 5
    recorder.reset()
    namespace["f"](1)  # type: ignore[operator]
    assert entry_of(recorder, recorder.trace().activations[0]) == 2.5


def test_functions_without_a_measure_have_no_probe() -> None:
    _, recorder = measuring("def f(x):\n    return x\n", key=CodeKey("m", "g", 1))
    assert all(predicate.kind != "entry" for function in recorder.functions for predicate in function.predicates)
