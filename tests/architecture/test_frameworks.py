"""Nothing but its own files, and the table of each wing, knows a web framework by name: to add one is a file and two lines."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from crashwright.crash.frameworks import table
from crashwright.crash.frameworks.applications import ClientFramework
from crashwright.engine.frameworks import registry

SOURCE = Path(__file__).parents[2] / "src" / "crashwright"
ROOMS = ("core", "crash/frameworks", "engine/frameworks")
"""Where a framework may have files, whose names begin with its own."""
TABLES = ("crash/frameworks/table.py", "engine/frameworks/registry.py")
OTHERS = {
    "crash/frameworks/django.py": "the files that servers start a Django project by are called wsgi.py and asgi.py",
    "crash/readers/web_pages.py": "a format of reports: the page on which Django shows a crash",
    "finishing/running/elsewhere.py": "copied beside printed tests, where it needs nothing else of ours: a variable that is kept",
}
"""Further files, each with its reason."""


def names() -> dict[str, str]:
    """The words by which code would know a framework, each with the name of its row."""
    packages = {package: row.name for row in table.FRAMEWORKS if isinstance(row, ClientFramework) for package in row.classes}
    return {**packages, **{row.name: row.name for row in table.FRAMEWORKS}}


def words_of(text: str) -> Iterator[str]:
    """The names and texts of some code, docstrings and comments apart."""
    tree = ast.parse(text)
    blocks = [node.body for node in ast.walk(tree) if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)]
    told = {one.value for block in blocks for one in block if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)}
    for node in ast.walk(tree):
        if node not in told:
            yield from (value.lower() for field in node._fields if isinstance(value := getattr(node, field), str))


def strangers(folder: Path) -> set[tuple[str, str]]:
    """Files, each with a framework that it knows and is none of."""
    found: set[tuple[str, str]] = set()
    for path in sorted(folder.rglob("*.py")):
        place, text = path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8")
        is_own = path.parent.relative_to(folder).as_posix() in ROOMS
        told = {one: row for one, row in names().items() if one in text.lower() and not (is_own and path.stem.startswith(row))}
        if told and place not in TABLES:
            found |= {(place, one) for word in words_of(text) for one in told if one in word}
    return found


def test_no_other_file_knows_a_framework_by_name() -> None:
    assert {place for place, _ in strangers(SOURCE)} == OTHERS.keys()


def test_both_wings_have_the_same_frameworks() -> None:
    assert [row.name for row in table.FRAMEWORKS] == [row.name for row in registry.FRAMEWORKS]
    assert len({row.name for row in table.FRAMEWORKS}) == len(table.FRAMEWORKS)


@pytest.mark.parametrize(
    "text",
    [
        "from crashwright.engine.frameworks.flask import FLASK\n",
        "if preparation.flask:\n    pass\n",
        "live_at('fastapi', 'FastAPI')\n",
        "def f(x):\n    return x == 'aiohttp'\n",
    ],
)
def test_a_name_outside_is_seen(tmp_path: Path, text: str) -> None:
    (tmp_path / "engine/frameworks").mkdir(parents=True)
    (tmp_path / "engine/conversation.py").write_text(f'"""As Flask has it."""\n{text}')
    (tmp_path / "engine/frameworks/web.py").write_text(text)
    (tmp_path / "engine/frameworks/flask_forms.py").write_text("# Flask's\nFLASK = 1\n")
    assert {place for place, _ in strangers(tmp_path)} == {"engine/conversation.py", "engine/frameworks/web.py"}
