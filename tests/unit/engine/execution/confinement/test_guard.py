from __future__ import annotations

import os
import pwd
import socket
import subprocess
import sys

import pytest

from crashwright.engine.execution.confinement.guard import Guard


def audit(guard, event, *arguments):
    """As the interpreter would, without adding a hook to the test process for good."""
    handler = guard._handlers.get(event)
    if handler is not None:
        handler(arguments)


@pytest.fixture
def scratch(tmp_path):
    (tmp_path / "scratch").mkdir()
    (tmp_path / "scratchy").mkdir()
    return tmp_path / "scratch"


OUTSIDE = [
    ("open", "{0}/f", "w", os.O_WRONLY),
    ("open", "{0}/f", None, os.O_RDONLY | os.O_CREAT),
    ("open", b"/etc/f", "a", os.O_APPEND | os.O_WRONLY),
    ("os.remove", "{0}/f", -1),
    ("os.mkdir", "{0}/f", 0o777, -1),
    ("os.rmdir", "{0}/f", -1),
    ("os.chmod", "{0}/f", 0o777, -1),
    ("os.chown", "{0}/f", 0, 0, -1),
    ("os.rename", "{1}/f", "{0}/f", -1, -1),
    ("os.rename", "{0}/f", "{1}/f", -1, -1),
    ("os.link", "{0}/f", "{1}/f", -1, -1),
    ("os.symlink", "{1}/f", "{0}/f", -1),
    ("os.truncate", "{0}/f", 0),
    ("os.utime", "{0}/f", None, None, -1),
    ("sqlite3.connect", "{0}/f"),
    ("sqlite3.connect", "file:{0}/f?mode=rwc"),
    ("open", "{1}/../f", "w", os.O_WRONLY),
    ("os.remove", "/dev/null", -1),
    ("os.chmod", "/dev/zero", 0, -1),
    ("os.rename", "{1}/f", "/dev/null", -1, -1),
    ("open", "{1}y/f", "w", os.O_WRONLY),
]


def filled(arguments, scratch):
    return [a.format(scratch.parent, scratch) if isinstance(a, str) else a for a in arguments]


@pytest.mark.parametrize("event", OUTSIDE)
def test_outside_is_refused(event, scratch):
    name, *arguments = event
    guard = Guard(str(scratch))
    with pytest.raises(PermissionError, match="--allow write:"):
        audit(guard, name, *filled(arguments, scratch))
    assert len(guard.take_refusals()) == 1
    assert guard.take_refusals() == ()


@pytest.mark.parametrize("event", OUTSIDE)
def test_what_is_allowed_passes(event, scratch):
    name, *arguments = event
    audit(Guard(str(scratch), ("write:/",)), name, *filled(arguments, scratch))


@pytest.mark.parametrize(
    "event",
    [
        ("open", "{1}/f", "w", os.O_WRONLY),
        ("open", "{0}/f", "r", os.O_RDONLY),
        ("open", "/dev/null", "w", os.O_WRONLY),
        ("open", 7, "w", os.O_WRONLY),
        ("os.remove", "{1}/f", -1),
        ("sqlite3.connect", ":memory:"),
        ("sqlite3.connect", "file:memorydb_default?mode=memory&cache=shared"),
        ("sqlite3.connect", "file:/srv/shop/shop.db?mode=ro"),
        ("ctypes.dlopen", None),
        ("os.kill", os.getpid(), 0),
        ("import", "x"),
    ],
)
def test_inside_and_harmless_passes(event, scratch):
    name, *arguments = event
    guard = Guard(str(scratch))
    audit(guard, name, *filled(arguments, scratch))
    assert guard.take_refusals() == ()


def test_links_out_of_the_scratch_folder_are_followed(scratch):
    (scratch / "way").symlink_to(scratch.parent)
    with pytest.raises(PermissionError):
        audit(Guard(str(scratch)), "open", str(scratch / "way" / "f"), "w", os.O_WRONLY)
    with pytest.raises(PermissionError):
        audit(Guard(str(scratch)), "os.remove", str(scratch / "way" / "f"), -1)
    with pytest.raises(PermissionError):
        audit(Guard(str(scratch)), "os.chmod", str(scratch / "way"), 0o777, -1)
    audit(Guard(str(scratch)), "os.remove", str(scratch / "way"), -1)


