"""What the maintainer of a generated suite would delete, counted from the printed files alone.

``python -m benchmarks.suites.upkeep SOURCE=TESTS ...``: for each module its source and its test file, separated by ``=``.

- *accident*: ``pytest.raises`` of a class that Python raises by itself, which neither the module nor a function of the test
  raises, nor the module documents;
- *silent*: no assertion and no ``pytest.raises``;
- *numbered*: the name of the function ends with a number, and is not that of a function of the module that does;
- *garbled*: a text with characters that nobody types, a number of many digits;
- *duplicate*: the same body as an earlier test, or the same row as an earlier case;
- tests a branch: test functions by the decisions of the source (two for each ``if``, ``while`` and ``for``, one for each ``case``).

A parametrised test counts once for each of its cases, but for tests a branch.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

LONGEST_NUMBER = 12
"""Digits of a number that somebody may have typed."""
ODD = 0.3
"""Share of signs in a text from which on it is garbled ..."""
ODD_FROM = 10
"""... where it has so many characters."""
_USUAL = frozenset(" \n\t_-.,:;/'\"()[]{}<>=+*#@!?&%$|\\~^`")
_TOLD = (ValueError, OSError)


@dataclass(frozen=True, slots=True)
class Upkeep:
    """Figures that may be added up."""

    cases: int = 0
    tests: int = 0
    branches: int = 0
    accidents: int = 0
    silent: int = 0
    numbered: int = 0
    garbled: int = 0
    duplicates: int = 0

    def __add__(self, other: Upkeep) -> Upkeep:
        return Upkeep(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))

    @property
    def text(self) -> str:
        """In a line."""
        shares = {
            "accidents": self.accidents,
            "silent": self.silent,
            "numbered": self.numbered,
            "garbled": self.garbled,
            "duplicates": self.duplicates,
        }
        told = "  ".join(f"{name} {count} ({count / max(1, self.cases):.1%})" for name, count in shares.items())
        return f"{self.cases} cases, {self.tests} tests, {self.tests / max(1, self.branches):.2f} a branch  {told}"


def upkeep(source: str, tests: str) -> Upkeep:
    """The figures of one file of ``tests`` for the module with that ``source``."""
    module = ast.parse(source)
    written = ast.parse(tests)
    meant = _meant(module) | _thrown(written)
    own = {node.name for node in ast.walk(module) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    total = Upkeep(branches=_decisions(module))
    seen: set[str] = set()
    for function in _functions(written):
        cases = max(1, len(_rows(function)))
        body = ast.dump(ast.Module(function.body, [])) + "".join(map(ast.dump, function.decorator_list))
        rows = [ast.dump(row) for row in _rows(function)]
        duplicates = cases if body in seen else len(rows) - len(set(rows))
        seen.add(body)
        raised = list(_raised(function))
        silent = not raised and not any(isinstance(node, ast.Assert) for node in ast.walk(function))
        total += Upkeep(
            cases=cases,
            tests=1,
            accidents=cases * any(_is_accident(name, meant) for name in raised),
            silent=cases * silent,
            numbered=cases * (function.name[-1:].isdigit() and function.name.removeprefix("test_") not in own),
            garbled=_garbled(function, cases),
            duplicates=duplicates,
        )
    return total


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    for node in tree.body:
        inside = node.body if isinstance(node, ast.ClassDef) else [node]
        yield from (one for one in inside if isinstance(one, ast.FunctionDef) and one.name.startswith("test"))


def _rows(function: ast.FunctionDef) -> list[ast.expr]:
    """The cases of a parametrised test."""
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func).endswith("parametrize"):
            values = decorator.args[1]
            return list(values.elts) if isinstance(values, ast.List | ast.Tuple) else []
    return []


def _raised(function: ast.FunctionDef) -> Iterator[str]:
    """The classes in ``pytest.raises``."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.raises" and node.args:
            yield ast.unparse(node.args[0]).rpartition(".")[2]


def _meant(module: ast.Module) -> frozenset[str]:
    """The names of what the module raises, and the words of its docstrings."""
    found = _thrown(module)
    for node in ast.walk(module):
        if isinstance(node, ast.Assert):
            found.add("AssertionError")
        elif isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found.update((ast.get_docstring(node) or "").replace("`", " ").replace(":", " ").replace(".", " ").split())
    return frozenset(found)


def _thrown(tree: ast.AST) -> set[str]:
    """The names of what stands after ``raise``."""
    raised = [node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise) and node.exc is not None]
    return {ast.unparse(one.func if isinstance(one, ast.Call) else one).rpartition(".")[2] for one in raised}


def _is_accident(name: str, meant: frozenset[str]) -> bool:
    cls = getattr(builtins, name, None)
    if not isinstance(cls, type) or not issubclass(cls, Exception) or name in meant:
        return False
    return issubclass(cls, UnicodeEncodeError) or not issubclass(cls, _TOLD)


def _garbled(function: ast.FunctionDef, cases: int) -> int:
    rows = _rows(function)
    inside = cases if any(map(_is_garbled, _values(function.body))) else 0
    return inside or sum(any(map(_is_garbled, _values([row]))) for row in rows)


def _values(nodes: Sequence[ast.AST]) -> Iterator[object]:
    return (node.value for top in nodes for node in ast.walk(top) if isinstance(node, ast.Constant))


def _is_garbled(value: object) -> bool:
    if isinstance(value, bytes):
        value = value.decode("latin-1")
    if isinstance(value, str):
        odd = [sign for sign in value if not sign.isalnum() and sign not in _USUAL]
        signs = sum(not sign.isalnum() and not sign.isspace() for sign in value)
        return any(not sign.isprintable() for sign in odd) or (len(value) >= ODD_FROM and signs > ODD * len(value) and len(odd) > 0)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return len(str(value).rstrip("0").replace(".", "").replace("-", "").lstrip("0").partition("e")[0]) > LONGEST_NUMBER


def _decisions(module: ast.Module) -> int:
    found = [node for node in ast.walk(module) if isinstance(node, ast.If | ast.For | ast.AsyncFor | ast.While | ast.match_case)]
    return sum(1 if isinstance(node, ast.match_case) else 2 * (not _is_endless(node)) for node in found)


def _is_endless(node: ast.AST) -> bool:
    return isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and bool(node.test.value)


def main(arguments: Sequence[str]) -> None:
    """One line for each pair, and one for all."""
    total = Upkeep()
    for argument in arguments:
        source, _, tests = argument.partition("=")
        found = upkeep(Path(source).read_text(encoding="utf-8"), Path(tests).read_text(encoding="utf-8"))
        total += found
        print(f"{Path(source).stem:<24}{found.text}")
    print(f"{'all':<24}{total.text}")


if __name__ == "__main__":
    main(sys.argv[1:])
