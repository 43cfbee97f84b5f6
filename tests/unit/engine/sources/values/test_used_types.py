"""What callables use their parameters as: each module is read once, whoever asks, and only when somebody does."""

from __future__ import annotations

import importlib
import json.decoder
import json.encoder
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from crashwright.core.report import Unknown
from crashwright.engine.sources.values import used_types
from crashwright.engine.sources.values.used_types import ReadModules, UsedAnywhere, UsedTypes
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.source import ModuleSource, Sources
from crashwright.engine.subject.usage.uses_of_values import ModuleUses

API = ApiModel("json", ["json", "json.decoder", "json.encoder", "json.scanner"])
SOURCES = Sources()


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The modules that are read from then on."""
    names: list[str] = []

    def noted(tree: object) -> ModuleUses:
        for module in ("json", "json.decoder", "json.encoder", "json.scanner"):
            source: ModuleSource | Unknown = SOURCES.of_module(module)
            names.extend([module] if isinstance(source, ModuleSource) and source.tree is tree else [])
        return ModuleUses(tree)  # type: ignore[arg-type]

    monkeypatch.setattr(used_types, "ModuleUses", noted)
    return names


def methods(cls: type) -> list[tuple[object, str]]:
    return [(callee, parameter.name) for callee in API.methods_of(cls) for parameter in callee.parameters]


def test_a_module_is_read_once_for_all_that_ask(read: list[str]) -> None:
    used = UsedAnywhere(API, SOURCES)
    assert read == []
    for cls in (json.decoder.JSONDecoder, json.encoder.JSONEncoder):
        for callee, name in methods(cls):
            used.hints(callee, name)  # type: ignore[arg-type]
    assert used.classes_with(("json",), ("raw_decode", "scan_once")) == (json.decoder.JSONDecoder,)
    assert sorted(read) == sorted(set(read)) != []


def test_of_too_many_modules_the_classes_alone_count(read: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(used_types, "MOST_MODULES", 0)
    used = UsedAnywhere(API, SOURCES)
    assert used.classes_with(("json",), ("raw_decode",)) == (json.decoder.JSONDecoder,)
    assert used.classes_with(("json",), ("scan_once",)) == ()
    assert read == []


@pytest.fixture
def loading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A command whose path another module of the package opens."""
    folder = tmp_path / "ferry_times"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "settings.py").write_text(
        "import os\n\n\ndef load(place, path):\n    path = os.path.abspath(path)\n    return open(path)\n\n\n"
        "class Table:\n    def __init__(self, rows):\n        self.rows = rows.items()\n"
    )
    (folder / "command.py").write_text(
        "from . import settings\nfrom .settings import Table\n\n\ndef check(config_path: str, rows):\n"
        "    return settings.load(None, config_path), Table(rows)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.import_module("ferry_times.command")
    yield "ferry_times"
    for name in [one for one in sys.modules if one.partition(".")[0] == "ferry_times"]:
        del sys.modules[name]


@pytest.mark.parametrize(("across", "place", "types"), [(True, "file", [dict]), (False, "", [])])
def test_what_another_module_does_with_it_is_known_too(loading: str, across: bool, place: str, types: list[type]) -> None:
    api = ApiModel(loading, [loading, f"{loading}.settings", f"{loading}.command"])
    sources = Sources()
    used = UsedTypes(api, sources, f"{loading}.command", ReadModules(loading, sources, across))
    check = next(one for one in api.functions_in(f"{loading}.command") if one.name == "check")
    assert used.names_in(check, "config_path") == place
    assert [hint.cls for hint, _ in used.hints(check, "rows")] == types  # type: ignore[union-attr]
