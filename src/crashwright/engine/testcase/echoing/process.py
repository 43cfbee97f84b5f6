"""What a line of a script takes from its process, and passes on (``main(sys.argv[1])``): texts, which are often names of files."""

from __future__ import annotations

import ast
import io
from random import Random

from crashwright.engine.subject.api.types import ClassHint, Hint, is_any
from crashwright.engine.testcase.making.recipes import file_fixture
from crashwright.engine.testcase.making.vocabulary import StatementBuilder
from crashwright.engine.testcase.statements import Display, Literal, Ref, Statement, Variable

_FILES = 0.6
"""How often an argument of the program is the name of a file."""
_TEXT = ClassHint(str)
_TEXTS = ClassHint(list, (_TEXT,))


def taken_hint(node: ast.expr) -> ClassHint | None:
    """The type of what ``node`` takes from the process; None where it takes nothing."""
    match node:
        case ast.Subscript(value=value, slice=ast.Slice()) if taken_hint(value) == _TEXTS:
            return _TEXTS
        case ast.Subscript(value=value) if taken_hint(value) == _TEXTS:
            return _TEXT
        case ast.Attribute(value=ast.Name(id="sys"), attr="argv"):
            return _TEXTS
        case ast.Attribute(value=ast.Name(id="sys"), attr="stdin"):
            return ClassHint(io.TextIOBase)
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id="os"), attr="environ")):
            return _TEXT
        case ast.Call(func=ast.Name(id="input")):
            return _TEXT
    return None


def taken(
    builder: StatementBuilder, statements: list[Statement], node: ast.expr, hint: Hint, name: str, rng: Random
) -> Variable | None:
    """Appends a value for ``node``, which stands where ``hint`` is asked for; None where it takes nothing from the process."""
    found = taken_hint(node)
    if found is None:
        return None
    if found == _TEXT and rng.random() < _FILES:
        return file_fixture(builder, statements, rng)
    if found == _TEXTS and rng.random() < _FILES:
        files = tuple(Ref(file_fixture(builder, statements, rng)) for _ in range(1 + int(rng.random() * 3)))
        statements.append(Literal(builder.new(), Display("list", files)))
        return statements[-1][0]
    return builder.argument(statements, found if is_any(hint) else hint, rng, 1, name)
