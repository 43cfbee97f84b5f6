"""Files that a program keeps below the current folder and the user's home."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import pytest

from crashwright.engine.sources.own_files import kept_texts, own_path, stepped_texts


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home, work = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    work.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(work)
    return home


def test_a_path_is_written_from_the_folder_or_from_the_home(home: Path) -> None:
    work = str(home.parent / "work")
    assert own_path("data/a.json", work) == "data/a.json"
    assert own_path(f"{home}/.shop/a.json", work) == "~/.shop/a.json"
    assert own_path("/etc/hosts", work) == ""


def test_texts_that_are_kept_are_read(home: Path) -> None:
    (home / ".shop").mkdir()
    (home / ".shop" / "orders.json").write_text("[1, 2]")
    Path("state.txt").write_text("a\n")
    Path("picture.bin").write_bytes(b"\xff\xfe\x00")
    Path("long.txt").write_text("a" * 50)
    assert kept_texts(40) == {"state.txt": "a\n", "~/.shop/orders.json": "[1, 2]"}


def test_each_text_becomes_another_in_turn() -> None:
    found = list(islice(stepped_texts({"a.json": "[1, 2]", "b.txt": "x\ny\n"}, ("said",)), 200))
    assert {name for name, _ in found[:4]} == {"a.json", "b.txt"}
    assert {("a.json", "[1]"), ("b.txt", "x\n"), ("b.txt", "x\nsaid\n")} <= set(found)
    assert len(found) == len(set(found)) < 200
    assert ("a.json", "[1, 2]") not in found


def test_of_a_document_what_the_message_says_comes_first_and_then_most_steps_leave_one() -> None:
    found = [text for _, text in islice(stepped_texts({"a.json": '[["ink", 3]]'}, (), "'NoneType' object is not iterable"), 15)]
    assert found[:3] == ["[null]", '[["ink", null]]', "[[null, 3]]"]
    assert sum(_is_document(text) for text in found) >= 10


def _is_document(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
