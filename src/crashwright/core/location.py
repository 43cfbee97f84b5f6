"""Places in source code: positions are the keys that host analysis, probes and tracebacks share (never instruction offsets)."""

from __future__ import annotations

from typing import NamedTuple


class Position(NamedTuple):
    """A source range. Lines count from 1; columns are UTF-8 byte offsets from 0, as in ``ast`` and ``co_positions``."""

    line: int
    column: int
    end_line: int
    end_column: int


class CodeKey(NamedTuple):
    """A code object of a module: ``qualname`` as in ``co_qualname`` (``Class.method``, ``f.<locals>.g``, ``<module>``), and
    ``first_line`` = ``co_firstlineno`` (that of the first decorator where there are any), which tells namesakes apart."""

    module: str
    qualname: str
    first_line: int

    @property
    def name(self) -> str:
        """What a traceback prints for this code."""
        return self.qualname.rpartition(".")[2]
