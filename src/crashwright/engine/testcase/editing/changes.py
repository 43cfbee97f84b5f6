"""Changing one statement: another value of a literal, another argument, receiver, callee, attribute or operator."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from random import Random
from typing import cast

from crashwright.engine.subject.api.callee import MOCKS, Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.subject.api.types import ANY, ClassHint, Hint, TypeHint
from crashwright.engine.subject.introspection import is_callable, is_class, is_sound
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.definitions.source import code_of, is_class_source, is_clear, open_names
from crashwright.engine.testcase.definitions.variation import merged_source, varied_source
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.stubs import builtin_callable
from crashwright.engine.testcase.making.text import mutate_bytes, mutate_text
from crashwright.engine.testcase.making.values import any_value, mutate_value, random_value
from crashwright.engine.testcase.statements import Arguments, Display, Statement, Value, Variable, as_ambient
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.typed import type_of
from crashwright.engine.testcase.variables import defined

_FAMILIES: tuple[tuple[str, ...], ...] = (
    ("+", "-", "*", "/", "//", "%", "**", "@"),
    ("<<", ">>", "&", "|", "^"),
    ("==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not"),
)
_GROWN = 0.5
MOCKED = 0.25
"""How often what a mock answers comes or goes, of the times that an optional argument would: it was made for what is read of it."""
STARRED = 0.5
"""How often an argument behind the star comes or goes, of the times that an optional one would."""
_UNARY = ("-", "+", "~", "not")
_ANY = type(ANY)
_VAR_POSITIONAL = ParameterKind.VAR_POSITIONAL


class _Site:
    """One statement under change: ``before`` takes statements that the change needs, placed in front of it."""

    __slots__ = ("before", "factory", "rng", "size")

    def __init__(self, before: list[Statement], factory: Factory, rng: Random) -> None:
        self.before = before
        self.factory = factory
        self.rng = rng
        self.size = len(before)

    def other(self, hint: Hint, name: str = "", legal: bool = False) -> Variable:
        """A variable for ``hint``: any one at hand half the time, else as the factory gives it."""
        if self.rng.random() < 0.5:
            variable = self.factory.reuse(self.before, hint, self.rng)
            if variable is not None:
                return variable
        return self.factory.argument(self.before, hint, self.rng, 1, name, legal)

    def like(self, variable: Variable) -> Variable:
        """A variable of the type of another."""
        for statement in self.before:
            if defined(statement) == variable:
                return self.other(self.factory.hint_of_statement(statement))
        return self.other(ANY)


def change(test: TestCase, index: int, factory: Factory, rng: Random) -> TestCase:
    """With the statement at ``index`` changed; the statements that the change needs go before it."""
    statements = test.statements
    statement = statements[index]
    kind = type(statement)
    if kind is st.Literal:
        changed_literal = [*statements]
        changed_literal[index] = st.Literal(statement[0], _other_value(statement[1], factory, rng))  # type: ignore[arg-type]
        return TestCase(tuple(changed_literal))
    changer = _CHANGERS.get(kind)
    if changer is None:
        return test
    site = _Site(list(statements[:index]), factory, rng)
    changed = changer(site, statement)
    return TestCase((*site.before, changed, *statements[index + 1 :]))


def _other_value(value: Value, factory: Factory, rng: Random) -> Value:
    roll = rng.random()
    if roll < 0.85:
        return mutate_value(rng, value, factory.pool)
    if (roll < 0.97 or factory.pool.legal) and type(value) is not Display and value is not None:
        return random_value(rng, ClassHint(type(value)), factory.pool)
    return any_value(rng, factory.pool)


def _call(site: _Site, statement: st.Call) -> Statement:
    if site.rng.random() < 0.1:
        other = _other_callee(site, statement.callee)
        if other is not None:
            return st.Call(statement.variable, other, site.factory.arguments(site.before, other, site.rng, 0))
    return st.Call(statement.variable, statement.callee, _arguments(site, statement.arguments, statement.callee))


def _other_callee(site: _Site, callee: Callee) -> Callee | None:
    """Another way to a value of the same type; never another entry, nor in place of one."""
    if callee in site.factory.entry_set:
        return None
    hint = ClassHint(callee.owner) if callee.kind is CalleeKind.CLASS and callee.owner is not None else callee.returns
    if type(hint) is not ClassHint and type(hint) is not TypeHint:
        return None
    bound = (CalleeKind.METHOD, CalleeKind.PROPERTY)
    ways = [other for other in site.factory.constructors_of(hint) if other is not callee and other.kind not in bound]
    return ways[int(site.rng.random() * len(ways))] if ways else None


def _method_call(site: _Site, statement: st.MethodCall) -> Statement:
    roll = site.rng.random()
    callee = statement.callee
    if roll < 0.2 and callee is not None and callee.owner is not None:
        return statement._replace(receiver=site.other(ClassHint(callee.owner), legal=True))
    if roll < 0.3 and callee is not None and callee.owner is not None and callee not in site.factory.entry_set:
        methods = [other for other in site.factory.methods_of(callee.owner) if other.kind is CalleeKind.METHOD]
        if methods:
            other = methods[int(site.rng.random() * len(methods))]
            arguments = site.factory.arguments(site.before, other, site.rng, 0)
            return st.MethodCall(statement.variable, statement.receiver, other.name, arguments, other)
    variable, receiver, name, arguments, _ = statement
    return st.MethodCall(variable, receiver, name, _arguments(site, arguments, callee), callee)


def _call_value(site: _Site, statement: st.CallValue) -> Statement:
    return statement._replace(arguments=_arguments(site, statement.arguments, None))


def _arguments(site: _Site, arguments: Arguments, callee: Callee | None) -> Arguments:
    """One argument replaced, or an optional one added or dropped."""
    rng = site.rng
    given = len(arguments.positional) + len(arguments.keywords)
    if callee is not None and (not given or rng.random() < 0.3):
        return _toggled(site, arguments, callee)
    if not given:
        return arguments
    place = int(rng.random() * given)
    positional, keywords = arguments.positional, arguments.keywords
    if place < len(positional):
        new = _argument(site, positional[place], None if callee is None else _parameter_at(callee, place))
        return Arguments((*positional[:place], new, *positional[place + 1 :]), keywords, arguments[2], arguments[3])
    place -= len(positional)
    name, old = keywords[place]
    parameter = None if callee is None else next((known for known in callee.parameters if known.name == name), None)
    pair = (name, _argument(site, old, parameter))
    return Arguments(positional, (*keywords[:place], pair, *keywords[place + 1 :]), arguments[2], arguments[3])


def _argument(site: _Site, old: Variable, parameter: Parameter | None) -> Variable:
    """In place of ``old``: a variable for the parameter; of an unknown one now and then a variable of the old type."""
    if parameter is None or (type(parameter.hint) is _ANY and site.rng.random() < 0.3):
        return site.like(old)
    return site.other(parameter.hint, parameter.name)


def _parameter_at(callee: Callee, place: int) -> Parameter | None:
    for index, parameter in enumerate(callee.parameters):
        if index == place or parameter.kind is _VAR_POSITIONAL:
            return parameter
    return None


def _toggled(site: _Site, arguments: Arguments, callee: Callee) -> Arguments:
    """An optional parameter that is not passed is, by keyword; one that is passed is dropped. What a mock answers is seldom."""
    rng = site.rng
    if callee.module == MOCKS and rng.random() >= MOCKED:
        return arguments
    if site.factory.diverse and not arguments.keywords and callee.parameters and rng.random() < STARRED:
        starred = _starred(site, arguments, callee)
        if starred is not None:
            return starred
    passed = {name for name, _ in arguments.keywords}
    by_position = {parameter.name for parameter in callee.parameters[: len(arguments.positional)]}
    absent = [
        parameter
        for parameter in callee.parameters
        if not parameter.required
        and parameter.name not in passed
        and parameter.name not in by_position
        and parameter.kind in (ParameterKind.POSITIONAL_OR_KEYWORD, ParameterKind.KEYWORD_ONLY)
    ]
    if absent and (not passed or rng.random() < 0.6):
        parameter = absent[int(rng.random() * len(absent))]
        variable = site.factory.parameter(site.before, callee, parameter, rng)
        return arguments._replace(keywords=(*arguments.keywords, (parameter.name, variable)))
    if arguments.keywords:
        place = int(rng.random() * len(arguments.keywords))
        return arguments._replace(keywords=arguments.keywords[:place] + arguments.keywords[place + 1 :])
    return arguments


def _starred(site: _Site, arguments: Arguments, callee: Callee) -> Arguments | None:
    """With one argument more or less behind the star; None where the callee has no star, or what stands before it is missing."""
    place = next((index for index, parameter in enumerate(callee.parameters) if parameter.kind is _VAR_POSITIONAL), None)
    positional = arguments.positional
    if place is None or len(positional) < place or arguments.star is not None:
        return None
    rng = site.rng
    if len(positional) > place and rng.random() < 0.5:
        gone = place + int(rng.random() * (len(positional) - place))
        return arguments._replace(positional=positional[:gone] + positional[gone + 1 :])
    if len(positional) > place and rng.random() < 0.5:
        more = site.like(positional[-1])
    else:
        more = site.factory.parameter(site.before, callee, callee.parameters[place], rng)
    return arguments._replace(positional=(*positional, more))


def _get_attribute(site: _Site, statement: st.GetAttribute) -> Statement:
    for earlier in site.before:
        if defined(earlier) == statement.receiver:
            cls = type_of(earlier, site.factory.observed)
            names = [] if cls is None else [c.name for c in site.factory.methods_of(cls) if c.kind is CalleeKind.PROPERTY]
            if names and site.rng.random() < 0.5:
                return statement._replace(name=names[int(site.rng.random() * len(names))])
    return statement._replace(receiver=site.like(statement.receiver))


def _one_of(*fields: str) -> Callable[[_Site, Statement], Statement]:
    """A change that gives one of these fields a variable of the same type; of the last one mostly."""

    def changer(site: _Site, statement: Statement) -> Statement:
        field = fields[-1] if site.rng.random() < 0.7 else fields[int(site.rng.random() * len(fields))]
        new = site.like(getattr(statement, field))
        return statement._replace(**{field: new})  # type: ignore[arg-type]

    return changer


def _operation(site: _Site, statement: st.Operation) -> Statement:
    operands = statement.operands
    if statement.operator != "slice" and site.rng.random() < 0.5:
        family: tuple[str, ...] = _UNARY
        if len(operands) == 2:
            family = next((known for known in _FAMILIES if statement.operator in known), (statement.operator,))
        return statement._replace(operator=family[int(site.rng.random() * len(family))])
    place = int(site.rng.random() * len(operands))
    new = site.like(operands[place])
    return statement._replace(operands=(*operands[:place], new, *operands[place + 1 :]))


def _iterate(site: _Site, statement: st.Iterate) -> Statement:
    mode = ("list", "next", "for")[int(site.rng.random() * 3)]
    return statement._replace(mode=mode, limit=None if mode == "next" else statement.limit or 50)


def _stub_callable(site: _Site, statement: st.StubCallable) -> Statement:
    return statement._replace(result=_other_value(statement.result, site.factory, site.rng), raises=None)


def _stub_class(site: _Site, statement: st.StubClass) -> Statement:
    members = statement.members
    if not members:
        return statement
    place = int(site.rng.random() * len(members))
    name, kind, value = members[place]
    member = (name, kind, _other_value(value, site.factory, site.rng))
    return statement._replace(members=(*members[:place], member, *members[place + 1 :]))


def _definition(site: _Site, statement: st.Definition) -> Statement:
    """A part of it changed or left out, or a member more, as the factory would give it to a class of that base."""
    names, definer = dict(statement.names), site.factory.definer
    bases = [bound.live for _, bound in statement.names if isinstance(bound, st.Named) and is_class(bound.live)]
    if definer is not None and bases and is_class_source(statement.source) and site.rng.random() < _GROWN:
        made: list[Statement] = []
        base = bases[int(site.rng.random() * len(bases))]
        definer.subclass(site.factory, made, base, site.rng)
        other = cast(st.Definition, made.pop())
        site.before += made
        source = merged_source(statement.source, other.source, site.rng)
        names = {**dict(other.names), **names}
    else:
        source = varied_source(statement.source, site.rng, lambda value: _other_value(value, site.factory, site.rng))
    try:
        code_of(source, "")
        needed = open_names(source)
    except ValueError:
        return statement
    if not is_clear(source) or any(name not in names and not hasattr(builtins, name) for name in needed):
        return statement
    return st.Definition(statement.variable, source, tuple([(name, names[name]) for name in needed if name in names]))


def _file(site: _Site, statement: st.FileFixture) -> Statement:
    content = statement.content
    if isinstance(content, bytes):
        return statement._replace(content=mutate_bytes(site.rng, content, site.factory.pool))
    text = mutate_text(site.rng, content, site.factory.pool)
    return statement._replace(content=text.encode("utf-8", "replace").decode("utf-8"))


def _ambient(site: _Site, statement: st.Ambient) -> Statement:
    if statement.content is None or type(statement.content) is st.Ref:
        return statement
    content = _other_value(statement.content, site.factory, site.rng)
    if statement.place == "argv":
        items = content.items if type(content) is Display and content.kind == "list" else ()
        return statement._replace(content=Display("list", tuple(as_ambient(item) for item in items if type(item) is str)))
    return statement._replace(content=as_ambient(content)) if type(content) is str else statement


def _reference(site: _Site, statement: st.Reference) -> Statement:
    """Another constant or enum member of the same type, another subclass of the same class."""
    live = statement.named.live
    if is_callable(live) and not is_class(live):
        return st.Reference(statement.variable, builtin_callable(site.rng))
    cls = live if is_class(live) else type(live)
    hint: Hint = ANY if not is_sound(cls) else TypeHint(cls) if is_class(live) else ClassHint(cls)
    made: list[Statement] = []
    site.factory.argument(made, hint, site.rng, 1, legal=True)
    last = made[-1]
    return st.Reference(statement.variable, last.named) if len(made) == 1 and type(last) is st.Reference else statement


_CHANGERS: dict[type, Callable[..., Statement]] = {
    st.Reference: _reference,
    st.Call: _call,
    st.MethodCall: _method_call,
    st.CallValue: _call_value,
    st.GetAttribute: _get_attribute,
    st.SetAttribute: _one_of("receiver", "value"),
    st.DeleteAttribute: _one_of("receiver"),
    st.GetItem: _one_of("receiver", "key"),
    st.SetItem: _one_of("receiver", "key", "value"),
    st.DeleteItem: _one_of("receiver", "key"),
    st.Operation: _operation,
    st.Iterate: _iterate,
    st.StubCallable: _stub_callable,
    st.StubClass: _stub_class,
    st.Definition: _definition,
    st.FileFixture: _file,
    st.Ambient: _ambient,
}
