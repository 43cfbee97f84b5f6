"""The index agrees with the compiler on every code object."""

import sys
import textwrap
from collections.abc import Iterator
from types import CodeType

import pytest

from crashwright.environment.source_index import SourceIndex

SOURCE = textwrap.dedent(
    """
    def outer(a=lambda: 0, *b: [x for x in ()]):
        @first
        @(lambda f: f)
        def inner():
            return [lambda: [x for x in y for y in (lambda: 1)()] for a in b]
        return inner
    class Shelf(metaclass=make(lambda: 2)):
        z = [lambda: 1 for q in range(3)]
        w = (lambda i: [i for i in (j for j in i)] for k in ())
        @property
        async def m(self):
            global G, H
            def G():
                def H(): pass
            class I:
                def __hidden(self): return {i for i in (lambda: 2,)}
            return [x async for x in (await y for y in z)]
    k = lambda: [x for x in (lambda: 3)()]
    mm = {lambda: 5: {lambda: 6 for b in c} for a in d}
    gg = (lambda: 7 for x in ([lambda: 8 for z in u] for r in s))
    if k:
        def k(): ...
    else:
        def k(): ...
    """
)


def compiled(code: CodeType) -> Iterator[tuple[str, int]]:
    yield code.co_qualname, max(code.co_firstlineno, 1)
    for constant in code.co_consts:
        if isinstance(constant, CodeType) and constant.co_name != "__annotate__":  # Python 3.14 makes those
            yield from compiled(constant)


def test_agrees_with_the_compiler() -> None:
    index = SourceIndex(SOURCE, sys.version_info)
    assert sorted((span.qualname, span.first_line) for span in index.spans) == sorted(compiled(compile(SOURCE, "s", "exec")))


def test_comprehensions_have_code_only_before_inlining() -> None:
    old, new = SourceIndex(SOURCE, (3, 11)), SourceIndex(SOURCE, (3, 12))
    assert old.named("<listcomp>")
    assert not new.named("<listcomp>")
    assert len(old.named("<genexpr>")) == len(new.named("<genexpr>"))
    assert "Shelf.<listcomp>.<lambda>" in {span.qualname for span in old.spans}
    assert "Shelf.<lambda>" in {span.qualname for span in new.spans}


def test_innermost_is_by_name_and_line() -> None:
    index = SourceIndex("def f():\n    def f():\n        return 1\n    return f\n", (3, 11))
    assert index.innermost("f", 3)[0].qualname == "f.<locals>.f"
    assert index.innermost("f", 4)[0].qualname == "f"
    assert index.innermost("g", 3) == []
    assert index.line(4) == "    return f"
    assert index.line(0) is None
    assert index.line(99) is None


def test_deeply_nested_expressions_do_not_matter() -> None:
    index = SourceIndex("x = " + "+".join(["1"] * 700) + "\ndef f(): pass\n", (3, 11))
    assert [span.name for span in index.spans] == ["<module>", "f"]


def test_other_texts_are_refused() -> None:
    with pytest.raises(SyntaxError):
        SourceIndex("def f(:", (3, 11))


def test_a_name_finds_the_same_code_objects_as_a_look_at_all_of_them() -> None:
    index = SourceIndex(SOURCE, (3, 11))
    names = {name for span in index.spans for name in (span.name, span.qualname)}
    assert {"H", "<lambda>", "outer.<locals>.inner", "<module>"} <= names
    for name in names:
        assert index.named(name) == [span for span in index.spans if name in (span.name, span.qualname)]


def test_expressions_are_found_on_the_lines_of_decorators_too() -> None:
    index = SourceIndex(SOURCE, (3, 11))
    line = SOURCE.split("\n").index("    @(lambda f: f)") + 1
    assert [place.end_column for place in index.expressions_at(line, 6)] == [17]
    assert not index.expressions_at(line + 1, 6)
