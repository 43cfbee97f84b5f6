"""The compiled probes of this source, built once for all tests of a session; where no compiler is, tests of them are skipped."""

from __future__ import annotations

import atexit
import importlib.util
import shutil
import tempfile
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from crashwright.engine.instrument.compiled import CompiledProbes, loaded
from crashwright.engine.instrument.layout import ProbeLayout

BUILDER = Path(__file__).parents[2] / "scripts" / "build_probes.py"


@cache
def built() -> ModuleType:
    """The module, of what the source says now."""
    spec = importlib.util.spec_from_file_location("build_probes", BUILDER)
    assert spec is not None
    assert spec.loader is not None
    builder = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(builder)
    folder = tempfile.mkdtemp(prefix="crashwright-probes-")
    atexit.register(shutil.rmtree, folder, True)
    try:
        choice = loaded(str(builder.build(Path(folder), strict=True)))
    except builder.NotBuilt as problem:
        pytest.skip(f"no compiled probes: {problem}")
    assert choice.module is not None, choice.why
    return choice.module


def compiled_probes(layouts: list[ProbeLayout], limit: int) -> CompiledProbes:
    """For ``Recorder(make=...)``."""
    return CompiledProbes(layouts, limit, built())
