"""Lets the functions of one module tell, in a run, how far apart what they compare is (``instrument.gaps``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import CodeType, FunctionType

from crashwright.core.location import CodeKey
from crashwright.engine.instrument.comparison_log.code import LoggedCode
from crashwright.engine.instrument.comparison_log.rewriting import Place
from crashwright.engine.instrument.gaps import GapFunctions, GapLog
from crashwright.engine.instrument.live import all_objects
from crashwright.engine.subject.introspection import loaded_dict

GapsByLine = Mapping[int, Sequence[tuple[float, ...]]]
"""For each line that a comparison begins in: one entry for each of its comparisons, empty where it was not made."""


class GapProbes:
    """``exchanged`` is called where functions have been given other code (see ``search.blocker_probes``)."""

    def __init__(self, module: str, exchanged: Callable[[], None]) -> None:
        self._module = module
        self._exchanged = exchanged
        self._log = GapLog()
        self._code: LoggedCode | None = None
        self._lines: tuple[int, ...] = ()

    def of(self, run: Callable[[], object]) -> GapsByLine:
        """The gaps in ``run``. The first time looks at everything that is alive."""
        if self._code is None:
            self._code = LoggedCode(self._rewritten)
            self._code.choose(self._functions())
        self._log.begin()
        try:
            with self._code.running(self._exchanged):
                run()
        finally:
            found = self._log.end()
        by_line: dict[int, list[tuple[float, ...]]] = {}
        for site, line in enumerate(self._lines):
            by_line.setdefault(line, []).append(found.get(site, ()))
        return by_line

    def _functions(self) -> Iterator[tuple[CodeKey, FunctionType]]:
        own = loaded_dict(self._module)
        for one in all_objects():
            if type(one) is FunctionType and one.__globals__ is own and one.__code__.co_name[:1] != "<":
                yield CodeKey(self._module, one.__code__.co_qualname, one.__code__.co_firstlineno), one

    def _rewritten(self, source: str | bytes, path: str, free: int) -> tuple[Mapping[Place, CodeType], int]:
        made = GapFunctions(source, path, self._log)
        self._lines = made.lines
        return made.codes, free + len(made.lines)
