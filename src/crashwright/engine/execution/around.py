"""What stands around the calls of a test until it is over, as its ``Ambient`` statements say: environment, arguments, standard
input, folders, what a module holds. pytest's ``monkeypatch`` undoes it in a printed test; here the isolation does, or
:class:`Before` where the state is kept from one test to the next."""

from __future__ import annotations

import io
import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from crashwright.engine.execution.captured import CapturedLog, CapturedOutput, root_logger
from crashwright.engine.subject.introspection import class_dict, is_class, live_at, loaded_dict, loaded_module
from crashwright.engine.subject.project_files import FOLDER, project_file
from crashwright.engine.testcase import statements as st


def put(place: str, name: str, value: Any) -> None:
    """Set what ``Ambient`` calls ``place`` and ``name``."""
    _PUT[place](name, value)


class Before:
    """Taken before a test; :meth:`put_back` is for after it. ``all_of_them``: also of what an isolation puts back, which does not
    look at what other packages hold after each test."""

    def __init__(self, statements: Iterable[object], all_of_them: bool = True) -> None:
        self._undo: list[Callable[[], None]] = [
            _UNDO[statement.place](statement.name)
            for statement in statements
            if isinstance(statement, st.Ambient)
            and (all_of_them or type(statement.content) is st.Ref or statement.place in st.CAPTURES)
        ]

    def put_back(self) -> None:
        """What the test has set is as it was."""
        for undo in reversed(self._undo):
            undo()


def _put_variable(name: str, value: str | None) -> None:
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value


def _put_arguments(name: str, value: list[str]) -> None:
    sys.argv = [name or st.PROGRAM, *value]


def _put_input(_name: str, value: str) -> None:
    sys.stdin = io.StringIO(value)


def _own_folder(name: str) -> str:
    """An empty one: ``tmp_path`` is new in each test."""
    folder = os.path.join(tempfile.gettempdir(), name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder, exist_ok=True)
    return folder


def _enter_folder(_name: str, _value: object) -> None:
    os.chdir(_own_folder(FOLDER))


def _put_project(name: str, _value: object) -> None:
    """Into the folder that a test has for itself, whether it has entered it or not."""
    file = project_file(name)
    folder = os.path.join(tempfile.gettempdir(), FOLDER)
    os.makedirs(folder, exist_ok=True)
    if file.entry.endswith("/"):
        shutil.copytree(file.path, os.path.join(folder, file.entry), dirs_exist_ok=True)
    else:
        shutil.copy(file.path, folder)


def _put_home(_name: str, _value: object) -> None:
    os.environ["HOME"] = _own_folder("home")


def _put_attribute(name: str, value: Any) -> None:
    owner, last = _owner(name)
    setattr(owner, last, value)


def _put_copy(name: str, _value: object) -> None:
    owner, last = _owner(name)
    setattr(owner, last, _held(name).copy())


def _put_umask(_name: str, mask: int) -> None:
    os.umask(mask)


def _put_loop(name: str | None, _value: object) -> None:
    import asyncio  # takes 50 ms, and most subjects never need it

    asyncio.set_event_loop(None if name is None else asyncio.new_event_loop())


def _note_output(_name: str, captured: CapturedOutput) -> None:
    sys.stdout = captured.stream


def _note_log(_name: str, captured: CapturedLog) -> None:
    root = root_logger()
    root.addHandler(captured)
    root.setLevel(logging.DEBUG)


def _leave(_name: str, _value: object) -> None:
    """It is put back in the end, and that is all."""


def _owner(name: str) -> tuple[Any, str]:
    module, _, qualname = name.partition(":")
    parent, _, last = qualname.rpartition(".")
    return (live_at(module, parent) if parent else loaded_module(module)), last


def _held(name: str) -> Any:
    module, _, qualname = name.partition(":")
    return live_at(module, qualname)


def _before_variable(name: str) -> Callable[[], None]:
    value = os.environ.get(name)

    def undo() -> None:
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value

    return undo


def _before_arguments(_name: str) -> Callable[[], None]:
    before = sys.argv
    return lambda: setattr(sys, "argv", before)


def _before_input(_name: str) -> Callable[[], None]:
    before = sys.stdin
    return lambda: setattr(sys, "stdin", before)


def _before_folder(_name: str) -> Callable[[], None]:
    try:
        folder = os.getcwd()
    except FileNotFoundError:
        return lambda: None  # a test before has removed it
    return lambda: os.chdir(folder)


def _before_attribute(name: str) -> Callable[[], None]:
    owner, last = _owner(name)
    if owner is None:
        return lambda: None  # what was put there is gone, and so is this
    value = _held(name)
    if is_class(owner) and last not in class_dict(owner):
        return lambda: delattr(owner, last) if last in class_dict(owner) else None  # it is of a base
    return lambda: setattr(owner, last, value)


def _before_absent(name: str) -> Callable[[], None]:
    """A global of a module that may have none of that name."""
    module, _, last = name.partition(":")
    held = loaded_dict(module)
    if last in held:
        return _before_attribute(name)

    def undo() -> None:
        held.pop(last, None)

    return undo


def _before_output(_name: str) -> Callable[[], None]:
    before = sys.stdout
    return lambda: setattr(sys, "stdout", before)


def _before_log(_name: str) -> Callable[[], None]:
    root = root_logger()
    handlers, level = list(root.handlers), root.level

    def undo() -> None:
        root.handlers[:] = handlers
        root.setLevel(level)

    return undo


def _before_trace(_name: str) -> Callable[[], None]:
    traced = sys.gettrace()
    return lambda: sys.settrace(traced)


def _before_umask(_name: str) -> Callable[[], None]:
    mask = os.umask(st.USUAL_UMASK)
    return lambda: _put_umask("", mask)


_PUT: dict[str, Callable[[str, Any], None]] = {
    "environ": _put_variable,
    "argv": _put_arguments,
    "stdin": _put_input,
    "folder": _enter_folder,
    "home": _put_home,
    "project": _put_project,
    "attribute": _put_attribute,
    "absent": _put_attribute,
    "copied": _put_copy,
    "kept": _leave,
    "output": _note_output,
    "log": _note_log,
    "trace": _leave,
    "loop": _put_loop,
    "umask": lambda name, _value: _put_umask(name, st.USUAL_UMASK),
}
_UNDO: dict[str, Callable[[str], Callable[[], None]]] = {
    "environ": _before_variable,
    "argv": _before_arguments,
    "stdin": _before_input,
    "folder": _before_folder,
    "home": lambda _name: _before_variable("HOME"),
    "project": lambda _name: lambda: None,
    "attribute": _before_attribute,
    "absent": _before_absent,
    "copied": _before_attribute,
    "kept": _before_attribute,
    "output": _before_output,
    "log": _before_log,
    "trace": _before_trace,
    "loop": lambda _name: partial(_put_loop, None, None),
    "umask": _before_umask,
}
