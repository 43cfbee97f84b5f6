"""The mutants of a module's functions, enumerated from its syntax tree (paper 004; SPEC 6.4), weak ones and strong ones.

Left alone is what is no behaviour of a function: docstrings, annotations, decorators, messages of ``raise`` statements. Weak ones
leave alone also defaults and the constant parts of f-strings.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from crashwright.core.location import CodeKey, Position
from crashwright.engine.subject.flow.conditions import position_of
from crashwright.engine.subject.mutants.operators import SYMBOLS, Operator
from crashwright.engine.subject.mutants.sites import FunctionSites
from crashwright.engine.subject.source import Comprehension, comprehension_prefix, first_line
from crashwright.engine.subject.walking import walk

MOST_IN_FUNCTION = 700
MOST_IN_CLASS = 1000


class Mutant(NamedTuple):
    """One change of one function. ``position`` is that of the expression (or statement) changed; ``original`` and
    ``replacement`` are operators or expressions as source text. ``node``, ``part`` and ``copy`` find the place in any tree of the
    same source: the class of the node, the operator within a chained comparison, and which of several nodes with that class and
    position (inside f-strings Python 3.11 has no exact ones)."""

    number: int
    key: CodeKey
    position: Position
    operator: Operator
    original: str
    replacement: str
    node: str
    part: int = 0
    copy: int = 0

    @property
    def label(self) -> str:
        """Unique within the module: ``Tree.insert:88:11-20 ror < -> <=``."""
        twin = f"#{self.copy}.{self.part}" if self.copy or self.part else ""
        line, column, end_line, end_column = self.position
        end = f"{end_column}" if end_line == line else f"{end_line}:{end_column}"
        place = f"{self.key.qualname}:{line}:{column}-{end}{twin}"
        return f"{place} {self.operator} {self.original or '_'} -> {self.replacement or '_'}"


def mutants_of(tree: ast.Module, module: str, keys: Collection[CodeKey]) -> tuple[Mutant, ...]:
    """The weak mutants of these functions, numbered from 0 in order of the source: at most ``MOST_IN_FUNCTION`` of each function
    and ``MOST_IN_CLASS`` of each class. Where there are more, those of variables go first, then every so many of the others."""
    return _numbered(tree, module, keys, strong=False)


def strong_mutants_of(tree: ast.Module, module: str, keys: Collection[CodeKey]) -> tuple[Mutant, ...]:
    """The mutants to be killed by assertions: fewer a place than weak ones; negated tests, missing statements and calls, and what
    else ``Operator`` says to be strong only."""
    return _numbered(tree, module, keys, strong=True)


def _numbered(tree: ast.Module, module: str, keys: Collection[CodeKey], strong: bool) -> tuple[Mutant, ...]:
    by_class: dict[str, list[Mutant]] = {}
    constants = _constants_of(tree) if strong else {}
    for key, node in functions_of(tree, module):
        if key in keys:
            found = _limited(list(_of_function(key, node, frozenset(keys), strong, constants)), MOST_IN_FUNCTION)
            by_class.setdefault(_class_of(key.qualname) or f"{key.qualname}@{key.first_line}", []).extend(found)
    kept = [mutant for found in by_class.values() for mutant in _limited(found, MOST_IN_CLASS)]
    kept.sort(key=lambda mutant: (mutant.key.first_line, mutant.number))
    return tuple(mutant._replace(number=number) for number, mutant in enumerate(kept))


def _constants_of(tree: ast.Module) -> dict[str, object]:
    """The names of the module that are given a literal once: a change of each is made where functions read it."""
    given: dict[str, list[object]] = {}
    for node in walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            given.setdefault(node.id, []).append(node)
    found: dict[str, object] = {}
    for statement in tree.body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=value))
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=value))
            ) if len(given.get(name, ())) == 1:
                found[name] = value
    return found


def _class_of(qualname: str) -> str:
    """The class of a method, "" for a function."""
    owner, _, _ = qualname.partition(".<locals>")[0].rpartition(".")
    return owner


def _of_function(
    key: CodeKey, node: ast.AST, keys: frozenset[CodeKey], strong: bool, constants: Mapping[str, object]
) -> Iterator[Mutant]:
    """Numbered within the function, for the order."""
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    copies: dict[tuple[str, Position], list[int]] = {}
    number = 0
    own = {one.first_line for one in keys if one.name == "<lambda>" and one != key}
    for site in FunctionSites(node, strong, own, constants).sites():
        place = (type(site.node).__name__, position_of(site.node))
        twins = copies.setdefault(place, [])
        if id(site.node) not in twins:
            twins.append(id(site.node))
        for replacement in site.replacements:
            copy = twins.index(id(site.node))
            yield Mutant(
                number=number,
                key=key,
                position=place[1],
                operator=site.operator,
                original=site.original,
                replacement=replacement,
                node=place[0],
                part=site.part,
                copy=copy,
            )
            number += 1


def _limited(mutants: list[Mutant], limit: int) -> list[Mutant]:
    """At most that many, the same ones each time."""
    if len(mutants) <= limit:
        return mutants
    first = [mutant for mutant in mutants if mutant.operator is not Operator.VARIABLE]
    rest = [mutant for mutant in mutants if mutant.operator is Operator.VARIABLE]
    if len(first) >= limit:
        return _spread(first, limit)
    return [*first, *_spread(rest, limit - len(first))]


def _spread(mutants: list[Mutant], limit: int) -> list[Mutant]:
    return [mutants[number * len(mutants) // limit] for number in range(limit)]


def functions_of(tree: ast.Module, module: str) -> Iterator[tuple[CodeKey, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda]]:
    """All functions and lambdas of a module with the keys under which they are instrumented, in order of the source."""
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        node, prefix = waiting.pop()
        inner = prefix
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield CodeKey(module, prefix + node.name, first_line(node)), node
            inner = f"{prefix}{node.name}.<locals>."
        elif isinstance(node, ast.ClassDef):
            inner = f"{prefix}{node.name}."
        elif isinstance(node, ast.Lambda):
            yield CodeKey(module, f"{prefix}<lambda>", node.lineno), node
            inner = f"{prefix}<lambda>.<locals>."
        elif isinstance(node, Comprehension):
            inner = prefix + comprehension_prefix(node)
        waiting.extend((child, inner) for child in reversed(list(ast.iter_child_nodes(node))))


class Mutator:
    """Makes mutated copies of one tree. ``tree`` must be of the source that the mutants are of; it is not changed."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._parents: dict[int, ast.AST] = {}
        self._nodes: dict[tuple[str, Position], list[ast.AST]] = {}
        waiting: list[ast.AST] = [tree]
        while waiting:
            node = waiting.pop()
            if hasattr(node, "lineno"):
                self._nodes.setdefault((type(node).__name__, position_of(node)), []).append(node)
            # Parts of f-strings have no place of their own before Python 3.12, and no mutants.
            children = [
                child
                for child in ast.iter_child_nodes(node)
                if not (isinstance(node, ast.JoinedStr) and isinstance(child, ast.Constant))
                and not (isinstance(node, ast.FormattedValue) and child is node.format_spec)
            ]
            # Operators and contexts are shared between nodes, but nobody asks for their parents.
            self._parents.update((id(child), node) for child in children)
            waiting.extend(reversed(children))

    def node_of(self, mutant: Mutant) -> ast.AST:
        """The node that the mutant changes. Raises LookupError if the tree is of another source."""
        return self._nodes[mutant.node, mutant.position][mutant.copy]

    def has(self, mutant: Mutant) -> bool:
        """Whether the place is in the tree: it may be a part of the module."""
        return len(self._nodes.get((mutant.node, mutant.position), ())) > mutant.copy

    def parent_of(self, node: ast.AST) -> ast.AST | None:
        """What a node of the tree is in; None for the module."""
        return self._parents.get(id(node))

    def apply(self, mutant: Mutant, alone: bool = False) -> ast.Module:
        """The tree with this one change, the rest shared with the original. ``alone`` leaves out all statements of the module and
        of classes that have nothing to do with the function (for its code alone: compile, then look through ``co_consts``)."""
        changed = self._changed(mutant, self._tree, alone)
        assert isinstance(changed, ast.Module)
        return changed

    def changed_within(self, mutant: Mutant, whole: ast.expr) -> ast.expr:
        """A copy of ``whole``, an expression of the tree around the mutant's place, with the change."""
        changed = self._changed(mutant, whole, alone=False)
        assert isinstance(changed, ast.expr)
        return changed

    def _changed(self, mutant: Mutant, whole: ast.AST, alone: bool) -> ast.AST:
        node = self.node_of(mutant)
        changed: ast.AST = changed_node(node, mutant)
        while node is not whole:
            parent = self._parents[id(node)]
            changed = _with_child(parent, node, changed, alone)
            node = parent
        return changed


