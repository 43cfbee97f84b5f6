"""Those that must not be hurt: folders in several file systems and a process, looked at before and after."""

from __future__ import annotations

import dataclasses
import json
import os
import secrets
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from wild import TOLD, Spec

from crashwright.engine.execution.confinement import landlock, seccomp
from crashwright.engine.execution.confinement.bpf import ASK
from crashwright.engine.execution.confinement.syscalls import System, Unavailable

HERE = Path(__file__).parent
ELSEWHERE = ("/var/tmp", "/dev/shm")
PATIENCE = 60.0
"""Seconds in which a process that was killed has to be gone."""


class Bystanders:
    """Use as a context manager. ``contained`` keeps them all below ``root``: for layers that alone do not hold."""

    def __init__(self, root: Path, contained: bool = False) -> None:
        self.token = f"wild{secrets.token_hex(4)}"
        self.scratch = root / "scratch"
        self.scratch.mkdir(parents=True)
        places = [root] if contained else [root, *(Path(place) for place in ELSEWHERE if os.access(place, os.W_OK))]
        self._victims = [place / f"{self.token}-victim" for place in places]
        self._watched = [Path.home(), Path.cwd(), *(Path(place) for place in ("/tmp", *ELSEWHERE) if os.path.isdir(place))]

    def __enter__(self) -> Bystanders:
        for victim in self._victims:
            (victim / "folder").mkdir(parents=True)
            for name in ("file", "folder/file"):
                (victim / name).write_text("precious")
                os.chmod(victim / name, 0o640)
                os.utime(victim / name, (10**9, 10**9))
            (victim / "link").symlink_to("file")
            for folder in (victim / "folder", victim):
                os.utime(folder, (10**9, 10**9))
        self._process = subprocess.Popen(
            [sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True, stdin=subprocess.DEVNULL
        )
        self._before = {str(victim): look(victim) for victim in self._victims}
        self._null = os.stat(os.devnull)
        self._listings = {folder: set(os.listdir(folder)) for folder in self._watched}
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self._process.kill()
        self._process.wait()
        for victim in self._victims:
            shutil.rmtree(victim, ignore_errors=True)

    def spec(self, seed: int, calls: int, scratch: str = "", layers: tuple[str, ...] = (), deadly: bool = False) -> str:
        """What ``wild`` is told."""
        victims = [str(victim) for victim in self._victims]
        return json.dumps(dataclasses.asdict(Spec(seed, calls, scratch, victims, self._process.pid, self.token, layers, deadly)))

    def run(self, seed: int, calls: int, layers: tuple[str, ...]) -> dict[str, int]:
        """Make calls in a program of its own, confined by ``layers``: how many were ``made`` and ``refused``, by how many
        ``children``."""
        done = subprocess.run(
            [sys.executable, "-B", str(HERE / "wild.py"), self.spec(seed, calls, str(self.scratch), layers, True)],
            input=b"",  # and not /dev/null: a layer alone might let it be changed
            capture_output=True,
            cwd=self.scratch,
            env={**os.environ, "HOME": str(self.scratch), "TMPDIR": str(self.scratch), "WILD": self.token},
            start_new_session=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        line = next(line for line in done.stdout.decode(errors="replace").splitlines() if line.startswith(TOLD))
        told: dict[str, int] = json.loads(line.removeprefix(TOLD))
        return told

    def contents_changed(self) -> list[str]:
        """Names, kinds, targets of links, and contents."""
        return self._differences(("kind", "content"))

    def attributes_changed(self) -> list[str]:
        """Mode, owner, times, extended attributes, number of links."""
        return self._differences(("mode", "owner", "mtime", "xattrs", "links"))

    def _differences(self, keys: tuple[str, ...]) -> list[str]:
        def part(seen: dict[str, dict[str, Any]]) -> dict[str, list[Any]]:
            return {name: [one[key] for key in keys] for name, one in seen.items()}

        found = []
        for victim, before in self._before.items():
            then, now = part(before), part(look(Path(victim)))
            different = [name for name in {*then, *now} if then.get(name) != now.get(name)]
            found += [f"{victim}/{name}: {then.get(name)} -> {now.get(name)}" for name in different]
        return found

    def strays(self) -> list[str]:
        """New files where nobody else makes any, or with our token in their name; processes that were left; a victim hurt."""
        found = []
        for folder, before in self._listings.items():
            new = set(os.listdir(folder)) - before
            busy = str(folder) in ("/tmp", *ELSEWHERE)
            found += [str(folder / name) for name in new if not busy or self.token in name]
        until = time.monotonic() + PATIENCE
        while (left := processes(f"WILD={self.token}")) and time.monotonic() < until:
            time.sleep(0.02)
        found += left
        null = os.stat(os.devnull)
        if (null.st_mode, null.st_rdev, null.st_uid) != (self._null.st_mode, self._null.st_rdev, self._null.st_uid):
            found.append("/dev/null is another")
        if self._process.poll() is not None:
            found.append("the victim process is dead")
        elif state(self._process.pid) not in "SR":
            found.append("the victim process is stopped")
        return found

    def changes(self) -> list[str]:
        """Everything together."""
        return [*self.contents_changed(), *self.attributes_changed(), *self.strays()]


def kernel_confines() -> bool:
    """Whether both of the kernel's layers are to be had here."""
    try:
        system = System()
        return landlock.version(system) > 0 and seccomp.action_is_known(system, ASK)
    except Unavailable:
        return False


def look(root: Path) -> dict[str, dict[str, Any]]:
    """All there is to know of a tree, by relative path."""
    found = {}
    for path in [root, *sorted(root.rglob("*"))] if root.is_dir() else []:
        status = path.lstat()
        kind = oct(status.st_mode & 0o170000)
        content = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else b""
        xattrs = [] if path.is_symlink() else sorted(os.listxattr(path))
        found[str(path.relative_to(root))] = {
            "kind": kind,
            "content": content,
            "mode": oct(status.st_mode),
            "owner": (status.st_uid, status.st_gid),
            "mtime": status.st_mtime_ns,
            "xattrs": xattrs,
            "links": status.st_nlink,
        }
    return found


def processes(mark: str) -> list[str]:
    """The processes that have ``mark`` in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if mark.encode() in (entry / "environ").read_bytes().split(b"\0") and state(int(entry.name)) != "Z":
                    found.append(f"process {entry.name} is left")
            except OSError:
                continue
    return found


def state(pid: int) -> str:
    """The letter that ps shows."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
