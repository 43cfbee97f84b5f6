"""As much of pytest as a printed file uses, for environments that have none: the module ``pytest``, and what runs a file with it.

It calls the plugins that are copied next to it as pytest would, so that they know no difference. Standard library only, and nothing
else of crashwright: it runs in the subject's interpreter.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import inspect
import io
import logging
import math
import numbers
import os
import pathlib
import pkgutil
import re
import sys
import tempfile
import types
import unittest
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

RECORDER = "crashwright_recorder"
_RELATIVE = 1e-6
_ABSOLUTE = 1e-12


class Failed(BaseException):
    """A test does not do what it is to do."""

    __module__ = "builtins"  # as pytest has it


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


class Raises:
    """``pytest.raises`` around a block."""

    def __init__(self, expected: Any, match: str | None = None) -> None:
        self._expected = expected
        self._match = match
        self.value: BaseException | None = None

    def __enter__(self) -> Raises:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: object) -> bool:
        if kind is None:
            raise Failed(f"DID NOT RAISE {self._expected!r}")
        if not issubclass(kind, self._expected):
            return False
        text = "\n".join([str(value), *getattr(value, "__notes__", ())])
        if self._match is not None and not re.search(self._match, text):
            raise Failed(f"{text!r} does not match {self._match!r}")
        self.value = value
        return True


_UNSET = object()


class MonkeyPatch:
    """The fixture of that name; what it changes is put back when the test is over, the last change first."""

    def __init__(self, stack: contextlib.ExitStack) -> None:
        self._stack = stack

    def setattr(self, target: Any, name: Any, value: Any = _UNSET, raising: bool = True) -> None:
        """Have another value there: of the attribute ``name`` of an object, or of what ``target`` names by its dotted path."""
        place = target.rpartition(".")[0] if value is _UNSET else ""
        owner, name, value = (*_owner(target), name) if value is _UNSET else (target, name, value)
        before = getattr(owner, name, _UNSET)
        if before is _UNSET and raising:
            where = f"{type(owner).__name__!r} object at {place}" if place else f"{owner!r}"
            raise AttributeError(f"{where} has no attribute {name!r}")
        if isinstance(owner, type):
            before = vars(owner).get(name, _UNSET)  # as it is held: a static method stays one
        self._stack.callback(*((delattr, owner, name) if before is _UNSET else (setattr, owner, name, before)))
        setattr(owner, name, value)

    def delattr(self, target: Any, name: Any = _UNSET, raising: bool = True) -> None:
        """As :meth:`setattr`, without the attribute."""
        owner, name = _owner(target) if name is _UNSET else (target, name)
        if not hasattr(owner, name):
            if raising:
                raise AttributeError(name)
            return
        self._stack.callback(setattr, owner, name, vars(owner).get(name, getattr(owner, name)))
        delattr(owner, name)

    def setitem(self, holder: Any, key: Any, value: object) -> None:
        """As :meth:`setattr`, under a key."""
        self._stack.callback(*((holder.__setitem__, key, holder[key]) if key in holder else (holder.pop, key, None)))
        holder[key] = value

    def delitem(self, holder: Any, key: Any, raising: bool = True) -> None:
        """As :meth:`setitem`, without the key."""
        if key not in holder:
            if raising:
                raise KeyError(key)
            return
        self._stack.callback(holder.__setitem__, key, holder[key])
        del holder[key]

    def setenv(self, name: str, value: str, prepend: str | None = None) -> None:
        """As :meth:`setitem`, in the environment; ahead of what is there if there is something to ``prepend`` it with."""
        before = os.environ.get(name)
        self.setitem(os.environ, name, str(value) if prepend is None or not before else f"{value}{prepend}{before}")

    def delenv(self, name: str, raising: bool = True) -> None:
        """As :meth:`delitem`, in the environment."""
        self.delitem(os.environ, name, raising)

    def syspath_prepend(self, path: object) -> None:
        """Modules are looked for there first."""
        self._stack.callback(sys.path.__setitem__, slice(None), list(sys.path))
        sys.path.insert(0, str(path))
        importlib.invalidate_caches()

    def chdir(self, path: Any) -> None:
        """Another current folder."""
        self._stack.callback(os.chdir, os.getcwd())
        os.chdir(path)


def _owner(path: str) -> tuple[Any, str]:
    place, _, name = path.rpartition(".")
    return pkgutil.resolve_name(place), name


class Printed(NamedTuple):
    """What a test has printed since it was asked last."""

    out: str
    err: str


class Captured:
    """The fixture ``capsys``."""

    def __init__(self, stack: contextlib.ExitStack) -> None:
        self._out, self._err = io.StringIO(), io.StringIO()
        stack.enter_context(contextlib.redirect_stdout(self._out))
        stack.enter_context(contextlib.redirect_stderr(self._err))

    def readouterr(self) -> Printed:
        """Each is told once."""
        told = Printed(self._out.getvalue(), self._err.getvalue())
        for stream in (self._out, self._err):
            stream.seek(0)
            stream.truncate()
        return told


class Log(logging.Handler):
    """The fixture ``caplog``."""

    def __init__(self, stack: contextlib.ExitStack) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []
        self._stack = stack
        self._root = logging.getLogger()
        self._root.addHandler(self)
        stack.callback(self._root.removeHandler, self)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it."""
        self.records.append(record)

    @property
    def messages(self) -> list[str]:
        """What the records say."""
        return [record.getMessage() for record in self.records]

    def set_level(self, level: int | str, logger: str | None = None) -> None:
        """From this level on."""
        asked = logging.getLogger(logger)
        self._stack.callback(asked.setLevel, asked.level)
        asked.setLevel(level)

    def clear(self) -> None:
        """Forget what there is."""
        self.records.clear()


