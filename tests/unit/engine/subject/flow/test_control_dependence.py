"""What places depend on, in the words of the source."""

from __future__ import annotations

import ast
import textwrap

import pytest

from crashwright.core.location import Position
from crashwright.engine.subject.flow.cfg import Branch
from crashwright.engine.subject.flow.conditions import position_of
from crashwright.engine.subject.flow.control_dependence import ControlDependence


class Example:
    def __init__(self, source: str) -> None:
        self.source = textwrap.dedent(source).lstrip("\n")
        self.lines = self.source.splitlines()
        function = ast.parse(self.source).body[0]
        assert isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        self.dependence = ControlDependence(function)

    def line(self, marker: str) -> int:
        return next(number for number, text in enumerate(self.lines, 1) if marker in text)

    def words(self, branch: Branch) -> str:
        line, column, end_line, end_column = branch.position
        text = self.lines[line - 1][column : end_column if line == end_line else None]
        return f"{text} {branch.outcome}"

    def approach(self, marker: str) -> dict[str, int]:
        return {self.words(branch): level for branch, level in self.dependence.approach(self.line(marker))}

    def path(self, marker: str) -> list[int]:
        return [position.line for position in self.dependence.path_positions(self.line(marker))]


def test_short_circuits_are_branches_of_their_own() -> None:
    example = Example("""
        def f(a, b, c):
            if not a and b or c:
                inside()
            else:
                outside()
            after()
    """)
    # Either outcome of ``a`` leads on: to ``b`` or to ``c``.
    assert example.approach("inside") == {"b True": 0, "c True": 0}
    assert example.approach("outside") == {"c False": 0, "a True": 1, "b False": 1}
    assert example.approach("after") == {}
    assert example.path("inside") == [2, 3]


def test_levels_count_decisions_and_loops_end() -> None:
    example = Example("""
        def f(xs, q):
            for x in xs:
                if x.skip:
                    continue
                while x.more:
                    x = x.next
                if q:
                    break
                target(x)
            else:
                exhausted()
    """)
    assert example.approach("target") == {"q False": 0, "x.skip False": 1, "xs True": 2}
    assert example.approach("exhausted") == {"xs False": 0, "x.skip True": 1, "q False": 1}
    assert example.path("exhausted") == [2, 3, 4, 5, 6, 7, 9, 11]
    assert 8 not in example.path("target")


def test_while_true_has_no_false_edge_and_endless_loops_decide_nothing() -> None:
    example = Example("""
        def f(a):
            if a:
                while True:
                    serve()
                    if a.odd:
                        odd()
            after()
    """)
    assert example.approach("serve") == {"a True": 0}
    assert example.approach("odd()") == {"a.odd True": 0, "a True": 1}
    assert example.approach("after") == {"a False": 0}
    assert ControlDependence(ast.parse("while True:\n    x = 1\ny = 2")).dependences(3) == ()


def test_handlers_are_branches_and_bodies_do_not_depend_on_them() -> None:
    example = Example("""
        def f(a):
            try:
                first()
                second()
            except ValueError:
                handler()
            except TypeError:
                raise
            else:
                no_error()
            after()
    """)
    assert example.approach("second") == {}
    assert example.approach("handler") == {"except ValueError: True": 0}
    assert example.approach("raise") == {"except TypeError: True": 0, "except ValueError: False": 1}
    assert example.approach("no_error") == {"except TypeError: False": 0, "except ValueError: False": 1}
    assert example.approach("after") == {"except ValueError: True": 0, "except TypeError: False": 0}


def test_returning_bodies_still_reach_their_handlers() -> None:
    example = Example("""
        def f(a):
            try:
                return int(a)
            except ValueError:
                pass
            after()
    """)
    assert example.approach("after") == {"except ValueError: True": 0}
    assert example.path("after") == [2, 3, 4, 5, 6]


def test_a_server_loop_reaches_its_handler() -> None:
    example = Example("""
        def f():
            try:
                while True:
                    serve()
            except KeyboardInterrupt:
                stopped()
            finally:
                closed()
    """)
    assert example.approach("stopped") == {"except KeyboardInterrupt: True": 0}
    assert example.approach("serve") == {}
    assert example.approach("closed") == {}


def test_finally_is_reached_either_way() -> None:
    example = Example("""
        def f(a, b):
            try:
                if a:
                    return 1
                work()
            finally:
                if b:
                    closing()
                closed()
            after()
    """)
    assert example.approach("closed") == {}
    assert example.approach("closing") == {"b True": 0}
    assert example.approach("after") == {"a False": 0}


def test_suppressing_context_managers() -> None:
    example = Example("""
        def f(d, k):
            with suppress(KeyError):
                return d[k]
            after()
    """)
    assert example.approach("after") == {"with suppress(KeyError): True": 0}
    assert example.approach("return") == {}


def test_match_and_assert() -> None:
    example = Example("""
        def f(a):
            match a:
                case 1:
                    one()
                case [x] if x:
                    many()
                case _:
                    other()
            assert a.ok and a.fine, "no"
            after()
    """)
    assert example.approach("one()") == {"1 True": 0}
    assert example.approach("many()") == {"x True": 0, "[x] True": 1, "1 False": 2}
    assert example.approach("other()") == {"[x] False": 0, "x False": 0, "1 False": 1}
    assert example.approach("after") == {"a.fine True": 0, "a.ok True": 1}


def test_parts_of_expressions_have_their_own_dependences() -> None:
    source = "def f(a, b, xs):\n    return [deep(x) for x in xs if x.ok] if a else b and last(b)\n"
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    dependence = ControlDependence(function)
    calls = {ast.unparse(node): position_of(node) for node in ast.walk(function) if isinstance(node, ast.Call)}
    text = source.splitlines()[1]

    def words(position: Position) -> dict[str, int]:
        approach = dependence.approach(position)
        return {f"{text[b.position.column : b.position.end_column]} {b.outcome}": level for b, level in approach}

    assert words(calls["deep(x)"]) == {"x.ok True": 0, "xs True": 1, "a True": 2}
    assert words(calls["last(b)"]) == {"b True": 0, "a False": 1}
    assert dependence.approach(2) == ()


@pytest.mark.parametrize("kind", ["[{}]", "({})", "{{{}}}"])
def test_a_comprehension_can_be_the_whole_code(kind: str) -> None:
    node = ast.parse(kind.format("g(x) for x in xs for y in x if y"), mode="eval").body
    dependence = ControlDependence(node)
    call = next(part for part in ast.walk(node) if isinstance(part, ast.Call))
    assert [(b.kind.value, b.outcome, level) for b, level in dependence.approach(position_of(call))] == [
        ("condition", True, 0),
        ("for", True, 1),
        ("for", True, 2),
    ]


def test_places_elsewhere_depend_on_nothing() -> None:
    example = Example("""
        def f(a):
            if a:
                def g():
                    nested()
            b = 1; c = 2
    """)
    assert example.dependence.approach(99) == ()
    assert example.dependence.path_positions(99) == ()
    assert example.approach("nested") == {"a True": 0}
    assert example.dependence.statement_at(5) == Position(5, 4, 5, 9)


def test_long_chains_of_elif_need_no_recursion() -> None:
    source = "def f(a):\n    if a == 0:\n        x = 0\n" + "".join(
        f"    elif a == {number}:\n        x = {number}\n" for number in range(1, 400)
    )
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    approach = ControlDependence(function).approach(2 * 400 + 1)
    assert len(approach) == 400
    assert approach[0][1] == 0
    assert approach[-1][1] == 399
