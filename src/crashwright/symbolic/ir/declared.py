"""What a source file declares: its classes with their methods, attributes and fields, and what its globals are.

All is as it is written; no name is looked up in another file.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from crashwright.core.location import CodeKey
from crashwright.symbolic.ir.nodes import Constant, Imported
from crashwright.symbolic.ir.scopes import Scope

_RECORDS = frozenset({"dataclass", "attrs", "define", "frozen", "mutable", "s", "attributes"})
_FORMS = {"staticmethod": "static", "classmethod": "class", "property": "property", "cached_property": "property"}


class Method(NamedTuple):
    """A function in a class body. ``form`` is "method", "static", "class", "property", "setter" or "deleter"."""

    key: CodeKey
    form: str = "method"
    decorators: tuple[str, ...] = ()


class Attribute(NamedTuple):
    """A variable of a class body: what it is annotated with and assigned, as written ("" where it is not)."""

    annotation: str = ""
    value: str = ""
    constant: Constant | None = None


class Assigned(NamedTuple):
    """An assignment to a field of the receiver in a method: ``augmented`` for ``self.x += ...``."""

    method: CodeKey
    line: int
    annotation: str = ""
    value: str = ""
    augmented: bool = False


class Class(NamedTuple):
    """A class of the file. ``methods`` by name (of namesakes the last; setters and deleters stand in ``accessors``)."""

    key: CodeKey
    bases: tuple[str, ...]
    keywords: Mapping[str, str]
    decorators: tuple[str, ...]
    methods: Mapping[str, Method]
    accessors: tuple[Method, ...]
    attributes: Mapping[str, Attribute]
    fields: Mapping[str, tuple[Assigned, ...]]


class Globals(NamedTuple):
    """The names of a module. ``constants``: those that are assigned once, and to a constant; ``variables``: what else is assigned,
    with the texts of the values."""

    constants: Mapping[str, Constant]
    imports: Mapping[str, Imported]
    functions: Mapping[str, CodeKey]
    classes: Mapping[str, CodeKey]
    variables: Mapping[str, tuple[str, ...]]


def fields_of_record(cls: Class) -> tuple[str, ...]:
    """The attributes that a constructor written by a decorator (of dataclasses, of attrs) or by NamedTuple takes, in its order."""
    written = [text.partition("(")[0].rpartition(".")[2] for text in cls.decorators]
    if not any(one in _RECORDS for one in written) and not any(base.rpartition(".")[2] == "NamedTuple" for base in cls.bases):
        return ()
    return tuple([name for name, one in cls.attributes.items() if _is_field(one)])


def _is_field(attribute: Attribute) -> bool:
    made = attribute.value.partition("(")[0].rpartition(".")[2]
    return (bool(attribute.annotation) and "ClassVar" not in attribute.annotation) or made in ("ib", "attrib", "field")


def classes_of(scopes: Mapping[ast.AST, Scope], module: str) -> dict[str, Class]:
    """The classes of a file by their qualified names, of namesakes the last."""
    return {scope.qualname: _class(node, scope, scopes, module) for node, scope in scopes.items() if isinstance(node, ast.ClassDef)}


def _class(node: ast.ClassDef, scope: Scope, scopes: Mapping[ast.AST, Scope], module: str) -> Class:
    methods: dict[str, Method] = {}
    accessors: list[Method] = []
    attributes: dict[str, Attribute] = {}
    fields: dict[str, list[Assigned]] = {}
    for statement in statements_of(node.body):
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            method = _method(statement, scopes[statement], module)
            if method.form in ("setter", "deleter"):
                accessors.append(method)
            else:
                methods[statement.name] = method
            for name, assigned in _fields(statement, scope, method):
                fields.setdefault(name, []).append(assigned)
        else:
            attributes.update(_attributes(statement))
    return Class(
        CodeKey(module, scope.qualname, scope.first_line),
        tuple(map(ast.unparse, node.bases)),
        {one.arg or "**": ast.unparse(one.value) for one in node.keywords},
        decorators=tuple(map(ast.unparse, node.decorator_list)),
        methods=methods,
        accessors=tuple(accessors),
        attributes=attributes,
        fields={name: tuple(every) for name, every in fields.items()},
    )


def _method(node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope, module: str) -> Method:
    decorators = tuple(map(ast.unparse, node.decorator_list))
    form = "class" if node.name in ("__init_subclass__", "__class_getitem__") else "static" if node.name == "__new__" else "method"
    for text in decorators:
        last = text.partition("(")[0].rpartition(".")[2]
        form = last if last in ("setter", "deleter") else _FORMS.get(last, form)
    return Method(CodeKey(module, scope.qualname, scope.first_line), form, decorators)


def _attributes(statement: ast.stmt) -> Iterator[tuple[str, Attribute]]:
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        yield statement.target.id, Attribute(ast.unparse(statement.annotation), _text(statement.value), _constant(statement.value))
    elif isinstance(statement, ast.Assign):
        for target in statement.targets:
            if isinstance(target, ast.Name):
                yield target.id, Attribute("", ast.unparse(statement.value), _constant(statement.value))


def _fields(node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope, method: Method) -> Iterator[tuple[str, Assigned]]:
    """What a method assigns to attributes of its first parameter."""
    parameters = [*node.args.posonlyargs, *node.args.args]
    if not parameters or method.form in ("static", "class"):
        return
    for target, annotation, value, augmented in _assigned(node):
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == parameters[0].arg:
            yield scope.mangled(target.attr), Assigned(method.key, target.lineno, annotation, value, augmented)


def _assigned(node: ast.AST) -> Iterator[tuple[ast.expr, str, str, bool]]:
    """Targets with annotation and value; those of loops, ``with`` and unpacking have no value that is written."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Assign):
            for target in inner.targets:
                yield target, "", ast.unparse(inner.value), False
                for part in target.elts if isinstance(target, (ast.Tuple, ast.List)) else ():
                    yield part, "", "", False
        elif isinstance(inner, ast.AnnAssign):
            yield inner.target, ast.unparse(inner.annotation), _text(inner.value), False
        elif isinstance(inner, ast.AugAssign):
            yield inner.target, "", ast.unparse(inner.value), True
        elif isinstance(inner, (ast.For, ast.AsyncFor)):
            yield inner.target, "", "", False
        elif isinstance(inner, ast.withitem) and inner.optional_vars is not None:
            yield inner.optional_vars, "", "", False


