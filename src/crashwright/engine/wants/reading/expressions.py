"""What expressions mean and what they do with values: the half of the walk that reads expressions (``statements`` is the other;
calls are read in ``call_expressions``).

Each expression is visited once. What is returned is its term; what it does with the values in it is noted on the way.
"""

from __future__ import annotations

import ast
import collections.abc
from collections.abc import Callable
from typing import cast

from crashwright.engine.subject.api.types import ANY, NONE, ClassHint, Hint
from crashwright.engine.subject.introspection import identities
from crashwright.engine.subject.usage.uses_of_values import OPERATORS
from crashwright.engine.wants.reading.call_expressions import CallWalk, literal
from crashwright.engine.wants.reading.scope_names import ScopeNames
from crashwright.engine.wants.reading.values import (
    ClassSymbol,
    DottedName,
    Module,
    Term,
    Value,
    WrittenValue,
    compare,
    flow,
)

TEXT, INT, BOOL = ClassHint(str), ClassHint(int), ClassHint(bool)
CALLABLE = ClassHint(cast(type, collections.abc.Callable))
_LIST, _SET, _DICT = ClassHint(list), ClassHint(set), ClassHint(dict)
_ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_CONTAINERS: dict[type[ast.expr], Hint] = {
    ast.List: _LIST,
    ast.Tuple: ClassHint(tuple),
    ast.Set: _SET,
    ast.ListComp: _LIST,
    ast.SetComp: _SET,
    ast.DictComp: _DICT,
    ast.GeneratorExp: ClassHint(collections.abc.Iterator),
}
_PLAIN = identities(str, int, float, bytes)
_MOST_ITEMS = 12
"""Of a display that are looked at: tables of constants are long."""


