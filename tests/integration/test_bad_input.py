"""Bad input at the command line: one clear message, the documented exit code, nothing touched, nothing found lost, nothing left."""

from __future__ import annotations

import os
import signal
import textwrap
import time
from pathlib import Path

import pytest
from command import Done, Place, slowness
from patience import HANG

from crashwright.cli.main import run

PLAIN = """
def work(number):
    if number > 3:
        raise ValueError("too many")
    return number
"""
HARMFUL = """
import {imports}

def work(number):
{harm}
    if number > 3:
        raise ValueError("too many")
    return number
"""
NEVER = """
import hashlib

def work(text):
    if hashlib.sha256(str(text).encode()).hexdigest().startswith("0000000"):
        raise ValueError("too many")
    return text
"""
"""A crash that no search finds."""
QUICK = ("--evaluations", "2000")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.fixture
def here(place: Place, monkeypatch: pytest.MonkeyPatch) -> Place:
    """A place in whose empty folder this process works."""
    monkeypatch.chdir(place.work)
    monkeypatch.setattr("tempfile.tempdir", str(place.temporary))
    return place


def only_message(done: Done, code: int) -> str:
    """The one message of a run that ended with ``code`` and left nothing."""
    assert done.code == code, (done.out, done.err)
    assert "Traceback" not in done.err
    assert done.left_nothing, (done.processes, done.scratch)
    message, *advice = done.messages
    assert message.startswith("crashwright: ")
    assert len(advice) <= 1
    return message.removeprefix("crashwright: ")


def refused(place: Place, capsys, *arguments: str) -> str:
    """The one message of a command that is refused before anything is started, run in this process."""
    assert run(["reproduce", str(place.report), "--path", str(place.code), *arguments]) == 3
    said = capsys.readouterr()
    message, *advice = [line for line in said.err.splitlines() if not line.startswith("... ")]
    assert message.startswith("crashwright: ")
    assert (len(advice) <= 1, said.out, os.listdir(place.temporary), place.written) == (True, "", [], [])
    return said.err


def assert_reproduced(place: Place, done: Done) -> None:
    assert done.code == 0, (done.out, done.err)
    assert done.left_nothing, (done.processes, done.scratch)
    assert len(place.written) == 1
    assert "raise" not in place.written[0].read_text().partition('"""\n\n')[2].replace("raises_value_error", "")


# Reports


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"", "empty"),
        (b"  \n\n", "empty"),
        (bytes(range(256)) * 40, "no Python traceback"),
        (b"2024-11-02 ERROR it went wrong\nTypeError\n", "no Python traceback"),
        (b"Traceback (most recent call last):\nValueError: too many\n", "no frames"),
    ],
    ids=["missing", "empty", "blank", "binary", "log without a traceback", "no frames"],
)
def test_a_report_that_cannot_be_used(tmp_path, monkeypatch, capsys, content, text):
    monkeypatch.chdir(tmp_path)
    if content is not None:
        Path("crash.txt").write_bytes(content)
    assert run(["reproduce", "crash.txt"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) <= 2
    assert text.lower() in lines[0].lower()


def test_a_folder_as_a_report(tmp_path, capsys):
    assert run(["reproduce", str(tmp_path)]) == 2
    assert "Is a directory" in capsys.readouterr().err


# The package


def test_a_package_that_is_not_installed(here, capsys):
    here.subject(PLAIN)
    (here.code / "victim.py").unlink()
    here.report.write_text(here.report.read_text().replace("/srv/victim.py", "/srv/site-packages/victim/work.py"))
    assert "The package victim is not installed for" in refused(here, capsys)


def test_lines_that_have_moved_are_found_again(place):
    place.subject(PLAIN)
    module = place.code / "victim.py"
    module.write_text("# one\n# two\n# three\n# four\n# five\n" + module.read_text())
    done = place.reproduce(*QUICK)
    assert_reproduced(place, done)
    assert "victim.py:8" in done.out
    assert "victim.py:3 is at line 8 here" in done.out


def test_another_version_is_refused(here, capsys):
    here.subject(PLAIN)
    package = here.code / "victim"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "work.py").write_text(PLAIN.replace('raise ValueError("too many")', "return None"))
    (here.code / "victim.py").unlink()
    here.report.write_text(here.report.read_text().replace("/srv/victim.py", "/srv/victim/work.py"))
    said = refused(here, capsys)
    assert "The crash frame victim.work:3 in work cannot be placed" in said
    assert "crashwright needs the source of the version that crashed" in said


