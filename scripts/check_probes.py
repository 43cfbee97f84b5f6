"""Holds the compiled probes to those in Python by brute force, looks for leaks, and runs all of it under sanitizers.

    python scripts/check_probes.py                       10^6 comparisons, 10^6 probes for leaks
    python scripts/check_probes.py --fuzz N --leak N     other numbers
    python scripts/check_probes.py --sanitize            under AddressSanitizer and UndefinedBehaviorSanitizer
    python scripts/check_probes.py --python OTHER        in another interpreter (it needs nothing installed)
    python scripts/check_probes.py --installed           those of the installed crashwright, not those of this checkout

Nothing but the standard library is used, so that every interpreter can run it. See also tests/conformance/test_both_probes.py.
"""

from __future__ import annotations

import argparse
import gc
import operator
import os
import random
import resource
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
INSTALLED = "--installed"
sys.path[:0] = [str(ROOT / "scripts"), *([] if INSTALLED in sys.argv else [str(ROOT / "src")])]

import build_probes  # noqa: E402

from crashwright.core.location import CodeKey  # noqa: E402
from crashwright.engine.instrument import compiled  # noqa: E402
from crashwright.engine.instrument.layout import ProbeLayout  # noqa: E402
from crashwright.engine.instrument.probes import Recorder  # noqa: E402
from crashwright.engine.instrument.python_probes import PythonProbes  # noqa: E402
from crashwright.engine.instrument.variants import ProbedModule  # noqa: E402

INFINITE = float("inf")
COMPARISONS: dict[str, Callable[[Any, Any], object]] = {
    "lt": operator.lt,
    "le": operator.le,
    "eq": operator.eq,
    "ne": operator.ne,
    "in_": lambda item, items: item in items,
    "not_in": lambda item, items: item not in items,
    "startswith": lambda text, wanted: text.startswith(wanted),
    "endswith": lambda text, wanted: text.endswith(wanted),
}
SUBJECT = """
def walk(n, text):
    if n > 0 and text.startswith("a") or n in (3, 5):
        return walk(n - 1, text + "b") + [1]
    return [x for x in range(n + 5) if x * 2 > n and text != "q" * x]

def numbers(n):
    for number in range(n):
        yield number * 2 if number % 3 else -number

def sums(n, text):
    total = 0
    for number in numbers(n):
        total += number if number < 3 <= n else number // 2
    return total, walk(n, text), isinstance(text, int), not text
"""


class Stranger:
    """An object of no built-in class."""


def some_value(rng: random.Random, depth: int = 1) -> Any:
    """A value of any of the kinds that are told apart."""
    kind = rng.randrange(16)
    if kind < 4:
        return rng.choice([rng.randint(-4, 4), rng.randint(-600, 600), rng.randint(-(10**20), 10**20), 2 ** rng.randint(0, 70)])
    if kind < 6:
        return rng.choice([rng.random(), rng.uniform(-1e18, 1e18), 0.0, -0.0, INFINITE, -INFINITE, 5e-324, 1e308, float("nan")])
    if kind < 10:
        letters = rng.choice(["ab", "abc\x00\xe9", "a\u20ac\U0001f600", "0123456789abcdef"])
        return "".join(rng.choices(letters, k=rng.choice([0, 1, 1, 2, 3, 5, 9, 127, 128, 129, 200, 256, 257, 300])))
    if kind == 10:
        return bytes(rng.choices(range(256), k=rng.choice([0, 1, 2, 3, 127, 128, 129, 300])))
    if kind == 11:
        return rng.choice([None, True, False, 1j, Stranger(), Decimal("1.25"), Fraction(2, 3), range(3), bytearray(b"a")])
    if not depth:
        return rng.randint(0, 3)
    items = [some_value(rng, depth - 1) for _ in range(rng.choice([0, 1, 2, 3, 17]))]
    if kind == 12:
        return items
    if kind == 13:
        return tuple(items)
    keys = [rng.choice([rng.randint(0, 5), str(rng.randint(0, 5)), None]) for _ in items]
    return dict(zip(keys, items, strict=True)) if kind == 14 else rng.choice([set, frozenset])(keys)


def described(value: Any) -> object:
    """What tells values apart, to the bit."""
    if type(value) is float:
        return "nan" if value != value else value.hex()
    return [described(part) for part in value] if isinstance(value, list | tuple) else (type(value).__name__, value)


def fuzz(module: Any, rounds: int, seed: int) -> int:
    """Compares what both probes record; how many comparisons were made. Exits with what differs."""
    rng = random.Random(seed)
    twins = [PythonProbes([], 1), compiled.CompiledProbes([], 1, module)]
    for probes in twins:
        probes.note(True)
        probes.note_orders(True)
    names = sorted(COMPARISONS)
    made = 0
    while made < rounds:
        name, left = rng.choice(names), some_value(rng)
        right = left if rng.random() < 0.1 else some_value(rng)
        try:
            result = COMPARISONS[name](left, right)
        except (TypeError, ValueError, ArithmeticError, AttributeError):
            continue
        before: list[Any] = [rng.choice([INFINITE, 1.0, 0.5, 3, 7.5, 0.0, 70000.0]) for _ in range(2)]
        states = [[*before, 0], [*before, 0]]
        for probes, state in zip(twins, states, strict=True):
            assert getattr(probes, name)(state, 0, result, left, right, None) is result
            probes.truth(state, 0, bool(left), left, None)
            probes.value(state, 0, right)
        if described(states[0]) != described(states[1]):
            raise SystemExit(f"{name} {left!r} {right!r} from {before}: Python {states[0]}, C {states[1]}")
        made += 1
        if not made % 1000:
            noted = [described(probes.noted()) for probes in twins]
            if noted[0] != noted[1]:
                raise SystemExit(f"noted: Python {noted[0]}, C {noted[1]}")
            for probes in twins:
                probes.keep_latest()
    return made


