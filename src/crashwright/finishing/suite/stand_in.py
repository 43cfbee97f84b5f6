"""As much of pytest as a suite uses, for environments that have none, and the program that runs a file with it.

Copied next to ``recorder`` and ``suite_watch``, and run in the subject's interpreter: standard library only.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import inspect
import math
import numbers
import pathlib
import re
import sys
import tempfile
import types
from collections.abc import Callable, Iterator
from typing import Any

RECORDER = "crashwright_recorder"
WATCH = "crashwright_suite_watch"
_RELATIVE = 1e-6
_ABSOLUTE = 1e-12


class Approx:
    """``pytest.approx`` with its default tolerances, for numbers, sequences and mappings of numbers."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, expected: Any) -> None:
        self.expected = expected

    def __eq__(self, other: object) -> bool:
        return _near(other, self.expected)

    def __repr__(self) -> str:
        return f"approx({self.expected!r})"


def _near(actual: Any, expected: Any) -> bool:
    if isinstance(expected, dict):
        return (
            isinstance(actual, dict) and set(actual) == set(expected) and all(_near(actual[key], expected[key]) for key in expected)
        )
    if isinstance(expected, list | tuple):
        sized = hasattr(actual, "__len__") and len(actual) == len(expected)
        return sized and all(_near(one, other) for one, other in zip(actual, expected, strict=True))
    if isinstance(expected, int | float | complex) and isinstance(actual, numbers.Complex):
        if actual == expected:
            return True
        if not math.isfinite(abs(expected)) or not math.isfinite(abs(complex(actual))):
            return False
        difference: float = abs(complex(actual) - expected)
        return bool(difference <= max(_RELATIVE * abs(expected), _ABSOLUTE))
    return bool(actual == expected)


class _Case(tuple[object, ...]):
    """The values of ``pytest.param``."""

    __slots__ = ()


def pytest_module() -> types.ModuleType:
    """The module ``pytest``."""
    module: Any = types.ModuleType("pytest")

    @contextlib.contextmanager
    def raises(kind: type[BaseException], match: str | None = None) -> Iterator[None]:
        try:
            yield
        except kind as error:
            if match is not None and not re.search(match, str(error)):
                raise AssertionError(f"{str(error)!r} does not match {match!r}") from error
        else:
            raise AssertionError(f"did not raise {kind.__name__}")

    def parametrize(names: str | tuple[str, ...], cases: list[Any]) -> Callable[[Any], Any]:
        def mark(function: Any) -> Any:
            known = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
            several = len(known) > 1
            rows = [tuple(case) if several or isinstance(case, _Case) else (case,) for case in cases]
            function.crashwright_cases = [dict(zip(known, row, strict=True)) for row in rows]
            return function

        return mark

    module.raises = raises
    module.approx = Approx
    module.param = lambda *values, **_: _Case(values)
    module.mark = types.SimpleNamespace(parametrize=parametrize)
    return module  # type: ignore[no-any-return]


def _nothing() -> None:
    """What is done before and after a test where nothing is asked for."""


def run_file(path: pathlib.Path, watch: Any, before: Callable[[], None] = _nothing, after: Callable[[], None] = _nothing) -> None:
    """Import the file and run those of its tests that ``watch`` chooses; call ``before`` and ``after`` around each."""
    sys.modules["pytest"] = pytest_module()
    try:
        tests = list(_tests(_imported(path), path.name))
    except BaseException as error:  # noqa: BLE001 - whatever the import raises, SystemExit included, is what is to be told
        watch.tell("collection", text=f"{type(error).__name__}: {error}")
        return
    names = [name for name, _ in tests]
    watch.tell("items", tests=names)
    for place in watch.chosen(names):
        name, test = tests[place]
        watch.begin(name)
        before()
        outcome, text = _outcome(name, test, watch, str(path))
        watch.tell("result", test=name, outcome=outcome, text=text[: watch.LONGEST_TEXT])
        watch.end(name)
        after()
    watch.tell("finished")


def _outcome(name: str, test: Callable[[], None], watch: Any, file: str) -> tuple[str, str]:
    try:
        test()
    except BaseException as error:  # noqa: BLE001 - whatever the subject raises, SystemExit included, fails its test
        watch.tell_raised(name, error)
        watch.tell_untrue(name, error, file)
        return "failed", f"{type(error).__name__}: {error}"
    return "passed", ""


def _imported(path: pathlib.Path) -> types.ModuleType:
    specification = importlib.util.spec_from_file_location(path.stem, path)
    if specification is None or specification.loader is None:
        raise ImportError(f"cannot import {path}")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def _tests(module: types.ModuleType, file: str) -> Iterator[tuple[str, Callable[[], None]]]:
    """The tests of the module as pytest names them, but with a number for each case."""
    for name, value in list(vars(module).items()):
        if name.startswith("test") and inspect.isfunction(value):
            yield from _cases(f"{file}::{name}", value, None)
        elif name.startswith("Test") and inspect.isclass(value) and "__init__" not in vars(value):
            for method, function in list(vars(value).items()):
                if method.startswith("test") and inspect.isfunction(function):
                    yield from _cases(f"{file}::{name}::{method}", function, value)


def _cases(name: str, function: Any, owner: type | None) -> Iterator[tuple[str, Callable[[], None]]]:
    cases = getattr(function, "crashwright_cases", None)
    if cases is None:
        yield name, lambda: _run(function, owner, {})
        return
    for number, case in enumerate(cases):
        yield f"{name}[{number}]", lambda case=case: _run(function, owner, case)  # type: ignore[misc]


def _run(function: Any, owner: type | None, case: dict[str, object]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        fixtures = {"tmp_path": pathlib.Path(folder)} if "tmp_path" in inspect.signature(function).parameters else {}
        arguments = {**fixtures, **case}
        if owner is None:
            function(**arguments)
        else:
            function(owner(), **arguments)


if __name__ == "__main__":
    importlib.import_module(RECORDER)  # which confines this process
    run_file(pathlib.Path(sys.argv[1]), importlib.import_module(WATCH))
