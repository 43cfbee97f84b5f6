"""Printed suites, a file per case in ``suites/``, each as ruff would leave it.

After a wanted change: ``python tests/golden/test_suites.py``, and read the difference.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from crashwright.core.suite import ModuleTarget, SuiteTest
from crashwright.engine.assertions.assertion import AssertedTest, Assertion, Observed, Raised
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Arguments, Call, Display, Literal, MethodCall, Named, Ref, Statement, Value
from crashwright.engine.testcase.testcase import TestCase
from crashwright.finishing.suite.file import suite_file
from crashwright.finishing.suite.kept import kept_text

FOLDER = Path(__file__).parent / "suites"
Case = tuple[SuiteTest, AssertedTest]


def parameters(*names: str) -> tuple[Parameter, ...]:
    return tuple(Parameter(name, ParameterKind.POSITIONAL_OR_KEYWORD) for name in names)


def slugify() -> Callee:
    return Callee("shop.text", "slugify", CalleeKind.FUNCTION, parameters("text", "strict"))


def mean() -> Callee:
    return Callee("shop.text", "mean", CalleeKind.FUNCTION, parameters("values", "start", "weights"))


def tree() -> Callee:
    return Callee("shop.text", "Tree", CalleeKind.CLASS, parameters("items"))


def insert() -> Callee:
    return Callee("shop.text", "Tree.insert", CalleeKind.METHOD, parameters("key", "value"))


def args(*positional: int, **keywords: int) -> Arguments:
    return Arguments(positional, tuple(keywords.items()))


def check(after: int, variable: int, kind: str, expected: Value | Named = None, *path: str) -> Assertion:
    return Assertion(after, Observed(variable, path), kind, expected)


def case(subject: str, line: int, statements: tuple[Statement, ...], *checks: Assertion, raised: Raised | None = None) -> Case:
    return SuiteTest({}, subject, (), line), AssertedTest(TestCase(statements), checks, raised)


def slug(text: Value, *checks: Assertion, line: int = 10, raised: Raised | None = None) -> Case:
    return case("slugify", line, (Literal(0, text), Call(1, slugify(), args(0))), *checks, raised=raised)


TYPE_ERROR = Named("builtins", "TypeError")
LONG = "a rather long line of text that has to be broken over several lines of source, as Black has it"
NEW_TREE = Call(0, tree(), args())
INSERTED = (NEW_TREE, Literal(1, "k"), Literal(2, -1), MethodCall(3, 0, "insert", args(1, 2), insert()))
FETCH = Callee("shop.text", "fetch", CalleeKind.FUNCTION, parameters("url"), is_async=True)
TEST_ME = Callee("shop.text", "test_me", CalleeKind.FUNCTION, parameters("path"))
LOCKED = Callee("shop.text", "locked", CalleeKind.FUNCTION, parameters("name"))

CASES: dict[str, tuple[Case, ...]] = {
    "functions": (
        slug("a b", check(1, 1, "equals", "a-b")),
        slug(None, raised=Raised(TYPE_ERROR, "expected string (got None)"), line=11),
        case("slugify", 12, (Literal(0, "x"), Literal(2, True), Call(1, slugify(), args(0, strict=2))), check(2, 1, "is", None)),
        slug(LONG, check(1, 1, "equals", LONG.upper()), line=13),
        case("mean", 3, (Literal(0, Display("list", (1, 2.5))), Call(1, mean(), args(0))), check(1, 1, "approximately", 1.75)),
        case("mean", 4, (Literal(0, Display("list", ())), Call(1, mean(), args(0))), check(1, 1, "nan")),
        case(
            "mean",
            5,
            (Literal(0, "word " * 40), Literal(1, "start " * 5), Literal(2, "weight " * 5), Call(3, mean(), args(0, 1, 2))),
            raised=Raised(Named("shop.errors", "MeanError"), "word " * 40),
        ),
    ),
    "classes": (
        case(
            "Tree.insert",
            30,
            INSERTED,
            check(3, 3, "is", True),
            check(3, 0, "equals", 1, "len"),
            check(3, 0, "equals", Display("list", tuple(f"some key {number}" for number in range(6))), ".keys"),
            check(3, 0, "approximately", Display("dict", tuple((f"load {number}", number / 3) for number in range(4))), ".loads"),
        ),
        case(
            "Tree.insert",
            30,
            (*INSERTED, MethodCall(4, 0, "insert", args(1, 2), insert())),
            check(3, 3, "is", True),
            check(4, 4, "is", False),
        ),
        case(
            "Tree",
            25,
            (Literal(1, Display("list", (3,))), Call(0, tree(), args(1))),
            check(1, 0, "isinstance", Named("shop.text", "Tree")),
            check(1, 0, "equals", Display("list", (Ref(1),)), ".items"),
            check(1, 0, "is", Ref(1), ".first"),
            check(1, 0, "equals", "Tree", "type"),
        ),
        case("Tree", 26, (Literal(1, 5), Call(0, tree(), args(1))), raised=Raised(Named("shop.errors", "TreeError"))),
        slug("a", check(1, 1, "is", Named("shop.text", "Color.RED")), line=60),
    ),
    "fixtures": (
        *(
            case(
                "Tree.insert",
                30,
                (
                    Literal(1, Display("list", (3, 4))),
                    Call(0, tree(), args(1)),
                    Literal(2, key),
                    Literal(3, -1),
                    MethodCall(4, 0, "insert", args(2, 3), insert()),
                ),
                *checks,
                raised=raised,
            )
            for key, checks, raised in (
                ("k", (check(4, 4, "is", True), check(4, 0, "equals", 3, "len")), None),
                (7, (check(4, 4, "is", False),), None),
                (None, (), Raised(TYPE_ERROR, "no key")),
            )
        ),
        case("Tree", 25, (Literal(1, Display("list", (3, 4))), Call(0, tree(), args(1))), check(1, 0, "equals", 2, "len")),
        case(
            "Tree.insert",
            31,
            (NEW_TREE, Literal(1, "k"), Literal(2, 1), MethodCall(3, 0, "insert", args(1, 2), insert())),
            check(3, 3, "is", None),
        ),
    ),
    "parametrised": (
        slug("a b", check(1, 1, "equals", "a-b")),
        slug("", check(1, 1, "equals", "")),
        slug("Hello, World", check(1, 1, "equals", "hello-world")),
        slug("a b", check(1, 1, "equals", "a-b")),
        slug(LONG, check(1, 1, "equals", "")),
        slug(1, raised=Raised(TYPE_ERROR, "int is no text (1)")),
        slug(2.5, raised=Raised(TYPE_ERROR, "float is no text (2.5)")),
        slug(None, raised=Raised(TYPE_ERROR, "None is no text")),
        *(case("mean", 3, (Literal(0, number), Call(1, mean(), args(0))), check(1, 1, "is", number > 1)) for number in (1, 2, 3)),
        *(
            case(
                "Tree.insert",
                30,
                (NEW_TREE, Literal(1, key), Literal(2, 0), MethodCall(3, 0, "insert", args(1, 2), insert())),
                check(3, 3, "equals", size, ".size"),
                check(3, 0, "equals", size, "len"),
            )
            for key, size in ((Display("list", (1, 2)), 2), (Display("list", (1,)), 1), (Display("list", ()), 0))
        ),
    ),
    "other_statements": (
        case("fetch", 50, (Literal(0, "u"), Call(1, FETCH, args(0)), st.Await(2, 1)), check(2, 2, "equals", 200, ".status")),
        case(
            "fetch",
            51,
            (Literal(0, ""), Call(1, FETCH, args(0)), st.Await(2, 1)),
            raised=Raised(Named("builtins", "ValueError"), "no url"),
        ),
        case("test_me", 55, (st.FileFixture(0, "a.txt", "content"), Call(1, TEST_ME, args(0))), check(1, 1, "equals", 7)),
        case(
            "locked",
            60,
            (Literal(0, "a"), Call(1, LOCKED, args(0)), st.Enter(2, 1), Call(3, slugify(), args(2))),
            check(2, 2, "equals", "a"),
            check(3, 3, "equals", "b"),
        ),
        case("locked", 60, (Literal(0, ""), Call(1, LOCKED, args(0)), st.Enter(2, 1)), raised=Raised(TYPE_ERROR, "locked")),
        case(
            "locked",
            62,
            (Literal(0, "b"), Call(1, LOCKED, args(0)), st.Reference(2, Named("builtins", "KeyError")), st.Within(3, 1, 2)),
            raised=Raised(Named("builtins", "KeyError"), ""),
        ),
        case(
            "locked",
            61,
            (Literal(0, "a"), Call(1, LOCKED, args(0)), st.Enter(2, 1), Call(3, slugify(), args(2))),
            raised=Raised(TYPE_ERROR, "inner"),
        ),
    ),
    "accidents": (
        (SuiteTest({}, "slugify", (), 3, accident=True), slug(7, raised=Raised(TYPE_ERROR, "no text"))[1]),
        slug("a b", check(1, 1, "equals", "a-b")),
        case("Tree", 26, (Literal(1, 5), Call(0, tree(), args(1))), raised=Raised(Named("shop.errors", "TreeError"))),
    ),
    "empty": (),
}


def printed(name: str) -> str:
    return suite_file(CASES[name], ModuleTarget("shop.text"), "crashwright generate shop.text --seed 1").text


@pytest.mark.parametrize("name", CASES)
def test_suite_is_printed_as_it_was(name: str) -> None:
    assert printed(name) == (FOLDER / f"{name}.py.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", CASES)
def test_update_may_replace_all_of_it(name: str) -> None:
    assert kept_text(printed(name)).is_empty


def test_no_file_is_left_over() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.py.txt" for name in CASES}


@pytest.mark.skipif(find_spec("ruff") is None, reason="ruff is not installed here")
@pytest.mark.parametrize("command", [["format", "--check"], ["check", "--select", "E4,E7,E9,F,I,PT"]], ids=["format", "check"])
def test_suites_are_as_ruff_would_leave_them(command: list[str], tmp_path: Path) -> None:
    for name in CASES:
        (tmp_path / f"test_{name}.py").write_text(printed(name), encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "ruff", *command, "--isolated", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout


if __name__ == "__main__":
    for case_name in CASES:
        (FOLDER / f"{case_name}.py.txt").write_text(printed(case_name), encoding="utf-8")
