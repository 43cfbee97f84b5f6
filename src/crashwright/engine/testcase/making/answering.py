"""Gives a literal what a comparison wanted: the value that was compared stands in it, and is replaced.

REDQUEEN ("Fuzzing with input-to-state correspondence", Aschermann et al., 2019): what a program compares is often a part of its
input as it is. So a wanted value is known to belong to this literal, and to which place in it.
"""

from __future__ import annotations

from random import Random

from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Value

LOOKED_AT = 40
"""Pairs of compared and wanted values that are looked at for one literal."""
PLACES = 4
"""Occurrences among which one is chosen."""


def answered_text(rng: Random, text: str, pool: SeedPool) -> str | None:
    """``text`` with something in it that was compared replaced by what was wanted; None where it holds nothing of that kind."""
    answers = pool.answers
    size = len(answers)
    start = int(rng.random() * size)
    for number in range(min(size, LOOKED_AT)):
        given, wanted = answers[(start + number) % size]
        pair = _as_texts(given, wanted)
        if pair is not None and pair[0] in text:
            return _replaced(rng, text, *pair)
    return None


def answered_int(rng: Random, value: int, pool: SeedPool) -> int | None:
    """What was wanted in place of a number that was compared; None where it was not."""
    wanted = [other for given, other in pool.answers if type(given) is int and given == value and type(other) is int]
    return wanted[int(rng.random() * len(wanted))] if wanted else None


def _as_texts(given: Value, wanted: Value) -> tuple[str, str] | None:
    kind = type(given)
    if kind is str:
        return given, wanted  # type: ignore[return-value]
    if kind is bytes:
        return given.decode("latin-1"), wanted.decode("latin-1")  # type: ignore[union-attr]
    return (str(given), str(wanted)) if kind is int and abs(given) < 10**40 and abs(wanted) < 10**40 else None  # type: ignore[arg-type]


def _replaced(rng: Random, text: str, given: str, wanted: str) -> str:
    places: list[int] = []
    place = text.find(given)
    while place >= 0 and len(places) < PLACES:
        places.append(place)
        place = text.find(given, place + 1)
    chosen = places[int(rng.random() * len(places))]
    return text[:chosen] + wanted + text[chosen + len(given) :]
