"""What one run of a test came to."""

from __future__ import annotations

from itertools import islice
from types import CodeType
from typing import NamedTuple

from crashwright.core.location import Position
from crashwright.engine.subject.introspection import derives


class RaisedFrame(NamedTuple):
    """A frame of the traceback of a test, ours stripped. ``instruction`` is ``tb_lasti``: translate it with
    :func:`position_of`, and only through the very code object it came from."""

    code: CodeType
    line: int
    instruction: int


class InnerException(NamedTuple):
    """An exception within the one that a test raised: a ``member`` of a group, or one that came before another. ``parent`` is the
    name of the class that it was within."""

    error: BaseException
    frames: tuple[RaisedFrame, ...]
    member: bool
    parent: str

    @property
    def alone(self) -> Outcome:
        """As if it had been raised by itself."""
        return Outcome(0, self.error, self.frames)


class Outcome(NamedTuple):
    """``executed`` statements completed; ``error`` what the next one raised, with its frames outermost first; ``timed_out`` where
    the time limit ended it (``error`` is then None). ``inner`` are the exceptions within ``error``, where the executor was asked to
    look for them."""

    executed: int
    error: BaseException | None = None
    frames: tuple[RaisedFrame, ...] = ()
    timed_out: bool = False
    slept: float = 0.0
    """Seconds of virtual time that went by."""
    inner: tuple[InnerException, ...] = ()
    variables: dict[int, object] | None = None
    """What the variables of the test held when ``error`` was raised, where the executor was asked to keep that: empty once the
    outcome is released."""
    handed: bool = False
    """What the crash complains of was passed by the test itself (``search.passed_values``)."""
    meant: bool = True
    """The package itself raised it, or nothing was raised."""
    accident: bool = False
    """What was raised happened to the code, which did not raise it on purpose (``search.suite.accidents``)."""
    hindered: bool = False
    """Something was refused, or it sleeps, or a double of it answers nothing: nobody keeps such a test."""

    @property
    def innermost(self) -> Outcome:
        """Of a group of exceptions its first member that is none, as if that had been raised; else as it is."""
        member = next((one for one in self.inner if one.member and not derives(type(one.error), BaseExceptionGroup)), None)
        if member is None or not derives(type(self.error), BaseExceptionGroup):
            return self
        return self._replace(error=member.error, frames=member.frames)


def position_of(code: CodeType, instruction: int) -> Position | None:
    """The source range of an instruction offset (as ``tb_lasti`` gives it), or None where the compiler recorded none."""
    place = next(islice(code.co_positions(), instruction // 2, None), None)
    if place is None:
        return None
    line, end_line, column, end_column = place
    if line is None or end_line is None or column is None or end_column is None:
        return None
    return Position(line, column, end_line, end_column)
