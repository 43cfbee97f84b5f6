"""Which project is around a test that somebody suggests."""

from __future__ import annotations

from pathlib import Path

import pytest

from crashwright.workflows.reproduce.proving.surroundings import file_of, roots_of, surroundings, where_written
from crashwright.workflows.reproduce.request import Request


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "tests" / "api").mkdir(parents=True)
    (root / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    for folder in (root, root / "tests", root / "tests" / "api"):
        (folder / "conftest.py").write_text("")
    return root


def _request(folder: Path, *path: Path) -> Request:
    return Request("", folder=str(folder), path=tuple(map(str, path)))


def test_a_test_of_the_project_has_what_lies_around_it(project: Path) -> None:
    file = project / "tests" / "api" / "test_x.py"
    file.write_text("")
    found = surroundings(f"{file}::test_it", _request(project))
    assert found.conftests == tuple(folder / "conftest.py" for folder in (project, project / "tests", project / "tests" / "api"))
    assert found.settings == project / "pyproject.toml"


def test_one_from_elsewhere_has_what_is_usual(project: Path, tmp_path: Path) -> None:
    file = tmp_path / "test_x.py"
    file.write_text("")
    found = surroundings(str(file), _request(project))
    assert found.conftests == (project / "conftest.py", project / "tests" / "conftest.py")


def test_the_project_may_be_that_of_path(project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    found = surroundings("standard input", _request(folder, project))
    assert found.folder == folder
    assert found.settings == project / "pyproject.toml"
    assert roots_of(_request(folder, project)) == (folder, project)


def test_what_is_written_has_only_what_is_above_it(project: Path, tmp_path: Path) -> None:
    found = surroundings("standard input", _request(project))
    assert where_written(found, project).conftests == (project / "conftest.py",)
    assert where_written(found, tmp_path).conftests == ()


def test_a_block_is_of_a_file(project: Path) -> None:
    assert file_of(f"{project / 'conftest.py'}, block 2") == project / "conftest.py"
    assert file_of("standard input") is None
    assert file_of(str(project / "none.py")) is None
