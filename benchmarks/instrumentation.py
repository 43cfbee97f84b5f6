"""What probes cost: CPU time of standard library modules with all of their functions instrumented, relative to plain code.

python benchmarks/instrumentation.py [--rounds N]    prints a table and writes benchmarks/results/instrumentation.json
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import CodeType, ModuleType

from crashwright.core.location import CodeKey, Position
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.instrument.variants import ProbedModule

RESULTS = Path(__file__).parent / "results" / "instrumentation.json"
TEXT = "The quick brown fox jumps over the lazy dog. " * 4
CALLS = 25
Work = Callable[[], object]
WORK: dict[str, Callable[[ModuleType], Work]] = {
    "shlex": lambda module: lambda: module.split('foo \'bar baz\' "q\\"x" # z'),
    "textwrap": lambda module: lambda: module.wrap(TEXT, 30),
    "difflib": lambda module: lambda: module.SequenceMatcher(None, "abcdefgh" * 3, "abxdefzh" * 3).ratio(),
}
TARGETS = {"all": 3.0, "quarter": 1.6}


def codes_of(code: CodeType) -> Iterator[CodeType]:
    """A code object and those nested in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes_of(constant)


def function_keys(module: str, source: bytes) -> set[CodeKey]:
    """The keys of all functions and lambdas of a source."""
    plain = compile(source, module, "exec", dont_inherit=True)
    functions = (code for code in codes_of(plain) if code.co_flags & 2 and (code.co_name == "<lambda>" or code.co_name[0] != "<"))
    return {CodeKey(module, code.co_qualname, code.co_firstlineno) for code in functions}


def variant(name: str, share: float | None, recorder: Recorder) -> ModuleType:
    """A copy of a module: plain (None), or with probes at this share of its predicates."""
    original = importlib.import_module(name)
    path = str(original.__file__)
    source = Path(path).read_bytes()
    code = compile(source, path, "exec", dont_inherit=True)
    if share is not None:
        keys = function_keys(name, source)
        scout = Recorder()
        ProbedModule(name, source, path, keys, scout).compile(frozenset())
        positions: list[Position] = sorted({p.position for function in scout.functions for p in function.predicates})
        chosen = random.Random(4).sample(positions, int(len(positions) * share))
        code = ProbedModule(name, source, path, keys, recorder).compile(frozenset(chosen))
    copy = ModuleType(name)
    copy.__file__ = path
    exec(code, copy.__dict__)
    return copy


def measure(rounds: int) -> dict[str, dict[str, float]]:
    """Median CPU time of one call in microseconds for the plain code, and the ratios of the others to it."""
    recorder = Recorder()
    table: dict[str, dict[str, float]] = {}
    for name, prepare in WORK.items():
        shares = {"plain": None, "markers": 0.0, "quarter": 0.25, "all": 1.0}
        works = {label: prepare(variant(name, share, recorder)) for label, share in shares.items()}
        times: dict[str, list[float]] = {label: [] for label in works}
        gc.disable()
        for _ in range(rounds):
            for label, work in works.items():
                spent = 0.0
                for _ in range(CALLS):
                    recorder.reset()
                    start = time.process_time()
                    work()
                    spent += time.process_time() - start
                    recorder.trace()
                times[label].append(spent / CALLS * 1e6)
        gc.enable()
        plain = statistics.median(times["plain"])
        table[name] = {"plain_us": round(plain, 1)}
        table[name].update(
            {label: round(statistics.median(spent) / plain, 2) for label, spent in times.items() if label != "plain"}
        )
    return table


def main() -> None:
    """Prints and writes the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=41)
    table = measure(parser.parse_args().rounds)
    print(f"{'module':10} {'plain':>9} {'markers':>8} {'quarter':>8} {'all':>6}   (targets: quarter 1.6, all 3.0)")
    for name, row in table.items():
        print(f"{name:10} {row['plain_us']:6.1f} us {row['markers']:8.2f} {row['quarter']:8.2f} {row['all']:6.2f}")
    RESULTS.parent.mkdir(exist_ok=True)
    key = f"{sys.version_info.major}.{sys.version_info.minor}"
    known = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    known[key] = {
        "date": datetime.now(UTC).date().isoformat(),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "targets": TARGETS,
        "modules": table,
    }
    RESULTS.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
