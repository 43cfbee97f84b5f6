"""What a batch pays for the place where it works: seconds for each task here and on a Dask cluster, and how much of it many workers
win, on one machine.

``python -m benchmarks.places`` (from the root of the repository) prints the tables and writes them to results/places.md. The
scheduler and the workers are processes of their own. Tasks that sleep take no processor, so that they show what the machinery costs
with more workers than there are processors; tasks that do nothing leave it alone to be seen. Only the last table is of real work.
The first and the last table have the faster one of two rounds.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from tests.toys.cluster_processes import Processes, cluster

from benchmarks.record import RESULTS, machine
from crashwright.core.settings import Budget
from crashwright.crash.readers.registry import read_reports
from crashwright.workflows.places import cluster as cluster_place
from crashwright.workflows.places import place
from crashwright.workflows.places.cluster import Cluster
from crashwright.workflows.places.place import LocalProcesses, Place, Told
from crashwright.workflows.places.workers import WorkerEnvironment, Workers
from crashwright.workflows.reproduce.request import Request

SLEEP = 1.0
WIDTHS = (1, 2, 4, 8)
EACH = 8
"""Tasks that sleep, for each worker."""
NOTHING = 400
REFUSED = 12
REAL = 8
ROUNDS = 2
LINES = 20
ADDRESSES = 1000
DOCUMENT: dict[str, Any] = {"verdict": "not found", "exit_code": 1}
SUBJECT = """
def work(words, limit):
    total = 0
    for word in words:
        if word.startswith("{name}"):
            total += len(word)
    if total > limit + 7:
        raise ValueError("too many")
    return total
"""
TRACEBACK = """Traceback (most recent call last):
  File "/srv/{name}.py", line 7, in work
    raise ValueError("too many")
