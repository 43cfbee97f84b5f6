"""What a test has around it is set while it runs, and undone where nobody else does that."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from crashwright.engine.execution.executor import Executor
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.api.types import ANY
from crashwright.engine.testcase.statements import NO_ARGUMENTS, Ambient, Call, Display, Literal, Ref
from crashwright.engine.testcase.testcase import TestCase

HELD = {"a": 1}
seen: list[tuple[str, str | None, dict[str, int], list[str]]] = []


def look() -> None:
    seen.append((os.getcwd(), os.environ.get("HOME"), dict(HELD), sys.argv[:]))
    HELD["b"] = 2
    sys.settrace(lambda _frame, _event, _argument: None)


LOOK = Callee(__name__, "look", CalleeKind.FUNCTION, (), ANY, look)


@pytest.mark.parametrize("place", ["attribute", "copied"])
def test_what_a_module_holds_is_another_while_the_test_runs(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    seen.clear()
    before, arguments, home = HELD, sys.argv, os.environ.get("HOME")
    around = (
        Ambient(0, place, f"{__name__}:HELD", Display("dict", (("c", 3),))),
        Ambient(1, "folder", "", None),
        Ambient(2, "home", "", None),
        Ambient(3, "argv", "depot", Display("list", ("-v",))),
        Ambient(4, "trace", "", None),
    )
    Executor().run(TestCase((*around, Call(5, LOOK, NO_ARGUMENTS))))
    folder, own_home, held, given = seen[0]
    assert held == ({"c": 3} if place == "attribute" else {"a": 1})
    assert folder not in (str(tmp_path), own_home)
    assert own_home != home
    assert given == ["depot", "-v"]
    assert HELD is before
    assert HELD == {"a": 1}
    assert (os.getcwd(), os.environ.get("HOME")) == (str(tmp_path), home)
    assert sys.argv is arguments
    assert sys.gettrace() is None or "look" not in repr(sys.gettrace())


def test_a_double_of_somebody_elses_is_taken_back_after_each_test_whatever_the_isolation_sees() -> None:
    before = os.path.basename
    seen_names: list[object] = []

    def note() -> None:
        seen_names.append(os.path.basename)

    call = Call(2, Callee(__name__, "note", CalleeKind.FUNCTION, (), ANY, note), NO_ARGUMENTS)
    double = Ambient(1, "attribute", f"{__name__}:os.path.basename", Ref(0))
    Executor().run(TestCase((Literal(0, "a double"), double, call)))
    assert seen_names == ["a double"]
    assert os.path.basename is before


def test_what_was_not_there_is_gone_again_and_so_are_its_parts() -> None:
    seen_kinds: list[object] = []

    def note() -> None:
        seen_kinds.append(vars(sys.modules[__name__])["LACKING"].part)

    whole = Ambient(1, "absent", f"{__name__}:LACKING", Ref(0))
    part = Ambient(3, "attribute", f"{__name__}:LACKING.part", Ref(2))
    call = Call(4, Callee(__name__, "note", CalleeKind.FUNCTION, (), ANY, note), NO_ARGUMENTS)
    mock = Call(0, Callee("unittest.mock", "Mock", CalleeKind.CLASS, (), ANY, Mock), NO_ARGUMENTS)
    Executor().run(TestCase((mock, whole, Literal(2, "a part"), part, call)))
    assert seen_kinds == ["a part"]
    assert not hasattr(sys.modules[__name__], "LACKING")


def test_a_part_of_what_is_not_there_fails_in_the_test_alone() -> None:
    outcome = Executor().run(TestCase((Literal(0, "a part"), Ambient(1, "attribute", f"{__name__}:LACKING.part", Ref(0)))))
    assert isinstance(outcome.error, AttributeError)


def test_what_a_class_inherits_is_inherited_again() -> None:
    double = Ambient(1, "attribute", f"{__name__}:Heir.speak", Ref(0))
    Executor().run(TestCase((Literal(0, "a double"), double)))
    assert "speak" not in vars(Heir)
    assert Heir().speak() == "parent"


class Parent:
    def speak(self) -> str:
        return "parent"


class Heir(Parent):
    pass


def test_files_of_the_project_are_in_the_folder_of_the_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "projects_own" / "__init__.py"
    package.parent.mkdir()
    package.write_text("")
    (tmp_path / "a.ini").write_text("[a]")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "b.csv").write_text("1,2")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("projects_own")
    seen_files: list[dict[str, str]] = []

    def note() -> None:
        seen_files.append({path.name: path.read_text() for path in Path().rglob("*") if path.is_file()})

    files = ("projects_own:2:a.ini", "projects_own:2:data/")
    around = (Ambient(0, "folder", "", None), *(Ambient(1 + at, "project", one, None) for at, one in enumerate(files)))
    Executor().run(TestCase((*around, Call(5, Callee(__name__, "note", CalleeKind.FUNCTION, (), ANY, note), NO_ARGUMENTS))))
    assert seen_files == [{"a.ini": "[a]", "b.csv": "1,2"}]
