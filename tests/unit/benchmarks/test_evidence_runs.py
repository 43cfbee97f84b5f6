"""The order of runs, what is found again after a stop, and the report, with searches that only pretend."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("scipy", reason="the extra `experiments` is not installed")
pytest.importorskip("matplotlib", reason="the extra `experiments` is not installed")

from benchmarks.comparison.crashes import Crash
from benchmarks.comparison.runs import FAILED
from benchmarks.comparison.runs import Key as CrashKey
from benchmarks.comparison.runs import Row as CrashRow
from benchmarks.evidence.__main__ import parse, write
from benchmarks.evidence.block_coverage import BlockCoverage
from benchmarks.evidence.crash_runs import CRASH_FORM, CrashPlace
from benchmarks.evidence.each_frame import EachFrame
from benchmarks.evidence.experiment import Experiment
from benchmarks.evidence.flag_gradient import FlagGradient
from benchmarks.evidence.flags_on_crashes import FlagsOnCrashes
from benchmarks.evidence.guided_operators import GuidedOperators
from benchmarks.evidence.paired import find
from benchmarks.evidence.record import Stores, fill, open_stores
from benchmarks.evidence.schedule import turn, work
from benchmarks.evidence.smart_selection import SmartSelection
from benchmarks.evidence.suite_runs import SUITE_FORM, SuitePlace
from benchmarks.evidence.timed_selection import TimedSelection
from benchmarks.flags.census import Census
from benchmarks.suites import processor_session
from benchmarks.suites.runs import Key, Place, Row

from crashwright.core.settings import Budget
from crashwright.core.suite import CRITERIA
from crashwright.engine.sessions.suite import SuiteSession
from crashwright.engine.worker.protocol import Clocks, Resume, Workbench

SATURATED = "m:saturated"


class Pretending:
    """Runs at once; ``left`` many, then it is stopped. ``made`` has the keys of all."""

    def __init__(self, left: int = 1000) -> None:
        self.left = left
        self.made: list[object] = []

    def suite(self, _place, configuration, key, limits, _replay) -> Row | None:
        if not self._goes_on(key):
            return None
        met = 10 if key.module == SATURATED else 5 + ("smart" in key.configuration)
        coverage = dict.fromkeys(configuration.criteria, (met, 10))
        return Row(key, coverage, 3, 9, ((50, met),), key.evaluations, 2.0, 1.0, "budget")

    def crash(self, _aim, configuration, key, limits) -> CrashRow | None:
        if not self._goes_on(key):
            return None
        found = 400 if "unguided" not in configuration.name and key.crash != "hard" else None
        if configuration.name.endswith("/published"):
            found = 300 if key.frame <= (2 if key.seed > 1 and "bbc" in configuration.name else 1) else None
        decided = 7 if "bbc" in configuration.secondary and key.crash == "tied" else 0
        row = CrashRow(key, 2, found, 500, 4 if found else 1, 2, 0.0, 2.0, 2.0, "budget", pairs=100, decided=decided)
        return replace(row, ended=FAILED, note="broken") if key.crash == "broken" else row

    def over(self) -> bool:
        return self.left <= 0

    def _goes_on(self, key: object) -> bool:
        self.left -= 1
        if self.left >= 0:
            self.made.append(key)
        return self.left >= 0


class Aimless:
    def aim(self, crash: Crash, frame: int | None = None):
        keys = [SimpleNamespace(module="m", qualname=name) for name in ("outer", "middle", "inner")]
        frames = [SimpleNamespace(key=key) for key in keys[: 1 if crash.name == "easy" else 3]]
        target = SimpleNamespace(exception="KeyError", package="m", package_frames=frames)
        return SimpleNamespace(crash=crash, frame=len(frames) if frame is None else frame, target=target)

    def problem(self, crash: Crash, frame: int | None = None) -> str:
        return "not installed" if crash.name == "absent" else ""


CENSUSES = {
    "m": Census(("a", "saturated", "b", "f.<locals>.g", "plain"), ("a", "saturated", "b", "f.<locals>.g")),
    "n": Census((), (), "no source"),
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite"


def all_four(stores: Stores, pretending: Pretending) -> list[Experiment]:
    at = SuitePlace(stores["suite_runs"], Place("python"), "c", 60.0, pretending.suite)
    crashes = [Crash(name, Path(), Path()) for name in ("tied", "easy", "hard", "broken", "absent")]
    crash_at = CrashPlace(stores["crash_runs"], crashes, Aimless(), "c", 60.0, pretending.crash)
    return [
        FlagGradient(at, stores["censuses"], ("m", "n"), 2, 2, 100, lambda _python, module: CENSUSES[module]),
        SmartSelection(at, ("x", "y"), 2, 100),
        BlockCoverage(crash_at, 2, 2, 500),
        GuidedOperators(crash_at, 2, 2, 500),
    ]


def keys_in(stores: Stores) -> list[object]:
    return [row.key for table in ("suite_runs", "crash_runs") for row in stores[table].rows()]


def close(stores: Stores) -> None:
    for store in stores.values():
        store.close()


@pytest.fixture
def stores(file: Path) -> Iterator[Stores]:
    opened = open_stores(file)
    yield opened
    close(opened)


def test_what_is_stopped_goes_on_without_loss_or_repetition(file: Path) -> None:
    straight = Pretending()
    stores = open_stores(file.with_name("straight.sqlite"))
    assert work(all_four(stores, straight), straight.over, print)
    expected = keys_in(stores)
    close(stores)
    keys: list[object] = []
    found: list[object] = []
    for _ in range(1000):
        stopped, stores = Pretending(left=7), open_stores(file)
        done = work(all_four(stores, stopped), stopped.over, print)
        found = keys_in(stores)
        close(stores)
        keys += stopped.made
        if done:
            break
    assert len(keys) == len(set(keys))
    assert keys == straight.made  # the order is the same, too
    assert found == expected


def test_pairs_follow_each_other_and_every_module_has_one_early(stores: Stores) -> None:
    pretending = Pretending()
    chosen = all_four(stores, pretending)[1]
    work([chosen], pretending.over, print)
    keys = [key for key in pretending.made if isinstance(key, Key)]
    pairs = list(zip(keys[::2], keys[1::2], strict=True))
    assert all((one.module, one.seed) == (other.module, other.seed) for one, other in pairs)
    assert all(one.configuration.replace("/smart", "/all") == other.configuration for one, other in pairs)
    assert [one.module for one, _ in pairs[:4]] == ["x", "y", "x", "y"]
    assert [key.seed for key in keys] == [1] * 12 + [2] * 12
    assert len({(key.module, key.configuration) for key in keys[:12]}) == 12


def test_algorithms_together_are_as_other_seeds(stores: Stores) -> None:
    pretending = Pretending()
    chosen = all_four(stores, pretending)[1]
    work([chosen], pretending.over, print)
    found = find(chosen.values(), chosen.contrasts[0], chosen.contrasts[0].measures[0])
    assert found is not None
    assert [len(pairs.first) for pairs in found.pairs] == [6, 6]
    assert found.difference == pytest.approx(0.1)


def test_experiments_share_the_time(stores: Stores) -> None:
    pretending = Pretending(left=40)
    chosen = all_four(stores, pretending)
    work(chosen, pretending.over, print)
    spent = [one.spent() for one in chosen]
    assert max(spent) - min(spent) <= 4.0
    assert turn(chosen) is not None


def test_functions_are_those_that_a_search_leaves_open(stores: Stores) -> None:
    pretending = Pretending()
    flags = all_four(stores, pretending)[0]
    work([flags], pretending.over, print)
    assert sorted(flags.subjects()) == ["m:a", "m:b"]
    assert "4 of 5 functions with decisions in 1 modules" in flags.details()
    assert flags.tallied().planned == 2 * 6 * 2
    assert {key.seed for key in pretending.made if isinstance(key, Key) and key.configuration == "screening"} == {0}
    assert {value.seed for value in flags.values()} == {1, 2}


def test_crashes_are_those_that_can_tell(stores: Stores) -> None:
    pretending = Pretending()
    _, _, blocks, guided = all_four(stores, pretending)
    work([blocks, guided], pretending.over, print)
    assert blocks.subjects() == ["tied"]
    assert blocks.tallied().planned == 1 * 6 * 2  # nothing else decides ties
    assert sorted(guided.subjects()) == ["easy", "tied"]
    assert "decides ties in 1 of them as it is built, in 1 by the letter" in blocks.details()
    assert "0 such pairs of runs" in blocks.details()
    assert all(isinstance(key, CrashKey) for key in pretending.made)


@pytest.mark.nightly
def test_the_report_says_what_was_not_run_and_keeps_what_was_written_by_hand(stores: Stores, tmp_path: Path) -> None:
    pretending = Pretending(left=60)
    chosen = all_four(stores, pretending)
    work(chosen, pretending.over, print)
    write(chosen, stores, "c", tmp_path)
    text = (tmp_path / "evidence.md").read_text()
    assert "**Not run:**" in text
    assert "dynamosa/smart : dynamosa/all" in text
    assert (tmp_path / "evidence-004.svg").exists()
    (tmp_path / "evidence.md").write_text(text.replace("Not written yet.", "By hand."))
    write(chosen, stores, "c", tmp_path)
    assert (tmp_path / "evidence.md").read_text().endswith("By hand.\n")


@pytest.mark.nightly
def test_another_store_goes_on_from_the_report(stores: Stores, tmp_path: Path) -> None:
    pretending = Pretending(left=30)
    chosen = all_four(stores, pretending)
    work(chosen, pretending.over, print)
    write(chosen, stores, "c", tmp_path)
    other = open_stores(tmp_path / "other.sqlite")
    assert fill(other, tmp_path / "evidence.json") == 30 + 2  # and the censuses
    assert fill(other, tmp_path / "evidence.json") == 0
    assert {row.key: row for row in other["suite_runs"].rows()} == {row.key: row for row in stores["suite_runs"].rows()}
    assert [turn(all_four(place, Pretending()))[1].name for place in (stores, other)] == [turn(chosen)[1].name] * 2
    close(other)


def test_experiments_on_crashes_need_a_pack(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse(["--store", "s"]).experiment == ("003", "004")
    assert parse(["--store", "s", "--pack", "p", "--venvs", "v"]).experiment == (
        "003",
        "004",
        "000",
        "001",
        "000-frames",
        "003-crashes",
    )
    with pytest.raises(SystemExit):
        parse(["--store", "s", "--experiment", "000"])
    with pytest.raises(SystemExit):
        parse(["--store", "s", "--experiment", "005"])
    assert "--pack" in capsys.readouterr().err


def test_all_criteria_are_measures_of_the_selection() -> None:
    assert [measure.name for measure in SmartSelection.contrasts[0].measures][: len(CRITERIA)] == list(CRITERIA)
    assert {SUITE_FORM.table, CRASH_FORM.table} == {"suite_runs", "crash_runs"}


def test_each_frame_is_the_target_from_the_outermost_in(stores: Stores) -> None:
    pretending = Pretending()
    at = CrashPlace(stores["crash_runs"], [Crash("deep", Path(), Path()), Crash("easy", Path(), Path())], Aimless(), "c", 9.0)
    frames = EachFrame(replace(at, search=pretending.crash), 2, 2, 500)
    work([frames], pretending.over, print)
    assert list(frames.subjects()) == ["deep"]  # the other has one frame
    order = [(key.seed, key.frame) for key in pretending.made if isinstance(key, CrashKey)]
    assert order == [(1, 3)] * 4 + [(1, 2)] * 4 + [(1, 1)] * 4 + [(2, 3)] * 4 + [(2, 2)] * 4
    # The second seed reproduced a frame further out: there it is compared, with both seeds.
    assert frames.outermost_reproduced() == {"deep": 2}
    found = find(frames.values(), frames.contrasts[0], frames.contrasts[0].measures[0])
    assert found is not None
    assert [(one.first, one.second) for one in found.pairs] == [((0.0, 1.0), (0.0, 0.0))]
    assert "| deep | 3, 2, 1 | 2 |" in frames.details()
    assert frames.tallied().planned == 3 * 4 * 2


def test_flags_are_compared_on_crashes_that_have_some_on_the_way(stores: Stores) -> None:
    pretending = Pretending()
    crashes = [Crash(name, Path(), Path()) for name in ("easy", "hard", "plain", "broken", "absent")]
    at = CrashPlace(stores["crash_runs"], crashes, Aimless(), "c", 9.0, pretending.crash)
    asked = lambda aim: Census(("f",), () if aim.crash.name == "plain" else ("g",))  # noqa: E731
    flags = FlagsOnCrashes(at, stores["censuses"], 4, 1, 500, asked)
    work([flags], pretending.over, print)
    assert sorted(flags.subjects()) == ["easy", "hard"]
    assert "for 3 of 4 crashes" in flags.details()
    assert {key.configuration for key in pretending.made if isinstance(key, CrashKey)} == {
        "product/interprocedural",
        "product/none",
    }


def test_time_bounds_runs_where_it_is_asked_to(stores: Stores) -> None:
    pretending = Pretending()
    at = SuitePlace(stores["suite_runs"], Place("python"), "c", 60.0, pretending.suite)
    timed = TimedSelection(at, ("x",), 1, 30)
    work([timed], pretending.over, print)
    assert {one.settings(1, 0).budget for one in timed.configurations.values()} == {Budget(30.0, None)}
    assert [key.configuration for key in pretending.made if isinstance(key, Key)][:2] == [
        "whole-suite/smart/30s",
        "whole-suite/all/30s",
    ]
    assert [one.configuration for one in timed.values()].count("smart/30s") == 3


@dataclass
class Seen:
    """What a search was given."""

    wall: Callable[[], float]
    seconds: float


def test_the_clock_of_a_timed_search_goes_while_it_computes_in_whatever_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Seen] = []
    monkeypatch.setattr(SuiteSession, "run", lambda _self, bench, resume: seen.append(Seen(bench.clocks.wall, resume.seconds)))
    computed = [5.0]
    bench = Workbench(None, Clocks(lambda: 1e9, lambda: computed[0], time.time), *[None] * 5)  # type: ignore[arg-type]
    session = processor_session.session()
    session.run(bench, Resume(None, (), 900.0))
    computed[0] = 7.5
    assert (seen[0].seconds, seen[0].wall()) == (0.0, 2.5)
    computed[0] = 0.0  # another process
    session.run(bench, Resume(None, (), 1000.0))
    computed[0] = 1.0
    assert (seen[1].seconds, seen[1].wall()) == (2.5, 1.0)
    session.run(bench, Resume(None, (), 1000.0))
    assert seen[2].seconds == 3.5


def test_time_is_never_what_bounds_runs_by_itself() -> None:
    assert "004-time" not in parse(["--store", "s", "--pack", "p", "--venvs", "v"]).experiment
    assert parse(["--store", "s", "--experiment", "004-time"]).experiment == ("004-time",)
