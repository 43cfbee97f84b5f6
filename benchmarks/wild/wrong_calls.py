"""A report made by one wrong call: a script that calls a public function of a package, drawn by seed, and what Python printed.

Everything of the package runs confined, as a printed test does: it writes to a scratch folder, starts and reaches nothing.
"""

from __future__ import annotations

import json
import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.wild import listing
from benchmarks.wild.homes import Home
from crashwright.finishing.running.recorder_files import RECORDER, lay_out
from crashwright.supervision.fresh import run_fresh

DRAWS = 20
MODULES = 8
"""Modules that are looked into until one has something to call."""
SECONDS = 20.0
START = f"import {RECORDER}\n"
"""The ``sitecustomize`` of a confined run, so that the traceback is that of the script alone."""
VALUES = (
    *("None", "0", "1", "-3", "1.5", "''", "'a'", "'a b\\n'", "b''", "[]", "{}", "()", "object()", "[None]", "[[1]]"),
    *("{'a': None}", "True", "lambda: None", "'1,2'", "{1, 2}", "range(3)", "float('nan')", "'<a>'", "[('a', 1)]", "int"),
)


@dataclass(frozen=True, slots=True)
class Ware:
    """What is tried of one package. ``report`` is empty where no wrong call crashed; ``module`` is the one to generate for.
    ``start`` is how many seconds a Python takes that imports it, ``problem`` why there is nothing to try."""

    package: str
    module: str = ""
    call: str = ""
    report: str = ""
    start: float = 0.0
    problem: str = ""


def prepared(home: Home, seed: int) -> Ware:
    """The ware of ``home`` for ``seed``; made once, so that every program is given the same."""
    file = home.folder / f"ware-{seed}.json"
    if not file.exists():
        file.write_text(json.dumps(asdict(_prepare(home, random.Random(f"wild/{home.package}/{seed}"))), indent=1))
    return Ware(**json.loads(file.read_text()))


def _prepare(home: Home, rng: random.Random) -> Ware:
    with _workshop(home) as shop:
        every, _ = shop.ask("modules", home.package)
        names = [str(name) for name in every or ()]
        rng.shuffle(names)
        ware = Ware(home.package, problem="no module that can be imported")
        for name in names[:MODULES]:
            entries, seconds = shop.ask("callables", name)
            if entries:
                ware = Ware(home.package, name, start=seconds)
                call, report = shop.crash(name, entries, rng)
                if report:
                    return Ware(home.package, _another(shop, names, name, rng), call, report, seconds)
        return ware


def _another(shop: Workshop, names: list[str], name: str, rng: random.Random) -> str:
    """The module to generate for: not that of the report where another one has something to call."""
    others = [other for other in names if other != name]
    for other in rng.sample(others, min(3, len(others))):
        if shop.ask("callables", other)[0]:
            return other
    return name


class Workshop:
    """Runs scripts in the package's interpreter. ``folder`` holds what confines them."""

    def __init__(self, home: Home, folder: Path) -> None:
        self._home = home
        self._tools = folder / "tools"
        lay_out(self._tools)
        (self._tools / "sitecustomize.py").write_text(START)
        self._listing = folder / "listing.py"
        shutil.copyfile(listing.__file__, self._listing)
        self._script = folder / "caller" / "caller.py"
        self._script.parent.mkdir()

    def ask(self, what: str, name: str) -> tuple[list[list[object]], float]:
        """What ``listing`` answers, and the seconds of the whole; nothing where the module cannot be imported."""
        code, output, seconds = self._run(str(self._listing), what, name)
        lines = output.strip().splitlines()
        if code != 0 or not lines:
            return [], seconds
        try:
            return json.loads(lines[-1])["answer"], seconds
        except (ValueError, TypeError, KeyError):
            return [], seconds  # a thread of the module printed after the answer

    def crash(self, module: str, entries: list[list[object]], rng: random.Random) -> tuple[str, str]:
        """The first of so many wrong calls that crashes inside the package, and what Python printed."""
        for _ in range(DRAWS // 2):
            call = drawn_call(module, entries, rng)
            self._script.write_text(f"import {module}\n\n\ndef main():\n    {call}\n\n\nmain()\n")
            code, output, _ = self._run(str(self._script))
            if code == 1 and inside(output, str(self._home.folder)):
                return call, output[output.index(FIRST) :]
        return "", ""

    def _run(self, *arguments: str) -> tuple[int | None, str, float]:
        with tempfile.TemporaryDirectory(prefix="sweep-") as scratch:
            environment = {"PYTHONPATH": str(self._tools), "CRASHWRIGHT_SCRATCH": scratch}
            done = run_fresh([str(self._home.python), *arguments], Path(scratch), environment, SECONDS)
        return done.code, done.output, done.seconds


FIRST = "Traceback (most recent call last):"


def inside(output: str, folder: str) -> bool:
    """The traceback ends, or passes through, what is installed in ``folder``, and is no import error of the script itself."""
    return FIRST in output and f'File "{folder}' in output and "in main" in output


def drawn_call(module: str, entries: list[list[object]], rng: random.Random) -> str:
    """A call with values that nobody would pass."""
    how, positional, keywords = rng.choice(entries)
    assert isinstance(positional, int)
    assert isinstance(keywords, list)
    given = [rng.choice(VALUES) for _ in range(max(1, positional) if "(" not in str(how) else max(0, positional))]
    given = given[: rng.randint(min(1, len(given)), len(given))] if rng.random() < 0.3 else given
    given += [f"{name}={rng.choice(VALUES)}" for name in keywords]
    return f"{module}.{how}({', '.join(given)})"


@contextmanager
def _workshop(home: Home) -> Iterator[Workshop]:
    with tempfile.TemporaryDirectory(prefix="sweep-") as folder:
        yield Workshop(home, Path(folder))
