"""Each kind of grammar is read off the live objects of a small package."""

from __future__ import annotations

import contextlib
import re
import sys
from random import Random

import held_grammars
import pytest

from crashwright.core.location import CodeKey
from crashwright.engine.subject.grammars.live_parts import HeldMeanwhile
from crashwright.engine.subject.grammars.registry import READERS, grammars_of, may_be_made_later
from crashwright.engine.subject.grammars.text_grammar import Terminal, TextGrammar
from crashwright.engine.testcase.making.derived_texts import Derivations, targets_in


def read(kind: str) -> TextGrammar:
    with held_grammars.loaded(*held_grammars.KINDS[kind]()):
        [grammar] = grammars_of("held")
    return grammar


def handled(grammar: TextGrammar, module: str, qualname: str) -> int:
    return len(targets_in(grammar, [CodeKey(module, qualname, 1)]))


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        ("PyparsingElements", {"let 1\n", "let - 1\n", "let $x\n", "let 1 ;\n"}),
        ("DocstringRules", {"7", "7 + 7", "when ( 7 )", "when ( 7 ) 7"}),
        ("LarkRules", {"q", "q q", "q = q"}),
        ("ParsimoniousRules", {"4", "4,4", "44"}),
        ("PgenTables", {"go\n", "go ( )\n"}),
        ("PatternTables", {"5", "#", " ", "55"}),
    ],
)
def test_one_text_for_each_production(kind: str, texts: set[str]) -> None:
    grammar = read(kind)
    assert set(Derivations(grammar, (), Random(1)).covering()) == texts
    assert grammar.modules[0] == "held"


def test_actions_are_found_in_what_wraps_them() -> None:
    assert handled(read("PyparsingElements"), "held", "negated") == 1


def test_functions_of_docstrings_handle_their_productions() -> None:
    grammar = read("DocstringRules")
    assert handled(grammar, "held", "p_sum") == 2
    assert handled(grammar, "held", "p_item") == 1


@pytest.mark.parametrize(
    ("kind", "name", "productions"),
    [("LarkRules", "Shop.assign", 1), ("ParsimoniousRules", "Visitor.visit_pair", 1), ("PgenTables", "Tree.Visit_trailer", 3)],
)
def test_visitors_are_named_for_what_they_handle(kind: str, name: str, productions: int) -> None:
    assert handled(read(kind), "held.elsewhere", name) == productions


def test_tables_of_handlers_say_who_handles_what() -> None:
    *library, package = held_grammars.lark()
    handlers = held_grammars.module("held.tree", "class Item: pass\nnodes = {'start': Item, 'item': Item, 'assign': Item, 'x': 1}")
    with held_grammars.loaded(*library, package, handlers):
        [grammar] = grammars_of("held")
    assert handled(grammar, "held.tree", "Item.__init__") == 4


def test_what_a_library_holds_itself_is_none_of_the_package() -> None:
    library, package = held_grammars.pyparsing()
    package.__dict__.update(dict.fromkeys(("value", "number", "name", "minus", "Reader")))
    with held_grammars.loaded(library, package):
        assert grammars_of("held") == []


@pytest.mark.parametrize("ending", ["raise ValueError(text)", "return len(text)"])
def test_what_a_function_has_made_is_found_as_it_ends(ending: str) -> None:
    library, _ = held_grammars.pyparsing()
    source = f"""
class Parser:
    def parse(self, text):
        grammar = And(exprs=[Literal(match="let"), Opt(expr=Literal(match=text))])
        {ending}
"""
    maker = held_grammars.module("held_later", source, **held_grammars.public(library))
    with held_grammars.loaded(library, maker):
        assert may_be_made_later()
        assert grammars_of("held_later") == []
        with contextlib.suppress(ValueError), HeldMeanwhile("held_later") as held:
            maker.__dict__["Parser"]().parse("a")
        [grammar] = grammars_of("held_later", held.found)
    assert Derivations(grammar, (), Random(1)).covering() == ["let", "let a"]
    assert grammar.modules == ("held_later",)


def test_what_is_called_by_the_package_is_looked_at_and_nothing_further() -> None:
    elsewhere = held_grammars.module("elsewhere", "def deeper(value): return value\ndef called(value): return deeper([value])")
    package = held_grammars.module("held", "def enter(value):\n    return called([value])", called=elsewhere.__dict__["called"])
    before = sys.getprofile()
    with HeldMeanwhile("held") as held:
        package.__dict__["enter"]({"a": 1})
    assert [one.value for one in held.found] == [[{"a": 1}], {"a": 1}]
    assert {one.module for one in held.found} == {"held"}
    assert sys.getprofile() is before


def test_what_is_skipped_is_mostly_something() -> None:
    library, _ = held_grammars.pyparsing()
    source = "entry = And(exprs=[Literal(match='@'), SkipTo(expr=Literal(match=',')), Literal(match=',')])"
    package = held_grammars.module("held", source, **held_grammars.public(library))
    with held_grammars.loaded(library, package):
        [grammar] = grammars_of("held")
    texts = Derivations(grammar, (), Random(1)).covering()
    assert "@ ," in texts
    assert any(re.fullmatch(r"@ \w+ ,", text) for text in texts)


def test_terminals_of_pyparsing_say_where_no_blank_may_be() -> None:
    grammar = read("PyparsingElements")
    terminals = {one for found in grammar.rules.values() for production in found for one in production.symbols}
    assert Terminal(pattern="[x][x]*", glued=True) in terminals
    assert Terminal("$") in terminals


def test_lists_of_plain_texts_are_no_tokenizer() -> None:
    plain = held_grammars.module("held", "names = [('a', 1), ('b', 2), ('c', 3)]\nkeys = {'a': 'b', 'c': 'd', 'e': 'f'}")
    with held_grammars.loaded(plain):
        assert grammars_of("held") == []


def test_nothing_is_read_where_nothing_is_held() -> None:
    assert [grammar for reader in READERS for grammar in reader.grammars("no_such_package")] == []


def test_with_the_library_itself() -> None:
    pyparsing = pytest.importorskip("pyparsing")
    names = {name: getattr(pyparsing, name) for name in "Word Forward Suppress QuotedString ZeroOrMore Combine nums alphas".split()}
    source = """
class Number:
    def __init__(self, tokens): pass
def joined(tokens): return tokens
value = Forward()
number = Combine(Word(nums) + "." + Word(nums)).set_parse_action(Number)
items = Suppress("[") + value + ZeroOrMore("," + value) + "]"
value <<= number | QuotedString("'") | items.set_parse_action(joined)
"""
    package = held_grammars.module("held", source, **names)
    with held_grammars.loaded(package):
        [grammar] = grammars_of("held")
    assert handled(grammar, "held", "joined") == 1
    assert handled(grammar, "held", "Number.__init__") == 1
    texts = [text for text in Derivations(grammar, (), Random(1)).covering() if text.startswith("[")]
    assert len(texts) > 1
    assert all(package.__dict__["value"].matches(text) for text in texts)
