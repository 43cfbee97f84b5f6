"""What the running kernel really refuses, with the version of Landlock it has and with older ones."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from confined import Run
from patience import HANG

from crashwright.engine.execution.confinement import Confinement, landlock, listener, seccomp
from crashwright.engine.execution.confinement.bpf import ASK
from crashwright.engine.execution.confinement.policy import ASKED
from crashwright.engine.execution.confinement.syscalls import System, Unavailable, number


def abi() -> int:
    try:
        return landlock.version(System())
    except Unavailable:
        return 0


def has_seccomp() -> bool:
    try:
        return seccomp.action_is_known(System(), ASK)
    except Unavailable:
        return False


ABI = abi()
needs_landlock = pytest.mark.skipif(ABI == 0, reason="this kernel has no Landlock, or has it switched off")
needs_seccomp = pytest.mark.skipif(not has_seccomp(), reason="this system has no seccomp with listeners")


@pytest.fixture
def run(tmp_path):
    return Run(tmp_path)


@needs_landlock
@pytest.mark.parametrize("version", range(1, ABI + 1))
def test_every_version_of_landlock_keeps_files_elsewhere(run, version):
    code = """
    fd = os.open(there, os.O_RDONLY)
    print(attempt(write, there + "/file"))
    print(attempt(write, there + "/new"))
    print(attempt(os.open, "file", os.O_RDWR, dir_fd=fd))
    print(attempt(os.open, "file", os.O_TRUNC, dir_fd=fd))
    print(attempt(os.truncate, there + "/file", 0))
    print(attempt(os.remove, there + "/file"))
    print(attempt(os.rmdir, there + "/folder"))
    print(attempt(os.mkdir, "x", dir_fd=fd))
    print(attempt(os.mkfifo, there + "/fifo"))
    print(attempt(os.symlink, "x", there + "/link"))
    print(attempt(os.rename, there + "/file", "stolen"))
    print(attempt(os.rename, "file", there + "/file"))
    print(attempt(os.link, there + "/file", "hard"))
    print(attempt(os.chmod, there + "/file", 0o777))
    print(attempt(os.utime, there + "/file"))
    """
    refused = run(code, f"landlock_abi={version}")
    assert len(refused) == 15
    assert all(line.startswith("PermissionError") or line == "OSError 18" for line in refused), refused
    assert run.untouched


@needs_landlock
@pytest.mark.parametrize("version", range(1, ABI + 1))
def test_every_version_of_landlock_leaves_scratch_usable(run, version):
    code = """
    write("new")
    print(open(there + "/file").read())
    os.truncate("new", 0) if kernel.text.split()[1][0] not in "12" else None
    os.mkdir("more")
    os.mkfifo("fifo")
    os.symlink("new", "link")
    os.rename("new", "newer")
    os.link("newer", "hard")
    print(attempt(os.rename, "newer", "more/newer"))
    write("/dev/null")
    shutil.rmtree("more")
    print(sorted(os.listdir(".")))
    """
    found = run(code, f"landlock_abi={version}")
    moved = version > 1
    assert found[:2] == ["precious", "done" if moved else "OSError 18"]
    assert found[2] == str(["fifo", "file", "folder", "hard", "link", *([] if moved else ["newer"])])


@needs_seccomp
def test_mode_owner_and_times_change_in_scratch_only(run):
    code = """
    import stat
    fd = os.open("file", os.O_RDONLY)
    folder = os.open(".", os.O_RDONLY)
    os.symlink("file", "link")
    os.symlink(there + "/file", "out")
    def mode():
        return oct(os.stat("file").st_mode & 0o777)
    os.chmod("file", 0o600); print(mode())
    os.fchmod(fd, 0o644); print(mode())
    os.chmod("file", 0o604, dir_fd=folder); print(mode())
    os.chmod("link", 0o640); print(mode())
    os.utime("file", (5, 6)); print(os.stat("file").st_mtime)
    os.utime(fd, ns=(7, 8)); print(os.stat("file").st_mtime_ns)
    os.utime("link", (9, 9), follow_symlinks=False); print(os.lstat("link").st_mtime, os.stat("file").st_mtime_ns)
    os.utime("file", None); print(os.stat("file").st_mtime > 1e9)
    os.chown("file", -1, -1)
    shutil.copy2("file", "copy"); print(os.stat("copy").st_mtime == os.stat("file").st_mtime)
    shutil.copytree("folder", "tree")
    other = os.open(there + "/file", os.O_RDONLY)
    otherfolder = os.open(there, os.O_RDONLY)
    for refused in (
        lambda: os.chmod(there + "/file", 0o777),
        lambda: os.chmod("out", 0o777),
        lambda: os.chmod("../there/file", 0o777),
        lambda: os.fchmod(other, 0o777),
        lambda: os.chmod("file", 0o777, dir_fd=otherfolder),
        lambda: os.chmod(f"/proc/self/fd/{other}", 0o777),
        lambda: os.utime(there),
        lambda: os.utime(other),
        lambda: os.utime("out"),
        lambda: os.chown(there + "/file", -1, -1),
        lambda: os.setxattr(there + "/file", "user.x", b"1"),
    ):
        print(attempt(refused))
    for wrong in ("missing", "", 999, "x" * 5000):
        print(attempt(os.chmod, wrong, 0))
    """
    found = run(code)
    assert found[:9] == ["0o600", "0o644", "0o604", "0o640", "6.0", "8", "9.0 8", "True", "True"]
    assert set(found[9:20]) == {"PermissionError 1"}
    assert found[20:] == ["FileNotFoundError 2", "FileNotFoundError 2", "OSError 9", "OSError 36"]
    assert run.untouched


@needs_seccomp
def test_processes_and_sockets(run):
    code = """
    import socket, subprocess, threading, asyncio, _posixsubprocess
    print(attempt(os.fork))
    print(attempt(os.execv, sys.executable, ["python"]))
    print(attempt(os.posix_spawn, sys.executable, ["python"], {}))
    print(attempt(subprocess.run, ["true"]))
    print(attempt(os.kill, os.getppid(), 0))
    print(attempt(os.kill, 1, 0))
    print(attempt(os.killpg, os.getpgid(0), 0))
    print(attempt(os.setsid))
    print(attempt(socket.create_connection, ("127.0.0.1", 9)))
    print(attempt(lambda: socket.socket().bind(("127.0.0.1", 0))))
    print(attempt(socket.socket, type=socket.SOCK_DGRAM))
    print(attempt(lambda: socket.socket(socket.AF_UNIX).connect("/dev/log")))
    print("--")
    print(attempt(os.kill, os.getpid(), 0))
    thread = threading.Thread(target=print, args=("thread",)); thread.start(); thread.join()
    asyncio.run(asyncio.sleep(0))
    a, b = socket.socketpair(); a.sendall(b"pair"); print(b.recv(9).decode())
    """
    found = run(code)
    assert set(found[:12]) <= {"PermissionError 1", "PermissionError 13"}
    assert found[12:] == ["--", "done", "thread", "pair"]


def test_what_is_allowed_is_open_in_every_layer(run):
    code = """
    import socket, subprocess, multiprocessing, signal
    server = socket.create_server(("127.0.0.1", 0)); print(attempt(socket.create_connection, server.getsockname()))
    print(subprocess.run([sys.executable, "-c", "print('child')"], capture_output=True, text=True).stdout.strip())
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]); child.kill(); print(child.wait())
    multiprocessing.Lock()
    os.chmod(there + "/file", 0o600); write(there + "/file"); print(kernel.notes)
    """
    found = run(code, f"('network', 'processes', 'write:{run.there}')")
    assert found == ["done", "child", "-9", "()"]
    assert (run.there / "file").read_text() == "x"


@needs_landlock
def test_processes_are_allowed_to_signal_their_own_children_only(run):
    if ABI < 6:
        pytest.skip("signals are kept by Landlock from version 6 on")
    found = run("print(attempt(os.kill, os.getppid(), 0))", "('processes',)")
    assert found == ["PermissionError 1"]


def test_a_folder_that_is_not_there_is_named(run):
    if not ABI:
        pytest.skip("only Landlock has to open folders beforehand")
    assert "missing cannot be opened for writing (No such file" in run("print(kernel.notes)", "('write:/missing',)")[0]


@needs_seccomp
def test_reserved_descriptors_stay_open(run):
    code = """
    reading, writing = os.pipe()
    os.dup2(writing, 180); os.dup2(reading, 181)
    kernel.tighten((180, 181))
    print(attempt(os.close, 180)); print(attempt(os.dup2, 0, 181)); print(attempt(os.set_blocking, 181, False))
    os.closerange(3, 400)
    os.write(180, b"still"); print(os.read(181, 9).decode()); print(attempt(os.write, writing, b""))
    """
    assert run(code) == ["PermissionError 1", "PermissionError 1", "PermissionError 1", "still", "OSError 9"]


@pytest.mark.parametrize("layer", ["Landlock", "seccomp"])
def test_one_layer_alone_is_named(run, layer):
    if not (ABI if layer == "Landlock" else has_seccomp()):
        pytest.skip(f"no {layer} here")
    (text,) = run("print(kernel.text)", f"layers=({layer!r},)")
    assert text.startswith(layer)


def test_without_the_kernel_s_help_the_rest_is_named(monkeypatch, tmp_path):
    def none(*_arguments):
        raise Unavailable("the kernel says: Operation not supported")

    monkeypatch.setattr("crashwright.engine.execution.confinement.System", none)
    kernel = Confinement((str(tmp_path),))
    kernel.begin()
    kernel.tighten()
    assert kernel.held == ()
    assert kernel.text == (
        "audit hook and limits only (no Landlock: the kernel says: Operation not supported; "
        "no seccomp: the kernel says: Operation not supported)"
    )
    (tmp_path.parent / "free").write_text("")


def test_systems_that_are_not_known(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(Unavailable, match="needs Linux"):
        System()
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(os, "uname", lambda: type("Name", (), {"machine": "sparc64"}))
    with pytest.raises(Unavailable, match="sparc64"):
        System()
    monkeypatch.setattr(os, "uname", lambda: type("Name", (), {"machine": "x86_64"}))
    monkeypatch.setitem(sys.modules, "ctypes", None)
    with pytest.raises(Unavailable, match="no ctypes"):
        System()


def test_numbers_of_calls_agree_where_architectures_count_alike():
    assert number("clone3", "x86_64") == number("clone3", "aarch64") == 435
    assert number("fork", "aarch64") is None
    assert (number("openat", "x86_64"), number("openat", "aarch64")) == (257, 56)


def test_listener_knows_a_place_for_every_call_it_is_asked_about():
    assert set(listener._PLACES) == set(listener._CHANGES) == set(ASKED)


@pytest.mark.skipif(sys.platform != "linux", reason="needs PR_SET_PDEATHSIG")
def test_nothing_outlives_a_killed_parent():
    package = Path(landlock.__file__).parent.parent
    code = (
        "import os, sys, time; sys.path.insert(0, sys.argv[1]); from confinement import Confinement, die_with_parent\n"
        "parent = os.getpid()\n"
        "if os.fork() == 0:\n"
        "    die_with_parent(parent)\n"
        "    Confinement((os.getcwd(),)).begin()\n"
        "    print(os.getpid(), flush=True)\n"
        "    time.sleep(60)\n"
        "time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(package)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        group = os.getpgid(child)
        assert group == os.getpgid(process.pid)
        process.kill()
    end = time.monotonic() + HANG
    while time.monotonic() < end and any(is_child_of_test(entry, str(package)) for entry in Path("/proc").iterdir()):
        time.sleep(0.02)
    assert not any(is_child_of_test(entry, str(package)) for entry in Path("/proc").iterdir())


def is_child_of_test(entry: Path, mark: str) -> bool:
    try:
        return b"time.sleep(60)" in (entry / "cmdline").read_bytes() and mark.encode() in (entry / "cmdline").read_bytes()
    except OSError:
        return False
