"""The subject does with the log of operands what it does without: the zoo gives the same results, asks the same questions, raises
the same."""

from __future__ import annotations

import gc
import importlib.util
from pathlib import Path
from types import FunctionType, ModuleType, TracebackType

import pytest

from crashwright.engine.instrument.operand_log.log import OperandLog
from crashwright.engine.instrument.operand_log.rewriting import asked_functions

ZOO = Path(__file__).parent.parent / "zoo.py"
LOOKS_AT_LINES = {"case_caller_lines"}
"""What tells of columns and lines is another one where a statement is rewritten."""


def everywhere(_: object) -> tuple[object, ...]:
    return ("here",)


def loaded(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ZOO)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def telling(name: str) -> tuple[ModuleType, OperandLog, int]:
    module, log, exchanged = loaded(name), OperandLog(), 0
    codes = asked_functions(ZOO.read_bytes(), str(ZOO), log, 0).codes
    for function in gc.get_objects():
        if type(function) is FunctionType and function.__globals__ is vars(module):
            code = codes.get((function.__code__.co_qualname, function.__code__.co_firstlineno))
            if code is not None and code.co_freevars == function.__code__.co_freevars:
                function.__code__ = code
                exchanged += 1
    return module, log, exchanged


PLAIN = loaded("zoo")
TELLING, LOG, EXCHANGED = telling("zoo")
ANIMALS = [name for name in vars(PLAIN) if name.startswith(("case_", "crash_")) and name not in LOOKS_AT_LINES]


def frames(trace: TracebackType | None) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(ZOO):
            found.append((trace.tb_frame.f_code.co_name, trace.tb_lineno))
        trace = trace.tb_next
    return found


def observed(module: ModuleType, name: str) -> object:
    module.LOG.clear()
    try:
        result: object = repr(getattr(module, name)())
    except Exception as error:  # noqa: BLE001 - the crash is what is observed
        result = type(error).__name__, str(error), frames(error.__traceback__)
    return result, list(module.LOG)


@pytest.mark.parametrize("name", ANIMALS)
def test_the_same_with_and_without_the_log_of_operands(name: str) -> None:
    LOG.begin(everywhere)
    assert observed(TELLING, name) == observed(PLAIN, name)
    LOG.end()


def test_the_zoo_tells_what_it_decides_on() -> None:
    assert EXCHANGED > 100
    LOG.begin(everywhere)
    for name in ANIMALS:
        observed(TELLING, name)
    assert len({asked.site for asked in LOG.end()}) > 50
