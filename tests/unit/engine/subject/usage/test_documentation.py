"""Examples are found where authors write them: doctests, code blocks, inline code, the installed description."""

from __future__ import annotations

import ast
import sys
import types
from pathlib import Path

import pytest

from crashwright.engine.subject.usage import documentation
from crashwright.engine.subject.usage.documentation import description, documentation_of, read
from crashwright.engine.subject.usage.usage import uses

README = """
Shelf
=====

``shelf.find`` takes a path such as ``a[*].b`` and `x > 1`.

    >>> import shelf
    >>> path = shelf.parse('a[*].b')

    # comments stand between
    >>> path.strict = True
    >>> unrelated = 3
    >>> path.find({'a': [1,
    ...           2]})
    [1]
    >>> print path.find('old')

Another::

    shelf.find("q", limit=3)

.. code:: bash

    $ pip install shelf

```json
{"a": [1, 2]}
```

```python
text = shelf.render("**bold**")
```
"""


def _unparsed(statements: tuple[ast.stmt, ...]) -> list[str]:
    return [ast.unparse(statement) for statement in statements]


def test_doctests_and_code_blocks_are_sessions() -> None:
    assert [_unparsed(session) for session in read(README).sessions] == [
        [
            "path = shelf.parse('a[*].b')",
            "path.strict = True",
            "unrelated = 3",
            "path.find({'a': [1, 2]})",
            "print(path.find('old'))",
        ],
        ["shelf.find('q', limit=3)"],
        ["text = shelf.render('**bold**')"],
    ]


def test_other_code_is_text_but_commands_are_not() -> None:
    texts = read(README).texts
    assert "a[*].b" in texts
    assert "x > 1" in texts
    assert '{"a": [1, 2]}' in texts
    assert not any("pip install" in text for text in texts)


def test_a_use_comes_with_what_it_depends_on() -> None:
    session = read(README).sessions[0]
    found = [_unparsed(use) for use in uses(session, frozenset({"find"}))]
    assert found[0] == ["path = shelf.parse('a[*].b')", "path.strict = True", "path.find({'a': [1, 2]})"]
    assert not list(uses(session, frozenset({"absent"})))


def test_a_binding_ends_the_search_for_a_name() -> None:
    session = tuple(ast.parse("a = f(1)\nb = a\na = f(2)\ng(a)").body)
    assert [_unparsed(use) for use in uses(session, frozenset({"g"}))] == [["a = f(2)", "g(a)"]]


def _used(source: str, *wanted: str) -> list[list[str]]:
    return [_unparsed(use) for use in uses(tuple(ast.parse(source).body), frozenset(wanted))]


def test_a_call_within_a_block_comes_with_the_lines_before_it() -> None:
    header = "with open('a') as file:\n    pass"
    assert _used("with open('a') as file:\n    text = file.read()\n    g(text)\n", "g") == [
        [header, "text = file.read()", "g(text)"]
    ]
    assert _used("with open('a') as file:\n    text = file.read()\ng(text)\n", "g") == [[header, "text = file.read()", "g(text)"]]
    assert _used("x = 1\ndef main():\n    y = h(x)\n    return g(y, 2)\n", "g") == [["x = 1", "y = h(x)", "g(y, 2)"]]
    assert _used("async def main():\n    y = h()\n    async with g(y) as z:\n        await z.go()\n", "g") == [["y = h()", "g(y)"]]
    assert _used("for a, b in [(1, 2), (3, 4)]:\n    g(a, b)\n", "g") == [["a = 1", "b = 2", "g(a, b)"]]


def test_what_is_printed_is_asked_for_its_text() -> None:
    assert _used("x = f()\nprint(x)\nprint()\n", "__str__") == [["x = f()", "print(x)"]]
    assert _used("x = f()\nrepr(x)\n", "__repr__") == [["x = f()", "repr(x)"]]


def test_of_much_documentation_what_is_near_is_read_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documentation, "MOST_TEXT", 60)
    for name, call in (("pack.a", "a(1)"), ("pack.b", "b(locate)"), ("pack.z", "z(3)")):
        module = types.ModuleType(name, f">>> {call}\n{'.' * 12}")
        monkeypatch.setitem(sys.modules, name, module)
    modules = ["pack.a", "pack.b", "pack.z"]

    def shown(near: tuple[str, ...] = (), names: tuple[str, ...] = ()) -> list[str]:
        found = documentation_of("pack", modules, near, names)
        return [text for session in found.sessions for text in _unparsed(session)]

    assert shown() == ["a(1)", "b(locate)"]
    assert shown(("pack.z",)) == ["z(3)", "a(1)"]
    assert shown(("pack.z",), ("locate", "__init__")) == ["z(3)", "b(locate)"]


@pytest.mark.parametrize(
    "text", ["", "::", "```", "``", ">>> ", ">>> (\n... [", "\x00\n    \x00", "```\n>>> 1\n", "    " * 50 + "x", "::\n\n"]
)
def test_any_text_is_read(text: str) -> None:
    assert read(text).sessions == ()


def _installed(monkeypatch: pytest.MonkeyPatch, folder: Path, name: str) -> types.ModuleType:
    module = types.ModuleType(name)
    module.__path__ = [str(folder / name)]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, name, module)
    return module


@pytest.mark.parametrize(
    ("metadata", "other"),
    [
        ("shelf_kit-1.0.dist-info", {}),
        ("Books-1.0.dist-info", {"top_level.txt": "other\nshelf_kit\n"}),
        ("Books-1.0.dist-info", {"RECORD": "shelf_kit/__init__.py,sha256=x,1\n"}),
    ],
)
def test_the_description_of_the_right_distribution(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, metadata: str, other: dict[str, str]
) -> None:
    _installed(monkeypatch, tmp_path, "shelf_kit")
    for folder, text in ((metadata, "the one"), ("another-2.0.dist-info", "another")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "METADATA").write_text(f"Name: x\nVersion: 1\n\n{text}\n")
    for name, text in other.items():
        (tmp_path / metadata / name).write_text(text)
    assert description("shelf_kit").strip() == "the one"


def test_an_old_description_is_a_header(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _installed(monkeypatch, tmp_path, "shelf")
    (tmp_path / "shelf-1.dist-info").mkdir()
    (tmp_path / "shelf-1.dist-info" / "METADATA").write_text("Name: shelf\nDescription: First\n        second\n\n")
    assert description("shelf").split() == ["First", "second"]


def test_a_project_has_a_readme(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "src" / "shelf").mkdir(parents=True)
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "README.md").write_text("its readme")
    _installed(monkeypatch, tmp_path / "src", "shelf")
    assert description("shelf") == "its readme"


def test_docstrings_of_functions_classes_and_methods(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("shelf_docs")
    source = '''
"""Module: >>> top(1)"""
def function():
    """
    >>> function(2)
    """
class Thing:
    """A thing.

    Use::

        Thing(3).go()
    """
    @classmethod
    def make(cls):
        """>>> Thing.make(4)"""
'''
    exec(source, vars(module))
    for value in (module.function, module.Thing):
        value.__module__ = "shelf_docs"
    module.Thing.make.__func__.__module__ = "shelf_docs"
    monkeypatch.setitem(sys.modules, "shelf_docs", module)
    shown = [text for session in documentation_of("shelf_docs", ["shelf_docs"]).sessions for text in _unparsed(session)]
    assert {"function(2)", "Thing(3).go()", "Thing.make(4)"} <= set(shown)
