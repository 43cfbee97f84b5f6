"""Functions run the code that tells of comparisons while it is on."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from crashwright.core.location import CodeKey
from crashwright.engine.instrument.comparison_log.code import LoggedCode
from crashwright.engine.instrument.comparison_log.log import ComparisonLog
from crashwright.engine.instrument.comparison_log.rewriting import logged_functions
from crashwright.engine.instrument.comparison_log.wanted import Span, TextWant


@pytest.fixture
def subject(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    (tmp_path / "logged_subject.py").write_text("def is_end(text):\n    return text == 'END'\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("logged_subject")
    sys.modules.pop("logged_subject", None)


def test_on_and_off(subject: ModuleType) -> None:
    log = ComparisonLog()
    logged = LoggedCode(lambda source, path, site: logged_functions(source, path, log, site))
    before = subject.is_end.__code__
    logged.choose([(CodeKey("logged_subject", "is_end", 1), subject.is_end)])
    assert subject.is_end.__code__ is before
    logged.on()
    log.begin("abc")
    assert subject.is_end("abc") is False
    logged.off()
    [want] = log.end().wants
    assert want == TextWant(Span(0, 3), "END", want.site)
    assert subject.is_end.__code__ is before


def test_a_function_without_source_is_left_alone() -> None:
    logged = LoggedCode(lambda source, path, site: logged_functions(source, path, ComparisonLog(), site))
    function = eval("lambda text: text", {})
    before = function.__code__
    logged.choose([(CodeKey("no.such.module", "<lambda>", 1), function)])
    logged.on()
    assert function.__code__ is before


def test_what_was_chosen_twice_has_its_own_code_again(subject: ModuleType) -> None:
    logged = LoggedCode(lambda source, path, site: logged_functions(source, path, ComparisonLog(), site))
    before = subject.is_end.__code__
    for _ in range(2):
        logged.choose([(CodeKey("logged_subject", "is_end", 1), subject.is_end)])
    logged.on()
    assert subject.is_end.__code__ is not before
    logged.off()
    assert subject.is_end.__code__ is before
