"""What a subject may do to the world, enforced with an audit hook: reading is free, writing stays in the scratch folder, there
is no network and there are no new processes.

It refuses with a PermissionError that says how to allow the action, and notes the refusal for the user. Code in C that does not
audit is not seen: that is what the kernel's confinement is for, where there is one. The hook cannot be removed once added, but it
can rest while our own code works. This file is copied beside printed tests: standard library only, nothing of ours.
"""

from __future__ import annotations

import os
import pwd
import sys
from collections.abc import Callable, Iterable, Mapping
from io import open as _open_file  # subjects replace the builtin one
from os import getpid
from os.path import realpath
from types import FunctionType
from typing import Any, NamedTuple

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_FOLLOWING = frozenset({"chmod", "chown", "utime", "truncate", "setxattr", "removexattr", "chflags"})
_MAX_NOTED = 8
_MAX_REFUSALS = 20
_MAX_ALIKE = 3
"""Of refusals that one allowance permits: a subject that makes a file with another name each time would fill the screen."""
_FAMILIES = (1, 2, 10, 30)  # AF_UNIX, AF_INET, AF_INET6 (Linux, macOS)
_STREAMS = (1, 5)  # SOCK_STREAM, SOCK_SEQPACKET
_SOCKET_TYPE = 0xF
_DEEPEST = 64
NOT_ADVISED = "; it would be unsafe to allow that for all of "
_PARTS = frozenset({"__code__", "__defaults__", "__kwdefaults__"})

_NO_PATHS = frozenset(map(id, (type(None), bool, int, float, list, tuple, dict, set)))
_encode = os.fsencode

# The arguments of an audit event are whatever the raising function passes.
Arguments = tuple[Any, ...]

_NO_FILE = frozenset({"mode=memory", "mode=ro", "immutable=1"})
"""Parameters of a database's address that say that no file is written, whatever its name."""


class Refusal(NamedTuple):
    """What was refused, with the option that permits it in words; ``allowance`` is that option's value, "" where none is
    advised."""

    text: str
    allowance: str


