"""The shape of the records that functions read: which keys of which value, nested how, and what becomes of what stands there.

Code that takes a document apart (``row["price"]``, ``data["items"]``, ``order.get("note")``) says what a useful one has to have. It
is read off the syntax: names, subscripts with constants, loops over them, and what is passed on to another of the functions.

# Deviation: not in the papers; a type says this of no text and of no dict, in Java or in Python.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from crashwright.engine.subject.introspection import class_dict, identities, is_class

Plain = str | int | float
_PLAIN = identities(str, int, float)
_SAME = frozenset({"strip", "lstrip", "rstrip", "lower", "upper", "title", "casefold", "copy"})
"""Methods whose results are of the same kind as what they are called on."""
_OF_TEXT = frozenset({"split", "splitlines", "startswith", "endswith", "replace", "encode", "partition", "isdigit", "format"})
_TWO_KEYS = frozenset({"getint", "getfloat", "getboolean", "has_option"})
"""Methods of a section and an option (``configparser``)."""
_CONVERTED: dict[str, Plain] = {
    "int": "1",
    "float": "1.5",
    "Decimal": "1.5",
    "Fraction": "1/2",
    "fromisoformat": "2020-01-02",
    "strptime": "2020-01-02",
    "parse_date": "2020-01-02",
    "UUID": "12345678-1234-5678-1234-567812345678",
    "ip_address": "127.0.0.1",
    "urlparse": "http://example.org/",
    "b64decode": "YQ==",
    "fromhex": "00ff",
}
"""What a text has to look like that a function of this name takes."""
MOST_VALUES = 8


class Shape:
    """What is asked of one value. ``fields`` are read from it by their keys, in the order of the source; ``items`` when it is
    iterated over; ``values`` it is compared with or has to look like; ``names`` are of what it is passed to. ``is_row``: it is what
    a loop goes through."""

    __slots__ = ("fields", "is_optional", "is_row", "items", "names", "values")

    def __init__(self) -> None:
        self.fields: dict[str, Shape] = {}
        self.items: Shape | None = None
        self.values: list[Plain] = []
        self.names: list[str] = []
        self.is_optional = False
        self.is_row = False

    def field(self, key: str, optional: bool = False) -> Shape:
        """The value under ``key``."""
        found = self.fields.get(key)
        if found is None:
            found = self.fields[key] = Shape()
            found.is_optional = optional
        return found

    def item(self) -> Shape:
        """Its items."""
        if self.items is None:
            self.items = Shape()
        return self.items

    def expect(self, value: Plain) -> None:
        """It may be ``value``."""
        if len(self.values) < MOST_VALUES and not any(type(one) is type(value) and one == value for one in self.values):
            self.values.append(value)

    def absorb(self, other: Shape) -> None:
        """It is asked what ``other`` is asked too."""
        if other is self:
            return
        for key, shape in other.fields.items():
            self.field(key, shape.is_optional).absorb(shape)
        if other.items is not None:
            self.item().absorb(other.items)
        for value in other.values:
            self.expect(value)
        self.names += [name for name in other.names if name not in self.names]


def records_in(functions: Sequence[ast.AST]) -> list[Shape]:
    """The records that ``functions`` read, those of the most keys first; what is passed on from one to another is one record."""
    readers = [_Reader(node) for node in functions if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    by_name = {reader.name: reader for reader in readers}
    passed_on: set[int] = set()
    for reader in reversed(readers):  # innermost first: what it asks is then known where it is passed on
        for name, place, shape in reader.passed:
            inner = by_name.get(name)
            root = None if inner is None or inner is reader else inner.parameter(place)
            if root is not None and root is not shape:
                shape.absorb(root)
                passed_on.add(id(root))
    roots = {id(shape): shape for reader in readers for shape in reader.roots}
    found = [shape for number, shape in roots.items() if number not in passed_on and _keys(shape)]
    return sorted(found, key=lambda shape: -_keys(shape))


def known_values(namespaces: Sequence[Mapping[str, object]]) -> Callable[[str], list[Plain]]:
    """What the callable of a name in one of these modules takes: of an enum the values that it knows."""

    def values(name: str) -> list[Plain]:
        for namespace in namespaces:
            found = namespace.get(name)
            if is_class(found):
                members = class_dict(cast(type, found)).get("_value2member_map_")
                keys: Iterable[Any] = members if type(members) is dict else ()
                return [key for key in keys if id(type(key)) in _PLAIN][:MOST_VALUES]
        return []

    return values


def _keys(shape: Shape, depth: int = 0) -> int:
    if depth > 4:
        return 0
    inner = sum(1 + _keys(one, depth + 1) for one in shape.fields.values())
    return inner + (_keys(shape.items, depth + 1) if shape.items is not None else 0)


class _Reader(ast.NodeVisitor):
    """Reads one function."""

    def __init__(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.name = function.name
        self.passed: list[tuple[str, int, Shape]] = []
        self.roots: list[Shape] = []
        self._names: dict[str, Shape] = {}
        arguments = [*function.args.posonlyargs, *function.args.args]
        self._parameters = [argument.arg for argument in arguments if argument.arg not in ("self", "cls")]
        for statement in function.body:
            self.visit(statement)

    def parameter(self, place: int) -> Shape | None:
        """What is asked of the parameter at ``place``."""
        return self._names.get(self._parameters[place]) if place < len(self._parameters) else None

    def _passed_over(self, node: ast.AST) -> None:
        """What stands in it has names of its own."""

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = visit_ClassDef = _passed_over

    def visit_Assign(self, node: ast.Assign) -> None:
        """A name for a part of a record."""
        self.generic_visit(node)
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            self._name(node.targets[0].id, self._shape(node.value))

    def visit_For(self, node: ast.For) -> None:
        """A name for the items."""
        self._loop(node.target, node.iter)
        for statement in (*node.body, *node.orelse):
            self.visit(statement)

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> None:
        """As a loop: what it goes through comes first."""
        for one in node.generators:
            self._loop(one.target, one.iter)
            for condition in one.ifs:
                self.visit(condition)
        for part in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
            self.visit(part)

    visit_SetComp = visit_GeneratorExp = visit_DictComp = visit_ListComp

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """A key."""
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load):
            self._shape(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        """A key that may be missing, or what a value may be."""
        self.generic_visit(node)
        left, right = node.left, node.comparators[0]
        if isinstance(node.ops[0], ast.In | ast.NotIn) and isinstance(left, ast.Constant) and type(left.value) is str:
            holder = self._shape(right)
            if holder is not None and not isinstance(right, ast.Subscript):
                holder.field(left.value, optional=True)
            return
        for one, other in ((left, right), (right, left)):
            shape = self._leaf(one)
            if shape is not None:
                for value in _constants(other):
                    shape.expect(value)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Numbers beside numbers."""
        self.generic_visit(node)
        for one, other in ((node.left, node.right), (node.right, node.left)):
            shape = self._leaf(one)
            if (
                shape is not None
                and isinstance(other, ast.Constant)
                and id(type(other.value)) in _PLAIN
                and type(other.value) is not str
            ):
                shape.expect(1)

    def visit_Call(self, node: ast.Call) -> None:
        """What a value is turned into, or where it goes."""
        self.generic_visit(node)
        self._shape(node)
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
        if isinstance(function, ast.Attribute) and name in _OF_TEXT:
            shape = self._leaf(function.value)
            if shape is not None:
                shape.expect("text")
        for place, argument in enumerate(node.args):
            shape = self._shape(argument)
            if shape is None or not name:
                continue
            self.passed.append((name, place, shape))
            if name in _CONVERTED and place == 0:
                shape.expect(_CONVERTED[name])
            elif name not in shape.names:
                shape.names.append(name)

    def _loop(self, target: ast.expr, source: ast.expr) -> None:
        self.visit(source)
        if not isinstance(target, ast.Name):
            return
        shape = self._leaf(source)
        item = None if shape is None else shape.item()
        if item is None:
            item = Shape()
            self.roots.append(item)
        item.is_row = True
        self._names[target.id] = item

    def _name(self, name: str, shape: Shape | None) -> None:
        if shape is None:
            shape = Shape()
            self.roots.append(shape)
        self._names[name] = shape

    def _leaf(self, node: ast.expr) -> Shape | None:
        """The part of a record that ``node`` is, where it is no mere name of a thing nothing is known of."""
        if isinstance(node, ast.Name) and node.id not in self._names:
            return None
        return self._shape(node)

    def _shape(self, node: ast.expr) -> Shape | None:
        """The part of a record that ``node`` is; None where it is something else."""
        if isinstance(node, ast.Name):
            if node.id not in self._names:
                self._name(node.id, None)
            return self._names[node.id]
        if isinstance(node, ast.BoolOp):
            return self._shape(node.values[0])
        if isinstance(node, ast.Subscript):
            return self._part(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return self._asked(node, node.func)
        return None

    def _part(self, node: ast.Subscript) -> Shape | None:
        key = node.slice
        holder = self._shape(node.value) if isinstance(key, ast.Constant) else None
        if holder is None or not isinstance(key, ast.Constant):
            return None
        if type(key.value) is str:
            return holder.field(key.value)
        return holder.item() if type(key.value) is int else None

    def _asked(self, node: ast.Call, function: ast.Attribute) -> Shape | None:
        """``x.get("key")`` and its like."""
        keys = [one.value for one in node.args if isinstance(one, ast.Constant) and type(one.value) is str]
        if function.attr in _SAME and not node.args:
            return self._leaf(function.value)
        if function.attr in _TWO_KEYS and len(keys) == 2:
            holder = self._shape(function.value)
            return None if holder is None else holder.field(keys[0]).field(keys[1])
        if function.attr in ("get", "pop", "setdefault") and node.args and keys and isinstance(node.args[0], ast.Constant):
            holder = self._shape(function.value)
            return None if holder is None else holder.field(keys[0], optional=True)
        return None


def _constants(node: ast.expr) -> Iterator[Plain]:
    nodes: Iterable[ast.expr] = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else (node,)
    for one in nodes:
        if isinstance(one, ast.Constant) and id(type(one.value)) in _PLAIN:
            yield cast(Plain, one.value)