def globals_of(tree: ast.Module, scopes: Mapping[ast.AST, Scope], module: str) -> Globals:
    """What the names of a module are, by the statements of its body, those in ``if`` and ``try`` included."""
    imports: dict[str, Imported] = {}
    defined: dict[type[ast.AST], dict[str, CodeKey]] = {ast.FunctionDef: {}, ast.ClassDef: {}}
    values: dict[str, list[ast.expr | None]] = {}
    for statement in statements_of(tree.body):
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            imports.update(_imports(statement))
        elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            kind = ast.ClassDef if isinstance(statement, ast.ClassDef) else ast.FunctionDef
            scope = scopes[statement]
            defined[kind][statement.name] = CodeKey(module, scope.qualname, scope.first_line)
        else:
            for name, value in _bound(statement):
                values.setdefault(name, []).append(value)
    elsewhere = {name for scope in scopes.values() for name in scope.global_names & scope.bound}
    constants = {
        name: constant
        for name, every in values.items()
        if len(every) == 1 and name not in elsewhere and (constant := _constant(every[0])) is not None
    }
    variables = {name: tuple(map(_text, every)) for name, every in values.items() if name not in constants}
    return Globals(constants, imports, defined[ast.FunctionDef], defined[ast.ClassDef], variables)


def statements_of(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a body, and of those in it that open no scope."""
    for statement in body:
        yield statement
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for part in ("body", "orelse", "finalbody"):
            yield from statements_of(getattr(statement, part, ()))
        for inner in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            yield from statements_of(inner.body)


def _imports(statement: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Imported]]:
    for alias in statement.names:
        if isinstance(statement, ast.ImportFrom):
            yield alias.asname or alias.name, Imported(statement.module or "", alias.name, statement.level)
        else:
            top = alias.asname is None and "." in alias.name
            yield alias.asname or alias.name.partition(".")[0], Imported(alias.name, "", 0, top)


def _bound(statement: ast.stmt) -> Iterator[tuple[str, ast.expr | None]]:
    """Names that a statement of the module binds, with the value where it is one."""
    if isinstance(statement, ast.Assign):
        targets: list[tuple[ast.expr, ast.expr | None]] = [(target, statement.value) for target in statement.targets]
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        targets = [(statement.target, statement.value)]
    elif isinstance(statement, (ast.AugAssign, ast.For, ast.AsyncFor)):
        targets = [(statement.target, None)]
    elif isinstance(statement, (ast.With, ast.AsyncWith)):
        targets = [(item.optional_vars, None) for item in statement.items if item.optional_vars is not None]
    else:
        return
    for target, value in targets:
        if isinstance(target, ast.Name):
            yield target.id, value
        else:
            for inner in ast.walk(target):
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                    yield inner.id, None


def _text(node: ast.expr | None) -> str:
    return "" if node is None else ast.unparse(node)


def _constant(node: ast.expr | None) -> Constant | None:
    """A constant, a negative number, or a tuple of such."""
    if isinstance(node, ast.Constant):
        return Constant(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        value = node.operand.value
        return Constant(-value) if isinstance(value, (int, float, complex)) else None
    if isinstance(node, ast.Tuple):
        parts = [_constant(one) for one in node.elts]
        return None if None in parts else Constant(tuple([one.value for one in parts if one is not None]))
    return None
