"""Texts that the regular expressions match which stand in the code of an operation: what has a grammar of its own is refused in any
other form.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from random import Random

from crashwright.engine.sources.values.seeding import patterns_in, patterns_named
from crashwright.engine.subject.introspection import loaded_dict, loaded_names
from crashwright.engine.testcase.making.matching_text import matching_text

MOST_PATTERNS, EACH, DRAWN = 6, 2, 8
"""Expressions, texts of each, and how many are drawn for these."""
_LONGEST = 60
_BLANKS = re.compile(r"\s+")


def pattern_words(trees: Sequence[ast.AST], package: str) -> tuple[str, ...]:
    """Of those that are written there, and of those that modules of the ``package`` have under names that are used there: the short
    texts first."""
    live = [loaded_dict(name) for name in loaded_names(package)]
    found = dict.fromkeys((*patterns_in(trees), *patterns_named(trees, live)))
    used = [(text, flags) for text, flags in found if type(text) is str]
    return tuple(dict.fromkeys(text for pattern, flags in used[:MOST_PATTERNS] for text in _texts(pattern, flags)))


def _texts(pattern: str, flags: int) -> list[str]:
    drawn = [matching_text(pattern, Random(seed), flags) for seed in range(DRAWN)]
    plain = {_BLANKS.sub(" ", text) for text in drawn if text}
    return [
        text for text in sorted(plain, key=lambda one: (len(one), one)) if len(text) <= _LONGEST and _matches(pattern, flags, text)
    ][:EACH]


def _matches(pattern: str, flags: int, text: str) -> bool:
    try:
        return re.search(pattern, text, flags) is not None
    except (re.error, RecursionError):
        return False