@pytest.mark.parametrize(
    ("source", "text"),
    [
        pytest.param("import no_such_module_here", "needs the module no_such_module_here", marks=pytest.mark.nightly),
        pytest.param("import ctypes; ctypes.string_at(0)", "ended the interpreter (SIGSEGV)", marks=pytest.mark.nightly),
    ],
    ids=["missing module", "segfault"],
)
def test_a_package_that_cannot_be_imported(place, source, text):
    """More of this in test_import_problems.py."""
    place.subject(f"{source}\n{PLAIN}")
    assert text in only_message(place.reproduce(), 3)


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("import time; time.sleep(3000)", id="asleep", marks=pytest.mark.nightly),
        pytest.param("sum(range(10**12))", id="in C", marks=pytest.mark.nightly),
    ],
)
def test_a_package_that_never_finishes_its_import(place, source):
    """Whether the engine says so itself or the host for it depends on the machine; test_import_problems.py has each of them."""
    place.subject(f"{source}\n{PLAIN}")
    budget = 2 + 2 * slowness()  # on a busy machine, reading alone takes two seconds
    done = place.reproduce("--budget", f"{budget:g}")
    message = only_message(done, 1)
    assert "The budget ended before the first test" in message
    assert "did not finish in" in message or "still being imported" in message
    assert "--budget" in done.err
    assert done.seconds < budget + HANG


FORKS = "import os, time\nif os.fork() == 0:\n    time.sleep(3000)\n    os._exit(0)"


def test_a_package_that_forks_at_import(place):
    place.subject(f"{FORKS}\n{PLAIN}")
    refused = place.reproduce(*QUICK)
    assert "--allow processes" in only_message(refused, 3)
    assert_reproduced(place, place.reproduce(*QUICK, "--allow", "processes"))


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(
            "import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()",
            marks=pytest.mark.nightly,
        ),
        pytest.param("import sys\nprint('x' * 100_000)\nsys.stdout = sys.stderr = None", marks=pytest.mark.nightly),
    ],
    ids=["starts a thread", "prints and closes"],
)
def test_a_package_that_does_strange_things_at_import(place, source):
    place.subject(f"{source}\n{PLAIN}")
    assert_reproduced(place, place.reproduce(*QUICK))


# What the code does when it is called

FOULS = """
print('x' * 50_000); sys.stderr.write('y' * 50_000)
sys.stdout = None; sys.stderr = 3; sys.stdin = ''
time.time = time.monotonic = time.perf_counter = lambda: 0.0
builtins.open = os.open = os.write = os.getcwd = None
signal.signal(signal.SIGALRM, signal.SIG_IGN); signal.setitimer(0, 0)
"""
"""What leaves the process alive, all in one call."""
REFUSED = {
    "os.fork()": "start a process (os.fork)",
    "os.system('touch {folder}/new')": "start a process (os.system)",
    "os.remove('{folder}/precious')": "remove",
    "shutil.rmtree('{folder}')": "",
    "pathlib.Path('{folder}/precious').write_text('gone')": "open for writing",
}
"""Calls, and what the story says they were refused to do ("": said already)."""


@pytest.mark.parametrize(
    ("imports", "harm"),
    [
        pytest.param("sys", "if number == 2: sys.exit(3)", id="sys.exit", marks=pytest.mark.nightly),
        pytest.param("os", "if number == 2: os._exit(0)", id="os._exit", marks=pytest.mark.nightly),
        pytest.param("ctypes", "if number == 1: ctypes.string_at(0)", id="segfault", marks=pytest.mark.nightly),
        pytest.param(
            "threading, time",
            "if number == 2: threading.Thread(target=time.sleep, args=(0.05,)).start()",
            id="threads",
            marks=pytest.mark.nightly,
        ),
        pytest.param(
            "os", "if number == 2: kept = [bytearray(1 << 30) for _ in range(1000)]", id="memory", marks=pytest.mark.nightly
        ),
        pytest.param("builtins, os, signal, sys, time", FOULS, id="streams, clocks, open, signals"),
    ],
)
def test_code_that_harms_itself_is_searched_all_the_same(place, imports, harm):
    place.subject(HARMFUL.format(imports=imports, harm=textwrap.indent(harm, "    ")))
    assert_reproduced(place, place.reproduce(*QUICK))


def test_code_that_reaches_out_is_refused_and_said_to(place):
    precious = place.root / "precious"
    precious.mkdir()
    (precious / "precious").write_text("precious")
    guarded = "".join(f"try:\n    {harm.format(folder=precious)}\nexcept OSError:\n    pass\n" for harm in REFUSED)
    place.subject(HARMFUL.format(imports="os, pathlib, shutil", harm=textwrap.indent(guarded, "    ")))
    done = place.reproduce(*QUICK)
    assert_reproduced(place, done)
    assert [text for text in REFUSED.values() if text not in done.out] == []
    assert [path.name for path in precious.iterdir()] == ["precious"]
    assert (precious / "precious").read_text() == "precious"


# Where it writes, what it runs


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ("/proc/test_it.py", "cannot be written to"),
        ("no/such/folder/test_it.py", "There is no folder"),
        ("no-such-folder", "There is no folder"),
    ],
)
def test_an_output_that_cannot_be_written_is_said_before_the_search(here, capsys, output, text):
    here.subject(PLAIN)
    assert text in refused(here, capsys, "--output", output)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere; /proc stands for it above")
