"""Texts that a grammar derives, in the order in which they are tried."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from crashwright.core.location import CodeKey
from crashwright.engine.subject.grammars.text_grammar import Owner, Rules, Terminal, TextGrammar
from crashwright.engine.testcase.making.derived_texts import LONGEST, Derivations, in_turns, targets_in


def sums(gap: str = "") -> TextGrammar:
    rules = Rules()
    rules.add("sum", ["item"])
    rules.add("sum", ["sum", Terminal("+"), "item"], [Owner("shop", "added")])
    rules.add("item", [Terminal(pattern="[0-9]+")])
    rules.add("item", [Terminal("("), "sum", Terminal(")")], [Owner("", "nested")])
    rules.add("item", ["endless"])
    rules.add("endless", [Terminal("!"), "endless"])
    return rules.grammar(["sum"], gap)


def key(qualname: str, module: str = "shop") -> CodeKey:
    return CodeKey(module, qualname, 1)


def masked(text: str) -> str:
    return "".join("1" if one.isdigit() else one for one in text).replace("11", "1")


def first(path: list[CodeKey], most: int) -> list[str]:
    return list(islice(Derivations(sums(), path, Random(3)), most))


def test_each_production_that_ends_has_a_text() -> None:
    assert sorted(map(masked, Derivations(sums(), (), Random(1)).covering())) == ["(1)", "1", "1+1"]


def test_the_shortest_text_of_what_a_frame_handles_comes_first() -> None:
    assert masked(first([key("read"), key("added")], 1)[0]) == "1+1"
    assert masked(first([key("visit_nested", "other")], 1)[0]) == "(1)"


def test_of_several_frames_the_innermost_counts_most() -> None:
    path = [key("added"), key("on_nested")]
    assert [masked(text) for text in first(path, 2)] == ["(1)", "1+1"]
    assert [rule for rule, _ in targets_in(sums(), path)] == ["item", "sum"]


def test_then_its_parts_and_its_surroundings_vary() -> None:
    texts = {masked(text) for text in first([key("added")], 9)}
    assert {"1+1", "1+1+1", "(1)+1", "1+(1)", "(1+1)"} <= texts


def test_a_namesake_elsewhere_handles_nothing() -> None:
    assert targets_in(sums(), [key("added", "other")]) == []
    assert targets_in(sums(), [key("added.<locals>.inner")]) != []


def test_no_text_comes_twice_and_none_is_long() -> None:
    texts = first([], 300)
    assert len(texts) == len(set(texts)) == 300
    assert max(map(len, texts)) <= LONGEST


def test_what_has_few_texts_ends() -> None:
    rules = Rules()
    rules.add("all", [Terminal("a")])
    rules.add("all", [rules.maybe(Terminal("b"), "b?")])
    assert set(Derivations(rules.grammar(["all"]), [], Random(0))) == {"a", "b", ""}


def test_a_grammar_without_an_end_has_none() -> None:
    rules = Rules()
    rules.add("all", [Terminal("a"), "all"])
    assert list(Derivations(rules.grammar(["all"]), [], Random(0))) == []


def test_gaps_stand_between_terminals_that_are_not_glued() -> None:
    rules = Rules()
    rules.add("line", [Terminal("if"), Terminal("x"), Terminal("\n", glued=True), Terminal(indent=1), "body", Terminal(indent=-1)])
    rules.add("body", [Terminal("go"), Terminal("()", glued=True)])
    assert Derivations(rules.grammar(["line"], " "), (), Random(0)).covering() == ["if x\n    go()"]
    assert masked(first([key("added")], 1)[0]) == "1+1"
    assert {masked(text) for text in Derivations(sums(" "), (), Random(1)).covering()} == {"( 1 )", "1", "1 + 1"}


def test_the_same_seed_gives_the_same_texts() -> None:
    assert first([], 80) == first([], 80)


def test_rules_that_the_first_start_does_not_reach_have_another() -> None:
    rules = Rules()
    rules.add("small", [Terminal("b")])
    rules.add("large", ["part"])
    rules.add("part", [Terminal("a")])
    grammar = rules.grammar(["small", "large", "unknown"])
    assert grammar.starts == ("large", "small")
    assert set(Derivations(grammar, (), Random(0)).covering()) == {"a", "b"}


@pytest.mark.parametrize("least", [0, 2])
def test_what_is_repeated(least: int) -> None:
    rules = Rules()
    name = rules.repeated(Terminal("x"), least, "many")
    assert next(iter(Derivations(rules.grammar([name]), [], Random(0)))) == "x" * least


def test_turns() -> None:
    assert list(in_turns([iter("ab"), iter(""), iter("xyz")])) == ["a", "x", "b", "y", "z"]
