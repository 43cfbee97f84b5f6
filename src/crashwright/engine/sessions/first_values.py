"""The values that a search for a crash begins with: of the report, of the code on its way, of usage examples (DESIGN, seeds)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from crashwright.core.mechanisms import Mechanism
from crashwright.engine.search.example_seeds import fill_from_examples
from crashwright.engine.search.samples import stock
from crashwright.engine.search.seeding import IN_MESSAGE, ON_PATH, add_seed, fill_pool
from crashwright.engine.sessions.crash_parts import Parts
from crashwright.engine.testcase.seeds import SeedPool


def filled_pool(parts: Parts, live: Sequence[Mapping[str, object]], rng: Random) -> SeedPool:
    """A pool of them; ``live`` are the namespaces of the modules of the crash."""
    pool = SeedPool(structured=parts.start.settings.search.uses(Mechanism.TEXTS))
    fill_pool(pool, parts.start.target, *parts.path, live, rng)
    stock(pool, parts.samples)
    pool.fields, pool.lines = parts.fields, parts.lines
    for text in parts.filled.said:
        add_seed(pool, text, IN_MESSAGE, "the message")
    for key in parts.keys:
        add_seed(pool, key, ON_PATH, "a key of a table")
    fill_from_examples(pool, parts.examples, frozenset(callee.name for callee in parts.entry.callees))
    return pool
