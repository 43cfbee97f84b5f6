"""Regular expressions of Python as those of z3: literals, classes, repeats, groups, alternatives, and anchors at the ends.

Read by Python's own parser. What z3 has no word for (references back, looking around, word boundaries inside) is
:class:`Unmodelled`. Greediness does not matter to what matches as a whole. In
ASCII, letters of both cases are the same where a flag says so.
"""

from __future__ import annotations

import re
import re._constants as constants  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
from collections.abc import Iterable, Sequence
from typing import Any, Final

LAST: Final = 0x2FFFF
"""z3's last character."""
_REPEATS: Final = (constants.MAX_REPEAT, constants.MIN_REPEAT)
Span = tuple[int, int]
_BEGINNINGS: Final = tuple([(constants.AT, one) for one in (constants.AT_BEGINNING, constants.AT_BEGINNING_STRING)])
_ENDS: Final = tuple([(constants.AT, one) for one in (constants.AT_END, constants.AT_END_STRING)])
_CATEGORIES: Final[dict[Any, tuple[Span, ...]]] = {
    constants.CATEGORY_DIGIT: ((48, 57),),
    constants.CATEGORY_SPACE: ((9, 13), (28, 32), (0x85, 0x85), (0xA0, 0xA0), (0x2000, 0x200A), (0x2028, 0x2029)),
    constants.CATEGORY_WORD: ((48, 57), (65, 90), (95, 95), (97, 122), (0xC0, 0xD6), (0xD8, 0xF6), (0xF8, 0x2AF)),
}
# Deviation: digits, blanks and letters of other scripts count as none; a text that has one would be an odd answer anyway.
_ASCII_SPACE: Final[tuple[Span, ...]] = ((9, 13), (32, 32))


class Unmodelled(Exception):
    """Why something cannot be said to z3."""


class Words:
    """Texts and classes of characters in z3."""

    def __init__(self, z3: Any) -> None:
        self.z3 = z3

    def text(self, value: str) -> Any:
        """A text. Raises Unmodelled where z3 has not its characters."""
        if any(ord(one) > LAST for one in value):
            raise Unmodelled("a character beyond those of the solver")
        # A backslash is escaped too: z3 would read what follows it as an escape.
        plain = "".join([one if " " <= one <= "~" and one != "\\" else f"\\u{{{ord(one):x}}}" for one in value])
        return self.z3.StringVal(plain)

    def within(self, spans: Iterable[Span]) -> Any:
        """Any one character of these."""
        return self.either([self.z3.Range(self.text(chr(low)), self.text(chr(high))) for low, high in spans])

    def outside(self, spans: Iterable[Span]) -> Any:
        """Any one other character."""
        gaps: list[Span] = []
        next_one = 0
        for low, high in sorted(spans):
            if low > next_one:
                gaps.append((next_one, low - 1))
            next_one = max(next_one, high + 1)
        if next_one <= LAST:
            gaps.append((next_one, LAST))
        return self.within(gaps)

    def either(self, choices: Sequence[Any]) -> Any:
        """One of them."""
        if not choices:
            return self.z3.Empty(self.z3.ReSort(self.z3.StringSort()))
        return choices[0] if len(choices) == 1 else self.z3.Union(*choices)

    def chain(self, pieces: Sequence[Any]) -> Any:
        """One behind the other."""
        if not pieces:
            return self.z3.Re("")
        return pieces[0] if len(pieces) == 1 else self.z3.Concat(*pieces)


def read(pattern: str, words: Words) -> Any:
    """The expression that matches what the pattern does as a whole. Raises Unmodelled."""
    tree, flags = _parsed(pattern)
    return _Reader(words, flags).sequence(tree, at_start=True, at_end=True)


def read_found(method: str, pattern: str, words: Words) -> Any:
    """The expression of all texts in which ``re.match``, ``re.search`` or ``re.fullmatch`` finds the pattern. Raises Unmodelled."""
    if method == "fullmatch":
        return read(pattern, words)
    tree, flags = _parsed(pattern)
    branches = tree[0][1][1] if len(tree) == 1 and tree[0][0] is constants.BRANCH else [tree]
    return words.either([_found_in(list(one), flags, method == "match", words) for one in branches])


def _found_in(items: list[tuple[Any, Any]], flags: int, is_first: bool, words: Words) -> Any:
    anything = words.z3.Star(words.outside([]))
    is_first = is_first or bool(items and items[0] in _BEGINNINGS)
    end = items[-1] if items else None
    inner = _Reader(words, flags).sequence(items, at_start=is_first, at_end=end in _ENDS)
    behind = [words.z3.Option(words.z3.Re(words.text("\n")))] if end == _ENDS[0] else [] if end in _ENDS else [anything]
    return words.chain([*([] if is_first else [anything]), inner, *behind])


def read_group(pattern: str, number: int, words: Words) -> Any:
    """The expression of what a group of a pattern matches. Raises Unmodelled."""
    tree, flags = _parsed(pattern)
    inner = _group(tree, number)
    if inner is None:
        raise Unmodelled("no such group")
    return _Reader(words, flags).sequence(list(inner), at_start=False, at_end=False)


def _group(items: Iterable[tuple[Any, Any]], number: int) -> Any:
    """Where it stands in no repeat and under no flags of its own."""
    for op, detail in items:
        inner = [detail[3]] if op is constants.SUBPATTERN else detail[1] if op is constants.BRANCH else []
        if op in _REPEATS and detail[1] == 1:
            inner = [detail[2]]
        if op is constants.SUBPATTERN and detail[0] == number and not detail[1] and not detail[2]:
            return inner[0]
        for one in inner:
            found = _group(list(one), number)
            if found is not None:
                return found
    return None


