"""What is kept between runs, and that nothing about it can make a run fail."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from crashwright.workflows.reproduce.cache import FOLDER, Cache, CachedTest, RunState

TEST = {"callees": [], "statements": [["Literal", 1, 2]]}
FOUND = CachedTest(TEST, 4, "the message", 12, "crashwright reproduce x", "shop 1", "3.11.7", "2026-11-02")
STATE = RunState((TEST,), 500, 1.5)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "deep" / "er").mkdir(parents=True)
    return tmp_path


def test_found_tests_come_back_anywhere_in_the_project(project: Path) -> None:
    Cache.open(project / "deep" / "er").save_found("k", FOUND)
    assert Cache.open(project).load_found("k") == FOUND
    assert Cache.open(project).load_found("other") is None
    assert (project / FOLDER / ".gitignore").read_text() == "*\n"


def test_outside_a_project_only_a_running_search_is_written(tmp_path: Path) -> None:
    cache = Cache.open(tmp_path)
    cache.save_found("k", FOUND)
    assert cache.load_found("k") is None
    assert os.listdir(tmp_path) == []
    cache.save_running("k", 1, STATE)
    assert (tmp_path / FOLDER / "running" / "k-1.json").is_file()
    cache.clear_running("k", 1)
    assert os.listdir(tmp_path) == []


def test_without_reading_or_writing(project: Path) -> None:
    Cache.open(project, writes=False).save_found("k", FOUND)
    Cache.open(project, writes=False).save_running("k", 1, STATE)
    assert sorted(os.listdir(project)) == ["deep", "pyproject.toml"]
    Cache.open(project).save_found("k", FOUND)
    assert Cache.open(project, reads=False).load_found("k") is None


def test_killed_search_is_taken_up_and_an_ended_one_is_gone(project: Path) -> None:
    script = (
        "import os, signal, sys; from pathlib import Path\n"
        "from crashwright.workflows.reproduce.cache import Cache, RunState\n"
        "cache = Cache.open(Path(sys.argv[1]))\n"
        f"cache.save_running('k', 1, RunState(({TEST!r},), 500, 1.5))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(project)], check=False)
    cache = Cache.open(project)
    assert cache.load_running("k", 2) is None
    assert cache.load_running("k", 1) == STATE
    cache.clear_running("k", 1)
    assert Cache.open(project).load_running("k", 1) is None
    assert not (project / FOLDER).exists()


def test_found_tests_stay_when_a_search_ends(project: Path) -> None:
    cache = Cache.open(project)
    cache.save_running("k", 1, STATE)
    cache.save_found("k", FOUND)
    cache.clear_running("k", 1)
    assert sorted(os.listdir(project / FOLDER)) == [".gitignore", "README", "found"]


def test_search_that_still_runs_is_left_alone(project: Path) -> None:
    running, second = Cache.open(project), Cache.open(project)
    running.save_running("k", 1, STATE)
    assert second.load_running("k", 1) is None
    second.save_running("k", 1, RunState((), 1))
    second.clear_running("k", 1)
    assert len(second.notes) == 1
    running.clear_running("k", 1)
    assert not (project / FOLDER).exists()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "\x00\xff",
        '{"schema": 1}',
        '{"schema": 1, "test": {"statements": []}, "level": "4"}',
        '{"schema": 1, "test": [], "level": 4}',
        '{"schema": 1, "test": {"statements": 3}, "level": 4}',
        "[" * 100_000,
    ],
)
def test_damaged_and_foreign_files_are_one_note(project: Path, text: str) -> None:
    cache = Cache.open(project)
    cache.save_found("k", FOUND)
    file = project / FOLDER / "found" / "k.json"
    file.write_text(text, encoding="latin-1")
    assert cache.load_found("k") is None
    assert cache.load_found("k") is None
    assert len(cache.notes) <= 1
    cache.save_found("k", FOUND)
    assert Cache.open(project).load_found("k") == FOUND


def test_other_schema_is_passed_over_without_a_word(project: Path) -> None:
    cache = Cache.open(project)
    cache.save_found("k", FOUND)
    file = project / FOLDER / "found" / "k.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "schema": 99}))
    assert (cache.load_found("k"), cache.notes) == (None, [])


def test_folder_that_cannot_be_written_is_one_note(project: Path) -> None:
    (project / FOLDER).write_text("a file in the way")
    cache = Cache.open(project)
    cache.save_found("k", FOUND)
    cache.save_running("k", 1, STATE)
    cache.clear_running("k", 1)
    assert cache.load_found("k") is None
    assert 1 <= len(cache.notes) <= 2
    assert (project / FOLDER).read_text() == "a file in the way"


def test_runs_beside_each_other_leave_whole_files(project: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from crashwright.workflows.reproduce.cache import Cache, CachedTest\n"
        "for number in range(60): Cache.open(Path(sys.argv[1])).save_found('k', "
        "CachedTest({'callees': [], 'statements': [['x' * 5000, number]]}, 4))\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", script, str(project)]) for _ in range(2)]
    cache = Cache.open(project)
    while any(writer.poll() is None for writer in writers):
        cache.load_found("k")
    assert cache.notes == []
    assert cache.load_found("k") is not None
    assert os.listdir(project / FOLDER / "found") == ["k.json"]
