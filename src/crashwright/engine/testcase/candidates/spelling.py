"""Names that a candidate uses and nothing binds: misspellings of names that are bound, or that the package has."""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Iterable, Iterator

from crashwright.engine.subject.walking import walk
from crashwright.engine.testcase.candidates.programs import CandidateProgram
from crashwright.engine.testcase.names.imported import nearest


def respelt(program: CandidateProgram, package: Iterable[str]) -> tuple[CandidateProgram, dict[str, str]]:
    """The program with its misspelt names put right, and which these were. ``package`` are names that it may mean too."""
    own = dict.fromkeys(name for statement in program.statements for name in _bound(statement))
    loaded = dict.fromkeys(name for statement in program.statements for name in _loaded(statement))
    further = [name for name in dict.fromkeys(package) if name not in own]
    found: dict[str, str] = {}
    for name in loaded:
        if name in own or hasattr(builtins, name) or name in further:
            continue
        right = nearest(name, own) or nearest(name, further)
        if right is not None:
            found[name] = right
    if not found:
        return program, {}
    respeller = _Respeller(found)
    return CandidateProgram(tuple(respeller.visit(copy.deepcopy(statement)) for statement in program.statements)), found


def _bound(statement: ast.stmt) -> Iterator[str]:
    for node in walk(statement):
        match node:
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                yield from (one.asname or one.name.partition(".")[0] for one in names)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.ExceptHandler(name=str() as name):
                yield name


def _loaded(statement: ast.stmt) -> Iterator[str]:
    return (node.id for node in walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))


class _Respeller(ast.NodeTransformer):
    def __init__(self, found: dict[str, str]) -> None:
        self._found = found

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(ast.Name(self._found.get(node.id, node.id), node.ctx), node)
