"""The engine is told the time and draws from generators that it is given: a run repeats, and what a subject puts in the place of
``time.monotonic`` at its import ends no search. Direct uses of the clock and of the generator that all share are found by their
form; those that have to be are named here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ENGINE = Path(__file__).parents[2] / "src" / "crashwright" / "engine"
MODULES = {path.relative_to(ENGINE).with_suffix("").as_posix().replace("/", "."): path for path in sorted(ENGINE.rglob("*.py"))}
REAL = {
    "execution.isolation.ambient": "puts back what a test did to the shared generator; lets other threads have their turn",
    "execution.limits": "the tick that ends a test, in a signal handler",
    "assertions.clock": "the functions by which a test that asks for the time is known",
    "execution.virtual_time": "the functions that it stands in for",
    "execution.other_days": "the functions that it stands in for",
    "search.suite.handed_clocks": "the functions that are the defaults of arguments, and are never called",
    "subject.importing": "before there is a subject, and the limit of its import, in a signal handler",
    "worker.engine": "where the clocks are that all others are given",
    "assertions.examination": "seeds what the subject draws from",
    "worker.watch": "the CPU time of another process",
    "worker.zygote": "seeds what the subject draws from",
}
"""Modules that may, and why."""


def uses(source: str) -> Iterator[str]:
    """Names of ``time``, and of ``random`` but for the class of generators, each with its line."""
    tree = ast.parse(source)
    modules, names = {}, {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {one.asname or one.name: one.name for one in node.names if one.name in ("time", "random")}
        elif isinstance(node, ast.ImportFrom) and node.module in ("time", "random"):
            names |= {one.asname or one.name: f"{node.module}.{one.name}" for one in node.names}
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=module), attr=name) if module in modules:
                used = f"{modules[module]}.{name}"
            case ast.Name(id=name) if name in names:
                used = names[name]
            case _:
                continue
        if used != "random.Random":
            yield f"{node.lineno}: {used}"


def test_clocks_and_randomness_are_passed_in() -> None:
    assert {name: found for name in MODULES if name not in REAL and (found := uses_in(name))} == {}


def uses_in(name: str) -> list[str]:
    source = MODULES[name].read_text(encoding="utf-8")
    return list(uses(source)) if "time" in source or "random" in source else []


def test_what_is_named_is_needed() -> None:
    assert [name for name in REAL if name not in MODULES or not uses_in(name)] == []


def test_a_planted_use_is_found() -> None:
    planted = (
        "import time, random\nfrom time import monotonic as now\n"
        "def f(rng: random.Random, clock=time.monotonic):\n    random.random()\n    return now() + rng.random() + clock()\n"
    )
    assert sorted(uses(planted)) == ["3: time.monotonic", "4: random.random", "5: time.monotonic"]
