"""A function off the chain that stops most tests becomes a goal while the search stands still, and is dropped again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import gated

from crashwright.core.location import CodeKey
from crashwright.engine.execution.outcome import Outcome, RaisedFrame
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.instrument.trace import Trace
from crashwright.engine.search.blocker_probes import BlockerProbes
from crashwright.engine.search.blockers import PATIENCE, STANDSTILL, Blockers, OpenBlocker
from crashwright.engine.subject.source import Sources

FAR = CrashScore(1.0, 0, 0, 0)
NOWHERE = Trace((), [])


def raised(call: Callable[[], object]) -> Outcome:
    """As the executor tells it: without our own frame."""
    try:
        call()
    except (ValueError, TypeError) as error:
        frames = []
        step = error.__traceback__
        while step is not None:
            frames.append(RaisedFrame(step.tb_frame.f_code, step.tb_lineno, step.tb_lasti))
            step = step.tb_next
        return Outcome(0, error, tuple(frames[2:]))  # ours, and that of the lambda
    return Outcome(1)


def key(function: object) -> CodeKey:
    code = function.__code__  # type: ignore[attr-defined]
    return CodeKey("gated", code.co_qualname, code.co_firstlineno)


def probes(recorder: Recorder | None = None, heard: list[str] | None = None) -> BlockerProbes:
    def note(node: object) -> None:
        if heard is not None:
            heard.append(node.name)  # type: ignore[attr-defined]

    return BlockerProbes(recorder or Recorder(), Sources(), "gated", [key(gated.Gate.open)], note)


def test_the_innermost_function_that_decides_is_what_stopped_a_run() -> None:
    stopped = raised(lambda: gated.Gate(7, "x"))
    assert [frame.code.co_name for frame in stopped.frames] == ["__init__", "check", "refuse"]
    assert probes().find(stopped.frames, within_chain=False) == key(gated.check)
    assert probes().find(stopped.frames, within_chain=True) is None  # it was not called by the chain
    crashed = raised(lambda: gated.Gate(100_041, "x" * 12).open())
    assert probes().find(crashed.frames, within_chain=False) is None
    assert probes().find((), within_chain=False) is None


def test_the_distance_falls_on_the_way_through_the_function() -> None:
    farther_to_nearer = [(7, "x"), (99_999, "x"), (100_000, "x"), (100_040, "x"), (100_041, "x")]
    recorder = Recorder()
    heard: list[str] = []
    opened = probes(recorder, heard).open(key(gated.check))
    assert opened is not None
    try:

        def distance(*arguments: object) -> float:
            recorder.reset()
            outcome = raised(lambda: gated.Gate(*arguments))
            return opened.distance(outcome, recorder.trace())

        found = [distance(*arguments) for arguments in farther_to_nearer]
        assert found == sorted(found, reverse=True)
        assert len(set(found)) == len(found)
        assert distance(100_041, "x" * 11) > distance(100_041, "x" * 12) == 0.0
        assert distance() == 1.0  # the constructor was not even called
        assert heard == ["check"]
    finally:
        opened.close()
    recorder.reset()
    raised(lambda: gated.Gate(7, "x"))
    assert not recorder.trace().activations


def test_code_that_was_exchanged_is_told_so_that_isolation_does_not_put_it_back() -> None:
    told: list[bool] = []
    plain = gated.check.__code__
    finder = BlockerProbes(Recorder(), Sources(), "gated", [], exchanged=lambda: told.append(gated.check.__code__ is plain))
    opened = finder.open(key(gated.check))
    assert opened is not None
    opened.close()
    assert told == [False, True]


class Finding:
    """Every run ends in ``name``."""

    def __init__(self, name: str | None = "check", distance: float = 0.5) -> None:
        self.name, self.distance = name, distance
        self.opened: list[str] = []
        self.closed: list[str] = []
        self.writing: tuple[CodeKey, ...] = ()

    def find(self, frames: Sequence[RaisedFrame], within_chain: bool) -> CodeKey | None:
        return None if self.name is None else CodeKey("gated", self.name, 1)

    @property
    def writers(self) -> tuple[CodeKey, ...]:
        return self.writing

    def open(self, key: CodeKey) -> OpenBlocker | None:
        self.opened.append(f"{key.name}, writing" if key in self.writing else key.name)
        return OpenBlocker(lambda _outcome, _trace: self.distance, lambda: self.closed.append(key.name))


def noted(finding: Finding, tests: int, score: CrashScore = FAR) -> tuple[Blockers, list[float]]:
    revised: list[float] = [0.0]
    blockers = Blockers(finding, lambda change: revised.append(change(revised[-1])))
    run(blockers, tests, score)
    return blockers, revised


def run(blockers: Blockers, tests: int, score: CrashScore = FAR) -> list[float]:
    outcome = raised(lambda: gated.Gate(7, "x"))
    found = [blockers.distance(outcome, NOWHERE, score) for _ in range(tests)]
    blockers.advance()
    return found


def test_it_is_opened_when_the_search_stands_still_and_not_before() -> None:
    finding = Finding()
    blockers, revised = noted(finding, STANDSTILL)
    assert finding.opened == []
    run(blockers, 1)
    assert (finding.opened, revised) == (["check"], [0.0, 1.0])
    assert run(blockers, 3) == [0.5] * 3


def test_it_is_closed_when_the_crash_comes_nearer() -> None:
    finding = Finding()
    blockers, revised = noted(finding, STANDSTILL + 1)
    assert run(blockers, 2, FAR._replace(fitness=0.9)) == [0.0, 0.0]
    assert (finding.closed, revised) == (["check"], [0.0, 1.0, 0.0])


def test_it_is_given_up_where_nothing_comes_nearer_to_passing_it() -> None:
    finding = Finding()
    blockers, _ = noted(finding, STANDSTILL + 1)
    for nearer in (0.4, 0.3):
        run(blockers, PATIENCE)
        assert finding.closed == []
        finding.distance = nearer
    run(blockers, PATIENCE + 2)
    assert (finding.opened, finding.closed) == (["check"], ["check"])  # and not tried again


def test_nothing_is_opened_where_tests_end_in_different_places() -> None:
    finding = Finding(None)
    noted(finding, STANDSTILL + 1)
    assert finding.opened == []


def test_what_writes_for_a_guard_is_a_goal_before_what_blocks() -> None:
    finding = Finding()
    finding.writing = (CodeKey("gated", "fill", 9),)
    blockers, _ = noted(finding, STANDSTILL + 1)
    run(blockers, STANDSTILL + 1)
    blockers.advance()
    assert finding.opened == ["fill, writing", "check"]
