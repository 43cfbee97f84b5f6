"""A pytest plugin for the verification of suites: tells which test begins and ends, and ends the process where one hangs.

Copied next to the tests and run in the subject's interpreter, beside ``recorder``: standard library only. The environment names the
file with the tests or test functions to run (``CRASHWRIGHT_ONLY``, one a line, all where it is empty), the seconds that a test may
take, and whether the tests run in reverse order.
"""

from __future__ import annotations

import ast
import contextlib
import faulthandler
import functools
import os
import sys
import traceback
import types
import unittest
from typing import Any

_arm = faulthandler.dump_traceback_later
_disarm = faulthandler.cancel_dump_traceback_later
_recorder: Any = sys.modules.get("crashwright_recorder")
"""Imported before this one; not there where this is no copy."""
_ONLY = os.environ.get("CRASHWRIGHT_ONLY", "")
_SECONDS = float(os.environ.get("CRASHWRIGHT_TEST_SECONDS", "0") or 0)
_REVERSE = os.environ.get("CRASHWRIGHT_REVERSE", "") == "1"
_refused: dict[str, int] = {}
"""How often something had been refused when the test that runs began."""
_STREAM = 2 if _recorder is None else os.dup(2)
"""Where a hung test's traceback goes, whatever the tests do to the standard streams."""
_change_folder, _make_folders, _list, _trace, _set_trace = os.chdir, os.makedirs, os.listdir, sys.gettrace, sys.settrace
_FOLDER = os.getcwd()
_there: set[str] = set()
"""What is in that folder before the tests begin, and what is known to have been left there."""
_traced: list[Any] = []
"""The trace function that the test which runs has begun with."""


def _chosen(names: list[str]) -> list[int]:
    """The places in ``names`` of the tests to run, in the order in which to run them."""
    only: set[str] = set()
    if _ONLY:
        with open(_ONLY, encoding="utf-8") as file:
            only = set(file.read().split("\n"))
    places = [place for place, name in enumerate(names) if not only or name in only or name.partition("[")[0] in only]
    return places[::-1] if _REVERSE else places


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Hook: tell of all tests in the order of the file; leave those that are to run."""
    names = [item.nodeid for item in items]
    _recorder.tell("items", tests=names)
    if names:
        # As a user calls it, and not always in the same way: what goes by our own arguments holds nowhere else.
        sys.argv[1:] = ["-q"] if _REVERSE else [names[0].partition("::")[0]]
    _there.update(_list(_FOLDER))
    items[:] = [items[place] for place in _chosen(names)]


def pytest_runtest_logstart(nodeid: str) -> None:
    """Hook: a test begins."""
    _refused[nodeid] = _recorder.refused()
    _traced[:] = [_trace()]
    _recorder.tell("began", test=nodeid)
    if _SECONDS > 0:
        _arm(_SECONDS, exit=True, file=_STREAM)


def pytest_runtest_logfinish(nodeid: str) -> None:
    """Hook: the test is over, its fixtures too."""
    if _SECONDS > 0:
        _disarm()
    left = _put_back()
    if left:
        _recorder.tell("outcome", test=nodeid, when="teardown", outcome="failed", text=left)
    if _recorder.refused() > _refused.pop(nodeid, 0):  # what it then does is not what it does elsewhere
        _recorder.tell("refused", test=nodeid)
    _recorder.tell("ended", test=nodeid)


def _put_back() -> str:
    """Undo what a test did to those after it, and to the user's folder where it is run there: what that was, "" for nothing."""
    left = ""
    if _trace() is not _traced[0]:
        _set_trace(_traced[0])
        left = "it leaves a trace function behind"
    try:
        _change_folder(_FOLDER)
        news = set(_list(_FOLDER)) - _there
    except OSError:  # it is gone, or something else is in its place
        left, news = "it removes the folder in which it runs", set()
        with contextlib.suppress(OSError):
            os.unlink(_FOLDER)
        _make_folders(_FOLDER, exist_ok=True)
        _change_folder(_FOLDER)
        _there.clear()
    if news:
        _there.update(news)
        left = f"it leaves files in the folder in which it runs: {', '.join(sorted(news))}"
    return left


