"""The house stands as docs/architecture.md draws it: import contracts, a standard-library engine, small modules, true documents."""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
MODULES = sorted((SOURCE / "crashwright").rglob("*.py"))
LONGEST = 400
EXCEPTIONS: dict[str, str] = {}
"""Modules that may be longer, each with its reason."""
NAMELESS = frozenset({"utils", "helpers", "misc", "common", "manager", "base"})
"""Names of folders and modules that say nothing of what is in them."""
COPIED = "crashwright/engine/execution/confinement/"
"""A folder that is copied beside printed tests under another name: its modules find each other by relative imports and need nothing
else of ours."""


def _relative(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def _imported(path: Path) -> set[str]:
    """The top-level names that a module imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 or _relative(path).startswith(COPIED), f"{_relative(path)}: relative import"
            assert node.level <= 1, f"{_relative(path)}: leaves its folder"
            if node.level == 0:
                names.add(node.module or "")
    return names


def _code_lines(path: Path) -> int:
    """Lines that hold code: no blank lines, comments or docstrings. Of a file with few lines it is the number of all."""
    text = path.read_text(encoding="utf-8")
    if (lines_of_all := len(text.splitlines())) <= LONGEST:
        return lines_of_all
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in skipped:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def test_import_contracts_hold() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]


@pytest.mark.parametrize("room", ["core", "engine"])
def test_engine_wing_imports_the_standard_library_alone(room: str) -> None:
    ours = ("crashwright.core", "crashwright.engine")
    for path in sorted((SOURCE / "crashwright" / room).rglob("*.py")):
        for name in _imported(path):
            assert name.partition(".")[0] in sys.stdlib_module_names or name.startswith(ours), f"{_relative(path)} imports {name}"


def test_what_is_copied_beside_printed_tests_needs_nothing_of_ours() -> None:
    for path in sorted((SOURCE / COPIED).glob("*.py")):
        assert not [name for name in _imported(path) if name.partition(".")[0] not in sys.stdlib_module_names], _relative(path)


def test_engine_wing_starts_without_site_packages() -> None:
    wing = [path for room in ("core", "engine") for path in sorted((SOURCE / "crashwright" / room).rglob("*.py"))]
    names = [_relative(path)[:-3].replace("/", ".").removesuffix(".__init__") for path in wing if path.name != "__main__.py"]
    program = (
        f"import sys; sys.path.insert(0, {str(SOURCE)!r})\nimport importlib\nfor name in {names!r}: importlib.import_module(name)"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_each_module_is_small_and_says_what_it_is() -> None:
    assert [f"{_relative(path)}{problem}" for path in MODULES for problem in _problems(path)] == []


def _problems(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    if _code_lines(path) > LONGEST and _relative(path) not in EXCEPTIONS:
        yield f" has more than {LONGEST} lines of code"
    if not ast.get_docstring(tree):
        yield " has no docstring"
    if nameless := NAMELESS & {*path.relative_to(SOURCE).with_suffix("").parts}:
        yield f" says nothing by {nameless}"
    for one in _texts_behind_docstrings(tree):
        yield f":{one.lineno} stands behind a docstring: what it says, --help would leave out"


def test_exceptions_are_still_needed() -> None:
    for name in EXCEPTIONS:
        assert _code_lines(SOURCE / name) > LONGEST, f"{name} is short enough now"


def test_no_two_test_modules_have_one_name() -> None:
    names = Counter(path.name for path in (ROOT / "tests").rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []


def _texts_behind_docstrings(tree: ast.Module) -> list[ast.stmt]:
    """Two texts in a row are two statements."""
    return [other for block in _blocks(tree) for one, other in pairwise(block) if _is_text(one) and _is_text(other)]


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The statements of a node that follow each other, and of all statements in them; expressions have none."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        block = getattr(node, name, [])
        yield block
        for statement in block:
            yield from _blocks(statement)


def test_a_text_behind_a_docstring_is_found() -> None:
    planted = "try:\n x\nexcept OSError:\n match 1:\n  case 1:\n   def f():\n    'one'\n    'two'\n"
    assert [one.lineno for one in _texts_behind_docstrings(ast.parse(planted))] == [8]


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) and isinstance(statement.value.value, str)
