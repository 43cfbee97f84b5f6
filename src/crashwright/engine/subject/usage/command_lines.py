"""Command lines that a program takes: what its own parser (``argparse``, ``optparse``) declares, read from the live parser, and
lines made of that.

# Deviation: the papers' subjects have no command lines.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from random import Random
from types import MappingProxyType
from typing import NamedTuple, cast

from crashwright.engine.subject.introspection import class_mro, class_name, identities, instance_dict
from crashwright.engine.subject.usage.asked_texts import texts_taken

Word = Callable[[], str]
"""Gives any word."""

_ENDING = frozenset({"_HelpAction", "_VersionAction"})
"""Of argparse: they print and exit."""
_REMAINDER, _COMMAND = "...", "A..."
_COUNTS: Mapping[object, tuple[int, int]] = {"?": (0, 1), "*": (0, 2), "+": (1, 2), _REMAINDER: (0, 2)}
_TYPES: tuple[tuple[object, tuple[str, ...]], ...] = ((int, ("3", "0", "-1")), (float, ("1.5", "0", "-1")), (bool, ("1", "")))
_NAMED_TYPES: Mapping[object, tuple[str, ...]] = {"int": ("3", "0"), "long": ("3", "0"), "float": ("1.5", "0"), "complex": ("1j",)}
"""Of optparse."""
_TABLES: tuple[dict[str, str], ...] = ({}, OrderedDict())
_ORDERED = identities(
    *(str, list, tuple, range, deque, dict, OrderedDict, defaultdict, Counter, MappingProxyType),
    *(type(view) for table in _TABLES for view in (table.keys(), table.values())),
)
"""Plain containers that have an order, and views of them."""
_MOST_CHOICES, _MOST_COMMANDS = 6, 24
_DEEPEST = 2
_OFTEN = 0.3
"""How often an option stands in a line of several."""


class Taken(NamedTuple):
    """An option, or without ``flags`` what stands by its place. ``least`` to ``most`` words belong to it, of ``texts`` where it
    takes only these, or likes them; ``name``: of the parameter that gets them, if it has one."""

    flags: tuple[str, ...]
    texts: tuple[str, ...]
    least: int
    most: int
    needed: bool
    name: str = ""


class Grammar(NamedTuple):
    """What a parser takes; ``commands`` have parsers of their own. ``more`` words may stand beside its options."""

    options: tuple[Taken, ...] = ()
    places: tuple[Taken, ...] = ()
    commands: tuple[tuple[str, Grammar], ...] = ()
    more: int = 0


def grammar_of(parser: object, depth: int = 0) -> Grammar:
    """What a live parser declares; nothing of it where it is no parser that is known."""
    state = instance_dict(parser)
    actions = state.get("_actions")
    if type(actions) is list:
        return _of_argparse(actions, depth)
    options = state.get("option_list")
    if type(options) is list:
        return Grammar(tuple(one for one in map(_of_optparse, options) if one), more=2)
    return Grammar()


def _of_argparse(actions: Sequence[object], depth: int) -> Grammar:
    options: list[Taken] = []
    places: list[Taken] = []
    commands: tuple[tuple[str, Grammar], ...] = ()
    for action in actions:
        state = instance_dict(action)
        count = state.get("nargs")
        if any(class_name(cls) in _ENDING for cls in class_mro(type(action))):
            continue
        choices, flags = state.get("choices"), _texts(state.get("option_strings"))
        if count == _COMMAND:
            if type(choices) is dict and depth < _DEEPEST:
                named = [(name, parser) for name, parser in islice(choices.items(), _MOST_COMMANDS) if type(name) is str]
                commands = tuple((name, grammar_of(parser, depth + 1)) for name, parser in named)
            continue
        least, most = (count, count) if type(count) is int else _COUNTS.get(count, (1, 1))
        taken = Taken(
            flags, _values(choices, state.get("type")), least, most, bool(state.get("required")), _text(state.get("dest"))
        )
        (options if flags else places).append(taken)
    return Grammar(tuple(options), tuple(places), commands)


def _of_optparse(option: object) -> Taken | None:
    state = instance_dict(option)
    if state.get("action") in ("help", "version"):
        return None
    flags = (*_texts(state.get("_long_opts")), *_texts(state.get("_short_opts")))
    count = state.get("nargs")
    words = count if type(count) is int else 0
    choices, kind = _texts(state.get("choices")), state.get("type")
    texts = choices or (_NAMED_TYPES.get(kind, ()) if type(kind) is str else ())
    return Taken(flags, texts, words, words, False, _text(state.get("dest"))) if flags else None


def _text(value: object) -> str:
    return value if type(value) is str else ""


def _texts(value: object) -> tuple[str, ...]:
    return tuple(one for one in _items(value) if type(one) is str)


def _items(value: object) -> list[object]:
    """What plain containers of any kind hold, always in the same order; nothing of other ones."""
    if id(type(value)) in _ORDERED:
        return [*cast(Iterable[object], value)]
    return sorted(value, key=repr) if type(value) is set or type(value) is frozenset else []


def _values(choices: object, kind: object) -> tuple[str, ...]:
    """The texts that an argument may be."""
    plain = [str(one) for one in _items(choices) if type(one) is str or type(one) is int or type(one) is float]
    if plain:
        return tuple(plain[:_MOST_CHOICES])
    return next((texts for cls, texts in _TYPES if kind is cls), None) or texts_taken(kind)


def lines_of(grammar: Grammar, word: Word, rng: Random) -> Iterator[list[str]]:
    """Lines without end: what is needed alone; with each option, value and command, one after the other; then any."""
    found: dict[tuple[str, ...], None] = {}
    for line in _systematic(grammar, word):
        if tuple(line) not in found:
            found[tuple(line)] = None
            yield line
    while True:
        yield _drawn(grammar, word, rng)


def _systematic(grammar: Grammar, word: Word) -> Iterator[list[str]]:
    before = [text for one in grammar.options if one.needed for text in _written(one, word)]
    after = [text for one in grammar.places for text in _words(one, word, max(one.least, int(one.needed and one.most > 0)))]
    if not grammar.commands:
        yield [*before, *after]
    # A line of each command, then another of each.
    for lines in zip_longest(*(_systematic(inner, word) for _, inner in grammar.commands)):
        for (name, _), line in zip(grammar.commands, lines, strict=True):
            if line is not None:
                yield [*before, *after, name, *line]
    own = [[*after, grammar.commands[0][0], *next(_systematic(grammar.commands[0][1], word))]] if grammar.commands else [after]
    for one in grammar.options:
        for written in _each(one, word):
            needed = [text for other in grammar.options if other.needed and other is not one for text in _written(other, word)]
            yield [*needed, *written, *own[0]]
    for place, one in enumerate(grammar.places):
        for text in one.texts or (word(),) * (one.most > one.least):
            others = [_words(other, word, max(other.least, int(other.needed))) for other in grammar.places]
            others[place] = [text] * max(1, one.least)
            yield [*before, *(text for part in others for text in part), *own[0][len(after) :]]
    if grammar.more:
        yield [*before, word()]
    all_places = [text for one in grammar.places for text in _words(one, word, max(one.least, int(one.most > 0)))]
    if len(all_places) > len(after) and not grammar.commands:
        yield from ([*before, *written, *all_places] for one in grammar.options for written in _each(one, word))


def _each(one: Taken, word: Word) -> Iterator[list[str]]:
    """The option with each of its values."""
    if one.most:
        for text in one.texts:
            yield [one.flags[-1], *[text] * max(1, one.least)]
    if not one.most or not one.texts:
        yield _written(one, word)


def _written(one: Taken, word: Word) -> list[str]:
    words = _words(one, word, max(one.least, min(1, one.most)))
    return [one.flags[-1], *words]


def _words(one: Taken, word: Word, count: int) -> list[str]:
    return [one.texts[0] if one.texts else word() for _ in range(count)]


def _drawn(grammar: Grammar, word: Word, rng: Random) -> list[str]:
    line: list[str] = []
    for one in grammar.options:
        if one.needed or rng.random() < _OFTEN:
            line += [one.flags[int(rng.random() * len(one.flags))], *_any(one, word, rng)]
    for one in grammar.places:
        line += _any(one, word, rng)
    if grammar.commands:
        name, inner = grammar.commands[int(rng.random() * len(grammar.commands))]
        line += [name, *_drawn(inner, word, rng)]
    return [*line, *(word() for _ in range(int(rng.random() * (grammar.more + 1))))]


def _any(one: Taken, word: Word, rng: Random) -> list[str]:
    count = one.least + int(rng.random() * (one.most - one.least + 1))
    return [one.texts[int(rng.random() * len(one.texts))] if one.texts else word() for _ in range(count)]
