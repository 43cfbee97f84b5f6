"""Modules of the standard library whose functions all run as instructions, beside themselves: the same results and messages."""

from __future__ import annotations

import importlib
import inspect
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_interpreter import Interpreter

from crashwright.symbolic.ir.functions import functions_of


def interpreted(name: str) -> types.ModuleType:
    """A second copy of a module, whose functions and methods are run by the interpreter of instructions."""
    path = importlib.import_module(name).__file__
    assert path is not None
    source = Path(path).read_text(encoding="utf-8")
    copy = types.ModuleType(name)
    exec(compile(source, path, "exec"), copy.__dict__)
    functions = functions_of(source, name, sys.version_info[:2])
    interpreter = Interpreter(functions, copy.__dict__)

    def replaced(value: Any) -> Any:
        if isinstance(value, (staticmethod, classmethod)):
            return type(value)(replaced(value.__func__))
        if isinstance(value, property):
            return property(*[accessor and replaced(accessor) for accessor in (value.fget, value.fset, value.fdel)])
        if not isinstance(value, types.FunctionType) or value.__code__.co_filename != path:
            return value
        function = functions.function(value.__qualname__, value.__code__.co_firstlineno)
        if function is None:
            return value
        parameters = inspect.signature(value).parameters.values()
        return interpreter.callable(function, None, {one.name: one.default for one in parameters if one.default is not one.empty})

    for key, value in list(vars(copy).items()):
        if isinstance(value, type) and value.__module__ == name:
            for inner, member in list(vars(value).items()):
                if isinstance(member, (types.FunctionType, staticmethod, classmethod, property)):
                    setattr(value, inner, replaced(member))
        else:
            setattr(copy, key, replaced(value))
    return copy


def _sections(module: Any, text: str) -> Any:
    parser = module.ConfigParser()
    parser.read_string("[a]\n" + text)
    return {section: dict(parser[section]) for section in parser}


_USES: dict[str, Callable[[Any, str], Any]] = {
    "textwrap": lambda module, text: (module.wrap(text, 5), module.dedent(text), module.shorten(text, 7), module.indent(text, ">")),
    "shlex": lambda module, text: (module.split(text, comments=True), list(module.shlex(text, punctuation_chars=True))),
    "configparser": _sections,
    "statistics": lambda module, text: [module.quantiles(map(len, text.split("-"))), module.stdev(map(ord, text))],
}


@pytest.mark.parametrize("name", _USES)
def test_a_module_runs_as_it_does(name: str) -> None:
    copy, real = interpreted(name), importlib.import_module(name)

    @settings(max_examples=40, deadline=None, derandomize=True)
    @given(st.text("ab =:[]%(){}\"'\\#;|&-.\n\t", max_size=30))
    def same(text: str) -> None:
        assert _end(copy, name, text) == _end(real, name, text)

    same()


def _end(module: Any, name: str, text: str) -> tuple[str, str]:
    try:
        return "", repr(_USES[name](module, text))
    except Exception as error:  # noqa: BLE001 - whatever the module raises
        return type(error).__name__, str(error)
