from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from crashwright.core.location import CodeKey
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.finishing.crash.header import Header, files_named, title
from crashwright.finishing.naming import entry_name, file_name, function_title, snake
from crashwright.finishing.running.agreement import Agreement, RaisedException

RAISED = RaisedException("builtins", "IndexError", "boom", (), (3, 11))


def target(*qualnames: str, exception: str = "IndexError", module: str = "inventory.stock") -> CrashTarget:
    path = "/x/" + module.replace(".", "/") + ".py"
    frames = tuple(TargetFrame(CodeKey(module, name, 1), path, 80 + n, "", None, True) for n, name in enumerate(qualnames))
    return CrashTarget("inventory", exception, "boom", frames)


@pytest.mark.parametrize(
    ("name", "expected"), [("HTTPServerError", "http_server_error"), ("KeyError", "key_error"), ("a.b", "a_b"), ("Été", "t")]
)
def test_snake(name: str, expected: str) -> None:
    assert snake(name) == expected


@pytest.mark.parametrize(
    ("qualname", "expected"),
    [
        ("Inventory.reserve", "reserve"),
        ("Inventory.__init__", "inventory"),
        ("Inventory.__eq__", "inventory_eq"),
        ("reserve.<locals>.<lambda>", "reserve"),
        ("<module>", "import_stock"),
        ("_locate", "locate"),
    ],
)
def test_entry_name(qualname: str, expected: str) -> None:
    assert entry_name(target(qualname)) == expected


def test_inside_of_a_decorator_is_no_name() -> None:
    assert entry_name(target("retry.<locals>.wrapper", "Shelf.take")) == "take"


def test_nobody_calls_the_inside_of_a_descriptor() -> None:
    crash = target("Lazy.__get__", "Shelf.content", "Shelf._locate")
    assert entry_name(crash) == "content"
    assert title(crash).endswith("(Shelf._locate), reached from Shelf.content.")
    assert title(target("Lazy.__get__", "Shelf.content")).endswith("(Shelf.content).")


def test_names_of_function_and_file() -> None:
    crash = target("Inventory.reserve", exception="inventory.errors.StockError")
    assert function_title(crash) == "test_reserve_raises_stock_error"
    assert file_name(crash, "3f2a99") == "test_inventory_reserve_3f2a.py"
    assert file_name(crash, "3f2a99", partial=True) == "test_partial_inventory_reserve_3f2a.py"


def test_title_and_header() -> None:
    crash = target("Inventory.reserve", "Shelf._locate")
    assert title(crash) == "IndexError in inventory/stock.py:81 (Shelf._locate), reached from Inventory.reserve."
    lines = Header(crash, Agreement(4, 2, 2), "fail", "crashwright reproduce crash.txt --seed 1").lines()
    assert lines[0].startswith('"""IndexError')
    assert "Both frames and the message of the report. Red until the bug is fixed." in lines
    assert lines[-2:] == ["crashwright reproduce crash.txt --seed 1", '"""']


def test_partial_header_says_so() -> None:
    lines = Header(target("f"), Agreement(2, 1, 3, True, True, RAISED), "fail", "crashwright").lines()
    assert "PARTIAL, not the crash of the report: only 1 of 3 frames match." in lines


def test_header_survives_hostile_names() -> None:
    text = "\n".join(Header(target("f"), Agreement(4, 1, 1), "fail", 'crashwright \\x """ \x00').lines())
    assert eval(text).rstrip().endswith('crashwright \\x """ \\x00')


def test_header_says_what_only_the_confinement_keeps_the_test_from() -> None:
    raised = replace(RAISED, refused=("delete /tmp/x; --allow write:/tmp permits it", "start a program"))
    text = " ".join(Header(target("f"), Agreement(4, 1, 1, True, True, raised), "fail", "crashwright").lines())
    assert "Careful: run outside crashwright, this test tries to delete /tmp/x, start a program." in text
    assert "Careful" not in " ".join(Header(target("f"), Agreement(4, 1, 1, True, True, RAISED), "fail", "crashwright").lines())


def test_header_says_which_files_others_may_not_have(tmp_path: Path) -> None:
    there = tmp_path / "orders.csv"
    there.write_text("a;b")
    body = (f"orders = load({str(there)!r}, '/nowhere/x.csv', '/etc/hosts')", "await orders.rest('/')", "f'''", "  x'''")
    assert files_named(body) == (str(there),)
    text = " ".join(Header(target("f"), Agreement(4, 1, 1), "fail", "crashwright", files=files_named(body)).lines())
    assert f"Careful: the test uses {there}, which other machines may not have." in text
