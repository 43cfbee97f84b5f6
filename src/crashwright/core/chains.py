"""Exceptions that hang together: members of groups, causes, what was handled. Which of those raised may be the crash of a report,
and when two groups hold the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from crashwright.core.level import FramePlace
from crashwright.core.message_rule import messages_agree
from crashwright.core.report import OuterException

T = TypeVar("T")


class GroupMember(NamedTuple):
    """A member of the group of a report, of groups within it those that are no groups themselves. ``place`` is its innermost frame
    that is found here and not in the standard library, None where there is none."""

    exception: str
    message: str
    place: FramePlace | None = None


class RaisedMember(NamedTuple):
    """A member of a group that was raised, likewise. ``exception`` is its name without the module."""

    exception: str
    message: str
    places: tuple[FramePlace, ...]


def short(exception: str) -> str:
    """The class name without its module."""
    return exception.rpartition(".")[2]


def may_be_within(outer: Sequence[OuterException], member: bool, parent: str) -> bool:
    """Whether the crash of a report, which had these exceptions around it, may be found within another exception: as a ``member``
    of a group, or before one whose class is called ``parent``. As a crash by itself it always may."""
    if not outer:
        return False
    nearest = outer[0]
    return member if nearest.link == "member" else not member and nearest.short_type == parent


def spliced(outer: Sequence[T], inner: Sequence[T], same: Callable[[T, T], bool]) -> tuple[T, ...]:
    """The whole stack of an inner exception: its own frames begin where it was caught, and what called that frame is only in the
    traceback of the exception around it. ``same``: two frames are of one function."""
    if not inner:
        return tuple(inner)
    caught = next((place for place in range(len(outer) - 1, -1, -1) if same(outer[place], inner[0])), 0)
    return (*outer[:caught], *inner)


def members_differ(wanted: Sequence[GroupMember], got: Sequence[RaisedMember]) -> str:
    """How the members of two groups differ, in words; "" where each of one is like some of the other. How many there are of a kind
    does not count."""
    missing = next((one for one in wanted if not any(_alike(one, other) for other in got)), None)
    if missing is not None:
        return f"the group has no {short(missing.exception)} like that of the report"
    more = next((other for other in got if not any(_alike(one, other) for one in wanted)), None)
    return f"the group has a further {more.exception}" if more is not None else ""


def _alike(wanted: GroupMember, got: RaisedMember) -> bool:
    return (
        short(wanted.exception) == got.exception
        and messages_agree(wanted.exception, wanted.message, got.message)
        and (wanted.place is None or wanted.place in got.places)
    )


def without_other_members(level: int) -> int:
    """What a level is worth where the members of the groups differ: never more than the crash frame and the message."""
    return level if level < 3 else level - 2
