"""What a crash is about: classes of its frames, names that its message quotes, what it raises."""

from __future__ import annotations

import declared
import pytest

from crashwright.core.location import CodeKey
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.search.crash_classes import classes_of, quoted_names, raised_by


def target(exception: str, *qualnames: str) -> CrashTarget:
    frames = tuple(TargetFrame(CodeKey("declared", name, 1), "/declared.py", 1, "", None, True) for name in qualnames)
    return CrashTarget("declared", exception, "", frames)


def test_classes_of_the_frames_the_outermost_first() -> None:
    crash = target("KeyError", "load", "Catalogue.__init__", "Several.bind.<locals>.f", "Gone.bind", "Several.bind")
    assert classes_of(crash) == (declared.Catalogue, declared.Several)


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("Shelf 'place' is not of Ware", ("Shelf", "Ware", "place")),
        ("name='_places' type=Ware required=True", ("Ware", "places")),
        ("'NoneType' object has no attribute 'min'", ()),
        ("shop.Shelf and ALL of 'is' a.b", ()),
    ],
)
def test_quoted_names(message: str, names: tuple[str, ...]) -> None:
    assert quoted_names(message) == names


def test_what_is_raised_where_it_can_be_imported() -> None:
    assert [named.live for named in raised_by(target("KeyError"))] == [KeyError]
    assert raised_by(target("declared.Catalogue")) == ()
    assert raised_by(target("nowhere.Error")) == ()
