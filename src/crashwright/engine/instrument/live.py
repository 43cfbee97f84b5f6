"""The live functions of code objects, and the exchange of their code."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from types import CodeType, FunctionType
from weakref import ref

Selector = Callable[[FunctionType], int | None]


class LiveFunctions:
    """Function objects by the number of the chosen function whose code they run. Held weakly: closures come and go."""

    def __init__(self, select: Selector) -> None:
        """Looks at every object once; ``select`` says which number a function has, if any."""
        self._functions: dict[int, list[ref[FunctionType]]] = {}
        self.skipped: dict[int, str] = {}
        for candidate in all_objects():
            if type(candidate) is FunctionType:
                number = select(candidate)
                if number is not None:
                    self._functions.setdefault(number, []).append(ref(candidate))

    def __contains__(self, number: int) -> bool:
        return number in self._functions

    def of(self, number: int) -> list[FunctionType]:
        """Those that are still there."""
        found = (reference() for reference in self._functions.get(number, ()))
        return [function for function in found if function is not None]

    def exchange(self, codes: Mapping[int, CodeType]) -> None:
        """Let the functions run these codes from their next call on; what already runs goes on with its old code. Functions whose
        new code needs other closure variables are left alone, and named in ``skipped``."""
        for number, code in codes.items():
            for reference in self._functions.get(number, ()):
                function = reference()
                if function is None or function.__code__ is code:
                    continue
                if function.__code__.co_freevars == code.co_freevars:
                    function.__code__ = code
                else:
                    self.skipped[number] = "its closure variables differ from those of the source"


def all_objects() -> list[object]:
    """What the collector tracks, and what was frozen before this process was forked, which it does not name by itself."""
    if not gc.get_freeze_count():
        return gc.get_objects()
    enabled = gc.isenabled()
    gc.disable()  # a collection in between would look at everything there is
    try:
        gc.collect()  # what is frozen is never collected
        gc.unfreeze()
        return gc.get_objects()
    finally:
        gc.freeze()
        if enabled:
            gc.enable()
