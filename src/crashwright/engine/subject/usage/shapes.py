"""The shape of the records that functions read: which keys of which value, nested how, and what becomes of what stands there.

Code that takes a document apart (``row["price"]``, ``data["items"]``, ``order.get("note")``) says what a useful one has to have. It
is read off the syntax: names, subscripts with constants, loops over them, and what is passed on to another of the functions. So it
is with texts that are split, the lines of a file above all (``day, amount, *rest = line.split(";")``).

# Deviation: not in the papers; a type says this of no text and of no dict, in Java or in Python.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, cast

from crashwright.engine.subject.introspection import class_dict, identities, is_class

Plain = str | int | float
_PLAIN = identities(str, int, float)
_SAME = frozenset({"strip", "lstrip", "rstrip", "lower", "upper", "title", "casefold", "copy", "replace"})
"""Methods whose results are of the same kind as what they are called on."""
_OF_TEXT = frozenset({"split", "splitlines", "startswith", "endswith", "replace", "encode", "partition", "isdigit", "format"})
_OF_NUMBERS = (ast.Mult, ast.Div, ast.FloorDiv, ast.Pow)
"""What is done with numbers alone, or with one at least: dates are subtracted too."""
_SPLITS = frozenset({"split", "rsplit", "partition", "rpartition"})
_ALIKE = frozenset({"map", "list", "tuple", "iter", "sorted"})
"""Functions that give the items of their last argument, or what is made of each."""
_WIDE, _DEEPEST = 12, 6
"""Parts of a text, and records within each other."""
_PASSES = 3
"""How far what a function asks is followed to where its argument comes from."""
_TABLES = frozenset({"DataFrame", "from_records"})
"""What makes a table of rows, of which a column is asked for as a key is of a row."""
_BY_COLUMNS = frozenset({"groupby", "sort_values", "set_index", "drop_duplicates", "dropna"})
"""Methods of tables that take names of columns, and give a table."""
_OF_NUMBER_COLUMNS = frozenset({"sum", "mean", "median", "std", "var", "cumsum", "diff", "pct_change", "round"})
"""Methods of columns of numbers."""
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
    "to_datetime": "2020-01-02",
    "UUID": "12345678-1234-5678-1234-567812345678",
    "ip_address": "127.0.0.1",
    "urlparse": "http://example.org/",
    "b64decode": "YQ==",
    "fromhex": "00ff",
}
"""What a text has to look like that a function of this name takes."""
_ISO = {"date": "%Y-%m-%d", "datetime": "%Y-%m-%dT%H:%M:%S", "time": "%H:%M"}
_NUMBERS = frozenset({"int", "float", "Decimal", "Fraction"})
"""Of these names nothing is as telling as zero."""
MOST_VALUES = 8
_TEXT = "text"
"""Stands for any."""
MOMENT = datetime(2020, 1, 2, 13, 4, 5, tzinfo=UTC)
MOMENTS = (MOMENT, datetime(2030, 12, 31, 23, 59, 58, tzinfo=UTC), datetime(2001, 2, 3, 1, 2, 3, tzinfo=UTC))
"""What is written where a moment is read: it may have to be later than another one, or earlier."""


class Shape:
    """What is asked of one value. ``fields`` are read from it by their keys, in the order of the source; ``items`` when it is
    iterated over; ``values`` it is compared with or has to look like; ``names`` are its own and those of what it is passed to.
    ``is_row``: it is what a loop goes through. What is ``made`` are keys that the code itself adds. ``splits`` are the marks that
    it is split at, with the parts; ``kinds`` follow the prefixes that it may have."""

    __slots__ = ("fields", "is_optional", "is_row", "items", "kinds", "made", "names", "prefixes", "splits", "values")

    def __init__(self) -> None:
        self.fields: dict[str, Shape] = {}
        self.items: Shape | None = None
        self.values: list[Plain] = []
        self.names: list[str] = []
        self.is_optional = False
        self.is_row = False
        self.splits: dict[str, Split] = {}
        self.kinds: dict[str, Shape] = {}
        self.prefixes: list[str] = []
        self.made: set[str] = set()

    def field(self, key: str, optional: bool = False) -> Shape:
        """The value under ``key``."""
        found = self.fields.get(key)
        if found is None:
            found = self.fields[key] = Shape()
            found.names.append(key)
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

    def absorb(self, other: Shape, depth: int = 0) -> None:
        """It is asked what ``other`` is asked too."""
        if other is self or depth > _DEEPEST:
            return
        for key, shape in other.fields.items():
            if key not in self.made:
                self.field(key, shape.is_optional).absorb(shape, depth + 1)
        if other.items is not None:
            self.item().absorb(other.items, depth + 1)
        for value in other.values:
            self.expect(value)
        self.names += [name for name in other.names if name not in self.names]
        for mark, split in other.splits.items():
            self.splits.setdefault(mark, Split()).absorb(split, depth + 1)
        for prefix, kind in other.kinds.items():
            self.kinds.setdefault(prefix, Shape()).absorb(kind, depth + 1)


class Split:
    """The parts of a text that is split at a mark. ``least``: so many are always taken."""

    __slots__ = ("least", "parts")

    def __init__(self) -> None:
        self.parts: list[Shape] = []
        self.least = 0

    def part(self, place: int) -> Shape | None:
        """None where that is far out, or counted from the end."""
        if not 0 <= place < _WIDE:
            return None
        self.parts += [Shape() for _ in range(place + 1 - len(self.parts))]
        return self.parts[place]

    def absorb(self, other: Split, depth: int) -> None:
        """What is asked of its parts is asked of these."""
        self.least = max(self.least, other.least)
        for place, shape in enumerate(other.parts):
            mine = self.part(place)
            if mine is not None:
                mine.absorb(shape, depth)


def records_in(functions: Sequence[ast.AST]) -> list[Shape]:
    """The records that ``functions`` read, those of the most keys first; what is passed on from one to another is one record."""
    readers, passed_on = _readers(functions)
    roots = {id(shape): shape for reader in readers for shape in reader.roots}
    found = [shape for number, shape in roots.items() if number not in passed_on and _keys(shape)]
    return sorted(found, key=lambda shape: -_keys(shape))


def delimiter_in(functions: Iterable[ast.AST]) -> str:
    """What is said to stand between the cells of a table; a comma where nothing is."""
    for function in functions:
        for node in ast.walk(function):
            if isinstance(node, ast.keyword) and node.arg in ("delimiter", "sep") and isinstance(node.value, ast.Constant):
                mark = node.value.value
                if type(mark) is str and len(mark) == 1 and not mark.isalnum() and mark not in "\r\n":
                    return mark
    return ","


def looks_of_parameters(functions: Sequence[ast.AST]) -> dict[int, dict[str, list[Plain]]]:
    """What the parameters of ``functions`` have to look like, where they are taken apart or turned into
    something (``date.fromisoformat(day)``), or handed to what does so: by the ``id`` of the function and the parameter."""
    found = {id(reader.function): reader.looks() for reader in _readers(functions)[0]}
    return {function: looks for function, looks in found.items() if looks}


def records_of_parameters(functions: Sequence[ast.AST]) -> dict[int, dict[str, Shape]]:
    """The parameters of ``functions`` that are records, or collections of them: by the ``id`` of the function and the parameter."""
    found = {id(reader.function): reader.records() for reader in _readers(functions)[0]}
    return {function: records for function, records in found.items() if records}


def _readers(functions: Sequence[ast.AST]) -> tuple[list[_Reader], set[int]]:
    """One for each of ``functions``, and what is passed on from one to another."""
    readers = [_Reader(node) for node in functions if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    by_name = {reader.function.name: reader for reader in readers}
    passed_on: set[int] = set()
    for reader in [*reversed(readers)] * _PASSES:  # innermost first: what it asks is then known where it is passed on
        for name, place, shape in reader.passed:
            inner = by_name.get(name)
            root = None if inner is None or inner is reader else inner.parameter(place)
            if root is not None and root is not shape:
                shape.absorb(root)
                passed_on.add(id(root))
        for name, shape in reader.results:
            inner = by_name.get(name)
            if inner is not None and inner.returned is not None and inner.returned is not shape:
                inner.returned.absorb(shape)
                passed_on.add(id(shape))
    return readers, passed_on


def known_values(namespaces: Sequence[Mapping[str, object]], named: Mapping[str, list[Plain]]) -> Callable[[str], list[Plain]]:
    """What is ``named`` so, else what the callable of that name in one of these modules takes: of an enum the values that it
    knows."""

    def values(name: str) -> list[Plain]:
        if name in named:
            return named[name][:MOST_VALUES]
        for namespace in namespaces:
            found = namespace.get(name)
            if is_class(found):
                members = class_dict(found).get("_value2member_map_")
                keys: Iterable[Any] = members if type(members) is dict else ()
                return [key for key in keys if id(type(key)) in _PLAIN][:MOST_VALUES]
        return []

    return values


def _keys(shape: Shape, depth: int = 0) -> int:
    if depth > 4:
        return 0
    inner = sum(1 + _keys(one, depth + 1) for one in shape.fields.values())
    inner += sum(len(split.parts) for one in (shape, *shape.kinds.values()) for split in one.splits.values())
    return inner + (_keys(shape.items, depth + 1) if shape.items is not None else 0)


class _Reader(ast.NodeVisitor):
    """Reads one function."""

    def __init__(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.function = function
        self.passed: list[tuple[str, int, Shape]] = []
        self.roots: list[Shape] = []
        self.results: list[tuple[str, Shape]] = []
        self.returned: Shape | None = None
        self._names: dict[str, Shape] = {}
        self._given: dict[str, Shape] = {}
        self._splits: dict[str, Split] = {}
        arguments = [*function.args.posonlyargs, *function.args.args]
        self._parameters = [argument.arg for argument in arguments if argument.arg not in ("self", "cls")]
        self._taken = frozenset((*self._parameters, *(argument.arg for argument in function.args.kwonlyargs)))
        for statement in function.body:
            self.visit(statement)

    def parameter(self, place: int) -> Shape | None:
        """What is asked of the parameter at ``place``."""
        return self._given.get(self._parameters[place]) if place < len(self._parameters) else None

    def looks(self) -> dict[str, list[Plain]]:
        """What the parameters have to look like, or may be; that they are texts says nothing yet."""
        found = {name: [value for value in shape.values if value != _TEXT] for name, shape in self._given.items()}
        return {name: values for name, values in found.items() if values}

    def records(self) -> dict[str, Shape]:
        """The parameters that have keys, or whose items do."""
        return {
            name: shape for name, shape in self._given.items() if shape.fields or (shape.items is not None and shape.items.fields)
        }

    def _passed_over(self, node: ast.AST) -> None:
        """What stands in it has names of its own."""

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = visit_ClassDef = _passed_over

    def visit_Assign(self, node: ast.Assign) -> None:
        """A name for a part of a record."""
        self.generic_visit(node)
        if len(node.targets) != 1:
            return
        target = node.targets[0]
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant) and type(target.slice.value) is str:
            holder = self._shape(target.value)
            if holder is not None and target.slice.value not in holder.fields:
                holder.made.add(target.slice.value)
        split = self._split(node.value)
        if isinstance(target, ast.Name) and split is not None:
            self._splits[target.id] = split
        elif isinstance(target, ast.Name):
            self._splits.pop(target.id, None)
            self._name(target.id, self._shape(node.value))
            if isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name):
                self.results.append((node.value.func.id, self._names[target.id]))
        elif isinstance(target, ast.Tuple | ast.List) and split is not None:
            self._unpacked(target.elts, split)

    def visit_Return(self, node: ast.Return) -> None:
        """What callers go on with."""
        self.generic_visit(node)
        if isinstance(node.value, ast.Name):
            self.returned = self._shape(node.value)

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
            ) or (shape is not None and isinstance(one, ast.Subscript) and isinstance(node.op, _OF_NUMBERS)):
                shape.expect(1)

    def visit_Call(self, node: ast.Call) -> None:
        """What a value is turned into, or where it goes."""
        self.generic_visit(node)
        self._shape(node)
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
        if isinstance(function, ast.Attribute) and name in _OF_TEXT:
            shape = self._text(function.value)
            prefixes = [one.value for one in node.args if isinstance(one, ast.Constant) and type(one.value) is str]
            if shape is not None and name == "startswith":
                shape.prefixes += prefixes
            elif shape is not None:
                shape.expect(_TEXT)
        for place, argument in enumerate(node.args):
            shape = self._shape(argument)
            if shape is None or not name:
                continue
            self.passed.append((name, place, shape))
            if name in _CONVERTED and place == 0:
                for written in _written(function, name, node.args):
                    shape.expect(written)
            elif name not in shape.names:
                shape.names.append(name)

    def _unpacked(self, targets: Sequence[ast.expr], split: Split) -> None:
        """Names for the parts; what a star takes need not be there."""
        for place, target in enumerate(targets):
            if isinstance(target, ast.Starred):
                split.part(place)
                return
            split.least = max(split.least, place + 1)
            shape = split.part(place)
            if isinstance(target, ast.Name) and shape is not None:
                self._names[target.id] = shape

    def _split(self, node: ast.expr) -> Split | None:
        """The parts of a text, where ``node`` is what splitting it gives, or as much of each part."""
        match node:
            case ast.Name(id=name):
                return self._splits.get(name)
            case (
                ast.ListComp(generators=[ast.comprehension(iter=source)])
                | ast.GeneratorExp(generators=[ast.comprehension(iter=source)])
            ):
                return self._split(source)
            case ast.Call(func=ast.Name(id=name), args=[*_, source]) if name in _ALIKE:
                return self._split(source)
            case ast.Call(func=ast.Attribute(value=text, attr=method), args=arguments) if method in _SPLITS:
                return self._split_at(self._shape(text), method, arguments)
        return None

    def _split_at(self, shape: Shape | None, method: str, arguments: Sequence[ast.expr]) -> Split | None:
        mark = arguments[0].value if arguments and isinstance(arguments[0], ast.Constant) else None if arguments else " "
        if shape is None or type(mark) is not str or mark in ("", "\n"):
            return None
        split = shape.splits.setdefault(mark, Split())
        if method.endswith("partition"):  # the second of three is the mark
            between = Split()
            split.part(1)
            between.parts = [split.parts[0], Shape(), split.parts[1]]
            return between
        return split

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

    def _text(self, node: ast.expr) -> Shape | None:
        """As :meth:`_leaf`, of what is used as a text: a parameter may be one."""
        return self._shape(node) if isinstance(node, ast.Name) and node.id in self._parameters else self._leaf(node)

    def _shape(self, node: ast.expr) -> Shape | None:
        """The part of a record that ``node`` is; None where it is something else."""
        if isinstance(node, ast.Name):
            if node.id not in self._names:
                self._name(node.id, None)
                if node.id in self._taken:
                    self._given[node.id] = self._names[node.id]
            return self._names[node.id]
        if isinstance(node, ast.BoolOp):
            return self._shape(node.values[0])
        if isinstance(node, ast.Subscript):
            return self._part(node)
        if isinstance(node, ast.Call) and _called(node) in _TABLES and node.args:
            rows = self._shape(node.args[0])
            return None if rows is None else rows.item()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return self._asked(node, node.func)
        return None

    def _part(self, node: ast.Subscript) -> Shape | None:
        key = node.slice
        split = self._split(node.value)
        if split is not None:
            return split.part(key.value) if isinstance(key, ast.Constant) and type(key.value) is int else None
        if isinstance(key, ast.Slice):
            return self._behind_prefix(node.value, key)
        holder = self._shape(node.value) if isinstance(key, ast.Constant) else None
        if holder is None or not isinstance(key, ast.Constant):
            return None
        if type(key.value) is str:
            return holder.field(key.value)
        return holder.item() if type(key.value) is int else None

    def _behind_prefix(self, text: ast.expr, cut: ast.Slice) -> Shape | None:
        """What ``text[7:]`` is, where it was asked for a prefix as long as that."""
        shape = self._text(text)
        length = cut.lower.value if isinstance(cut.lower, ast.Constant) and cut.upper is None else None
        prefix = None if shape is None else next((one for one in shape.prefixes if len(one) == length), None)
        return None if shape is None or prefix is None else shape.kinds.setdefault(prefix, Shape())

    def _asked(self, node: ast.Call, function: ast.Attribute) -> Shape | None:
        """``x.get("key")`` and its like."""
        keys = [one.value for one in node.args if isinstance(one, ast.Constant) and type(one.value) is str]
        if function.attr in _SAME and (not node.args or function.attr == "replace"):
            return self._text(function.value)
        if function.attr == "removeprefix" and keys:
            holder = self._text(function.value)
            return None if holder is None else holder.kinds.setdefault(keys[0], Shape())
        if function.attr in _TWO_KEYS and len(keys) == 2:
            holder = self._shape(function.value)
            return None if holder is None else holder.field(keys[0]).field(keys[1])
        if function.attr in _OF_NUMBER_COLUMNS and isinstance(function.value, ast.Subscript):
            column = self._shape(function.value)
            if column is not None:
                column.expect(1)
            return None
        if function.attr in _BY_COLUMNS:
            table = self._text(function.value)
            for argument in node.args if table is not None else ():
                for value in _constants(argument):
                    if type(value) is str and table is not None and value not in table.made:
                        table.field(value)
            return table
        if function.attr in ("get", "pop", "setdefault") and node.args and keys and isinstance(node.args[0], ast.Constant):
            holder = self._shape(function.value)
            return None if holder is None else holder.field(keys[0], optional=True)
        return None


def _written(function: ast.expr, name: str, arguments: Sequence[ast.expr]) -> Iterator[Plain]:
    """What the function of that name reads: a moment in the format that it is given, later and earlier ones; a number, and zero."""
    layout = arguments[1].value if name == "strptime" and len(arguments) > 1 and isinstance(arguments[1], ast.Constant) else None
    holder = function.value if isinstance(function, ast.Attribute) else None
    of = holder.id if isinstance(holder, ast.Name) else holder.attr if isinstance(holder, ast.Attribute) else ""
    if type(layout) is str:
        yield from (moment.strftime(layout) for moment in MOMENTS)
    elif name == "fromisoformat":
        yield from (moment.strftime(_ISO.get(of, _ISO["date"])) for moment in MOMENTS)
    else:
        yield _CONVERTED[name]
        if name in _NUMBERS:
            yield "0"


def _called(node: ast.Call) -> str:
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""


def _constants(node: ast.expr) -> Iterator[Plain]:
    nodes: Iterable[ast.expr] = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else (node,)
    for one in nodes:
        if isinstance(one, ast.Constant) and id(type(one.value)) in _PLAIN:
            yield cast(Plain, one.value)
