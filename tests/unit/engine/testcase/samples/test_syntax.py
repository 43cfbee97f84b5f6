"""Programs with the kinds of syntax that a walker of trees is about."""

from __future__ import annotations

import ast
from random import Random

from crashwright.engine.sources.values.samples import samples_for, stock
from crashwright.engine.testcase.samples.syntax import kinds_read, programs_with
from crashwright.engine.testcase.seeds import SeedPool

WALKER = """
import ast

class Keeper(ast.NodeVisitor):
    def visit_With(self, node):
        for item in node.items:
            if isinstance(item.context_expr, ast.BinOp):
                self.note(item.context_expr.left)

    def note(self, node):
        self.found.append(node.id)
"""


def _functions() -> list[ast.AST]:
    return [node for node in ast.walk(ast.parse(WALKER)) if isinstance(node, ast.FunctionDef)]


def test_kinds_are_named_by_methods_by_classes_and_by_the_message() -> None:
    assert kinds_read(_functions(), ["Call", "id"]) == {"With": 3, "BinOp": 1, "Call": 3}
    assert kinds_read([ast.parse("def note(self): self.call(self.tuple)").body[0]]) == {}
    assert kinds_read([], [], _functions()) == {"With": 1, "BinOp": 1}
    assert kinds_read([ast.parse("def check_call_names(self): pass").body[0]]) == {"Call": 3}


def test_one_program_has_them_all_and_small_ones_come_first() -> None:
    programs = programs_with(kinds_read(_functions(), ["Call"]))
    kinds = [{type(node).__name__ for node in ast.walk(ast.parse(program))} for program in programs]
    assert all({"With", "Call"} <= found for found in kinds[:10])
    assert {"With", "BinOp", "Call"} <= kinds[0]
    assert programs_with({}) == []


def test_they_are_among_the_first_samples_of_code_that_walks_trees() -> None:
    module = ast.parse(WALKER)
    samples = samples_for(_functions(), [module], ["m"], "m", Random(1), ["Call"])
    wanted = set(programs_with(kinds_read(_functions(), ["Call"]))[:8])
    assert wanted <= {sample.content for sample in samples[:90]}
    pool = SeedPool()
    stock(pool, samples)
    assert pool.programs


def test_code_that_reads_no_programs_gets_none() -> None:
    tree = ast.parse("import json\ndef load_with(text):\n    return json.loads(text)\n")
    pool = SeedPool()
    stock(pool, samples_for([tree.body[1]], [tree], ["m"], "m", Random(1)))
    assert not pool.programs
    assert not any(isinstance(sample, str) and "with (" in sample for sample in pool.samples)
