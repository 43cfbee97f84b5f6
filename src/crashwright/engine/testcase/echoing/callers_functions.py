"""Functions of the caller's that stand in the middle of a report: a frame of the target called one, and it called the next frame.

The report shows the name and one line, so that line is the body; what the names in it are is told by the line that calls the
function (``handler(topic, *details)``), by what a test has at hand, and else drawn. A function that works on ``self`` is a method:
of a subclass of what called it, or of a class of its own.

# Deviation: not in the papers of crash reproduction, whose chains of frames have no gaps.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from crashwright.engine.subject.api.types import ANY, ClassHint
from crashwright.engine.subject.introspection import attribute_of
from crashwright.engine.testcase.definitions.source import bound_names, parsed, source_of
from crashwright.engine.testcase.echoing.definitions import shown_definition
from crashwright.engine.testcase.echoing.source import parse_echo
from crashwright.engine.testcase.echoing.unknowns import Unknowns
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.statements import Definition, Named, Ref, Statement, Variable
from crashwright.engine.testcase.typed import type_of

_LAMBDA, _UNNAMED = "<lambda>", "callback"
_IN_ORDER, _FROM_OUTSIDE, _OPTIONAL, _AT_HAND = 0.7, 0.35, 0.5, 0.9
_ITSELF = ("self", "cls")


class ShownFunction(NamedTuple):
    """``body`` is the line that the report shows of the function ``name``; ``arguments`` are what it has to take where that is
    known for certain (of a lambda), ``calls`` the calls of the line that leads to it. ``caller`` and ``callee`` are the classes
    of the frames before and after it, where these are methods."""

    name: str
    body: ast.stmt
    calls: tuple[ast.Call, ...]
    arguments: ast.arguments | None = None
    caller: type | None = None
    callee: type | None = None

    @property
    def is_method(self) -> bool:
        """Whether it works on an object of its own class."""
        names = {node.id for node in ast.walk(self.body) if isinstance(node, ast.Name)}
        return self.arguments is None and (
            not names.isdisjoint((*_ITSELF, "super")) or (self.name.startswith("__") and self.name.endswith("__"))
        )


def shown_function(
    name: str, source: str, leading: str, caller: type | None = None, callee: type | None = None
) -> ShownFunction | None:
    """The function ``name`` one line of which is ``source``, called by the line ``leading``; None where the line cannot be read, or
    calls nothing."""
    line = next(parse_echo(source), None)
    if line is None:
        return None
    leads = next(parse_echo(leading), None)
    calls = () if leads is None else tuple(node for node in ast.walk(leads) if isinstance(node, ast.Call))
    if name != _LAMBDA:
        return ShownFunction(name, line, calls, None, caller, callee) if name.isidentifier() else None
    written = [node for node in ast.walk(line) if isinstance(node, ast.Lambda)]
    if not written:
        return None
    return ShownFunction(_UNNAMED, ast.Return(written[0].body), calls, written[0].args, caller, callee)


class FunctionMaker:
    """Appends the definition of one of them to tests, each time as it may have been."""

    def __init__(self, shown: ShownFunction, names: NameChain, factory: Factory) -> None:
        self._shown = shown
        self._names = names
        self._factory = factory
        self._unknowns = Unknowns(shown.body)

    def function(self, statements: list[Statement], rng: Random) -> Variable | None:
        """Appends the function; None where a name in it can mean nothing."""
        arguments = self._arguments(rng)
        return self._finished(statements, self._written(arguments), arguments, (), rng)

    def subclass(self, statements: list[Statement], base: type, rng: Random) -> Variable | None:
        """Appends a subclass of ``base`` that has the function as a method."""
        definer = self._factory.definer
        if definer is None:
            return None
        definer.subclass(self._factory, statements, base, rng)
        made = statements.pop()
        if not isinstance(made, Definition):
            return None
        tree = parsed(made.source)
        assert isinstance(tree, ast.ClassDef)
        arguments = self._arguments(rng, bound=True)
        method = self._written(arguments)
        kept = [one for one in tree.body if not (isinstance(one, ast.Pass) or _is_named(one, method.name))]
        tree.body = [*kept, method]
        return self._finished(statements, tree, arguments, made.names, rng)

    def bearer(self, statements: list[Statement], rng: Random) -> Variable | None:
        """Appends a class that has nothing but the function as a method."""
        arguments = self._arguments(rng, bound=True)
        title = self._shown.name.strip("_").title().replace("_", "") or "Bearer"
        tree = ast.ClassDef(title, [], [], [self._written(arguments)], [])
        return self._finished(statements, tree, arguments, (), rng)

    # Its parts

    def _written(self, arguments: ast.arguments) -> ast.FunctionDef | ast.AsyncFunctionDef:
        shown = self._shown
        waits = any(isinstance(node, ast.Await | ast.AsyncFor | ast.AsyncWith) for node in ast.walk(shown.body))
        line = ast.Return(shown.body.value) if isinstance(shown.body, ast.Expr) else shown.body
        kind = ast.AsyncFunctionDef if waits else ast.FunctionDef
        return kind(shown.name, arguments, [line], [])

    def _finished(
        self,
        statements: list[Statement],
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
        arguments: ast.arguments,
        known: Sequence[tuple[str, Named | Ref]],
        rng: Random,
    ) -> Variable | None:
        source = source_of(node)
        node = parsed(source)
        taken = {one.arg for one in ast.walk(arguments) if isinstance(one, ast.arg)}
        outside = {name: value for name, value in known if not isinstance(value, Ref)}
        variables = {name: value.variable for name, value in known if isinstance(value, Ref)}
        for name in self._open(taken):
            if name not in outside and name not in variables and name not in bound_names(source):
                variables[name] = self._held(statements, name, rng)
        try:
            made = shown_definition(self._factory.new(), node, variables, _Meanings(self._names, outside).meaning)
        except ValueError:
            return None
        statements.append(made)
        return made.variable

    def _open(self, taken: set[str]) -> list[str]:
        """The names that the body takes from around it and that nothing explains, in order."""
        body = self._shown.body
        stored = {node.id for node in ast.walk(body) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        known = {*taken, *stored, *_ITSELF, *dir(builtins)}
        used = dict.fromkeys(node.id for node in ast.walk(body) if isinstance(node, ast.Name) and node.id not in known)
        return [name for name in used if self._names.in_definition(name) is None]

    def _arguments(self, rng: Random, bound: bool = False) -> ast.arguments:
        """What the function takes: as many as it is given, with the names of its body for those that it does not get elsewhere."""
        if self._shown.arguments is not None:
            return self._shown.arguments
        first = [_ITSELF[0]] if bound else []
        calls = [one for one in self._shown.calls if _called(one) not in dir(builtins)]
        if not calls:
            return _arguments(first, (), any_more=True)
        call = calls[int(rng.random() * rng.random() * len(calls))]
        given = [one for one in call.args if not isinstance(one, ast.Starred)]
        names = self._open(set(first))
        taken: list[str | None] = [one.id if isinstance(one, ast.Name) and one.id in names else None for one in given]
        by_name = [one.arg for one in call.keywords if one.arg is not None]
        left = [name for name in names if name not in (*taken, *by_name)]
        for place, one in enumerate(given):
            if taken[place] is None:
                drawn = left and rng.random() >= _FROM_OUTSIDE
                chosen = left.pop(0 if rng.random() < _IN_ORDER else int(rng.random() * len(left))) if drawn else ""
                taken[place] = chosen or _plain(one, [*first, *(name for name in taken if name), *by_name, *left], place)
        more = len(given) < len(call.args) or len(by_name) < len(call.keywords)
        optional = [name for name in left if more and rng.random() < _OPTIONAL]
        return _arguments([*first, *(name or "" for name in taken), *by_name], optional, more and not optional)

    def _held(self, statements: list[Statement], name: str, rng: Random) -> Variable:
        """What a name stands for that is taken from around the function: something at hand that has what is asked of it."""
        asked = [
            node.attr
            for node in ast.walk(self._shown.body)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name
        ]
        fitting = [
            statement[0]
            for statement in statements
            if (cls := type_of(statement, self._factory.observed)) is not None and asked and _has(cls, asked)
        ]
        if fitting and rng.random() < _AT_HAND:
            return fitting[int(rng.random() * len(fitting))]
        owner = self._shown.callee
        if owner is not None and asked and _has(owner, asked):
            return self._factory.argument(statements, ClassHint(owner), rng, 1, legal=True)
        return self._factory.argument(statements, self._unknowns.hint(name, ANY, rng), rng, 1, name)

    def bases(self) -> tuple[type, ...]:
        """The classes that a subclass with it may derive from, the likeliest first."""
        asked = [
            node.attr
            for node in ast.walk(self._shown.body)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in _ITSELF
        ]
        found = dict.fromkeys(cls for cls in (self._shown.callee, self._shown.caller) if cls is not None)
        return tuple(sorted(found, key=lambda cls: not _has(cls, asked)))


class _Meanings:
    """What names mean that a definition had before, and then what all others do."""

    def __init__(self, names: NameChain, known: Mapping[str, Named]) -> None:
        self._names = names
        self._known = known

    def meaning(self, *parts: str) -> Named | None:
        """What ``shown_definition`` asks for."""
        found = self._known.get(parts[0]) if len(parts) == 1 else None
        return self._names.in_definition(*parts) if found is None else found


def _has(cls: type, names: Sequence[str]) -> bool:
    return all(attribute_of(cls, name, _LACKING) is not _LACKING for name in names)


_LACKING = object()


def _is_named(node: ast.stmt, name: str) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name == name


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _plain(given: ast.expr, taken: Sequence[str], place: int) -> str:
    """A name for what nothing in the body stands for."""
    name = given.id if isinstance(given, ast.Name) else given.attr if isinstance(given, ast.Attribute) else ""
    name = name if name and name not in _ITSELF else "value"
    while name in taken:
        name = f"{name}_{place + 1}"
    return name


def _arguments(names: Sequence[str], optional: Sequence[str], any_more: bool) -> ast.arguments:
    every = [ast.arg(name) for name in (*names, *optional)]
    return ast.arguments(
        posonlyargs=[],
        args=every,
        vararg=ast.arg("args") if any_more else None,
        kwonlyargs=[],
        kw_defaults=[],
        kwarg=ast.arg("options") if any_more else None,
        defaults=[ast.Constant(None)] * len(optional),
    )