def test_a_folder_descriptor_counts(scratch):
    inside, outside = os.open(scratch, os.O_RDONLY), os.open(scratch.parent, os.O_RDONLY)
    try:
        audit(Guard(str(scratch)), "os.remove", "f", inside)
        with pytest.raises(PermissionError):
            audit(Guard(str(scratch)), "os.remove", "f", outside)
    finally:
        os.close(inside)
        os.close(outside)


def test_a_descriptor_for_reading_is_no_leave_to_change_the_file(scratch):
    (scratch.parent / "f").write_text("x")
    (scratch / "f").write_text("x")
    with open(scratch.parent / "f") as outside, open(scratch / "f") as inside:
        for event in (("os.chmod", 0o777, -1), ("os.utime", None, None, -1), ("os.chown", 0, 0, -1), ("os.truncate", 0)):
            name, *more = event
            with pytest.raises(PermissionError):
                audit(Guard(str(scratch)), name, outside.fileno(), *more)
            audit(Guard(str(scratch)), name, inside.fileno(), *more)
    audit(Guard(str(scratch)), "os.chmod", 1_000_000, 0, -1)


@pytest.mark.parametrize(
    ("event", "allowance"),
    [
        (("subprocess.Popen", "x", [], None, None), "processes"),
        (("os.fork",), "processes"),
        (("os.kill", 1, 9), "processes"),
        (("socket.connect", None, ("h", 1)), "network"),
        (("ctypes.dlopen", "libc.so"), "ctypes"),
    ],
)
def test_processes_network_libraries(event, allowance, scratch):
    with pytest.raises(PermissionError, match=f"--allow {allowance} permits it"):
        audit(Guard(str(scratch)), *event)
    if event[0] != "os.kill":
        audit(Guard(str(scratch), (allowance,)), *event)


def test_allowed_processes_signal_their_own_children_only(scratch):
    guard = Guard(str(scratch), ("processes",))
    with subprocess.Popen(["sleep", "60"]) as child:
        audit(guard, "os.kill", child.pid, 15)
        audit(guard, "os.kill", os.getpid(), 0)
        child.kill()
    for stranger in (1, os.getppid(), 0, -1):
        with pytest.raises(PermissionError, match="which it did not start"):
            audit(guard, "os.kill", stranger, 9)


@pytest.mark.parametrize(
    ("family", "kind", "passes"),
    [
        (socket.AF_INET, socket.SOCK_STREAM, True),
        (socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC, True),
        (socket.AF_INET, socket.SOCK_DGRAM, False),
        (socket.AF_INET6, socket.SOCK_RAW, False),
        (socket.AF_NETLINK, socket.SOCK_STREAM, False),
        (-1, -1, True),
    ],
)
def test_sockets_that_can_only_be_connected_are_harmless(scratch, family, kind, passes):
    guard = Guard(str(scratch))
    if passes:
        audit(guard, "socket.__new__", None, int(family), int(kind), 0)
    else:
        with pytest.raises(PermissionError, match="--allow network"):
            audit(guard, "socket.__new__", None, int(family), int(kind), 0)
    audit(Guard(str(scratch), ("network",)), "socket.__new__", None, int(family), int(kind), 0)


