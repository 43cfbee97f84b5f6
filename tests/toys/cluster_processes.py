"""A Dask cluster of processes on this machine, for tests: a real scheduler and real workers, each of which can be killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from patience import HANG


class Processes:
    """A scheduler with workers of one thread each. ``environment`` is for all of them."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self._folder = folder
        self._environment = {**os.environ, "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "3s", **environment}
        self._file = folder / "scheduler.json"
        options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(self._file)]
        self.scheduler = self._start("scheduler", options, {})
        self.workers: list[subprocess.Popen[bytes]] = []
        self._until(self._file.exists, "no scheduler")

    @property
    def address(self) -> str:
        """Of the scheduler."""
        return str(json.loads(self._file.read_text())["address"])

    def add_worker(self, **environment: str) -> None:
        """One more, which is there a second later."""
        number = str(len(self.workers) + 1)
        options = ["--scheduler-file", str(self._file), "--nthreads", "1", "--no-nanny", "--no-dashboard", "--name", number]
        options += ["--local-directory", str(self._folder / number)]
        self.workers.append(self._start("worker", options, environment))

    def wait_for_workers(self, many: int) -> None:
        """Until so many have found the scheduler."""
        log = self._folder / "worker.log"
        self._until(lambda: log.read_text(errors="replace").count("Registered to:") >= many, "no workers")

    def stop(self) -> None:
        """All of them."""
        for process in (*self.workers, self.scheduler):
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
            process.wait()

    def _until(self, so: Callable[[], bool], otherwise: str) -> None:
        end = time.monotonic() + HANG
        while not so():
            assert time.monotonic() < end, otherwise
            time.sleep(0.05)

    def _start(self, command: str, options: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
        with (self._folder / f"{command}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", command, *options],
                cwd=self._folder,
                env={**self._environment, **environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )


@contextmanager
def cluster(folder: Path, workers: int, **environment: str) -> Iterator[Processes]:
    """A cluster for a ``with`` block."""
    processes = Processes(folder, **environment)
    try:
        for _ in range(workers):
            processes.add_worker()
        yield processes
    finally:
        processes.stop()
