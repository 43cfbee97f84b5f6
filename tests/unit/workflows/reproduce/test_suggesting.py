"""When the suggesting program is asked, what becomes of its answers, and that a replay is given the same at the same places."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from hand_clock import Clock

from crashwright.core.messages import CandidateTried, Progress
from crashwright.supervision.asked_program import ProgramAnswer
from crashwright.workflows.reproduce.suggesting import (
    STANDSTILL_SECONDS,
    STANDSTILL_TESTS,
    Suggesting,
    read_recorded,
    recorded,
)

GOOD = json.dumps({"code": "import shop\nshop.f(1)\n"})


@dataclass
class Program:
    """Answers one after the other; None: it works for ever."""

    answers: list[ProgramAnswer | None]
    questions: list[str] = field(default_factory=list)
    ended: int = 0

    def ask(self, text: str, seconds: float) -> Program:
        assert seconds > 0
        self.questions.append(text)
        return self

    def poll(self) -> ProgramAnswer | None:
        return self.answers.pop(0) if self.answers[0] is not None else None

    def end(self) -> None:
        self.ended += 1


@dataclass
class World:
    program: Program
    clock: Clock = field(default_factory=Clock)
    told: list[str] = field(default_factory=list)

    def suggesting(self, calls: int = 3) -> Suggesting:
        def question(call: int, progress: Progress | None, best: tuple[dict[str, Any], ...]) -> str:
            return f"{call} {0 if progress is None else progress.evaluations} {len(best)}"

        one = Suggesting(
            self.program.ask, question, self.told.append, lambda text: text.replace("hunter2", "xxx"), self.clock, calls
        )
        one.for_engine()
        return one


def progress(evaluations: int, distance: float = 1.0) -> Progress:
    return Progress(1.0, evaluations, 1, 2, distance, "shop.py:3")


def test_it_is_asked_at_the_start_and_where_the_search_stands_still_and_no_oftener() -> None:
    world = World(Program([ProgramAnswer(GOOD), ProgramAnswer(GOOD), ProgramAnswer(GOOD)]))
    suggesting = world.suggesting(calls=2)
    assert suggesting.news() is None
    news = suggesting.news()
    assert news is not None
    assert [one.name for one in news.candidates] == ["suggestion 1.1"]
    suggesting.hear(progress(100))
    world.clock.now += STANDSTILL_SECONDS + 1
    assert suggesting.news() is None
    assert len(world.program.questions) == 1  # time alone is no standstill
    suggesting.hear(progress(100 + STANDSTILL_TESTS))
    suggesting.news()
    assert world.program.questions == ["1 0 0", f"2 {100 + STANDSTILL_TESTS} 0"]
    suggesting.news()
    world.clock.now += 100
    suggesting.hear(progress(100_000))
    suggesting.news()
    assert len(world.program.questions) == 2


def test_progress_puts_the_next_question_off() -> None:
    world = World(Program([ProgramAnswer(GOOD)]))
    suggesting = world.suggesting()
    suggesting.news(), suggesting.news()
    for step in range(1, 5):
        world.clock.now += STANDSTILL_SECONDS
        suggesting.hear(progress(step * STANDSTILL_TESTS, 1.0 / step))
        assert suggesting.news() is None
    assert len(world.program.questions) == 1


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (ProgramAnswer("", "it ended with exit status 1: no key hunter2"), "it ended with exit status 1: no key xxx"),
        (ProgramAnswer(""), "it answered nothing"),
        (ProgramAnswer("I think\nthat it is late"), "2 of 2 lines of its answer are not candidates"),
        (ProgramAnswer('{"code": "this is no python"}'), "candidate suggestion 1.1: not valid Python: invalid syntax, line 1"),
        (ProgramAnswer("\n".join([GOOD] * 60)), "10 candidates beyond the first 50 are left out"),
        (ProgramAnswer('{"code": 3}\n[1]\nnull\n"f()"'), "3 of 4 lines of its answer are not candidates"),
    ],
)
def test_what_is_wrong_with_an_answer_is_said_in_one_line(answer: ProgramAnswer, said: str) -> None:
    world = World(Program([answer]))
    suggesting = world.suggesting()
    suggesting.news()
    suggesting.news()
    assert world.told == [f"the suggesting program, call 1: {said}"]


def test_a_program_that_hangs_is_ended_with_the_search_and_one_that_cannot_start_is_asked_once() -> None:
    world = World(Program([None]))
    suggesting = world.suggesting()
    for _ in range(5):
        assert suggesting.news() is None
    suggesting.end()
    suggesting.end()
    assert world.program.ended == 1

    def ask(text: str, seconds: float) -> Program:
        raise FileNotFoundError(2, "No such file or directory")

    suggesting = World(Program([])).suggesting()
    suggesting.ask = ask
    told: list[str] = []
    suggesting.tell = told.append
    suggesting.news(), suggesting.news()
    assert told == ["the suggesting program cannot be started: No such file or directory"]


def test_code_is_tried_as_it_was_answered_and_recorded_without_secrets() -> None:
    world = World(Program([ProgramAnswer(json.dumps({"code": "import shop\nshop.f('hunter2')\n"}))]))
    suggesting = world.suggesting()
    learned: list[str] = []
    suggesting.learn = learned.append
    suggesting.news()
    news = suggesting.news()
    assert news is not None
    assert "hunter2" in news.candidates[0].source
    assert learned == [news.candidates[0].source]
    suggesting.hear(CandidateTried("suggestion 1.1", 0, 1, 2, at=5))
    assert "f('xxx')" in recorded(suggesting.answered.values(), suggesting.sift)


def test_a_replay_is_given_the_same_to_the_same_engine_after_as_many_tests() -> None:
    world = World(Program([ProgramAnswer(GOOD)]))
    live = world.suggesting()
    live.news(), live.news()
    live.hear(CandidateTried("suggestion 1.1", 0, 1, 2, at=672))
    assert [one.at for one in live.for_engine()] == [0]  # another engine begins with it
    live.hear(CandidateTried("suggestion 1.1", 0, 1, 2, at=0))
    kept = read_recorded(recorded(live.answered.values()))
    replay = Suggesting(None, live.question, live.tell, live.sift, world.clock, known=kept)
    assert not replay.may_ask
    assert replay.news() is None
    assert [one.at for one in replay.for_engine()] == [672]
    assert [one.at for one in replay.for_engine()] == [0]
    with pytest.raises(ValueError, match="line 1"):
        read_recorded("[]\n")
