"""Addresses back to callees: what is encoded in one fork runs in the next."""

from __future__ import annotations

import colorsys
import importlib
import io
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.codec import encode
from crashwright.engine.testcase.foreign import ApiResolver, foreign_tests
from crashwright.engine.testcase.statements import Arguments, Call, Literal
from crashwright.engine.testcase.testcase import TestCase

API = ApiModel("textwrap", ["textwrap"])
RESOLVER = ApiResolver(API)


def test_known_callees_are_the_very_same() -> None:
    for callee in API.callables:
        assert RESOLVER.callee(callee.module, callee.qualname, callee.kind) is callee


def test_builtins_and_the_standard_library() -> None:
    length = RESOLVER.callee("builtins", "len", CalleeKind.FUNCTION)
    stream = RESOLVER.callee("io", "StringIO", CalleeKind.CLASS)
    assert length is not None
    assert stream is not None
    assert (length.live, stream.live) == (len, io.StringIO)


def test_what_is_gone_is_none() -> None:
    assert RESOLVER.callee("textwrap", "no_such", CalleeKind.FUNCTION) is None
    assert RESOLVER.callee("no.such.module", "f", CalleeKind.FUNCTION) is None
    assert RESOLVER.named("textwrap", "TextWrapper.nothing") is None
    named = RESOLVER.named("textwrap", "TextWrapper")
    assert named is not None
    assert named.live is textwrap.TextWrapper


def call(module: str, name: str, kind: CalleeKind = CalleeKind.FUNCTION) -> dict[str, Any]:
    arguments = Arguments((0,))
    return encode(TestCase((Literal(0, "text"), Call(1, Callee(module, name, kind), arguments))))


def test_tests_from_elsewhere_are_taken_where_they_fit() -> None:
    good = [call("textwrap", "wrap"), call("textwrap", "dedent"), call("colorsys", "rgb_to_hls")]
    bad = [call("textwrap", "gone"), call("no.such.module", "f"), call("json.gone", "f"), {}]
    bad += [{"callees": [], "statements": [["Call"]]}, {"statements": 3}]
    undefined = encode(TestCase((Call(1, Callee("textwrap", "wrap", CalleeKind.FUNCTION), Arguments((0,))),)))
    tests = foreign_tests([*bad, *good, undefined, {"callees": [], "statements": []}], API)
    calls = [statement for test in tests for statement in test.statements if isinstance(statement, Call)]
    assert [call.callee.live for call in calls] == [textwrap.wrap, textwrap.dedent, colorsys.rgb_to_hls]


def test_what_a_loaded_library_imports_when_it_is_called_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "lazylibrary"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "dialects.py").write_text("class Dialect:\n    def __init__(self, text):\n        self.text = text\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert foreign_tests([call("lazylibrary.dialects", "Dialect", CalleeKind.CLASS)], API) == []
    monkeypatch.setitem(sys.modules, "lazylibrary", importlib.import_module("lazylibrary"))
    # It may be there already, in a process that ran other tests.
    monkeypatch.delitem(sys.modules, "lazylibrary.dialects", raising=False)
    assert len(foreign_tests([call("lazylibrary.dialects", "Dialect", CalleeKind.CLASS)], API)) == 1
    sys.modules.pop("lazylibrary.dialects", None)
