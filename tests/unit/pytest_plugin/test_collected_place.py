from __future__ import annotations

from pathlib import Path

import pytest

from crashwright.pytest_plugin.place import collected_folder, collected_name


def test_a_test_is_written_into_a_folder_of_testpaths(tmp_path: Path) -> None:
    for folder in ("unit", "more/tests", "other/tests"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "unit" / "test_shop.py").touch()
    patterns = ["none", "unit", "*/tests"]
    test = tmp_path / "elsewhere" / "test_shop.py"
    assert collected_folder(tmp_path, patterns, test) == tmp_path / "unit"
    assert collected_folder(tmp_path, patterns, tmp_path / "other" / "tests" / "deep" / "test_x.py") == tmp_path / "other" / "tests"
    assert collected_folder(tmp_path, ["unit/test_shop.py"], test) == tmp_path / "unit"
    assert collected_folder(tmp_path, [], test) == tmp_path
    assert collected_folder(tmp_path, ["none"], test) == tmp_path


@pytest.mark.parametrize(
    ("patterns", "name"),
    [
        (["test_*.py", "*_test.py"], "test_shop_3f2a.py"),
        (["*_test.py"], "shop_3f2a_test.py"),
        (["check_*.py"], "check_shop_3f2a.py"),
        (["only_this.py"], "test_shop_3f2a.py"),
    ],
)
def test_its_name_is_one_that_is_collected(patterns: list[str], name: str) -> None:
    assert collected_name("test_shop_3f2a.py", patterns) == name
