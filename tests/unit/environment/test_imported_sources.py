"""Modules that others import from their own package."""

from __future__ import annotations

from pathlib import Path

import pytest

from crashwright.environment.imported_sources import MOST_MODULES, with_imported


def _package(folder: Path, **texts: str) -> Path:
    package = folder / "pack"
    package.mkdir()
    for name, text in texts.items():
        (package / f"{name}.py").write_text(text)
    return package


def test_they_come_after_those_that_were_asked_for(tmp_path: Path) -> None:
    package = _package(tmp_path, __init__="", a="from .b import B\nimport json\n", b="from pack import c\n", c="X = 1\n", d="")
    found = with_imported({"pack.a": str(package / "a.py")})
    assert list(found) == ["pack.a", "pack.b", "pack", "pack.c"]
    assert found["pack.c"] == "X = 1\n"


def test_what_the_package_offers_comes_along(tmp_path: Path) -> None:
    package = _package(tmp_path, __init__="from pack.c import C\n", a="from .b import B\n", b="", c="")
    assert list(with_imported({"pack.a": str(package / "a.py")})) == ["pack.a", "pack.b", "pack", "pack.c"]


def test_what_is_no_python_or_not_there_is_left_out(tmp_path: Path) -> None:
    package = _package(tmp_path, a="from . import b, gone\nimport other\n", b="def (:\n")
    (package / "b.py").write_bytes(b"# \xff\n")
    assert list(with_imported({"pack.a": str(package / "a.py")})) == ["pack.a"]


def test_those_that_were_asked_for_are_needed(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"a\.py"):
        with_imported({"pack.a": str(tmp_path / "a.py")})


def test_there_is_an_end_to_it(tmp_path: Path) -> None:
    many = {f"m{number}": f"from . import m{number + 1}\n" for number in range(MOST_MODULES * 2)}
    package = _package(tmp_path, **many)
    assert len(with_imported({"pack.m0": str(package / "m0.py")})) == MOST_MODULES + 1
