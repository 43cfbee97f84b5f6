from __future__ import annotations

import os
from pathlib import Path

import pytest

from crashwright.supervision.user_cache import bound, problem_of, size_of, user_cache


@pytest.mark.parametrize(
    ("environment", "platform", "expected"),
    [
        ({"HOME": "/home/a"}, "linux", "/home/a/.cache/crashwright"),
        ({"HOME": "/home/a"}, "darwin", "/home/a/Library/Caches/crashwright"),
        ({"HOME": "/home/a", "XDG_CACHE_HOME": "/big"}, "linux", "/big/crashwright"),
        ({"HOME": "/home/a", "XDG_CACHE_HOME": "relative"}, "linux", "/home/a/.cache/crashwright"),
        ({}, "linux", ""),
    ],
)
def test_where_it_is(environment: dict[str, str], platform: str, expected: str) -> None:
    assert user_cache(environment, platform) == expected


def _files(folder: Path) -> list[str]:
    for age, name in enumerate(("newest", "newer", "older", "oldest")):
        (folder / name).write_bytes(b"x" * 10)
        os.utime(folder / name, (1000 - age, 1000 - age))
    return sorted(os.listdir(folder))


def test_the_oldest_files_go_first(tmp_path: Path) -> None:
    _files(tmp_path)
    bound(str(tmp_path), 30)
    assert sorted(os.listdir(tmp_path)) == ["newer", "newest"]


def test_nothing_goes_while_there_is_room(tmp_path: Path) -> None:
    before = _files(tmp_path)
    bound(str(tmp_path), 40)
    assert sorted(os.listdir(tmp_path)) == before


def test_folders_and_links_are_let_be(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "outside").write_bytes(b"x" * 100)
    cache = tmp_path / "folder"
    (cache / "inner").mkdir()
    (cache / "link").symlink_to(tmp_path / "outside")
    bound(str(cache), 0)
    assert sorted(os.listdir(cache)) == ["inner", "link"]
    assert size_of(str(cache)) == (0, 0)


def test_a_folder_that_is_not_there_has_nothing(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing")
    bound(missing, 0)
    assert size_of(missing) == (0, 0)
    assert problem_of(missing) == ""


def test_what_keeps_engines_from_using_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "cannot be written to" in problem_of(str(tmp_path / "file" / "cache"))
    tmp_path.chmod(0o777)
    assert "by others" in problem_of(str(tmp_path))
    assert "XDG_CACHE_HOME" in problem_of("")
