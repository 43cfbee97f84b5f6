"""Automata of pgen2, the parser generator of lib2to3 and of what was made from it: a rule for each state of each automaton."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from crashwright.engine.subject.grammars.live_parts import HeldObject, entries, held_by, items, kept, string
from crashwright.engine.subject.grammars.text_grammar import Owner, Rules, Symbol, Terminal, TextGrammar
from crashwright.engine.subject.introspection import class_module, loaded_dict

_TOKENS = {
    "NAME": Terminal(pattern="[a-z]"),
    "NUMBER": Terminal(pattern="[0-9]"),
    "STRING": Terminal(pattern='"[a-z]?"'),
    "NEWLINE": Terminal("\n", glued=True),
    "INDENT": Terminal(indent=1),
    "DEDENT": Terminal(indent=-1),
    "ENDMARKER": Terminal(),
}
_FIRST_RULE = 256
"""Smaller numbers are those of tokens."""
_QUOTED = re.compile(r"""(["'])(.+)\1""")
_Arcs = list[tuple[Symbol, str]]


class PgenTables:
    """See ``registry.GrammarReader``."""

    def grammars(self, package: str, beside: Sequence[HeldObject] = ()) -> Iterator[TextGrammar]:
        """One for each."""
        for one in held_by(package, "Grammar", "pgen2", beside):
            rules = Rules()
            start = _numbered(one.value, rules) or _linked(one.value, rules)
            yield rules.grammar([start], " ", [one.module])


def _add(rules: Rules, name: str, state: str, arcs: _Arcs, is_final: bool) -> None:
    """All states of a rule are its owner's."""
    for symbol, following in arcs:
        rules.add(state, [symbol, following], [Owner("", name)])
    if is_final:
        rules.add(state)


def _numbered(grammar: object, rules: Rules) -> str:
    """Rules, tokens and states are numbers."""
    names = entries(kept(grammar, "number2symbol"))
    labels = [(*items(one), None)[:2] for one in items(kept(grammar, "labels"))]
    operators = {number: text for text, number in entries(loaded_dict(class_module(type(grammar))).get("opmap")).items()}
    token_names = _token_names(grammar)

    def symbol(label: object) -> Symbol:
        number, word = labels[label] if type(label) is int else (0, None)
        if type(number) is int and number >= _FIRST_RULE:
            return string(names.get(number))
        if string(word):
            return Terminal(string(word))
        name = token_names.get(number, "")
        return _TOKENS.get(name) or (Terminal(string(operators[number])) if number in operators else name)

    for number, automaton in entries(kept(grammar, "dfas")).items():
        name = string(names.get(number))
        rules.add(name, [f"{name}/0"], [Owner("", name)])
        for at, state in enumerate(items(items(automaton)[0])):
            arcs = [(label, following) for label, following in map(items, items(state))]
            going = [(symbol(label), f"{name}/{following}") for label, following in arcs if label != 0]
            _add(rules, name, f"{name}/{at}", going, len(going) < len(arcs))
    return string(names.get(kept(grammar, "start")))


def _token_names(grammar: object) -> dict[object, str]:
    module = class_module(type(grammar)).rpartition(".")[0]
    return {number: name for name, number in loaded_dict(f"{module}.token").items() if type(number) is int}


def _linked(grammar: object, rules: Rules) -> str:
    """States are objects that have each other."""
    for rule, states in entries(kept(grammar, "nonterminal_to_dfas")).items():
        name = string(rule)
        rules.add(name, [f"{name}/0"], [Owner("", name)])
        numbers = {id(state): f"{name}/{at}" for at, state in enumerate(items(states))}
        for state in items(states):
            arcs = [(_labelled(string(label)), numbers.get(id(one), "")) for label, one in entries(kept(state, "arcs")).items()]
            _add(rules, name, numbers[id(state)], arcs, kept(state, "is_final") is True)
    return string(kept(grammar, "start_nonterminal"))


def _labelled(label: str) -> Symbol:
    quoted = _QUOTED.fullmatch(label)
    return Terminal(quoted[2]) if quoted else _TOKENS.get(label, label)
