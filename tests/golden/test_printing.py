"""A file per printed test in ``printing/``, at least one for each kind of statement.

After a wanted change: ``python tests/golden/test_printing.py``, and read the difference.
"""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.printing.printing import PrintedTest, Setting, print_test
from crashwright.engine.testcase.statements import Arguments, Call, Display, Literal, MethodCall, Named, Ref, Statement
from crashwright.engine.testcase.testcase import TestCase

FOLDER = Path(__file__).parent / "printing"


def parameters(*names: str) -> tuple[Parameter, ...]:
    return tuple(Parameter(name, ParameterKind.POSITIONAL_OR_KEYWORD) for name in names)


SHELF = Callee("shop.stock", "Shelf", CalleeKind.CLASS, parameters("width", "items"))
OF = Callee("shop.stock", "Shelf.of", CalleeKind.CLASSMETHOD, parameters("item"))
PUT = Callee("shop.stock", "Shelf.put", CalleeKind.METHOD, parameters("item", "at"))
PARSE = Callee("shop.text", "parse", CalleeKind.FUNCTION, parameters("source", "strict"))
OTHER_PARSE = Callee("shop.html", "parse", CalleeKind.FUNCTION, parameters("markup"))
OPEN = Callee("shop", "open", CalleeKind.FUNCTION, parameters("name"))
FETCH = Callee("shop.net", "fetch", CalleeKind.FUNCTION, parameters("url"), is_async=True)
STRING_IO = Callee("io", "StringIO", CalleeKind.CLASS, parameters("initial_value"))
COMPILE = Callee("re", "compile", CalleeKind.FUNCTION, parameters("pattern"))


def args(*positional: int, **keywords: int) -> Arguments:
    return Arguments(positional, tuple(keywords.items()))