def _tell_raised(name: str, error: BaseException) -> None:
    """Tell which class of exception the test function raised: the nearest that a test can import."""
    kind = type(error)  # and no isinstance, which asks the exception
    if not issubclass(kind, Exception) or issubclass(kind, unittest.SkipTest) or _is_ours(error):
        return
    for cls in vars(type)["__mro__"].__get__(kind):
        if _is_importable(cls):
            _recorder.tell("raised", test=name, module=cls.__module__, qualname=cls.__qualname__)
            return


def _is_ours(error: BaseException) -> bool:
    """Whether confinement may have made it, or pytest, which lets nobody read from standard input: elsewhere it is not raised."""
    return issubclass(type(error), PermissionError) or (type(error) is OSError and str(error).startswith("pytest: "))


def _is_importable(cls: type) -> bool:
    try:
        found: object = sys.modules.get(cls.__module__)
        for part in cls.__qualname__.split("."):
            found = None if part.startswith("_") else getattr(found, part, None)
        return found is cls and not any(part.startswith("_") for part in cls.__module__.split("."))
    except Exception:  # noqa: BLE001 - the subject's metaclass or module may raise anything; then no test can name the class
        return False


def _tell_untrue(name: str, error: BaseException, file: str) -> None:
    """Tell the lines of the assertions that are not true: of the one that ended the test, and of those that follow it at once."""
    frames = list(traceback.walk_tb(vars(BaseException)["__traceback__"].__get__(error)))
    own = [place for place, (frame, _) in enumerate(frames) if frame.f_code.co_filename == file]
    if not own:
        return
    frame, line = frames[own[-1]]
    block, ends = _blocks(file).get(line, ([], False))
    if not block or (isinstance(block[0], ast.With) and vars(BaseException)["__context__"].__get__(error) is None):
        return  # nothing was raised there
    ended, *rest = block
    lines, whole = [ended.lineno], ends and (isinstance(ended, ast.With) or own[-1] + 1 == len(frames))
    for statement in rest:
        if not isinstance(statement, ast.Assert):
            whole = False
            break
        if not _is_true(statement.test, frame, file):
            lines.append(statement.lineno)
    _recorder.tell("untrue", test=name, lines=lines, whole=whole)


@functools.cache
def _blocks(file: str) -> dict[int, tuple[list[ast.stmt], bool]]:
    """For each line of an ``assert``, and the first one of a ``with``: what its block has from there on, and whether the block ends
    a function."""
    try:
        with open(file, encoding="utf-8") as source:
            tree = ast.parse(source.read())
    except FileNotFoundError:
        return {}  # a test has removed it
    found: dict[int, tuple[list[ast.stmt], bool]] = {}
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        body = body if isinstance(body, list) else []
        for number, one in enumerate(body):
            if isinstance(one, ast.Assert) or _expects(one):
                last = one.end_lineno if isinstance(one, ast.Assert) else None
                is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
                for line in range(one.lineno, (last or one.lineno) + 1):
                    found[line] = body[number:], is_function
    return found


def _expects(statement: ast.stmt) -> bool:
    """Whether it is a ``with pytest.raises(...)``: other managers are the test's own, and may raise at their end."""
    entered = statement.items[0].context_expr if isinstance(statement, ast.With) else None
    return isinstance(entered, ast.Call) and ast.unparse(entered.func) == "pytest.raises"


def _is_true(expression: ast.expr, frame: types.FrameType, file: str) -> bool:
    """Whether it holds in the frame that the test has left, as it would have in the test."""
    try:
        # One namespace for both: comprehensions see the variables of the function only as globals.
        return bool(eval(compile(ast.Expression(expression), file, "eval"), {**frame.f_globals, **frame.f_locals}))
    except Exception:  # noqa: BLE001 - whatever the subject raises, the assertion does not hold
        return False


def pytest_runtest_makereport(item: Any, call: Any) -> None:
    """Hook: see what the test function raised."""
    if call.when == "call" and call.excinfo is not None:
        _tell_raised(item.nodeid, call.excinfo.value)
        _tell_untrue(item.nodeid, call.excinfo.value, str(item.path))
