"""Tests per CPU second of the whole search loop: breeding, running, tracing, isolation, scoring, ranking, with default settings.

python benchmarks/engine_throughput.py [--evaluations N] [--repeat N]    prints a table and writes
benchmarks/results/engine_throughput.json

Each subject gets a crash that cannot happen on a real call chain, so that the search never ends early. Figures are medians of
process CPU time on one core; the result goes to benchmarks/results/engine_throughput.json.
"""

from __future__ import annotations

import argparse
import fcntl
import gc
import importlib
import inspect
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from record import save

from crashwright.core.location import CodeKey
from crashwright.core.settings import Budget, SearchSettings
from crashwright.core.target import CallSite, CrashTarget, TargetFrame
from crashwright.engine.execution.confinement.guard import Guard
from crashwright.engine.execution.executor import Executor
from crashwright.engine.execution.heartbeat import Heartbeat
from crashwright.engine.execution.isolation.isolation import Isolation
from crashwright.engine.execution.limits import TestClock
from crashwright.engine.execution.streams import Streams, redirect_descriptors
from crashwright.engine.instrument.hook import Instrumentation
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.passes.evidence import ValueEvidence
from crashwright.engine.passes.finishing import Finishing
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.crash_goals import chosen_functions, crash_fitness, path_nodes
from crashwright.engine.search.crash_search import CrashSearch
from crashwright.engine.search.evaluator import RunSurroundings
from crashwright.engine.search.learning import Learning
from crashwright.engine.search.operators import TestOperators
from crashwright.engine.sources.values.seeding import echo_seeds, fill_pool
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.entry import Entry, entries
from crashwright.engine.subject.source import Sources
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.worker.engine import COLLECT_AFTER

SUBJECTS: dict[str, tuple[tuple[tuple[str, str], ...], str]] = {
    "trivial": (
        (("day_of", "return year"),),
        "day_of(year, month, day)",
    ),
    "shlex": (
        (
            ("shlex.get_token", "raw = self.get_token()"),
            ("shlex.get_token", "raw = self.read_token()"),
            ("shlex.read_token", "result = None"),
        ),
        "lexer.get_token()",
    ),
    "textwrap": (
        (
            ("TextWrapper.fill", "return"),
            ("TextWrapper.wrap", "self._fix_sentence"),
            ("TextWrapper._fix_sentence_endings", "i += 2"),
        ),
        "TextWrapper(width=width, fix_sentence_endings=fix).fill(text)",
    ),
    "difflib": (
        (
            ("unified_diff", "for group in"),
            ("SequenceMatcher.get_grouped_opcodes", "group.append((tag, i1, min("),
        ),
        "list(unified_diff(before, after, n=context))",
    ),
}
"""The frames of the crash, outermost first, each with the beginning of its last line of that kind; and the call that the report
echoes. The lines are such that a test must make several values to get there, as for most crashes: five statements and more."""
TARGETS = {"trivial": 25_000, "shlex": 4_000, "textwrap": 4_000, "difflib": 4_000}


class Counting(Executor):
    """Adds up the lengths of the tests that it runs."""

    statements = 0

    def run(self, test):  # type: ignore[no-untyped-def]
        self.statements += len(test.statements)
        return super().run(test)


def target_of(module_name: str) -> CrashTarget:
    module = importlib.import_module(module_name)
    frames = []
    for qualname, beginning in SUBJECTS[module_name][0]:
        function: object = module
        for part in qualname.split("."):
            function = getattr(function, part)
        code = inspect.unwrap(function).__code__  # type: ignore[arg-type]
        source, first = inspect.getsourcelines(code)
        line = max(first + number for number, text in enumerate(source) if text.strip().startswith(beginning))
        key = CodeKey(module_name, code.co_qualname, code.co_firstlineno)
        frames.append(TargetFrame(key, code.co_filename, line, "", None, True))
    sites = (CallSite(SUBJECTS[module_name][1], "<module>", {}),)
    return CrashTarget(module_name, "ZeroDivisionError", "never", tuple(frames), sites)


