"""The frames of one exception against the environment: each located, parsed and matched, or the reason why not."""

from __future__ import annotations

import tokenize
from collections.abc import Sequence
from dataclasses import dataclass

from crashwright.core.location import CodeKey
from crashwright.core.report import ReportedFrame, Unknown
from crashwright.core.target import TargetFrame
from crashwright.crash.interpreter import Interpreter
from crashwright.crash.locate import Locator, NotFound, Place
from crashwright.crash.matching import Match, match_frame
from crashwright.crash.source_index import SourceIndex


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


def belongs(module: str, package: str) -> bool:
    """Is ``module`` the package or inside it?"""
    return module == package or module.startswith(package + ".")


class FrameMatcher:
    """Locates and matches frames for one interpreter; reads and parses each file once."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.locator = Locator(interpreter)
        self._version = interpreter.version
        self._indexes: dict[str, SourceIndex | Unknown] = {}

    def match_all(self, frames: Sequence[ReportedFrame]) -> list[MatchedFrame]:
        """One result a frame, in their order."""
        known: dict[tuple[object, ...], MatchedFrame] = {}
        results = []
        for frame in frames:
            # Recursion prints the same frame hundreds of times.
            key = (frame.path, frame.line, frame.function, frame.source, frame.columns, frame.repeated, bool(frame.local_values))
            if key not in known or frame.local_values:
                known[key] = self._match(frame)
            results.append(known[key])
        return results

    def _match(self, frame: ReportedFrame) -> MatchedFrame:
        place = self.locator.locate(frame.path)
        if isinstance(place, NotFound):
            return MatchedFrame(frame, reason=place.reason, missing_package=place.package)
        index = self._index(place.path)
        if isinstance(index, Unknown):
            return MatchedFrame(frame, module=place.module, stdlib=place.stdlib, reason=index.reason)
        match = match_frame(index, frame)
        if not place.certain and not self._confirmed(frame, place, match, index):
            return MatchedFrame(frame, reason=f"no such file here ({place.path} is another one)")
        if isinstance(match, Unknown):
            return MatchedFrame(frame, module=place.module, stdlib=place.stdlib, reason=match.reason)
        return self._placed(frame, place, match, index)

    def _confirmed(self, frame: ReportedFrame, place: Place, match: Match | Unknown, index: SourceIndex) -> bool:
        """Is a file of the same name the same file? A whole package path and the function's name will do, a bare file name needs
        the echoed line."""
        if "." in place.module:
            known = frame.function != "<module>" and bool(index.named(frame.function))
            return known or not isinstance(match, Unknown)
        return frame.source is not None and not isinstance(match, Unknown)

    def _placed(self, frame: ReportedFrame, place: Place, match: Match, index: SourceIndex) -> MatchedFrame:
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
        return MatchedFrame(frame, target, place.module, place.stdlib, note="; ".join(notes), extra_path=place.extra_path)

    def _index(self, path: str) -> SourceIndex | Unknown:
        if path not in self._indexes:
            self._indexes[path] = self._read(path)
        return self._indexes[path]

    def _read(self, path: str) -> SourceIndex | Unknown:
        try:
            with tokenize.open(path) as file:
                return SourceIndex(file.read(), self._version)
        except OSError as error:
            return Unknown(f"{path} cannot be read: {error.strerror}")
        except (SyntaxError, ValueError, RecursionError) as error:
            return Unknown(f"{path} cannot be parsed: {error}")
