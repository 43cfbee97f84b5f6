"""Files of a project that its code names."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from crashwright.engine.subject.project_files import named_files, project_file, small_texts
from crashwright.engine.subject.source import Sources


@pytest.mark.parametrize("folder", ["", "src"])
def test_what_the_code_and_its_configuration_name(folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"named_files_{folder or 'flat'}"
    package = tmp_path / folder / name
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from pathlib import Path\nCONFIG = Path('conf') / 'app.toml'\nNOT = 'README.md'\n")
    (package / "reading.py").write_text("def read(path='other.py', secret='.env', far='/etc/hosts'):\n    return open(path)\n")
    for path, content in {
        "conf/app.toml": 'data = "tables/prices.csv"',
        "tables/prices.csv": "a,1",
        "unnamed.toml": "",
        "other.py": "",
        ".env": "A=1",
    }.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(content)
    monkeypatch.syspath_prepend(tmp_path / folder)
    importlib.import_module(f"{name}.reading")
    found = named_files(name, Sources(), ["tables/prices.csv"])
    assert {one.entry for one in found} == {"conf/", "tables/"}
    assert {Path(one.path) for one in found} == {tmp_path / "conf", tmp_path / "tables"}
    assert [project_file(one.text) for one in found] == list(found)


def test_a_named_file_names_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "naming_others.py").write_text("CONFIG = 'a.ini'\n")
    (tmp_path / "a.ini").write_text("[data]\nprices = b.csv\n")
    (tmp_path / "b.csv").write_text("x,1")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("naming_others")
    assert [one.text for one in named_files("naming_others", Sources())] == ["naming_others:1:a.ini", "naming_others:1:b.csv"]


@pytest.mark.parametrize("package", ["json", "pytest", "nothing_of_that_name"])
def test_what_is_installed_is_no_project(package: str) -> None:
    assert named_files(package, Sources()) == ()


def test_small_texts_of_files_and_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "holding_texts.py").write_text("FILES = 'a.ini', 'data/b.csv'\n")
    (tmp_path / "a.ini").write_text("[data]\n")
    (tmp_path / "data" / "more").mkdir(parents=True)
    (tmp_path / "data" / "b.csv").write_text("x,1")
    (tmp_path / "data" / "more" / "c.bin").write_bytes(b"\xff\xfe")
    (tmp_path / "data" / "more" / "long.txt").write_text("x" * 100)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("holding_texts")
    found = named_files("holding_texts", Sources())
    assert list(small_texts(found, 50)) == [("data/b.csv", "x,1"), ("a.ini", "[data]\n")]
