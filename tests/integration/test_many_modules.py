"""`crashwright generate` on a package, killed with -9 on the way and gone on with, and interrupted: nothing lost, nothing left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from command import MARK, PROGRAM, Place
from patience import HANG
from published_schemas import faults

pytestmark = pytest.mark.nightly

MODULE = """
def sign_{name}(number: int) -> int:
    if number < {bound}:
        return -1
    return 1
"""
TIMEOUT = 120.0


def prepared(place: Place) -> None:
    """A package of modules with something to test, with nothing, and one that cannot be imported."""
    package = place.code / "post"
    (package / "inner").mkdir(parents=True)
    for number, name in enumerate(("", "inner/", "signs", "inner/stamps")):
        text = MODULE.format(name=name.rpartition("/")[2], bound=number) if name[-1:] not in ("", "/") else ""
        (package / (f"{name}.py" if text else f"{name}__init__.py")).write_text(text)
    (package / "constants.py").write_text("LIMIT = 3\n")
    (package / "broken.py").write_text("import nowhere_at_all\n\ndef work():\n    pass\n")


def started(place: Place, *options: str) -> subprocess.Popen[str]:
    words = ["generate", "post", "--path", str(place.code), "--json", *options]
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *words],
        cwd=place.work,
        env={**os.environ, "TMPDIR": str(place.temporary), MARK: str(place.root)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def until(process: subprocess.Popen[str], event: str, times: int, text: str = "") -> list[str]:
    """What the events of that name say, so many times."""
    assert process.stderr is not None
    found: list[str] = []
    for line in process.stderr:
        told = json.loads(line)
        if told["event"] == event and text in told["text"]:
            found.append(told["text"])
        if len(found) == times:
            break
    return found


def ended(process: subprocess.Popen[str]) -> tuple[int, dict[str, Any]]:
    out, err = process.communicate(timeout=TIMEOUT)
    assert out, err
    document = json.loads(out)
    assert faults("generate", document) == []
    return process.returncode, document


def nothing_left(place: Place) -> bool:
    gone = time.monotonic() + HANG
    while place.processes() and time.monotonic() < gone:
        time.sleep(0.05)
    return not place.processes()


def files(place: Place) -> list[str]:
    return sorted(str(file.relative_to(place.work)) for file in place.work.rglob("*.py"))


def test_a_package_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    place = Place(tmp_path)
    prepared(place)
    process = started(place, "--evaluations", "400")
    assert len(until(process, "ModuleEnded", 2)) == 2
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert nothing_left(place)
    process = started(place, "--evaluations", "400", "--jobs", "2", "--html", str(place.root / "suites.html"))
    [known] = until(process, "BatchTold", 1)
    code, document = ended(process)
    assert (code, document["verdict"]) == (0, "written")
    assert known.startswith(("2 of 4 modules", "3 of 4 modules"))
    assert [(one["module"], one["exit_code"]) for one in document["modules"]] == [
        ("post.broken", 3),
        ("post.constants", 1),
        ("post.inner.stamps", 0),
        ("post.signs", 0),
    ]
    assert "nowhere_at_all" in document["modules"][0]["problem"]
    assert files(place) == ["inner/test_stamps.py", "test_signs.py"]
    assert "crashwright generate post" in (place.work / "test_signs.py").read_text()
    assert sorted(os.listdir(place.work)) == ["inner", "test_signs.py"]
    assert "post.inner.stamps" in (place.root / "suites.html").read_text(encoding="utf-8")
    assert nothing_left(place)
    assert os.listdir(place.temporary) == []
    passed = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files(place)],
        cwd=place.work,
        env={**os.environ, "PYTHONPATH": str(place.code)},
        capture_output=True,
        check=False,
    )
    assert passed.returncode == 0, passed.stdout


def test_an_interrupt_writes_what_is_there(tmp_path: Path) -> None:
    place = Place(tmp_path)
    prepared(place)
    process = started(place, "--budget", "300")
    assert until(process, "Working", 1, "tests  ")
    process.send_signal(signal.SIGINT)
    code, document = ended(process)
    assert (code, document["verdict"]) == (130, "interrupted")
    [searched] = [one for one in document["modules"] if one["file"]]
    assert (place.work / searched["file"]).is_file()
    assert "run the same command again to continue" in document["notes"][-1]
    assert nothing_left(place)
    assert os.listdir(place.temporary) == []
