"""Texts spelled with the vocabulary of the subject's own parser: its marks and words, characters of the kinds that it asks for, and
little else."""

from __future__ import annotations

from random import Random

from crashwright.engine.subject.usage.vocabulary import Vocabulary

_MOST_PIECES = 14
_FILLER = "ab1 \n"
_TIMES = (1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4)


def spelled_text(rng: Random, vocabulary: Vocabulary, most: int = _MOST_PIECES) -> str:
    """Some pieces one after the other, few more often than many; now and then one is repeated."""
    random = rng.random
    strings, kinds = vocabulary
    pieces = []
    for _ in range(1 + int(random() * random() * most)):
        roll = random()
        if roll < 0.7 and strings:
            piece = strings[int(random() * len(strings))]
        elif roll < 0.85 and kinds:
            kind = kinds[int(random() * len(kinds))]
            piece = kind[int(random() * len(kind))]
        else:
            piece = _FILLER[int(random() * len(_FILLER))]
        pieces.append(piece * _TIMES[int(random() * len(_TIMES))])
    return "".join(pieces)
