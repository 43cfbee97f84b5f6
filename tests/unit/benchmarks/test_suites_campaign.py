"""Configurations, rows in their file, runs that are missing, and messages of engines."""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path

import pytest

pytest.importorskip("scipy", reason="the extra `experiments` is not installed")

from benchmarks.comparison.provenance import Invocation
from benchmarks.comparison.runs import Limits
from benchmarks.store import Store
from benchmarks.suites.campaign import Campaign, Scope
from benchmarks.suites.configurations import (
    ALGORITHMS,
    APPROACHES,
    DEFAULT,
    FLAGS,
    Configuration,
    approached,
    varied,
)
from benchmarks.suites.modules import LARGE, TUNING, corpus, taking_turns
from benchmarks.suites.record import load, save
from benchmarks.suites.runs import FORM, Key, Place, Row, after, too_long
from suite_rows import BUDGET, record, row, rows

from crashwright.core.messages import EndReason, Failed, FailureKind, Finished, Incident, IncidentKind, SuiteProgress
from crashwright.core.settings import EngineSettings
from crashwright.core.suite import CRITERIA, CriterionCoverage, ModuleTarget
from crashwright.workflows.generate.request import SuiteRequest

# Configurations


def test_the_default_is_what_the_product_does() -> None:
    request, default = SuiteRequest("m"), varied()[DEFAULT]
    assert default.search == request.search
    assert default.target("m") == ModuleTarget("m", (), request.criteria, request.selection)


def _facts(one: Configuration) -> dict[str, object]:
    settings = one.settings(7, 100)
    assert (settings.budget.seconds, settings.budget.evaluations, settings.search.seed) == (None, 100, 7)
    found = dataclasses.asdict(settings.search)
    return {
        **found.pop("suite"),
        **{f"search {name}": value for name, value in found.items()},
        **dataclasses.asdict(one.target("m")),
    }


def test_the_others_differ_from_it_in_one_thing() -> None:
    found = varied()
    default = _facts(found.pop(DEFAULT))
    changed = [{name: value for name, value in _facts(one).items() if value != default[name]} for one in found.values()]
    assert all(len(one) == 1 for one in changed)
    assert len({repr(one) for one in changed}) == len(changed) >= 12
    factors = {name for one in changed for name in one}
    assert factors == {
        *("search algorithm", "population", "search secondary", "crowding"),
        *("newcomers", "tournament", "flags", "search length"),
    }


def test_approaches() -> None:
    found = {one: approached("mosa", one) for one in APPROACHES}
    assert [found[one].selection for one in ("smart", "all", "smart-no-subsumption")] == ["smart", "all", "smart-no-subsumption"]
    assert all(found[one].criteria == CRITERIA for one in ("smart", "all", "smart-no-subsumption"))
    assert found["line"].target("m") == ModuleTarget("m", (), ("line",), "all", FLAGS)
    assert found["exception"].criteria == ("branch", "exception")
    assert found["output"].criteria == ("branch", "output")
    assert {one.search.algorithm for one in found.values()} == {"mosa"}
    assert len({approached(algorithm, one).name for algorithm in ALGORITHMS for one in APPROACHES}) == 33


def test_modules(tmp_path: Path) -> None:
    file = tmp_path / "corpus.json"
    file.write_text('[{"id": "P1", "module": "b.c"}, {"id": "P2", "module": "d"}]')
    assert corpus(file) == ("b.c", "d")
    assert corpus(None) == ()
    assert taking_turns(("a", "x", "y"), ("b", "x")) == ("a", "b", "x", "y")
    assert len(TUNING) >= 8
    assert len(LARGE) >= 5


# Rows


def test_rows_come_back(tmp_path: Path) -> None:
    made = [row("m", "a", 1, 10), row("m", "a", 2, 0, ended="failed")]
    first = Store(tmp_path / "rows.sqlite", FORM)
    for one in made:
        first.add(one)
    first.note(Invocation("2026", "python", "c", "a machine", "3.11", 2))
    first.close()
    again = Store(tmp_path / "rows.sqlite", FORM)
    assert [again.get(one.key) for one in made] == made
    assert again.get(Key("m", "a", 3, BUDGET, "c")) is None
    assert [one.jobs for one in again.invocations("c")] == [2]
    assert again.invocations("other") == []
    again.forget(one for one in again.rows(commit="c") if not one.good)
    assert [again.get(one.key) for one in made] == [made[0], None]
    again.close()
    assert Store(tmp_path / "rows.sqlite", FORM).get(made[1].key) is None


