"""Which grammars of a package come first."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import islice
from math import inf
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import held_grammars

from crashwright.core.location import CodeKey
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.sources.grammar_texts import MOST_GRAMMARS, MOST_RUNS, changed_too, grammars_in, grammars_near, led_on
from crashwright.engine.subject.grammars.live_parts import HeldObject
from crashwright.engine.subject.grammars.text_grammar import Owner, Rules, Terminal, TextGrammar
from crashwright.engine.testcase.making.derived_texts import Derivations
from crashwright.engine.testcase.testcase import TestCase

TABLE = "rules = [(re.compile('a'), 1), (re.compile('b'), 2), (re.compile('c'), 3)]"


def table(name: str, more: str = "") -> held_grammars.ModuleType:
    return held_grammars.module(name, f"{TABLE}\n{more}", re=re)


def first_modules(near: str, path: tuple[CodeKey, ...] = ()) -> list[str]:
    return [grammar.modules[0] for grammar in grammars_near("held", [near], path)]


def test_those_of_the_module_come_before_those_of_what_it_imports_from() -> None:
    far, tokens = table("held.far"), table("held.tokens", "def read(): pass")
    reader = held_grammars.module("held.reader", TABLE, re=re, read=tokens.__dict__["read"])
    with held_grammars.loaded(far, tokens, reader):
        assert first_modules("held.reader") == ["held.reader", "held.tokens"]
        assert first_modules("held.far")[0] == "held.far"


def test_those_whose_productions_the_path_handles_come_first() -> None:
    near, (lexer, parser) = table("held.near"), held_grammars.docstrings()
    with held_grammars.loaded(near, lexer, parser):
        assert first_modules("held.near") == ["held.near", "held"]
        assert first_modules("held.near", (CodeKey("held", "p_sum", 1),)) == ["held", "held.near"]


def test_a_parser_elsewhere_counts_and_tokens_elsewhere_do_not() -> None:
    with held_grammars.loaded(table("held.near"), *held_grammars.docstrings(), table("held.far")):
        assert first_modules("held.near") == ["held.near", "held"]


class Bench:
    """Runs tests by calling something, and puts nothing back."""

    def __init__(self, call: Callable[[], object], spoiled: str | None = None) -> None:
        self.call, self.reason, self.restored = call, spoiled, 0
        self.executor = self.isolation = self
        self.spoiled: str | None = None

    def run_and_keep(self, test: TestCase) -> Outcome:
        try:
            self.call()
        except ValueError as error:
            return Outcome(len(test), error)
        return Outcome(len(test))

    def restore(self) -> str | None:
        self.restored += 1
        return self.reason


def read_in_runs(bench: Bench, tests: int = 2) -> list[TextGrammar]:
    def read(held: Sequence[HeldObject]) -> list[TextGrammar]:
        return [Rules().grammar([])] if held else []

    return grammars_in([TestCase(())] * tests, cast(Any, bench), "held", read)


def test_a_grammar_that_a_run_makes_is_read_before_its_state_is_put_back() -> None:
    failing = held_grammars.module("held", "def parse():\n    grammar = [1]\n    raise ValueError")
    bench = Bench(failing.__dict__["parse"])
    assert len(read_in_runs(bench)) == 1
    assert bench.restored == 1


def test_runs_that_make_none_are_few_and_all_put_back() -> None:
    bench = Bench(lambda: None)
    assert read_in_runs(bench, 10) == []
    assert bench.restored == MOST_RUNS
    assert bench.spoiled is None


def test_no_further_test_runs_where_the_state_cannot_be_put_back() -> None:
    bench = Bench(lambda: None, "a thread is left")
    assert read_in_runs(bench) == []
    assert bench.restored == 1
    assert bench.spoiled == "a thread is left"


def nested() -> TextGrammar:
    """``f`` in brackets, however deep, and some other words."""
    rules = Rules()
    rules.add("value", [Terminal("f")], [Owner("shop", "called")])
    rules.add("value", [Terminal("("), "value", Terminal(")")])
    for word in "abcdefg":
        rules.add("value", [Terminal(word * 2)])
    return rules.grammar(["value"])


def led(nearer: Callable[[str], bool], most: int) -> list[str]:
    state = SimpleNamespace(latest=[], is_new=lambda _one: False)
    found: list[str] = []
    for text in led_on([Derivations(nested(), [CodeKey("shop", "called", 1)], Random(1))], cast(Any, state)):
        found.append(text)
        score = SimpleNamespace(fitness=float(100 - len(text)) if nearer(text) else inf)
        state.latest = [SimpleNamespace(score=score)]
        if len(found) == most:
            break
    return found


def test_what_comes_nearer_is_changed_and_so_goes_deeper_and_deeper() -> None:
    assert max(text.count("(") for text in led(lambda text: "f" in text, 60)) > 8


def test_where_nothing_comes_nearer_texts_come_as_the_grammar_gives_them() -> None:
    assert led(lambda _text: False, 40) == [*islice(Derivations(nested(), [CodeKey("shop", "called", 1)], Random(1)), 40)]


def test_not_all_of_many_have_turns() -> None:
    source = "\n".join(TABLE.replace("rules", f"rules{number}") for number in range(MOST_GRAMMARS + 2))
    with held_grammars.loaded(held_grammars.module("held", source, re=re)):
        assert len(first_modules("held")) == MOST_GRAMMARS


def test_for_a_suite_what_covered_something_is_changed_after_all_others() -> None:
    state = SimpleNamespace(gained=0)
    derived = Derivations(nested(), (), Random(1))
    covering = derived.covering()
    found: list[str] = []
    for text in changed_too([derived], covering, cast(Any, state)):
        found.append(text)
        state.gained += "f" in text
        if len(found) == 60:
            break
    assert found[: len(covering)] == covering
    assert max(text.count("(") for text in found[len(covering) :]) > 3


def test_for_a_suite_nothing_is_changed_that_covered_nothing() -> None:
    derived = Derivations(nested(), (), Random(1))
    covering = derived.covering()
    assert [*changed_too([derived], covering, cast(Any, SimpleNamespace(gained=0)))] == covering
