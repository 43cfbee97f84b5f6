"""Budgets are data: a number that divides the time or the evaluations stands in one table, with its reason, and nowhere else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src/crashwright"
TABLES = {"core/portions.py", "engine/sources/table.py"}
BUDGET = re.compile(r"(^|_)(seconds|evaluations|left|budget|meter|elapsed|deadline|afterwards|time)($|_)")
"""Names of what is divided."""
LIMITS = {"COMPUTES", "SLOW", "_ENGINE_START", "_FRESH_START", "_LEAST", "_LEAST_SEARCH", "_TICK"}
"""Seconds, which bound one thing, or what is no budget: they divide nothing."""


def divisors(tree: ast.Module) -> Iterator[str]:
    """The constants of a module by which it divides a budget."""
    numbers = {name: value for node in tree.body for name, value in constants(node)}
    if not numbers:
        return
    for node in ast.walk(tree):
        if not isinstance(node, ast.BinOp | ast.Compare | ast.Call):
            continue
        used = {one.attr if isinstance(one, ast.Attribute) else one.id for one in ast.walk(node) if isinstance(one, NAMES)}
        if not any(BUDGET.search(name) for name in used if not name.isupper()):
            continue
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div):
            yield from (name for name in used if 0.0 < numbers.get(name, 0.0) < 1.0)
        elif isinstance(node, ast.Compare):
            counted = any(name.endswith("evaluations") for name in used)
            yield from (name for name in used if 0.0 < numbers.get(name, 0.0) < 1.0 or (counted and name in numbers))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "until":
            yield from (name for name in used if name in numbers)


NAMES = (ast.Attribute, ast.Name)


def constants(node: ast.stmt) -> Iterator[tuple[str, float]]:
    """The numbers that a statement gives names to."""
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        pairs: list[tuple[ast.expr, ast.expr | None]] = [(target, node.value)]
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = [*zip(target.elts, node.value.elts, strict=False)]
        for name, value in pairs:
            if isinstance(name, ast.Name) and isinstance(value, ast.Constant) and type(value.value) in (int, float):
                yield name.id, float(value.value)


def test_what_divides_a_budget_stands_in_its_table() -> None:
    found = [
        f"{place}: {name}"
        for path in sorted(SOURCE.rglob("*.py"))
        if (place := str(path.relative_to(SOURCE))) not in TABLES
        for name in sorted({*divisors(ast.parse(path.read_text(encoding="utf-8")))} - LIMITS)
    ]
    assert found == [], "put these into core/portions.py, each with its reason"


@pytest.mark.parametrize(
    "line",
    ["x = PART * budget.seconds", "x = meter.until(PART)", "x = meter.share() > PART", "x = meter.evaluations - begun >= MANY"],
)
def test_a_planted_one_is_found(line: str) -> None:
    assert [*divisors(ast.parse(f"PART, MANY = 0.1, 300\n{line}\n"))]


def test_everything_in_the_table_says_what_it_is() -> None:
    body = ast.parse((SOURCE / "core/portions.py").read_text(encoding="utf-8")).body
    for place, node in enumerate(body):
        if isinstance(node, ast.Assign):
            following = body[place + 1]
            assert isinstance(following, ast.Expr), ast.unparse(node)
            assert isinstance(following.value, ast.Constant), ast.unparse(node)