def test_the_json_file_says_it_all(tmp_path: Path) -> None:
    one = record(rows("m", "a", (10, 20)), "m n", ("a", "b"), 2)
    save(one, tmp_path / "suites.json")
    assert load(tmp_path / "suites.json") == one
    (tmp_path / "other.json").write_text('{"fields": ["module"], "runs": []}')
    with pytest.raises(ValueError, match="does not have the fields"):
        load(tmp_path / "other.json")


# Runs


class Searches:
    """Counts, and stops the campaign after ``most`` runs."""

    def __init__(self, most: int = 10**6) -> None:
        self.most = most
        self.made: list[Key] = []

    def __call__(self, place: Place, configuration: Configuration, key: Key, limits: Limits, replay: bool) -> Row | None:
        if limits.stop() or len(self.made) == self.most:
            return None
        assert (place.python, configuration.name, replay) == ("py", key.configuration, True)
        self.made.append(key)
        return row(key.module, key.configuration, key.seed, 10)


def campaign(tmp_path: Path, searches: Searches, jobs: int = 1) -> Campaign:
    scope = Scope(("m", "n"), {name: Configuration(name) for name in "ab"}, 2, BUDGET, "c", True)
    store = Store(tmp_path / "rows.sqlite", FORM)
    return Campaign(scope, Place("py"), store, jobs, 60.0, time.monotonic() + 60, lambda _line: None, searches)


def test_modules_are_run_one_after_the_other_and_seed_by_seed(tmp_path: Path) -> None:
    searches = Searches()
    campaign(tmp_path, searches).make()
    assert [(key.module, key.seed, key.configuration) for key in searches.made][:5] == [
        *(("m", 1, "a"), ("m", 1, "b"), ("m", 2, "a"), ("m", 2, "b"), ("n", 1, "a"))
    ]
    assert len(searches.made) == 8


def test_no_run_is_made_twice(tmp_path: Path) -> None:
    first, second = Searches(3), Searches()
    stopped = campaign(tmp_path, first)
    stopped.make()
    assert stopped.estimate() == (5, 10.0)  # two seconds each
    stopped.store.close()
    again = campaign(tmp_path, second, jobs=3)
    again.make()
    assert set(first.made).isdisjoint(second.made)
    assert (len(again.rows()), again.estimate()) == (8, (0, 0.0))


def test_nothing_begins_when_time_is_up(tmp_path: Path) -> None:
    searches = Searches()
    late = campaign(tmp_path, searches)
    late.deadline = time.monotonic()
    late.make()
    assert searches.made == []


def _progress(evaluations: int, branches: int, phase: str = "search") -> SuiteProgress:
    coverage = (CriterionCoverage("branch", branches, 50), CriterionCoverage("exception", 3, 3))
    return SuiteProgress(1.0, evaluations, coverage, 9, branches, 50, phase)


def test_the_curve_keeps_what_is_new() -> None:
    one = Row(Key("m", "a", 1, BUDGET, "c"))
    # After a test that ended the process a search has less than before, for a while.
    for message in (_progress(50, 0), _progress(100, 9), _progress(150, 9), _progress(200, 4), _progress(250, 12)):
        one = after(one, message)
    assert one.curve == ((100, 9), (250, 12))
    assert (one.used, one.tests, one.coverage) == (250, 12, {"branch": (12, 50), "exception": (3, 3)})
    assert after(one, Incident(IncidentKind.REFUSED, "no")) == one
    assert not one.good
    assert after(one, Finished(EndReason.BUDGET, 300, 1.0)).good
    failed = after(one, Failed(FailureKind.IMPORT, "no such module"))
    assert (failed.ended, failed.note, failed.good) == ("failed", "no such module", False)


def test_a_busy_machine_is_no_reason_to_give_up() -> None:
    assert not too_long(61, lambda: 20.0, 60)
    assert too_long(61, lambda: 60.0, 60)
    assert too_long(61, lambda: 0.0, 60)
    assert too_long(180, lambda: 20.0, 60)
    assert EngineSettings().limits.test_seconds <= 1.0  # see runs.REPLAY_SECONDS
