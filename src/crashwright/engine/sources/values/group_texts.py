"""Texts that a regular expression matches, and that get through what becomes of its named groups.

``LINE.match(text)`` is the first gate; ``datetime.strptime(found["when"], ...)``, ``int(found["size"])`` and
``method, path = found["request"].split(" ")`` are the next ones. A match is read by the names of its groups as a record is by its
keys, and so what each group has to look like is known (``subject.usage.read_records``).

# Deviation: not in the papers; the tests that come with a subject, and chance, are all that they have for such texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, zip_longest
from random import Random

from crashwright.engine.subject.usage.shapes import Shape
from crashwright.engine.testcase.making.matching_text import matching_text
from crashwright.engine.testcase.samples.lined import Known, plain_line, spellings

MOST_PATTERNS, MOST_OTHERS = 4, 12
"""Expressions, and texts of each in which one group is otherwise."""


def group_texts(
    patterns: Iterable[tuple[str, int]], records: Sequence[Shape], known: Known, rng: Random
) -> Iterator[tuple[str, ...]]:
    """Lines that belong together: a whole one alone, two of them, and that one with another."""
    found = ((text, flags, names) for text, flags in patterns if (names := _groups(text, flags)))
    for text, flags, names in islice(found, MOST_PATTERNS):
        record = max(records, key=lambda one: len(names & one.fields.keys()), default=None)
        if record is None or not names & record.fields.keys():
            continue
        filled = {name: plain_line(record.fields[name], known) for name in sorted(names & record.fields.keys())}
        seed = rng.getrandbits(32)
        whole = matching_text(text, Random(seed), flags, groups=filled)
        if whole is None:
            continue
        yield (whole,)
        yield (whole, whole)
        ways = [[(name, value) for value in spellings(record.fields[name], known) if value != filled[name]] for name in filled]
        others = (one for turn in zip_longest(*ways) for one in turn if one is not None)
        for name, value in islice(others, MOST_OTHERS):
            other = matching_text(text, Random(seed), flags, groups={**filled, name: value})
            if other is not None and other != whole:
                yield (other,)
                yield (whole, other)


def _groups(pattern: str, flags: int) -> frozenset[str]:
    try:
        return frozenset(re.compile(pattern, flags).groupindex)
    except (re.error, RecursionError, OverflowError):
        return frozenset()
