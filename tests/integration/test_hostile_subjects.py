"""Hostile subjects: nothing outside the scratch folder is touched, the right thing is said, and the engine goes on."""

from __future__ import annotations

import os

import pytest

from crashwright.core.settings import LimitSettings


def survivors(story):
    return {name: result["error"] for name, result in story.results.items()}


def test_ordinary_outcomes_of_every_kind(engine):
    story = engine("hostile", ["fine", "fails", "exits", "interrupts", "recurses", "big_allocation", "fine", "state_is_clean"])
    assert story.finished
    assert survivors(story) == {
        "fine": None,
        "fails": "ValueError",
        "exits": "SystemExit",
        "interrupts": "KeyboardInterrupt",
        "recurses": "RecursionError",
        "big_allocation": "MemoryError",
        "state_is_clean": None,
    }
    assert story.results["fails"]["frames"] == ["fails"]
    assert story.results["recurses"]["generation"] == 0
    assert not story.incidents


@pytest.mark.parametrize("name", ["loops", "sleeps", "locks", "swallows_once"])
def test_a_hang_in_python_costs_its_limit_only(engine, name):
    story = engine("hostile", [name, "state_is_clean"])
    assert story.finished
    assert story.results[name]["timed_out"]
    assert survivors(story)["state_is_clean"] is None
    assert story.results["state_is_clean"]["generation"] == 0, "no new fork was needed"
    assert story.seconds < 8.0


@pytest.mark.parametrize("name", ["loops_swallowing", "backtracks", "sums", "destructor_hangs"])
def test_a_hang_that_swallows_or_runs_in_c_is_killed_and_quarantined(engine, name):
    story = engine("hostile", ["fine", name, "state_is_clean"])
    assert story.finished
    if name in story.results:
        assert story.results[name]["timed_out"]
    else:
        assert "killed: a test used up its time" in story.incidents
        assert story.results["state_is_clean"]["generation"] == 1
    assert survivors(story)["state_is_clean"] is None
    assert story.seconds < 10.0


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("hard_exit", "exit code 0"),
        ("segfaults", "SIGSEGV"),
        ("aborts", "SIGABRT"),
        ("kills_itself", "SIGKILL"),
    ],
)
def test_a_death_is_told_and_the_killer_not_run_again(engine, name, how):
    story = engine("hostile", ["fine", name, "fails"])
    assert story.finished
    assert how in story.incidents
    assert "will not be run again" in story.incidents
    assert survivors(story) == {"fine": None, "fails": "ValueError"}
    assert story.results["fine"]["generation"] == 0
    assert story.results["fails"]["generation"] == 1


def test_memory_is_bounded(engine):
    story = engine("hostile", ["eats_memory", "state_is_clean"], limits=LimitSettings(memory_mib=256, test_seconds=2.0))
    assert story.finished
    assert survivors(story) == {"eats_memory": "MemoryError", "state_is_clean": None}


def test_nothing_outside_the_scratch_folder_is_written_or_removed(engine, tmp_path):
    precious = tmp_path / "precious"
    precious.write_text("precious")
    link = tmp_path / "link"
    link.symlink_to(precious)
    plan = [("writes", str(precious)), ("removes", str(precious)), ("writes", str(link)), ("writes", str(tmp_path / "new"))]
    for step in plan:
        story = engine("hostile", [step, "state_is_clean"])
        assert survivors(story) == {step[0]: "PermissionError", "state_is_clean": None}
        assert f"refused: {'remove' if step[0] == 'removes' else 'open for writing'} {step[1]}" in story.incidents
    assert precious.read_text() == "precious"
    assert sorted(os.listdir(tmp_path)) == ["link", "precious"]


def test_what_the_user_allows_is_possible(engine, tmp_path):
    story = engine("hostile", [("writes", str(tmp_path / "new"))], allow=(f"write:{tmp_path}",))
    assert survivors(story) == {"writes": None}
    assert (tmp_path / "new").read_text() == "gone"


def test_the_scratch_folder_is_empty_at_the_beginning_of_each_test(engine):
    story = engine("hostile", ["writes_here", "nothing_here", "home_is_empty", ("writes", "here"), "nothing_here"])
    assert set(survivors(story).values()) == {None}


@pytest.mark.parametrize(
    ("name", "allowance"),
    [
        ("forks", "processes"),
        ("runs_program", "processes"),
        ("runs_shell", "processes"),
        ("kills_parent", "processes"),
        ("raises_limits", "processes"),
        ("connects", "network"),
    ],
)
def test_processes_and_network_are_refused(engine, name, allowance):
    story = engine("hostile", [name, "state_is_clean"])
    assert survivors(story) == {name: "PermissionError", "state_is_clean": None}
    assert f"--allow {allowance}" in story.results[name]["message"]
    assert "refused: " in story.incidents


def test_output_goes_nowhere_and_input_is_empty(engine):
    story = engine("hostile", ["floods", "prints", "reads", "replaces_streams", "prints", "closes_streams", "prints"])
    results = survivors(story)
    assert story.finished
    assert results.pop("reads") == "EOFError"
    assert set(results.values()) == {None}


def test_mocks_are_undone_and_do_not_harm_the_engine(engine):
    story = engine("hostile", ["mocks", "state_is_clean", "loops", "hard_exit", "changes_settings", "state_is_clean"])
    results = survivors(story)
    assert story.finished
    assert results["state_is_clean"] is None
    assert story.results["loops"]["timed_out"]


def test_a_stopped_clock_is_noticed_by_the_parent(engine):
    story = engine("hostile", ["disarms", "loops", "state_is_clean"])
    assert story.finished
    assert survivors(story)["state_is_clean"] is None
    assert story.seconds < 10.0


def test_a_thread_left_running_ends_the_fork_not_the_search(engine):
    story = engine("hostile", ["short_thread", "leaves_thread", "state_is_clean"])
    assert story.finished
    assert "a test left a thread running" in story.incidents
    assert story.results["short_thread"]["generation"] == 0
    assert story.results["state_is_clean"]["generation"] == 1
