from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import SourceFileLoader
from pathlib import Path

import pytest

from crashwright.engine.worker import bytecode
from crashwright.engine.worker.bytecode import Bytecode

NAME = "crashwright.core.report"


@contextmanager
def kept(folder: Path) -> Iterator[Bytecode]:
    one = Bytecode(str(folder), "/source")
    one.install()
    try:
        yield one
    finally:
        one.leave()


def value(one: Bytecode, source: bytes, name: str = NAME) -> object:
    names: dict[str, object] = {}
    exec(one.code(name, "/source/report.py", source), names)
    return names["x"]


def no_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr(bytecode, "compile", refuse, raising=False)


def test_a_second_engine_compiles_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with kept(tmp_path) as one:
        assert value(one, b"x = 1") == 1
    no_compiling(monkeypatch)
    with kept(tmp_path) as one:
        assert value(one, b"x = 1") == 1
        assert one.problem == ""


def test_a_changed_source_is_compiled_again_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for source in (b"x = 1", b"x = 2"):
        with kept(tmp_path) as one:
            value(one, source)
    no_compiling(monkeypatch)
    with kept(tmp_path) as one:
        assert value(one, b"x = 2") == 2


def test_nothing_is_written_where_nothing_is_new(tmp_path: Path) -> None:
    with kept(tmp_path) as one:
        value(one, b"x = 1")
    (file,) = tmp_path.iterdir()
    before = file.stat().st_ino
    with kept(tmp_path) as one:
        value(one, b"x = 1")
    assert file.stat().st_ino == before


@pytest.mark.parametrize("damage", [lambda data: data[:-3], lambda data: data[:60] + b"?" + data[61:], lambda _data: b""])
def test_a_damaged_file_is_told_of_and_written_anew(tmp_path: Path, damage: object) -> None:
    with kept(tmp_path) as one:
        value(one, b"x = 1")
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    assert callable(damage)
    file.write_bytes(damage(whole))
    with kept(tmp_path) as one:
        assert "damaged" in one.problem
        assert value(one, b"x = 1") == 1
    assert file.read_bytes() == whole


def test_another_copy_of_our_sources_has_another_file(tmp_path: Path) -> None:
    for source in ("/source", "/elsewhere"):
        one = Bytecode(str(tmp_path), source)
        one.install()
        value(one, b"x = 1")
        one.leave()
    assert len(list(tmp_path.iterdir())) == 2


def test_two_engines_that_write_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    with kept(tmp_path) as one, kept(tmp_path) as other:
        value(one, b"x = 1", "crashwright.core.a")
        value(other, b"x = 2", "crashwright.core.b")
    assert [file.name.startswith(bytecode.PREFIX) for file in tmp_path.iterdir()] == [True]
    with kept(tmp_path) as third:
        assert third.problem == ""
        assert value(third, b"x = 1", "crashwright.core.a") == 1
        assert value(third, b"x = 2", "crashwright.core.b") == 2


def test_a_folder_that_cannot_be_made_costs_the_time_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with kept(tmp_path / "file" / "cache") as one:
        assert value(one, b"x = 1") == 1
    assert one.problem


def test_a_full_disk_costs_the_time_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with kept(tmp_path) as one:
        assert value(one, b"x = 1") == 1
    assert "No space left" in one.problem
    assert list(tmp_path.iterdir()) == []


def test_what_others_may_have_written_is_not_run(tmp_path: Path) -> None:
    with kept(tmp_path) as one:
        value(one, b"x = 1")
    tmp_path.chmod(0o777)
    with kept(tmp_path) as one:
        assert "by others" in one.problem
        assert one._known == {}
        value(one, b"x = 2")
    tmp_path.chmod(0o700)
    with kept(tmp_path) as one:
        assert value(one, b"x = 1") == 1
        assert not one._is_changed


def test_without_a_folder_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = list(sys.meta_path)
    one = Bytecode("", "/source")
    one.install()
    assert sys.meta_path == before
    one.leave()
    assert list(tmp_path.iterdir()) == []


def test_modules_of_ours_are_found_and_no_others(tmp_path: Path) -> None:
    folder = tmp_path / "core"
    folder.mkdir()
    (folder / "noun.py").write_text("x = 3\n")
    one = Bytecode(str(tmp_path / "cache"), str(tmp_path))
    spec = one.find_spec("crashwright.core.noun", [str(folder)])
    assert spec is not None
    assert spec.loader is not None
    assert spec.origin == str(folder / "noun.py")
    names: dict[str, object] = {}
    exec(spec.loader.get_code("crashwright.core.noun"), names)  # type: ignore[attr-defined]
    assert names["x"] == 3
    assert one.find_spec("crashwright.core", None) is None
    assert one.find_spec("json.decoder", [str(folder)]) is None


def loaded(kept: Bytecode, folder: Path, name: str = "noun") -> object:
    spec = kept.find_spec(f"crashwright.core.{name}", [str(folder)])
    assert spec is not None
    assert spec.loader is not None
    names: dict[str, object] = {}
    exec(spec.loader.get_code(f"crashwright.core.{name}"), names)  # type: ignore[attr-defined]
    return names["x"]


def test_a_source_that_nobody_touched_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "noun.py").write_text("x = 3\n")
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "__init__.py").write_text("x = 4\n")
    with kept(tmp_path / "cache") as one:
        assert (loaded(one, tmp_path), loaded(one, tmp_path, "room")) == (3, 4)

    def read(_loader: object, path: str) -> bytes:
        raise AssertionError(f"{path} is read")

    monkeypatch.setattr(SourceFileLoader, "get_data", read)
    with kept(tmp_path / "cache") as one:
        assert (loaded(one, tmp_path), loaded(one, tmp_path, "room")) == (3, 4)
        spec = one.find_spec("crashwright.core.room", [str(tmp_path)])
        assert spec is not None
        assert spec.submodule_search_locations == [str(tmp_path / "room")]
        assert not one._is_changed


def test_a_source_of_the_same_size_and_time_is_read_again(tmp_path: Path) -> None:
    source = tmp_path / "noun.py"
    source.write_text("x = 3\n")
    with kept(tmp_path / "cache") as one:
        assert loaded(one, tmp_path) == 3
    before = source.stat()
    source.unlink()
    source.write_text("x = 5\n")
    os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns))
    with kept(tmp_path / "cache") as one:
        assert loaded(one, tmp_path) == 5


def test_a_copy_at_another_place_is_found_there(tmp_path: Path) -> None:
    for folder, text in (("one", "x = 1\n"), ("two", "x = 2\n")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "noun.py").write_text(text)
    with kept(tmp_path / "cache") as one:
        assert loaded(one, tmp_path / "one") == 1
    with kept(tmp_path / "cache") as one:
        assert loaded(one, tmp_path / "two") == 2
