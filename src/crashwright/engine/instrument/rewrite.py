"""Rewriting of a module: chosen functions get an activation, a marker for each statement, and probes at their conditions.

A chosen function begins with ``@cw = ENTER(number)``, the state of its activation; a lambda becomes ``BODY if (@cw :=
ENTER(number)) else None``. Nested comprehensions and lambdas that are not chosen record to the function around them. Everything
else of the module stays as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager

from crashwright.core.location import CodeKey, Position
from crashwright.engine.instrument import depth
from crashwright.engine.instrument.infection import Infections
from crashwright.engine.instrument.layout import FALSE, MARKED, Branching
from crashwright.engine.instrument.probed_code import FUNCTION, STATE, ProbedCode, call, place, site_in
from crashwright.engine.instrument.resumptions import ResumptionRewriter
from crashwright.engine.subject.flow.conditions import position_of
from crashwright.engine.subject.source import Comprehension, comprehension_prefix, first_line

Function = ast.FunctionDef | ast.AsyncFunctionDef

# Calls that look at the local names of the function that makes them, by the number of arguments with which they do.
_LOOKS_AT_LOCALS = {"locals": 0, "vars": 0, "dir": 0, "eval": 1, "exec": 1}
_FRAME_ACCESS = frozenset({"f_locals", "_getframe", "currentframe"})


def looks_at_locals(function: Function | ast.Lambda) -> bool:
    """Whether a function may see its own local names, and so would see ours."""
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Name(id=name), args=args) if _LOOKS_AT_LOCALS.get(name) == len(args):
                return True
            case ast.Attribute(attr=name) | ast.Name(id=name) if name in _FRAME_ACCESS:
                return True
    return False


class ModuleRewriter(ResumptionRewriter):
    """Rewrites one module's tree in place. Afterwards ``probed_codes`` says what was rewritten, in order of the source."""

    def __init__(
        self,
        module: str,
        chosen: Collection[CodeKey],
        wanted: frozenset[Position] | None = None,
        sites: Mapping[CodeKey, Position] | None = None,
        infections: Infections | None = None,
        resumptions: bool = False,
        measured: Collection[CodeKey] = (),
    ) -> None:
        """``wanted``: the positions of the predicates that carry probes; None for all. ``sites``: where chosen functions are to
        fail (see :func:`site_in`). ``infections``: those of the mutants whose sites are marked in the tree.
        ``resumptions``: see :mod:`resumptions`. ``measured``: functions whose arguments are measured as they are entered."""
        super().__init__(infections, resumptions)
        self.module = module
        self.chosen = frozenset(chosen)
        self.wanted = wanted
        self.sites = dict(sites or {})
        self.measured = frozenset(measured)
        self.probed_codes: list[ProbedCode] = []
        self.unprobed: dict[CodeKey, str] = {}
        """Chosen functions that cannot be rewritten, with the reason in words."""
        self._prefix = ""
        self._iterable = False
        self._global_names: frozenset[str] = frozenset()

    def rewrite(self, tree: ast.Module) -> None:
        """The one call to make."""
        with depth.recursion_limit(depth.PYTHON):
            tree.body = self.block(tree.body)
        found = {code.key for code in self.probed_codes} | set(self.unprobed)
        for key in self.chosen - found:
            if key.name.startswith("<") and key.name != "<lambda>":
                self.unprobed[key] = "only functions and lambdas have activations; this code records to the function around it"
            else:
                self.unprobed[key] = "no such function in the source"

    # -- scopes

    @contextmanager
    def _scope(self, prefix: str, probed: ProbedCode | None, temporaries: bool, iterable: bool = False) -> Iterator[None]:
        saved = (self._prefix, self.probed, self.temporaries, self._iterable, self._global_names, self._depth)
        self._prefix, self.probed, self.temporaries, self._iterable = prefix, probed, temporaries, iterable
        try:
            yield
        finally:
            self._prefix, self.probed, self.temporaries, self._iterable, self._global_names, self._depth = saved

    def _qualname(self, name: str) -> str:
        return name if name in self._global_names else self._prefix + name

    def _choose(self, key: CodeKey, node: Function | ast.Lambda) -> ProbedCode | None:
        if key not in self.chosen:
            return None
        caret = self.sites.get(key)
        site = None if caret is None else site_in(node, caret)
        code = ProbedCode(key, len(self.probed_codes), self.wanted, not looks_at_locals(node), site)
        self.probed_codes.append(code)
        return code

    def _expressions(self, nodes: list[ast.expr]) -> list[ast.expr]:
        return [self.visit_expression(node) for node in nodes]

    def _defaults(self, arguments: ast.arguments) -> None:
        arguments.defaults = self._expressions(arguments.defaults)
        arguments.kw_defaults = [None if node is None else self.visit_expression(node) for node in arguments.kw_defaults]

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        """A function; its annotations stay as they are, for they may be kept as text."""
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.stmt:
        """A coroutine function or asynchronous generator."""
        return self._function(node)

    def _function(self, node: Function) -> ast.stmt:
        node.decorator_list = self._expressions(node.decorator_list)
        self._defaults(node.args)
        qualname = self._qualname(node.name)
        code = self._choose(CodeKey(self.module, qualname, first_line(node)), node)
        with self._scope(f"{qualname}.<locals>.", code, code is None or code.has_locals):
            self._global_names = frozenset(name for part in node.body for name in _declared_global(part))
            node.body = self.block(node.body) if code is None else self._probed_body(node, code)
        return node

    def _probed_body(self, node: Function, code: ProbedCode) -> list[ast.stmt]:
        body = node.body
        head = (
            1
            if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and isinstance(body[0].value.value, str)
            else 0
        )
        at = body[head] if head < len(body) else body[0]
        number = ast.Constant(f"{FUNCTION}{code.ordinal}")
        enter = call("enter", [number], at)
        rest = [*self._measuring(node, code, at), *self._marked(body[head:], entered=True)]
        code.finish()
        if not code.has_locals:
            return [*body[:head], ast.copy_location(ast.Expr(enter), at), *rest]
        return [*body[:head], _assign(ast.Name(STATE, ast.Store()), enter, at), *rest]

    def _measuring(self, node: Function, code: ProbedCode, at: ast.stmt) -> list[ast.stmt]:
        """The entry probe, where the function has one."""
        if code.key not in self.measured:
            return []
        arguments = node.args
        stars = [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
        code.measured = tuple([one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *stars)])
        slot = code.place(code.predicate(node, "entry"))
        values = place(ast.Tuple([ast.Name(name, ast.Load()) for name in code.measured], ast.Load()), at)
        probe = call("entered", [self.state(at), slot, ast.Constant(f"{FUNCTION}{code.ordinal}"), values], at)
        return [ast.copy_location(ast.Expr(probe), at)]

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        """A class; its body is not rewritten, the methods in it are where they are chosen."""
        node.decorator_list = self._expressions(node.decorator_list)
        node.bases = self._expressions(node.bases)
        for keyword in node.keywords:
            keyword.value = self.visit_expression(keyword.value)
        with self._scope(f"{self._qualname(node.name)}.", None, True):
            self._global_names = frozenset(name for part in node.body for name in _declared_global(part))
            node.body = self.block(node.body)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        """A lambda with an activation of its own if it is chosen, else with that of the function around it."""
        self._defaults(node.args)
        key = CodeKey(self.module, f"{self._prefix}<lambda>", node.lineno)
        # An assignment expression may not stand in the iterable of a comprehension, not even in a lambda there.
        in_iterable = self._iterable
        code = None
        if key in self.chosen:
            if in_iterable or looks_at_locals(node):
                self.unprobed[key] = "a lambda in the iterable of a comprehension, or one that looks at its local names"
            else:
                code = self._choose(key, node)
        around = self.probed if self.probed is not None and self.probed.has_locals and key not in self.chosen else None
        with self._scope(f"{self._prefix}<lambda>.<locals>.", code or around, not in_iterable, in_iterable):
            if code is not None:
                code.markers.append(position_of(node.body))
            body = self.visit_expression(node.body)
        if code is not None:
            code.finish()
            enter = call("enter", [ast.Constant(f"{FUNCTION}{code.ordinal}")], node.body)
            target = ast.copy_location(ast.Name(STATE, ast.Store()), body)
            named = ast.copy_location(ast.NamedExpr(target, enter), body)
            body = ast.copy_location(ast.IfExp(named, body, ast.copy_location(ast.Constant(None), body)), body)
        node.body = body
        return node

    def _comprehension(self, node: Comprehension) -> ast.expr:
        """The first iterable belongs to the scope around; filters and the rest record to the function around, if it has names."""
        with self._scope(self._prefix, self.probed, False, True):
            original = node.generators[0].iter
            first = self.visit_expression(original)
        probed = self.probed if self.probed is not None and self.probed.has_locals else None
        predicate = self.iterated(node, original)
        with self._scope(self._prefix + comprehension_prefix(node), probed, False, self._iterable):
            for number, generator in enumerate(node.generators):
                with self._scope(self._prefix, probed, False, True):
                    generator.iter = self.visit_expression(generator.iter) if number else first
                generator.target = self.visit_expression(generator.target)
                generator.ifs = [self.test(condition, node) for condition in generator.ifs]
            if isinstance(node, ast.DictComp):
                node.key, node.value = self.visit_expression(node.key), self.visit_expression(node.value)
            else:
                node.elt = self.visit_expression(node.elt)
            if predicate is not None:
                self.noticed(predicate, node.generators[0])
        return node if predicate is None else self.exhausted(predicate, node)

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        """A list comprehension."""
        return self._comprehension(node)

    def visit_SetComp(self, node: ast.SetComp) -> ast.expr:
        """A set comprehension."""
        return self._comprehension(node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        """A dict comprehension."""
        return self._comprehension(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        """A generator expression."""
        return self._comprehension(node)

    # -- statements

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """Statements rewritten, in a chosen function each with its marker."""
        if self.probed is None:
            return [self._statement(statement) for statement in statements]
        return self._marked(statements)

    def _statement(self, node: ast.stmt) -> ast.stmt:
        result = self.visit(node)
        assert isinstance(result, ast.stmt)
        return result

    def _marked(self, statements: list[ast.stmt], entered: bool = False) -> list[ast.stmt]:
        """``entered``: the first one is marked by entering the function."""
        assert self.probed is not None
        marked: list[ast.stmt] = []
        for statement in statements:
            number = self.probed.marker(statement)
            if marked or not entered:
                marked.append(self._mark(number, statement))
            rewritten = self._statement(statement)
            marked += [*self.before, rewritten, *self.after]
            self.before, self.after = [], []
        return marked

    def _mark(self, number: int, at: ast.stmt) -> ast.stmt:
        assert self.probed is not None
        return self.write(ast.Constant(number), MARKED, at)

    def write(self, index: ast.expr, value: float, at: ast.AST) -> ast.stmt:
        """A statement that writes to the state."""
        item = ast.Subscript(self.state(at), ast.copy_location(index, at), ast.Store())
        return _assign(item, ast.copy_location(ast.Constant(value), at), at)

    def visit_If(self, node: ast.If) -> ast.stmt:
        """``if``, and ``elif`` as the statement in an ``else`` that it is."""
        node.test = self.test(node.test, node)
        node.body, node.orelse = self.block(node.body), self.block(node.orelse)
        return node

    def visit_While(self, node: ast.While) -> ast.stmt:
        """``while``."""
        node.test = self.test(node.test, node)
        node.body, node.orelse = self.block(node.body), self.block(node.orelse)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        """``assert``."""
        node.test = self.test(node.test, node)
        node.msg = None if node.msg is None else self.visit_expression(node.msg)
        return node

    def visit_For(self, node: ast.For) -> ast.stmt:
        """``for``: true when the body is entered, false when the iterable is exhausted."""
        return self._loop(node)

    def visit_AsyncFor(self, node: ast.AsyncFor) -> ast.stmt:
        """``async for``."""
        return self._loop(node)

    def _loop(self, node: ast.For | ast.AsyncFor) -> ast.stmt:
        predicate = None if self.probed is None else self.probed.predicate(node.iter, "iter")
        node.target, node.iter = self.visit_expression(node.target), self.visit_expression(node.iter)
        if self.probed is None or predicate is None:
            node.body, node.orelse = self.block(node.body), self.block(node.orelse)
            return node
        self.probed.branchings.append(Branching(predicate, len(self.probed.markers)))
        pausing = self.pauses([node])
        node.body = self.block(node.body)
        if pausing and isinstance(node, ast.AsyncFor):
            self.tell(node.body)
        exhausted = self.write(self.probed.place(predicate, FALSE), 0.0, node.iter)
        node.orelse = [exhausted, *self.block(node.orelse)]
        return node

    def visit_Try(self, node: ast.Try) -> ast.stmt:
        """``try``: the classes of an ``except`` clause are a condition on the exception."""
        return self._try(node)

    def visit_TryStar(self, node: ast.TryStar) -> ast.stmt:
        """``try`` with ``except*``, whose clauses record that they were entered or not."""
        return self._try(node)

    def _try(self, node: ast.Try | ast.TryStar) -> ast.stmt:
        pausing = self.pauses(node.body)
        node.body = self.block(node.body)
        for handler in node.handlers:
            self._handler(handler, isinstance(node, ast.TryStar))
        node.orelse, node.finalbody = self.block(node.orelse), self.block(node.finalbody)
        for block in (*(handler.body for handler in node.handlers), node.finalbody) if pausing else ():
            self.tell(block)
        return node

    def _handler(self, node: ast.ExceptHandler, in_group: bool) -> None:
        predicate = None if self.probed is None else self.probed.predicate(node, "except")
        if node.type is not None:
            node.type = self.visit_expression(node.type)
        if self.probed is not None and predicate is not None:
            if node.type is None or in_group:
                self.probed.branchings.append(Branching(predicate, len(self.probed.markers)))
                if node.type is not None:
                    node.type = call("except_star", [self.state(node.type), self.probed.place(predicate), node.type], node.type)
            elif self.probed.carries(predicate):
                node.type = call("except_", [self.state(node.type), self.probed.place(predicate), node.type], node.type)
        node.body = self.block(node.body)

    def visit_With(self, node: ast.With) -> ast.stmt:
        """``with``."""
        return self._with(node)

    def visit_AsyncWith(self, node: ast.AsyncWith) -> ast.stmt:
        """``async with``."""
        pausing = self.pauses([node])
        result = self._with(node)
        if pausing:
            self.tell(node.body)
        return result

    def _with(self, node: ast.With | ast.AsyncWith) -> ast.stmt:
        for item in node.items:
            item.context_expr = self.visit_expression(item.context_expr)
            if item.optional_vars is not None:
                item.optional_vars = self.visit_expression(item.optional_vars)
        return self.suppressing(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        """An annotated assignment, but for the annotation."""
        node.target = _target(self.visit_expression(node.target))
        node.value = None if node.value is None else self.visit_expression(node.value)
        return node


def _target(node: ast.expr) -> ast.Name | ast.Attribute | ast.Subscript:
    assert isinstance(node, (ast.Name, ast.Attribute, ast.Subscript))
    return node


def _assign(target: ast.expr, value: ast.expr, at: ast.AST) -> ast.stmt:
    return ast.copy_location(ast.Assign([ast.copy_location(target, at)], value), at)


def _declared_global(node: ast.stmt) -> Iterator[str]:
    """The names that ``global`` declares in this statement, not in functions and classes inside."""
    if isinstance(node, ast.Global):
        yield from node.names
    elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                yield from _declared_global(child)
            elif isinstance(child, (ast.ExceptHandler, ast.match_case)):
                for statement in child.body:
                    yield from _declared_global(statement)
