"""The code objects of a source file, found by its syntax tree alone: nothing is imported or run."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from crashwright.core.comprehensions import COMPREHENSIONS, inlines
from crashwright.core.location import Position
from crashwright.core.main_guard import in_main_guard

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_COMPREHENSION_NAMES = {
    ast.ListComp: "<listcomp>",
    ast.SetComp: "<setcomp>",
    ast.DictComp: "<dictcomp>",
    ast.GeneratorExp: "<genexpr>",
}
UNNAMED = frozenset({"", "?", "<unknown>"})
"""What stands in a report for a function that it does not know."""


@dataclass(frozen=True, slots=True)
class CodeSpan:
    """A code object: ``qualname`` and ``first_line`` as the compiler sets them; ``position`` is the whole of its syntax node, of
    which ``outside`` (the first iterable of a comprehension) runs in the code around it."""

    qualname: str
    name: str
    first_line: int
    position: Position
    outside: Position | None = None

    def holds(self, line: int) -> bool:
        """Can a frame of this code stand on ``line``?"""
        return self.first_line <= line <= self.position.end_line


class SourceIndex:
    """The code objects and expressions of one file, as an interpreter of ``version`` would compile it."""

    def __init__(self, text: str, version: Sequence[int]) -> None:
        """Raises SyntaxError or ValueError for a text that is no Python source here."""
        self.lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._tree = ast.parse(text)
        self._inlines = inlines(version)
        self._around: dict[int, list[ast.expr]] = {}

    @cached_property
    def spans(self) -> tuple[CodeSpan, ...]:
        """All code objects."""
        return tuple(_Scopes(self._inlines).collect(self._tree, len(self.lines)))

    @cached_property
    def _definitions(self) -> tuple[CodeSpan, ...]:
        """Those that statements make, which are a tenth of the nodes of a file: its body, functions and classes."""
        return tuple(_Scopes(self._inlines, statements=True).collect(self._tree, len(self.lines)))

    def line(self, number: int) -> str | None:
        """The source line, or None outside the file."""
        return self.lines[number - 1] if 1 <= number <= len(self.lines) else None

    def only_as_main(self, line: int) -> bool:
        """Does the line run only where the file is run as a script, and not where it is imported?"""
        return in_main_guard(self._tree, line)

    def named(self, function: str) -> list[CodeSpan]:
        """The code objects that a traceback prints as ``function`` (their name, or their qualified name); all of them where the
        report does not name it."""
        last = function.rpartition(".")[2]
        within = function in UNNAMED or (last.startswith("<") and last != "<module>")
        spans = self.spans if within else self._definitions
        return [span for span in spans if function in UNNAMED or function in (span.name, span.qualname)]

    def innermost(self, function: str, line: int) -> list[CodeSpan]:
        """The code objects named ``function`` that hold ``line``, innermost first; namesakes side by side keep their order."""
        holding = [span for span in self.named(function) if span.holds(line)]
        return sorted(holding, key=lambda span: span.position.end_line - span.first_line)

    def expressions_at(self, line: int, column: int) -> list[Position]:
        """The ranges of the expressions that begin exactly there, smallest first."""
        places = [_position(node) for node in self._expressions_around(line)]
        return sorted([place for place in places if place[:2] == (line, column)], key=lambda place: place[2:])

    def calls_on(self, line: int, name: str) -> list[Position]:
        """The calls of something called ``name`` that begin on that line."""
        calls = [node for node in self._expressions_around(line) if isinstance(node, ast.Call) and _called(node.func) == name]
        return [place for place in map(_position, calls) if place.line == line]

    def _expressions_around(self, line: int) -> list[ast.expr]:
        """The expressions of the statements that ``line`` is part of, in the order of ``ast.walk``: no others are looked at."""
        if line not in self._around:
            found: list[ast.expr] = []
            pending = deque[ast.AST](self._tree.body)
            while pending:
                node = pending.popleft()
                if isinstance(node, ast.stmt) and not _is_part(line, node):
                    continue
                if isinstance(node, ast.expr):
                    found.append(node)
                pending.extend(ast.iter_child_nodes(node))
            self._around[line] = found
        return self._around[line]

    def comprehensions_around(self, span: CodeSpan, place: Position) -> list[CodeSpan]:
        """The list, set and dict comprehensions with frames of their own that lead from the code ``span`` to the expression at
        ``place``, outermost first. Empty where another kind of code lies between, or none."""
        near = _Scopes(self._inlines, line=place.line).collect(self._tree, len(self.lines))
        chain = [one for one in near if one.name in COMPREHENSIONS and _inside(place, one) and within(one.position, span.position)]
        joint = (
            "" if span.name == "<module>" else f"{span.qualname}." if span.name in COMPREHENSIONS else f"{span.qualname}.<locals>."
        )
        for one in chain:
            if one.qualname != joint + one.name:
                return []
            joint = f"{one.qualname}."
        return chain


def within(inner: Position, outer: Position) -> bool:
    """Does ``outer`` cover ``inner``?"""
    return outer[:2] <= inner[:2] and inner[2:] <= outer[2:]


def _inside(place: Position, comprehension: CodeSpan) -> bool:
    outside = comprehension.outside
    return (
        within(place, comprehension.position)
        and place != comprehension.position
        and not (outside is not None and within(place, outside))
    )


def _called(function: ast.expr) -> str | None:
    return function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else None


def _first_line(node: ast.stmt) -> int:
    """Decorators stand above the line of what they decorate."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _is_part(line: int, node: ast.stmt) -> bool:
    return _first_line(node) <= line <= (node.end_lineno or node.lineno)