_FIXTURES: dict[str, Callable[[contextlib.ExitStack], Any]] = {
    "tmp_path": lambda stack: pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory())),
    "monkeypatch": MonkeyPatch,
    "capsys": Captured,
    "caplog": Log,
}


class _Case(tuple[object, ...]):
    """The values of ``pytest.param``."""

    __slots__ = ()


class _Mark:
    """A mark that changes nothing: alone or called, it gives back what it decorates. What is expected to fail runs as the rest."""

    def __call__(self, *given: Any, **options: object) -> Any:
        alone = len(given) == 1 and not options and (inspect.isfunction(given[0]) or inspect.isclass(given[0]))
        return given[0] if alone else lambda decorated: decorated


class _Marks:
    """``pytest.mark``."""

    def __getattr__(self, name: str) -> Any:
        return _Mark()

    def parametrize(self, names: str | tuple[str, ...], cases: list[Any]) -> Callable[[Any], Any]:
        """Run it once for each case."""
        known = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
        rows = [tuple(case) if len(known) > 1 or isinstance(case, _Case) else (case,) for case in cases]

        def mark(function: Any) -> Any:
            function.crashwright_cases = [dict(zip(known, row, strict=True)) for row in rows]
            return function

        return mark


def pytest_module() -> types.ModuleType:
    """The module ``pytest``. ``fixtures`` are those that every test uses, ``named`` all of them."""
    module: Any = types.ModuleType("pytest")

    def fixture(function: Callable[..., Any] | None = None, **options: object) -> Any:
        def known(decorated: Callable[..., Any]) -> Callable[..., Any]:
            module.named[decorated.__name__] = decorated
            if options.get("autouse"):
                module.fixtures.append(decorated)
            return decorated

        return known if function is None else known(function)

    module.fixtures = []
    module.named = {}
    module.fixture = fixture
    module.raises = Raises
    module.approx = Approx
    module.param = lambda *values, **_: _Case(values)
    module.mark = _Marks()
    return module  # type: ignore[no-any-return]


class _Item:
    """A test, with the values of its case."""

    def __init__(self, path: pathlib.Path, name: str, function: Any, owner: type | None, case: dict[str, object]) -> None:
        self.path = path
        self.nodeid = f"{path.name}::{name}"
        self._function = function
        self._owner = owner
        self._arguments = case
        names = list(inspect.signature(function).parameters)[owner is not None :]
        self._fixtures = [name for name in names if name not in case]

    def unknown(self, named: Mapping[str, Callable[..., Any]]) -> str:
        """A fixture that only pytest has: neither of ours nor one of the file, which are ``named``."""
        asked, seen = list(self._fixtures), set()
        while asked:
            name = asked.pop(0)
            if name in named and name not in seen:
                seen.add(name)
                asked += inspect.signature(named[name]).parameters
            elif name not in seen and name not in _FIXTURES:
                return name
        return ""

    def prepare(self, fixtures: list[Any], named: Mapping[str, Callable[..., Any]], stack: contextlib.ExitStack) -> None:
        """Set these fixtures up, as pytest in the order of their names, then those that it asks for; ``stack`` tears them down."""
        ready: dict[str, Any] = {}

        def given(name: str) -> Any:
            if name not in ready:
                ready[name] = made(name)
            return ready[name]

        def made(name: str) -> Any:
            if name in named:
                function = named[name]
                arguments = {one: given(one) for one in inspect.signature(function).parameters}
                if inspect.isgeneratorfunction(function):
                    return stack.enter_context(contextlib.contextmanager(function)(**arguments))
                return function(**arguments)
            return _FIXTURES[name](stack)

        for fixture in sorted(fixtures, key=lambda one: str(one.__name__)):
            given(fixture.__name__)
        self._arguments = {**self._arguments, **{name: given(name) for name in self._fixtures}}

    def run(self) -> None:
        """Call it."""
        self._function(*([] if self._owner is None else [self._owner()]), **self._arguments)


