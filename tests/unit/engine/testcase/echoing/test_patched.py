"""What a shown test changes of its process."""

from __future__ import annotations

import ast

import pytest

from crashwright.engine.testcase.echoing.patched import Patched, patched_by


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
