"""The frames of one exception against the environment: each located, parsed and matched, or the reason why not."""

from __future__ import annotations

import tokenize
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from crashwright.core.comprehensions import COMPREHENSIONS
from crashwright.core.location import CodeKey, Position
from crashwright.core.report import ReportedFrame, Unknown
from crashwright.core.target import TargetFrame
from crashwright.crash.matching import Match, match_frame
from crashwright.environment.interpreter import Interpreter
from crashwright.environment.locate import LocatedFile, Locator, NotFound
from crashwright.environment.source_index import SourceIndex

REMEMBERED = 64
"""Files whose index is kept for the next matcher."""


@dataclass(frozen=True, slots=True)
class MatchedFrame:
    """``frame`` is None where the code was not found; then ``reason`` says why. ``module`` is set once the file is found.
    ``missing_package``: the import name whose absence is the reason. ``frame.in_package`` is left false."""

    reported: ReportedFrame
    frame: TargetFrame | None = None
    module: str = ""
    stdlib: bool = False
    reason: str = ""
    note: str = ""
    missing_package: str = ""
    extra_path: str = ""
    path: str = ""
    """The source file here, once it is found."""
    doubtful: bool = False
    """A file of that name is here, but nothing says that it is the same."""
    apart: bool = False
    """It is one of several that this Python makes of the reported frame."""