LONG = "a rather long line of text that has to be broken over several lines of source"
CASES: dict[str, tuple[Statement, ...]] = {
    "literal": (
        Literal(0, "it's"),
        Literal(1, 'say "hi"'),
        Literal(2, float("nan")),
        Literal(3, float("-inf")),
        Literal(4, 2**64 - 1),
        Literal(5, -(10**30)),
        Literal(6, "(" * 500 + "x"),
        Literal(7, complex(0.0, -1.0)),
        Literal(8, b"\x00'"),
        Call(9, PARSE, args(0, 1, 2, 3, 4, 5, 6, 7, 8)),
    ),
    "literal_display": (
        Literal(0, 1),
        Literal(1, Display("list", ())),
        Literal(2, Display("tuple", (1,))),
        Literal(3, Display("dict", (("a", Display("set", (1, 2))), ("b", Display("set", ())), ("c", Ref(1))))),
        Literal(4, Display("frozenset", ("x",))),
        Literal(5, Display("bytearray", (b"ab",))),
        Call(6, PARSE, args(1, 2, 3, 4, 5)),
    ),
    "literal_long": (
        Literal(0, LONG + "\nsecond line\n\n" + LONG * 2),
        Call(1, PARSE, args(0)),
        Literal(2, Display("dict", tuple((f"key {i}", f"value number {i}") for i in range(4)))),
        Literal(3, Display("list", (Display("list", tuple(range(1000, 1030))),))),
        Call(4, PARSE, args(2, strict=3)),
        Literal(5, Display("list", (LONG, LONG))),
        MethodCall(6, 5, "sort", args()),
        MethodCall(7, 5, "pop", args()),
    ),
    "literal_unused": (Literal(0, 1), Literal(1, Display("list", (Ref(0),)))),
    "reference": (
        st.Reference(0, Named("shop.stock", "Size.LARGE")),
        st.Reference(1, Named("builtins", "len")),
        Call(2, SHELF, args(0, 1)),
        Call(3, PARSE, args(0)),
    ),
    "call": (
        Literal(0, 3),
        Call(1, SHELF, args(0)),
        Literal(2, "bolt"),
        MethodCall(3, 1, "put", args(2), PUT),
        Call(4, PARSE, args(3, strict=1)),
    ),
    "call_nested": (Literal(0, 3), Call(1, SHELF, args(0)), Call(2, PARSE, args(1)), Call(3, OTHER_PARSE, args(2))),
    "call_kept_in_order": (Call(0, SHELF, args()), Call(1, PARSE, args()), Call(2, PARSE, args(0, 1))),
    "call_clashing_imports": (
        Literal(0, "a"),
        Call(1, PARSE, args(0)),
        Call(2, OTHER_PARSE, args(0)),
        Call(3, OPEN, args(0)),
        Call(4, COMPILE, args(0)),
        Call(5, STRING_IO, args(0)),
        Call(6, OF, args(0)),
    ),
    "call_stars": (
        Literal(0, Display("list", (1, 2))),
        Literal(1, Display("dict", (("a b", 1),))),
        Literal(2, 5),
        Call(3, PARSE, Arguments((2,), (("if", 2), ("key", 2)), 0, 1)),
    ),
    "call_too_long_to_nest": (
        Literal(0, "a value that is not short at all"),
        Literal(1, "another value that is not short"),
        Call(2, SHELF, args(0, items=1)),
        Call(3, PARSE, args(2, strict=1)),
    ),
    "method_call": (
        Call(0, SHELF, args()),
        Literal(1, "bolt"),
        MethodCall(2, 0, "put", args(1, at=1), PUT),
        MethodCall(3, 0, "clear", args()),
    ),
    "method_call_operators": (
        Call(0, SHELF, args()),
        Call(1, SHELF, args()),
        Literal(2, 0),
        MethodCall(10, 0, "__eq__", args(1)),
        MethodCall(11, 0, "__len__", args()),
        MethodCall(12, 0, "__getitem__", args(2)),
        MethodCall(13, 0, "__setitem__", args(2, 1)),
        MethodCall(14, 0, "__delitem__", args(2)),
        MethodCall(15, 0, "__contains__", args(2)),
        MethodCall(16, 0, "__str__", args()),
        MethodCall(17, 0, "__call__", args(1)),
        MethodCall(18, 0, "__neg__", args()),
        MethodCall(19, 0, "__radd__", args(1)),
        MethodCall(20, 19, "__iter__", args()),
        Literal(21, -1),
        MethodCall(22, 21, "__abs__", args()),
        MethodCall(23, 21, "bit_length", args()),
    ),
    "call_value": (Call(0, PARSE, args()), Literal(1, 1), st.CallValue(2, 0, args(1, key=1)), st.CallValue(3, 0, args())),
    "attributes": (
        Call(0, SHELF, args()),
        st.GetAttribute(1, 0, "width"),
        Call(2, PARSE, args(1)),
        Literal(3, "new"),
        st.SetAttribute(0, "name", 3),
        st.GetAttribute(4, 0, "free"),
        Literal(5, Display("list", (LONG, "y"))),
        st.SetAttribute(0, "name", 5),
        st.DeleteAttribute(0, "name"),
        st.DeleteAttribute(0, "no name"),
    ),
    "items": (
        Literal(0, Display("dict", ())),
        Literal(1, "k"),
        Literal(2, Display("list", (1, 2))),
        st.SetItem(0, 1, 2),
        st.GetItem(3, 0, 1),
        Call(4, PARSE, args(3)),
        st.DeleteItem(0, 1),
    ),
    "operation": (
        Call(0, SHELF, args()),
        Call(1, SHELF, args()),
        st.Operation(2, "+", (0, 1)),
        Literal(3, 2),
        st.Operation(4, "*", (2, 3)),
        st.Operation(5, "not", (0,)),
        st.Operation(6, "-", (0,)),
        st.Operation(7, "in", (1, 0)),
        st.Operation(8, "is not", (0, 1)),
        Literal(9, None),
        st.Operation(10, "slice", (3, 9, 9)),
        st.GetItem(11, 0, 10),
    ),
    "iterate": (
        Call(0, SHELF, args()),
        st.Iterate(1, 0, "list", 50),
        st.Iterate(2, 0, "list"),
        st.Iterate(3, 0, "next"),
        st.Iterate(4, 0, "for"),
        st.Iterate(5, 0, "for", 10),
        Call(6, PARSE, args(5)),
    ),
    "enter": (
        Literal(0, "a"),
        Call(1, OPEN, args(0)),
        st.Enter(2, 1),
        Call(3, PARSE, args(2)),
        Call(4, SHELF, args()),
        st.Enter(5, 4),
    ),
    "within": (
        Literal(0, "a"),
        Call(1, OPEN, args(0)),
        st.Reference(2, Named("builtins", "KeyError")),
        st.Within(3, 1, 2),
        Call(4, PARSE, args(3)),
        Call(5, SHELF, args()),
        st.Within(6, 5),
        Literal(7, "a"),
        Call(8, Callee("builtins", "ValueError", CalleeKind.CLASS), args(7)),
        st.Within(9, 5, 8),
        Call(10, FETCH, args(0)),
        Call(11, Callee("builtins", "OSError", CalleeKind.CLASS), args()),
        st.Within(12, 10, 11, True),
        MethodCall(13, 5, "session_transaction", args()),
        Literal(14, "1"),
        st.Within(15, 13, content=st.Display("dict", (("user", st.Ref(14)), ("fresh", True)))),
        st.DeleteAttribute(5, "log"),
    ),
    "await": (
        Literal(0, "http://localhost"),
        Call(1, FETCH, args(0)),
        st.Await(2, 1),
        Call(3, FETCH, args(0)),
        st.Enter(4, 3, True),
        MethodCall(5, 4, "lines", args()),
        st.Await(6, 5, "list"),
        Call(7, PARSE, args(6)),
    ),
    "stub_callable": (
        st.StubCallable(0, "x, y", None),
        Call(1, PARSE, args(0)),
        st.StubCallable(2, "*args, **kwargs", None, "ValueError"),
        Call(3, PARSE, args(strict=2)),
        st.StubCallable(4, "", Display("list", (1,))),
        Call(5, PARSE, args(4)),
        Call(6, PARSE, args(4)),
    ),
    "stub_class": (
        Literal(0, Display("list", (1, 2))),
        st.StubClass(
            1,
            "StubReader",
            (Named("shop.io", "Reader"),),
            (("size", "attribute", 3), ("read", "method", "text"), ("lines", "property", Ref(0))),
        ),
        Call(2, PARSE, args(1)),
        st.StubClass(3, "Empty", (), ()),
        Call(4, PARSE, args(3)),
        st.StubClass(5, "Kind", (), (("name", "attribute", "kind"),), False),
        Call(6, PARSE, args(5)),
    ),
    "definition": (
        st.Definition(0, "@dataclass\nclass Leaf:\n    name: str = 'a'", (("dataclass", Named("dataclasses", "dataclass")),)),
        st.Definition(
            1,
            "class Branch(Reader):\n    leaves: List[Leaf]\n\n    def read(self, size=-1):\n        return Leaf()\n\n"
            "    async def close(self):\n        pass",
            (("List", Named("typing", "List")), ("Leaf", Ref(0)), ("Reader", Named("shop.io", "Reader"))),
        ),
        st.CallValue(2, 1, args()),
        Call(3, PARSE, args(2)),
        st.Definition(4, "def handle(error, *rest):\n    raise KeyError(shelf)", (("shelf", Ref(3)),)),
        Call(5, PARSE, args(4)),
        st.Definition(6, "class TestKind(Leaf):\n    pass", (("Leaf", Ref(0)),)),
        Call(7, PARSE, args(6)),
    ),
    "file_fixture": (
        st.FileFixture(0, "data.txt", "one\ntwo\n"),
        Call(1, PARSE, args(0)),
        st.FileFixture(2, "deep/data.bin", b"\x00\x01"),
        st.FileFixture(3, "name.txt", "Stra\xdfe"),
        Call(4, PARSE, args(2, strict=3)),
    ),
    "ambient": (
        st.Ambient(0, "environ", "SHELF_HOME", "shop"),
        st.Ambient(1, "argv", "", Display("list", ("--all", "x"))),
        st.Ambient(2, "stdin", "", "one\ntwo\n"),
        Call(3, PARSE, args(0)),
    ),
    "run_module": (
        st.RunModule(0, "shop.plugins"),
        st.RunModule(1, "shop.main"),
        Call(2, PARSE, args(1)),
        st.RunModule(3, "__main__", "script.py"),
    ),
    "defined_twice": (Literal(0, "first"), Call(1, SHELF, args(0)), Call(1, SHELF, args(1)), MethodCall(2, 1, "clear", args())),
    "names": (
        Literal(0, "a value used twice"),
        Call(1, Callee("shop", "run", CalleeKind.FUNCTION, parameters("class_", "list")), args(0, 0)),
        Literal(2, "another value used twice"),
        Call(3, Callee("shop", "go", CalleeKind.FUNCTION, parameters("shop", "list")), args(0, 2)),
        MethodCall(4, 3, "use", args(2)),
        MethodCall(5, 3, "use", args(4)),
        Call(6, SHELF, args()),
        Call(7, SHELF, args()),
        MethodCall(8, 6, "join", args(7)),
        MethodCall(9, 6, "join", args(7)),
    ),
}


