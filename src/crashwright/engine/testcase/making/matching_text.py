"""Strings that a regular expression matches, made at random from its parse tree: seeds for subjects that test their input with
``re``."""

from __future__ import annotations

import re
import re._compiler as compiler  # type: ignore[import-not-found]
import re._constants as op  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
from collections.abc import Mapping, Sequence
from itertools import islice
from random import Random
from types import MappingProxyType
from typing import Any, TypeVar

T = TypeVar("T")
MOST_REPEATS, MANY_REPEATS, OFTEN = 4, 16, 0.1
"""How many more than have to be, and how many in this share of the places: limits lie where numbers and names are long."""
LONGEST = 200
FILLED, WIDE = 0.7, 3
"""How often what may be repeated so many times is one of the words that fit."""
_TRIES = 6
"""How often one part is drawn anew until the string is another."""
_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
_PRINTABLE = "".join(map(chr, range(32, 127)))
_CLASSES = {
    op.CATEGORY_DIGIT: "0123456789",
    op.CATEGORY_SPACE: " \t\n",
    op.CATEGORY_WORD: "abcxyzABC0189_",
    op.CATEGORY_NOT_DIGIT: "aZ -.\n",
    op.CATEGORY_NOT_SPACE: "a0Z-_.#",
    op.CATEGORY_NOT_WORD: " -.#&<>\n",
}


def matching_text(
    pattern: str, rng: Random, flags: int = 0, words: Sequence[str] = (), groups: Mapping[str, str] = MappingProxyType({})
) -> str | None:
    """A random string that ``pattern`` matches, but for look-arounds, which are passed over; None where it cannot be parsed. Where
    it leaves much open (``[^\\]]+``), one of ``words`` may stand; named ``groups`` have these texts, where they fit."""
    try:
        tree = parser.parse(pattern, flags)
    except (re.error, RecursionError, OverflowError):
        return None
    numbers = tree.state.groupdict
    maker = _Maker(rng, words, tree.state, {numbers[name]: text for name, text in groups.items() if name in numbers})
    maker.sequence(tree)
    return "".join(maker.parts)[:LONGEST]


def matching_family(pattern: str, rng: Random, flags: int = 0, words: Sequence[str] = ()) -> tuple[str, ...]:
    """A random string as :func:`matching_text` makes, then others that differ from it in one part of the pattern each, what may be
    missing first: records of one thing. None where ``pattern`` cannot be parsed, or everything in it is fixed."""
    try:
        tree = parser.parse(pattern, flags)
    except (re.error, RecursionError, OverflowError):
        return ()
    nodes = list(tree)
    seeds = [rng.getrandbits(32) for _ in nodes]

    def made(place: int = -1) -> str:
        maker = _Maker(rng, words, tree.state)
        for number, (node, seed) in enumerate(zip(nodes, seeds, strict=True)):
            maker.draw_from(Random(seed if number != place else rng.getrandbits(32)))
            maker.sequence((node,))
        return "".join(maker.parts)[:LONGEST]

    first = made()
    places = [number for number, (code, _) in enumerate(nodes) if code is not op.LITERAL and code is not op.AT]
    optional = [number for number in places if nodes[number][0] in _REPEATS and nodes[number][1][0] == 0]
    found = {first: None}
    for place in dict.fromkeys((*optional, *places)):
        others = (made(place) for _ in range(_TRIES))
        found |= dict.fromkeys(islice((text for text in others if text not in found), 1))
    return tuple(found) if len(found) > 1 else ()


class _Maker:
    def __init__(self, rng: Random, words: Sequence[str], state: Any, given: Mapping[int, str] = MappingProxyType({})) -> None:
        self._given = given
        self._rng = rng
        self._words = words
        self._state = state
        self._groups: dict[int, str] = {}
        self.parts: list[str] = []

    def draw_from(self, rng: Random) -> None:
        """From now on."""
        self._rng = rng

    def sequence(self, nodes: Any) -> None:
        for code, argument in nodes:
            self._node(code, argument)

    def _node(self, code: Any, argument: Any) -> None:
        if code is op.LITERAL:
            self.parts.append(chr(argument))
        elif code is op.NOT_LITERAL:
            self.parts.append(self._pick([c for c in _PRINTABLE if ord(c) != argument]))
        elif code is op.ANY:
            self.parts.append(self._pick(_PRINTABLE))
        elif code is op.IN:
            self.parts.append(self._from_set(argument))
        elif code is op.BRANCH:
            self.sequence(self._pick(argument[1]))
        elif code is op.SUBPATTERN:
            self._group(argument[0], argument[3])
        elif code is op.ATOMIC_GROUP:
            self.sequence(argument)
        elif code in _REPEATS:
            low, high, item = argument
            if self._words and int(high) >= WIDE and len(item) == 1 and self._filled(code, argument):
                return
            often = self._rng.random() < OFTEN
            most = min(int(high), int(low) + (MANY_REPEATS if often else MOST_REPEATS))
            for _ in range(int(low) + int(self._rng.random() * (most - int(low) + 1))):
                if len(self.parts) > LONGEST:
                    return
                self.sequence(item)
        elif code is op.GROUPREF:
            self.parts.append(self._groups.get(argument, ""))
        elif code is op.GROUPREF_EXISTS:
            _, yes, no = argument
            self.sequence(yes if argument[0] in self._groups else no or ())
        elif code is op.CATEGORY:
            self.parts.append(self._pick(_CLASSES.get(argument, "a")))

    def _filled(self, code: Any, argument: Any) -> bool:
        """Put a word in the place of the repetition, where one fits and chance has it."""
        if self._rng.random() >= FILLED:
            return False
        fits = compiler.compile(parser.SubPattern(self._state, [(code, argument)])).fullmatch
        fitting = [word for word in self._words if fits(word)]
        if fitting:
            self.parts.append(self._pick(fitting))
        return bool(fitting)

    def _group(self, number: int | None, nodes: Any) -> None:
        start = len(self.parts)
        given = self._given.get(number) if number is not None else None
        if given is not None and compiler.compile(parser.SubPattern(self._state, list(nodes))).fullmatch(given):
            self.parts.append(given)
        else:
            self.sequence(nodes)
        if number is not None:
            self._groups[number] = "".join(self.parts[start:])

    def _from_set(self, items: Any) -> str:
        if items and items[0][0] is op.NEGATE:
            banned = "".join(self._members(items[1:], whole=True))
            return self._pick([c for c in _PRINTABLE if c not in banned] or ["\x01"])
        return self._pick(self._members([self._pick(items)], whole=False) or ["a"])

    def _members(self, items: Any, whole: bool) -> list[str]:
        found: list[str] = []
        for code, argument in items:
            if code is op.LITERAL:
                found.append(chr(argument))
            elif code is op.RANGE:
                low, high = argument
                found.extend(
                    map(chr, range(low, min(high, low + 128) + 1 if whole else high + 1 if high - low < 128 else low + 128))
                )
            elif code is op.CATEGORY:
                found.extend(_CLASSES.get(argument, "a"))
        return found

    def _pick(self, choices: Sequence[T]) -> T:
        return choices[int(self._rng.random() * len(choices))]
