"""Suites for code whose collaborators nobody describes: what it asks of them is given to it. Counted in evaluations."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from crashwright.core.messages import Failed, StartSuite, Suite
from crashwright.core.settings import Budget, EngineSettings, LimitSettings, SearchSettings
from crashwright.core.suite import ModuleTarget
from crashwright.supervision.engine_process import EngineProcess

MIXIN = """
class Paged:
    page = 3

    def rows(self):
        if not self.request.session:
            return []
        user = self.request.session.get_user("name")
        if user.is_admin:
            return self.store.load(self.page)
        try:
            found = self.store.find(user.name)
        except KeyError:
            return ["none"]
        return found.items

    async def send(self):
        reply = await self.client.post(self.page)
        return reply.text if reply.status == 200 else None
"""
LEFT_OPEN = """
class Report:
    def title(self):
        raise NotImplementedError

    def parts(self):
        raise NotImplementedError("to be overridden")

    def render(self):
        title = self.title()
        if not title:
            return list(self.parts())
        return [title, *self.parts()]
"""
CONNECTION = """
def close(connection):
    if connection.pending():
        connection.flush()
    with connection.lock:
        state = connection.state["mode"]
        if state == "open":
            connection.stop(now=True)
            return True
    return False
"""
PROCESS = """
import os


def region():
    code = os.environ.get("SHOP_REGION")
    if code is None:
        return "none"
    return "Europe" if code == "eu" else code.upper()
"""
FOLDERS = """
import csv
import os


def load(where: str):
    found = {}
    for name in os.listdir(where):
        if not name.endswith(".csv"):
            continue
        with open(os.path.join(where, name)) as file:
            for row in csv.reader(file):
                if row:
                    found.setdefault(name[:-4], []).append(row[0])
    return found


def count(source):
    if not os.path.exists(source):
        return -1
    lines = read(source)
    return len(lines) if lines else 0


def read(name):
    with open(name) as file:
        return file.read().splitlines()
"""
NODES = """
import ast


def names_of(node: ast.FunctionDef) -> list:
    found = []
    for argument in node.args.args:
        if argument.annotation is not None:
            found.append((argument.arg, "typed"))
        else:
            found.append((argument.arg, "free"))
    for one in node.decorator_list:
        if isinstance(one, ast.Call):
            found.append("called")
        else:
            found.append("named")
    return found
"""

DECORATORS = """
import asyncio
import functools
import inspect


class Hooks:
    def __init__(self):
        self.kinds = {}

    def on(self, event):
        def decorator(hook):
            if inspect.isclass(hook):
                if not hasattr(hook, "handle"):
                    raise ValueError("no handle()")
                kind = "class"
            elif asyncio.iscoroutinefunction(hook):
                kind = "async"
            else:
                kind = "function"
            self.kinds[event] = kind
            return hook

        return decorator


def retried(times):
    def decorator(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            for attempt in range(times):
                try:
                    return function(*args, **kwargs)
                except KeyError:
                    if attempt == times - 1:
                        raise
            return None

        return wrapper

    return decorator
"""


def branches(folder: Path, source: str, evaluations: int, **options: frozenset[str]) -> tuple[int, int]:
    """Branches that the suite of a module covers, and all of them."""
    (folder / "asked_subject.py").write_text(source)
    settings = EngineSettings(
        SearchSettings(algorithm="dynamosa", seed=1, **options), Budget(None, evaluations), LimitSettings(), (str(folder),)
    )
    start = StartSuite(settings, ModuleTarget("asked_subject", (), ("branch",)))
    with EngineProcess(sys.executable, start, "crashwright.engine.sessions.suite") as engine:
        for message in engine.messages():
            if isinstance(message, Suite):
                return message.coverage[0].covered, message.coverage[0].total
            if isinstance(message, Failed):
                raise AssertionError(f"{message.text}\n{message.detail}")
    raise AssertionError("the engine ended without a word")


@pytest.mark.parametrize(
    ("source", "most_open"),
    [
        pytest.param(MIXIN, 1, id="mixin"),
        pytest.param(LEFT_OPEN, 0, id="left to subclasses", marks=pytest.mark.nightly),
        pytest.param(CONNECTION, 0, id="untyped"),
        pytest.param(PROCESS, 0, id="process", marks=pytest.mark.nightly),
        pytest.param(NODES, 1, id="nodes", marks=pytest.mark.nightly),
        pytest.param(FOLDERS, 1, id="folders", marks=pytest.mark.nightly),
        pytest.param(DECORATORS, 0, id="decorators", marks=pytest.mark.nightly),
    ],
)
def test_what_is_asked_for_is_given(source: str, most_open: int, tmp_path: Path) -> None:
    covered, total = branches(tmp_path, source, 1500)
    assert total > 3
    assert total - covered <= most_open
