"""What the code wants of the parameters of the way in: read off the files of its package, told with lines. Nothing is run."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from crashwright.core.location import CodeKey
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.wants.reading.package import files_of, near
from crashwright.engine.wants.reading.trees import type_name
from crashwright.engine.wants.want import Fact, Want
from crashwright.engine.wants.wanted import Wanted
from crashwright.workflows.inquiries.explanation import ExplainedFact, ExplainedParameter, Wants

_TYPES = 3


def wants_of(target: CrashTarget) -> Wants:
    """Of the target frame's function, and of what makes the object that it is a method of."""
    frame = target.package_frames[0]
    folder = _package_of(frame)
    if not folder:
        return Wants(reason="the files of the package were not found")
    chain = [one.key.module for one in target.package_frames]
    top = frame.key.module.partition(".")[0]
    wanted = Wanted(near(files_of(folder, top), chain), is_live=False)
    lines = _Path(target)
    found = [_explained(wanted, frame.key, name, lines) for name in wanted.names(frame.key.module, frame.key.qualname)]
    owner, _, _ = frame.key.qualname.rpartition(".")
    maker = CodeKey(frame.key.module, f"{owner}.__init__", 1)
    if owner and not owner.endswith("<locals>") and maker.qualname != frame.key.qualname:
        found += [_explained(wanted, maker, name, lines) for name in wanted.names(maker.module, maker.qualname)]
    return Wants(tuple(found), "" if found else "the way in takes no arguments")


class _Path:
    """Which lines the crash came by: those of the functions of its frames."""

    def __init__(self, target: CrashTarget) -> None:
        self._frames = [(os.path.realpath(one.path), one.key.first_line, one.line) for one in target.package_frames]

    def is_on(self, fact: Fact) -> bool:
        """Whether a fact is from a line that was run on the way."""
        origin = fact.origin
        return origin is not None and any(
            os.path.realpath(origin.path) == path and first <= origin.line <= line for path, first, line in self._frames
        )


def _package_of(frame: TargetFrame) -> str:
    """The folder of the top package, or the file of a single module."""
    parts = frame.key.module.split(".")
    if os.path.basename(frame.path) == "__init__.py":
        parts = [*parts, "__init__"]
    if len(parts) == 1:
        return frame.path
    folder = frame.path
    for _ in parts[1:]:
        folder = os.path.dirname(folder)
    return folder if os.path.isdir(folder) else ""


def _explained(wanted: Wanted, key: CodeKey, name: str, lines: _Path) -> ExplainedParameter:
    want = wanted.parameter(key.module, key.qualname, name)
    facts = sorted(want.facts, key=lambda one: not lines.is_on(one))
    return ExplainedParameter(
        code=f"{key.module}:{key.qualname}",
        name=name,
        types=_types(want),
        parts=tuple(_parts(want)),
        literals=tuple(map(repr, want.literals)),
        producers=want.producers,
        facts=tuple(ExplainedFact(one.text, str(one.origin or ""), lines.is_on(one)) for one in _distinct(facts)),
    )


def _types(want: Want) -> tuple[str, ...]:
    return tuple(dict.fromkeys(type_name(hint) for hint, _ in want.types))[:_TYPES]


def _parts(want: Want) -> Iterator[str]:
    """Each part with its likeliest type; methods are among the facts."""
    for path, part in want.paths():
        if path and (part.types or part.keys or part.items):
            told = _types(part)[:1]
            yield f"{path}: {told[0]}" if told else path


def _distinct(facts: Sequence[Fact]) -> list[Fact]:
    found: dict[str, Fact] = {}
    for one in facts:
        found.setdefault(one.text, one)
    return list(found.values())
