"""What a report tells of the values and objects of a crash, beyond what was walked back over."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final, NamedTuple

from crashwright.core.location import CodeKey
from crashwright.core.target import CrashTarget
from crashwright.engine.testcase.statements import Scalar
from crashwright.symbolic.composition.fillers import ODD, quoted

_WORD: Final = re.compile(r"[^\W\d]\w*")


class ToldByReport(NamedTuple):
    """``classes``: last parts of the names of those whose methods the frames run; ``words``: of the callers' ``lines``; ``quoted``:
    constants that the message shows; ``outermost``: the level of the frame that the callers called; ``frames``: functions, from the
    crash outwards."""

    classes: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    odd: tuple[Scalar, ...] = ()
    lines: tuple[str, ...] = ()
    quoted: tuple[Scalar, ...] = ()
    package: str = ""
    outermost: int = 0
    frames: tuple[CodeKey, ...] = ()

    @classmethod
    def of(cls, target: CrashTarget) -> ToldByReport:
        """What there is in a report."""
        owners = [frame.key.qualname.rpartition(".")[0].rpartition(".")[2] for frame in target.package_frames]
        words = [word for site in target.call_sites for word in _WORD.findall(site.source)]
        odd = ODD.get(target.exception.rpartition(".")[2], ())
        keys = tuple([frame.key for frame in reversed(target.package_frames)])
        lines = tuple([site.source for site in target.call_sites])
        known = quoted(target.message or ""), target.package, len(target.package_frames), keys
        return cls(frozenset(filter(None, owners)), frozenset(words), odd, lines, *known)

    def likelihood(self, name: str, lineage: Collection[str]) -> tuple[bool, int]:
        """Of a class as that of the receiver, by its name and those of the classes that it inherits from: callers name it, its
        methods run."""
        return name in self.words, len(self.classes.intersection(lineage))


NOTHING_TOLD: Final = ToldByReport()
