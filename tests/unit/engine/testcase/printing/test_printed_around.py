"""What stands around a test is written so that pytest undoes it."""

from __future__ import annotations

import pytest

from crashwright.engine.testcase.printing.printing import Setting, print_test
from crashwright.engine.testcase.statements import Ambient, Display, RunModule, Value
from crashwright.engine.testcase.testcase import TestCase


@pytest.mark.parametrize(
    ("place", "name", "content", "line", "fixtures"),
    [
        ("environ", "LANG", "C", 'monkeypatch.setenv("LANG", "C")', ("monkeypatch",)),
        ("argv", "depot", Display("list", ("-v",)), 'monkeypatch.setattr("sys.argv", ["depot", "-v"])', ("monkeypatch",)),
        ("argv", "", Display("list", ("-v",)), 'monkeypatch.setattr("sys.argv", ["program", "-v"])', ("monkeypatch",)),
        ("stdin", "", "", 'monkeypatch.setattr("sys.stdin", StringIO(""))', ("monkeypatch",)),
        ("folder", "", None, "monkeypatch.chdir(tmp_path)", ("tmp_path", "monkeypatch")),
        ("home", "", None, 'monkeypatch.setenv("HOME", str(tmp_path))', ("tmp_path", "monkeypatch")),
        ("project", "a:2:a.ini", None, 'shutil.copy(Path(a.__file__).parents[1] / "a.ini", tmp_path)', ("tmp_path",)),
        ("project", "a:1:b/", None, 'shutil.copytree(Path(a.__file__).parent / "b", tmp_path / "b")', ("tmp_path",)),
        ("attribute", "a.b:C.d", Display("dict", ()), 'monkeypatch.setattr("a.b.C.d", {})', ("monkeypatch",)),
        ("absent", "a.b:d", Display("dict", ()), 'monkeypatch.setattr("a.b.d", {}, raising=False)', ("monkeypatch",)),
        ("copied", "a.b:C.d", None, 'monkeypatch.setattr("a.b.C.d", C.d.copy())', ("monkeypatch",)),
        ("kept", "a.b:d", None, 'monkeypatch.setattr("a.b.d", d)', ("monkeypatch",)),
        ("trace", "", None, "request.addfinalizer(functools.partial(sys.settrace, sys.gettrace()))", ("request",)),
        ("loop", "", None, "asyncio.set_event_loop(asyncio.new_event_loop())", ()),
        ("umask", "", None, "request.addfinalizer(functools.partial(os.umask, os.umask(0o022)))", ("request",)),
    ],
)
def test_each_place(place: str, name: str, content: Value, line: str, fixtures: tuple[str, ...]) -> None:
    printed = print_test(TestCase((Ambient(0, place, name, content),)))
    assert (printed.body, printed.fixtures) == ((line,), fixtures)


def test_a_program_may_end_the_process_and_the_test_goes_on() -> None:
    given, run = Ambient(0, "argv", "shop", Display("list", ("total",))), RunModule(1, "shop.__main__", None, True)
    printed = print_test(TestCase((given, run)), setting=Setting(ends=True))
    assert printed.body[1:] == (
        "with contextlib.suppress(SystemExit):",
        '    runpy.run_module("shop.__main__", run_name="__main__")',
    )
    assert "import contextlib" in printed.imports
    imported = print_test(TestCase((given, RunModule(1, "shop.report"))), setting=Setting(ends=True))
    assert imported.body[1:] == ("with contextlib.suppress(SystemExit):", "    import shop.report")
    # A module that nobody runs with arguments is no program.
    assert print_test(TestCase((RunModule(1, "shop.report"),)), setting=Setting(ends=True)).body == ("import shop.report",)
