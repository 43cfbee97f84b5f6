"""A grammar of texts, whatever it was read from: rules with productions, made of terminals and of names of rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import FunctionType
from typing import NamedTuple

from crashwright.core.location import CodeKey
from crashwright.engine.subject.introspection import class_home, class_qualname, function_home, is_class
from crashwright.engine.subject.layers import function_of


class Owner(NamedTuple):
    """What handles a production: a function or class at its address; or, where ``module`` is empty, whatever is named for it, as
    ``visit_sum`` is for ``sum``."""

    module: str
    qualname: str

    def is_in(self, key: CodeKey) -> bool:
        """Whether the code is that of the owner."""
        if self.module:
            return self.module == key.module and f"{key.qualname}.".startswith(f"{self.qualname}.")
        return key.name == self.qualname or key.name.endswith(f"_{self.qualname}")


class Terminal(NamedTuple):
    """``text`` itself, or what ``pattern`` matches. ``glued``: nothing may stand before it. ``indent``: what follows stands so many
    levels further in."""

    text: str = ""
    pattern: str | None = None
    flags: int = 0
    glued: bool = False
    indent: int = 0


Symbol = str | Terminal
"""A name is that of a rule."""


class Production(NamedTuple):
    """``owners`` handle what was parsed by it."""

    symbols: tuple[Symbol, ...]
    owners: tuple[Owner, ...] = ()


class TextGrammar(NamedTuple):
    """``starts``: rules that whole texts are parsed with, the largest first. ``gap`` may stand between two terminals. ``modules``
    are those that it was found in. ``is_loose``: it says what texts are made of, not in which order."""

    rules: Mapping[str, tuple[Production, ...]]
    starts: tuple[str, ...]
    gap: str = ""
    modules: tuple[str, ...] = ()
    is_loose: bool = False


class Rules:
    """A grammar that is being read."""

    def __init__(self) -> None:
        self.productions: dict[str, list[Production]] = {}

    def add(self, name: str, symbols: Iterable[Symbol] = (), owners: Iterable[Owner] = ()) -> None:
        """One more production of a rule."""
        self.productions.setdefault(name, []).append(Production(tuple(symbols), tuple(dict.fromkeys(owners))))

    def repeated(self, symbol: Symbol, least: int = 1, name: str = "") -> str:
        """A rule for ``symbol``, so often or more."""
        own = name or f"{symbol}*{least}"
        if own not in self.productions:
            self.add(own, [symbol] * least)
            self.add(own, [own, symbol])
        return own

    def maybe(self, symbol: Symbol, name: str = "") -> str:
        """A rule for ``symbol``, or nothing."""
        own = name or f"{symbol}?"
        if own not in self.productions:
            self.add(own, [symbol])
            self.add(own)
        return own

    def grammar(self, starts: Sequence[str], gap: str = "", modules: Iterable[str] = ()) -> TextGrammar:
        """As it was read; starts from which others are reached come first."""
        reach = {start: self._reached(start) for start in dict.fromkeys(starts) if start in self.productions}
        first = sorted(reach, key=lambda start: -len(reach[start]))
        rules = {name: tuple(dict.fromkeys(found)) for name, found in self.productions.items()}
        return TextGrammar(rules, tuple(first), gap, tuple(dict.fromkeys(modules)))

    def _reached(self, start: str) -> set[str]:
        found, waiting = {start}, [start]
        while waiting:
            for production in self.productions.get(waiting.pop(), ()):
                for symbol in production.symbols:
                    if type(symbol) is str and symbol not in found:
                        found.add(symbol)
                        waiting.append(symbol)
        return found


def owner_of(value: object) -> Owner | None:
    """A function, or what wraps one, or a class."""
    if is_class(value):
        return Owner(class_home(value), class_qualname(value))
    function = function_of(value)
    return None if function is None else function_owner(function)


def function_owner(function: FunctionType) -> Owner:
    """By its code."""
    return Owner(function_home(function), function.__code__.co_qualname)
