"""The way in by sources alone, in small made-up packages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from crashwright.core.location import CodeKey
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.crash.way_in import WayIn, way_in

FILES = {
    "__init__.py": "from depot._rates import Rate\n",
    "_rates.py": "class Rate:\n    def of(self):\n        return _share(2)\n\n\ndef _share(n):\n    return 1 / (n - 2)\n",
    "stock.py": (
        "from depot import _deep\n\n\n"
        "class Shelf:\n    def __init__(self):\n        self.slots = _deep.start()\n\n"
        "    def __getitem__(self, n):\n        return self._at(n)\n\n"
        "    def _at(self, n):\n        return self.slots[n]\n\n\n"
        "def logged(function):\n    def wrapper(*args):\n        return function(*args)\n    return wrapper\n"
    ),
    "_deep.py": (
        "def start():\n    return _more()\n\n\ndef _more():\n    return _nothing\n\n\ndef _lonely():\n    raise ValueError\n"
    ),
}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "depot"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


def enter(package: Path, module: str, qualname: str, first_line: int) -> WayIn:
    path = package / ("__init__.py" if module == "depot" else f"{module.rpartition('.')[2]}.py")
    frame = TargetFrame(CodeKey(module, qualname, first_line), str(path), first_line + 1, "", None, True)
    return way_in(CrashTarget("depot", "ValueError", "", (frame,)))


def test_public_function_and_special_method_are_called_directly(package: Path) -> None:
    assert enter(package, "depot.stock", "logged", 15) == WayIn("depot.stock.logged", "called directly")
    assert enter(package, "depot.stock", "Shelf.__getitem__", 8).entry == "depot.stock.Shelf.__getitem__"
    assert enter(package, "depot.stock", "Shelf.__init__", 5).entry == "depot.stock.Shelf"


def test_private_module_whose_name_is_exported(package: Path) -> None:
    found = enter(package, "depot._rates", "Rate.of", 2)
    assert (found.entry, found.private) == ("depot.Rate.of", False)


def test_private_code_is_reached_through_its_nearest_public_caller(package: Path) -> None:
    assert enter(package, "depot.stock", "Shelf._at", 11).entry == "depot.stock.Shelf.__getitem__"
    assert enter(package, "depot._rates", "_share", 6).entry == "depot.Rate.of"
    deep = enter(package, "depot._deep", "_more", 5)
    assert (deep.entry, deep.sure) == ("depot.stock.Shelf", False)
    nested = enter(package, "depot.stock", "logged.<locals>.wrapper", 16)
    assert nested.entry == "depot.stock.logged"


def test_code_that_nothing_public_calls_needs_its_private_name(package: Path) -> None:
    found = enter(package, "depot._deep", "_lonely", 9)
    assert (found.entry, found.private) == ("depot._deep._lonely", True)


def test_a_frame_further_in_is_not_entered_by_one_further_out(package: Path) -> None:
    frame = TargetFrame(CodeKey("depot._deep", "start", 1), str(package / "_deep.py"), 2, "", None, True)
    target = CrashTarget("depot", "ValueError", "", (frame,))
    assert way_in(target).entry == "depot.stock.Shelf"
    found = way_in(replace(target, frames_beyond=1, beyond=(CodeKey("depot.stock", "Shelf.__init__", 5),)))
    assert (found.entry, found.private) == ("depot._deep.start", True)


def test_private_code_is_reached_through_what_the_report_has_around_the_crash(package: Path) -> None:
    (package / "run.py").write_text(
        "from depot._rates import _share\n\n\ndef _go(n):\n    return _share(n)\n\n\ndef go(n):\n    return _go(n)\n"
    )
    frame = TargetFrame(CodeKey("depot._rates", "_share", 6), str(package / "_rates.py"), 7, "", None, True)
    around = (CodeKey("depot.run", "_go", 4), CodeKey("depot.run", "go", 8))
    target = CrashTarget("depot", "ZeroDivisionError", "", (frame,))
    assert way_in(target).entry == "depot.Rate.of"
    found = way_in(replace(target, led_here=around))
    assert (found.entry, found.how) == ("depot.run.go", "through go, which the report has around the crash")


def test_inside_of_a_decorator_is_entered_through_the_decorated_function(package: Path) -> None:
    (package / "gate.py").write_text("from depot.stock import logged\n\n\n@logged\ndef enter(n):\n    return 1 / n\n")
    wrapper = TargetFrame(CodeKey("depot.stock", "logged.<locals>.wrapper", 16), str(package / "stock.py"), 17, "", None, True)
    inner = TargetFrame(CodeKey("depot.gate", "enter", 4), str(package / "gate.py"), 6, "", None, True)
    found = way_in(CrashTarget("depot", "ZeroDivisionError", "", (wrapper, inner)))
    assert found.entry == "depot.gate.enter"


def test_module_level_code_is_imported(package: Path) -> None:
    assert enter(package, "depot.stock", "<module>", 1).how == "a fresh import of depot.stock"
    assert enter(package, "depot.stock", "Shelf", 4).how == "a fresh import of depot.stock"


def test_nothing_is_executed(package: Path) -> None:
    (package / "stock.py").write_text("raise SystemExit\n" + FILES["stock.py"])
    assert enter(package, "depot.stock", "Shelf._at", 12).entry == "depot.stock.Shelf.__getitem__"
