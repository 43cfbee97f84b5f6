"""Rules and terminals of lark's parsers, as it has compiled them: repetitions are rules of their own already."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from crashwright.engine.subject.grammars.live_parts import HeldObject, entries, held_by, items, kept, kinds, string
from crashwright.engine.subject.grammars.text_grammar import Owner, Rules, Symbol, Terminal, TextGrammar

_FLAGS = {one: getattr(re, one.upper()) for one in "imsxlu"}


class LarkRules:
    """See ``registry.GrammarReader``."""

    def grammars(self, package: str, beside: Sequence[HeldObject] = ()) -> Iterator[TextGrammar]:
        """One for each parser."""
        seen: set[int] = set()
        for one in held_by(package, "Serialize", "lark", beside):
            parts = _parts(one.value)
            if parts is not None and id(parts[0]) not in seen:
                seen.add(id(parts[0]))
                yield _grammar(*parts, one.module)


def _parts(parser: object) -> tuple[object, object, object, object] | None:
    """The rules of a parser, its terminals, the names of those that are passed over, and where it starts."""
    lexer, conf = kept(parser, "lexer_conf"), kept(parser, "parser_conf")
    rules = kept(parser, "rules") or kept(conf, "rules")
    terminals = kept(parser, "terminals") or kept(lexer, "terminals") or kept(lexer, "tokens")
    ignored = kept(lexer, "ignore") or kept(parser, "ignore_tokens")
    options = entries(kept(kept(parser, "options"), "options"))
    start = kept(conf, "start") or options.get("start")
    return (rules, terminals, ignored, start) if items(rules) and items(terminals) else None


def _grammar(rules: object, terminals: object, ignored: object, start: object, module: str) -> TextGrammar:
    known = {string(kept(one, "name")): _terminal(kept(one, "pattern")) for one in items(terminals)}
    found = Rules()
    for rule in items(rules):
        origin = _name(kept(rule, "origin"))
        alias = string(kept(rule, "alias"))
        symbols: list[Symbol] = []
        for symbol in items(kept(rule, "expansion")):
            name = _name(symbol)
            symbols.append(known.get(name, Terminal(name)) if kept(symbol, "is_term") is True else name)
        found.add(origin, symbols, [Owner("", name) for name in dict.fromkeys((alias, origin)) if name and name[0] != "_"])
    names = [string(one) for one in items(start)] or [string(start)]
    blank = any(_takes_blank(known.get(string(name))) for name in items(ignored))
    return found.grammar(names, " " if blank else "", [module])


def _name(symbol: object) -> str:
    return string(symbol) or string(kept(symbol, "name"))


def _terminal(pattern: object) -> Terminal:
    flags = 0
    for flag in kept(pattern, "flags") or ():  # type: ignore[attr-defined]
        flags |= _FLAGS.get(flag, 0)
    value = string(kept(pattern, "value"))
    return Terminal(value) if "PatternStr" in kinds(pattern) else Terminal(pattern=value, flags=flags)


def _takes_blank(terminal: Terminal | None) -> bool:
    if terminal is None or terminal.pattern is None:
        return terminal is not None and terminal.text == " "
    try:
        return re.match(terminal.pattern, " ", terminal.flags) is not None
    except re.error:  # of another module for regular expressions
        return False