def apply(tree: ast.Module, mutant: Mutant) -> ast.Module:
    """A mutated copy of a module's tree; ``Mutator`` for many mutants of one tree."""
    return Mutator(tree).apply(mutant)


def _with_child(parent: ast.AST, child: ast.AST, changed: ast.AST, alone: bool) -> ast.AST:
    copy = _shallow(parent)
    for name, value in ast.iter_fields(parent):
        if value is child:
            setattr(copy, name, changed)
        elif isinstance(value, list) and any(part is child for part in value):
            parts = [changed if part is child else part for part in value]
            if alone and name == "body" and isinstance(parent, ast.Module | ast.ClassDef):
                parts = [part for part in parts if part is changed or _is_future(part)]
            setattr(copy, name, parts)
    return copy


def _is_future(node: object) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _shallow(node: ast.AST) -> ast.AST:
    copy = type(node)(**dict(ast.iter_fields(node)))
    return ast.copy_location(copy, node)


_OPERATIONS = {symbol: kind for kind, symbol in SYMBOLS.items() if issubclass(kind, ast.cmpop | ast.operator | ast.boolop)}


def changed_node(node: ast.AST, mutant: Mutant) -> ast.AST:
    """What stands in the place of ``node``."""
    copy = _shallow(node)
    match copy:
        case ast.stmt() if mutant.operator is Operator.STATEMENT:
            # Still compiled, so that variables stay local or free and a generator is one, and never run.
            return ast.copy_location(ast.If(ast.copy_location(ast.Constant(False), node), [copy], []), node)
        case ast.Return(value=ast.expr() as value) if mutant.operator is Operator.RESULT:
            nothing = ast.IfExp(ast.Constant(True), ast.Constant(None), value)
            copy.value = ast.fix_missing_locations(ast.copy_location(nothing, value))
            return copy
        case ast.JoinedStr() if mutant.operator is Operator.FORMAT:
            copy.values = list(copy.values)
            copy.values[mutant.part] = _changed_part(copy.values[mutant.part], mutant.replacement)
            return copy
        case ast.Call() if mutant.operator is Operator.ARGUMENTS:
            copy.args = [copy.args[1], copy.args[0], *copy.args[2:]]
            return copy
        case ast.Call(func=ast.Attribute(value=receiver)) if mutant.operator is Operator.CALL and not copy.args:
            return receiver
        case ast.Call(args=[argument]) if mutant.operator is Operator.CALL:
            return argument
        case ast.expr() if mutant.operator is Operator.CONDITION:
            made: ast.expr = ast.UnaryOp(ast.Not(), copy)
        case ast.Compare() if mutant.replacement in ("True", "False"):
            # The operands are still evaluated.
            operator = ast.Or() if mutant.replacement == "True" else ast.And()
            made = ast.BoolOp(operator, [copy, ast.Constant(mutant.replacement == "True")])
        case ast.Compare():
            copy.ops = list(copy.ops)
            copy.ops[mutant.part] = _OPERATIONS[mutant.replacement]()  # type: ignore[assignment]
            return copy
        case ast.BinOp(left=left, right=right) if mutant.operator is Operator.OPERAND:
            return right if mutant.part else left
        case ast.BoolOp(values=values) if mutant.operator is Operator.OPERAND:
            copy.values = [one for place, one in enumerate(values) if place != mutant.part]
            return copy if len(copy.values) > 1 else copy.values[0]
        case ast.BinOp() | ast.AugAssign() | ast.BoolOp():
            copy.op = _OPERATIONS[mutant.replacement]()  # type: ignore[assignment]
            return copy
        case ast.UnaryOp(op=ast.Not()) if mutant.operator is Operator.UNARY:
            # A removed ``not`` leaves a truth value, as it was.
            made = ast.UnaryOp(ast.Not(), copy)
        case ast.UnaryOp(operand=operand) if mutant.operator is Operator.UNARY:
            return operand
        case ast.Name() if mutant.operator is Operator.UNARY:
            made = ast.UnaryOp(ast.USub(), copy)
        case _:
            made = ast.parse(mutant.replacement, mode="eval").body
            for part in walk(made):
                if isinstance(part, ast.expr):
                    ast.copy_location(part, node)
    for part in (made, *ast.iter_child_nodes(made)):
        if isinstance(part, ast.expr) and not hasattr(part, "lineno"):  # new here; the others are those of the original
            ast.copy_location(part, node)
    return made


def _changed_part(part: ast.expr, replacement: str) -> ast.expr:
    """A part of an f-string."""
    if isinstance(part, ast.FormattedValue):
        return ast.copy_location(ast.FormattedValue(part.value, part.conversion, None), part)
    return ast.copy_location(ast.Constant(ast.literal_eval(replacement)), part)
