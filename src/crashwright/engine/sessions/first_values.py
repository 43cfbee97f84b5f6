"""The values that a search for a crash begins with: of the report, of the code on its way, of usage examples (DESIGN, seeds)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from crashwright.core.mechanisms import Mechanism
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.values.example_seeds import fill_from_examples
from crashwright.engine.sources.values.samples import stock
from crashwright.engine.sources.values.seeding import IN_MESSAGE, ON_PATH, add_seed, fill_pool
from crashwright.engine.testcase.seeds import SeedPool


def filled_pool(subject: CrashSubject, live: Sequence[Mapping[str, object]], rng: Random) -> SeedPool:
    """A pool of them; ``live`` are the namespaces of the modules of the crash."""
    pool = SeedPool(structured=subject.start.settings.search.uses(Mechanism.TEXTS))
    fill_pool(pool, subject.start.target, *subject.path, live, rng)
    stock(pool, subject.samples)
    pool.fields, pool.lines = subject.fields, subject.lines
    for text in subject.filled.said:
        add_seed(pool, text, IN_MESSAGE, "the message")
    for key in subject.keys:
        add_seed(pool, key, ON_PATH, "a key of a table")
    fill_from_examples(pool, subject.examples, frozenset(callee.name for callee in subject.entry.callees))
    return pool