class ExpressionWalk(CallWalk):
    """Reads the expressions of one module."""

    def __init__(self, module: Module) -> None:
        super().__init__(module)
        self._kinds: dict[type[ast.AST], Callable[..., Term]] = {
            ast.Constant: self._constant,
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.Call: self.call,
            ast.Subscript: self._subscript,
            ast.Compare: self._compare,
            ast.BinOp: self._binary,
            ast.BoolOp: self._either,
            ast.UnaryOp: self._unary,
            ast.IfExp: self._conditional,
            ast.JoinedStr: self._joined,
            ast.Dict: self._dict,
            ast.Lambda: self._lambda,
            ast.Await: self._await,
            ast.Yield: self._yield,
            ast.YieldFrom: self._yield_from,
            ast.Starred: self._starred,
            ast.NamedExpr: self._named_expression,
            ast.List: self._display,
            ast.Tuple: self._display,
            ast.Set: self._display,
            **dict.fromkeys((ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp), self._comprehension),
        }

    def term(self, node: ast.expr | None) -> Term:
        """What ``node`` means."""
        if node is None:
            return None
        read = self._kinds.get(type(node))
        return None if read is None else read(node)

    def new(self, line: int, hint: Hint | None = None) -> Value:
        """A value that has no name."""
        value = Value(self.module, line)
        if hint is not None:
            value.sources = [WrittenValue(hint)]
        return value

    # Names and constants

    def _constant(self, node: ast.Constant) -> Term:
        value = node.value
        return WrittenValue(NONE if value is None else ANY if value is Ellipsis else ClassHint(type(value)), value)

    def _name(self, node: ast.Name) -> Term:
        found = self.names.find(node.id)
        return DottedName(self.module, (node.id,)) if found is None else found

    def _attribute(self, node: ast.Attribute) -> Term:
        base = self.term(node.value)
        if isinstance(base, Value):
            return base.attribute(node.attr, node.lineno)
        if isinstance(base, DottedName):
            return base._replace(parts=(*base.parts, node.attr))
        if isinstance(base, ClassSymbol):
            return DottedName(base.module, (*base.qualname.split("."), node.attr))
        return None

    def bind(self, name: str, term: Term, line: int, straight: bool) -> None:
        """An assignment to a name. Only on the straight way does it give the name another meaning."""
        names = self.names
        if names.is_class and names.owner is not None:
            flow(term, names.owner.attribute(name, line))
            names.known[name] = term
            return
        known = names.known.get(name)
        if isinstance(known, Value) and (not straight or names.outer is None):
            flow(term, known)
        elif isinstance(term, Value) and term.made_by is None and names.outer is not None:
            names.known[name] = term
        elif known is None or straight:
            value = self.new(line)
            flow(term, value)
            names.known[name] = value

    # What is done with values

    def _subscript(self, node: ast.Subscript) -> Term:
        base, line = self.term(node.value), node.lineno
        if isinstance(node.slice, ast.Slice):
            for one in (node.slice.lower, node.slice.upper, node.slice.step):
                self._number(self.term(one), line)
            if isinstance(base, Value):
                base.note("slice", line)
            return base
        index = self.term(node.slice)
        return self.part(base, index, line, "store" if isinstance(node.ctx, ast.Store) else "")

    def part(self, base: Term, index: Term, line: int, operation: str = "") -> Term:
        """What ``base[index]`` is."""
        if isinstance(base, DottedName):  # a table of the module, or of another one
            table = self.new(line)
            flow(base, table)
            return table.item(line)
        if not isinstance(base, Value):
            return self.new(line) if isinstance(base, WrittenValue) else None
        key = literal(index)
        if type(key) is str or type(key) is int:
            base.note(operation or ("key" if type(key) is str else "index"), line)
            return base.key(key, line)
        base.note(operation or "item", line)
        return base.item(line)

    def _number(self, term: Term, line: int) -> None:
        if isinstance(term, Value):
            term.note("number", line)

    def _compare(self, node: ast.Compare) -> Term:
        left = self.term(node.left)
        for operator, comparator in zip(node.ops, node.comparators, strict=True):
            right = self.term(comparator)
            if isinstance(operator, ast.In | ast.NotIn):
                self._membership(left, right, comparator, node.lineno)
            elif isinstance(operator, ast.Is | ast.IsNot) and isinstance(comparator, ast.Constant):
                if isinstance(left, Value):
                    left.note("optional" if comparator.value is None else "truth", node.lineno)
            else:
                self._equality(left, right, isinstance(operator, _ORDER), node.lineno)
            left = right
        return WrittenValue(BOOL)

    def _membership(self, left: Term, right: Term, written: ast.expr, line: int) -> None:
        if isinstance(right, Value):
            right.note("contains", line)
            if type(key := literal(left)) is str and right.receiver is None:
                right.key(key, line).note("optional", line)
            elif isinstance(left, Value):
                compare(left, right.item(line))
        elif isinstance(left, Value) and isinstance(right, WrittenValue) and type(right.literal) is str:
            left.note("text", line)
        if isinstance(left, Value) and isinstance(written, ast.List | ast.Tuple | ast.Set):
            for one in written.elts[:_MOST_ITEMS]:
                self._equality(left, self.term(one), False, line)

    def _equality(self, left: Term, right: Term, order: bool, line: int) -> None:
        for one, other in ((left, right), (right, left)):
            if not isinstance(one, Value):
                continue
            if order:
                one.note("order", line)
            if isinstance(other, WrittenValue) and id(type(other.literal)) in _PLAIN:
                one.expect(other.literal, line)
            elif isinstance(other, DottedName) and one.made_by is not None and one.made_by.name == "type":
                origin = one.made_by.argument(0)
                if isinstance(origin, Value):
                    self.test(origin, other, line)
            else:
                compare(one, other)

    def _binary(self, node: ast.BinOp) -> Term:
        left, right, line = self.term(node.left), self.term(node.right), node.lineno
        if isinstance(left, WrittenValue) and isinstance(node.op, ast.Mod) and type(left.literal) is str:
            return WrittenValue(TEXT)
        operation = OPERATORS.get(type(node.op), "number")
        result = self.new(line)
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Value):
                one.note(operation, line)
                if isinstance(other, WrittenValue) and operation != "multiply" and id(type(other.literal)) in _PLAIN:
                    one.note("text" if type(other.literal) is str else "bytes" if type(other.literal) is bytes else "number", line)
                elif operation in ("add", "subtract", "combine"):
                    compare(one, other)
            flow(one, result)
        return result

    def _either(self, node: ast.BoolOp) -> Term:
        result = self.new(node.lineno)
        for one in node.values:
            term = self.term(one)
            if isinstance(term, Value) and isinstance(one, ast.Name | ast.Attribute) and one is not node.values[-1]:
                term.note("optional", node.lineno)
            flow(term, result)
        return result

    def _unary(self, node: ast.UnaryOp) -> Term:
        term = self.term(node.operand)
        if isinstance(node.op, ast.Not):
            if isinstance(term, Value):
                term.note("optional", node.lineno)
            return WrittenValue(BOOL)
        if isinstance(term, Value):
            term.note("number", node.lineno)
        return term

    def _conditional(self, node: ast.IfExp) -> Term:
        self.test_of(node.test)
        result = self.new(node.lineno)
        flow(self.term(node.body), result)
        flow(self.term(node.orelse), result)
        return result

    def test_of(self, node: ast.expr) -> None:
        """A condition: that something may be missing, and little else."""
        term = self.term(node)
        if isinstance(term, Value):
            term.note("optional" if isinstance(node, ast.Name | ast.Attribute) else "truth", node.lineno)

    def _await(self, node: ast.Await) -> Term:
        term = self.term(node.value)
        if isinstance(term, Value) and term.made_by is None:
            term.note("await", node.lineno)
        return term

    def _starred(self, node: ast.Starred) -> Term:
        term = self.term(node.value)
        if isinstance(term, Value):
            term.note("iterate", node.lineno)
        return term

    def _joined(self, node: ast.JoinedStr) -> Term:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                term = self.term(part.value)
                written = part.format_spec
                if isinstance(term, Value) and isinstance(written, ast.JoinedStr) and written.values:
                    last = written.values[-1]
                    if isinstance(last, ast.Constant) and str(last.value)[-1:] in "dfeg%x":
                        term.note("number", node.lineno)
        return WrittenValue(TEXT)

    def _named_expression(self, node: ast.NamedExpr) -> Term:
        term = self.term(node.value)
        self.bind(node.target.id, term, node.lineno, False)
        return self.names.known.get(node.target.id)

    def _yield(self, node: ast.Yield) -> Term:
        term = self.term(node.value)
        if self.names.function is not None:
            self.names.function.is_generator = True
            flow(term, self.names.function.returned.item(node.lineno))
        return None

    def _yield_from(self, node: ast.YieldFrom) -> Term:
        self.went_through(self.term(node.value), node.lineno)
        if self.names.function is not None:
            self.names.function.is_generator = True
        return None

    # Displays and comprehensions

    def _display(self, node: ast.List | ast.Tuple | ast.Set) -> Term:
        value = self.new(node.lineno, _CONTAINERS[type(node)])
        if not node.elts:
            return WrittenValue(_CONTAINERS[type(node)])
        for place, one in enumerate(node.elts[:_MOST_ITEMS]):
            term = self.term(one)
            flow(term, value.key(place, node.lineno) if isinstance(node, ast.Tuple) else value.item(node.lineno))
        return value

    def _dict(self, node: ast.Dict) -> Term:
        if not node.keys:
            return WrittenValue(_DICT)
        value = self.new(node.lineno, _DICT)
        for key, one in zip(node.keys, node.values, strict=True):
            name, term = self.term(key), self.term(one)
            if isinstance(name, WrittenValue) and type(name.literal) is str:
                flow(term, value.key(name.literal, node.lineno))
            elif key is None:
                flow(term, value)
            else:
                flow(term, value.item(node.lineno))
        return value

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Term:
        outer, self.names = self.names, ScopeNames(self.names, {}, self.names.prefix)
        for one in node.generators:
            self.loop(one.target, one.iter)
            for condition in one.ifs:
                self.test_of(condition)
        value = self.new(node.lineno, _CONTAINERS[type(node)])
        if isinstance(node, ast.DictComp):
            self.term(node.key)
        flow(self.term(node.value if isinstance(node, ast.DictComp) else node.elt), value.item(node.lineno))
        self.names = outer
        return value

    def loop(self, target: ast.expr, source: ast.expr) -> None:
        """``for target in source``."""
        raise NotImplementedError

    def went_through(self, term: Term, line: int) -> Value | None:
        """What going through it gives."""
        if not isinstance(term, Value):
            return None
        term.note("iterate", line)
        return term.item(line)

    def _lambda(self, node: ast.Lambda) -> Term:
        raise NotImplementedError
