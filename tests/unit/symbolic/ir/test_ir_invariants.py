"""The invariants of lowered functions, over modules of the standard library."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from ir_checks import faults

from crashwright.core.comprehensions import COMPREHENSIONS
from crashwright.symbolic.ir.functions import functions_of


@pytest.mark.parametrize("name", ["textwrap", "shlex", "csv", "json.decoder", "html.parser", "statistics", "contextlib"])
def test_invariants_hold_for_the_standard_library(name: str) -> None:
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    functions = functions_of(Path(spec.origin).read_text(encoding="utf-8"), name)
    assert functions.keys
    for key in functions.keys:
        function = functions.function(key.qualname, key.first_line)
        if key.name not in COMPREHENSIONS and key.name != "<genexpr>":
            assert function is not None
            assert (key, faults(function)) == (key, [])
