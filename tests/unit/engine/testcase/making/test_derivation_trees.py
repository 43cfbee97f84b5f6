"""Changes of trees that a grammar has derived."""

from __future__ import annotations

from itertools import islice
from random import Random

from crashwright.core.location import CodeKey
from crashwright.engine.subject.grammars.text_grammar import Owner, Production, Rules, Terminal, TextGrammar
from crashwright.engine.testcase.making.derivation_trees import (
    Derivation,
    Node,
    TreeChanges,
    WrittenTerminal,
    leaves,
    trees_in,
    with_part,
)
from crashwright.engine.testcase.making.derived_texts import Derivations


def value(*parts: Node, rule: str = "value") -> Derivation:
    return Derivation(rule, Production((rule,)), parts)


def leaf(text: str) -> WrittenTerminal:
    return WrittenTerminal(Terminal(text), text)


def written(tree: Derivation | None) -> str:
    return "" if tree is None else "".join(one.text for one in leaves(tree))


NESTED = value(leaf("("), value(leaf("f")), leaf(")"), rule="value")
LIST = value(value(leaf("a")), leaf(","), value(leaf("["), value(leaf("b")), leaf("]")), rule="list")


def made(root: Derivation, others: list[Derivation] | None = None, times: int = 400) -> set[str]:
    changes = TreeChanges(Random(1), lambda rule: value(leaf("new"), rule=rule), lambda _rule: (NESTED, [(1,)]))
    return {written(changes.changed(root, others or [])) for _ in range(times)} - {""}


def test_a_part_is_put_in_place_of_another() -> None:
    assert written(with_part(LIST, (2, 1), value(leaf("c")))) == "a,[c]"
    assert written(with_part(LIST, (), value(leaf("c")))) == "c"
    assert sorted(trees_in(LIST)) == [(), (0,), (2,), (2, 1)]


def test_parts_are_left_out_doubled_and_exchanged() -> None:
    found = made(LIST)
    assert "a,b" in found, "what is within it in its place"
    assert "a,[[b]]" in found, "what it is within in its place"
    assert "(a),[b]" in found, "in what may have it in it"
    assert "[b],a" in found, "two that stand beside each other"
    assert "new,[b]" in found, "another one by chance"
    assert "new" in found, "the whole is a part, too"


def test_parts_of_other_trees_are_taken() -> None:
    assert "a,[z]" in made(LIST, [value(leaf("z"))])
    assert "z,[b]" in made(LIST, [value(leaf("z"))])


def test_what_no_rule_has_made_and_what_is_too_large_is_left_alone() -> None:
    assert made(value(leaf("a"), rule="")) == set()
    assert made(value(*[value(leaf("a"))] * 500)) == set()


def lists() -> TextGrammar:
    rules = Rules()
    rules.add("list", [Terminal("["), "items", Terminal("]")])
    rules.add("items", ["item"])
    rules.add("items", ["items", Terminal(","), "item"])
    rules.add("item", ["list"])
    rules.add("item", [Terminal("1")])
    rules.add("item", [Terminal("f"), "list"], [Owner("shop", "called")])
    return rules.grammar(["list"])


def is_list(text: str) -> bool:
    """Whether it is one of the grammar's."""
    rest = text.replace("f[", "[").replace("1", "None").replace("[None]", "None")
    while (shorter := rest.replace("None,None", "None").replace("[None]", "None")) != rest:
        rest = shorter
    return rest == "None" and not text.startswith(("f", "1"))


def test_what_is_made_is_of_the_grammar_and_keeps_what_the_path_handles() -> None:
    derived = Derivations(lists(), [CodeKey("shop", "called", 1)], Random(5))
    texts = [*islice(derived, 1)]
    for _ in range(200):
        text = derived.changed(texts)
        if text is not None and text not in texts:
            texts.append(text)
    assert len(texts) > 20
    assert all(map(is_list, texts)), [text for text in texts if not is_list(text)]
    assert all("f[" in text for text in texts)
    assert any(text.count("f[") > 1 for text in texts)


def test_of_a_text_of_another_grammar_nothing_is_made() -> None:
    assert Derivations(lists(), (), Random(5)).changed(["elsewhere"]) is None