class FrameMatcher:
    """Locates and matches frames for one interpreter; reads and parses each file once."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.locator = Locator(interpreter)
        self._version = interpreter.version
        self._indexes: dict[str, SourceIndex | Unknown] = {}

    def match_all(self, frames: Sequence[ReportedFrame]) -> list[MatchedFrame]:
        """One result a frame, in their order."""
        known: dict[tuple[object, ...], MatchedFrame] = {}
        results: list[MatchedFrame] = []
        for frame in frames:
            # Recursion prints the same frame hundreds of times.
            key = (frame.path, frame.line, frame.function, frame.source, frame.columns, frame.repeated, bool(frame.local_values))
            if key not in known or frame.local_values:
                known[key] = self._match(frame)
            results.append(known[key])
        # A file that one frame confirms is the same file for all.
        confirmed: dict[str, set[str]] = {}
        for one in results:
            if one.frame is not None:
                confirmed.setdefault(one.reported.path, set()).add(one.path)
        return [
            self._match(one.reported, confirmed[one.reported.path]) if one.frame is None and one.reported.path in confirmed else one
            for one in results
        ]

    def only_as_main(self, one: MatchedFrame) -> bool:
        """Does the frame stand on a line that no import of its file runs?"""
        index = self._indexes.get(one.path)
        return isinstance(index, SourceIndex) and one.frame is not None and index.only_as_main(one.frame.line)

    def with_comprehensions(self, matched: Sequence[MatchedFrame], shows_columns: bool) -> list[MatchedFrame]:
        """The frames as an interpreter before 3.12 makes them of a report of 3.12 or later: a comprehension has a frame of its own
        there, between its function's and what it calls. That a frame stands within a comprehension and none of that follows tells
        such a report. ``shows_columns``: frames without carets are whole lines."""
        result: list[MatchedFrame] = []
        for number, one in enumerate(matched):
            following = matched[number + 1] if number + 1 < len(matched) else None
            made = (
                following is not None
                and following.reported.function in COMPREHENSIONS
                and following.reported.path == one.reported.path
            )
            place = None if made or one.reported.function in COMPREHENSIONS else self._place(one, following, shows_columns)
            apart = [one] if place is None else self._apart(one, place)
            last = apart[-1].frame
            if following is None and last is not None and last.caret is None:
                # The whole line failed, and not a part of it.
                apart[-1] = replace(apart[-1], frame=replace(last, caret=place))
            result += apart
        return result

    def _place(self, one: MatchedFrame, following: MatchedFrame | None, shows_columns: bool) -> Position | None:
        """Which expression of its line the frame stood at, as far as that is known."""
        index = self._indexes.get(one.frame.path) if one.frame is not None else None
        if one.frame is None or not isinstance(index, SourceIndex):
            return None
        if one.frame.caret is not None:
            return one.frame.caret
        line = one.frame.line
        if shows_columns:
            text = index.line(line) or ""
            start, end = (len(part.encode("utf-8", "surrogatepass")) for part in (text[: len(text) - len(text.lstrip())], text))
            return next((place for place in index.expressions_at(line, start) if place[2:] == (line, end)), None)
        calls = index.calls_on(line, following.reported.function.rpartition(".")[2]) if following is not None else []
        return calls[0] if len(calls) == 1 else None

    def _apart(self, one: MatchedFrame, place: Position) -> list[MatchedFrame]:
        """The frame and those of the comprehensions within it that lead to ``place``."""
        frame = one.frame
        index = self._indexes.get(frame.path) if frame is not None else None
        if frame is None or not isinstance(index, SourceIndex):
            return [one]
        span = next(span for span in index.named(frame.key.name) if (span.qualname, span.first_line) == frame.key[1:])
        chain = index.comprehensions_around(span, place)
        frames = []
        for inner in chain:
            line = inner.position.line
            frames.append(replace(frame, line=line, source=(index.line(line) or "").strip(), caret=inner.position))
            key = CodeKey(frame.key.module, inner.qualname, inner.first_line)
            frame = replace(frame, key=key, repeated=0, local_values={})
        if not chain:
            return [one]
        frames.append(replace(frame, line=place.line, source=(index.line(place.line) or "").strip(), caret=place))
        note = f"Python {'.'.join(map(str, self._version[:2]))} gives {frame.key.name} of line {place.line} a frame of its own"
        return [replace(one, frame=made, apart=True, note=note if made is frames[-1] else one.note) for made in frames]

    def _match(self, frame: ReportedFrame, confirmed: Container[str] = ()) -> MatchedFrame:
        places = self.locator.locate(frame.path)
        if isinstance(places, NotFound):
            return MatchedFrame(frame, reason=places.reason, missing_package=places.package)
        results = [self._match_at(frame, place, confirmed) for place in places]
        here = [(place, one) for place, one in zip(places, results, strict=True) if not one.doubtful]
        best = [(place, one) for place, one in here if place.shared == here[0][0].shared]
        matching = [one for _, one in best if one.path in confirmed] or [one for _, one in best if one.frame is not None]
        matching = matching or [one for _, one in best]
        if len(matching) > 1:
            return MatchedFrame(
                frame, reason=f"it may be any of {', '.join(one.path for one in matching)}: name its folder with --path"
            )
        return matching[0] if matching else results[0]

    def _match_at(self, frame: ReportedFrame, place: LocatedFile, confirmed: Container[str]) -> MatchedFrame:
        index = self._index(place.path)
        if isinstance(index, Unknown):
            return MatchedFrame(frame, module=place.module, stdlib=place.stdlib, reason=index.reason, path=place.path)
        match = match_frame(index, frame)
        if not (place.path in confirmed or place.certain or self._confirmed(frame, place, match, index)):
            return MatchedFrame(frame, reason=f"no such file here ({place.path} is a different file)", doubtful=True)
        if isinstance(match, Unknown):
            return MatchedFrame(frame, module=place.module, stdlib=place.stdlib, reason=match.reason, path=place.path)
        return self._placed(frame, place, match, index)

    def _confirmed(self, frame: ReportedFrame, place: LocatedFile, match: Match | Unknown, index: SourceIndex) -> bool:
        """Is a file of the same name the same file? A whole package path and the function's name will do, a bare file name needs
        the echoed line, or in formats without any the function at that very line."""
        if "." in place.module:
            known = frame.function != "<module>" and bool(index.named(frame.function))
            return known or not isinstance(match, Unknown)
        return not isinstance(match, Unknown) and (frame.source is not None or not frame.function.startswith("<"))

    def _placed(self, frame: ReportedFrame, place: LocatedFile, match: Match, index: SourceIndex) -> MatchedFrame:
        key = CodeKey(place.module, match.span.qualname, match.span.first_line)
        text = (index.line(match.line) or "").strip()
        target = TargetFrame(key, place.path, match.line, text, match.caret, in_package=False, repeated=frame.repeated)
        notes = []
        shown = f"{place.module.replace('.', '/')}.py:{frame.line}"
        if match.line != frame.line:
            notes.append(f"frame {shown} is at line {match.line} here")
        if match.ambiguous:
            notes.append(
                f"the report does not tell which {match.span.name} of line {match.line} of {place.module} it was: took the shortest"
            )
        return MatchedFrame(
            frame, target, place.module, place.stdlib, note="; ".join(notes), extra_path=place.extra_path, path=place.path
        )

    def _index(self, path: str) -> SourceIndex | Unknown:
        if path not in self._indexes:
            self._indexes[path] = self._read(path)
        return self._indexes[path]

    def _read(self, path: str) -> SourceIndex | Unknown:
        try:
            with tokenize.open(path) as file:
                return _indexed(file.read(), tuple(self._version))
        except OSError as error:
            return Unknown(f"{path} cannot be read: {error.strerror}")
        except (SyntaxError, ValueError, RecursionError) as error:
            return Unknown(f"{path} cannot be parsed: {error}")


@lru_cache(maxsize=REMEMBERED)
def _indexed(text: str, version: tuple[int, ...]) -> SourceIndex:
    """Which exception is the crash and what is known of its frames is asked one after the other, of the same files."""
    return SourceIndex(text, version)
