"""The record of a fresh run, as ``recorder`` wrote it line by line: what was raised, which tests there were, how they ended."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from crashwright.core.level import Place
from crashwright.finishing.agreement import RaisedException


@dataclass(frozen=True, slots=True)
class Recorded:
    """An exception, and the test that raised it ("" where that is not known)."""

    raised: RaisedException
    test: str = ""


@dataclass(slots=True)
class Record:
    """``outcomes`` maps a test to passed, failed or skipped (error: before or after it ran); ``problems`` are the reasons why a
    file could not be collected; ``tests`` is None where the run did not come so far."""

    raised: list[Recorded] = field(default_factory=list)
    outcomes: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    tests: tuple[str, ...] | None = None


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
    match data.get("event"):
        case "collected":
            record.tests = tuple(map(str, data["tests"]))
        case "collection":
            record.problems.append(str(data["text"]))
        case "outcome":
            failed = data["outcome"] == "failed" and data["when"] != "call"
            record.outcomes[str(data["test"])] = "error" if failed else str(data["outcome"])
        case _:
            python = (int(data["python"][0]), int(data["python"][1]))
            record.raised.append(Recorded(_raised(data, python, tuple(data["refused"])), str(data.get("test", ""))))


def _raised(data: dict[str, Any], python: tuple[int, int], refused: tuple[str, ...]) -> RaisedException:
    frames = tuple(Place(str(file), int(number), str(function)) for file, number, function in data["frames"])
    before = data.get("before")
    return RaisedException(
        data["module"],
        data["type"],
        data["message"],
        frames,
        python,
        refused,
        None if before is None else _raised(before, python, ()),
        tuple(_raised(member, python, ()) for member in data.get("members", ())),
    )
