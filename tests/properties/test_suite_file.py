"""Whatever the tests of a suite are made of, the file is Python, its names differ, and ``--update`` knows it as ours."""

from __future__ import annotations

import ast
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as some

from crashwright.core.suite import ModuleTarget, SuiteTest
from crashwright.engine.assertions.assertion import AssertedTest, Assertion, Observed, Raised
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.testcase.statements import Arguments, Call, Display, Literal, MethodCall, Named, Statement
from crashwright.engine.testcase.testcase import TestCase
from crashwright.finishing.suite.file import suite_file
from crashwright.finishing.suite.kept import kept_text
from crashwright.finishing.suite.titles import LONGEST

SCALARS = some.one_of(
    some.none(),
    some.booleans(),
    some.integers(),
    some.floats(),
    some.text(max_size=60),
    some.binary(max_size=30),
    some.text(alphabet="ab \"'\\\n", max_size=120),
)
VALUES = some.recursive(
    SCALARS,
    lambda inner: some.one_of(
        some.builds(Display, some.sampled_from(["list", "tuple"]), some.lists(inner, max_size=5).map(tuple)),
        some.builds(Display, some.just("dict"), some.lists(some.tuples(some.text(max_size=8), inner), max_size=4).map(tuple)),
    ),
    max_leaves=8,
)
NAMES = (
    "parse",
    "Tree.insert",
    "Tree",
    "_Tree.__len__",
    "test_it",
    "outer.<locals>.inner",
    "x" * 70,
    "lambda_",
    "pytest",
    "expected",
)
PARAMETERS = tuple(Parameter(name, ParameterKind.POSITIONAL_OR_KEYWORD) for name in ("text", "class", "request", "expected"))


@some.composite
def asserted(draw: some.DrawFn) -> tuple[SuiteTest, AssertedTest]:
    subject = draw(some.sampled_from(NAMES))
    name = subject.partition(".<locals>")[0]
    statements: list[Statement] = [Literal(number, value) for number, value in enumerate(draw(some.lists(VALUES, max_size=4)))]
    arguments = Arguments(tuple(range(len(statements))))
    if "." in name:
        statements.append(Call(10, Callee("shop", name.partition(".")[0], CalleeKind.CLASS), Arguments()))
        statements.append(
            MethodCall(11, 10, name.rpartition(".")[2], arguments, Callee("shop", name, CalleeKind.METHOD, PARAMETERS))
        )
    else:
        kind = CalleeKind.CLASS if name == "Tree" else CalleeKind.FUNCTION
        statements.append(Call(11, Callee(draw(some.sampled_from(["shop", "other.shop"])), name, kind, PARAMETERS), arguments))
    last = len(statements) - 1
    test = TestCase(tuple(statements))
    origin = SuiteTest({}, subject, (), draw(some.integers(0, 3)))
    if draw(some.booleans()):
        return origin, AssertedTest(test, (), Raised(Named("builtins", "ValueError"), draw(some.none() | some.text(max_size=120))))
    looks = some.tuples(some.sampled_from(["equals", "approximately", "is"]), VALUES, some.sampled_from([(), (".size",), ("len",)]))
    checks = tuple(Assertion(last, Observed(11, path), kind, value) for kind, value, path in draw(some.lists(looks, max_size=3)))
    return origin, AssertedTest(test, checks)


@given(some.lists(asserted(), min_size=1, max_size=8))
@settings(max_examples=60, deadline=None)
def test_file_parses_its_names_differ_and_it_is_known_as_ours(tests: list[tuple[SuiteTest, AssertedTest]]) -> None:
    file = suite_file(tests, ModuleTarget("shop"), "crashwright generate shop")
    tree = ast.parse(file.text)
    scopes = [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))]
    for scope in scopes:
        names = Counter(node.name for node in scope.body if isinstance(node, ast.FunctionDef | ast.ClassDef))  # type: ignore[attr-defined]
        assert all(count == 1 for count in names.values()), names
        assert all(len(name) <= LONGEST for name in names if name.startswith("test_"))
    nodes = [test.node for test in file.tests]
    assert len(set(nodes)) == len(nodes)
    placed = [index for test in file.tests for index in test.indices]
    assert len(set(placed)) == len(placed)
    assert not file.unprintable
    assert kept_text(file.text).is_empty
    assert suite_file(tests, ModuleTarget("shop"), "crashwright generate shop") == file
