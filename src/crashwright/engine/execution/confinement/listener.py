"""Answers for the calls that neither Landlock nor seccomp can judge: changes of mode, owner and times, which are legal in the
scratch folder and nowhere else.

A small process forked before the subject is imported. The caller's call stands still meanwhile; it is never made, but carried out
here, on a file that this process has opened itself and found to lie where writing is allowed. So nothing that the caller changes in
the meantime matters. Where it cannot find out, the answer is EPERM.
"""

from __future__ import annotations

import errno
import fcntl
import os
import select
import signal
import socket
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from .parent import die_with_parent
from .policy import ASKED
from .syscalls import System

_RECEIVE, _SEND, _IS_VALID = 0xC0502100, 0xC0182101, 0x40082102
_NOTICE = struct.Struct("=QIIiIQ6Q")
_ANSWER = struct.Struct("=QqiI")
_PR_SET_PTRACER = 0x59616D61
_HERE = -100  # AT_FDCWD
_NO_FOLLOW, _EMPTY_PATH = 0x100, 0x1000
_TIMES_SIZE = 32
_PATH_MAX = 4096
_PAGE = 4096
_ITSELF = b"/proc/self/"


class Caller(NamedTuple):
    """Who made a call: the thread, and a look at its memory."""

    pid: int
    read: Callable[[int, int], bytes]


class FilePlace(NamedTuple):
    """A file as a call names it: below the descriptor ``folder``, or ``folder`` itself where ``path`` is None."""

    folder: int
    path: bytes | None
    follow: bool = True


class Listener:
    """Fork it with :meth:`start` while there is one thread; install a filter that asks; then :meth:`hand_over` what answers."""

    def __init__(self, system: System, roots: Sequence[str]) -> None:
        self._system = system
        self._roots = tuple(os.fsencode(root.rstrip(os.sep)) for root in roots)
        self._calls = {number: name for name in ASKED if (number := system.number(name)) is not None}
        self._ours, self._theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self.pid = 0

    def start(self) -> None:
        """Fork. The fork ends with this process, or when nobody is left whose calls it could answer."""
        parent = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            status = 1
            try:
                die_with_parent(parent)
                self._ours.close()
                self._serve()
                status = 0
            finally:
                os._exit(status)
        self._theirs.close()

    def hand_over(self, descriptor: int) -> None:
        """Give it the descriptor that the filter came with; closed here."""
        socket.send_fds(self._ours, [b"x"], [descriptor])
        os.close(descriptor)
        self._ours.close()

    def let_it_look(self) -> None:
        """Where the kernel asks for it (Yama), allow the listener to read this process's memory: where the paths stand."""
        try:
            self._system.call("prctl", _PR_SET_PTRACER, self.pid, 0, 0, 0)
        except OSError:
            return  # no Yama, no need

    def _serve(self) -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        _, descriptors, _, _ = socket.recv_fds(self._theirs, 1, 1)
        if not descriptors:
            return  # there is no filter
        notices = descriptors[0]
        self._theirs.close()
        _close_all_but(notices)
        poll = select.poll()
        poll.register(notices, select.POLLIN)
        while True:
            events = poll.poll()
            if events and events[0][1] & select.POLLIN:
                self._answer(notices)
            elif events:
                return  # nobody is left

    def _answer(self, notices: int) -> None:
        notice = bytearray(_NOTICE.size)
        try:
            fcntl.ioctl(notices, _RECEIVE, notice)
        except OSError:
            return  # the caller is gone
        identity, pid, _, number, _, _, *arguments = _NOTICE.unpack(notice)

        def still_there() -> None:
            fcntl.ioctl(notices, _IS_VALID, struct.pack("=Q", identity))

        error = 0
        try:
            self._carry_out(self._calls[number], pid, arguments, still_there)
        except OSError as problem:
            error = -(problem.errno or errno.EPERM)
        except (KeyError, ValueError):
            error = -errno.EPERM
        try:
            fcntl.ioctl(notices, _SEND, _ANSWER.pack(identity, 0, error, 0))
        except OSError:
            return  # the caller is gone

    def _carry_out(self, name: str, pid: int, arguments: list[int], still_there: Callable[[], None]) -> None:
        memory = os.open(f"/proc/{pid}/mem", os.O_RDONLY | os.O_CLOEXEC)
        try:
            caller = Caller(pid, lambda address, size: os.pread(memory, size, address))
            place = _PLACES[name](caller, arguments)
            times = caller.read(arguments[2], _TIMES_SIZE) if name == "utimensat" and arguments[2] else None
            file = _open(caller, place)
            still_there()  # what was read and opened was the caller's, not that of another process with its number
        finally:
            os.close(memory)
        try:
            self._check(file)
            _CHANGES[name](self._system, file, arguments, times)
        finally:
            os.close(file)

    def _check(self, file: int) -> None:
        where = os.readlink(b"/proc/self/fd/%d" % file)
        if not any(where == root or where.startswith(root + b"/") for root in self._roots):
            raise PermissionError(errno.EPERM, "outside")


