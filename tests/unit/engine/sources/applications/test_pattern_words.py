"""Texts for what an operation takes apart by regular expressions."""

from __future__ import annotations

import ast
import re
import sys
from types import ModuleType

import pytest

from crashwright.engine.sources.applications.pattern_words import pattern_words

RAMP = re.compile(r"(?:(\d+)\s*/\s*h|full)\s+(\d+)$")
CODE = ast.parse("def parse(text):\n    return ramps.RAMP.match(text) or re.fullmatch('[A-Z]{2}-[0-9]{4}', text)")


def test_expressions_that_the_code_names_or_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("workshop_of_kilns.ramps")
    module.__dict__.update(RAMP=RAMP, UNUSED=re.compile("never"))
    monkeypatch.setitem(sys.modules, "workshop_of_kilns", ModuleType("workshop_of_kilns"))
    monkeypatch.setitem(sys.modules, "workshop_of_kilns.ramps", module)
    found = pattern_words([CODE], "workshop_of_kilns")
    assert any(RAMP.match(text) for text in found)
    assert any(re.fullmatch("[A-Z]{2}-[0-9]{4}", text) for text in found)
    assert not any("never" in text or "\n" in text for text in found)


def test_without_expressions_there_are_none() -> None:
    assert pattern_words([ast.parse("x = 1")], "workshop_of_kilns") == ()
    assert pattern_words([ast.parse("re.match('(', text)")], "workshop_of_kilns") == ()
