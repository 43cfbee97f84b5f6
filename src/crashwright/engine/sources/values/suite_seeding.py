"""The first seeds of a suite: constants of the module under test, strings for its regular expressions, and what its
documentation shows (EvoSuite's static constant seeding; no value comes from a report here)."""

from __future__ import annotations

import ast
import random
from collections.abc import Mapping, Sequence

from crashwright.engine.sources.values.seeding import (
    IN_MODULE,
    MOST_LAYOUTS,
    MOST_PATTERNS,
    add_constants,
    add_matches,
    patterns_in,
    patterns_named,
)
from crashwright.engine.subject.usage.layouts import layouts_in
from crashwright.engine.testcase.seeds import SeedPool

MATCHES = 8
"""Strings made for each regular expression."""


def fill_pool_for_module(
    pool: SeedPool, trees: Sequence[ast.AST], live: Sequence[Mapping[str, object]], rng: random.Random
) -> None:
    """Add every seed that needs no running of the subject. ``trees`` are the module under test and what else may matter, ``live``
    the names of these modules, where compiled patterns are found."""
    for tree in trees:
        add_constants(pool, tree, IN_MODULE, "a constant of the module")
    found = dict.fromkeys((*patterns_in(trees), *patterns_named(trees, live)))
    for text, flags in list(found)[:MOST_PATTERNS]:
        add_matches(pool, text, flags, MATCHES, 1.0, rng)
    if pool.structured:
        functions = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        pool.layouts = layouts_in(functions, trees, live)[:MOST_LAYOUTS]
