"""What confinement costs: tests per CPU second with and without it, and milliseconds at the start of an engine.

python benchmarks/confinement.py [--evaluations N] [--rounds N]    prints a table and writes benchmarks/results/confinement.json

Each measurement is a process of its own; those with and without take turns, so that what else the machine does hits both alike. The
audit hook is in both: it was there before. Figures are medians of process CPU time, the loss is the median of the pairs. The
kernel's confinement acts in system calls and nowhere else, so the share of system time, with and without, is a second look at the
same thing that a busy machine disturbs less. At the start: wall time of all that is done before the import and in a fork before its
first test, where the engine is imported already.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from engine_throughput import SUBJECTS, measure
from record import save

from crashwright.core.settings import EngineSettings
from crashwright.engine.execution.confinement import Confinement
from crashwright.engine.execution.enclosure import Enclosure
from crashwright.engine.execution.streams import redirect_descriptors

MOST_LOSS, MOST_START = 0.03, 0.020
CHOSEN = ("trivial", "shlex", "difflib")


def throughput(subject: str, evaluations: int, seed: int, folder: str, confined: bool) -> tuple[float, float]:
    """(tests per CPU second, share of system time in the whole process from here on), measured in this process. ``folder`` is the
    scratch folder."""
    if confined:
        kernel = Confinement((folder,))
        kernel.begin()
        kernel.tighten()
        if kernel.missing:
            raise RuntimeError(kernel.text)
    before = resource.getrusage(resource.RUSAGE_SELF)
    speed = measure(subject, evaluations, seed, folder)[0]
    after = resource.getrusage(resource.RUSAGE_SELF)
    system, user = after.ru_stime - before.ru_stime, after.ru_utime - before.ru_utime
    return speed, system / (system + user)


def start_seconds(folder: str) -> tuple[float, float]:
    """(before the import, in a fork before its first test)."""
    reading, writing = os.pipe()
    begin = time.perf_counter()
    enclosure = Enclosure(folder, EngineSettings())
    enclosure.close()
    zygote = time.perf_counter() - begin
    enclosure.guard.rest()
    if os.fork() == 0:
        begin = time.perf_counter()
        enclosure.close_in_fork(1000, range(180, 184))
        os.write(writing, json.dumps(time.perf_counter() - begin).encode())
        os._exit(0)
    return zygote, json.loads(os.read(reading, 100))


def one(options: argparse.Namespace) -> None:
    """One measurement in this process, whose standard streams the engine takes over."""
    report = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, 100)
    redirect_descriptors()
    if options.one == "start":
        figure: object = start_seconds(options.folder)
    else:
        figure = throughput(options.one, options.evaluations, options.seed, options.folder, options.confined)
    os.write(report, json.dumps(figure).encode())


def run(*arguments: str) -> object:
    """One measurement in a new process. What it makes is removed here: a confined process cannot remove its scratch folder."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([sys.executable, __file__, "--folder", folder, *arguments], check=True, capture_output=True)
        return json.loads(done.stdout)


def main() -> None:
    """Prints and saves."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evaluations", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--one", choices=[*SUBJECTS, "start"], help="one measurement only, in this process")
    parser.add_argument("--confined", action="store_true", help="with --one: confined")
    parser.add_argument("--folder", default="", help="with --one: the scratch folder")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parent / "subjects"))
    if options.one:
        one(options)
        return
    rows: dict[str, object] = {}
    for subject in CHOSEN:
        speeds: dict[bool, list[float]] = {False: [], True: []}
        shares: dict[bool, list[float]] = {False: [], True: []}
        for number in range(options.rounds):
            # The same seed for both, and the other one first in every second round.
            for confined in (False, True) if number % 2 else (True, False):
                more = ["--confined"] if confined else []
                figure = run("--one", subject, "--evaluations", str(options.evaluations), "--seed", str(number + 1), *more)
                assert isinstance(figure, list)
                speeds[confined].append(figure[0])
                shares[confined].append(figure[1])
        losses = [1 - with_it / without for with_it, without in zip(speeds[True], speeds[False], strict=True)]
        loss = statistics.median(losses)
        free, confined_speed = statistics.median(speeds[False]), statistics.median(speeds[True])
        rows[subject] = {
            "tests_per_cpu_second": round(free),
            "confined": round(confined_speed),
            "loss": round(loss, 4),
            "system_time_share": round(statistics.mean(shares[False]), 4),
            "system_time_share_confined": round(statistics.mean(shares[True]), 4),
            "most": MOST_LOSS,
        }
        system = " -> ".join(f"{statistics.mean(shares[confined]):.1%}" for confined in (False, True))
        print(f"{subject:10} {free:8.0f} tests/s free  {confined_speed:8.0f} confined  loss {loss:6.1%}  system time {system}")
    starts = [run("--one", "start") for _ in range(2 * options.rounds)]
    zygote, fork = (statistics.median(pair[number] for pair in starts if isinstance(pair, list)) for number in (0, 1))
    rows["start"] = {"zygote_seconds": round(zygote, 4), "fork_seconds": round(fork, 4), "most": MOST_START}
    print(f"start      {zygote * 1e3:.1f} ms before the import   {fork * 1e3:.1f} ms in each fork")
    save("confinement", f"python benchmarks/confinement.py --evaluations {options.evaluations} --rounds {options.rounds}", rows)


if __name__ == "__main__":
    main()
