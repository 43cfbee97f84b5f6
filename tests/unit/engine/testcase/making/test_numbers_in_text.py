"""Numbers inside a text become others of any size."""

from __future__ import annotations

import random

from crashwright.engine.testcase.making.text import mutate_text
from crashwright.engine.testcase.seeds import SeedPool


def kilobytes(size: str) -> int:
    """A made-up subject: it has no room for what is large, and refuses what is larger still before it looks at it."""
    number = int(size.removeprefix("size:"))
    if number >= 1 << 31:
        raise ValueError("too large")
    return [0][number >> 20]


def test_a_limit_in_the_middle_is_met() -> None:
    failed = 0
    for seed in range(8000):
        try:
            kilobytes(mutate_text(random.Random(seed), "size:8", SeedPool()))
        except ValueError:
            continue
        except IndexError:
            failed += 1
    assert failed >= 3
