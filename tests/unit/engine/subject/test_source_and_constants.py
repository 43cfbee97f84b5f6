"""Code keys and their trees, atoms of conditions, constants and patterns."""

from __future__ import annotations

import ast
import importlib
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

import pytest

from crashwright.core.location import CodeKey, Position
from crashwright.core.report import Unknown
from crashwright.engine.subject.flow.conditions import atoms, position_of
from crashwright.engine.subject.flow.control_dependence import ControlDependence
from crashwright.engine.subject.source import ModuleSource, Sources, read_source
from crashwright.engine.subject.usage.constants import Context, SourceConstant, constants_of, patterns_of

SOURCE = textwrap.dedent('''
    """Module."""
    import functools

    @functools.lru_cache(
        maxsize=3)
    def cached(x, f=lambda: 1):
        def inner(y):
            return [y for y in (z for z in x)]
        return inner

    class Outer(dict):
        attribute = (lambda: {a: b for a, b in ()})

        @property
        def __private(self):
            return lambda q: {w for w in q}

        class Inner:
            async def method(self):
                return 1
            checks = [lambda x: x > n for n in (1, 2)]

    table = {n: [lambda x: {m for m in x if m > n} for _ in "ab"] for n in (1, 2)}
    lazy = ((lambda x: [x + k for k in (lambda: n)()]) for n in (1, 2))
''')


def codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from codes(constant)


def test_a_module_that_is_loaded_later_has_a_source_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "loaded_later.py").write_text("x = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    sources = Sources()
    assert isinstance(sources.of_module("loaded_later"), Unknown)
    monkeypatch.setitem(sys.modules, "loaded_later", importlib.import_module("loaded_later"))
    assert isinstance(sources.of_module("loaded_later"), ModuleSource)


def test_every_code_of_the_compiler_has_a_tree() -> None:
    source = ModuleSource("m", "m.py", SOURCE)
    for code in codes(compile(SOURCE, "m.py", "exec")):
        node = source.node_of(CodeKey("m", code.co_qualname, code.co_firstlineno))
        assert node is not None, code
        assert getattr(node, "name", code.co_name) == code.co_name
    assert source.node_of(CodeKey("m", "<module>", 0)) is source.tree
    assert source.node_of(CodeKey("m", "cached", 99)) is None


@pytest.mark.parametrize("module", ["argparse", "dataclasses", "enum", "_pydecimal", "contextlib"])
def test_every_code_of_a_standard_module_has_a_tree(module: str) -> None:
    source = read_source(module, str(Path(ast.__file__).with_name(f"{module}.py")))
    assert isinstance(source, ModuleSource)
    for code in codes(compile(source.text, source.path, "exec")):
        assert source.node_of(CodeKey(module, code.co_qualname, code.co_firstlineno)) is not None, code


def test_parents() -> None:
    source = ModuleSource("m", "m.py", SOURCE)
    assert {parent.qualname for key, parent in source.parents.items() if key.qualname == "cached.<locals>.inner"} == {"cached"}


def test_unreadable_sources_say_why(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("def (:")
    sources = Sources()
    assert "SyntaxError" in str(sources.of_file("bad", str(bad)))
    assert isinstance(sources.of_module("sys"), Unknown)
    assert isinstance(sources.of_module("not_loaded_at_all"), Unknown)
    latin = tmp_path / "latin.py"
    latin.write_bytes("# -*- coding: latin-1 -*-\nx = 'é'\n".encode("latin-1"))
    assert isinstance(sources.of_file("latin", str(latin)), ModuleSource)


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("a", [("a", False)]),
        ("not a", [("a", True)]),
        ("not (a and not b) or c < d < e", [("a", True), ("b", False), ("c < d < e", False)]),
        ("(x := f(a and b)) and g", [("(x := f(a and b))", False), ("g", False)]),
    ],
)
def test_atoms(test: str, expected: list[tuple[str, bool]]) -> None:
    tree = ast.parse(test, mode="eval").body
    assert [(ast.unparse(atom), negated) for atom, negated in atoms(tree)] == expected


def test_positions() -> None:
    assert position_of(ast.parse("é = f(\n  1)").body[0]) == Position(1, 0, 2, 4)


def constants(source: str) -> dict[tuple[str, str], list[object]]:
    found: dict[tuple[str, str], list[object]] = {}
    for constant in constants_of(ast.parse(textwrap.dedent(source))):
        found.setdefault((constant.context.value, constant.detail), []).append(constant.value)
    return found


def test_contexts_of_constants() -> None:
    found = constants('''
        """Docstring."""
        def f(x, y=3, *, z="q"):
            """Docstring."""
            if x.kind == -1 and y in ("a", "b"):
                return d["key"].get("k2", 0)
            hasattr(x, "strip")
            match x:
                case {"t": 5}: pass
            foo(1.5, name=b"x", options={"a": 1})
            note: "annotation" = f"ab{x}cd"
    ''')
    assert found["default", "y"] == [3]
    assert found["default", "z"] == ["q"]
    assert -1 in found["comparison", "x.kind"]
    assert found["comparison", "y"] == [("a", "b"), "a", "b"]
    assert found["key", "d"] == ["key"]
    assert "k2" in found["key", ""]
    assert found["attribute", "x"] == ["kind", "strip"]
    assert found["pattern", ""] == ["t", 5]
    assert found["argument", "foo"] == [1.5]
    assert found["argument", "name"] == [b"x"]
    assert found["argument", "options"] == [{"a": 1}]
    assert {"ab", "cd"} <= set(found["format", ""])
    everything = [value for values in found.values() for value in values]
    assert "Docstring." not in everything
    assert "annotation" not in everything


def test_long_and_deep_constants_are_left_out() -> None:
    assert constants_of(ast.parse(repr("x" * 200))) == ()
    assert constants_of(ast.parse(f"x = {'x' * 10!r}")) == (SourceConstant("x" * 10, Position(1, 4, 1, 16), Context.OTHER),)


def test_deep_expressions_are_survived() -> None:
    text = "def f():\n    x = 1" + " + 1" * 800 + "\n    return lambda: x\n"
    source = ModuleSource("deep", "deep.py", text)
    assert [key.qualname for key, _ in source.codes()] == ["<module>", "f", "f.<locals>.<lambda>"]
    function = source.node_of(CodeKey("deep", "f", 1))
    assert isinstance(function, ast.FunctionDef)
    assert ControlDependence(function).approach(3) == ()
    constants_of(source.tree)


def test_patterns() -> None:
    found = patterns_of(ast.parse("import re\nP = re.compile(r'a+')\nre.sub(b'x', b'', y)\ntext.split('z')\nre.match(p, y)"))
    assert [(pattern.text, pattern.function) for pattern in found] == [("a+", "compile"), (b"x", "sub")]
