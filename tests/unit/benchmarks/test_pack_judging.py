"""The judge of the crash pack on a crash made up for it: what counts as the same crash, and what does not."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from benchmarks.pack.cases import half, load, packed
from benchmarks.pack.judging import agrees_with_fix, verdict
from benchmarks.pack.traces import Crash, Frame, read
from benchmarks.pack.witness import as_users_see

TRACE = """\
Traceback (most recent call last):
  File "/home/app/app.py", line 3, in <module>
    shelf.take(name)
  File "/home/app/venv/lib/python3.11/site-packages/shelves/shelf.py", line 7, in take
    return self._locate(name)
           ^^^^^^^^^^^^^^^^^^
  File "/home/app/venv/lib/python3.11/site-packages/shelves/shelf.py", line 12, in _locate
    return self.slots[0]
           ~~~~~~~~~~^^^
IndexError: list index out of range
"""
CRASH = Crash(
    "IndexError", "list index out of range", (Frame("shelves/shelf.py", 7, "take"), Frame("shelves/shelf.py", 12, "_locate"))
)


def test_a_traceback_is_read_to_the_frames_of_the_package() -> None:
    assert read(TRACE, ("shelves",)) == CRASH
    assert read(TRACE, ("shelve",)).frames == ()


def test_a_traceback_shows_no_path_of_the_collectors_machine() -> None:
    collected = (
        TRACE.replace("/home/app/venv", "/homes/0f3a")
        .replace("/home/app/app.py", "/scratch/x/app.py")
        .replace("IndexError", '  File "/opt/pythons/3.11.7/lib/python3.11/re/_parser.py", line 867, in _parse\nIndexError')
    )
    seen = as_users_see(collected, "/homes/0f3a/lib/python3.11/site-packages", "/scratch/x")
    assert seen == TRACE.replace("IndexError", '  File "/usr/lib/python3.11/re/_parser.py", line 867, in _parse\nIndexError')


def test_of_a_chain_the_last_exception_counts() -> None:
    chained = (
        TRACE.replace("IndexError", "KeyError")
        + "\nDuring handling of the above exception, another exception occurred:\n\n"
        + TRACE
    )
    assert read(chained, ("shelves",)) == CRASH


@pytest.mark.parametrize(
    ("changes", "score", "frames"),
    [
        ({}, 4, 2),
        ({"message": "pop from empty list"}, 3, 2),
        ({"frames": CRASH.frames[1:]}, 2, 1),
        ({"frames": (Frame("shelves/shelf.py", 8, "put"), CRASH.frames[1]), "message": "another"}, 1, 1),
        ({"frames": CRASH.frames[:1]}, 0, 0),
        ({"kind": "KeyError"}, 0, 0),
    ],
)
def test_type_line_message_and_frames_make_the_score(changes: dict[str, object], score: int, frames: int) -> None:
    found = verdict(CRASH, [dataclasses.replace(CRASH, **changes)])
    assert (found.score, found.frames, found.total) == (score, frames, 2)
    assert found.reproduced == (score == 4)


def test_the_best_of_several_exceptions_counts() -> None:
    assert verdict(CRASH, [dataclasses.replace(CRASH, kind="KeyError"), CRASH]).reproduced
    assert verdict(CRASH, []).score == 0


@pytest.mark.parametrize(
    ("kind", "one", "other", "same"),
    [
        ("ValueError", "invalid literal: 'ab'", "invalid literal: '7x'", True),
        ("ValueError", "invalid literal: 'ab'", "empty separator", False),
        ("KeyError", "'a'", "'b'", True),
        ("AttributeError", "'NoneType' object has no attribute 'strip'", "'int' object has no attribute 'strip'", False),
        ("TypeError", "<lambda> at 0x7f01 is odd", "<lambda> at 0x7f99 is odd", True),
    ],
)
def test_values_may_differ_but_not_what_went_wrong(kind: str, one: str, other: str, same: bool) -> None:
    wanted = dataclasses.replace(CRASH, kind=kind, message=one)
    assert verdict(wanted, [dataclasses.replace(wanted, message=other)]).reproduced == same


def test_a_recursion_may_be_entered_at_another_depth() -> None:
    wanted = dataclasses.replace(CRASH, kind="RecursionError", frames=CRASH.frames * 3)
    assert verdict(wanted, [dataclasses.replace(wanted, frames=CRASH.frames * 2)]).reproduced


@pytest.mark.parametrize(
    ("on_fixed", "outcome", "agrees"),
    [
        (None, "passes", None),
        ("passes", "passes", True),
        ("passes", "TypeError", False),
        ("TypeError", "passes", False),
        ("shelves.Empty", "Empty", True),
    ],
)
def test_the_fix_decides_whether_it_is_the_same_bug(on_fixed: str | None, outcome: str, agrees: bool | None) -> None:
    assert agrees_with_fix(on_fixed, outcome) is agrees


def test_a_case_is_read_from_its_folder_and_the_trigger_is_not_plain_text(tmp_path: Path) -> None:
    program = "import shelves\nshelves.Shelf().take('bolt')\n"
    facts = {
        "package": "shelves",
        "version": "1.0",
        "fixed": "1.1",
        "modules": ["shelves"],
        "requirements": ["bolts==2.0"],
        "exception": "IndexError",
        "on_fixed": "passes",
        "half": half(tmp_path.name),
        "source": "https://example.org/shelves/1",
    }
    (tmp_path / "case.json").write_text(json.dumps(facts))
    (tmp_path / "traceback.txt").write_text(TRACE)
    (tmp_path / "trigger.b64").write_text(packed(program))
    case = load(tmp_path)
    assert "take" not in (tmp_path / "trigger.b64").read_text()
    assert case.trigger() == program
    assert case.crash() == CRASH
    assert case.pins("1.1") == ("shelves==1.1", "bolts==2.0")


def test_the_half_depends_on_the_name_alone() -> None:
    assert [half(name) for name in ("a", "b", "c", "d")] == [half(name) for name in ("a", "b", "c", "d")]
    assert {half(f"case-{number}") for number in range(20)} == {"look", "judge"}
