"""``crashwright generate`` as a user runs it: on modules that behave, on modules that do not, interrupted and killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command import MARK, PROGRAM
from warm_program import run_program

WELL_BEHAVED = '''\
"""Parcels."""


class Parcel:
    """Something to send, ``weight`` in kilograms."""

    def __init__(self, weight: float) -> None:
        if weight <= 0:
            raise ValueError(f"no such weight: {weight}")
        self.weight = weight

    def price(self, express: bool = False) -> int:
        """In cents."""
        base = 400 if self.weight < 2 else 700 if self.weight < 10 else 1500
        return base * 2 if express else base


def parse(text: str) -> list[int]:
    """Numbers between commas."""
    if not text.strip():
        return []
    return [int(part) for part in text.split(",")]
'''
HOSTILE = '''\
"""Functions that nobody should call at random."""

import os
import socket
import sys
import time

COUNT = [0]
state = "clean"


def hang(flag: bool) -> None:
    while True:
        time.sleep(0.01)


def quit_politely() -> None:
    sys.exit(3)


def ask() -> str:
    return input("name? ")


def call_home(port: int) -> bool:
    with socket.create_connection(("127.0.0.1", port % 65536), 0.2):
        return True


def delete(name: str) -> None:
    os.remove(PRECIOUS)


def mutate(value: int) -> int:
    global state
    state = "dirty"
    COUNT.append(value)
    return len(COUNT)


def grade(points: int) -> str:
    if points > 90:
        return "A"
    return "B" if points > 50 else "C"


PRECIOUS = {precious!r}
'''
WILD = '''\
"""Functions that break whatever looks at their results."""

import datetime
import itertools
import os


class Stop(BaseException):
    def __str__(self):
        raise KeyboardInterrupt


class Liar:
    __hash__ = None

    def __eq__(self, other):
        raise SystemExit(3)

    def __repr__(self):
        raise Stop

    def __bool__(self):
        raise GeneratorExit

    def __len__(self):
        return 10**30

    def __getattr__(self, name):
        return Liar()


def lie(depth: int):
    return [Liar()] * (depth % 3)


def stop(number: int):
    if number > 3:
        raise Stop
    return number


def endless(start: int):
    return itertools.count(start)


def selfish(item: int):
    box = [item]
    box.append(box)
    return box


def huge():
    return "x" * 10_000_000


def year():
    return datetime.date.today().year


def close_all(number: int):
    os.closerange(0, 100)
    return number


def grade(points: int) -> str:
    if points > 90:
        return "A"
    return "B" if points > 50 else "C"
'''
TIMEOUT = 90.0


class Place:
    """A folder with modules, and one to work in."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.work, self.code, self.temporary = root / "work", root / "code", root / "temporary"
        for folder in (self.work, self.code, self.temporary):
            folder.mkdir()

    def module(self, name: str, source: str) -> None:
        file = self.code / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source)

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", PROGRAM, "generate", *arguments, "--path", str(self.code)]
        return subprocess.Popen(
            command,
            cwd=self.work,
            env={**os.environ, "TMPDIR": str(self.temporary), MARK: str(self.root)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def finish(self, process: subprocess.Popen[str]) -> tuple[int, str, str]:
        """Exit code, output, errors."""
        try:
            out, err = process.communicate(timeout=TIMEOUT)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
        return process.returncode, out, err

    def generate(self, *arguments: str) -> tuple[int, dict[str, Any]]:
        """Exit code and JSON document."""
        environment = {"TMPDIR": str(self.temporary), MARK: str(self.root)}
        done = run_program(["generate", *arguments, "--json", "--path", str(self.code)], self.work, TIMEOUT, environment)
        assert done.stdout, done.stderr
        return done.returncode, json.loads(done.stdout)

    def passes(self, *files: str) -> str:
        """The last line of pytest on what was written; it passes."""
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files],
            cwd=self.work,
            env={**os.environ, "PYTHONPATH": str(self.code)},
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT,
        )
        assert done.returncode == 0, done.stdout[-3000:]
        return done.stdout.strip().splitlines()[-1]

    def engines(self) -> Iterator[int]:
        """The zygotes and forks that run."""
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    ours = f"{MARK}={self.root}".encode() in (entry / "environ").read_bytes().split(b"\0")
                    line = (entry / "cmdline").read_bytes()
                except OSError:
                    continue
                if ours and b"sessions.suite" in line:
                    yield int(entry.name)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_suite_covers_the_module_passes_and_repeats(place: Place) -> None:
    place.module("parcels.py", WELL_BEHAVED)
    code, document = place.generate("parcels", "--evaluations", "3000")
    [module] = document["modules"]
    assert (code, document["verdict"]) == (0, "written"), document
    branch = next(one for one in module["coverage"] if one["criterion"] == "branch")
    assert branch["covered"] == branch["total"]
    text = (place.work / "test_parcels.py").read_text()
    assert "pytest.raises(ValueError" in text
    assert "xfail" not in text
    assert "import crashwright" not in text
    place.passes("test_parcels.py")
    assert os.listdir(place.temporary) == []
    again, _ = place.generate("parcels", "--evaluations", "3000", "--output", str(place.temporary))
    assert again == 0
    assert (place.temporary / "test_parcels.py").read_text() == text