class Guard:
    """``allow`` opens what the user names: ``write:PATH``, ``network``, ``processes``, ``ctypes``.

    ``touched`` and ``wrote`` tell the isolation what a test did: ``touched`` after a change of environment or folder, ``wrote``
    after anything was opened for writing, made or removed in the scratch folder. ``redefined`` are the functions that were given
    other code or defaults: which attribute, and what it was before.
    """

    def __init__(self, scratch: str, allow: Iterable[str] = ()) -> None:
        names = tuple(allow)
        opened = [name.removeprefix("write:") for name in names if name.startswith("write:")]
        self._roots = tuple(realpath(root).rstrip(os.sep) for root in (scratch, *opened) if root)
        self._harmless = frozenset({os.devnull, "/dev/tty", "/dev/zero", "/dev/full"})
        self._refusals: dict[str, None] = {}
        self._alike: dict[str, int] = {}
        self._reported = 0
        self.refused = 0
        """How often something was refused: subjects often go on as if nothing had happened."""
        self._last: Refusal | None = None
        self.on_refusal: Callable[[str], None] | None = None
        """Told of each refusal's allowance, while what was refused is still being called."""
        self.touched = False
        self.wrote = False
        self.redefined: list[tuple[FunctionType, str, object]] = []
        self._lacking: dict[str, None] = {}
        self._read: dict[str, None] = {}
        self._too_much = _around(_home())
        self._handlers = self._table(frozenset(names))
        self._awake: dict[str, Callable[[Arguments], None]] = {}

    def install(self) -> None:
        """Add the hook, awake: for good."""
        self.wake()
        find = self._awake.get

        def hook(event: str, arguments: Arguments) -> None:
            handler = find(event)
            if handler is not None:
                handler(arguments)

        sys.addaudithook(hook)

    def wake(self) -> None:
        """Refuse and note again."""
        self._awake.update(self._handlers)

    def rest(self) -> None:
        """Let everything pass until :meth:`wake`: our own code is at work."""
        self._awake.clear()

    def take_refusals(self) -> tuple[str, ...]:
        """What was refused since the last call, each action once, at most 20 in all, and 3 that one allowance permits."""
        news = tuple(self._refusals)[self._reported :]
        self._reported += len(news)
        return news

    def take_last(self) -> Refusal | None:
        """What was refused last since this was called."""
        last, self._last = self._last, None
        return last

    def take_lacking(self) -> tuple[str, ...]:
        """Files of the current folder, or of the scratch folder, that were to be read since this was called last, and were not
        there."""
        lacking = tuple(self._lacking)
        self._lacking.clear()
        return lacking

    def take_read(self) -> tuple[str, ...]:
        """Likewise, those that were there."""
        read = tuple(self._read)
        self._read.clear()
        return read

    def _refuse(self, what: str, allowance: str = "") -> None:
        text = f"{what}; --allow {allowance} permits it" if allowance else what
        self.refused += 1
        self._last = Refusal(text, allowance)
        if text not in self._refusals and len(self._refusals) < _MAX_REFUSALS and self._alike.get(allowance, 0) < _MAX_ALIKE:
            if allowance:
                self._alike[allowance] = self._alike.get(allowance, 0) + 1
            self._refusals[text] = None
        if self.on_refusal is not None:
            self.on_refusal(allowance)
        raise PermissionError(f"crashwright refused to {text}")

    def _table(self, allowed: frozenset[str]) -> Mapping[str, Callable[[Arguments], None]]:
        table: dict[str, Callable[[Arguments], None]] = {"open": self._open, "sqlite3.connect": self._database}
        for event, (position, folder) in _ONE_PATH.items():
            table[event] = self._one_path(event, position, folder)
        for event in ("os.rename", "os.link"):
            table[event] = self._two_paths(event)
        if "processes" not in allowed:
            table |= {event: self._always(f"start a process ({event})", "processes") for event in _PROCESSES}
            table["subprocess.Popen"] = self._program
        table |= dict.fromkeys(("os.kill", "os.killpg"), self._kill if "processes" not in allowed else self._kill_others)
        if "network" not in allowed:
            table |= {event: self._always(f"use the network ({event})", "network") for event in _NETWORK}
            table["socket.__new__"] = self._socket
        if "ctypes" not in allowed:
            table["ctypes.dlopen"] = self._library
        table |= {event: self._always(f"change the limits of the process ({event})", "processes") for event in _LIMITS}
        table |= dict.fromkeys(("os.chdir", "os.fchdir", "os.putenv", "os.unsetenv"), self._touch)
        table["object.__setattr__"] = self._redefine
        return table

    def _touch(self, _arguments: Arguments) -> None:
        self.touched = True

    def _redefine(self, arguments: Arguments) -> None:
        function, name, _ = arguments
        if type(function) is FunctionType and name in _PARTS:
            self.redefined.append((function, name, getattr(function, name)))

    def _always(self, what: str, allowance: str) -> Callable[[Arguments], None]:
        return lambda _arguments: self._refuse(what, allowance)

    def _program(self, arguments: Arguments) -> None:
        if not _cannot_start(*arguments):
            self._refuse("start a process (subprocess.Popen)", "processes")

    def _kill(self, arguments: Arguments) -> None:
        if arguments[0] != getpid():
            self._refuse(f"send a signal to process {arguments[0]}", "processes")

    def _kill_others(self, arguments: Arguments) -> None:
        if not _is_descendant(arguments[0]):
            self._refuse(f"send a signal to process {arguments[0]}, which it did not start")

    def _socket(self, arguments: Arguments) -> None:
        _, family, kind, *_ = arguments
        if family >= 0 and (family not in _FAMILIES or kind & _SOCKET_TYPE not in _STREAMS):
            self._refuse("use the network (socket.__new__)", "network")

    def _library(self, arguments: Arguments) -> None:
        if arguments[0] is not None:
            self._refuse(f"load the library {arguments[0]!r}", "ctypes")

    def _open(self, arguments: Arguments) -> None:
        path, _, flags = arguments
        if issubclass(type(flags), int) and flags & _WRITING and not issubclass(type(path), int):
            self._check(path, -1, "open for writing")
        elif type(path) is str and self._is_own(path):
            noted = self._read if os.path.lexists(path) else self._lacking
            if len(noted) < _MAX_NOTED:
                noted[path] = None

    def _is_own(self, path: str) -> bool:
        return not os.path.isabs(path) or any(path.startswith(root + os.sep) for root in self._roots)

    def _database(self, arguments: Arguments) -> None:
        name = os.fsdecode(arguments[0])
        if name.startswith("file:"):
            name, _, query = name.removeprefix("file:").removeprefix("//").partition("?")
            if not _NO_FILE.isdisjoint(query.partition("#")[0].split("&")):
                return
        if name not in (":memory:", ""):
            self._check(name, -1, "open as a database")

    def _one_path(self, event: str, position: int, folder: int) -> Callable[[Arguments], None]:
        verb = event.removeprefix("os.")

        def handle(arguments: Arguments) -> None:
            descriptor = arguments[folder] if 0 < folder < len(arguments) else -1
            self._check(arguments[position], descriptor, verb)

        return handle

    def _two_paths(self, event: str) -> Callable[[Arguments], None]:
        verb = event.removeprefix("os.")

        def handle(arguments: Arguments) -> None:
            source, destination, source_folder, destination_folder = arguments
            self._check(source, source_folder, verb)
            self._check(destination, destination_folder, verb)

        return handle

    def _check(self, path: object, folder: object, verb: str) -> None:
        """Refuse unless ``path`` (relative to the descriptor ``folder``, where it is one) lies where writing is allowed."""
        if issubclass(type(path), int):  # and no isinstance: it may be any object of the subject
            path = _path_of(path)  # type: ignore[arg-type]  # to open a file for reading is no leave to change its mode or times
            if not os.path.isabs(path):
                return  # a pipe, a socket, or no descriptor at all
        try:
            text = os.fsdecode(path)  # type: ignore[arg-type]
        except TypeError:
            return  # the call itself will fail
        opening = verb.startswith("open")
        if opening and text in self._harmless:
            return  # to write to them, that is, not to remove them
        if type(folder) is int and folder >= 0 and not os.path.isabs(text):
            text = os.path.join(_path_of(folder) or os.sep, text)
        parent, name = os.path.split(os.path.abspath(text))
        # The last component of a path that is removed or renamed may be a link itself: its folder decides. Opening follows it.
        place = realpath(text) if opening or verb in _FOLLOWING else os.path.join(realpath(parent), name)
        for root in self._roots:
            if place == root or place.startswith(root + os.sep):
                self.wrote = True
                return
        parent = os.path.dirname(place) or place
        if parent in self._too_much:
            # That would permit everything, or everything of the user's: no advice for the sake of a test.
            self._refuse(f"{verb} {_in_a_line(text)}{NOT_ADVISED}{parent}")
        self._refuse(f"{verb} {_in_a_line(text)}", f"write:{_in_a_line(parent)}")


