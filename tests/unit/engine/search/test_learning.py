"""What a search learns between two generations, whatever it is for."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

from crashwright.engine.search.learning import Learning
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Value

MADE = Callee("m", "made", CalleeKind.FUNCTION)
LEFT = Callee("m", "left", CalleeKind.FUNCTION)


class World:
    """Notes results for as many looks as ``runs``, and what comparisons wanted."""

    def __init__(self) -> None:
        self.observed: Mapping[Callee, Iterable[type]] = {MADE: {int: None}}
        self.runs = 0
        self.wanted: list[Value] = []
        self.compared: list[tuple[Value, Value]] = []
        self.answering = False

    @property
    def observing(self) -> bool:
        self.runs -= 1
        return self.runs > 0

    def observe(self, runs: int) -> None:
        self.runs = runs

    def note_wanted(self, on: bool) -> None:
        assert on

    def take_wanted(self) -> list[Value]:
        taken, self.wanted = self.wanted, []
        return taken

    def note_answers(self, on: bool) -> None:
        self.answering = on

    def answers(self) -> list[tuple[Value, Value]]:
        return self.compared


def learning(world: World, scratch: str = "", structured: bool = False) -> tuple[Factory, Learning]:
    factory = Factory(ApiModel("json", ["json"]), SeedPool(structured=structured), (), 40)
    return factory, Learning(factory, world, world, 2, scratch)


def test_names_of_the_scratch_folder_are_no_seeds() -> None:
    world = World()
    factory, learns = learning(world, "/tmp/crashwright-zoo-a1b2c3")
    world.wanted = ["/tmp/crashwright-zoo-a1b2c3/x", b"crashwright-zoo", "crash", 7]
    learns.advance()
    rng = random.Random(1)
    drawn = {factory.pool.draw(rng, cls) for cls in (str, bytes, int) for _ in range(20)}
    assert drawn == {"crash", None, 7}


def test_results_are_learnt_until_they_are_no_longer_noted() -> None:
    world = World()
    factory, learns = learning(world)
    learns.advance()
    assert factory.observed == {MADE: int}
    learns.advance()
    world.observed = {LEFT: {str: None}}
    learns.advance()
    assert LEFT not in factory.observed


def test_what_was_compared_is_learnt_with_what_was_wanted_in_its_place_unless_texts_are_switched_off() -> None:
    world = World()
    factory, learns = learning(world, "/tmp/crashwright-zoo-a1b2c3", structured=True)
    world.compared = [("a", "shelf"), ("/tmp/crashwright-zoo-a1b2c3", "/"), (1, 7)]
    learns.advance()
    assert world.answering
    assert factory.pool.answers == [("a", "shelf"), (1, 7)]
    learning(world)
    assert not world.answering