def leaks(module: Any, rounds: int) -> tuple[int, int]:
    """(probes called, KiB by which the process grew after the first tenth of them)."""
    recorder = Recorder(make=lambda layouts, limit: compiled.CompiledProbes(layouts, limit, module))
    lines = [number for number, line in enumerate(SUBJECT.splitlines(), 1) if line.startswith("def ")]
    keys = {CodeKey("m", name, line) for name, line in zip(("walk", "numbers", "sums"), lines, strict=True)}
    names: dict[str, Any] = {}
    exec(ProbedModule("m", SUBJECT, "m.py", keys, recorder, None, True, True).compile(None), names)
    recorder.infections.want(None)
    recorder.note_wanted(True)
    rng = random.Random(1)
    states = [[INFINITE, INFINITE, 0.0] for _ in range(8)]
    called = before = 0
    while called < rounds:
        recorder.reset()
        for _ in range(50):
            names["sums"](rng.randint(0, 9), rng.choice(["", "a", "ab", "q"]))
            left, right = some_value(rng), some_value(rng)
            for name in ("eq", "ne", "in_", "not_in", "startswith", "endswith", "isinstance_"):
                for outcome in (True, False):
                    getattr(recorder.probes, name)(rng.choice(states), 0, outcome, left, right, None)
            for state in states:
                state[:] = [INFINITE, INFINITE, 0.0]
        called += 50 * (14 + 60)
        recorder.trace()
        if not before and called > rounds // 10:
            gc.collect()
            before = kibibytes()
    recorder.reset()
    gc.collect()
    return called, kibibytes() - before


def kibibytes() -> int:
    """What the process holds now."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize() // 1024
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def activations(module: Any) -> None:
    """Many runs beyond the limit, generators that outlive their run, deep recursion: nothing may crash."""
    layouts = [ProbeLayout(0, 3, 2, ()), ProbeLayout(1, 1, 1, ())]
    probes = compiled.CompiledProbes(layouts, 100, module)

    def deep(n: int) -> None:
        state = probes.enter(n % 2)
        probes.resumed(n)
        assert probes.current(n % 2) is state or n > 90
        if n:
            deep(n - 1)

    def later() -> Any:
        probes.enter(0)
        while True:
            probes.resumed((yield))

    generators = []
    for _ in range(200):
        probes.begin()
        deep(150)
        generators.append(later())
        for one in generators[-5:]:
            next(one)
        assert len(probes.activations()) <= 100


def sanitized(arguments: list[str]) -> None:
    """The same in a child with the sanitizers' libraries loaded first."""
    with tempfile.TemporaryDirectory() as folder:
        built = build_probes.build(Path(folder), sanitize=True)
        compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
        found = [
            subprocess.run([compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()
            for name in ("libasan.so", "libubsan.so")
        ]
        environment = {
            **os.environ,
            "LD_PRELOAD": " ".join(found),
            "ASAN_OPTIONS": "detect_leaks=0",  # the interpreter itself keeps things to its end
            "UBSAN_OPTIONS": "print_stacktrace=1",
            "PYTHONMALLOC": "malloc",  # so that each object is watched
            compiled.CHOICE: str(built),
        }
        raise SystemExit(subprocess.run([sys.executable, __file__, *arguments], env=environment, check=False).returncode)


def main() -> None:
    """Check, and say what was done."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fuzz", type=int, default=1_000_000)
    parser.add_argument("--leak", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument("--python", help="the interpreter to check in")
    parser.add_argument(INSTALLED, action="store_true")
    options = parser.parse_args()
    numbers = ["--fuzz", str(options.fuzz), "--leak", str(options.leak), "--seed", str(options.seed)]
    if options.python:
        more = ["--sanitize"] if options.sanitize else []
        raise SystemExit(subprocess.run([options.python, "-I", __file__, *numbers, *more], check=False).returncode)
    if options.sanitize:
        sanitized(numbers)
    choice = compiled.choice()
    if choice.module is None:
        raise SystemExit(f"probes {choice.text}; python scripts/build_probes.py builds them")
    activations(choice.module)
    print(f"{fuzz(choice.module, options.fuzz, options.seed)} comparisons: the same records (Python {sys.version.split()[0]})")
    called, grown = leaks(choice.module, options.leak)
    print(f"about {called} probes: {grown} KiB more than after the first tenth")
    if grown > 1024 and "libasan" not in os.environ.get("LD_PRELOAD", ""):  # which keeps what is freed
        raise SystemExit("that is a leak")


if __name__ == "__main__":
    main()
