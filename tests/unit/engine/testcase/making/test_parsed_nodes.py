"""Nodes of syntax trees come from a text that is parsed."""

from __future__ import annotations

import ast
import sys
from random import Random
from types import ModuleType

import pytest
from dummy_api import DummyApi

from crashwright.engine.execution.executor import Executor
from crashwright.engine.subject.usage.node_classes import home_of, is_whole, paths_to
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.parsed_nodes import ParsedNodes
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Statement
from crashwright.engine.testcase.testcase import TestCase

RULES = """
class AST:
    _fields = ()
    _attributes = ()

class Rule(AST):
    _fields = ("name",)

def parse(text):
    return Rule()
"""
CLASSES = (ast.Module, ast.AST, ast.FunctionDef, ast.Call, ast.arguments, ast.alias, ast.With, ast.Starred)


@pytest.mark.parametrize("cls", CLASSES)
def test_what_is_made_runs_and_is_a_node_of_that_class(cls: type) -> None:
    factory = Factory(DummyApi(), SeedPool(varied=True), ())
    made = 0
    for seed in range(20):
        statements: list[Statement] = []
        if ParsedNodes().make(factory, statements, cls, Random(seed)) is None:  # no text that was tried has one
            continue
        made += 1
        printed = print_test(TestCase(tuple(statements)))
        assert "parse(" in "\n".join(printed.body)
        assert Executor().run(TestCase(tuple(statements))).error is None
        namespace: dict[str, object] = {}
        *before, last = ast.parse("\n".join([*printed.imports, *printed.body])).body
        assert isinstance(last, ast.Expr)
        exec(compile(ast.Module(before, []), "printed", "exec"), namespace)
        assert isinstance(eval(compile(ast.Expression(last.value), "printed", "eval"), namespace), cls)
    assert made >= 8


def test_what_has_the_classes_and_a_parse_is_their_home(monkeypatch: pytest.MonkeyPatch) -> None:
    language = ModuleType("rule_language")
    exec(RULES, vars(language))
    rule = language.Rule
    assert home_of(rule) is None
    user = ModuleType("a_user_of_rules")
    vars(user).update({**vars(language), "__name__": "a_user_of_rules"})
    monkeypatch.setitem(sys.modules, "a_user_of_rules", user)
    monkeypatch.setitem(sys.modules, "rule_language", language)
    home_of.cache_clear()
    home = home_of(rule)
    home_of.cache_clear()
    assert home is not None
    assert (home.module, home.parse) == ("rule_language", language.parse)
    assert home_of(int) is None


def test_paths_are_the_nearest_first() -> None:
    tree = ast.parse("def f(a):\n    return g(a)\ng(1)\n")
    paths = list(paths_to(tree, ast.Call))
    assert paths[0] == ("body", 1, "value")
    assert ("body", 0, "body", 0, "value") in paths
    assert is_whole(ast.Module)
    assert not is_whole(ast.Call)