def certain_groups(pattern: str) -> frozenset[int]:
    """The groups that are there wherever the pattern is found."""
    try:
        tree, _ = _parsed(pattern)
    except Unmodelled:
        return frozenset()
    found, waiting = {0}, list(tree)
    while waiting:
        op, detail = waiting.pop()
        if op is constants.SUBPATTERN:
            found.add(detail[0])
            waiting += list(detail[3])
        elif op in _REPEATS and detail[0]:
            waiting += list(detail[2])
    return frozenset(one for one in found if one is not None)


def _parsed(pattern: str) -> tuple[list[tuple[Any, Any]], int]:
    try:
        tree = parser.parse(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        raise Unmodelled(f"no regular expression: {error}") from error
    return list(tree), tree.state.flags


class _Reader:
    """Reads the tree of one pattern."""

    def __init__(self, words: Words, flags: int) -> None:
        self._words = words
        self._flags = flags
        if flags & (re.LOCALE | re.MULTILINE):
            raise Unmodelled("a flag of a regular expression")

    def sequence(self, items: list[tuple[Any, Any]], at_start: bool, at_end: bool) -> Any:
        """One behind the other; anchors say nothing where they stand at the ends."""
        while (
            at_start
            and items
            and items[0][0] is constants.AT
            and items[0][1] in (constants.AT_BEGINNING, constants.AT_BEGINNING_STRING)
        ):
            items = items[1:]
        while at_end and items and items[-1][0] is constants.AT and items[-1][1] in (constants.AT_END, constants.AT_END_STRING):
            items = items[:-1]
        pieces = [
            self._piece(op, detail, at_start and number == 0, at_end and number == len(items) - 1)
            for number, (op, detail) in enumerate(items)
        ]
        return self._words.chain(pieces)

    def _piece(self, op: Any, detail: Any, at_start: bool, at_end: bool) -> Any:
        words, z3 = self._words, self._words.z3
        if op is constants.LITERAL:
            spans = self._cased([(detail, detail)])
            return words.within(spans) if len(spans) > 1 else z3.Re(words.text(chr(detail)))
        if op is constants.NOT_LITERAL:
            return words.outside(self._cased([(detail, detail)]))
        if op is constants.ANY:
            return words.outside([] if self._flags & re.DOTALL else [(10, 10)])
        if op is constants.IN:
            return self._one_of(detail)
        if op is constants.BRANCH:
            return words.either([self.sequence(list(one), at_start, at_end) for one in detail[1]])
        if op is constants.SUBPATTERN:
            _, added, removed, inner = detail
            if added or removed:
                raise Unmodelled("a flag within a regular expression")
            return self.sequence(list(inner), at_start, at_end)
        if op in _REPEATS:
            return self._repeated(*detail)
        raise Unmodelled(f"{str(op).lower()} in a regular expression")

    def _repeated(self, least: int, most: int, inner: Any) -> Any:
        z3 = self._words.z3
        one = self.sequence(list(inner), at_start=False, at_end=False)
        if most is constants.MAXREPEAT:
            return (
                z3.Star(one) if least == 0 else z3.Plus(one) if least == 1 else z3.Concat(z3.Loop(one, least, least), z3.Star(one))
            )
        if (least, most) == (0, 1):
            return z3.Option(one)
        return z3.Loop(one, least, most) if most else z3.Re("")

    def _one_of(self, members: list[tuple[Any, Any]]) -> Any:
        negated = members[0][0] is constants.NEGATE
        spans: list[Span] = []
        for op, detail in members[1:] if negated else members:
            if op is constants.LITERAL:
                spans.append((detail, detail))
            elif op is constants.RANGE:
                spans.append((detail[0], min(detail[1], LAST)))
            elif op is constants.CATEGORY:
                spans.extend(self._category(detail))
            else:
                raise Unmodelled(f"{str(op).lower()} in a class of characters")
        spans = self._cased(spans)
        return self._words.outside(spans) if negated else self._words.within(spans)

    def _cased(self, spans: list[Span]) -> list[Span]:
        """With the letters in the other case, where that is the same. Letters beyond ASCII are as they stand."""
        if not self._flags & re.IGNORECASE:
            return spans
        return [*spans, *[span for low, high in spans for span in _other_case(low, high)]]

    def _category(self, category: Any) -> Iterable[Span]:
        opposite = str(category).replace("CATEGORY_NOT_", "CATEGORY_")
        for known, spans in _CATEGORIES.items():
            if str(known) == opposite:
                ascii_only = bool(self._flags & re.ASCII)
                mine = _ASCII_SPACE if ascii_only and known is constants.CATEGORY_SPACE else spans
                mine = tuple([span for span in mine if span[1] < 128]) if ascii_only else mine
                return mine if known is category else _gaps(mine)
        raise Unmodelled(f"{str(category).lower()} in a class of characters")


def _other_case(low: int, high: int) -> Iterable[Span]:
    for first, last, by in ((65, 90, 32), (97, 122, -32)):
        start, end = max(low, first), min(high, last)
        if start <= end:
            yield start + by, end + by


def _gaps(spans: Iterable[Span]) -> Iterable[Span]:
    next_one = 0
    for low, high in sorted(spans):
        if low > next_one:
            yield next_one, low - 1
        next_one = high + 1
    yield next_one, LAST
