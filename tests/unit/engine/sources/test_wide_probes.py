"""A package of its own in a temporary folder, imported as it is."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, ModuleType
from urllib.parse import parse_qsl

import pytest

from crashwright.core.location import CodeKey
from crashwright.engine.instrument.comparison_log.wanted import Span
from crashwright.engine.sources.wide_probes import WideProbes, entered, standard_readers

SOURCE = """
def read(text):
    return head(text) and body(text[5:])


def head(text):
    if text.startswith("BEGIN"):
        return True
    return False


def body(text):
    if text == "END":
        return 1
    return 0
"""


@pytest.fixture
def scanning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    (tmp_path / "widely").mkdir()
    (tmp_path / "widely" / "__init__.py").write_text("")
    (tmp_path / "widely" / "scanning.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("widely.scanning")
    for name in ("widely", "widely.scanning"):
        sys.modules.pop(name, None)


def probed(scanning: ModuleType, text: str = "BEGIN") -> WideProbes:
    probes = WideProbes("widely", [CodeKey("widely.scanning", "read", 2)], lambda: None)
    probes.discover(lambda: scanning.read(text))
    probes.on()
    return probes


def is_new(probes: WideProbes, run: Callable[[], object]) -> bool:
    probes.begin()
    run()
    return probes.is_new()


def test_what_functions_off_the_path_reach_is_new_once(scanning: ModuleType) -> None:
    probes = probed(scanning)
    texts = ["", "x", "BEGIN", "BEGINx", "BEGINEND", "BEGINEND"]
    assert [is_new(probes, lambda: scanning.read(text)) for text in texts] == [True, False, True, False, True, False]  # noqa: B023


def test_what_they_compare_is_told_with_what_was_there(scanning: ModuleType) -> None:
    notes = probed(scanning).compared("BEGINx", lambda: scanning.read("BEGINx"))
    assert (Span(5, 6), "END") in {(want.span, want.value) for want in notes.wants}


def test_the_path_is_told_of_too_and_has_its_code_again(scanning: ModuleType) -> None:
    probes = probed(scanning)
    before = scanning.read.__code__, scanning.body.__code__
    probes.compared("BEGINx", lambda: scanning.read("BEGINx"))
    assert (scanning.read.__code__, scanning.body.__code__) == before


def test_what_the_path_alone_compares_is_told_of(scanning: ModuleType) -> None:
    keys = [CodeKey("widely.scanning", name, line) for name, line in (("read", 2), ("head", 6), ("body", 12))]
    probes = WideProbes("widely", keys, lambda: None)
    probes.discover(lambda: scanning.read("x"))
    assert probes
    notes = probes.compared("x", lambda: scanning.read("x"))
    assert "BEGIN" in {want.value for want in notes.wants}


def test_a_function_that_is_entered_later_is_news_too(scanning: ModuleType) -> None:
    probes = probed(scanning, "x")
    assert is_new(probes, lambda: scanning.read("BEGINEND"))
    assert not is_new(probes, lambda: scanning.head("BEGINEND"))


def test_off_gives_the_functions_their_own_code_back(scanning: ModuleType) -> None:
    before = scanning.body.__code__
    probes = probed(scanning)
    assert scanning.body.__code__ is not before
    probes.off()
    assert scanning.body.__code__ is before
    probes.on()
    assert is_new(probes, lambda: scanning.read("BEGINEND"))


def test_a_function_of_the_path_is_left_alone(scanning: ModuleType) -> None:
    before = scanning.read.__code__
    probed(scanning)
    assert scanning.read.__code__ is before


def test_functions_that_are_called_are_counted_and_a_profiler_stays() -> None:
    def called() -> None:
        pass

    def profiler(*_: object) -> None:
        pass

    sys.setprofile(profiler)
    try:
        calls = entered(lambda: [called() for _ in range(3)])
        assert sys.getprofile() is profiler
    finally:
        sys.setprofile(None)
    assert calls[called.__code__] == 3


THROUGH = """
from urllib.parse import parse_qsl


def read(text):
    return pairs(text)


def pairs(text):
    return [value for key, value in parse_qsl(text) if key]
"""


def test_what_the_standard_library_compares_before_the_package_does_is_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "through").mkdir()
    (tmp_path / "through" / "__init__.py").write_text(THROUGH)
    monkeypatch.syspath_prepend(str(tmp_path))
    through = importlib.import_module("through")
    before = parse_qsl.__code__
    try:
        probes = WideProbes("through", [], lambda: None)
        probes.discover(lambda: through.read("a"))
        wants = probes.compared("a", lambda: through.read("a")).wants
    finally:
        sys.modules.pop("through", None)
    assert "=" in {want.value for want in wants}
    assert parse_qsl.__code__ is before


def test_of_the_standard_library_only_what_the_package_calls_is_looked_into(scanning: ModuleType) -> None:
    callers: dict[CodeType, set[str]] = {}
    entered(lambda: parse_qsl("a=b"), callers)
    assert parse_qsl.__code__ in callers
    assert standard_readers(callers, ["elsewhere.py"]) == {}
    assert [*standard_readers(callers, [__file__]).values()] == ["urllib.parse"]
