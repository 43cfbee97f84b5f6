"""The modules of the experiment: those of a corpus file, and 30 of the standard library."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

STANDARD = (
    *("argparse", "ast", "bisect", "calendar", "cmd", "colorsys", "configparser", "csv", "dataclasses", "difflib"),
    *("email.utils", "filecmp", "fnmatch", "fractions", "gettext", "graphlib", "heapq", "html.parser", "ipaddress", "json.decoder"),
    *("mimetypes", "pprint", "sched", "shlex", "statistics", "string", "textwrap", "tokenize", "urllib.parse", "zipfile"),
)
"""Modules of different kinds that are in every version and do not need a network."""


def modules_of(corpus: Path | None, wanted: Sequence[str] = ()) -> tuple[str, ...]:
    """The modules of the corpus file, then the standard ones; confined to ``wanted`` where some are named."""
    found = [] if corpus is None else [str(entry["module"]) for entry in json.loads(corpus.read_text())]
    every = tuple(dict.fromkeys((*found, *STANDARD)))
    return tuple(dict.fromkeys(wanted)) or every


def drawn(names: Sequence[str], share: float, seed: int, key: str) -> tuple[str, ...]:
    """A share of ``names``, at least one of them, the same for the same seed and key; in their order."""
    if share >= 1 or not names:
        return tuple(names)
    count = max(1, round(share * len(names)))
    kept = set(random.Random(f"{seed}/{key}").sample(list(names), count))
    return tuple(name for name in names if name in kept)