def text_of(printed: PrintedTest) -> str:
    """As finishing puts it into a file."""
    head = [*printed.imports, "", ""] if printed.imports else []
    head += [*printed.above, "", ""] if printed.above else []
    head.append(f"def test_printed({', '.join(printed.fixtures)}):")
    indent = "    "
    if printed.is_async:
        head = ["import asyncio", *head, "    async def scenario():"]
        indent *= 2
    body = [indent + line if line else "" for line in printed.body]
    tail = ["", "    asyncio.run(scenario())"] if printed.is_async else []
    return "\n".join([*head, *body, *tail]) + "\n"


@pytest.mark.parametrize("name", sorted(CASES))
def test_printed_as_in_the_file(name: str) -> None:
    text = text_of(print_test(TestCase(CASES[name]), setting=Setting(alone=True)))
    compile(text, name, "exec")
    assert text == (FOLDER / f"{name}.py.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(CASES))
def test_black_would_change_nothing(name: str) -> None:
    black = pytest.importorskip("black", reason="black is in the test extra")
    text = text_of(print_test(TestCase(CASES[name]), setting=Setting(alone=True)))
    assert black.format_str(text, mode=black.Mode()) == text


def test_there_is_a_case_for_every_kind_of_statement() -> None:
    kinds = {type(statement) for statements in CASES.values() for statement in statements}
    assert kinds == set(get_args(st.Statement))


def test_every_case_is_a_valid_test() -> None:
    assert [name for name, statements in CASES.items() if not TestCase(statements).is_valid()] == []


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for case, statements in CASES.items():
        (FOLDER / f"{case}.py.txt").write_text(
            text_of(print_test(TestCase(statements), setting=Setting(alone=True))), encoding="utf-8"
        )
