"""Subjects that sleep, or take longer at their first call than a test may: they are warmed up, for a crash and for a suite."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from command import Place

from crashwright.core.messages import Failed, StartSuite, Suite
from crashwright.core.settings import Budget, EngineSettings, SearchSettings
from crashwright.core.suite import ModuleTarget
from crashwright.supervision.engine_process import EngineProcess

SUITE = "crashwright.engine.sessions.suite"

SUBJECT = '''\
"""Notes in a language of their own."""

_grammar = None
_ready = False


def _compile():
    global _grammar, _ready
    end = 0
    for _ in range(30):  # longer than a test may take
        end = sum(range(250_000))
    _grammar = {"note": "#", "end": end}
    _ready = True


def work(text: str) -> int:
    """How many notes there are.

    >>> work("one # two")
    1
    """
    if not _ready:
        _compile()
    notes = text.count(_grammar["note"])
    if notes > 2 and text.endswith("#"):
        raise ValueError("too many")
    if text.startswith("-"):
        return 0
    return notes
'''

SLEEPER = '''\
"""Tries again."""

import time


def work(attempts: int) -> int:
    """Wait longer each time.

    >>> work(1)
    1
    """
    for attempt in range(attempts):
        time.sleep(300.0 * attempt)
        if attempt == 40:
            raise ValueError("too many")
    return attempts
'''


def test_a_crash_behind_a_slow_first_call_is_found(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.subject(SUBJECT)
    done = place.reproduce("--evaluations", "3000", "--no-cache", "--json")
    assert done.code == 0, done.out + done.err
    result = json.loads(done.out)
    assert result["verdict"] == "reproduced"
    assert done.left_nothing


@pytest.mark.nightly
def test_a_crash_of_the_first_call_alone_is_found_before_the_subject_is_warm(tmp_path: Path) -> None:
    place = Place(tmp_path)
    cold = "    _ready = True\n    if end:\n        raise ValueError('too many')  # cold\n"
    place.subject(SUBJECT.replace("    _ready = True\n", cold), "# cold")
    report = place.report.read_text()
    line = SUBJECT.splitlines().index("        _compile()") + 3
    place.report.write_text(
        report.replace(", in work", ", in _compile").replace(
            '  File "/srv/victim.py"', f'  File "/srv/victim.py", line {line}, in work\n    _compile()\n  File "/srv/victim.py"'
        )
    )
    done = place.reproduce("--evaluations", "3000", "--no-cache", "--json")
    assert done.code == 0, done.out + done.err
    assert json.loads(done.out)["verdict"] == "reproduced"


@pytest.mark.nightly
def test_a_suite_covers_what_runs_once_and_what_runs_after(tmp_path: Path) -> None:
    (tmp_path / "notes.py").write_text(SUBJECT)
    settings = EngineSettings(SearchSettings(algorithm="dynamosa"), Budget(None, 1000), path=(str(tmp_path),))
    suites = []
    with EngineProcess(sys.executable, StartSuite(settings, ModuleTarget("notes", (), ("line", "branch"))), SUITE) as engine:
        for message in engine.messages():
            assert not isinstance(message, Failed), message
            if isinstance(message, Suite):
                suites.append(message)
    suite = suites[-1]  # the engine sends what it has before it makes it small
    assert [(one.criterion, one.covered, one.total) for one in suite.coverage] == [("line", 14, 14), ("branch", 10, 10)]


def test_a_crash_behind_long_sleeps_is_found_and_printed_without_them(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.subject(SLEEPER)
    done = place.reproduce("--evaluations", "3000", "--no-cache", "--json")
    assert done.code == 0, done.out + done.err
    [test] = [path.read_text() for path in place.written if path.suffix == ".py"]
    assert 'monkeypatch.setattr("time.sleep", lambda seconds: None)' in test