def _position(node: ast.expr | ast.stmt) -> Position:
    return Position(node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)


class _Scope:
    """Where a walk stands: the prefix for names defined here, and the names declared global here."""

    __slots__ = ("globals", "prefix")

    def __init__(self, prefix: str, body: Sequence[ast.AST] = ()) -> None:
        self.prefix = prefix
        self.globals = {name for node in _own_statements(body) if isinstance(node, ast.Global) for name in node.names}


class _Scopes:
    """Walks a tree and yields its code objects, outer before inner. The walk keeps its own stack: expressions of generated code
    are nested deeper than Python's recursion limit. ``statements``: code objects of expressions are left out; ``line``: those of
    statements that it is no part of."""

    def __init__(self, inlined: bool, statements: bool = False, line: int | None = None) -> None:
        self._inlined = inlined
        self._statements = statements
        self._line = line
        self._stack: list[tuple[ast.AST, _Scope]] = []

    def collect(self, tree: ast.Module, lines: int) -> Iterator[CodeSpan]:
        yield CodeSpan("<module>", "<module>", 1, Position(1, 0, lines, 0))
        self._push(tree.body, _Scope(""))
        while self._stack:
            node, scope = self._stack.pop()
            if isinstance(node, _Function):
                yield self._definition(node, scope, ".<locals>.")
            elif isinstance(node, ast.ClassDef):
                yield self._definition(node, scope, ".")
            elif isinstance(node, ast.Lambda):
                qualname = scope.prefix + "<lambda>"
                yield CodeSpan(qualname, "<lambda>", node.lineno, _position(node))
                self._push([node.body], _Scope(qualname + ".<locals>."))
                self._push([node.args], scope)  # the defaults
            elif isinstance(node, _Comprehension):
                yield from self._comprehension(node, scope)
            else:
                self._push(list(ast.iter_child_nodes(node)), scope)

    def _push(self, nodes: Sequence[ast.AST], scope: _Scope) -> None:
        if self._statements:
            nodes = [node for node in nodes if not isinstance(node, ast.expr)]
        if self._line is not None:
            nodes = [node for node in nodes if not isinstance(node, ast.stmt) or _is_part(self._line, node)]
        self._stack.extend([(node, scope) for node in reversed(nodes)])

    def _definition(self, node: _Function | ast.ClassDef, scope: _Scope, joint: str) -> CodeSpan:
        """Decorators, defaults, annotations and bases run in the enclosing scope, the body in its own."""
        body = {id(child) for child in node.body}
        qualname = node.name if node.name in scope.globals else scope.prefix + node.name
        self._push(node.body, _Scope(qualname + joint, node.body))
        self._push([child for child in ast.iter_child_nodes(node) if id(child) not in body], scope)
        return CodeSpan(qualname, node.name, _first_line(node), _position(node))

    def _comprehension(self, node: _Comprehension, scope: _Scope) -> Iterator[CodeSpan]:
        """The first iterable runs in the enclosing scope."""
        first = node.generators[0]
        name = _COMPREHENSION_NAMES[type(node)]
        inner = scope
        if not (self._inlined and name in COMPREHENSIONS):
            yield CodeSpan(scope.prefix + name, name, node.lineno, _position(node), _position(first.iter))
            inner = _Scope(scope.prefix + name + ".")
        self._push([first.target, *first.ifs], inner)
        self._push([child for child in ast.iter_child_nodes(node) if child is not first], inner)
        self._push([first.iter], scope)


def _own_statements(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """The statements of a body and of its blocks, without those of nested definitions."""
    stack = list(body)
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, _Function | ast.ClassDef | ast.expr):
            stack.extend(ast.iter_child_nodes(node))
