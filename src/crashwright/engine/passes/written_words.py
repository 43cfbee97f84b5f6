"""Words that somebody has written: in the source of a module, and in the examples of its package.

A search makes words as well: ``"lne"``, ``"mostripdel"``. By themselves they look as plain as those that people write.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_LETTERS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
"""Words of a name too: ``unitPrice``, ``unit_price``."""
_OF_OURS = frozenset(("another", "other"))
"""What is put before a word to make a second one."""


class WrittenWords:
    """``texts`` are what somebody wrote."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._known = _OF_OURS.union(*(_words_of(text) for text in texts))

    def has_all_of(self, text: str) -> bool:
        """Whether each word of ``text`` with two letters or more is among them."""
        return all(len(word) < 2 or word in self._known for word in _words_of(text))


def _words_of(text: str) -> Iterator[str]:
    return (found[0].lower() for found in _LETTERS.finditer(text))
