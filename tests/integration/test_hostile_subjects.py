"""Hostile subjects: nothing outside the scratch folder is touched, the right thing is said, and the engine goes on."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest
from patience import HANG

from crashwright.core.messages import FailureKind, Finished, Ready, StartSuite
from crashwright.core.settings import Budget, EngineSettings, LimitSettings, SearchSettings
from crashwright.core.suite import ModuleTarget
from crashwright.engine.execution.confinement import landlock
from crashwright.engine.execution.confinement.syscalls import System, Unavailable
from crashwright.supervision.engine_process import EngineProcess


def has_landlock() -> bool:
    try:
        return landlock.version(System()) > 0
    except Unavailable:
        return False


needs_kernel = pytest.mark.skipif(not has_landlock(), reason="this kernel has no Landlock, or has it switched off")


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


def each_and_a_look(*names):
    """A plan: after each of them a test that looks whether all is as it was."""
    return [step for name in names for step in (name, "state_is_clean")]


def test_a_hang_in_python_costs_its_limit_only(engine):
    names = ("loops", "sleeps", "locks", "reads_what_never_comes", "waits_for_a_peer", "swallows_once")
    story = engine("hostile", each_and_a_look(*names))
    assert story.finished
    assert [story.results[name]["timed_out"] for name in names] == [True] * len(names)
    assert [error for name, error in story.steps if name == "state_is_clean"] == [None] * len(names)
    assert {result["generation"] for result in story.results.values()} == {0}, "no new fork was needed"
    assert story.seconds < HANG


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
    assert story.seconds < HANG


@pytest.mark.parametrize(
    "deaths",
    [{"hard_exit": "exit code 0", "segfaults": "SIGSEGV"}, {"aborts": "SIGABRT", "kills_itself": "SIGKILL"}],
    ids=lambda deaths: " ".join(deaths),
)
def test_a_death_is_told_and_the_killer_not_run_again(engine, deaths):
    story = engine("hostile", ["fine", *(step for name in deaths for step in (name, "fails"))])
    assert story.finished
    assert [how for how in deaths.values() if how not in story.incidents] == []
    assert story.incidents.count("will not be run again") == len(deaths)
    assert story.steps == [("fine", None), *[("fails", "ValueError")] * len(deaths)]
    assert story.results["fine"]["generation"] == 0
    assert story.results["fails"]["generation"] == len(deaths)


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
    for two in (plan[:2], plan[2:]):  # not all refusals of a longer plan are told
        story = engine("hostile", [step for one in two for step in (one, "state_is_clean")])
        assert story.steps == [step for name, _ in two for step in ((name, "PermissionError"), ("state_is_clean", None))]
        for name, path in two:
            assert f"refused: {'remove' if name == 'removes' else 'open for writing'} {path}" in story.incidents
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
    "allowances",
    [
        {"forks": "processes", "runs_program": "processes", "runs_shell": "processes"},
        {"kills_parent": "processes", "raises_limits": "processes", "connects": "network"},
    ],
    ids=lambda allowances: " ".join(allowances),
)
def test_processes_and_network_are_refused(engine, allowances):
    story = engine("hostile", each_and_a_look(*allowances))
    assert story.steps == [step for name in allowances for step in ((name, "PermissionError"), ("state_is_clean", None))]
    for name, allowance in allowances.items():
        assert f"--allow {allowance}" in story.results[name]["message"]
    assert story.incidents.count("refused: ") == len(allowances)  # of more than three not all are told


def test_output_goes_nowhere_and_input_is_empty(engine):
    story = engine("hostile", ["floods", "prints", "reads", "replaces_streams", "prints", "closes_streams", "prints"])
    results = survivors(story)
    assert story.finished
    assert results.pop("reads") == "EOFError"
    assert set(results.values()) == {None}


def test_standard_descriptors_that_are_closed_cost_no_new_process(engine):
    plan = ["closes_standard_output", "closes_streams", "prints", ("closes_the_descriptor_of", 2), "closes_streams", "fine"]
    story = engine("hostile", plan)
    assert story.finished
    assert "renewed" not in story.incidents
    assert {result["generation"] for result in story.results.values()} == {0}
    assert story.results["prints"]["error"] is None


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
    assert story.seconds < HANG


def test_a_thread_left_running_ends_the_fork_not_the_search(engine):
    story = engine("hostile", ["short_thread", "leaves_thread", "state_is_clean"])
    assert story.finished
    assert "a test left a thread running" in story.incidents
    assert story.results["short_thread"]["generation"] == 0
    assert story.results["state_is_clean"]["generation"] == 1


def test_scratch_is_fit_for_work(engine):
    story = engine("hostile", ["works_in_scratch", "nothing_here"], limits=LimitSettings(test_seconds=1.0))
    assert survivors(story) == {"works_in_scratch": None, "nothing_here": None}


def test_ticks_do_not_interrupt_calls_that_are_judged(engine):
    story = engine("hostile", ["changes_modes"], limits=LimitSettings(test_seconds=5.0))
    assert survivors(story) == {"changes_modes": None}


@needs_kernel
def test_the_kernel_keeps_files_that_no_audit_event_tells_of(engine, tmp_path):
    (tmp_path / "file").write_text("precious")
    (tmp_path / "file").chmod(0o640)
    errors = {
        "attaches_database": "OperationalError",
        "makes_fifo": "PermissionError",
        "opens_below_folder": "PermissionError",
        "changes_mode_below_python": "PermissionError",
    }
    plan = [(name, str(tmp_path / ("file" if name == "changes_mode_below_python" else name))) for name in errors]
    story = engine("hostile", [step for one in plan for step in (one, "state_is_clean")])
    assert story.steps == [step for one in errors.items() for step in (one, ("state_is_clean", None))]
    assert os.listdir(tmp_path) == ["file"]
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o640


@needs_kernel
def test_the_kernel_refuses_what_goes_round_python(engine):
    names = ("forks_below_python", "executes_below_python", "kills_below_python", "connects_below_python")
    story = engine("hostile", each_and_a_look(*names))
    assert story.steps == [step for name in names for step in ((name, "PermissionError"), ("state_is_clean", None))]
    assert story.results["state_is_clean"]["generation"] == 0


@needs_kernel
def test_the_engine_s_own_descriptors_survive(engine):
    story = engine("hostile", ["closes_everything", "fine", "writes_into_every_descriptor", "state_is_clean"])
    assert story.finished
    assert survivors(story)["state_is_clean"] is None
    assert story.results["fine"]["generation"] == 0, "nothing of ours was closed"
    assert "disturbed: a test wrote into the engine's own pipe" in story.incidents


def test_files_left_open_end_the_fork_not_the_search(engine):
    story = engine("hostile", ["fine", "leaves_files_open", "leaves_files_open", "state_is_clean"])
    assert story.finished
    assert survivors(story)["state_is_clean"] is None


def test_what_holds_is_told(engine):
    (ready,) = engine("hostile", ["fine"]).of(Ready)
    assert ready.confined.text
    assert "limits" in ready.confined.text


def subject(folder: Path, text: str) -> Path:
    (folder / "importing.py").write_text(text + "\ndef fine():\n    pass\n")
    return folder


@pytest.mark.parametrize(
    ("text", "what", "allowance"),
    [
        ("open({0!r}, 'w')", "open for writing", "write:"),
        ("import subprocess; subprocess.run(['true'])", "start a process", "processes"),
        ("import os; os.fork()", "start a process", "processes"),
        ("import socket; socket.create_connection(('127.0.0.1', 9))", "use the network", "network"),
        ("try:\n open({0!r}, 'w')\nexcept OSError:\n raise RuntimeError('not configured') from None", "open for writing", "write:"),
    ],
)
def test_an_import_is_confined_and_its_failure_names_the_refusal(engine, tmp_path, text, what, allowance):
    precious = tmp_path / "precious"
    story = engine("importing", ["fine"], path=subject(tmp_path, text.format(str(precious))))
    assert story.failure.kind is FailureKind.IMPORT
    assert f"crashwright refused to {what}" in story.failure.text
    assert f"--allow {allowance}" in story.failure.text
    assert not precious.exists()


def test_an_import_that_can_do_without_goes_on(engine, tmp_path):
    text = "import subprocess\ntry:\n    subprocess.run(['true'])\nexcept OSError:\n    pass"
    story = engine("importing", ["fine"], path=subject(tmp_path, text))
    assert survivors(story) == {"fine": None}
    assert any(what.startswith("start a process") for what in story.of(Ready)[0].confined.import_refused)


def test_an_import_may_be_allowed_more(engine, tmp_path):
    precious = tmp_path / "precious"
    child = "import sys; open(sys.argv[1], 'w')"
    text = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {child!r}, {str(precious)!r}], check=True)"
    story = engine("importing", ["fine"], path=subject(tmp_path, text), allow=("processes", f"write:{tmp_path}"))
    assert survivors(story) == {"fine": None}
    assert precious.exists()


@needs_kernel
def test_an_import_that_only_the_kernel_refuses_is_explained(engine, tmp_path):
    story = engine("importing", ["fine"], path=subject(tmp_path, f"import os; os.mkfifo({str(tmp_path / 'fifo')!r})"))
    assert story.failure.kind is FailureKind.IMPORT
    assert "--allow network, processes or write:FOLDER" in story.failure.text


def test_an_import_that_stops_the_clock_does_not_stop_the_search_from_ending(tmp_path):
    (tmp_path / "stopped.py").write_text("import time\ntime.monotonic = lambda: 0.0\ndef halve(number): return number / 2\n")
    settings = EngineSettings(
        SearchSettings(algorithm="dynamosa"), Budget(0.5), path=(str(tmp_path),), scratch=str(tmp_path / "scratch")
    )
    start = StartSuite(settings, ModuleTarget("stopped"))
    with EngineProcess(sys.executable, start, "crashwright.engine.sessions.suite") as process:
        *_, last = process.messages(time.monotonic() + HANG)
    assert isinstance(last, Finished), last
