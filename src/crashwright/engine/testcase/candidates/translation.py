"""Programs as test cases: what statements can say is said by statements, so that each may be varied by itself; what they cannot, a
loop, a ``with``, a comprehension, stays whole as a function of the test that is called; and last the whole program is one."""

from __future__ import annotations

import ast
import builtins
import copy
import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.exports import Exports
from crashwright.engine.subject.api.types import ANY, Hint
from crashwright.engine.subject.introspection import identities
from crashwright.engine.subject.walking import children, walk
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.candidates.programs import CandidateProgram
from crashwright.engine.testcase.candidates.spelling import respelt
from crashwright.engine.testcase.definitions.source import code_of, source_of
from crashwright.engine.testcase.echoing.definitions import shown_definition
from crashwright.engine.testcase.echoing.echo import Translator, Untranslatable
from crashwright.engine.testcase.echoing.source import one_by_one
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.names.imported import ImportedNames, NameOrigin, origins
from crashwright.engine.testcase.statements import Variable
from crashwright.engine.testcase.testcase import TestCase

LONGEST_WHOLE = 8000
"""Characters of a program, or of a part of one, that stay whole."""
MOST_LIFTED = 8
"""Literals of a statement that stays whole that are given to it."""
_LIFTED = identities(str, bytes, st.Display)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, *_COMPREHENSIONS)


class Translated(NamedTuple):
    """``test`` does what the program does, but for misspelt names, which were ``mended``. ``quoted`` are its literals."""

    test: TestCase
    quoted: dict[Variable, st.Value]
    mended: tuple[str, ...] = ()
    in_parts: bool = True
    """It does not stay whole."""


class Translatable(NamedTuple):
    """What a translation needs to know of the subject."""

    api: ApiModel
    exports: Exports
    factory: Factory
    rng: random.Random


def translations(program: CandidateProgram, around: Translatable) -> Iterator[Translated]:
    """Test cases of one program, the one that does exactly what it does first, where there is one."""
    yield from _translated(program, around)
    names = NameChain(around.api, around.factory.entry, exports=around.exports)
    spelt, wrong = respelt(program, [name for name in names.own.direct if "." not in name])
    if wrong:
        mended = tuple(f"{name} -> {other}" for name, other in wrong.items())
        yield from (one._replace(mended=one.mended + mended) for one in _translated(spelt, around))


def _translated(program: CandidateProgram, around: Translatable) -> Iterator[Translated]:
    whole = _whole(program, around)
    parts = _in_parts(program, around)
    if parts is not None and not parts.mended:
        yield parts
    if whole is not None:
        yield whole
    if parts is not None and parts.mended:
        yield parts


def _in_parts(program: CandidateProgram, around: Translatable) -> Translated | None:
    imported = ImportedNames(around.api, origins(program.imports))
    names = NameChain(around.api, around.factory.entry, exports=around.exports, defines=True, imported=imported)
    translator = CandidateTranslator(names, imported, around.factory, around.rng, program)
    translator.run()
    if not translator.statements:
        return None
    mended = tuple(f"{name} -> {other}" for name, other in imported.mended.items())
    return Translated(TestCase(tuple(translator.statements)), translator.quoted, mended)


def _whole(program: CandidateProgram, around: Translatable) -> Translated | None:
    """A function with all of it, imports too, and its call."""
    node = _function("candidate", [*program.statements], _waits(program.statements))
    source = source_of(node)
    try:
        code_of(source, "")
    except ValueError:
        return None  # a star import, or what may only stand outside of functions
    if len(source) > LONGEST_WHOLE:
        return None
    fresh = around.factory.fresh
    defined, made = next(fresh), next(fresh)
    called = _entry_in(node, around.factory)
    statements: list[st.Statement] = [st.Definition(defined, source), st.CallValue(made, defined, st.NO_ARGUMENTS, called)]
    if isinstance(node, ast.AsyncFunctionDef):
        statements.append(st.Await(next(fresh), made))
    return Translated(TestCase(tuple(statements)), {}, in_parts=False)


