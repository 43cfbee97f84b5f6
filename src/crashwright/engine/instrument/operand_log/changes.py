"""What would have decided otherwise, as plain data."""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple


class ChangeKind(Enum):
    """What is to become of the value that a decision is about."""

    VALUE = auto()
    """This plain value stands in its place."""
    INSTANCE = auto()
    """An instance of this class does."""
    SAME = auto()
    """What is at this other place of the test's values does."""
    ITEM = auto()
    """It holds this item: as a key, or as an element."""
    LENGTH = auto()
    """It has so many elements."""
    ATTRIBUTE = auto()
    """It has an attribute of this name."""


class WantedChange(NamedTuple):
    """``spots``: where the value is in the test, the places that a source of tests knows it by."""

    spots: tuple[object, ...]
    way: ChangeKind
    what: object


class AskedDecision(NamedTuple):
    """A decision at ``site`` that came out as ``side`` (None: that is not known without asking the subject), and what might have
    changed it."""

    site: int
    side: bool | None
    wanted: WantedChange
