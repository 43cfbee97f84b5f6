from __future__ import annotations

import os

import pytest

from crashwright.engine.execution.guard import Guard


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
    audit(Guard(str(scratch), (allowance,)), *event)


def test_refusals_are_bounded_and_told_once(scratch):
    guard = Guard(str(scratch))
    for number in range(100):
        for _ in range(2):
            with pytest.raises(PermissionError):
                audit(guard, "os.kill", 10_000_000 + number, 9)
    assert len(guard.take_refusals()) == 20
