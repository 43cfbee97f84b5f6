from __future__ import annotations

import os
from pathlib import Path

import pytest

from crashwright.core.errors import EnvironmentProblem, ExitCode, UsageError
from crashwright.finishing.write import check_writable, earlier_test, file_or_folder, free_name, write


def test_writes_whole_and_leaves_nothing_else(tmp_path: Path) -> None:
    write("ä\n", tmp_path / "test_x.py")
    assert (tmp_path / "test_x.py").read_text(encoding="utf-8") == "ä\n"
    assert os.listdir(tmp_path) == ["test_x.py"]


def test_missing_folder_and_folder_as_file_are_named(tmp_path: Path) -> None:
    for path in (tmp_path / "no" / "test_x.py", tmp_path):
        with pytest.raises(EnvironmentProblem) as caught:
            check_writable(path)
        assert str(tmp_path) in caught.value.message
        assert caught.value.exit_code is ExitCode.ENVIRONMENT


def test_our_file_is_replaced_and_a_foreign_one_is_not(tmp_path: Path) -> None:
    path = tmp_path / "test_x.py"
    assert free_name(path) == path
    path.write_text('"""Crash.\n\ncrashwright reproduce x\n"""\n')
    assert free_name(path) == path
    path.write_text("print()\n")
    assert free_name(path) == tmp_path / "test_x_2.py"


def test_a_name_that_pytest_could_not_import_is_refused_with_a_better_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot import a file with a dot in its name") as refused:
        file_or_folder(tmp_path / "test_shop.cart.py")
    assert "test_shop_cart.py" in refused.value.advice
    assert file_or_folder(tmp_path / "test_shop_cart.py") == (tmp_path, "test_shop_cart.py")


def test_a_test_under_comments_of_ours_is_one_too(tmp_path: Path) -> None:
    file = tmp_path / "test_x.py"
    its_own = '"""Of the shop."""\n\n\ndef test_it(): ...\n'
    file.write_text(f"# KeyError in shop.py:3 (work).\n#\n# crashwright reproduce crash.txt\n{its_own}")
    assert earlier_test(file) == "KeyError in shop.py:3 (work)."
    file.write_text(f"# KeyError in shop.py:3 (work).\n{its_own}")
    assert earlier_test(file) is None
