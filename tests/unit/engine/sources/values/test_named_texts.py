"""Which texts are known for parameters of a name."""

from __future__ import annotations

import ast

from crashwright.engine.sources.values.named_texts import LONGEST, MOST, NamedTexts

MODULE = ast.parse(
    f"""
def paint(wall, *, colour="red", finish="matt", note="{"x" * (LONGEST + 1)}"): ...
def spray(wall, base_colour="blue", /, tool=None, _finish="gloss"): ...
lambda colour="red": colour
"""
)
CALLS = [
    part
    for part in ast.walk(ast.parse("paint(1, colour='green', finish=' ', **more); f(x, kind=shade, tool='gun')"))
    if type(part) is ast.Call
]


def texts(name: str) -> tuple[str, ...]:
    return NamedTexts([MODULE], lambda: CALLS).of(name)


def test_defaults_and_keywords_of_that_name_the_commonest_first() -> None:
    assert texts("colour") == ("red", "green")
    assert texts("finish") == ("matt", "gloss")
    assert texts("tool") == ("gun",)


def test_names_that_end_alike_where_none_is_the_same() -> None:
    assert texts("base_colour") == ("blue",)
    assert texts("wall_colour") == ("red", "blue", "green")
    assert texts("wall") == texts("note") == texts("kind") == ()


def test_what_python_itself_says_is_known() -> None:
    assert texts("encoding")[0] == "utf-8"
    assert texts("errors") == ("strict",)


def test_what_functions_may_leave_out() -> None:
    told = NamedTexts([MODULE], lambda: CALLS)
    assert told.is_left_out("tool")
    assert not told.is_left_out("colour")
    assert not told.is_left_out("wall")


def test_few_are_told() -> None:
    many = ast.parse("\n".join(f"f(size='{number}')" for number in range(20)))
    calls = [part for part in ast.walk(many) if isinstance(part, ast.Call)]
    assert len(NamedTexts([], lambda: calls).of("size")) == MOST