def measure(module_name: str, evaluations: int, seed: int, folder: str, count: bool = False) -> tuple[float, float]:
    """(tests per CPU second, mean statements per test). Lengths are only counted where ``count`` asks for them: it takes time."""
    target = target_of(module_name)
    recorder = Recorder()
    instrumentation = Instrumentation(recorder, chosen_functions(target), resumptions=True)
    instrumentation.install()
    sources = Sources()
    api = ApiModel(module_name, [module_name])
    entry = entries(api, target, sources)
    assert isinstance(entry, Entry), entry
    pool, rng = SeedPool(), random.Random(seed)
    fill_pool(pool, target, *path_nodes(target, sources), [], rng)
    factory = Factory(api, pool, entry.callees)
    seeds = [echo.test for echo in echo_seeds(target, NameChain(api, entry.callees), factory, rng)]
    settings = SearchSettings(seed=seed)
    heartbeat = Heartbeat()
    clock = TestClock(heartbeat, 0.1)
    streams = Streams()
    streams.install()
    isolation = Isolation((module_name,), streams, seed, (folder,))
    guard = Guard(folder)
    guard.install()  # the audit hook that every engine has: it makes some things dearer
    isolation.begin(guard, frozenset(), clock.ensure)
    executor = (Counting if count else Executor)(heartbeat, clock, isolation, folder)
    meter = BudgetMeter(Budget(None, evaluations), time.monotonic)
    fitness = crash_fitness(settings, target, recorder.functions, sources)
    operators = TestOperators(factory, settings.length)
    operators.plant(seeds)
    surroundings = RunSurroundings(executor, recorder, meter, Quarantine())
    search = CrashSearch(operators, settings, surroundings, fitness, rng, lambda _best, _minimised: None)
    recorder.note_orders(True)
    learning = Learning(factory, executor, recorder, 0, folder)
    clock.start()
    gc.collect()
    gc.freeze()  # as the zygote does before it forks engines
    gc.set_threshold(*COLLECT_AFTER)
    start = time.process_time()
    search.tell(search.evaluator.evaluate_all(seeds))
    while not meter.stopped:
        learning.advance()
        search.tell(search.evaluator.evaluate_all(search.algorithm.ask()), asked=True)
    search.finish(Finishing(search.measure, operators, ValueEvidence(), meter, rng, search.see).made_of)
    spent = time.process_time() - start
    clock.stop()
    return evaluations / spent, executor.statements / evaluations if isinstance(executor, Counting) else 0.0


def one(options: argparse.Namespace) -> None:
    """Measure one subject in this process, whose standard streams the engine takes over."""
    report = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, 100)  # what the subject prints goes elsewhere
    redirect_descriptors()
    with tempfile.TemporaryDirectory() as folder:
        os.write(report, json.dumps(measure(options.one, options.evaluations, options.seed, folder, options.count)).encode())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--evaluations", type=int, default=20_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--one", choices=SUBJECTS, help="one subject only, in this process")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", action="store_true", help="with --one: the mean length of the tests too")
    options = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parent / "subjects"))
    if options.one:
        one(options)
        return
    rows = {}
    for subject in SUBJECTS:
        command = [sys.executable, __file__, "--one", subject, "--evaluations", str(options.evaluations)]
        speeds, lengths = [], []
        for seed in range(1, options.repeat + 1):
            for count in ([], ["--count"]):
                done = subprocess.run([*command, "--seed", str(seed), *count], check=True, capture_output=True)
                speeds.append(json.loads(done.stdout)[0])
            lengths.append(json.loads(done.stdout)[1])
            speeds.pop()  # that of the run that counted
        speed, length = statistics.median(speeds), statistics.median(lengths)
        rows[subject] = {"tests_per_cpu_second": round(speed), "statements_per_test": round(length, 1), "target": TARGETS[subject]}
        print(f"{subject:10} {speed:8.0f} tests/s   {length:5.1f} statements a test   target {TARGETS[subject]}")
    save("engine_throughput", f"python benchmarks/engine_throughput.py --evaluations {options.evaluations}", rows)


if __name__ == "__main__":
    main()
