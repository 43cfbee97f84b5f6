"""What every way through a function runs."""

from __future__ import annotations

import ast
from textwrap import dedent

from crashwright.symbolic.execution.dominance import Dominance
from crashwright.symbolic.ir.functions import Functions
from crashwright.symbolic.ir.nodes import Function, Kind

SOURCE = dedent(
    """
    def f(a, b):
        if a:
            b = 1
        else:
            b = 2
        while b:
            b = b - a
        try:
            c = g(b)
            d = h(c)
        except ValueError:
            d = 0
        return d
    """
)


def lowered() -> Function:
    function = Functions("m", ast.parse(SOURCE), (3, 11)).function("f")
    assert function is not None
    return function


def test_joins_loops_and_handlers_have_a_last_instruction_that_all_ways_run() -> None:
    function = lowered()
    dominance = Dominance(function)
    for node in function.nodes:
        if node.kind not in (Kind.JOIN, Kind.HEAD, Kind.HANDLER):
            continue
        passage = dominance.passage(node.number)
        assert passage is not None
        assert passage.node not in passage.between
        between = {edge.node for edge in node.before} - {passage.node}
        assert between <= passage.between


def test_what_may_have_raised_is_not_taken_for_completed() -> None:
    function = lowered()
    handler = next(node for node in function.nodes if node.kind is Kind.HANDLER)
    passage = Dominance(function).passage(handler.number)
    assert passage is not None
    assert not passage.completes


def test_nothing_leads_to_the_entry() -> None:
    assert Dominance(lowered()).passage(0) is None
