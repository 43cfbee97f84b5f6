"""From frame to frame: calls that are written, and those that instructions make by themselves."""

from __future__ import annotations

from textwrap import dedent

import pytest
from walked import loaded, of_level, target_of, walked

from crashwright.engine.goals.crash.precondition import distance

SOURCE = """
class Box:
    def __init__(self, held, limit=3):
        self.held = held
        if limit < len(held):
            raise ValueError(limit)

    def __getitem__(self, place):
        return self.held[place]

    def __contains__(self, word):
        return word in self.held[7]

    def __add__(self, other):
        return self.held + other[9]

    def __len__(self):
        return self.held[8]

    @property
    def first(self):
        return self.held[5]


def crashing(box, place):
    if place > 1:
        return %s
"""


@pytest.mark.parametrize(
    ("use", "passes"),
    [
        ("box[place]", "crashing(Box([1, 2, 3]), 2)"),
        ("'a' in box", "crashing(Box([1, 2, 3]), 1)"),
        ("box + [1]", "crashing(Box([1, 2, 3]), 1)"),
        ("len(box)", "crashing(Box([1, 2, 3]), 1)"),
        ("box.first", "crashing(Box([1, 2, 3]), 1)"),
        ("Box(box.held, place)", "crashing(Box([1, 2]), 2)"),
    ],
)
def test_the_caller_has_a_precondition(use: str, passes: str) -> None:
    source = dedent(SOURCE) % use
    module = loaded(source)
    with pytest.raises((IndexError, ValueError)) as caught:
        module.crashing(module.Box([1, 2, 3]), 2 if "held" in use else 7)
    target = target_of(caught.value)
    assert len(target.frames) == 2
    outer = of_level(walked(source, target)[0], 2)
    assert outer
    box = module.Box([1, 2, 3])
    assert distance(outer, {"box": box, "place": 2 if "held" in use else 7}) == 0
    held, place = (module.Box([1, 2]), 2) if "held" in use else (box, 1)
    assert distance(outer, {"box": held, "place": place}) > 0
    eval(passes, vars(module))


def test_a_variable_that_becomes_its_own_attribute() -> None:
    source = "def crashing(link):\n    if link:\n        link = link.above\n    return 7 // link\n"
    with pytest.raises(ZeroDivisionError) as caught:
        loaded(source).crashing(0)
    assert of_level(walked(source, target_of(caught.value))[0], 1)
