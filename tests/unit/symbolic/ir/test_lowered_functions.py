"""What is lowered, looked at: names of code, variables, blocks."""

from __future__ import annotations

import inspect
import sys
from textwrap import dedent

from crashwright.symbolic.ir.functions import functions_of
from crashwright.symbolic.ir.nodes import Cell, Function, Global, Kind, Local


def lowered(source: str, name: str = "f") -> Function:
    function = functions_of(dedent(source), "module").function(name)
    assert function is not None
    return function


def kinds(function: Function) -> list[Kind]:
    return [node.kind for node in function.nodes]


def test_a_variable_that_may_be_unbound_is_loaded() -> None:
    function = lowered(
        """
        def f(a):
            if a:
                b = 1
            return b
        """
    )
    assert [node.operands for node in function.nodes if node.kind is Kind.LOAD] == [(Local("b"),)]


def test_a_name_of_module_or_builtins_is_no_load() -> None:
    function = lowered(
        """
        LIMIT = 3
        def f(a):
            return len(a) > LIMIT
        """
    )
    assert Kind.LOAD not in kinds(function)
    assert Global("LIMIT") in [operand for node in function.nodes for operand in node.operands]


def test_variables_that_inner_functions_share_are_cells() -> None:
    source = """
        def f(a):
            def g():
                return a
            return g
        """
    inner = lowered(source, "f.<locals>.g")
    assert [node.operands for node in inner.nodes if node.kind is Kind.LOAD] == [(Cell("a", "f"),)]


def test_the_block_of_a_loop_knows_what_it_writes_and_whether_it_is_left() -> None:
    function = lowered(
        """
        def f(a, b):
            while a:
                a.c = b
                if b:
                    break
                if a.d:
                    b = 1
            return b
        """
    )
    inner, second, loop = function.blocks
    assert (loop.leaves, inner.leaves, second.leaves) == (False, True, False)
    assert loop.heap_written == {".c"}
    assert Local("b") in loop.locals_written
    assert function.nodes[loop.start].kind is Kind.HEAD


def test_namesakes_are_told_apart_by_their_lines() -> None:
    functions = functions_of("if 1:\n def f(): return 1\nelse:\n def f(): return 2\n", "module")
    first, second = functions.function("f", 2), functions.function("f", 4)
    assert first is not None
    assert second is not None
    assert (first.first_line, second.first_line) == (2, 4)
    assert functions.function("f", 99) is first
    assert functions.function("g") is None


def test_a_comprehension_is_in_the_function_that_holds_it() -> None:
    functions = functions_of("def f(a):\n    return [x for x in a]\n", "module")
    assert functions.function("f.<locals>.<listcomp>") is None
    assert functions.holder("f.<locals>.<listcomp>", 2) is functions.function("f")


def test_what_nests_too_deeply_is_opaque_as_a_whole() -> None:
    source = "def f(a):\n    if a == 0: return 0\n" + "".join(f"    elif a == {n}: return {n}\n" for n in range(150))
    functions = functions_of(source, "module")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 200)
    try:
        function = functions.function("f")
    finally:
        sys.setrecursionlimit(limit)
    assert function is not None
    assert (kinds(function), function.unmodelled) == ([Kind.ENTRY, Kind.OPAQUE, Kind.RETURN], ("nests too deeply",))


def test_adding_a_number_in_place_writes_nothing_but_multiplying_may() -> None:
    function = lowered(
        """
        def f(a, b):
            if a:
                b += 1
            if a:
                b *= 2
            if a:
                b += a
        """
    )
    assert [sorted(block.heap_written) for block in function.blocks] == [
        [],
        ["elements", "size"],
        ["elements", "keys", "mappings", "size"],
    ]


def test_a_name_of_a_class_body_is_that_of_the_module_until_it_is_assigned() -> None:
    body = lowered("x = 1\nclass C:\n    y = x\n    x = x\n    z = x\n", "C")
    copies = [(node.target, node.operands) for node in body.nodes if node.kind in (Kind.COPY, Kind.LOAD)]
    assert copies == [(Local("y"), (Global("x"),)), (Local("x"), (Global("x"),)), (Local("z"), (Local("x"),))]
