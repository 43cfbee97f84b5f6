"""The frames of a report say of which class a parameter was."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from crashwright.core.location import CodeKey
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.sources.values.frame_types import SEEN, FrameTypes, owners_by_method
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.subject.source import ModuleSource, Sources

SOURCE = """
class Leaf:
    def colour(self): return 1 / 0

class Wind:
    def blow(self, where, strength): return shake(where, by=strength)

def shake(tree, by):
    return tree.colour()

def rest(tree):
    other = tree
    return other.colour()
"""


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sources]:
    (tmp_path / "autumnwood.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.import_module("autumnwood")
    yield Sources()
    del sys.modules["autumnwood"]


def told(sources: Sources, parameter: str, *frames: tuple[str, str]) -> dict[str, float]:
    """The names of the classes, with their weights, of the parameter of what runs the first frame."""
    source = sources.of_module("autumnwood")
    assert isinstance(source, ModuleSource)
    keys: dict[str, CodeKey] = {key.qualname: key for key, _ in source.codes()}
    resolved = tuple(TargetFrame(keys[name], source.path, keys[name].first_line, line, None, True) for name, line in frames)
    api = ApiModel("autumnwood", ["autumnwood"])
    types = FrameTypes(CrashTarget("autumnwood", "ZeroDivisionError", "", resolved), api, sources)
    [callee, *_] = api.callee_for(*resolved[0].key)
    found = types.of(callee, parameter)
    return {hint.cls.__name__: weight for hint, weight in found if isinstance(hint, ClassHint)}


COLOUR = ("Leaf.colour", "return 1 / 0")
SHAKE = ("shake", "return tree.colour()")
BLOW = ("Wind.blow", "return shake(where, by=strength)")


def test_the_receiver_of_the_next_frame_is_of_its_class(sources: Sources) -> None:
    assert told(sources, "tree", SHAKE, COLOUR) == {"Leaf": SEEN}
    assert told(sources, "by", SHAKE, COLOUR) == {}


def test_and_so_was_what_the_callers_passed(sources: Sources) -> None:
    assert told(sources, "where", BLOW, SHAKE, COLOUR) == {"Leaf": SEEN}
    assert told(sources, "strength", BLOW, SHAKE, COLOUR) == {}


def test_a_variable_that_is_no_parameter_says_nothing(sources: Sources) -> None:
    assert told(sources, "tree", ("rest", "return other.colour()"), COLOUR) == {}
    assert told(sources, "tree", SHAKE) == {}


def test_what_is_called_for_the_name_of_a_frames_method_is_of_its_class(sources: Sources) -> None:
    source = sources.of_module("autumnwood")
    assert isinstance(source, ModuleSource)
    keys = {key.qualname: key for key, _ in source.codes()}
    frames = tuple(TargetFrame(keys[name], source.path, 1, line, None, True) for name, line in (BLOW, SHAKE, COLOUR))
    owners = owners_by_method(CrashTarget("autumnwood", "ZeroDivisionError", "", frames))
    assert {name: owner.__name__ for name, owner in owners.items()} == {"colour": "Leaf"}  # the first frame is the way in
