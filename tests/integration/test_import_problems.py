"""Subjects that cannot be imported: the user is told why, in words, and in time."""

from __future__ import annotations

import re
import sys

import pytest
from engine_story import HERE
from patience import HANG

from crashwright.core.messages import FailureKind
from crashwright.core.settings import LimitSettings

SHORT = LimitSettings(import_seconds=0.5, longest_import=0.5)


@pytest.fixture
def subject(tmp_path, engine):
    def run(source, name="victim", **options):
        (tmp_path / "victim.py").write_text(source)
        return engine(name, [], path=tmp_path, **options)

    return run


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("import sys; sys.exit(3)", "victim called sys.exit(3) at import"),
        ("raise ValueError('no luck')", "the import of victim failed: ValueError: no luck"),
        ("def f(:", "SyntaxError"),
        ("import no_such_thing_at_all", "victim needs the module no_such_thing_at_all, which is not there, in the environment of"),
        ("from os import no_such_name", "cannot import name 'no_such_name'"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    ],
)
def test_what_failed_is_said(subject, source, text):
    story = subject(source)
    assert not story.ready
    assert story.failure.kind is FailureKind.IMPORT
    assert text in story.failure.text
    assert "victim.py" in story.failure.detail


def test_a_missing_subject_says_where_to_install_it(subject):
    story = subject("", name="victim_of_nobody")
    assert story.failure.text.startswith("there is no module victim_of_nobody, in the environment of ")
    # Its distribution may be called otherwise: pip could fetch a stranger's package.
    assert "pip install" not in story.failure.text + story.failure.advice
    assert sys.executable in story.failure.text


@pytest.mark.parametrize("source", ["while True: pass", "import time; time.sleep(3000)"])
def test_a_hang_at_import_ends(subject, source):
    story = subject(source, limits=SHORT)
    # After half a second, or when a busy machine lets its clock look.
    assert re.fullmatch(r"the import of victim did not finish in \d+(\.\d)? s", story.failure.text)
    assert story.seconds < HANG


def test_a_hang_in_c_at_import_is_ended_by_the_host(subject, monkeypatch):
    monkeypatch.setattr("crashwright.supervision.engine_process.IMPORT_GRACE", 0.3)
    story = subject("sum(range(10**12))", limits=SHORT)
    assert story.failure.kind is FailureKind.SLOW_IMPORT
    assert "could not be interrupted" in story.failure.text
    assert story.seconds < HANG


@pytest.mark.parametrize(("source", "how"), [("import os; os._exit(7)", "exit code 7"), ("import os; os.abort()", "SIGABRT")])
def test_a_death_at_import_is_told(subject, source, how):
    story = subject(source)
    assert story.failure.kind is FailureKind.IMPORT
    assert how in story.failure.text


def test_prints_at_import_do_not_reach_the_host(subject):
    source = "import os; print('hello'); os.write(1, b'hello'); os.write(2, b'hello'); os.system('echo hello')"
    assert subject(source, allow=("processes",)).finished


def test_nothing_of_ours_is_importable_for_the_subject(subject):
    source = """
import importlib.util, sys
assert not [name for name in sys.modules if name.startswith("crashwright.") and name.split(".")[1] not in ("core", "engine")]
for name in ("crashwright.cli", "crashwright.supervision"):
    assert importlib.util.find_spec(name) is None, name
assert not [folder for folder in sys.path if folder.endswith("crashwright")]
assert "" not in sys.path
"""
    assert subject(source).finished


def test_import_that_computes_is_let_on_and_one_that_waits_is_not(subject):
    patient = LimitSettings(import_seconds=0.5, longest_import=30.0)
    computes = "import time\nend = time.process_time() + 1.2\nwhile time.process_time() < end: pass\ndef fine(): return 1\n"
    assert subject(computes, limits=patient).ready
    story = subject("import time; time.sleep(3000)", limits=patient)
    assert story.failure.text.startswith("the import of victim did not finish in")
    assert story.failure.kind is FailureKind.WAITING_IMPORT
    assert story.seconds < HANG


@pytest.mark.nightly
def test_slow_set_up_in_the_zygote_is_no_import_that_hangs(subject, monkeypatch):
    monkeypatch.setattr("crashwright.supervision.engine_process.IMPORT_GRACE", 0.2)
    limits = LimitSettings(import_seconds=3.0, longest_import=3.0)
    story = subject("def fine(): return 1", name="victim", session=str(HERE / "slow_session.py"), limits=limits)
    assert story.ready
    assert story.finished
