"""What isolation does where nothing was changed: look, and no more."""

from __future__ import annotations

import contextvars
import datetime
import gc
import importlib
import os
import sqlite3
import sys
import threading
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from crashwright.engine.execution.confinement.guard import Guard
from crashwright.engine.execution.isolation.isolation import (
    FILES_LEFT_OPEN,
    HOT_ITEMS,
    MOST_LEFT_OPEN,
    SETTINGS_EVERY,
    Isolation,
)
from crashwright.engine.execution.isolation.snapshot import Snapshot
from crashwright.engine.execution.streams import Streams


@pytest.fixture
def streams() -> Iterator[Streams]:
    kept = {name: getattr(sys, name) for name in ("stdin", "stdout", "stderr", "__stdin__", "__stdout__", "__stderr__")}
    made = Streams()
    made.install()
    yield made
    for name, stream in kept.items():
        setattr(sys, name, stream)


def test_putting_back_settings_does_not_look_like_a_change(
    streams: Streams, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guard notes changes of the folder, also our own."""
    monkeypatch.chdir(tmp_path)
    isolation = Isolation(("json",), streams)
    guard = Guard(str(tmp_path))
    chdir = os.chdir

    def noted(folder: str) -> None:
        guard.touched = True  # as its audit hook does; a hook cannot be taken away again
        chdir(folder)

    monkeypatch.setattr(os, "chdir", noted)
    isolation.begin(guard)
    isolation.after_test()  # what pytest did since the snapshot
    before = isolation.restores
    for _ in range(10 * SETTINGS_EVERY):
        assert isolation.after_test() is None
    assert isolation.restores == before
    noted(os.sep)
    assert isolation.after_test() is None
    assert isolation.restores == before + 1
    assert os.path.samefile(os.getcwd(), tmp_path)


class Held:
    """Holds what it is given."""

    def __init__(self, **held: object) -> None:
        vars(self).update(held)


class Telling(dict[str, object]):
    """Tells of each change, as sessions of requests do."""

    changed = 0

    def clear(self) -> None:
        Telling.changed += 1
        super().clear()


def test_what_the_context_of_all_tests_holds_is_put_back(streams: Streams) -> None:
    session, notes = Telling(user=7), Held(place="desk")
    current: contextvars.ContextVar[object] = contextvars.ContextVar("current")
    token = current.set(Held(session=session, notes=notes))
    isolation = Isolation(("json",), streams)
    isolation.begin()
    for _ in range(2):
        session["basket"] = {"lines": []}
        del session["user"]
        vars(notes)["seen"] = True
        assert isolation.after_test() is None
        assert session == {"user": 7}
        assert vars(notes) == {"place": "desk"}
    assert Telling.changed == 0
    current.reset(token)


def test_what_a_test_writes_to_an_open_database_is_undone(streams: Streams) -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("create table shelves (name text)")
    connection.commit()
    isolation = Isolation(("json",), streams)
    isolation.begin()
    connection.execute("insert into shelves values ('left')")
    assert isolation.after_test() is None
    assert connection.execute("select * from shelves").fetchall() == []
    connection.close()
    assert isolation.after_test() is None  # a test may close it


def test_folders_that_a_test_removed_or_replaced_are_there_again(
    streams: Streams, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [tmp_path / name for name in ("home", "tmp", "work", "files")]
    for folder in folders:
        folder.mkdir()
    monkeypatch.chdir(folders[2])
    isolation = Isolation(("json",), streams, 0, tuple(map(str, folders)))
    guard = Guard(str(tmp_path))
    isolation.begin(guard)
    for folder in folders:
        folder.rmdir()
    folders[0].write_text("no folder any more")
    folders[1].symlink_to("/")
    guard.touched = guard.wrote = True
    assert isolation.after_test() is None
    assert [(folder.is_dir(), folder.is_symlink(), list(folder.iterdir())) for folder in folders] == [(True, False, [])] * 4
    assert os.path.samefile(os.getcwd(), folders[2])


def test_the_arguments_of_the_program_are_given_back_at_once(
    streams: Streams, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = ["program", "x"]
    monkeypatch.setattr("sys.argv", given)
    isolation = Isolation(("json",), streams, 0, (str(tmp_path),))
    isolation.begin(Guard(str(tmp_path)))
    isolation.after_test()
    sys.argv = ["another"]
    assert isolation.after_test() is None
    assert sys.argv is given
    sys.argv.append("y")
    sys.stdin = None  # type: ignore[assignment]
    assert isolation.after_test() is None
    assert sys.argv == ["program", "x"]


def lazy(value: int = 1) -> str:
    lazy.__code__, lazy.__defaults__ = compiled.__code__, (2,)
    return "first"


def compiled(value: int = 0) -> str:
    return f"later {value}"


def test_functions_that_redefine_themselves_are_put_back(streams: Streams, tmp_path: Path) -> None:
    isolation = Isolation(("json",), streams)
    guard = Guard(str(tmp_path))
    guard.install()
    try:
        compiled.__defaults__ = (3,)  # at import, so to say
        isolation.begin(guard)
        assert isolation.after_test() is None
        assert compiled.__defaults__ == (3,)
        assert [lazy(), lazy()] == ["first", "later 2"]
        assert isolation.after_test() is None
        assert lazy.__defaults__ == (1,)
        assert lazy() == "first"
        assert isolation.keep(isolation.changes().values()) is None
        assert lazy() == "first"
    finally:
        guard.rest()  # an audit hook cannot be taken off


def test_who_redefines_for_us_says_so_at_any_time(streams: Streams, tmp_path: Path) -> None:
    """Probes that are put in while a search runs stay, also after everything was put back."""
    isolation = Isolation(("json",), streams)
    guard = Guard(str(tmp_path))
    said = guard.redefined.clear
    guard.install()
    try:
        isolation.begin(guard)
        compiled.__defaults__ = (5,)
        assert isolation.restore() is None
        compiled.__defaults__ = (4,)
        said()
        assert isolation.restore() is None
        assert compiled.__defaults__ == (4,)
    finally:
        guard.rest()


def test_what_a_thread_keeps_for_itself_is_put_back(streams: Streams, monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("toy_of_threads")
    module.state = threading.local()  # type: ignore[attr-defined]
    module.state.language = "en"
    monkeypatch.setitem(sys.modules, "toy_of_threads", module)
    isolation = Isolation(("toy_of_threads",), streams)
    isolation.begin()
    module.state.language = b"?"
    module.state.more = 1
    assert isolation.after_test() is None
    assert vars(module.state) == {"language": "en"}


def test_members_that_cannot_be_set_or_are_new_at_each_look_are_no_state() -> None:
    """Classes written in C have them; what ``__slots__`` makes is put back."""
    module = types.ModuleType("toy_of_slots")
    exec("class Slotted:\n    __slots__ = ('x', 'y')\none = Slotted()\none.x = [1]", vars(module))
    # So does a module that offers a class of C as its own: deltas have read-only members, whose ints are made at each look.
    large = type("Duration", (datetime.timedelta,), {"__module__": "toy_of_slots"})(days=10**6, seconds=5000)
    foreign = types.ModuleType("datetime")
    vars(foreign).update(large=large, delta=datetime.timedelta(days=10**6, seconds=5000))
    snapshot = Snapshot([module, foreign])
    assert not snapshot.small_parts_changed()
    module.one.x, module.one.y = 2, 3  # type: ignore[attr-defined]
    assert snapshot.small_parts_changed()
    assert snapshot.restore() is None
    assert module.one.x == [1]  # type: ignore[attr-defined]


SUBJECT_WITH_CACHES = """
from functools import lru_cache, wraps
table = None
def load():
    global table
    table = {"a": 1}
@lru_cache
def seen(value):
    return [value]
def counted(function):
    calls = 0
    @wraps(function)
    def wrapper(_self):
        nonlocal calls
        calls += 1
        return calls
    return wrapper
class Registry:
    @property
    @counted
    def number(self): ...
"""


def test_what_was_frozen_before_the_fork_is_not_forgotten_when_caches_are_adopted(
    streams: Streams, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = types.ModuleType("toy_of_caches")
    exec(SUBJECT_WITH_CACHES, vars(module))
    monkeypatch.setitem(sys.modules, "toy_of_caches", module)
    isolation = Isolation(("toy_of_caches",), streams)
    gc.freeze()
    try:
        isolation.begin()
        module.load()
        assert isolation.keep(isolation.changes().values()) is None
        for _ in range(2):
            module.seen(1).append(2)
            assert module.Registry().number == 1
            assert isolation.after_test() is None
        assert module.seen(1) == [1]
        assert module.table == {"a": 1}
    finally:
        gc.unfreeze()


def test_a_module_that_a_test_imports_stays_bound_in_its_package(
    streams: Streams, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another import finds it in ``sys.modules`` and binds nothing."""
    (tmp_path / "toy_bound").mkdir()
    (tmp_path / "toy_bound" / "__init__.py").write_text("def work():\n    import toy_bound.part\n    return toy_bound.part.x\n")
    (tmp_path / "toy_bound" / "part.py").write_text("x = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    package = importlib.import_module("toy_bound")
    try:
        isolation = Isolation(("toy_bound",), streams)
        isolation.begin()
        for _ in range(3):
            assert package.work() == 1
            package.other = package.part  # type: ignore[attr-defined]
            assert isolation.after_test() is None
            assert not hasattr(package, "other")
        before = isolation.restores
        assert package.work() == 1
        assert isolation.after_test() is None
        assert isolation.restores == before
    finally:
        for name in ("toy_bound", "toy_bound.part"):
            sys.modules.pop(name, None)


@pytest.mark.slow
def test_files_that_the_state_of_the_subject_holds_are_closed_when_there_are_many(
    streams: Streams, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An event loop that is entered in a table of its class keeps three files open, test after test."""
    module = types.ModuleType("toy_of_files")
    tables = {f"table_{number}": dict.fromkeys(range(HOT_ITEMS)) for number in range(2 * MOST_LEFT_OPEN)}
    vars(module).update(tables)  # so many that each is looked at once in many tests
    opened = tables["table_7"]
    monkeypatch.setitem(sys.modules, "toy_of_files", module)
    isolation = Isolation(("toy_of_files",), streams)
    isolation.begin()
    for number in range(2 * MOST_LEFT_OPEN):
        file = open(os.devnull)  # noqa: SIM115 (it is left open)
        holder = [file]
        holder.append(holder)  # only the garbage collector frees it
        opened[-number - 1] = holder
        del file, holder
        assert isolation.after_test() is None


@pytest.mark.slow
def test_files_that_nothing_closes_ask_for_a_new_fork(streams: Streams) -> None:
    isolation = Isolation(("json",), streams)
    gc.collect()
    isolation.begin()
    kept = [open(os.devnull) for _ in range(MOST_LEFT_OPEN + 5)]  # noqa: SIM115 (left open)
    assert isolation.after_test() == FILES_LEFT_OPEN
    for file in kept:
        file.close()


def test_a_subject_that_every_test_changes_is_put_back_where_it_changed_alone(
    streams: Streams, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All modules are looked at now and then, and not at each of these tests."""
    module = types.ModuleType("restless")
    monkeypatch.setitem(sys.modules, "restless", module)
    module.__dict__.update(tests=[], tables=[{"table": [number]} for number in range(HOT_ITEMS)])
    isolation = Isolation(("restless",), streams)
    isolation.begin()
    isolation.restore()
    thorough: list[int] = []
    isolation.begin(thorough=lambda: thorough.append(1))
    for number in range(2 * SETTINGS_EVERY):
        module.tests.append(number)
        module.tables[-1]["table"].append(number)
        assert isolation.after_test() is None
        assert (module.tests, module.tables[-1]) == ([], {"table": [HOT_ITEMS - 1]}), number
    assert len(thorough) == 2