ValueError: too many
"""


class Measured(NamedTuple):
    """Seconds on the clock for all tasks; processor seconds of the process that hands them out, and of the scheduler."""

    seconds: float
    own: float
    scheduler: float


def nothing_there(_request: str, _topic: str, _key: str) -> dict[str, Any]:
    """A task that does nothing."""
    return DOCUMENT


def sleeping_there(_request: str, _topic: str, _key: str) -> dict[str, Any]:
    """A task that sleeps."""
    time.sleep(SLEEP)
    return DOCUMENT


def telling_there(_request: str, topic: str, key: str) -> dict[str, Any]:
    """A task that only tells."""
    from distributed import get_worker

    for number in range(LINES):
        get_worker().log_event(topic, [key, f"generation {number}"])
    return DOCUMENT


async def sleeping_process(*_: object) -> dict[str, Any]:
    """What a local task would be that sleeps."""
    process = await asyncio.create_subprocess_exec(sys.executable, "-S", "-c", f"import time; time.sleep({SLEEP})")
    await process.wait()
    return DOCUMENT


async def _silent(_text: str) -> None:
    return


def done(place: Place, requests: Sequence[Request], scheduler: int = 0) -> Measured:
    """All ``requests``, as many at a time as the place is wide; what it costs to get ready is not counted."""

    async def run() -> Measured:
        waiting = deque(requests)

        async def work() -> None:
            while waiting:
                document = await place.run(waiting.popleft(), told)
                assert "verdict" in document, document

        told: Told = _silent
        try:
            await place.open(told)
            await place.run(requests[0], told)
            begin, own, there = time.monotonic(), time.process_time(), _cpu(scheduler)
            await asyncio.gather(*(work() for _ in range(place.width())))
            return Measured(time.monotonic() - begin, time.process_time() - own, _cpu(scheduler) - there)
        finally:
            await place.close()

    return asyncio.run(run())


def _cpu(process: int) -> float:
    """Processor seconds of a process so far; 0 for none."""
    if not process:
        return 0.0
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def on_cluster(processes: Processes, requests: Sequence[Request], task: Callable[..., dict[str, Any]] | None = None) -> Measured:
    """As :func:`done`, by the workers; ``task`` is run instead of a reproduction."""
    place = Cluster(processes.address)
    if task is None:
        return done(place, requests, processes.scheduler.pid)
    with patch.object(cluster_place, "reproduce_there", task):
        return done(place, requests, processes.scheduler.pid)


@contextmanager
def _many_addresses() -> Iterator[None]:
    """As though so many more workers were fit."""
    fit = Workers.fit
    others = {f"tcp://10.0.{number // 250}.{number % 250}:40000" for number in range(ADDRESSES)}

    async def more(self: Workers, environment: WorkerEnvironment) -> frozenset[str]:
        return await fit(self, environment) | others

    with patch.object(Workers, "fit", more):
        yield


def request_of(name: str, folder: Path) -> Request:
    """The crash of the subject of that name, which lies in ``folder`` or is not there."""
    return Request(
        report="",
        known=read_reports(TRACEBACK.format(name=name))[0],
        python=os.path.realpath(sys.executable),
        path=(str(folder),),
        budget=Budget(None, 100_000),
        cache=False,
    )


def cost_lines(folder: Path, processes: Processes) -> Iterator[str]:
    """One worker: what a task costs."""
    refused, nothing = ([request_of("nowhere", folder)] * many for many in (REFUSED, NOTHING))
    yield from ("", "## A task, one at a time", "")
    yield "| | ms on the clock | CPU ms of the batch | CPU ms of the scheduler |"
    yield "|---|--:|--:|--:|"
    yield _costs("a report whose package is not there: local process", REFUSED, lambda: done(LocalProcesses(1), refused))
    yield _costs("the same, on the cluster", REFUSED, lambda: on_cluster(processes, refused))
    yield _costs("a task that does nothing, on the cluster", NOTHING, lambda: on_cluster(processes, nothing, nothing_there))
    yield _costs(f"a task that tells {LINES} lines", NOTHING, lambda: on_cluster(processes, nothing, telling_there))
    with _many_addresses():
        yield _costs(
            f"a task that does nothing, with the addresses of {ADDRESSES} more workers",
            NOTHING,
            lambda: on_cluster(processes, nothing, nothing_there),
        )


def _costs(label: str, tasks: int, measure: Callable[[], Measured]) -> str:
    best = min(measure() for _ in range(ROUNDS))
    seconds, own, scheduler = (f"{1000 * value / tasks:.1f}" for value in best)
    return f"| {label} | {seconds} | {own} | {scheduler} |"


def efficiency_lines(folder: Path, width: int, processes: Processes) -> Iterator[str]:
    """Tasks that sleep, for so many workers."""
    requests = [request_of("nowhere", folder)] * (EACH * width)
    with patch.object(place, "run_command", sleeping_process):
        here = done(LocalProcesses(width), requests)
    there = on_cluster(processes, requests, sleeping_there)
    least = EACH * SLEEP
    yield f"| {width} | {here.seconds:.2f} | {least / here.seconds:.1%} | {there.seconds:.2f} | {least / there.seconds:.1%} |"


def real_lines(folder: Path, width: int, processes: Processes) -> Iterator[str]:
    """Crashes that are reproduced, all there is of it."""
    for number in range(REAL):
        (folder / f"victim{number}.py").write_text(SUBJECT.format(name=f"w{number}").lstrip())
    requests = [request_of(f"victim{number}", folder) for number in range(REAL)]
    rounds = [(done(LocalProcesses(width), requests).seconds, on_cluster(processes, requests).seconds) for _ in range(ROUNDS)]
    here, there = map(min, zip(*rounds, strict=True))
    yield f"| {width} | {here:.1f} | {there:.1f} |"


def main() -> None:
    """Prints and saves."""
    lines = ["# The places of a batch", ""]
    lines.append(f"`python -m benchmarks.places`; Python {sys.version.split()[0]}; {machine()}.")
    efficiency = [
        "",
        f"## {EACH} tasks for each worker that sleep {SLEEP:g} s",
        "",
        "| workers | local processes, s | efficiency | cluster, s | efficiency |",
        "|--:|--:|--:|--:|--:|",
    ]
    real = ["", f"## {REAL} crashes that are reproduced, seconds", "", "| workers | local processes | cluster |", "|--:|--:|--:|"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "code").mkdir()
        with cluster(folder, 0) as processes:
            for width in WIDTHS:
                while len(processes.workers) < width:
                    processes.add_worker()
                processes.wait_for_workers(width)
                if width == 1:
                    lines += cost_lines(folder / "code", processes)
                efficiency += efficiency_lines(folder / "code", width, processes)
                if width <= (os.cpu_count() or 1):
                    real += real_lines(folder / "code", width, processes)
    lines += [*efficiency, *real]
    print("\n".join(lines))
    (RESULTS / "places.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
