"""Grammars in the form of yacc: of PLY, whose functions ``p_...`` have productions as docstrings, and of SLY, which keeps them with
the class; terminals are the regular expressions of a lexer, which may be another module or class."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from types import FunctionType
from typing import NamedTuple

from crashwright.engine.subject.grammars.live_parts import (
    HeldObject,
    Namespace,
    documented,
    entries,
    items,
    kept,
    namespaces_of,
    string,
)
from crashwright.engine.subject.grammars.text_grammar import Owner, Rules, Symbol, Terminal, TextGrammar, function_owner
from crashwright.engine.subject.introspection import instance_dict

_PREFIX, _ERROR = "p_", "p_error"
_QUOTED = re.compile(r"(['\"]).+\1", re.DOTALL)
_SKIPPED = frozenset({"ignore", "error", "eof"})


class _Lexer(NamedTuple):
    terminals: Mapping[str, Terminal]
    gap: str
    module: str


class DocstringRules:
    """See ``registry.GrammarReader``."""

    def grammars(self, package: str, beside: Sequence[HeldObject] = ()) -> Iterator[TextGrammar]:  # noqa: ARG002
        """One for each parser, with the lexer that knows most of its terminals."""
        spaces = [*namespaces_of(package)]
        parsers = [(space, rules) for space in spaces if (rules := _productions(space)) is not None]
        lexers = [lexer for space in spaces if (lexer := _lexer(space)).terminals] if parsers else []
        for space, rules in parsers:
            wanted = {name for found in rules.productions.values() for one in found for name in one.symbols if type(name) is str}
            best = max(lexers, key=lambda one: (len(wanted & one.terminals.keys()), one.module == space.module), default=None)
            if best is not None:
                yield _joined(rules, best, space, spaces)


def _productions(space: Namespace) -> Rules | None:
    rules = Rules()
    for production in items(kept(space.names.get("_grammar"), "Productions"))[1:]:
        function = kept(production, "func")
        owners = [function_owner(function)] if type(function) is FunctionType else []
        rules.add(string(kept(production, "name")), _symbols([*map(string, items(kept(production, "prod")))]), owners)
    functions = [
        (name, value)
        for name, value in space.names.items()
        if type(name) is str and name.startswith(_PREFIX) and name != _ERROR and type(value) is FunctionType
    ]
    for name, function in sorted(functions, key=lambda pair: pair[1].__code__.co_firstlineno):
        for rule, symbols in _of_docstring(documented(function)):
            rules.add(rule, symbols, [function_owner(function), Owner("", name[len(_PREFIX) :])])
    return rules if rules.productions else None


def _of_docstring(text: str) -> Iterator[tuple[str, list[Symbol]]]:
    name = ""
    for line in text.splitlines():
        try:
            words = shlex.split(line, posix=False)
        except ValueError:
            words = line.split()
        if len(words) > 1 and words[1] in (":", "::="):
            name, words = words[0], words[2:]
        elif words and words[0] == "|":
            words = words[1:]
        else:
            continue
        if name and "error" not in words:
            yield name, _symbols(words)


def _symbols(words: list[str]) -> list[Symbol]:
    if "%prec" in words:
        words = words[: words.index("%prec")]
    return [Terminal(word[1:-1]) if _QUOTED.fullmatch(word) else word for word in words if word != "<empty>"]


def _lexer(space: Namespace) -> _Lexer:
    found: dict[str, Terminal] = {}
    blanks = string(space.names.get("t_ignore")) + string(space.names.get("ignore"))
    passed: list[Terminal] = []
    flags = space.names.get("reflags")
    states = [*map(string, (one for pair in items(space.names.get("states")) for one in items(pair)[:1])), "INITIAL", "ANY"]
    for name, value in space.names.items():
        if type(name) is str and name.startswith("t_"):
            token = name[2:]
            for state in states:
                token = token.removeprefix(f"{state}_")
            pattern = _pattern(value)
            if pattern and token not in _SKIPPED:
                terminal = Terminal(pattern=pattern, flags=re.VERBOSE)
                (passed.append(terminal) if token.startswith("ignore_") else found.setdefault(token, terminal))
    for pair in items(space.names.get("_rules")):
        key, value = [*items(pair), None, None][:2]
        token, pattern = string(key), _pattern(value)
        if token and pattern:
            terminal = Terminal(pattern=pattern, flags=flags if type(flags) is int else 0)
            (passed.append(terminal) if token.startswith("ignore_") else found.setdefault(token, terminal))
    takes = " " in blanks or any(_matches(one, " ") for one in passed)
    return _Lexer(found, " " if takes else "", space.module)


def _pattern(value: object) -> str:
    """Of a token: the text itself, or what a function has for one."""
    if type(value) is not FunctionType:
        return string(value)
    own = instance_dict(value)
    return string(own.get("regex")) or string(own.get("pattern")) or documented(value)


def _matches(terminal: Terminal, text: str) -> bool:
    try:
        return re.match(terminal.pattern or "", text, terminal.flags) is not None
    except re.error:
        return False


def _joined(rules: Rules, lexer: _Lexer, space: Namespace, spaces: list[Namespace]) -> TextGrammar:
    names = rules.productions.keys()
    wanted = dict.fromkeys(name for found in rules.productions.values() for one in found for name in one.symbols)
    words = _reserved({name for name in wanted if type(name) is str} - names - lexer.terminals.keys(), spaces)
    start = string(space.names.get("start")) or next(iter(names))
    own = [*rules.productions]
    for name in wanted:
        if type(name) is not str or name in rules.productions:
            continue
        known = lexer.terminals.get(name)
        if known is not None:
            rules.add(name, [known])
        elif name in words:
            for word in words[name]:
                rules.add(name, [Terminal(word)])
        elif name.rpartition("_")[0] in names:  # rules for what may be missing are made later, if they are not written down
            rules.maybe(name.rpartition("_")[0], name)
        else:
            rules.add(name, [Terminal(name.lower())])
    return rules.grammar([start, *own], lexer.gap, (space.module, lexer.module))


def _reserved(names: set[str], spaces: list[Namespace]) -> dict[str, list[str]]:
    """What a lexer looks up a word in to tell which token it is."""
    found: dict[str, list[str]] = {}
    for space in spaces:
        for table in list(space.names.values()):
            for key, value in entries(table).items() if names else ():
                if type(key) is str and type(value) is str and value in names and key not in found.get(value, ()):
                    found.setdefault(value, []).append(key)
    return found
