"""Files of data that lie beside a script which nobody has loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

from crashwright.core.target import OwnFile
from crashwright.engine.subject.files_beside import MOST, FilesBeside
from crashwright.engine.subject.source import Sources


def beside(folder: Path, source: str, *words: str) -> FilesBeside:
    script = folder / "script.py"
    script.write_text(source)
    return FilesBeside([OwnFile(str(script), "script", True)], Sources(), words)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "home" / "work"
    (home / "data").mkdir(parents=True)
    for name, content in {
        "s.sta": ":20:A\n",
        "other.csv": "a",
        "data/stock.json": "{}",
        "data/more.json": "[]",
        "b.py": "",
    }.items():
        (home / name).write_text(content)
    (home / "latin.txt").write_bytes(b"\xe4")
    return home


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("open('s.sta')", {"s.sta"}),
        ("PLACE = 'other.csv'\nopen('./s.sta')", {"other.csv", "s.sta"}),
        ("import os\nopen(os.path.join('data', 'stock.json'))", {"data/stock.json"}),
        ("import os\nos.listdir('data')", {"data/stock.json", "data/more.json"}),
        ("import glob\nglob.glob('*.csv')", {"other.csv"}),
        ("open('b.py'), open('.env'), open('../s.sta'), open('~/s.sta'), open('/etc/hosts'), open('.')", set()),
        ("open(", set()),
    ],
)
def test_what_the_script_names(source: str, names: set[str], folder: Path) -> None:
    assert set(beside(folder, source).named()) == names


def test_what_a_command_line_names_is_there_as_bytes_if_it_is_no_text(folder: Path) -> None:
    assert beside(folder, "", "latin.txt", "s.sta").named() == {"latin.txt": b"\xe4", "s.sta": ":20:A\n"}


def test_the_folder_around_counts_for_a_script_in_a_folder_of_scripts(folder: Path) -> None:
    scripts = folder / "scripts"
    scripts.mkdir()
    assert set(beside(scripts, "open('s.sta')").named()) == {"s.sta"}


def test_what_a_run_did_not_find_is_looked_for(folder: Path) -> None:
    files = beside(folder, "")
    assert files.content("s.sta") == ":20:A\n"
    assert files.content("nowhere.csv") is None
    assert files.content(".env") is None
    assert files.content("../home/work/s.sta") is None


def test_so_many_files_of_a_folder(folder: Path) -> None:
    for number in range(2 * MOST):
        (folder / "data" / f"{number}.json").write_text("1")
    assert len(beside(folder, "import os\nos.listdir('data')").named()) == MOST
