"""Which functions tell what they decide on: a package of its own in a temporary folder."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from crashwright.core.location import CodeKey
from crashwright.engine.instrument.operand_log.changes import ChangeKind
from crashwright.engine.sources.operand_probes import MOST_TIMES, OperandProbes

FUNCTION = """
def f{number}(value):
    return value == "wanted {number}"

"""


@pytest.fixture
def asking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    (tmp_path / "askingly").mkdir()
    (tmp_path / "askingly" / "__init__.py").write_text("")
    source = "".join(FUNCTION.format(number=number) for number in range(MOST_TIMES + 2))
    (tmp_path / "askingly" / "deciding.py").write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("askingly.deciding")
    for name in ("askingly", "askingly.deciding"):
        sys.modules.pop(name, None)


def key(module: ModuleType, number: int) -> CodeKey:
    return CodeKey(module.__name__, f"f{number}", getattr(module, f"f{number}").__code__.co_firstlineno)


def wanted(probes: OperandProbes, module: ModuleType, number: int) -> set[object]:
    """What a run of that function on a value of the test wants in its place."""
    given = "given"
    asked = probes.asked(lambda: getattr(module, f"f{number}")(given), lambda: {0: given})
    return {one.wanted.what for one in asked if one.wanted.way is ChangeKind.VALUE}


def test_a_function_that_a_run_enters_tells_and_has_its_own_code_afterwards(asking: ModuleType) -> None:
    code = asking.f0.__code__
    assert "wanted 0" in wanted(OperandProbes("askingly", lambda: None), asking, 0)
    assert asking.f0.__code__ is code


def test_functions_off_the_paths_are_looked_for_only_so_often(asking: ModuleType) -> None:
    probes = OperandProbes("askingly", lambda: None)
    told = [f"wanted {number}" in wanted(probes, asking, number) for number in range(MOST_TIMES + 1)]
    assert told == [True] * MOST_TIMES + [False]


def test_those_of_a_path_are_looked_for_after_that_too(asking: ModuleType) -> None:
    probes = OperandProbes("askingly", lambda: None)
    for number in range(MOST_TIMES):
        wanted(probes, asking, number)
    probes.watch([key(asking, MOST_TIMES)])
    assert f"wanted {MOST_TIMES}" in wanted(probes, asking, MOST_TIMES)
