"""Expressions of parsimonious grammars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crashwright.engine.subject.grammars.live_parts import HeldObject, entries, held_by, items, kept, kinds, string
from crashwright.engine.subject.grammars.text_grammar import Owner, Rules, Symbol, Terminal, TextGrammar
from crashwright.engine.subject.introspection import text


class ParsimoniousRules:
    """See ``registry.GrammarReader``."""

    def grammars(self, package: str, beside: Sequence[HeldObject] = ()) -> Iterator[TextGrammar]:
        """One for each."""
        for one in held_by(package, "Grammar", "parsimonious", beside):
            reader = _ExpressionReader()
            names = {string(name): reader.rule(rule) for name, rule in entries(one.value).items()}
            start = kept(one.value, "default_rule")
            yield reader.rules.grammar([reader.rule(start), *names.values()], "", [one.module])


class _ExpressionReader:
    def __init__(self) -> None:
        self.rules = Rules()
        self._known: dict[int, str] = {}

    def rule(self, expression: object) -> str:
        """Its rule, which is read with what it is made of."""
        if id(expression) in self._known:
            return self._known[id(expression)]
        said = string(kept(expression, "name"))
        name = self._known[id(expression)] = f"{said}{len(self._known)}"
        owners = [Owner("", said)] if said else []
        parts: list[Symbol] = [self.rule(part) for part in items(kept(expression, "members"))]
        for symbols in _productions(expression, name, parts):
            self.rules.add(name, symbols, owners)
        return name


def _productions(expression: object, name: str, parts: list[Symbol]) -> list[list[Symbol]]:
    for kind in kinds(expression):
        match kind:
            case "Literal":
                return [[Terminal(text(kept(expression, "literal")))]]
            case "Regex":
                pattern = kept(expression, "re")
                flags = kept(pattern, "flags")
                return [[Terminal(pattern=text(kept(pattern, "pattern")), flags=flags if type(flags) is int else 0)]]
            case "Sequence":
                return [parts]
            case "OneOf":
                return [[part] for part in parts]
            case "Lookahead" | "Not":
                return [[]]
            case "Optional":
                return [parts, []]
            case "ZeroOrMore":
                return [[], [name, *parts]]
            case "OneOrMore":
                return [parts, [name, *parts]]
            case "Quantifier":
                return _repeated(expression, name, parts)
    return []


def _repeated(expression: object, name: str, parts: list[Symbol]) -> list[list[Symbol]]:
    least, most = kept(expression, "min"), kept(expression, "max")
    first = parts * (least if type(least) is int else 0)
    if most == 1:
        return [parts] if first else [parts, []]
    return [first, [name, *parts]]
