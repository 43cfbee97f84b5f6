"""Which packages: drawn by seed from ``packages.txt``, ten that may be opened and ten that are only run."""

from __future__ import annotations

import random
from pathlib import Path

LIST = Path(__file__).with_name("packages.txt")
SEED, EACH = 25, 10


def drawn(seed: int = SEED) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(those that may be opened, those that are only run)."""
    lines = (line.strip() for line in LIST.read_text().splitlines())
    chosen = random.Random(seed).sample([line for line in lines if line and not line.startswith("#")], 2 * EACH)
    return tuple(chosen[:EACH]), tuple(chosen[EACH:])
