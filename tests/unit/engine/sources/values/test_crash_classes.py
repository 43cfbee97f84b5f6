"""What a crash is about: classes of its frames, names that its message quotes, what it raises."""

from __future__ import annotations

from dataclasses import replace

import declared
import pytest

from crashwright.core.location import CodeKey
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.sources.values.crash_classes import classes_of, makes_one, named_classes, quoted_names, raised_by


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
        ("Shelf.__init__() got an unexpected keyword argument 'ware'", ("Shelf", "ware")),
        ("f.<locals>.Shelf.put() takes 1 argument, not shop.Ware.x", ("Shelf",)),
    ],
)
def test_quoted_names(message: str, names: tuple[str, ...]) -> None:
    assert quoted_names(message) == names


def test_classes_that_the_message_names_are_those_that_exist() -> None:
    made = declared.Catalogue.__class__("Made", (declared.Catalogue,), {"__module__": "declared"})
    held = made.__new__(made)
    crash = target("TypeError", "load")
    said = replace(crash, message="Object of type Made is not JSON serializable, nor is 'Several'")
    assert named_classes(said) == (declared.Several,)
    vars(declared)["kept"] = held
    try:
        assert set(named_classes(said)) == {made, declared.Several}
    finally:
        del vars(declared)["kept"]
    assert named_classes(replace(crash, message="'NoneType' object is no 'dict' or ValueError")) == ()
    call = "Several.__init__() got an unexpected keyword argument 'a'"
    assert [makes_one(message, declared.Several) for message in (call, "Several() takes no arguments", "no Several")] == [
        True,
        True,
        False,
    ]


def test_what_is_raised_where_it_can_be_imported() -> None:
    assert [named.live for named in raised_by(target("KeyError"))] == [KeyError]
    assert raised_by(target("declared.Catalogue")) == ()
    assert raised_by(target("nowhere.Error")) == ()
