"""Command lines as somebody types them who tries a program out: what is needed, then all that may be given, then one thing after
the other, with words that are called like the parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from crashwright.engine.subject.usage.command_lines import Grammar, Taken

_MARK = "--"
"""Behind it nothing is an option."""


class KnownWords(NamedTuple):
    """Words and numbers that the code compares with, or has for keys: somebody who has read it tries them."""

    words: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()

    def texts_of(self, one: Taken) -> tuple[str, ...]:
        """What an argument may be: what it takes, then what the code knows."""
        if not one.texts:
            return () if not one.most else self.words
        return (*one.texts, *(self.numbers if one.texts[0] in _NUMBERS else ()))


NOTHING_KNOWN = KnownWords()
_NUMBERS = ("3", "1.5")
"""What an argument that takes any number is given first."""


class PlainLine(NamedTuple):
    """``words`` of a line, of which ``command`` choose what is run. ``whole``: all that may be given is; None: one thing is."""

    command: tuple[str, ...]
    words: tuple[str, ...]
    whole: bool | None = None


def plain_lines(
    grammar: Grammar, wanted: Sequence[tuple[str, ...]], other: bool = False, known: KnownWords = NOTHING_KNOWN
) -> Iterator[PlainLine]:
    """Lines of each of the ``wanted`` commands in turn. ``other``: with other words than the first ones."""
    found = [_lines(path, _grammars(grammar, path), other, known) for path in wanted]
    seen: set[tuple[str, ...]] = set()
    for lines in zip_longest(*found):
        for line in lines:
            if line is not None and line.words not in seen:
                seen.add(line.words)
                yield line


def _grammars(grammar: Grammar, path: tuple[str, ...]) -> list[Grammar]:
    found = [grammar]
    for name in path:
        found.append(next((inner for own, inner in found[-1].commands if own == name), Grammar()))
    return found


def _lines(path: tuple[str, ...], grammars: Sequence[Grammar], other: bool, known: KnownWords) -> Iterator[PlainLine]:
    yield PlainLine(path, _written(path, grammars, None, "", False, other), False)
    yield PlainLine(path, _written(path, grammars, None, "", True, other), True)
    each = [one for grammar in reversed(grammars) for one in (*grammar.options, *grammar.places)]
    for one in each:
        for text in one.texts or ("",):
            yield PlainLine(path, _written(path, grammars, one, text, False, other))
    for whole in (False, True):
        for one in each:
            for text in known.texts_of(one)[0 if not one.texts else 1 if whole else len(one.texts) :]:
                yield PlainLine(path, _written(path, grammars, one, text, whole, other))


def _written(
    path: tuple[str, ...], grammars: Sequence[Grammar], special: Taken | None, text: str, whole: bool, other: bool
) -> tuple[str, ...]:
    """With what is needed, or all of it; ``special`` begins with ``text``, if there is one."""
    words: list[str] = []
    for level, grammar in enumerate(grammars):
        words += path[level - 1 : level] if level else ()
        for one in grammar.options:
            if one.needed or whole or one is special:
                words += [max(one.flags, key=len), *_values(one, max(one.least, min(1, one.most)), other, text * (one is special))]
        placed: list[str] = []
        for one in grammar.places:
            count = one.most if whole or one is special else max(one.least, int(one.needed and one.most > 0))
            placed += _values(one, count, other, text * (one is special))
        words += [_MARK] if any(word.startswith("-") for word in placed) else ()
        words += placed
    return tuple(words)


def _values(one: Taken, count: int, other: bool, first: str) -> list[str]:
    name = one.name.strip("_").replace("_", "-") or "a"
    texts = one.texts or (name, f"other-{name}", f"third-{name}")
    start = 1 if other and len(texts) > 1 else 0
    values = [texts[(start + place) % len(texts)] for place in range(count)]
    return [first, *values[1:]] if first and values else values