@pytest.mark.nightly
def test_functions_that_do_harm_cost_only_themselves(place: Place) -> None:
    precious = place.root / "precious.txt"
    precious.write_text("keep me")
    place.module("hostile.py", HOSTILE.replace("{precious!r}", repr(str(precious))))
    code, document = place.generate("hostile", "--evaluations", "400")
    assert code == 0, document
    assert precious.read_text() == "keep me"
    assert "grade(" in (place.work / "test_hostile.py").read_text()
    place.passes("test_hostile.py")
    assert list(place.engines()) == []


def test_values_and_classes_that_lie_and_files_that_get_closed(place: Place) -> None:
    place.module("wild.py", WILD)
    code, document = place.generate("wild", "--evaluations", "400")
    assert code == 0, document
    text = (place.work / "test_wild.py").read_text()
    assert "grade(" in text
    assert "close_all(" not in text
    assert "== 20" not in text
    place.passes("test_wild.py")
    assert list(place.engines()) == []


LEAVER = """\
import os
import sys

print("hello")
sys.setrecursionlimit(900)


def leave(code):
    os._exit(7)


def grade(points):
    return points > 90
"""


@pytest.mark.nightly
def test_module_with_side_effects_at_import_and_a_function_that_ends_the_process(place: Place) -> None:
    place.module("leaver.py", LEAVER)
    code, document = place.generate("leaver", "--evaluations", "300")
    assert code == 0, document
    assert "grade(" in (place.work / "test_leaver.py").read_text()
    place.passes("test_leaver.py")


@pytest.mark.parametrize(
    ("name", "source", "code", "message"),
    [
        ("missing.py", "import no_such_module_here\n\ndef f(): pass\n", 3, "no_such_module_here"),
        ("leaves.py", "import os\nos._exit(0)\n\ndef f(): pass\n", 3, "ended the interpreter"),
        ("constants.py", "LIMIT = 3\n", 1, "no functions or classes"),
    ],
)
def test_module_that_cannot_be_tested_is_a_clear_message(place: Place, name: str, source: str, code: int, message: str) -> None:
    place.module(name, source)
    found, document = place.generate(name.removesuffix(".py"), "--evaluations", "10")
    assert found == code
    assert message in json.dumps(document)
    assert list(place.work.iterdir()) == []


def test_package_gets_a_file_for_each_module(place: Place) -> None:
    place.module("post/__init__.py", "")
    place.module("post/parcels.py", WELL_BEHAVED)
    place.module("post/signs.py", "def sign(x: int) -> int:\n    return -1 if x < 0 else 1\n")
    code, document = place.generate("post", "--evaluations", "1500", "--jobs", "2")
    assert code == 0, document
    assert sorted(path.name for path in place.work.iterdir()) == ["test_parcels.py", "test_signs.py"]
    place.passes("test_parcels.py", "test_signs.py")


def test_killed_engine_loses_no_archived_test(place: Place) -> None:
    place.module("parcels.py", WELL_BEHAVED)
    process = place.start("parcels", "--evaluations", "3000", "--json")
    assert process.stderr is not None
    for line in process.stderr:
        if json.loads(line)["event"] == "SuiteSearching":
            break
    for number in list(place.engines()):
        try:
            os.kill(number, signal.SIGKILL)
        except ProcessLookupError:
            continue
    code, out, _ = place.finish(process)
    document = json.loads(out)
    assert code == 0, document
    assert any("another engine was started" in text for text in document["modules"][0]["incidents"])
    place.passes("test_parcels.py")
