"""A subject that does everything a subject should not."""

import asyncio
import builtins
import ctypes
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import zipfile

STATE = []


def fine(value=1):
    STATE.append(value)
    return len(STATE)


def state_is_clean():
    assert STATE == []
    assert sys.getrecursionlimit() < 100_000
    assert builtins.open is not fine
    assert time.time is not fine
    assert isinstance(random.random(), float)


def fails():
    raise ValueError("as ordered")


def loops_swallowing():
    while True:
        try:
            for _ in range(200):
                re.escape("ab" * 20)
        except BaseException:  # noqa: BLE001, S110 (the point of it)
            pass


def loops():
    while True:
        pass


def backtracks():
    re.match(r"(a+)+$", "a" * 40 + "b")


def sleeps():
    time.sleep(3000)


def sums():
    sum(range(10**12))


def locks():
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()


def reads_what_never_comes():
    reader, writer = os.pipe()
    try:
        os.read(reader, 1)
    finally:
        os.close(reader)
        os.close(writer)


def waits_for_a_peer():
    left, right = socket.socketpair()
    with left, right:
        left.recv(1)


def changes_modes():
    """Longer than a tick: each call is judged by another process."""
    with open("own", "w"):
        for _ in range(3000):
            os.chmod("own", 0o600)


def swallows_once():
    try:
        while True:
            pass
    except BaseException:  # noqa: BLE001 (the point of it)
        return "swallowed"


def exits():
    sys.exit(3)


def interrupts():
    raise KeyboardInterrupt


def hard_exit():
    os._exit(0)


def segfaults():
    ctypes.string_at(0)


def kills_itself():
    os.kill(os.getpid(), signal.SIGKILL)


def aborts():
    os.abort()


def leaves_thread():
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()


def short_thread():
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()


def forks():
    if os.fork() == 0:
        os._exit(0)


def runs_program():
    subprocess.run(["/bin/true"])


def runs_shell():
    os.system("true")


def recurses():
    return recurses()


def eats_memory():
    hoard = []
    while True:
        hoard.append(bytearray(1 << 24))


def big_allocation():
    return [0] * 10**11


def writes(path):
    with open(path, "w") as file:
        file.write("gone")


def removes(path):
    os.remove(path)


def writes_here():
    with open("here", "w") as file:
        file.write("x")
    os.mkdir("sub")


def nothing_here():
    assert os.listdir(".") == []


def home_is_empty():
    assert os.listdir(os.path.expanduser("~")) == []


def connects():
    socket.create_connection(("127.0.0.1", 9), 1)


def kills_parent():
    os.kill(os.getppid(), signal.SIGKILL)


def floods():
    for _ in range(20_000):
        print("x" * 1000)
    print("x" * 100_000, file=sys.stderr)


def reads():
    assert sys.stdin.read() == ""
    input()


def replaces_streams():
    sys.stdout = sys.stderr = None


def closes_streams():
    sys.stdout.close()
    sys.stderr.detach()


def prints():
    print("hello", flush=True)
    sys.stderr.write("hello")
    assert not sys.stdout.isatty()


def mocks():
    time.time = time.monotonic = os.getppid = os._exit = signal.setitimer = fine
    builtins.open = fine


def disarms():
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    signal.setitimer(signal.ITIMER_REAL, 0)


def raises_limits():
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (-1, -1))


def changes_settings():
    sys.setrecursionlimit(100_000)
    random.seed(1)
    os.environ["CRASHWRIGHT_TEST"] = "1"


class Clinging:
    def __del__(self):
        while True:
            pass


def destructor_hangs():
    Clinging()


def attaches_database(path):
    with sqlite3.connect("own.db") as database:
        database.execute("attach database ? as other", (path,))
        database.execute("create table other.loot (x)")


def makes_fifo(path):
    os.mkfifo(path)


def opens_below_folder(path):
    folder, name = os.path.split(path)
    os.open(name, os.O_WRONLY | os.O_CREAT, dir_fd=os.open(folder, os.O_RDONLY))


def libc(function, *arguments):
    library = ctypes.CDLL(None, use_errno=True)
    if getattr(library, function)(*arguments) == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def forks_below_python():
    libc("fork")


def executes_below_python():
    libc("execv", b"/bin/true", (ctypes.c_char_p * 2)(b"true", None))


def kills_below_python():
    libc("kill", os.getppid(), 9)


def changes_mode_below_python(path):
    libc("chmod", path.encode(), 0o777)


def connects_below_python():
    libc("connect", socket.socket().fileno(), struct.pack("=HHI8x", socket.AF_INET, 9, 0x0100007F), 16)


def closes_standard_output():
    os.close(1)


def closes_the_descriptor_of(number):
    open(number).close()


def closes_everything():
    os.closerange(3, 256)


def writes_into_every_descriptor():
    for descriptor in range(3, 256):
        try:
            os.write(descriptor, b"rubbish")
        except OSError:
            continue


def leaves_files_open():
    STATE.append([os.open(os.devnull, os.O_RDONLY) for _ in range(1000)])


def works_in_scratch():
    with open("own", "w") as file:
        file.write("x")
    os.chmod("own", 0o600)
    os.utime("own", (10**9, 10**9))
    os.mkdir("folder")
    shutil.copy2("own", "folder/copy")
    shutil.copytree("folder", "tree")
    os.replace("folder/copy", "moved")
    with zipfile.ZipFile("archive", "w") as archive:
        archive.write("own")
    with zipfile.ZipFile("archive") as archive:
        archive.extractall("out")
    with tarfile.open("tar", "w") as archive:
        archive.add("own")
    with tarfile.open("tar") as archive:
        archive.extractall("untarred")
    assert os.stat("untarred/own").st_mtime == os.stat("moved").st_mtime == 10**9
    with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile(dir=folder) as file:
        file.write(b"x")
    pathlib.Path("touched").touch()
    shutil.rmtree("tree")
    left, right = socket.socketpair()
    left.sendall(b"x")
    assert right.recv(1) == b"x"
    asyncio.run(asyncio.sleep(0))
