"""What holds for every reader of grammars, on a small package that holds one of its kind."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import held_grammars
from conforming import Bug, conformance

from crashwright.engine.subject.grammars.registry import READERS, GrammarReader
from crashwright.engine.subject.grammars.text_grammar import Rules, Terminal, TextGrammar
from crashwright.engine.testcase.making.derived_texts import Derivations

HOSTILE = """
class Meta(type):
    def __eq__(cls, other): raise Ran
    def __hash__(cls): raise Ran
    def __instancecheck__(cls, value): raise Ran
    def __getattribute__(cls, name): raise Ran
class Lazy(metaclass=Meta):
    def __getattribute__(self, name): raise Ran
    def __eq__(self, other): raise Ran
    def __hash__(self): raise Ran
    def __iter__(self): raise Ran
    def __len__(self): raise Ran
    def __bool__(self): raise Ran
    def __str__(self): raise Ran
lazy = Lazy()
class Texts(list):
    def __iter__(self): raise Ran
    def __getitem__(self, place): raise Ran
class Names(dict):
    def __iter__(self): raise Ran
    def items(self): raise Ran
class Holder:
    _grammar = _rules = t_TOKEN = rules = states = lazy
    exprs = Texts([lazy, lazy, lazy])
    names = Names(a=lazy, b=lazy)
    all = {"a": lazy, "b": [lazy, lazy, lazy], "c": ("x", lazy)}
    def p_lazy(self): pass
    p_lazy.rules = lazy
holder = Holder()
"""


def read(reader: GrammarReader) -> list[TextGrammar]:
    with held_grammars.loaded(*held_grammars.KINDS[kind_of(reader)]()):
        return [*reader.grammars("held")]


def kind_of(reader: GrammarReader) -> str:
    return type(reader).__name__.removeprefix("Broken")


def finds_the_grammar_of_its_kind(reader: GrammarReader) -> None:
    [grammar] = read(reader)
    assert grammar.starts
    assert len(Derivations(grammar, (), Random(0)).covering()) > 1


def finds_no_more_than_the_package_holds(reader: GrammarReader) -> None:
    assert [*reader.grammars("no_such_package")] == []
    for kind, package in held_grammars.KINDS.items():
        with held_grammars.loaded(*package()):
            assert kind == kind_of(reader) or not [*reader.grammars("held")]


def runs_nothing_of_the_package(reader: GrammarReader) -> None:
    hostile = held_grammars.module("hostile", HOSTILE, Ran=Bug)
    library = [one for one in held_grammars.KINDS[kind_of(reader)]() if one.__name__ != "held"]
    with held_grammars.loaded(*library, hostile):
        assert [*reader.grammars("hostile")] == []


def gives_the_same_each_time(reader: GrammarReader) -> None:
    held = held_grammars.KINDS[kind_of(reader)]()
    with held_grammars.loaded(*held):
        assert [*reader.grammars("held")] == [*reader.grammars("held")]


class BrokenPatternTables:
    """Finds what nobody holds, twice different, and asks what it finds."""

    def __init__(self) -> None:
        self.times = 0

    def grammars(self, package: str, beside: object = ()) -> Iterator[TextGrammar]:
        if package == "hostile":
            raise Bug
        self.times += 1
        rules = Rules()
        rules.add("all", [Terminal("a" * self.times)])
        yield rules.grammar(["all"])


test_conforms, test_refuses = conformance(
    {type(reader).__name__: reader for reader in READERS},
    {
        finds_the_grammar_of_its_kind: BrokenPatternTables(),
        finds_no_more_than_the_package_holds: BrokenPatternTables(),
        runs_nothing_of_the_package: BrokenPatternTables(),
        gives_the_same_each_time: BrokenPatternTables(),
    },
)
