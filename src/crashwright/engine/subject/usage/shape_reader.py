"""Reads off one function what it asks of the records and texts in it.

Code that takes a document apart (``row["price"]``, ``data["items"]``, ``order.get("note")``) says what a useful one has to have: in
names, subscripts with constants, loops over them, and what is passed on. So it is with texts that are split, the lines of a file
above all (``day, amount, *rest = line.split(";")``), and with the columns of a table that is made of rows.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from crashwright.engine.subject.introspection import identities
from crashwright.engine.subject.usage.conversions import CONVERTED, written_for, written_parts
from crashwright.engine.subject.usage.loops import ALIKE, counting, counts, gone_through
from crashwright.engine.subject.usage.match_patterns import shape_of_pattern
from crashwright.engine.subject.usage.shapes import TEXT, Plain, Shape, Split
from crashwright.engine.subject.usage.usage import called_name
from crashwright.engine.subject.usage.uses_of_values import Function

_PLAIN = identities(str, int, float)
_SAME = frozenset({"strip", "lstrip", "rstrip", "lower", "upper", "title", "casefold", "copy", "replace", "groupdict"})
"""Methods whose results are of the same kind as what they are called on."""
_OF_TEXT = frozenset({"split", "splitlines", "startswith", "endswith", "replace", "encode", "partition", "isdigit", "format"})
_OF_NUMBERS = (ast.Mult, ast.Div, ast.FloorDiv, ast.Pow)
"""What is done with numbers alone, or with one at least: dates are subtracted too."""
_SPLITS = frozenset({"split", "rsplit", "partition", "rpartition"})
_TABLES = frozenset({"DataFrame", "from_records"})
"""What makes a table of rows, of which a column is asked for as a key is of a row."""
_BY_COLUMNS = frozenset({"groupby", "sort_values", "set_index", "drop_duplicates", "dropna"})
"""Methods of tables that take names of columns, and give a table."""
_OF_NUMBER_COLUMNS = frozenset({"sum", "mean", "median", "std", "var", "cumsum", "diff", "pct_change", "round"})
"""Methods of columns of numbers."""
_TWO_KEYS = frozenset({"getint", "getfloat", "getboolean", "has_option"})
"""Methods of a section and an option (``configparser``)."""
_OF_SECTIONS = frozenset({"getint", "getfloat"})
"""Of a section and one of its options."""


class ShapeReader(ast.NodeVisitor):
    """Reads ``function``. ``passed`` are shapes that go to functions of a name, at a place or by a keyword; ``results`` those that
    such give; ``roots`` those of which nothing is known but what is asked of them."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.passed: list[tuple[str, int | str, Shape]] = []
        self.roots: list[Shape] = []
        self.results: list[tuple[str, Shape]] = []
        self.returned: Shape | None = None
        self._names: dict[str, Shape] = {}
        self._given: dict[str, Shape] = {}
        self._splits: dict[str, Split] = {}
        self._counters: set[str] = set()
        self._under_keys: list[tuple[Shape, str, Shape]] = []
        arguments = [*function.args.posonlyargs, *function.args.args]
        self._parameters = [argument.arg for argument in arguments if argument.arg not in ("self", "cls")]
        self._tables = frozenset(
            one.arg for one in arguments if one.annotation is not None and _last_name(one.annotation) in _TABLES
        )
        self._taken = frozenset((*self._parameters, *(argument.arg for argument in function.args.kwonlyargs)))
        for statement in function.body:
            self.visit(statement)

    def parameter(self, place: int | str) -> Shape | None:
        """What is asked of the parameter at ``place``, or of that name."""
        if type(place) is int:
            place = self._parameters[place] if place < len(self._parameters) else ""
        return self._given.get(str(place))

    def settle(self) -> None:
        """What lies under a key that nobody knows is worth a key as soon as it is known to be a record itself."""
        for holder, key, shape in self._under_keys:
            if shape.fields or shape.items is not None:
                holder.fields.setdefault(key, shape).is_optional = True

    def looks(self) -> dict[str, list[Plain]]:
        """What the parameters have to look like, or may be; that they are texts says nothing yet."""
        found = {name: [value for value in shape.values if value != TEXT] for name, shape in self._given.items()}
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
            if counts(node.value, self._counters):
                self._counters.add(target.id)
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
                if isinstance(node.ops[0], ast.In | ast.NotIn) and one is left and isinstance(other, ast.Name):
                    shape.names.append(other.id)

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
        function, name = node.func, called_name(node)
        if isinstance(function, ast.Attribute) and name in _OF_TEXT:
            shape = self._text(function.value)
            prefixes = [one.value for one in node.args if isinstance(one, ast.Constant) and type(one.value) is str]
            if shape is not None and name == "startswith":
                shape.prefixes += prefixes
            elif shape is not None:
                shape.expect(TEXT)
        for place, argument in enumerate(node.args):
            if isinstance(argument, ast.JoinedStr) and name in CONVERTED and place == 0:
                self._put_together(argument, list(written_for(function, name, node.args)))
            shape = self._shape(argument)
            if shape is None or not name:
                continue
            self.passed.append((name, place, shape))
            if name in CONVERTED and place == 0:
                for written in written_for(function, name, node.args):
                    shape.expect(written)
            elif name not in shape.names:
                shape.names.append(name)
        for word in node.keywords if name else ():
            shape = self._shape(word.value)
            if shape is not None and word.arg is not None:
                self.passed.append((name, word.arg, shape))

    def visit_Match(self, node: ast.Match) -> None:
        """What the patterns ask of the subject, and names for its parts."""
        self.visit(node.subject)
        subject, split = self._shape(node.subject), self._split(node.subject)
        for case in node.cases:
            shape_of_pattern(case.pattern, Shape() if subject is None else subject, split, self._names.__setitem__)
            for part in (case.guard, *case.body):
                if part is not None:
                    self.visit(part)

    def _put_together(self, text: ast.JoinedStr, written: Sequence[Plain]) -> None:
        """The parts of a text that is put together are those of what it has to look like."""
        shapes = [self._leaf(part.value) for part in text.values if isinstance(part, ast.FormattedValue)]
        for parts in written_parts(text, written):
            for shape, value in zip(shapes, parts, strict=True):
                if shape is not None:
                    shape.expect(value)

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
            case ast.Call(func=ast.Name(id=name), args=[*_, source]) if name in ALIKE:
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
        self._counters |= set(counting(target, source))
        target, source = gone_through(target, source)
        if isinstance(target, ast.Tuple) and isinstance(source, ast.Call) and called_name(source) == "items":
            self._pairs(target, source.func)
        if not isinstance(target, ast.Name):
            return
        shape = self._text(source)
        item = None if shape is None else shape.item()
        if item is None:
            item = Shape()
        if item not in self.roots and (shape is None or isinstance(source, ast.Name)):
            self.roots.append(item)  # also of a parameter, which may be a table as well as a list
        item.is_row = True
        self._names[target.id] = item

    def _pairs(self, target: ast.Tuple, function: ast.expr) -> None:
        """Any key of a mapping: the name that it has here is as good as another."""
        match target.elts:
            case [ast.Name(id=key), ast.Name(id=name)] if isinstance(function, ast.Attribute):
                holder = self._text(function.value)
                if holder is not None:
                    self._names[name] = holder.field(key, optional=True)

    def _name(self, name: str, shape: Shape | None) -> None:
        if shape is None:
            shape = Shape()
            self.roots.append(shape)
        self._names[name] = shape

    def _columns_said(self, node: ast.Call, holder: ast.Name) -> None:
        """``offers.pivot(index="sku", columns="supplier")``: the texts that a method of a table is given are mostly its columns."""
        table = self._shape(holder)
        for argument in (*node.args, *(one.value for one in node.keywords)) if table is not None else ():
            for value in _constants(argument):
                if type(value) is str and value.isidentifier() and table is not None and value not in table.made:
                    table.field(value, optional=True)

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
        if isinstance(node, ast.Call) and called_name(node) in _TABLES and node.args:
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
        if counts(key, self._counters):
            holder = self._shape(node.value)
            return None if holder is None else holder.item()
        if isinstance(key, ast.Name):
            return self._under_a_key(node.value, key.id)
        name = key.value if isinstance(key, ast.Constant) else None
        holder = self._shape(node.value) if type(name) is str else None
        return holder.field(name) if holder is not None and type(name) is str else None

    def _under_a_key(self, mapping: ast.expr, key: str) -> Shape | None:
        """What lies under any key; see :meth:`settle`."""
        holder = self._shape(mapping)
        if holder is None:
            return None
        known = next((shape for of, name, shape in self._under_keys if of is holder and name == key), None)
        if known is None:
            known = Shape()
            self._under_keys.append((holder, key, known))
        return known

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
        if isinstance(function.value, ast.Name) and function.value.id in self._tables:
            self._columns_said(node, function.value)
            return None
        if function.attr == "group" and len(keys) == len(node.args) == 1:  # of a match
            holder = self._shape(function.value)
            return None if holder is None else holder.field(keys[0])
        if function.attr in _OF_SECTIONS and len(keys) == 1:
            holder = self._shape(function.value)
            if holder is not None:
                holder.field(keys[0], optional=True).expect(1)
            return None
        if function.attr in ("get", "pop", "setdefault") and node.args and keys and isinstance(node.args[0], ast.Constant):
            holder = self._shape(function.value)
            return None if holder is None else holder.field(keys[0], optional=True)
        return None


def _last_name(annotation: ast.expr) -> str:
    """Of a class as it is annotated."""
    return annotation.attr if isinstance(annotation, ast.Attribute) else annotation.id if isinstance(annotation, ast.Name) else ""


def _constants(node: ast.expr) -> Iterator[Plain]:
    nodes: Iterable[ast.expr] = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else (node,)
    for one in nodes:
        if isinstance(one, ast.Constant) and id(type(one.value)) in _PLAIN:
            yield cast(Plain, one.value)
