"""Which packages, in which order: drawn by seed from ``packages.txt``."""

from __future__ import annotations

import random
from pathlib import Path

LIST = Path(__file__).with_name("packages.txt")


def names(file: Path = LIST) -> tuple[str, ...]:
    """The packages of the list."""
    lines = (line.strip() for line in file.read_text().splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))


def drawn(seed: int, file: Path = LIST) -> tuple[str, ...]:
    """All of them in the order of the draw: the first so many that install are the sample."""
    every = sorted(names(file), key=str.lower)
    random.Random(f"wild/{seed}").shuffle(every)
    return tuple(every)
