"""What is rewritten: names as the compiler gives them, predicates of every kind, stable numbers, nothing else."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

import pytest

from crashwright.core.location import CodeKey, Position
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.instrument.rewrite import ModuleRewriter, looks_at_locals
from crashwright.engine.instrument.variants import ProbedModule
from crashwright.engine.subject.flow.conditions import atoms, position_of


def rewritten(source: str, name: str = "f", line: int = 1, wanted: frozenset[Position] | None = None) -> tuple[str, ModuleRewriter]:
    tree = ast.parse(source)
    rewriter = ModuleRewriter("m", [CodeKey("m", name, line)], wanted)
    rewriter.rewrite(tree)
    return ast.unparse(tree), rewriter


def kinds(source: str) -> list[str]:
    return [predicate.kind for predicate in rewritten(source)[1].probed_codes[0].predicates]


def codes_of(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes_of(constant)


@pytest.mark.parametrize(
    ("condition", "kind"),
    [
        ("a < b", "lt"),
        ("a <= b", "le"),
        ("a > b", "gt"),
        ("a >= b", "ge"),
        ("a == b", "eq"),
        ("a != b", "ne"),
        ("a is b", "is"),
        ("a is not None", "is_not"),
        ("a in b", "in"),
        ("a not in b", "not_in"),
        ("a < b < 3", "chain"),
        ("a", "truth"),
        ("a(b)", "truth"),
        ("(c := a)", "truth"),
        ("isinstance(a, b)", "isinstance"),
        ("a.startswith(b)", "startswith"),
        ("a.endswith(('x', b))", "endswith"),
        ("a.b.isdigit()", "isdigit"),
        ("re.match(a, b)", "match"),
        ("a.fullmatch(b)", "match"),
        ("a.startswith(b, 3)", "truth"),
        ("a.isdigit(*b)", "truth"),
    ],
)
def test_kinds_of_predicates(condition: str, kind: str) -> None:
    source = f"def f(a, b):\n    if {condition}:\n        pass\n"
    _, rewriter = rewritten(source)
    [predicate] = rewriter.probed_codes[0].predicates
    assert predicate.kind == kind
    test = next(node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.If)).test
    assert predicate.position == position_of(test)


def test_predicates_are_the_atoms_of_conditions() -> None:
    source = "def f(a, b, c):\n    while not (a and (b > 1 or not c(a))) or a is None:\n        pass\n"
    _, rewriter = rewritten(source)
    test = next(node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.While)).test
    assert [predicate.position for predicate in rewriter.probed_codes[0].predicates] == [
        position_of(atom) for atom, _ in atoms(test)
    ]


def test_conditions_everywhere() -> None:
    assert kinds("def f(a):\n    return a > 1 and a, not a, a == (1 if a else 2)") == ["gt", "truth", "truth", "eq", "truth"]
    assert kinds("def f(a):\n    assert a, [x for x in a if x if x < 2]\n    x = (lambda q: q > 1)(a)") == [
        "truth",
        "iter",
        "truth",
        "lt",
        "gt",
    ]
    assert kinds("def f(a):\n    for x in a:\n        pass\n    try: pass\n    except KeyError: pass\n    except: pass") == [
        "iter",
        "except",
        "except",
    ]
    assert kinds("def f(a):\n    match a:\n        case 1 if a > 2: pass\n    while True: pass") == ["case", "gt"]


@pytest.mark.parametrize("default", ["{}", "[]", "()", "{'a': b}", "[b]", "(*b, 1)", "(lambda: b)", "0"])
def test_a_value_whose_truth_is_known_is_no_decision(default: str) -> None:
    assert kinds(f"def f(a, b):\n    return a or {default}") == ["truth"]


@pytest.mark.parametrize("default", ["b", "[*b]", "{**b}", "b()", "{x for x in b}"])
def test_a_value_whose_truth_is_open_is_one(default: str) -> None:
    assert kinds(f"def f(a, b):\n    return a or {default}")[:2] == ["truth", "truth"]


def test_numbers_do_not_depend_on_what_is_wanted() -> None:
    source = "def f(a, b):\n    if a < (b or a > 3) and [x for x in a if x == 1]:\n        return a.b == 3 == b\n"
    everything = rewritten(source)[1].probed_codes[0]
    for predicate in everything.predicates:
        text, rewriter = rewritten(source, wanted=frozenset({predicate.position}))
        assert rewriter.probed_codes[0].predicates == everything.predicates
        assert rewriter.probed_codes[0].markers == everything.markers
        assert text.count("@cw:probe:") == (3 if predicate.kind == "iter" else 2)  # enter, and the one (items: first and last)
    text, rewriter = rewritten(source, wanted=frozenset())
    assert text.count("@cw:probe:") == 1
    assert rewriter.probed_codes[0].predicates == everything.predicates


def test_markers_are_statements() -> None:
    source = (
        "def f(a):\n    'doc'\n    x = 1\n    if a:\n        def g():\n            y = 2\n        with a: z = 3\n    elif x: pass\n"
    )
    markers = rewritten(source)[1].probed_codes[0].markers
    assert [(marker.line, marker.column) for marker in markers] == [(3, 4), (4, 4), (5, 8), (7, 8), (7, 16), (8, 4), (8, 12)]


def test_only_what_is_chosen_changes() -> None:
    source = "def f(a):\n    if a:\n        return 1\n\ndef g(a):\n    return a < 1 and [x for x in a if x]\n"
    text, _ = rewritten(source)
    assert text.split("def g")[1] == ast.unparse(ast.parse(source)).split("def g")[1]


def test_annotations_stay() -> None:
    source = "from __future__ import annotations\ndef f(a: 'x' if a < 1 else 'y' = 3) -> (a < 2):\n    b: (a < 3) = a < 4\n"
    text, rewriter = rewritten(source, line=2)
    assert "def f(a: 'x' if a < 1 else 'y'=3) -> a < 2:" in text
    assert [predicate.kind for predicate in rewriter.probed_codes[0].predicates] == ["lt"]


@pytest.mark.parametrize(
    ("body", "looks"),
    [
        ("locals()", True),
        ("vars()", True),
        ("vars(x)", False),
        ("dir(x)", False),
        ("eval('x')", True),
        ("eval('x', {})", False),
        ("sys._getframe().f_locals", True),
        ("x.locals()", False),
    ],
)
def test_functions_that_look_at_their_locals(body: str, looks: bool) -> None:
    function = ast.parse(f"def f(x):\n    return {body}").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert looks_at_locals(function) is looks


@pytest.mark.parametrize("name", ["argparse", "typing", "asyncio.tasks", "dataclasses", "enum", "collections", "test.test_grammar"])
def test_names_and_closures_are_those_of_the_compiler(name: str) -> None:
    found = pytest.importorskip(name, reason="Debian leaves out the tests of the standard library")
    path = str(found.__file__)
    source = Path(path).read_bytes()
    plain = compile(source, path, "exec", dont_inherit=True)
    # By name, since from 3.12 on bounds of type parameters and values of type aliases have code of their own, and from 3.14 on
    # annotations.
    functions = {node.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    keys = {
        CodeKey(name, code.co_qualname, code.co_firstlineno)
        for code in codes_of(plain)
        if code.co_flags & 2 and code.co_name in {*functions, "<lambda>"} - {"__annotate__"}
    }
    module = ProbedModule(name, source, path, keys, Recorder())
    probed = module.compile(None)
    assert not [why for why in module.unprobed.values() if "no such" in why]

    def seen(code: CodeType) -> list[tuple[object, ...]]:
        return [
            (each.co_qualname, each.co_firstlineno, each.co_argcount, each.co_flags, each.co_freevars)
            for each in codes_of(code)
            if not each.co_name.startswith("<")  # lambdas and comprehensions may take the state from the function around them
        ]

    assert seen(probed) == seen(plain)
    assert probed.co_consts[0] == plain.co_consts[0]


def test_long_and_deep_sources() -> None:
    chain = "".join(f"    elif a == {number}:\n        return {number}\n" for number in range(500))
    total = " + ".join(["a"] * 700)
    source = f"def f(a):\n    if a < 0:\n        return {total}\n{chain}"
    namespace: dict[str, object] = {}
    before = sys.getrecursionlimit()
    exec(ProbedModule("m", source, "m.py", {CodeKey("m", "f", 1)}, Recorder()).compile(None), namespace)
    assert sys.getrecursionlimit() == before
    function = namespace["f"]
    assert callable(function)
    assert (function(499), function(-1)) == (499, -700)
