"""The stages with a search that is told what to find: no run twice, whole blocks, and the highest frame."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.comparison.campaign import Campaign, Scope
from benchmarks.comparison.configurations import Configuration
from benchmarks.comparison.crashes import Aim, Aims, Crash
from benchmarks.comparison.plan import Kind, Screening
from benchmarks.comparison.runs import FORM, Key, Limits, Row
from benchmarks.store import Store
from comparison_rows import row

from crashwright.core.target import CrashTarget

NAMES = ("guided", "random")
FRAMES = 3


class HandMade(Aims):
    """Aims that no report is read for."""

    def aim(self, crash: Crash, frame: int | None = None) -> Aim:
        return Aim(crash, CrashTarget("p", "ValueError", "", ()), (), frame or FRAMES, FRAMES)

    def walked(self, aim: Aim) -> Aim:
        return aim


class Searches:
    """Succeeds where ``finds`` says so, and counts."""

    def __init__(self, finds: Callable[[Key], int | None]) -> None:
        self.finds = finds
        self.made: list[Key] = []

    def __call__(self, aim: Aim, configuration: Configuration, key: Key, limits: Limits) -> Row | None:
        if limits.stop():
            return None
        self.made.append(key)
        assert (aim.crash.name, aim.frame, configuration.name) == (key.crash, key.frame, key.configuration)
        return row(key.crash, key.configuration, key.seed, self.finds(key), frame=key.frame, total=FRAMES)


def campaign(tmp_path: Path, names: str, searches: Searches, **scope: int) -> Campaign:
    crashes = [Crash(name, tmp_path, tmp_path) for name in names.split()]
    screening = Screening(seeds=2, failures=2, configurations=("ordered+bbc", "random"))
    what = Scope(("ordered+bbc", "random"), 3, 1000, "c", screening=screening, **scope)
    store = Store(tmp_path / "rows.sqlite", FORM)
    return Campaign(what, crashes, store, HandMade(), 2, 60.0, time.monotonic() + 60, lambda _line: None, searches)


def by_name(key: Key) -> int | None:
    """``easy`` is always found, ``part`` by the guided search, ``low`` from frame 1, ``hard`` never."""
    part = 5 if key.configuration == "ordered+bbc" else None
    return {"easy": 1, "part": part, "low": 9 if key.frame == 1 else None, "hard": None}[key.crash]


def test_stages_from_screening_to_the_highest_frame(tmp_path: Path) -> None:
    searches = Searches(by_name)
    run = campaign(tmp_path, "easy hard low part", searches, draw=10)
    run.screen()
    assert run.kinds() == {"easy": Kind.ALWAYS, "hard": Kind.NEVER, "low": Kind.NEVER, "part": Kind.PARTIAL}
    selection = run.selection()
    assert list(selection.chosen)[:2] == ["part", "easy"]
    assert run.estimate(selection) > 0
    run.main(selection)
    assert run.estimate(selection) == 0
    frames = {name: [key.frame for key in searches.made if key.crash == name] for name in ("easy", "part", "low", "hard")}
    assert all(made == [FRAMES] * 6 for made in frames.values())  # screening runs are part of the blocks
    run.r_max(selection)
    frames = {name: [key.frame for key in searches.made if key.crash == name] for name in ("easy", "part", "low", "hard")}
    assert frames["easy"] == frames["part"] == [FRAMES] * 6
    assert sorted(frames["low"]) == [1] * 6 + [2] * 4 + [3] * 6  # two seeds found nothing at frame 2
    assert sorted(frames["hard"]) == [1] * 4 + [2] * 4 + [3] * 6
    assert len(set(searches.made)) == len(searches.made)


def test_nothing_is_made_twice(tmp_path: Path) -> None:
    first = campaign(tmp_path, "easy part", Searches(by_name))
    first.screen()
    before = len(first.store.rows())
    first.store.close()
    searches = Searches(by_name)
    again = campaign(tmp_path, "easy part", searches)
    again.screen()
    assert searches.made == []
    selection = again.selection()
    again.main(selection)
    assert len(again.store.rows()) == before + len(searches.made) == 12


def test_a_stopped_campaign_leaves_whole_runs_only(tmp_path: Path) -> None:
    searches = Searches(by_name)
    run = campaign(tmp_path, "easy part hard", searches)

    def stop(key: Key) -> int | None:
        run.stopped = len(searches.made) >= 3
        return by_name(key)

    searches.finds = stop
    run.screen()
    assert run.over()
    assert "drawn" not in str(run.selection().chosen)  # nothing is drawn from crashes that are not all screened
    assert run.selection().left_out["hard"] == "not screened"
    assert {one.key for one in run.store.rows()} == set(searches.made)
    assert len(searches.made) <= 4  # two threads


def test_no_run_begins_after_the_deadline(tmp_path: Path) -> None:
    run = campaign(tmp_path, "easy", Searches(by_name))
    run.deadline = time.monotonic()
    run.screen()
    run.main(run.named())
    run.r_max(run.named())
    assert run.store.rows() == []
