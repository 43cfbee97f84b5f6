"""Texts spelled with a vocabulary and little else: marks and words that the subject's own parser asks for, characters of the kinds
that it asks for, or the marks of a format.

# Deviation: not in the papers; swarm testing (Groce, Zhang, Eide, Chen, Regehr 2012). What fails in a parser is often one mark too
many of a few that meet again and again. A text that may have any of sixty seldom has three of them twice: most texts are spelled
with a few pieces, drawn anew for each.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from random import Random

from crashwright.engine.subject.usage.vocabulary import MOST, Vocabulary

_MOST_PIECES = 24
_FILLER = "ab1 \n"
_TIMES = (1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4, 8)
_OF_FEW = 0.75  # share of texts that are spelled with a few pieces
_FEWEST, _MOST_DIFFERENT = 2, 7
_MARK = re.compile(r"(?m)^[^\w\n]+|[^\w\s]+|\n+|[^\S\n]{2,}|\d+[.)]? ?")
_LONGEST_LOOKED_AT = 160


def spelled_text(rng: Random, vocabulary: Vocabulary, most: int = _MOST_PIECES) -> str:
    """Some pieces one after the other, few more often than many; now and then one is repeated."""
    random = rng.random
    few = [_piece(rng, vocabulary) for _ in range(_FEWEST + int(random() * (_MOST_DIFFERENT - _FEWEST)))]
    if random() >= _OF_FEW:
        few = []
    pieces = []
    for _ in range(1 + int(random() * random() * most)):
        piece = few[int(random() * len(few))] if few else _piece(rng, vocabulary)
        pieces.append(piece * _TIMES[int(random() * len(_TIMES))])
    return "".join(pieces)


def _piece(rng: Random, vocabulary: Vocabulary) -> str:
    random = rng.random
    strings, kinds = vocabulary
    roll = random()
    if roll < 0.7 and strings:
        return strings[int(random() * len(strings))]
    if roll < 0.85 and kinds:
        kind = kinds[int(random() * len(kinds))]
        return kind[int(random() * len(kind))]
    return _FILLER[int(random() * len(_FILLER))]


def marks_in(texts: Iterable[str]) -> Vocabulary:
    """The marks of short ``texts``: what their lines begin with, punctuation, numbers, breaks; the commonest ones."""
    found: Counter[str] = Counter()
    for text in texts:
        if len(text) <= _LONGEST_LOOKED_AT:
            found.update(_MARK.findall(text))
    return Vocabulary(tuple(mark for mark, _ in found.most_common(MOST)), ())
