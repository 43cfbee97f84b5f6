"""The record of a fresh run, as ``recorder`` and the plugins beside it wrote it line by line: what was raised, which tests there
were, how they ended."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from crashwright.core.level import FramePlace
from crashwright.finishing.running.agreement import RaisedException


@dataclass(frozen=True, slots=True)
class RecordedException:
    """An exception, and the test that raised it ("" where that is not known). ``kept``: it was caught; the expression that has it
    where the test failed, or ``logged``, ``handled`` (by the test when it failed), ``passing`` (seen on its way)."""

    raised: RaisedException
    test: str = ""
    kept: str = ""


class ReachedFrame(NamedTuple):
    """The nearer to the crash, the greater. ``place`` is that of the frame that was entered nearest to it (0: the outermost),
    ``line`` whether the line of the crash was reached, ``frames`` how many frames in turn led there."""

    place: int
    line: bool
    frames: int


@dataclass(slots=True)
class Record:
    """``outcomes`` maps a test to passed, failed, skipped or xfailed (error: before or after it ran), ``reasons`` to what was
    wrong; ``problems`` are the reasons why a file could not be collected; ``tests`` is None where the run did not come so far.

    What follows ``suite_watch`` and ``coverage_watch`` tell: all ``items`` of the file, also those not to be run; the tests that
    ``began``, ``ended``, and were ``refused`` something; the class of exception that a test raised, if a test can import it; the
    lines of ``untrue`` assertions, and whether these are all that is wrong; pairs of lines that follow each other."""

    raised: list[RecordedException] = field(default_factory=list)
    outcomes: dict[str, str] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    tests: tuple[str, ...] | None = None
    items: tuple[str, ...] | None = None
    began: list[str] = field(default_factory=list)
    ended: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    classes: dict[str, tuple[str, str]] = field(default_factory=dict)
    untrue: dict[str, tuple[tuple[int, ...], bool]] = field(default_factory=dict)
    arcs: set[tuple[str, int, int]] = field(default_factory=set)
    reached: dict[str, ReachedFrame] = field(default_factory=dict)
    """How far each test came along the frames that were watched."""
    modules: dict[str, str] = field(default_factory=dict)
    """The files that modules were imported from, of those that the run was asked for."""


_WORDS = ("message", "text", "refused")
"""Keys of what the subject says in its own words."""


def read_record(file: Path, sift: Callable[[str], str] = str) -> Record:
    """The record in ``file``; empty where there is none. A line that the run could not finish ends it. ``sift`` is passed by all
    that the subject says."""
    record = Record()
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return record
    for line in lines:
        try:
            data = json.loads(line, object_hook=lambda item: _sifted(item, sift))
        except ValueError:  # the run was stopped while it wrote: nothing follows
            break
        _take(record, data)
    return record


def _sifted(item: dict[str, Any], sift: Callable[[str], str]) -> dict[str, Any]:
    """One object of a line; those within it have passed already."""
    words = {key: item[key] for key in _WORDS if key in item}
    return item | {key: sift(value) if isinstance(value, str) else list(map(sift, value)) for key, value in words.items()}


def _take(record: Record, data: dict[str, Any]) -> None:
    event = data.get("event")
    if event is None:
        python = (int(data["python"][0]), int(data["python"][1]))
        record.raised.append(
            RecordedException(_raised(data, python, tuple(data["refused"])), str(data.get("test", "")), str(data.get("kept", "")))
        )
    elif "test" in data:
        _take_of_test(record, str(data["test"]), data)
    elif event == "collection":
        record.problems.append(str(data["text"]))
    elif event == "collected":
        record.tests = tuple(map(str, data["tests"]))
    elif event == "modules":
        record.modules.update((str(name), str(file)) for name, file in data["files"].items())
    elif event == "items":
        record.items = tuple(map(str, data["tests"]))
    else:
        record.arcs.update((str(name), int(first), int(second)) for name, first, second in data["arcs"])


def _take_of_test(record: Record, test: str, data: dict[str, Any]) -> None:
    match data["event"]:
        case "began":
            record.began.append(test)
        case "outcome":
            failed = data["outcome"] == "failed" and data["when"] != "call"
            record.outcomes[test] = "error" if failed else str(data["outcome"])
            record.reasons[test] = str(data["text"])
        case "raised":
            record.classes[test] = str(data["module"]), str(data["qualname"])
        case "untrue":
            record.untrue[test] = tuple(map(int, data["lines"])), bool(data["whole"])
        case "refused":
            record.refused.add(test)
        case "reached":
            record.reached[test] = ReachedFrame(int(data["place"]), bool(data["line"]), int(data["frames"]))
        case "ended":
            record.ended.add(test)


def _raised(data: dict[str, Any], python: tuple[int, int], refused: tuple[str, ...]) -> RaisedException:
    frames = tuple(FramePlace(str(file), int(number), str(function)) for file, number, function in data["frames"])
    before = data.get("before")
    return RaisedException(
        module=data["module"],
        type=data["type"],
        message=data["message"],
        frames=frames,
        python=python,
        refused=refused,
        before=None if before is None else _raised(before, python, ()),
        members=tuple(_raised(member, python, ()) for member in data.get("members", ())),
    )