def test_a_hook_at_rest_lets_pass_and_wakes_again():
    code = (
        "import os, tempfile; from crashwright.engine.execution.confinement.guard import Guard; "
        "guard = Guard(tempfile.mkdtemp()); guard.install(); guard.rest(); "
        "os.kill(os.getppid(), 0); print('passed', flush=True); guard.wake(); os.kill(os.getppid(), 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("PermissionError: crashwright refused to send a signal")
    assert done.stdout == "passed\n"


def test_refusals_are_bounded_and_told_once(scratch):
    guard = Guard(str(scratch))
    for number in range(100):
        for _ in range(2):
            with pytest.raises(PermissionError):
                audit(guard, "open", f"/srv/made-up-{number}/file", "w", os.O_WRONLY | os.O_CREAT)
    assert len(guard.take_refusals()) == 20


def test_a_name_with_line_ends_is_told_in_one_line(scratch):
    guard = Guard(str(scratch))
    with pytest.raises(PermissionError):
        audit(guard, "sqlite3.connect", "/srv/made\nup/a file\n")
    (told,) = guard.take_refusals()
    assert told == "open as a database '/srv/made\\nup/a file\\n'; --allow write:'/srv/made\\nup' permits it"


def test_of_refusals_that_one_allowance_permits_three_are_told(scratch):
    guard = Guard(str(scratch))
    for number in range(10):
        with pytest.raises(PermissionError):
            audit(guard, "open", f"/dev/shm/made-up-{number}", "w", os.O_WRONLY | os.O_CREAT)
    told = guard.take_refusals()
    assert len(told) == 3
    assert all(one.endswith("--allow write:/dev/shm permits it") for one in told)
    assert guard.refused == 10


@pytest.mark.parametrize("folder", ["/", os.path.expanduser(f"~{pwd.getpwuid(os.getuid()).pw_name}")])
def test_no_option_is_advised_that_would_permit_everything(folder, scratch):
    guard = Guard(str(scratch))
    with pytest.raises(PermissionError, match="it would be unsafe to allow that for all of ") as caught:
        audit(guard, "open", os.path.join(folder, "notes.txt"), "w", os.O_WRONLY)
    assert "--allow write:" not in str(caught.value)
    refusal = guard.take_last()
    assert (refusal.allowance, f"crashwright refused to {refusal.text}") == ("", str(caught.value))
    assert guard.take_last() is None


@pytest.mark.parametrize(
    ("command", "options"),
    [
        (["git", None], {}),
        (["git", 3], {}),
        (["git"], {"env": {"HOME": None}}),
        (["git"], {"env": {3: "x"}}),
        (["git"], {"cwd": ["x"]}),
        (["git"], {"executable": {}}),
    ],
)
def test_a_program_that_cannot_start_crashes_as_it_does(command, options, scratch):
    guard = Guard(str(scratch))
    audited = []

    def heard(event, arguments):
        if event == "subprocess.Popen" and not audited:
            audited.append(event)
            audit(guard, event, *arguments)

    sys.addaudithook(heard)  # which stays, and hears nothing more
    with pytest.raises(TypeError):
        subprocess.run(command, check=False, **options)
    assert audited
    assert not guard.take_refusals()


@pytest.mark.parametrize(
    "arguments", [("git", ["git"], None, None), ("git", ["git", "x"], "/", {"A": "1"}), (b"sh", [b"sh"], None, {})]
)
def test_a_program_that_would_start_is_refused(arguments, scratch):
    guard = Guard(str(scratch))
    with pytest.raises(PermissionError):
        audit(guard, "subprocess.Popen", *arguments)
    assert guard.take_refusals() == ("start a process (subprocess.Popen); --allow processes permits it",)


def test_nor_is_one_let_through_where_texts_are_encoded_otherwise(scratch, monkeypatch):
    monkeypatch.setattr(os, "fsencode", lambda _anything: b"git")
    with pytest.raises(PermissionError):
        audit(Guard(str(scratch)), "subprocess.Popen", "git", ["git", None], None, None)


def test_files_that_are_lacking_are_told_once(scratch, monkeypatch):
    monkeypatch.chdir(scratch)
    (scratch / "there.toml").write_text("")
    guard = Guard(str(scratch))
    for path in ("there.toml", "lacking.toml", f"{scratch}/lacking.csv", "/etc/lacking.toml", 3):
        audit(guard, "open", path, "r", os.O_RDONLY)
    audit(guard, "open", "new.toml", "w", os.O_WRONLY | os.O_CREAT)
    assert guard.take_lacking() == ("lacking.toml", f"{scratch}/lacking.csv")
    assert guard.take_lacking() == ()
    assert guard.take_read() == ("there.toml",)
    assert guard.take_read() == ()
    for number in range(100):
        audit(guard, "open", f"{number}.csv", "r", os.O_RDONLY)
    assert 1 < len(guard.take_lacking()) < 20