def _home() -> str:
    """The user's own, whatever HOME says."""
    try:
        return realpath(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:
        return os.sep  # a user without a name has none


def _around(folder: str) -> frozenset[str]:
    """A folder and all that it lies in, the root included."""
    found = {folder}
    while folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
        found.add(folder)
    return frozenset(found)


def _cannot_start(executable: object, arguments: object, folder: object, variables: object, *_others: object) -> bool:
    """Whether ``subprocess`` will raise a TypeError before there is a process, for something is no path and no text: the crash of
    many who pass on what is None. Told by exact types, so that nothing is asked of the subject's objects."""
    said = [executable, *([] if folder is None else [folder])]
    if type(arguments) is list:
        said += arguments
    if type(variables) is dict:
        said += [*variables.keys(), *variables.values()]
    return os.fsencode is _encode and any(id(type(one)) in _NO_PATHS for one in said)


def _is_descendant(pid: object) -> bool:
    """Whether ``pid`` is this process or comes from it. True where the system does not tell."""
    if type(pid) is not int or pid <= 0:
        return False
    for _ in range(_DEEPEST):
        if pid == getpid():
            return True
        try:
            with _open_file(f"/proc/{pid}/stat", "rb") as file:  # noqa: UP020 (see the import)
                pid = int(file.read().rpartition(b")")[2].split()[1])
        except OSError:
            return not os.path.exists("/proc/self")
        if pid <= 1:
            return False
    return False


def _in_a_line(path: str) -> str:
    """As it is told: names that a search makes up have line ends in them, and worse."""
    return path if path.isprintable() else ascii(path)


def _path_of(descriptor: int) -> str:
    """Empty where there is no such descriptor. Where the system does not tell, the root: refused, unless all may be written."""
    try:
        return os.readlink(f"/proc/self/fd/{descriptor}")
    except FileNotFoundError:
        return "" if os.path.exists("/proc/self") else os.sep
    except OSError:
        return os.sep


_ONE_PATH: Mapping[str, tuple[int, int]] = {
    "os.remove": (0, 1),
    "os.mkdir": (0, 2),
    "os.rmdir": (0, 1),
    "os.chmod": (0, 2),
    "os.chown": (0, 3),
    "os.symlink": (1, 2),
    "os.truncate": (0, -1),
    "os.utime": (0, 3),
    "os.setxattr": (0, -1),
    "os.removexattr": (0, -1),
    "os.chflags": (0, -1),
}
"""Event: (position of the path, position of the folder's descriptor or -1)."""

_PROCESSES = (
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.fork",
    "os.forkpty",
    "os.posix_spawn",
    "os.spawn",
    "os.startfile",
    "pty.spawn",
    "webbrowser.open",
)
_NETWORK = (
    "socket.connect",
    "socket.bind",
    "socket.sendto",
    "socket.sendmsg",
    "socket.getaddrinfo",
    "socket.gethostbyname",
    "socket.gethostbyaddr",
    "socket.getnameinfo",
    "socket.sethostname",
)
_LIMITS = ("resource.setrlimit", "resource.prlimit")