def _close_all_but(kept: int) -> None:
    """What the parent has open (pipes whose end means something) is not to be held open here."""
    os.closerange(0, kept)
    os.closerange(kept + 1, os.sysconf("SC_OPEN_MAX"))


def _text(caller: Caller, address: int) -> bytes:
    """The string at ``address``, page by page since the next one may not be there."""
    text = b""
    while b"\0" not in text:
        if len(text) >= _PATH_MAX:
            raise OSError(errno.ENAMETOOLONG, "too long")
        at = address + len(text)
        part = caller.read(at, _PAGE - at % _PAGE)
        if not part:
            raise OSError(errno.EFAULT, "no such address")
        text += part
    return text.partition(b"\0")[0]


def _open(caller: Caller, place: FilePlace) -> int:
    """The file itself, without any right to its content."""
    flags = os.O_PATH | os.O_CLOEXEC
    if place.path is not None and place.path.startswith(b"/"):
        path = place.path
        if path.startswith(_ITSELF):
            path = b"/proc/%d/" % caller.pid + path.removeprefix(_ITSELF)  # the caller's descriptors, not ours
        return os.open(path, flags if place.follow else flags | os.O_NOFOLLOW)
    base = b"/proc/%d/cwd" % caller.pid if place.folder == _HERE else b"/proc/%d/fd/%d" % (caller.pid, place.folder)
    try:
        folder = os.open(base, flags)
    except FileNotFoundError:
        raise OSError(errno.EBADF, "no such descriptor") from None
    if place.path is None:
        return folder
    try:
        return os.open(place.path, flags if place.follow else flags | os.O_NOFOLLOW, dir_fd=folder)
    finally:
        os.close(folder)


def _int(value: int) -> int:
    """An argument as the kernel takes an int."""
    value &= 0xFFFFFFFF
    return value - (1 << 32) if value & 0x80000000 else value


def _by_path(caller: Caller, arguments: list[int]) -> FilePlace:
    return FilePlace(_HERE, _text(caller, arguments[0]))


def _by_link(caller: Caller, arguments: list[int]) -> FilePlace:
    return FilePlace(_HERE, _text(caller, arguments[0]), False)


def _by_descriptor(_caller: Caller, arguments: list[int]) -> FilePlace:
    return FilePlace(_int(arguments[0]), None)


def _below_folder(flags_at: int | None) -> Callable[[Caller, list[int]], FilePlace]:
    def place(caller: Caller, arguments: list[int]) -> FilePlace:
        flags = 0 if flags_at is None else arguments[flags_at]
        folder = _int(arguments[0])
        path = _text(caller, arguments[1]) if arguments[1] else None
        if path == b"" and flags & _EMPTY_PATH:
            path = None
        return FilePlace(folder, path, not flags & _NO_FOLLOW)

    return place


_PLACES: Mapping[str, Callable[[Caller, list[int]], FilePlace]] = {
    "chmod": _by_path,
    "chown": _by_path,
    "lchown": _by_link,
    "fchmod": _by_descriptor,
    "fchown": _by_descriptor,
    "fchmodat": _below_folder(None),
    "fchmodat2": _below_folder(3),
    "fchownat": _below_folder(4),
    "utimensat": _below_folder(3),
}


def _change_mode(at: int) -> Callable[[System, int, list[int], bytes | None], None]:
    # By way of /proc, since the file is open without rights; on a link itself this fails as it should.
    return lambda _system, file, arguments, _times: os.chmod(f"/proc/self/fd/{file}", arguments[at] & 0o7777)


def _change_owner(at: int) -> Callable[[System, int, list[int], bytes | None], None]:
    def change(system: System, file: int, arguments: list[int], _times: bytes | None) -> None:
        system.call("fchownat", file, b"", _int(arguments[at]), _int(arguments[at + 1]), _EMPTY_PATH)

    return change


def _change_times(system: System, file: int, _arguments: list[int], times: bytes | None) -> None:
    system.call("utimensat", file, b"", times, _EMPTY_PATH)


_CHANGES: Mapping[str, Callable[[System, int, list[int], bytes | None], None]] = {
    "chmod": _change_mode(1),
    "fchmod": _change_mode(1),
    "fchmodat": _change_mode(2),
    "fchmodat2": _change_mode(2),
    "chown": _change_owner(1),
    "lchown": _change_owner(1),
    "fchown": _change_owner(1),
    "fchownat": _change_owner(2),
    "utimensat": _change_times,
}
