"""The walk over a module: what its statements define and assign (``expressions`` is the other half)."""

from __future__ import annotations

import ast

from crashwright.engine.wants.reading.expressions import CALLABLE, INT, TEXT, ExpressionWalk
from crashwright.engine.wants.reading.scope_names import ScopeNames
from crashwright.engine.wants.reading.values import ClassSymbol, DottedName, FunctionSymbol, Module, Term, Value, WrittenValue, flow

_Definition = ast.FunctionDef | ast.AsyncFunctionDef
_SAME_ITEMS = frozenset({"list", "tuple", "set", "sorted", "iter", "reversed"})


class ModuleWalk(ExpressionWalk):
    """Reads one module whole. ``functions`` and ``classes`` are all that are defined in it, at any depth."""

    def __init__(self, module: Module, tree: ast.Module) -> None:
        super().__init__(module)
        self.functions: list[FunctionSymbol] = []
        self.classes: list[ClassSymbol] = []
        self.registrations: list[tuple[Term, FunctionSymbol]] = []
        self._waiting: list[tuple[FunctionSymbol, ScopeNames]] = []
        self.block(tree.body, True)
        while self._waiting:
            self._body(*self._waiting.pop())

    def block(self, statements: list[ast.stmt], straight: bool) -> None:
        """Statements in order."""
        for statement in statements:
            self._statement(statement, straight)

    def _statement(self, node: ast.stmt, straight: bool) -> None:
        match node:
            case ast.Expr(value=value):
                self.term(value)
            case ast.Assign(targets=targets, value=value):
                self._assign(targets, value, straight)
            case ast.AnnAssign():
                self._annotated(node, straight)
            case ast.AugAssign(target=target, op=op, value=value):
                self.term(ast.copy_location(ast.BinOp(_loaded(target), op, value), node))
            case ast.Return(value=value):
                function = self.names.function
                term = self.term(value)
                if function is not None and value is not None:
                    flow(term, function.returned)
            case ast.If(test=test) | ast.While(test=test) | ast.Assert(test=test):
                self.test_of(test)
            case ast.For(target=target, iter=source) | ast.AsyncFor(target=target, iter=source):
                self.loop(target, source)
            case ast.With(items=items) | ast.AsyncWith(items=items):
                for item in items:
                    self._entered(item, straight)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._function(node)
            case ast.ClassDef():
                self._class(node)
            case ast.Import() | ast.ImportFrom():
                self._import(node)
            case ast.Raise(exc=raised, cause=cause):
                self.term(raised)
                self.term(cause)
            case ast.Delete(targets=targets):
                for target in targets:
                    self.term(target)
            case ast.Match():
                self._match(node)
        for body in _blocks(node):
            self.block(body, False)

    # Assignments

    def _assign(self, targets: list[ast.expr], value: ast.expr, straight: bool) -> None:
        if isinstance(value, ast.Tuple) and isinstance(targets[0], ast.Tuple) and len(value.elts) == len(targets[0].elts):
            terms = [self.term(one) for one in value.elts]
            for target, term in zip(targets[0].elts, terms, strict=True):
                self._store(target, term, straight)
            return
        term = self.term(value)
        for target in targets:
            self._store(target, term, straight)
            if self.names.outer is None and isinstance(target, ast.Name):
                self.module.written[target.id] = value

    def _store(self, target: ast.expr, term: Term, straight: bool) -> None:
        line = target.lineno
        match target:
            case ast.Name(id=name):
                self.bind(name, term, line, straight)
            case ast.Attribute(value=value, attr=name):
                base = self.term(value)
                if isinstance(base, Value):
                    flow(term, base.attribute(name, line))
            case ast.Subscript(value=value, slice=index):
                part = self.part(self.term(value), self.term(index), line, "store")
                if isinstance(part, Value):
                    flow(term, part)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                self._unpacked(targets, term, line, straight)
            case ast.Starred(value=value):
                self._store(value, None, straight)

    def _unpacked(self, targets: list[ast.expr], term: Term, line: int, straight: bool) -> None:
        starred = any(isinstance(one, ast.Starred) for one in targets)
        if isinstance(term, Value):
            term.note("unpack", line)
            term.width = max(term.width, len(targets) - starred)
        for place, target in enumerate(targets):
            known = isinstance(term, Value) and not isinstance(target, ast.Starred) and not starred
            self._store(target, term.key(place, line) if known and isinstance(term, Value) else self.new(line), straight)

    def _annotated(self, node: ast.AnnAssign, straight: bool) -> None:
        term = self.term(node.value)
        owner = self.names.owner
        if isinstance(node.target, ast.Name) and self.names.is_class and owner is not None:
            name = node.target.id
            owner.fields.append(name)
            owner.annotations[name] = node.annotation
            flow(term, owner.attribute(name, node.lineno))
            return
        if isinstance(node.target, ast.Attribute) and owner is not None:
            base = self.term(node.target.value)
            if isinstance(base, Value) and base.receiver is owner:
                owner.annotations[node.target.attr] = node.annotation
        if node.value is not None:
            self._store(node.target, term, straight)
            if self.names.outer is None and isinstance(node.target, ast.Name):
                self.module.written[node.target.id] = node.value

    def _entered(self, item: ast.withitem, straight: bool) -> None:
        term = self.term(item.context_expr)
        if isinstance(term, Value) and term.made_by is None:
            term.note("with", item.context_expr.lineno)
        if item.optional_vars is not None:
            self._store(item.optional_vars, term, straight)

    # Loops

    def loop(self, target: ast.expr, source: ast.expr) -> None:
        """The target is given what going through the source gives; pairs of ``enumerate``, ``zip`` and ``items`` part by part."""
        line = source.lineno
        term = self.term(source)
        if isinstance(term, Value) and term.made_by is not None and isinstance(source, ast.Call):
            pairs = self._pairs(source, term)
            if pairs is not None and isinstance(target, ast.Tuple) and len(target.elts) == len(pairs):
                for one, given in zip(target.elts, pairs, strict=True):
                    self._store(one, given, False)
                return
            if len(pairs or ()) == 1:
                self._store(target, (pairs or [None])[0], False)
                return
        self._store_item(target, self.went_through(term, line), line)

    def _store_item(self, target: ast.expr, item: Term, line: int) -> None:
        if isinstance(target, ast.Name):
            value = self.new(line)
            flow(item, value)
            known = self.names.known.get(target.id)
            if isinstance(known, Value):
                flow(item, known)
            else:
                self.names.known[target.id] = item if isinstance(item, Value) else value
        else:
            self._store(target, item, False)

    def _pairs(self, source: ast.Call, term: Value) -> list[Term] | None:
        """What each round gives of a call that goes through something else."""
        site, line = term.made_by, source.lineno
        if site is None:
            return None
        inner = [self._item_of(one, line) for place, one in site.arguments if type(place) is int]
        if isinstance(source.func, ast.Name):
            if source.func.id == "enumerate":
                return [WrittenValue(INT), inner[0] if inner else None]
            if source.func.id == "zip":
                return inner
            return (
                [inner[0]]
                if source.func.id in _SAME_ITEMS and inner
                else [WrittenValue(INT)]
                if source.func.id == "range"
                else None
            )
        held = site.receiver
        if not isinstance(held, Value) or site.arguments:
            return None
        if site.name == "items":
            return [WrittenValue(TEXT), self._values_of(held, line)]
        if site.name == "values":
            return [self._values_of(held, line)]
        return [WrittenValue(TEXT)] if site.name == "keys" else None

    def _item_of(self, term: Term, line: int) -> Term:
        return term.item(line) if isinstance(term, Value) else None

    def _values_of(self, held: Value, line: int) -> Value:
        return held.item(line)

    # Definitions

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            if isinstance(node, ast.Import):
                whole = alias.name if alias.asname else alias.name.partition(".")[0]
                self.names.known[alias.asname or whole] = DottedName(None, tuple(whole.split(".")))
            elif alias.name != "*":
                parts = (*self._base(node), alias.name)
                self.names.known[alias.asname or alias.name] = DottedName(None, parts)
            else:
                stars = self.module.names.setdefault("*", self.new(node.lineno))
                flow(DottedName(None, self._base(node)), stars) if isinstance(stars, Value) else None

    def _base(self, node: ast.ImportFrom) -> tuple[str, ...]:
        own = self.module.name.split(".")
        if not node.level:
            return tuple((node.module or "").split("."))
        kept = own[: len(own) - node.level + (1 if self.module.is_package else 0)]
        return (*kept, *(node.module.split(".") if node.module else ()))

    def _class(self, node: ast.ClassDef) -> None:
        symbol = ClassSymbol(self.module, self.names.prefix + node.name, node)
        self.classes.append(symbol)
        symbol.bases = [self.term(base.value if isinstance(base, ast.Subscript) else base) for base in node.bases]
        for decorator in node.decorator_list:
            inner = decorator.func if isinstance(decorator, ast.Call) else decorator
            named = self.term(inner)
            symbol.decorators.append(named.parts[-1] if isinstance(named, DottedName) else "")
        self.names.known[node.name] = symbol
        outer = self.names
        self.names = names = ScopeNames(outer, symbol.names, f"{symbol.qualname}.")
        names.is_class, names.owner = True, symbol
        self.block(node.body, True)
        self.names = outer

    def _function(self, node: _Definition) -> None:
        names = self.names
        function = FunctionSymbol(self.module, names.prefix + node.name, node)
        self.functions.append(function)
        if names.is_class and names.owner is not None:
            function.owner = names.owner
            names.owner.methods.setdefault(node.name, function)
        for decorator in node.decorator_list:
            inner = decorator.func if isinstance(decorator, ast.Call) else decorator
            named = self.term(inner)
            function.decorators.append(named if isinstance(named, DottedName) else None)
            if isinstance(decorator, ast.Call):
                self.term(decorator)
                function.registered += [(self.term(one), one.lineno) for one in decorator.args]
            if isinstance(inner, ast.Attribute) and inner.attr == "register":
                self.registrations.append((self.term(inner.value), function))
        inside = self._parameters(function, node.args, names)
        if not (function.is_decorated("setter") or function.is_decorated("overload")):
            names.known[node.name] = function
        self._waiting.append((function, inside))

    def _parameters(self, function: FunctionSymbol, arguments: ast.arguments, names: ScopeNames) -> ScopeNames:
        inside = ScopeNames(names, {}, f"{function.qualname}.<locals>.")
        inside.function = function
        positional = [*arguments.posonlyargs, *arguments.args]
        defaults: list[ast.expr | None] = [*([None] * (len(positional) - len(arguments.defaults))), *arguments.defaults]
        if function.owner is not None and positional and not function.is_decorated("staticmethod"):
            receiver = Value(self.module, function.node.lineno)
            receiver.receiver = function.owner
            inside.known[positional[0].arg] = receiver
            positional, defaults = positional[1:], defaults[1:]
        together = [*zip(positional, defaults, strict=True), *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
        for argument, default in together:
            self._parameter(function, inside, argument)
            if default is not None:
                term = self.term(default)
                function.defaults[argument.arg] = term
                flow(term, function.parameters[argument.arg])
        function.positional = [argument.arg for argument in positional]
        for star in (arguments.vararg, arguments.kwarg):
            if star is not None:
                self._parameter(function, inside, star)
        function.star = arguments.vararg.arg if arguments.vararg is not None else ""
        function.stars = arguments.kwarg.arg if arguments.kwarg is not None else ""
        return inside

    def _parameter(self, function: FunctionSymbol, inside: ScopeNames, argument: ast.arg) -> None:
        value = Value(self.module, argument.lineno)
        value.parameter = function, argument.arg
        function.parameters[argument.arg] = value
        inside.known[argument.arg] = value

    def _lambda(self, node: ast.Lambda) -> Term:
        function = FunctionSymbol(self.module, f"{self.names.prefix}<lambda>", node)
        outer, self.names = self.names, self._parameters(function, node.args, self.names)
        flow(self.term(node.body), function.returned)
        self.names = outer
        return WrittenValue(CALLABLE, function)

    def _body(self, function: FunctionSymbol, names: ScopeNames) -> None:
        node = function.node
        self.names = names
        if isinstance(node, _Definition):
            self.block(node.body, True)

    # Patterns

    def _match(self, node: ast.Match) -> None:
        subject = self.term(node.subject)
        for case in node.cases:
            self._pattern(case.pattern, subject if isinstance(subject, Value) else self.new(node.lineno))
            if case.guard is not None:
                self.test_of(case.guard)

    def _pattern(self, pattern: ast.pattern, value: Value) -> None:
        line = pattern.lineno
        match pattern:
            case ast.MatchValue(value=written):
                self._equality(value, self.term(written), False, line)
            case ast.MatchClass(cls=cls, patterns=inner, kwd_attrs=names, kwd_patterns=named):
                self.test(value, self.term(cls), line)
                for name, one in zip(names, named, strict=True):
                    self._pattern(one, value.attribute(name, line))
                for one in inner:
                    self._pattern(one, self.new(line))
            case ast.MatchMapping(keys=keys, patterns=inner):
                self.test(value, DottedName(None, ("dict",)), line)
                for key, one in zip(keys, inner, strict=True):
                    part = self.part(value, self.term(key), line)
                    self._pattern(one, part if isinstance(part, Value) else self.new(line))
            case ast.MatchSequence(patterns=inner):
                self.test(value, DottedName(None, ("list",)), line)
                value.note("unpack", line)
                value.width = max(value.width, len(inner))
                for place, one in enumerate(inner):
                    self._pattern(one, value.key(place, line))
            case ast.MatchOr(patterns=inner):
                for one in inner:
                    self._pattern(one, value)
            case ast.MatchAs(pattern=within, name=name):
                if within is not None:
                    self._pattern(within, value)
                if name is not None:
                    self.bind(name, value, line, False)


def _loaded(target: ast.expr) -> ast.expr:
    """What is read of a target that is changed in place."""
    match target:
        case ast.Name(id=name):
            return ast.copy_location(ast.Name(name, ast.Load()), target)
        case ast.Attribute(value=value, attr=name):
            return ast.copy_location(ast.Attribute(value, name, ast.Load()), target)
        case ast.Subscript(value=value, slice=index):
            return ast.copy_location(ast.Subscript(value, index, ast.Load()), target)
    return target


def _blocks(node: ast.stmt) -> list[list[ast.stmt]]:
    match node:
        case ast.If(body=body, orelse=other) | ast.While(body=body, orelse=other):
            return [body, other]
        case ast.For(body=body, orelse=other) | ast.AsyncFor(body=body, orelse=other):
            return [body, other]
        case ast.With(body=body) | ast.AsyncWith(body=body):
            return [body]
        case ast.Try(body=body, handlers=handlers, orelse=other, finalbody=last):
            return [body, *(handler.body for handler in handlers), other, last]
        case ast.TryStar(body=body, handlers=handlers, orelse=other, finalbody=last):
            return [body, *(handler.body for handler in handlers), other, last]
        case ast.Match(cases=cases):
            return [case.body for case in cases]
    return []
