"""Effective blocks, by the lines of their statements."""

from __future__ import annotations

import ast
from textwrap import dedent

from crashwright.engine.subject.flow.basic_blocks import effective_blocks
from crashwright.engine.subject.flow.control_dependence import ControlDependence


def blocks(source: str, line: int) -> list[list[int]]:
    """The lines of the effective blocks, the first line of the source (the ``def``) being 1."""
    [scope] = ast.parse(dedent(source).lstrip("\n")).body
    flow = ControlDependence(scope)  # type: ignore[arg-type]
    return [[statement.line for statement in block] for block in effective_blocks(flow.cfg, flow.nodes_at(line))]


def test_a_straight_line_is_one_block_up_to_the_target() -> None:
    source = """
    def f(x):
        a = x.one
        b = a.two
        c = b.three
        return c
    """
    assert blocks(source, 4) == [[2, 3, 4]]
    assert blocks(source, 2) == [[2]]


def test_decisions_and_joins_end_blocks_and_the_closest_comes_first() -> None:
    source = """
    def f(x):
        a = x
        if a:
            b = 1
            c = 2
        d = 3
        return d
    """
    assert blocks(source, 7) == [[6, 7], [4, 5], [2, 3]]


def test_branches_that_lead_away_are_left_out() -> None:
    source = """
    def f(x):
        if x:
            return 1
        y = x
        if y:
            raise ValueError
        z = y
        return z
    """
    assert blocks(source, 7) == [[7], [4, 5], [2]]


def test_a_loop_leads_to_the_line_by_what_is_passed_before_it() -> None:
    source = """
    def f(xs):
        for x in xs:
            if x:
                y = x
                z = y
            else:
                w = x
        return 1
    """
    assert blocks(source, 5) == [[4, 5], [3], [7], [2]]
    straight = """
    def f(xs):
        for x in xs:
            y = x
            z = y
    """
    assert blocks(straight, 3) == [[3], [2]]  # line 4 comes only after line 3


def test_exceptions_end_no_block_but_lead_to_handlers() -> None:
    source = """
    def f(x):
        try:
            a = x.one
            b = a.two
        except ValueError:
            c = x
            d = c
        return d
    """
    found = blocks(source, 7)
    assert [2, 3, 4] in found
    assert found[0][-1] == 7


def test_copies_of_a_finally_block_are_one() -> None:
    source = """
    def f(x):
        try:
            if x:
                return 1
            y = x
        finally:
            z = x
            w = z
    """
    found = blocks(source, 8)
    assert found.count([7, 8]) == 1
    assert [4] in found
    assert [5] in found


def test_a_line_outside_has_no_blocks() -> None:
    assert blocks("def f(x):\n    return x\n", 40) == []
