"""What cleans up after a host that was killed: a tiny process that waits for the end of a pipe which only the host holds.

The host tells it of each scratch folder before it makes it, of each process group once it is there, and of both when they are
gone. At the end of the pipe the watchdog kills and removes what is left; after an orderly end that is nothing. It is a shell,
which starts in 2 ms. Names reach it as lines on its input and are never part of a command; it only removes folders of ours,
directly below the temporary folder.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading
import weakref

PREFIX = "crashwright-"
"""How the names of our folders begin."""
_LAST_SECONDS = 1.0

# The arguments are the entries: g and the number of a process group, or f and the path of a folder. root is the temporary folder.
_SCRIPT = """
PATH=$PATH:/usr/bin:/bin
root=$1
shift
while IFS= read -r line; do
  entry=${line#?}
  count=$#
  while [ "$count" -gt 0 ]; do
    kept=$1
    shift
    [ "$kept" = "$entry" ] || set -- "$@" "$kept"
    count=$((count - 1))
  done
  case $line in +*) set -- "$@" "$entry" ;; esac
done
for entry do
  case $entry in g*) kill -s KILL -- "-${entry#g}" ;; esac
done
for entry do
  case $entry in f*) ;; *) continue ;; esac
  folder=${entry#f}
  name=${folder#"$root"/}
  case $name in */*) continue ;; "$PREFIX"?*) ;; *) continue ;; esac
  for attempt in 1 2 3 4 5 6 7 8 9 10; do
    rm -rf -- "$root/$name"
    [ -e "$root/$name" ] || break
    chmod -R u+rwx -- "$root/$name"
    sleep 0.05
  done
done
"""


class Watchdog:
    """Started with the first thing to watch. Where there is no shell, or it was killed for good, all works without it. After an
    orderly end of this process, nothing of it is left."""

    def __init__(self) -> None:
        self._entries: dict[str, None] = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._possible = True
        self._turn = threading.RLock()
        """Several threads start processes; a finalizer may remove a folder in the middle of it."""

    def watch_folder(self, path: str) -> None:
        """Remove the folder at ``path``, directly below the temporary folder, should this process be killed."""
        if "\n" not in path:
            self._add(f"f{path}")

    def forget_folder(self, path: str) -> None:
        """It is gone."""
        self._remove(f"f{path}")

    def watch_group(self, group: int) -> None:
        """Kill this process group, should this process be killed."""
        self._add(f"g{group}")

    def forget_group(self, group: int) -> None:
        """It has ended: its number may belong to somebody else now."""
        self._remove(f"g{group}")

    @property
    def pid(self) -> int | None:
        """The process that watches, where there is one."""
        return None if self._process is None else self._process.pid

    def dismiss(self) -> None:
        """Nothing is to be watched any more; what still was is cleaned up after now."""
        self._entries.clear()
        if self._process is not None:
            _dismiss(self._process)
            self._process = None

    def _add(self, entry: str) -> None:
        with self._turn:
            self._entries[entry] = None
            self._tell(f"+{entry}")

    def _remove(self, entry: str) -> None:
        with self._turn:
            if self._entries.pop(entry, entry) is None:
                self._tell(f"-{entry}")

    def _tell(self, line: str) -> None:
        if self._process is None or self._process.poll() is not None:
            self._start()  # also where somebody killed it
        elif not self._write(line):
            self._start()

    def _start(self) -> None:
        if not self._possible or not self._entries:
            return
        try:
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", _SCRIPT, "crashwright-watchdog", os.path.abspath(tempfile.gettempdir())],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env={**os.environ, "PREFIX": PREFIX},
                start_new_session=True,
            )
        except OSError:
            self._possible = False  # no shell here
            return
        assert self._process.stdin is not None
        os.set_blocking(self._process.stdin.fileno(), False)
        weakref.finalize(self, _dismiss, self._process)
        for entry in self._entries:
            self._write(f"+{entry}")

    def _write(self, line: str) -> bool:
        """Whether it was heard. A line is shorter than what a pipe takes in one piece, or in none."""
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            os.write(self._process.stdin.fileno(), os.fsencode(f"{line}\n"))
        except BrokenPipeError:
            return False
        except BlockingIOError:
            return True  # it was stopped: it will not help, and must not harm
        return True


def _dismiss(process: subprocess.Popen[bytes]) -> None:
    """The orderly end: by now nothing is left to do for it."""
    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(_LAST_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
