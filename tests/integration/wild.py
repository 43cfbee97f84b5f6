"""Random calls into os, shutil, pathlib, subprocess and socket: a subject for the engine, and a program that confines itself.

As a subject: ``calls(SPEC)``. As a program: ``python wild.py SPEC``, with layers of one's choice and one disposable child after the
other, until all calls are made. SPEC is JSON: see :class:`Spec`.
"""

from __future__ import annotations

import ctypes
import inspect
import json
import mmap
import os
import pathlib
import random
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

BATCH = 200
_CHILD_SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER: what a child leaves behind becomes a child of this process."""
TOLD = "wild: "
PATIENCE = 0.2
ENDS_THE_PROCESS = frozenset({"os._exit", "os.abort"})
MODULES = (os, shutil, subprocess, socket)


@dataclass
class Spec:
    """``victims`` are folders outside of ``scratch`` (empty: the current folder), ``pid`` a process to be hurt. ``token`` is in the
    name of every file that might be made. ``layers`` of Landlock, seccomp, hook are for the program, ``deadly`` adds the calls that
    end the process."""

    seed: int
    calls: int
    scratch: str
    victims: list[str]
    pid: int
    token: str
    layers: tuple[str, ...] = ()
    deadly: bool = False


class Made(Exception):
    """How many calls were made, and how they ended."""


def calls(text: str) -> None:
    """Make the calls of one SPEC, and raise Made."""
    spec = Spec(**json.loads(text))
    spec.scratch = spec.scratch or os.getcwd()
    made: dict[str, int] = {}
    wild = Wild(spec, spec.seed)
    for _ in range(spec.calls):
        outcome = wild.one()
        made[outcome] = made.get(outcome, 0) + 1
    raise Made(json.dumps(made))


class Wild:
    """Makes random calls."""

    def __init__(self, spec: Spec, seed: int) -> None:
        self._rng = random.Random(seed)
        self._spec = spec
        self._own = os.getpid()
        self._targets = [(name, function) for name, function in targets() if name not in ENDS_THE_PROCESS or spec.deadly]
        here = pathlib.Path(spec.scratch, "wild")
        here.mkdir(parents=True, exist_ok=True)
        (here / "file").write_bytes(b"own")
        os.chdir(here)
        self._paths = list(self._all_paths())
        self._sockets = [socket.socketpair(), socket.socketpair()]
        for pair in self._sockets:
            for end in pair:
                end.setblocking(False)
        # Where a layer alone does not hold, they may be gone by now.
        names = [name for victim in spec.victims for name in (victim, victim, f"{victim}/file") if os.access(name, os.R_OK)]
        self._descriptors = [
            *(os.open(name, os.O_RDONLY) for name in names),
            os.open("file", os.O_RDWR),
            *range(3),
            *range(178, 188),
        ]
        self._descriptors += [self._sockets[0][0].fileno(), -1, 99]

    def _all_paths(self) -> Iterator[str]:
        token = self._spec.token
        for victim in self._spec.victims:
            yield from (victim, victim, f"{victim}/file", f"{victim}/file", f"{victim}/folder", f"{victim}/folder/file")
            yield from (f"{victim}/link", f"{victim}/{token}-new", f"{victim}/folder/{token}-new")
            yield os.path.relpath(f"{victim}/file")
        yield from ("file", f"{token}-here", f"{token}-there", ".", "", f"folder/{token}", f"/proc/{self._spec.pid}/comm")
        yield from (f"/proc/self/fd/{number}" for number in (0, 5, 7))

    def one(self) -> str:
        """Make one call. How it ended, in a word."""
        _, function = self._rng.choice(self._targets)
        arguments, options = self._arguments(function)
        try:
            function(*arguments, **options)
        except PermissionError:
            return "refused"
        except (Exception, SystemExit, KeyboardInterrupt, GeneratorExit):  # noqa: BLE001 (whatever comes of a random call)
            return "failed"
        finally:
            if os.getpid() != self._own:
                os._exit(0)  # it forked
        return "done"

    def _arguments(self, function: Callable[..., Any]) -> tuple[list[Any], dict[str, Any]]:
        rng = self._rng
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            return [self._anything() for _ in range(rng.randrange(4))], {}
        arguments: list[Any] = []
        options: dict[str, Any] = {}
        for parameter in parameters:
            optional = parameter.default is not parameter.empty
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                arguments += (
                    [self._anything() for _ in range(rng.randrange(3))] if parameter.kind == parameter.VAR_POSITIONAL else []
                )
            elif optional and rng.random() < 0.6:
                if parameter.kind is not parameter.KEYWORD_ONLY:
                    break
            elif parameter.kind is parameter.KEYWORD_ONLY:
                options[parameter.name] = self._fitting(parameter.name)
            else:
                arguments.append(self._fitting(parameter.name))
        return arguments, options

    def _fitting(self, name: str) -> Any:
        rng = self._rng
        if rng.random() < 0.15:
            return self._anything()
        if "fd" in name or name in ("in", "out"):
            return rng.choice(self._descriptors)
        if name in ("pid", "pgid", "id", "who"):
            return self._process()
        if any(
            word in name for word in ("path", "src", "dst", "name", "dir", "file", "top", "self", "target", "root", "old", "new")
        ):
            return self._path()
        if name in ("args", "argv", "command", "cmd", "popenargs"):
            return rng.choice(
                [["/bin/touch", self._path()], ["sh", "-c", f"echo x > {self._path()}"], "true", [sys.executable, "-V"]]
            )
        if name in ("times", "ns"):
            return rng.choice([None, (1, 2), (10**9, 10**9)])
        if name == "flags":
            return rng.choice([0, os.O_WRONLY, os.O_RDWR, os.O_WRONLY | os.O_CREAT, os.O_RDWR | os.O_TRUNC, os.O_TRUNC, os.O_PATH])
        if "signal" in name or name == "sig":
            return rng.choice([0, signal.SIGTERM, signal.SIGKILL, signal.SIGSTOP])
        if name == "mode":
            return rng.choice([0, 0o777, 0o600, "w", "a", "r+", "rb", stat.S_IFIFO | 0o600, stat.S_IFREG | 0o644, stat.S_IFCHR])
        if name == "address":
            return rng.choice([("127.0.0.1", 9), ("localhost", 80), "/dev/log", f"\0{self._spec.token}", self._path()])
        return self._anything()

    def _anything(self) -> Any:
        rng = self._rng
        kind = rng.randrange(9)
        if kind < 3:
            return self._path()
        if kind == 3:
            return rng.choice(self._descriptors)
        if kind == 4:
            return self._process()
        return rng.choice([0, 1, -1, 7, 64, 511, 4096, b"bytes", "user.wild", "zip", None, True, False, (1, 2), [], {}, b"", 1.5])

    def _path(self) -> Any:
        path = self._rng.choice(self._paths)
        form = self._rng.randrange(8)
        return path.encode() if form == 0 else pathlib.Path(path) if form < 3 else path

    def _process(self) -> int:
        return self._rng.choice([self._spec.pid, self._spec.pid, -self._spec.pid, os.getppid(), 0, -1, self._own])


def targets() -> list[tuple[str, Callable[..., Any]]]:
    """All public callables, methods of Path and socket included."""
    found: dict[str, Callable[..., Any]] = {}
    for module in MODULES:
        for name, value in vars(module).items():
            public = not name.startswith("_") or name == "_exit"
            if public and callable(value) and getattr(value, "__module__", "") not in ("typing", "enum"):
                found[f"{module.__name__}.{name}"] = value
    for cls in (pathlib.Path, socket.socket):
        for name in dir(cls):
            value = getattr(cls, name)
            if not name.startswith("_") and callable(value):
                found[f"{cls.__name__}.{name}"] = method(cls, name)
    return list(found.items())


def method(cls: Any, name: str) -> Callable[..., Any]:
    """A method as a function of what makes its object."""
    if cls is socket.socket:

        def of_socket(address: Any, *more: Any) -> Any:
            with socket.socket() as one:
                one.setblocking(False)
                return getattr(one, name)(address, *more)

        return of_socket

    def of_path(path: Any, *more: Any) -> Any:
        result = getattr(cls(path), name)(*more)
        return list(result) if inspect.isgenerator(result) else result

    def of_path_alone(path: Any) -> Any:
        return of_path(path)

    try:
        return of_path if len(inspect.signature(getattr(cls, name)).parameters) > 1 else of_path_alone
    except (TypeError, ValueError):
        return of_path


# As a program


def main() -> None:
    """Confine this process, make the calls in children, print how many were made and how many children that took."""
    spec = Spec(**json.loads(sys.argv[1]))
    from crashwright.engine.execution.confinement import Confinement
    from crashwright.engine.execution.confinement.guard import Guard

    kernel = Confinement((spec.scratch,), layers=[layer for layer in spec.layers if layer != "hook"])
    kernel.begin()
    if kernel.missing:
        sys.exit(kernel.text)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_CHILD_SUBREAPER, 1)
    progress = mmap.mmap(-1, 4096)
    done = children = 0
    refused = 0
    while done < spec.calls:
        children += 1
        pid = os.fork()
        if pid == 0:
            kernel.tighten()
            if "hook" in spec.layers:
                Guard(spec.scratch).install()
            try:
                child(spec, done, progress)
            finally:
                os._exit(0)
        wait(pid)
        end_the_stopped()
        before, done = done, int.from_bytes(progress[:8], "little")
        if done == before:
            sys.exit(f"a child ended before its first call, after {done} calls")
        refused = int.from_bytes(progress[8:16], "little")
    until = time.monotonic() + PATIENCE
    while end_the_stopped() and time.monotonic() < until:
        time.sleep(0.01)
    print(f"\n{TOLD}{json.dumps({'made': done, 'children': children, 'refused': refused})}")  # children may have written there


def wait(pid: int) -> None:
    """Until it ends; a child that stops itself, or hangs in a loop inside C, is killed."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        ended, status = os.waitpid(pid, os.WNOHANG | os.WUNTRACED)
        if ended and os.WIFSTOPPED(status):
            break
        if ended:
            return
        time.sleep(0.002)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def end_the_stopped() -> bool:
    """Kill those that a child has left behind and that have stopped themselves: nobody would go on with them. Whether any are left;
    what still runs is told by whoever looks for strays."""
    try:
        while True:
            ended, status = os.waitpid(-1, os.WNOHANG | os.WUNTRACED)
            if not ended:
                return True
            if os.WIFSTOPPED(status):
                os.kill(ended, signal.SIGKILL)
    except ChildProcessError:
        return False


class Stuck(BaseException):
    """A call takes too long."""


def child(spec: Spec, first: int, progress: mmap.mmap) -> None:
    """Make up to BATCH calls, from number ``first`` on."""

    def stuck(_signal: int, _frame: object) -> None:
        raise Stuck

    signal.signal(signal.SIGALRM, stuck)
    own = os.getpid()
    wild = Wild(spec, spec.seed * 1_000_003 + first)
    refused = int.from_bytes(progress[8:16], "little")
    for number in range(first, min(first + BATCH, spec.calls)):
        progress[:8] = (number + 1).to_bytes(8, "little")
        signal.setitimer(signal.ITIMER_REAL, PATIENCE, PATIENCE)
        try:
            refused += wild.one() == "refused"
        except Stuck:
            continue
        finally:
            if os.getpid() != own:
                os._exit(0)
        progress[8:16] = refused.to_bytes(8, "little")


if __name__ == "__main__":
    main()
