"""Readers of the grammars that a package holds. To add one: a file with a class, and a line here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from crashwright.engine.subject.grammars.docstring_rules import DocstringRules
from crashwright.engine.subject.grammars.lark_rules import LarkRules
from crashwright.engine.subject.grammars.live_parts import HeldObject, entries, is_loaded, namespaces_of
from crashwright.engine.subject.grammars.parsimonious_rules import ParsimoniousRules
from crashwright.engine.subject.grammars.pattern_tables import PatternTables
from crashwright.engine.subject.grammars.pgen_tables import PgenTables
from crashwright.engine.subject.grammars.pyparsing_elements import PyparsingElements
from crashwright.engine.subject.grammars.text_grammar import Owner, Production, TextGrammar, owner_of


class GrammarReader(Protocol):
    """Knows the objects of one library, or one form that grammars have."""

    def grammars(self, package: str, beside: Sequence[HeldObject] = ()) -> Iterator[TextGrammar]:
        """Those that the loaded modules of the package hold, and what there is ``beside``, without running any of its code."""


READERS: tuple[GrammarReader, ...] = (
    PyparsingElements(),
    DocstringRules(),
    LarkRules(),
    ParsimoniousRules(),
    PgenTables(),
    PatternTables(),
)
FEW_HANDLED = 3
"""Rules that a table has handlers for, if it is one of handlers."""


LIBRARIES = ("pyparsing", "lark", "parsimonious", "pgen2")
"""Whose grammars are objects, which may be made when they are first needed."""


def may_be_made_later() -> bool:
    """Whether a library is there by which they may."""
    return any(map(is_loaded, LIBRARIES))


def grammars_of(package: str, beside: Sequence[HeldObject] = ()) -> list[TextGrammar]:
    """What the readers find, with those who handle productions by the tables of the package."""
    found = [grammar for reader in READERS for grammar in reader.grammars(package, beside) if grammar.starts]
    tables = [*_tables(package)] if found else []
    return [_handled(grammar, tables) for grammar in found]


def _tables(package: str) -> Iterator[Mapping[str, Owner]]:
    for space in namespaces_of(package):
        for value in list(space.names.values()):
            named = [(key, owner_of(one)) for key, one in entries(value).items() if type(key) is str]
            yield {key: owner for key, owner in named if owner is not None}


def _handled(grammar: TextGrammar, tables: list[Mapping[str, Owner]]) -> TextGrammar:
    names = {owner.qualname for found in grammar.rules.values() for one in found for owner in one.owners if not owner.module}
    telling = [table for table in tables if len(names & table.keys()) >= FEW_HANDLED]
    if not telling:
        return grammar

    def handled(one: Production) -> Production:
        others = [table[owner.qualname] for table in telling for owner in one.owners if owner.qualname in table]
        return one._replace(owners=(*one.owners, *others))

    return grammar._replace(rules={rule: tuple(map(handled, found)) for rule, found in grammar.rules.items()})