class CandidateTranslator(Translator):
    """Says all that the program does, in order."""

    def __init__(
        self, names: NameChain, imported: ImportedNames, factory: Factory, rng: random.Random, program: CandidateProgram
    ) -> None:
        super().__init__(names, factory, rng, {})
        self._imported = imported
        self._body = program.body

    def run(self) -> None:
        """Translate each statement; one that nothing can be made of is left out."""
        for place, node in enumerate(self._body):
            before = len(self.statements)
            try:
                self._one(node, self._body[place + 1 :])
            except (Untranslatable, ValueError, KeyError, TypeError):
                del self.statements[before:]

    def _one(self, node: ast.stmt, later: Sequence[ast.stmt]) -> None:
        match node:
            case ast.Expr() | ast.Delete() | ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                self.statement(node)
            case ast.Assign(targets=[ast.Name() | ast.Attribute() | ast.Subscript()]):
                self.statement(node)
            case ast.Assign() if one_by_one(node):
                self.statement(node)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._one(ast.Assign([target], value, lineno=node.lineno), later)
            case ast.With(items=[_], body=[*_]) if not later and not node.items[0].optional_vars:
                self.statement(node)
                for line in node.body:
                    self._one(line, [one for one in node.body if one is not line])
            case ast.Import() | ast.ImportFrom() | ast.AnnAssign() | ast.Global() | ast.Nonlocal():
                raise Untranslatable
            case _:
                self._opaque(node, later)

    def expression(self, node: ast.expr, hint: Hint = ANY, name: str = "") -> Variable:
        """As of an example, but exactly: what no statement says is a function that returns it."""
        match node:
            case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
                literal = _literal(node)
                if literal is not None:
                    return self._quoted(literal)
                if any(isinstance(item, ast.Starred) for item in items):
                    return self._returned(node)
            case ast.Dict(keys=keys):
                literal = _literal(node)
                if literal is not None:
                    return self._quoted(literal)
                if None in keys:
                    return self._returned(node)
            case ast.Lambda():
                self._know(node)
                made = _function("function", [ast.Return(node.body)], False, node.args)
                return self._defined_by(made)
            case ast.Compare(ops=[_, _, *_]) | ast.Slice() | ast.JoinedStr() | ast.BoolOp() | ast.IfExp() | ast.NamedExpr():
                return self._returned(node)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp() | ast.Constant(value=builtins.Ellipsis):
                return self._returned(node)
            case ast.Subscript(slice=ast.Slice() | ast.Tuple()):
                return self._returned(node)
            case ast.Call(func=ast.Name(id="print" | "isinstance" | "next" | "iter" | "list" | "super" | "locals" | "globals")):
                return self._returned(node)
        return super().expression(node, hint, name)

    def _method_call(self, node: ast.Call, function: ast.Attribute) -> Variable:
        own = self._imported.method_name(function.attr, self._names.own.methods, not isinstance(function.value, ast.Constant))
        if own != function.attr:
            function = ast.Attribute(function.value, own, function.ctx)
            node = ast.Call(function, node.args, node.keywords)
        return super()._method_call(node, function)

    def _define(self, node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._know(node)
        self._variables[node.name] = self._defined_by(node)
        base = node.bases[0] if isinstance(node, ast.ClassDef) and node.bases else None
        self._defined[node.name] = None if base is None else self._names.callee(base, self._rng)

    def _defined_by(self, node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> Variable:
        modules = [name for name in _loaded(node) if name not in self._variables and self._is_module(name)]
        if isinstance(node, ast.ClassDef):
            modules = []

        def meaning(*parts: str) -> st.Named | None:
            return None if parts[0] in modules else self._names.in_definition(*parts)

        node.body = [*(_import_of(name, self._imported.origins[name]) for name in modules), *node.body]
        return self.append(shown_definition(self.fresh(), node, self._variables, meaning, LONGEST_WHOLE))

    def _is_module(self, name: str) -> bool:
        return name in self._imported.origins and self._imported.meaning([name], None) is None

    def _know(self, node: ast.AST) -> None:
        """Give a value to each name that ``node`` takes from around it and nothing explains: somebody left out where it is made."""
        for name in _loaded(node):
            known = name in self._variables or hasattr(builtins, name) or name in self._imported.origins
            if not known and self._names.value(name) is None and name not in _stored(node):
                self._variables[name] = self.unknown(ANY, name, name)

    def _returned(self, node: ast.expr) -> Variable:
        """The value of an expression that stays whole."""
        waits = _waits([ast.Expr(node)])
        self._know(node)
        return self._called(_function("value", [ast.Return(node)], waits), ())

    def _opaque(self, node: ast.stmt, later: Sequence[ast.stmt]) -> None:
        """A statement that stays whole. What it binds and later ones read is what its function returns."""
        bound = _stored(node)
        lifted = _Lifted(node, bound)
        needed = sorted(bound.intersection(*[[name for one in later for name in _loaded(one)]]))
        given = sorted(name for name in bound if name in self._variables)
        self._know(node)
        returned: ast.expr = ast.Tuple([ast.Name(name, ast.Load()) for name in needed], ast.Load())
        result = [] if not needed else [ast.Return(returned if len(needed) > 1 else ast.Name(needed[0], ast.Load()))]
        parameters = ast.arguments([], [ast.arg(name) for name in (*given, *lifted.values)], None, [], [], None, [])
        body = [lifted.statement, *result]
        values = [*(self._variables[name] for name in given), *map(self._quoted, lifted.values.values())]
        held = self._called(_function("step", body, _waits(body), parameters), values)
        if len(needed) == 1:
            self._variables[needed[0]] = held
        for place, name in enumerate(needed if len(needed) > 1 else ()):
            index = self.append(st.Literal(self.fresh(), place))
            self._variables[name] = self.append(st.GetItem(self.fresh(), held, index))

    def _called(self, node: ast.FunctionDef | ast.AsyncFunctionDef, given: Sequence[Variable]) -> Variable:
        called = _entry_in(node, self._factory)
        function = self._defined_by(node)
        made = self.append(st.CallValue(self.fresh(), function, st.Arguments(tuple(given)), called))
        return self.append(st.Await(self.fresh(), made)) if isinstance(node, ast.AsyncFunctionDef) else made


class _Lifted(ast.NodeTransformer):
    """``statement`` is one that stays whole, with parameters for the texts and collections that are written down in it, as far as
    they are given to what it binds, such as a file: ``values`` by the names of these. So they may be varied by themselves."""

    def __init__(self, node: ast.stmt, bound: set[str]) -> None:
        self._bound = bound
        self._names = {one.id for one in walk(node) if isinstance(one, ast.Name)}
        self.values: dict[str, st.Value] = {}
        self.statement: ast.stmt = self.visit(copy.deepcopy(node))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Literals beside a bound name, or given to a method of one."""
        self.generic_visit(node)
        given = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        if any(_root(one) in self._bound for one in (*given, *node.args, *(word.value for word in node.keywords))):
            node.args = [self._parameter(one) for one in node.args]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """What has names of its own stays as it is."""
        return node

    visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = visit_FunctionDef  # type: ignore[assignment]

    def _parameter(self, node: ast.expr) -> ast.expr:
        value = _literal(node)
        if id(type(value)) not in _LIFTED or len(self.values) == MOST_LIFTED:
            return node
        stem = "data" if type(value) is st.Display else "text"
        name = next(one for one in (stem, *(f"{stem}_{place}" for place in range(2, 99))) if one not in self._names)
        self._names.add(name)
        self.values[name] = value
        return ast.Name(name, ast.Load())


def _function(
    name: str, body: list[ast.stmt], waits: bool, parameters: ast.arguments | None = None
) -> ast.FunctionDef | ast.AsyncFunctionDef:
    kind = ast.AsyncFunctionDef if waits else ast.FunctionDef
    used = {one.id for line in body for one in walk(line) if isinstance(one, ast.Name)}
    while name in used:
        name = f"{name}_"
    none = ast.arguments([], [], None, [], [], None, [])
    return ast.fix_missing_locations(kind(name, parameters or none, body, [], lineno=1))


def _waits(body: Sequence[ast.stmt]) -> bool:
    """Whether it awaits something itself."""
    return any(isinstance(one, ast.Await | ast.AsyncFor | ast.AsyncWith) for line in body for one in _in_scope(line))


def _in_scope(node: ast.AST) -> Iterator[ast.AST]:
    """``node`` and what is in it, without the insides of functions and classes."""
    yield node
    for child in children(node):
        if not isinstance(child, _SCOPES):
            yield from _in_scope(child)


def _stored(node: ast.AST) -> set[str]:
    found = {one.id for one in _in_scope(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    found |= {one.name for one in _in_scope(node) if isinstance(one, ast.ExceptHandler) and one.name}
    return found


def _loaded(node: ast.AST) -> dict[str, None]:
    """The names that are read anywhere in it and not bound within functions of it."""
    scopes = [part for one in walk(node) if isinstance(one, _SCOPES) for part in walk(one)]
    inner = {part.arg for part in scopes if isinstance(part, ast.arg)}
    inner |= {part.id for part in scopes if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    found = (one.id for one in walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load))
    return dict.fromkeys(name for name in found if name not in inner)


def _entry_in(node: ast.AST, factory: Factory) -> Callee | None:
    """The entry that it calls by its name, or by the name of its class."""
    named = [one for one in walk(node) if isinstance(one, ast.Attribute | ast.Name)]
    names = {one.attr if isinstance(one, ast.Attribute) else one.id for one in named}
    found = next((entry for entry in factory.entry if entry.name in names), None)
    return found or next((entry for entry in factory.entry if entry.qualname.partition(".")[0] in names), None)


def _import_of(name: str, origin: NameOrigin | None) -> ast.stmt:
    assert origin is not None
    if origin.module == name:
        return ast.Import([ast.alias(name)])
    return ast.Import([ast.alias(origin.module, name)])


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _literal(node: ast.expr) -> st.Value | None:
    """The tree of a container that is made of literals alone."""
    match node:
        case ast.Constant(value=value) if value is not ...:
            return st.one_nan(value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            values = [_literal(item) for item in items]
            if any(value is None and not _is_none(item) for value, item in zip(values, items, strict=True)):
                return None
            kind = {ast.List: "list", ast.Tuple: "tuple", ast.Set: "set"}[type(node)]
            return st.Display(kind, tuple(values))
        case ast.Dict(keys=keys, values=held):
            pairs = []
            for key, item in zip(keys, held, strict=True):
                if key is None:
                    return None
                one, other = _literal(key), _literal(item)
                if (one is None and not _is_none(key)) or (other is None and not _is_none(item)):
                    return None
                pairs.append((one, other))
            return st.Display("dict", tuple(pairs))
    return None


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
