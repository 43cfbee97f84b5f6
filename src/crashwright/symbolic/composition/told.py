"""What a report tells of the values and objects of a crash, beyond what was walked back over."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from crashwright.core.target import CrashTarget
from crashwright.engine.testcase.statements import Scalar

_WORD: Final = re.compile(r"[^\W\d]\w*")
ODD: Final[Mapping[str, tuple[Scalar, ...]]] = MappingProxyType(
    {
        "OverflowError": (math.inf, 10**400, -1),
        "UnicodeEncodeError": ("\udc80", "\xe9"),
        "UnicodeDecodeError": (b"\xf9",),
    }
)
"""Values that what is written in C refuses, by the exception: the walk back knows no conditions of it."""


class Told(NamedTuple):
    """``classes``: last parts of the names of those whose methods the frames run; ``words``: of the callers' lines."""

    classes: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    odd: tuple[Scalar, ...] = ()

    @classmethod
    def of(cls, target: CrashTarget) -> Told:
        """What there is in a report."""
        owners = [frame.key.qualname.rpartition(".")[0].rpartition(".")[2] for frame in target.package_frames]
        words = [word for site in target.call_sites for word in _WORD.findall(site.source)]
        return cls(frozenset(filter(None, owners)), frozenset(words), ODD.get(target.exception.rpartition(".")[2], ()))

    def likelihood(self, name: str, lineage: Collection[str]) -> tuple[bool, int]:
        """Of a class as that of the receiver, by its name and those of the classes that it inherits from: callers name it, its
        methods run."""
        return name in self.words, len(self.classes.intersection(lineage))


NOTHING_TOLD: Final = Told()
