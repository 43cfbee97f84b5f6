"""Runs: a trigger or a printed test in a fresh interpreter, and which exceptions were seen there."""

from __future__ import annotations

import json
import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.pack.cases import PASSES
from benchmarks.pack.processes import Ended, run
from benchmarks.pack.traces import Crash, of_package, read, short

SITE = "/home/app/venv/lib/python3.11/site-packages"
#: Loaded by pytest: writes down what a test raises, and what pytest.raises takes from it.
PLUGIN = """
import json, os
def note(error):
    frames, trace = [], error.__traceback__
    while trace is not None:
        frames.append([trace.tb_frame.f_code.co_filename, trace.tb_lineno, trace.tb_frame.f_code.co_name])
        trace = trace.tb_next
    kind = type(error)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    with open(os.environ["PACK_WITNESS"], "a") as file:
        file.write(json.dumps({"kind": name, "message": str(error), "frames": frames}) + "\\n")
def watched(cls):
    leave = cls.__exit__
    def __exit__(self, kind, error, trace):
        if error is not None:
            note(error)
        return leave(self, kind, error, trace)
    cls.__exit__ = __exit__
def pytest_configure(config):
    import pytest
    watched(type(pytest.raises(Exception)))
def pytest_runtest_makereport(item, call):
    if call.when == "call" and call.excinfo is not None:
        note(call.excinfo.value)
"""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a run showed. ``outcome`` is how it ended: it passes, or the type of what ended it, or a word for neither."""

    outcome: str
    crashes: tuple[Crash, ...] = ()
    text: str = ""


def run_test(test: Path, python: str, modules: tuple[str, ...], timeout: float = 60) -> Sight:
    """A pytest file, run from an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "pack_witness.py").write_text(PLUGIN)
        notes = Path(folder) / "notes.jsonl"
        notes.touch()
        words = [python, "-m", "pytest", "-q", "-p", "pack_witness", "-p", "no:cacheprovider", "--runxfail", "-o", "addopts="]
        done = _run([*words, "--rootdir", folder, str(test.resolve())], folder, timeout, PACK_WITNESS=str(notes))
        rows = [json.loads(line) for line in notes.read_text().splitlines()]
    if done is None:
        return Sight("timeout")
    crashes = tuple(Crash(row["kind"], row["message"], of_package([tuple(it) for it in row["frames"]], modules)) for row in rows)
    if done.code == 0 or (crashes and crashes[-1].message.startswith("DID NOT RAISE")):
        return Sight(PASSES, crashes)
    return Sight(short(crashes[-1].kind) if crashes else "did not run", crashes, done.output[-300:])


def run_trigger(program: str, python: str, modules: tuple[str, ...], timeout: float = 60) -> Sight:
    """A program as a user would start it; the text is its traceback, with paths as users see them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "app.py"
        path.write_text(program)
        done = _run([python, str(path)], folder, timeout)
    if done is None:
        return Sight("timeout")
    if done.code == 0:
        return Sight(PASSES)
    mark = done.errors.find("Traceback (most recent call last):")
    text = as_users_see(done.errors[max(mark, 0) :], str(Path(python).parents[1] / "lib/python3.11/site-packages"), folder)
    crash = read(text, modules)
    return Sight(short(crash.kind), (crash,), text)


def as_users_see(text: str, site: str, folder: str) -> str:
    """A traceback with the paths of a user's machine instead of the collector's, the standard library's too."""
    text = text.replace(site, SITE).replace(folder, "/home/app")
    return re.sub(r'(?<=File ")[^"]*/lib/python3\.11/(?!site-packages/)', "/usr/lib/python3.11/", text)


def _run(words: list[str], folder: str, timeout: float, **more: str) -> Ended | None:
    return run(words, folder, timeout, {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": folder, **more})