def test_the_current_folder_is_read_only(here, capsys):
    here.subject(PLAIN)
    here.work.chmod(0o500)
    assert "cannot be written to" in refused(here, capsys)


@pytest.mark.parametrize(
    ("python", "text"),
    [
        ("/no/such/python", "cannot be run: No such file or directory"),
        ("/bin/true", "is not a working Python interpreter"),
        ("/etc/passwd", "cannot be run: Permission denied"),
    ],
)
def test_an_interpreter_that_is_none(here, capsys, python, text):
    here.subject(PLAIN)
    assert text in refused(here, capsys, "--python", python)


@pytest.mark.parametrize("version", ["2.7", "3.8"])
def test_an_interpreter_that_is_too_old(here, capsys, version):
    found = sorted((Path.home() / ".pyenv/versions").glob(f"{version}.*/bin/python"))
    if not found:
        pytest.skip(f"no Python {version} under ~/.pyenv/versions")
    here.subject(PLAIN)
    name = found[0].parent.parent.name
    message = refused(here, capsys, "--python", str(found[0]))
    assert f"is Python {name}; crashwright needs your package to run on Python 3.11 or newer" in message


# Interrupts


def forks_running(place: Place) -> int:
    """How many engine processes run."""
    return sum("_crashwright_engine" in command for command in place.processes())


@pytest.mark.nightly
def test_interrupted_while_importing(place):
    place.subject(f"import time; time.sleep(3000)\n{PLAIN}")
    done = place.interrupt(lambda: forks_running(place) == 1)
    assert done.code == 130, (done.out, done.err)
    assert done.left_nothing, (done.processes, done.scratch)
    assert "interrupted" in done.out + done.err
    assert not place.written
    assert done.seconds < HANG


@pytest.mark.parametrize(
    "number", [pytest.param(signal.SIGINT, id="Ctrl-C"), pytest.param(signal.SIGTERM, id="SIGTERM", marks=pytest.mark.nightly)]
)
def test_interrupted_while_searching(place, number):
    place.subject(NEVER)
    done = place.interrupt(lambda: forks_running(place) >= 2, number=number)
    assert done.code == 130, (done.out, done.err)
    assert done.left_nothing, (done.processes, done.scratch)
    assert "interrupted: 0 of 1 frames" in done.out or "interrupted: 1 of 1 frames" in done.out
    assert not place.written
    assert "Traceback" not in done.err


PARTIAL = """
def work(text, other=0):
    check(text)
    return other

def check(text):
    raise ValueError("too few of them")
"""


def test_interrupted_with_a_partial_result_it_is_kept(place):
    """The line is reached with another message, and that is the best that there is."""
    place.subject(PARTIAL, function="check")
    own = '  File "/srv/victim.py"'
    outer = f"{own}, line 2, in work\n    check(text)\n"
    place.report.write_text(place.report.read_text().replace(own, outer + own))
    searching: list[float] = []

    def for_a_while() -> bool:
        if forks_running(place) >= 2 and list(place.work.glob(".crashwright/running/*.json")):
            searching.append(time.monotonic())
        return bool(searching) and time.monotonic() - searching[0] > 2.0

    done = place.interrupt(for_a_while)
    assert done.code == 130, (done.out, done.err)
    assert done.left_nothing, (done.processes, done.scratch)
    assert "PARTIAL" in place.written[0].read_text()
    assert "wrote" in done.out


SLOW_TO_VERIFY = """
import os
if "CRASHWRIGHT_RECORD" in os.environ:
    open({file!r}, "w").close()
    import time
    time.sleep({seconds})
"""


def test_interrupted_while_verifying_what_was_found_is_kept(place):
    begun = place.root / "begun"
    place.subject(SLOW_TO_VERIFY.format(file=str(begun), seconds=1) + PLAIN)
    done = place.interrupt(begun.exists, "--budget", "30", "--allow", f"write:{place.root}")
    assert_reproduced(place, done)
    assert "interrupted: keeping the best" in done.err


def test_a_second_interrupt_leaves_at_once(place):
    begun = place.root / "begun"
    place.subject(SLOW_TO_VERIFY.format(file=str(begun), seconds=3000) + PLAIN)
    done = place.interrupt(begun.exists, "--allow", f"write:{place.root}", times=2)
    assert done.code == 130, (done.out, done.err)
    assert done.left_nothing, (done.processes, done.scratch)
    assert done.messages[-1] == "crashwright: interrupted"
    assert done.seconds < HANG


@pytest.mark.nightly
def test_a_killed_host_takes_its_engine_and_its_scratch_folders_along(place):
    """More of this in test_killed.py."""
    place.subject(NEVER)
    done = place.interrupt(lambda: forks_running(place) >= 2, number=signal.SIGKILL)
    assert done.code == -signal.SIGKILL
    end = time.monotonic() + HANG
    while (place.processes() or os.listdir(place.temporary)) and time.monotonic() < end:
        time.sleep(0.02)
    assert not place.processes()
    assert not os.listdir(place.temporary)
