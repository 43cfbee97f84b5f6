"""The zoo of ``tests/unit/engine/instrument`` with other code in its functions, and what its animals do."""

from __future__ import annotations

import gc
import importlib.util
from collections.abc import Mapping
from pathlib import Path
from types import CodeType, FunctionType, ModuleType, TracebackType

ZOO = Path(__file__).parents[1] / "unit" / "engine" / "instrument" / "zoo.py"
LOOKS_AT_LINES = {"case_caller_lines"}
"""What tells of columns and lines is another one where a statement is rewritten."""


def loaded() -> ModuleType:
    """The zoo as it is."""
    spec = importlib.util.spec_from_file_location("zoo", ZOO)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rewritten(codes: Mapping[tuple[str, int], CodeType]) -> tuple[ModuleType, int]:
    """The zoo with these codes, and how many of its functions have one."""
    module, exchanged = loaded(), 0
    for function in gc.get_objects():
        if type(function) is FunctionType and function.__globals__ is vars(module):
            code = codes.get((function.__code__.co_qualname, function.__code__.co_firstlineno))
            if code is not None and code.co_freevars == function.__code__.co_freevars:
                function.__code__ = code
                exchanged += 1
    return module, exchanged


def animals(module: ModuleType) -> list[str]:
    """The names of what can be observed."""
    return [name for name in vars(module) if name.startswith(("case_", "crash_")) and name not in LOOKS_AT_LINES]


def observed(module: ModuleType, name: str) -> object:
    """What an animal gives or raises, from where, and what it has asked."""
    module.LOG.clear()
    try:
        result: object = repr(getattr(module, name)())
    except Exception as error:  # noqa: BLE001 - the crash is what is observed
        result = type(error).__name__, str(error), _frames(error.__traceback__)
    return result, list(module.LOG)


def _frames(trace: TracebackType | None) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(ZOO):
            found.append((trace.tb_frame.f_code.co_name, trace.tb_lineno))
        trace = trace.tb_next
    return found
