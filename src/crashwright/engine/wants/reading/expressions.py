"""What expressions mean and what they do with values: the half of the walk that reads expressions (``statements`` is the other).

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
from crashwright.engine.wants.reading.values import (
    CallNote,
    ClassSymbol,
    DottedName,
    FunctionSymbol,
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
_GOING_THROUGH = frozenset({"list", "tuple", "set", "frozenset", "sorted", "iter", "reversed"})
_CONTAINERS: dict[type[ast.expr], Hint] = {
    ast.List: _LIST,
    ast.Tuple: ClassHint(tuple),
    ast.Set: _SET,
    ast.ListComp: _LIST,
    ast.SetComp: _SET,
    ast.DictComp: _DICT,
    ast.GeneratorExp: ClassHint(collections.abc.Iterator),
}
LOOKING_UP = frozenset({"get", "pop", "setdefault"})
_PLAIN = identities(str, int, float, bytes)
_MOST_ITEMS = 12
"""Of a display that are looked at: tables of constants are long."""


class ScopeNames:
    """The names of one function, class or module, and what is around it."""

    __slots__ = ("function", "is_class", "known", "outer", "owner", "prefix")

    def __init__(self, outer: ScopeNames | None, known: dict[str, Term], prefix: str = "") -> None:
        self.outer = outer
        self.known = known
        self.prefix = prefix
        self.is_class = False
        self.function: FunctionSymbol | None = None if outer is None else outer.function
        self.owner: ClassSymbol | None = None if outer is None else outer.owner

    def find(self, name: str) -> Term:
        """None where no function around has it: then it is one of the module."""
        here: ScopeNames | None = self
        while here is not None and here.outer is not None:
            if name in here.known and (not here.is_class or here is self):
                return here.known[name]
            here = here.outer
        return None


class ExpressionWalk:
    """Reads the expressions of one module. ``sites`` are all calls in it."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.sites: list[CallNote] = []
        self.names = ScopeNames(None, module.names)
        self._kinds: dict[type[ast.AST], Callable[..., Term]] = {
            ast.Constant: self._constant,
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.Call: self._call,
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

    # Calls

    def _call(self, node: ast.Call) -> Term:
        site = self._site(node)
        for place, argument in enumerate(node.args):
            if isinstance(argument, ast.Starred):
                spread = self.term(argument.value)
                if isinstance(spread, Value):
                    spread.note("iterate", node.lineno)
                self._pass(site, "*", spread)
                break
            self._pass(site, place, self.term(argument))
        for argument in node.args[len([one for one in site.arguments if one[0] != "**"]) :]:
            self.term(argument)
        for keyword in node.keywords:
            self._pass(site, keyword.arg or "**", self.term(keyword.value))
        self.sites.append(site)
        if isinstance(node.func, ast.Name):
            self._builtin(site, node)
        elif site.name == "copy" and not node.args:
            flow(site.receiver, site.result)
        elif site.name == "update" and isinstance(site.receiver, Value):
            for _, term in [one for one in site.arguments if one[0] in (0, "**")]:
                flow(term, site.receiver)
        elif site.name in LOOKING_UP and isinstance(site.receiver, Value) and type(key := _literal(site.argument(0))) is str:
            part = site.receiver.key(key, node.lineno)
            flow(part, site.result)
            flow(site.argument(1), part)
        return site.result

    def _site(self, node: ast.Call) -> CallNote:
        function = node.func
        if isinstance(function, ast.Attribute):
            site = CallNote(self.module, node.lineno, function.attr)
            inner = function.value
            if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id == "super":
                site.above = self.names.owner
            else:
                self._of(site, self.term(inner), function.attr)
        else:
            site = CallNote(self.module, node.lineno, function.id if isinstance(function, ast.Name) else "")
            self._of(site, self.term(function), "")
        site.function = self.names.function
        return site

    def _of(self, site: CallNote, base: Term, name: str) -> None:
        if isinstance(base, DottedName):
            site.named = base._replace(parts=(*base.parts, name)) if name else base
        elif isinstance(base, ClassSymbol):
            site.named = DottedName(base.module, (*base.qualname.split("."), name)) if name else base
        elif isinstance(base, FunctionSymbol):
            site.named = base
        else:
            site.receiver, site.of_itself = base, not name
            if isinstance(base, Value):
                if not base.methods:
                    base.methods = []
                base.methods.append(site)

    def _pass(self, site: CallNote, place: int | str, term: Term) -> None:
        site.arguments.append((place, term))
        if isinstance(term, Value):
            if not term.passed:
                term.passed = []
            term.passed.append((site, place))

    def _builtin(self, site: CallNote, node: ast.Call) -> None:
        """What a few builtins say of what they are passed."""
        first = site.argument(0)
        if not isinstance(first, Value):
            return
        if site.name in ("isinstance", "issubclass") and len(node.args) == 2:
            for one in node.args[1].elts if isinstance(node.args[1], ast.Tuple) else (node.args[1],):
                self.test(first, self.term(one), node.lineno)
        elif site.name in ("hasattr", "getattr") and type(name := site.literal(1)) is str:
            part = first.attribute(name, node.lineno)
            flow(part, site.result)
            flow(site.argument(2), part)
        elif site.name in _GOING_THROUGH or site.name in ("enumerate", "zip", "sum", "any", "all", "map", "filter", "min", "max"):
            for _, term in site.arguments:
                if isinstance(term, Value) and term is not site.argument("key"):
                    term.note("iterate" if site.name not in ("min", "max") or len(node.args) == 1 else "order", node.lineno)
            if site.name in _GOING_THROUGH:
                flow(first.item(node.lineno), site.result.item(node.lineno))
        elif site.name == "dict":
            flow(first, site.result)
        elif site.name in ("len", "callable", "next"):
            first.note({"len": "length", "callable": "call", "next": "next"}[site.name], node.lineno)

    def test(self, value: Value, asked: Term, line: int) -> None:
        """It is asked whether ``value`` is an instance of ``asked``."""
        if not value.tested:
            value.tested = []
        value.tested.append((asked, line))

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
        key = _literal(index)
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
            if type(key := _literal(left)) is str and right.receiver is None:
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


def _literal(term: Term) -> object:
    """What is written there, or stands for it as a constant of its module."""
    if isinstance(term, DottedName) and term.module is not None and len(term.parts) == 1:
        written = term.module.written.get(term.parts[0])
        return written.value if isinstance(written, ast.Constant) else None
    return term.literal if isinstance(term, WrittenValue) else None
