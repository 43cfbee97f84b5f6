"""``crashwright generate`` beside other tests: existing ones, its own of an earlier run, interrupted, repeated."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from patience import HANG
from test_generate import WELL_BEHAVED, Place

GRADES = """\
def grade(points: int, bonus: bool) -> str:
    if points > 90 or (bonus and points > 80):
        return "A"
    if points > 50:
        return "B"
    return "C"


def half(number: int) -> int:
    if number % 2:
        raise ValueError(f"odd: {number}")
    return number // 2
"""
HAVE = """\
import pytest
from school.grades import grade, half


def test_half():
    assert half(4) == 2
    with pytest.raises(ValueError):
        half(3)


def test_grades():
    assert grade(95, False) == "A"
    assert grade(20, False) == "C"
"""


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_what_existing_tests_cover_is_not_generated_again(place: Place) -> None:
    place.module("school/__init__.py", "")
    place.module("school/grades.py", GRADES)
    (place.root / "have").mkdir()
    (place.root / "have" / "test_mine.py").write_text(HAVE)
    criteria = ("--criteria", "branch,line,method,no-exception")
    code, document = place.generate(
        "school.grades", "--evaluations", "1500", *criteria, "--existing-tests", str(place.root / "have")
    )
    assert code == 0, document
    text = (place.work / "test_grades.py").read_text()
    assert "half(" not in text
    assert "grade(" in text
    branch = next(one for one in document["modules"][0]["coverage"] if one["criterion"] == "branch")
    assert branch["covered"] == branch["total"] > branch["existing"] >= 5
    place.passes("test_grades.py")


def test_nothing_is_left_where_existing_tests_cover_all(place: Place) -> None:
    place.module("grades.py", "def half(number: int) -> int:\n    return number // 2\n")
    (place.root / "have").mkdir()
    (place.root / "have" / "test_mine.py").write_text("from grades import half\n\n\ndef test_half():\n    assert half(4) == 2\n")
    code, document = place.generate(
        "grades", "--evaluations", "300", "--criteria", "branch,line,method", "--existing-tests", str(place.root / "have")
    )
    assert code == 0, document
    assert "existing tests" in document["modules"][0]["problem"]
    assert list(place.work.iterdir()) == []


def test_update_keeps_what_was_written_by_hand(place: Place) -> None:
    place.module("parcels.py", WELL_BEHAVED)
    assert place.generate("parcels", "--evaluations", "800", "--target", "parse")[0] == 0
    file = place.work / "test_parcels.py"
    text = file.read_text()
    ours = [line for line in text.splitlines() if line.startswith("def test_")]
    edited = text.replace(f"{ours[0]}\n", f"{ours[0]}\n    # by hand: I know better\n", 1)
    edited = edited.replace("\n\n\n", "\n\n\ndef test_by_hand():\n    assert parse('7') == [7]\n\n\n", 1)
    file.write_text(edited)
    assert place.generate("parcels", "--evaluations", "800")[0] == 2  # without --update, what a user has touched stays
    assert file.read_text() == edited
    place.module("parcels.py", WELL_BEHAVED + "\n\ndef double(number: int) -> int:\n    return number * 2\n")
    code, document = place.generate("parcels", "--evaluations", "1500", "--update")
    assert code == 0, document
    updated = file.read_text()
    assert "# by hand: I know better" in updated
    assert "def test_by_hand():\n    assert parse('7') == [7]\n" in updated
    assert "double(" in updated
    names = [line for line in updated.splitlines() if line.startswith("def test_")]
    assert len(names) == len(set(names))
    place.passes("test_parcels.py")


@pytest.mark.nightly
def test_seed_and_evaluations_give_the_same_file(place: Place) -> None:
    """With an algorithm that is not the one of the other tests; each of them is held to it by the conformance suite."""
    place.module("school/__init__.py", "")
    place.module("school/grades.py", GRADES)
    texts = []
    for number in range(2):
        folder = place.root / f"out{number}"
        folder.mkdir()
        arguments = ("--evaluations", "400", "--algorithm", "whole-suite", "--selection", "all", "--output", str(folder))
        code, document = place.generate("school.grades", *arguments)
        assert code == 0, document
        texts.append((folder / "test_grades.py").read_bytes())
    assert texts[0] == texts[1]


@pytest.mark.nightly
def test_two_islands_repeat_exactly(place: Place) -> None:
    """However far one of them falls behind the other at the beginning."""
    place.module("parcels.py", WELL_BEHAVED)
    texts = []
    for number in range(2):
        folder = place.root / f"out{number}"
        folder.mkdir()
        process = place.start("parcels", "--evaluations", "4500", "--jobs", "2", "--output", str(folder), "--json")
        if number:
            hold_the_second(place, process, 3.0)
        code, out, _ = place.finish(process)
        assert (code, json.loads(out)["modules"][0]["evaluations"] >= 2250) == (0, True), out
        texts.append((folder / "test_parcels.py").read_bytes())
    assert texts[0] == texts[1]


def hold_the_second(place: Place, process: subprocess.Popen[str], seconds: float) -> None:
    """Stop the second engine as soon as it has been started, for a while."""
    while len(engines := sorted(place.engines())) < 2:
        assert process.poll() is None
        time.sleep(0.01)
    os.kill(engines[1], signal.SIGSTOP)
    time.sleep(seconds)
    os.kill(engines[1], signal.SIGCONT)


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.nightly)])
def test_interrupt_gives_a_file_soon(place: Place, number: signal.Signals) -> None:
    place.module("parcels.py", WELL_BEHAVED)
    process = place.start("parcels", "--budget", "300", "--json")
    assert process.stderr is not None
    interrupted = asked = 0.0
    for line in process.stderr:
        event = json.loads(line)["event"]
        if event == "SuiteSearching" and not interrupted:
            interrupted = time.monotonic()
            process.send_signal(number)
        if event == "SuiteStep" and not asked:
            asked = time.monotonic()
    code, out, _ = place.finish(process)
    assert code == 130
    document = json.loads(out)
    assert (document["verdict"], document["modules"][0]["incidents"]) == ("interrupted", [])
    assert 0 < asked - interrupted < HANG  # the engine sent its suite at once, and none had to make it of the archive
    place.passes("test_parcels.py")
    assert list(place.engines()) == []


@pytest.mark.nightly
def test_second_interrupt_leaves_at_once(place: Place) -> None:
    place.module("parcels.py", WELL_BEHAVED)
    process = place.start("parcels", "--budget", "300", "--json")
    assert process.stderr is not None
    for line in process.stderr:
        event = json.loads(line)["event"]
        if event in ("SuiteSearching", "SuiteInterrupted"):
            process.send_signal(signal.SIGINT)
        if event == "SuiteInterrupted":
            break
    begin = time.monotonic()
    code, _, _ = place.finish(process)
    assert code == 130
    assert time.monotonic() - begin < HANG
    assert list(place.engines()) == []
    assert os.listdir(place.temporary) == []


MEANS = """\
def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def checked(values: list[float]) -> float:
    if not values:
        raise ZeroDivisionError("no values")
    return sum(values) / len(values)
"""


@pytest.mark.nightly
def test_what_python_raises_out_of_legal_arguments_is_told_apart_from_the_suite(place: Place) -> None:
    place.module("means.py", MEANS)
    code, document = place.generate("means", "--evaluations", "600")
    assert code == 0, document
    [module] = document["modules"]
    assert module["possible_defects"] == [
        {"call": "mean([])", "error": "ZeroDivisionError: division by zero", "line": 2, "qualname": "mean"}
    ]
    text = (place.work / "test_means.py").read_text()
    assert 'pytest.raises(ZeroDivisionError, match="no values")' in text
    assert "mean([])" not in text
