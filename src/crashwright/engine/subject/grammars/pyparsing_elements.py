"""Elements of pyparsing: the classes of its combinators, and what they keep."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from types import FunctionType
from typing import cast

from crashwright.engine.subject.grammars.live_parts import HeldObject, held_by, items, kept, kinds, string
from crashwright.engine.subject.grammars.text_grammar import Owner, Rules, Symbol, Terminal, TextGrammar, owner_of
from crashwright.engine.subject.introspection import instance_of, same_package

MOST_CHARACTERS = 60
"""Of a class of characters: of those of Unicode there are too many to write down."""


class PyparsingElements:
    """See ``registry.GrammarReader``."""

    def grammars(self, package: str, beside: Sequence[HeldObject] = ()) -> Iterator[TextGrammar]:
        """One, of all elements."""
        held = held_by(package, "ParserElement", "pyparsing", beside)
        if held:
            reader = _ElementReader(package)
            starts = [reader.rule(one.value) for one in held]
            yield reader.rules.grammar(starts, " ", [one.module for one in held])


class _ElementReader:
    def __init__(self, package: str) -> None:
        self.rules = Rules()
        self._package = package
        self._names: dict[int, str] = {}

    def rule(self, element: object) -> str:
        """Its rule, which is read with what it is made of."""
        waiting = [element]
        while waiting:
            one = waiting.pop()
            name = self._name(one)
            if name in self.rules.productions:
                continue
            self.rules.productions[name] = []
            parts = [part for part in (*items(kept(one, "exprs")), kept(one, "expr")) if _is_element(part)]
            owners = self._owners(one)
            for symbols in _productions(one, name, [self._name(part) for part in parts]):
                self.rules.add(name, symbols, owners)
            waiting += parts
        return self._name(element)

    def _name(self, element: object) -> str:
        return self._names.setdefault(id(element), f"{next(kinds(element))}{len(self._names)}")

    def _owners(self, element: object) -> list[Owner]:
        """The actions, each wrapped in a function that takes any number of arguments."""
        found = []
        for action in items(kept(element, "parseAction")):
            for one in _unwrapped(action):
                owner = owner_of(one)
                if owner is not None and same_package(owner.module, self._package):
                    found.append(owner)
        return found


def _unwrapped(action: object) -> Iterator[object]:
    yield action
    if type(action) is FunctionType:
        for cell in action.__closure__ or ():
            try:
                yield cell.cell_contents
            except ValueError:
                continue  # it is empty


def _is_element(value: object) -> bool:
    return "ParserElement" in kinds(value)


def _terminal(element: object, **parts: str | int | None) -> Terminal:
    blanks = kept(element, "whiteChars")
    takes_blank = (type(blanks) is not str and type(blanks) is not set) or " " in blanks
    glued = kept(element, "skipWhitespace") is False or not takes_blank
    return Terminal(glued=glued, **parts)  # type: ignore[arg-type]


def _literal(element: object) -> Terminal:
    return _terminal(element, text=string(kept(element, "match")) or string(kept(element, "returnString")))


def _of_pattern(element: object) -> Terminal:
    pattern = kept(element, "pattern")
    if type(pattern) is re.Pattern:
        return _terminal(element, pattern=string(pattern.pattern), flags=pattern.flags)
    flags = kept(element, "re_flags" if kept(element, "re_flags") is not None else "flags")
    return _terminal(element, pattern=string(pattern), flags=int.__int__(cast(int, flags)) if instance_of(flags, int) else 0)


def _word(element: object) -> Terminal:
    pattern = string(kept(element, "reString"))
    if not pattern or len(pattern) > MOST_CHARACTERS * 4:
        first, rest = (_class(kept(element, name)) for name in ("initChars", "bodyChars"))
        first = first or _class(kept(element, "init_chars"))
        pattern = f"{first}{rest or first}*" if first else r"\w+"
    return _terminal(element, pattern=pattern)


def _class(characters: object) -> str:
    found = sorted(characters) if type(characters) is set else [*string(characters)]
    plain = [one for one in found if one < "\x7f"] or found
    return f"[{''.join(map(re.escape, plain[:MOST_CHARACTERS]))}]" if plain else ""


def _others(element: object) -> Terminal:
    unwanted = string(kept(element, "notChars"))
    return _terminal(element, pattern=f"[^{''.join(map(re.escape, unwanted))}]+" if unwanted else ".")


def _productions(element: object, name: str, parts: list[Symbol]) -> list[list[Symbol]]:
    for kind in kinds(element):
        match kind:
            case "Or" | "MatchFirst":
                return [[part] for part in parts]
            case "Optional" | "Opt":
                return [parts, []]
            case "ZeroOrMore":
                return [[], [name, *parts]]
            case "OneOrMore":
                return [parts, [name, *parts]]
            case "NotAny" | "FollowedBy" | "PrecededBy" | "Empty" | "PositionToken" | "_PositionToken":
                return [[]]
            case "SkipTo":
                return [[Terminal(pattern=r"\w+")], []]  # mostly something is skipped, a name or a comment
            case "And" | "Each" | "ParseElementEnhance":
                return [parts]
            case "Literal" | "Keyword":
                return [[_literal(element)]]
            case "Regex" | "QuotedString":
                return [[_of_pattern(element)]]
            case "Word":
                return [[_word(element)]]
            case "CharsNotIn":
                return [[_others(element)]]
            case "White":
                return [[Terminal(string(kept(element, "matchWhite"))[:1], glued=True)]]
            case "LineEnd":
                return [[Terminal("\n", glued=True)]]
    return []
