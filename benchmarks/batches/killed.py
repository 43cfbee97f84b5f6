"""A batch that is killed with -9 while it works, and run again, until it ends by itself; what each run told, and what is wrong with
that."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MARK = "CRASHWRIGHT_BENCHMARK"
"""An environment variable by which /proc tells the processes of a run."""
GONE = 10.0
"""Seconds that processes which were killed have to be gone."""


@dataclass(slots=True)
class Told:
    """What one run told before it ended: crashes that it began with, by title, and that it answered, as in its document."""

    begun: int = 0
    answered: list[dict[str, Any]] = field(default_factory=list)
    killed: bool = False
    left_behind: int = 0
    """Processes that outlived it."""


def run_killed(command: Sequence[str], folder: Path, kills: Sequence[int]) -> tuple[list[Told], dict[str, Any]]:
    """Run ``command`` in ``folder`` again and again, and kill it as soon as so many crashes have an answer in all as the first of
    ``kills`` says, then the next. All that was told, and the document of the last run."""
    runs: list[Told] = []
    waiting = list(kills)
    while True:
        before = sum(len(one.answered) for one in runs)
        told, document = _run(command, folder, waiting.pop(0) - before if waiting else None)
        runs.append(told)
        if not told.killed:
            return runs, document


def _run(command: Sequence[str], folder: Path, most: int | None) -> tuple[Told, dict[str, Any]]:
    told = Told()
    environment = {**os.environ, MARK: str(folder)}
    with (folder / "document.json").open("w+") as out:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert process.stderr is not None
        for line in process.stderr:
            event = json.loads(line)
            told.begun += event["event"] == "Begun"
            if event["event"] == "Answered":
                told.answered.append(event["crash"])
                print(f"{len(told.answered):4} {event['crash']['verdict']:<15} {event['crash']['title'][:100]}", flush=True)
            # Not at once after an answer: then nothing would be under way.
            if most is not None and len(told.answered) >= most and event["event"] == "Working":
                process.send_signal(signal.SIGKILL)
                told.killed = True
                break
        process.wait()
        process.stderr.close()
        until = time.monotonic() + GONE
        while (left := len(list(processes(folder)))) and time.monotonic() < until:
            time.sleep(0.1)
        told.left_behind = left
        out.seek(0)
        return told, {} if told.killed else json.load(out)


def processes(folder: Path) -> Iterator[int]:
    """The numbers of the processes of a run in ``folder`` that still run."""
    wanted = f"{MARK}={folder}".encode()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                found = wanted in (entry / "environ").read_bytes().split(b"\0")
            except OSError:
                continue  # it has ended, or is somebody else's
            if found and int(entry.name) != os.getpid():
                yield int(entry.name)


def faults(runs: Sequence[Told], document: Mapping[str, Any], names: Mapping[str, str], tests: Path, jobs: int) -> list[str]:
    """What is wrong with the answers to the crashes of ``names`` (their fingerprints), in words; nothing, if all is well. ``tests``
    is the folder of the batch's tests, ``jobs`` how many were under way at a time."""
    found = {one["fingerprint"]: one for one in document["crashes"]}
    told = Counter(one["fingerprint"] for run in runs for one in run.answered)
    problems = [f"{name} has no answer" for name, key in names.items() if found.get(key, {}).get("verdict") in (None, "not tried")]
    problems += [f"{key} is none of the pack's" for key in found.keys() - set(names.values())]
    problems += [f"{len(document['crashes'])} answers for {len(names)} crashes"] if len(document["crashes"]) != len(names) else []
    problems += [f"{key} was answered {times} times" for key, times in told.items() if times > 1]
    for run in runs:
        problems += [f"{one['fingerprint']} has another answer now" for one in run.answered if found.get(one["fingerprint"]) != one]
    killed = sum(run.killed for run in runs)
    again = sum(run.begun for run in runs) - len(names)
    if again > killed * jobs:
        problems.append(f"{again} were begun again, and only {killed * jobs} can have been under way")
    written = {one["file"] for one in document["crashes"] if one["file"]}
    there = {file.name for file in tests.glob("test_*.py")}
    problems += [f"{file} is not there" for file in sorted(written - there)]
    problems += [f"nobody knows {file}" for file in sorted(there - written)]
    return problems + [f"{run.left_behind} processes were left behind" for run in runs if run.left_behind]
