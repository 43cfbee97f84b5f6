"""Summaries on disk, by a hash of the sources that they were made from: a second look at the same crash has them at once.

A convenience, never a condition: what cannot be read is made anew, and what cannot be written is not kept. Files are replaced in
one step.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from crashwright.core.codec import Undecodable, from_json, to_json
from crashwright.core.location import CodeKey
from crashwright.core.terms import Row, Term, from_rows, to_rows
from crashwright.symbolic.composition.summaries import Summary, SummaryKey

FORM: Final = 1
"""Of the files, and of what summaries say; those of another form are written anew."""
MOST_FILES: Final = 40
LARGEST: Final = 8 << 20
"""Bytes of a file that is read, or written."""


class _Way(NamedTuple):
    """A :class:`Summary` whose terms are numbers of rows."""

    effects: tuple[tuple[str, int], ...]
    conditions: tuple[int, ...]
    unmodelled: tuple[str, ...]


class _Entry(NamedTuple):
    function: CodeKey
    names: tuple[str, ...]
    ways: tuple[_Way, ...]


@dataclass(frozen=True, slots=True)
class _File:
    form: int
    rows: tuple[Row, ...]
    entries: tuple[_Entry, ...]


class SummaryCache:
    """The summaries of one program, in ``folder``."""

    def __init__(self, folder: Path, sources: Mapping[str, str], version: tuple[int, int]) -> None:
        self._file = folder / f"{_digest(sources, version)}.json"

    def load(self) -> dict[SummaryKey, tuple[Summary, ...]]:
        """Those that there are."""
        try:
            if self._file.stat().st_size > LARGEST:
                return {}
            return _read(from_json(_File, json.loads(self._file.read_bytes())))
        except (OSError, ValueError, RecursionError):
            return {}

    def save(self, known: Mapping[SummaryKey, tuple[Summary, ...]]) -> None:
        """In place of those from before."""
        text = json.dumps(to_json(_written(known)))
        if len(text) > LARGEST:
            return
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            descriptor, name = tempfile.mkstemp(dir=self._file.parent, prefix=".new-")
            with open(descriptor, "w", encoding="utf-8") as stream:
                stream.write(text)
            os.replace(name, self._file)
            for old in sorted(self._file.parent.glob("*.json"), key=lambda one: one.stat().st_mtime)[:-MOST_FILES]:
                old.unlink()


def _digest(sources: Mapping[str, str], version: tuple[int, int]) -> str:
    told = json.dumps([FORM, list(version), sorted(sources.items())])
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _written(known: Mapping[SummaryKey, tuple[Summary, ...]]) -> _File:
    terms = [term for ways in known.values() for way in ways for term in _terms(way)]
    rows, numbers = to_rows(terms)
    taken = iter(numbers)
    entries = []
    for key, ways in known.items():
        written = [
            _Way(
                tuple([(name, next(taken)) for name, _ in way.effects]),
                tuple([next(taken) for _ in way.conditions]),
                way.unmodelled,
            )
            for way in ways
        ]
        entries.append(_Entry(key.function, tuple(sorted(key.names)), tuple(written)))
    return _File(FORM, rows, tuple(entries))


def _read(file: _File) -> dict[SummaryKey, tuple[Summary, ...]]:
    if file.form != FORM:
        raise Undecodable("of another form")
    wanted = [number for entry in file.entries for way in entry.ways for number in _numbers(way)]
    taken = iter(from_rows(file.rows, wanted))
    return {
        SummaryKey(entry.function, frozenset(entry.names)): tuple([_summary(way, taken) for way in entry.ways])
        for entry in file.entries
    }


def _summary(way: _Way, taken: Iterator[Term]) -> Summary:
    effects = tuple([(name, next(taken)) for name, _ in way.effects])
    return Summary(effects, tuple([next(taken) for _ in way.conditions]), way.unmodelled)


def _terms(way: Summary) -> Iterator[Term]:
    yield from (term for _, term in way.effects)
    yield from way.conditions


def _numbers(way: _Way) -> Iterator[int]:
    yield from (number for _, number in way.effects)
    yield from way.conditions
