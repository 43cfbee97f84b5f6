"""What a shown test changes of its process."""

from __future__ import annotations

import ast

import pytest

from crashwright.engine.testcase.echoing.patched import Patched, patched_by
from crashwright.engine.testcase.statements import Display


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("monkeypatch.setenv('SHOP_DB', ':memory:')", Patched("environ", "SHOP_DB", ":memory:")),
        ("monkeypatch.setenv('WORKERS', 2)", Patched("environ", "WORKERS", "2")),
        ("monkeypatch.delenv('SHOP_DB', raising=False)", Patched("environ", "SHOP_DB", None)),
        ("monkeypatch.chdir(tmp_path)", Patched("folder", "", None)),
        ("os.environ['SHOP_DB'] = 'x'", Patched("environ", "SHOP_DB", "x")),
        ("monkeypatch.setenv('SHOP_DB', str(path))", None),
        ("monkeypatch.chdir(folder)", None),
        ("settings['SHOP_DB'] = 'x'", None),
        ("client.setenv('SHOP_DB', 'x')", None),
        ("monkeypatch.setattr('json.loads', 1)", None),
    ],
)
def test_what_a_line_changes_of_the_process(line: str, expected: Patched | None) -> None:
    assert patched_by(ast.parse(line).body[0]) == expected


def test_arguments_of_the_process_are_set_by_a_list() -> None:
    (statement,) = ast.parse("monkeypatch.setattr('sys.argv', ['program', 'add', '--all'])").body
    assert patched_by(statement) == Patched("argv", "", Display("list", ("add", "--all")))
    (statement,) = ast.parse("monkeypatch.setattr('sys.argv', ['program', name])").body
    assert patched_by(statement) is None