class Session:
    """One run of one file. The hooks of ``plugins`` are called where pytest calls them."""

    def __init__(self, path: pathlib.Path, plugins: list[Any]) -> None:
        self._path = path
        self._plugins = plugins
        self._pytest = pytest_module()
        self.items: list[_Item] = []

    def run(self) -> None:
        """Import the file and run its tests."""
        sys.modules["pytest"] = self._pytest
        self._hook("pytest_configure")
        try:
            self.items = list(_items(_imported(self._path), self._path))
        except BaseException as error:  # noqa: BLE001 - whatever the import raises, SystemExit included, is what is to be told
            self._uncollected(self._text(error))
            return
        self._hook("pytest_collection_modifyitems", items=self.items)
        self._hook("pytest_collection_finish", session=self)
        for item in self.items:
            unknown = item.unknown(self._pytest.named)
            if unknown:
                self._uncollected(f"{item.nodeid} needs {unknown}, which only pytest can give it")
            else:
                self._run(item)

    def _run(self, item: _Item) -> None:
        stack = contextlib.ExitStack()
        self._hook("pytest_runtest_logstart", nodeid=item.nodeid)
        if self._phase(item, "setup", lambda: self._prepare(item, stack)):
            self._phase(item, "call", item.run)
        self._phase(item, "teardown", stack.close)
        self._hook("pytest_runtest_logfinish", nodeid=item.nodeid)

    def _prepare(self, item: _Item, stack: contextlib.ExitStack) -> None:
        self._hook("pytest_runtest_setup", item=item)
        item.prepare(self._pytest.fixtures, self._pytest.named, stack)

    def _phase(self, item: _Item, when: str, do: Callable[[], None]) -> bool:
        call, outcome, text = types.SimpleNamespace(when=when, excinfo=None), "passed", ""
        try:
            do()
        except BaseException as error:  # noqa: BLE001 - whatever the subject raises, SystemExit included, fails its test
            call.excinfo = types.SimpleNamespace(value=error)
            outcome, text = "skipped" if issubclass(type(error), unittest.SkipTest) else "failed", self._text(error)
        self._hook("pytest_runtest_makereport", item=item, call=call)
        report = types.SimpleNamespace(nodeid=item.nodeid, when=when, outcome=outcome, longrepr=text)
        self._hook("pytest_runtest_logreport", report=report)
        return outcome == "passed"

    def _uncollected(self, text: str) -> None:
        self._hook("pytest_collectreport", report=types.SimpleNamespace(failed=True, longrepr=text))

    def _hook(self, name: str, **facts: object) -> None:
        for plugin in self._plugins:
            hook = getattr(plugin, name, None)
            if hook is not None:
                hook(**{parameter: facts[parameter] for parameter in inspect.signature(hook).parameters})

    def _text(self, error: BaseException) -> str:
        return f"{type(error).__name__}: {self._plugins[0].message(error)}"


def _imported(path: pathlib.Path) -> types.ModuleType:
    specification = importlib.util.spec_from_file_location(path.stem, path)
    if specification is None or specification.loader is None:
        raise ImportError(f"cannot import {path}")
    module = importlib.util.module_from_spec(specification)
    sys.path.insert(0, str(path.parent))
    sys.modules[path.stem] = module
    specification.loader.exec_module(module)
    return module


def _items(module: types.ModuleType, path: pathlib.Path) -> Iterator[_Item]:
    """The tests of the module as pytest names them, but with a number for each case."""
    for name, value in list(vars(module).items()):
        if name.startswith("test") and inspect.isfunction(value):
            yield from _cases(path, name, value, None)
        elif name.startswith("Test") and inspect.isclass(value) and "__init__" not in vars(value):
            for method, function in list(vars(value).items()):
                if method.startswith("test") and inspect.isfunction(function):
                    yield from _cases(path, f"{name}::{method}", function, value)


def _cases(path: pathlib.Path, name: str, function: Any, owner: type | None) -> Iterator[_Item]:
    cases = getattr(function, "crashwright_cases", None)
    if cases is None:
        yield _Item(path, name, function, owner, {})
        return
    for number, case in enumerate(cases):
        yield _Item(path, f"{name}[{number}]", function, owner, case)


if __name__ == "__main__":
    # The recorder comes first: it confines this process.
    Session(pathlib.Path(sys.argv[1]), list(map(importlib.import_module, (RECORDER, *sys.argv[2:])))).run()
