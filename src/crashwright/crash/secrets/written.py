"""Which values that look like secrets are written out in the project's own source: whoever has the code has them already, and a
test of that code may need them as they are."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

MOST_FILES, MOST_BYTES = 500, 400_000
"""Files that are looked into, and how much of each."""


def written_out(values: Collection[str], modules: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Those of ``values`` that are whole literals in the source of the packages of ``modules`` (name, file), or in the files beside
    a module that is in no package."""
    if not values:
        return frozenset()
    either = "|".join(sorted(map(re.escape, values), key=len, reverse=True))
    pattern = re.compile(rf"(?P<quote>['\"])(?P<value>{either})(?P=quote)")
    found: set[str] = set()
    for count, file in enumerate(dict.fromkeys(_files(modules))):
        if count == MOST_FILES or len(found) == len(values):
            break
        try:
            source = file.read_bytes()[:MOST_BYTES].decode(errors="replace")
        except OSError:
            continue  # it says nothing then: the value stays a secret
        found.update(match["value"] for match in pattern.finditer(source))
    return frozenset(found)


def _files(modules: Iterable[tuple[str, str]]) -> Iterator[Path]:
    for name, path in dict.fromkeys(modules):
        file = Path(path)
        depth = name.count(".") + (file.stem == "__init__")
        if depth:
            yield from sorted(file.parents[min(depth, len(file.parents)) - 1].rglob("*.py"))
        else:
            yield from sorted(file.parent.glob("*.py"))
