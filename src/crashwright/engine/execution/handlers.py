"""How each kind of statement is run: one function per class, ``handler(env, statement)``, where ``env`` maps variables to values.

The printed test is the standard: a handler does what the printed line would do, in the same order of evaluation.
"""

from __future__ import annotations

import builtins
import operator
import runpy
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Protocol, cast

from crashwright.engine.execution.around import put
from crashwright.engine.execution.captured import CAPTURED
from crashwright.engine.instrument.operations import ARITHMETIC, COMPARISONS, Operation
from crashwright.engine.subject.introspection import attribute_of, is_sound
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.definitions.source import code_of, name_of
from crashwright.engine.testcase.operators import OPERATIONS
from crashwright.engine.testcase.statements import NO_ARGUMENTS, Arguments, Display, Expected, Made, Named, Ref, Value

# The values of a running test can be anything at all: here, and only here, Any is the honest type.
Environment = dict[int, Any]
Handler = Callable[[Environment, Any], None]


_map = map  # the test may have replaced the builtin


def build(value: Value, env: Environment) -> Any:
    """The object that a literal tree stands for, containers made afresh."""
    kind = type(value)
    if kind is Display:
        return _CONTAINERS[value.kind](value.items, env)  # type: ignore[union-attr]
    if kind is Ref:
        return env[value.variable]  # type: ignore[union-attr]
    return value


def expect(value: Expected, env: Environment) -> Any:
    """The object that an assertion expects."""
    if isinstance(value, Named):
        return value.live
    if isinstance(value, Made):
        keywords = {name: expect(cast(Expected, part), env) for name, part in value.keywords}
        return cast(Any, value.named.live)(*[expect(cast(Expected, part), env) for part in value.positional], **keywords)
    if not isinstance(value, Display):
        return build(value, env)
    if value.kind == "dict":
        return {expect(key, env): expect(item, env) for key, item in cast("tuple[tuple[Expected, Expected], ...]", value.items)}
    return _DISPLAYS[value.kind]([expect(cast(Expected, item), env) for item in value.items])


_DISPLAYS: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
    "bytearray": lambda items: bytearray(items[0]),
}


def _built(items: Iterable[Any], env: Environment) -> Iterator[Any]:
    return (build(item, env) for item in items)


_CONTAINERS: dict[str, Callable[[Any, Environment], Any]] = {
    "list": lambda items, env: list(_built(items, env)),
    "tuple": lambda items, env: tuple(_built(items, env)),
    "set": lambda items, env: set(_built(items, env)),
    "frozenset": lambda items, env: frozenset(_built(items, env)),
    "dict": lambda items, env: {build(key, env): build(value, env) for key, value in items},
    "bytearray": lambda items, env: bytearray(build(items[0], env)),
}


def invoke(function: Callable[..., Any], env: Environment, arguments: Arguments) -> Any:
    """``function(arguments)``."""
    positional, keywords, star, double_star = arguments
    if star is None and double_star is None:
        if not keywords:
            return function(*_map(env.__getitem__, positional))
        return function(*_map(env.__getitem__, positional), **{name: env[variable] for name, variable in keywords})
    rest = () if star is None else env[star]
    named = {name: env[variable] for name, variable in keywords}
    more = {} if double_star is None else env[double_star]
    return function(*[env[variable] for variable in positional], *rest, **named, **more)


def _literal(env: Environment, statement: st.Literal) -> None:
    variable, value = statement
    kind = type(value)
    env[variable] = build(value, env) if kind is Display or kind is Ref else value


def _reference(env: Environment, statement: st.Reference) -> None:
    env[statement.variable] = statement.named.live


def _call(env: Environment, statement: st.Call) -> None:
    variable, callee, arguments = statement
    positional, keywords, star, double_star = arguments
    if keywords or star is not None or double_star is not None:
        env[variable] = invoke(callee.live, env, arguments)  # type: ignore[arg-type]
    else:  # as ``invoke`` would, one frame less
        env[variable] = callee.live(*_map(env.__getitem__, positional))  # type: ignore[operator]


_ONLY_POSITIONAL = NO_ARGUMENTS[1:]


def _method_call(env: Environment, statement: st.MethodCall) -> None:
    variable, receiver, name, arguments, _ = statement
    if name[:2] == "__" and arguments[1:] == _ONLY_POSITIONAL:
        operation = OPERATIONS.get((name, len(arguments[0])))
        if operation is not None:
            env[variable] = operation(env[receiver], *[env[argument] for argument in arguments[0]])
            return
        if name == "__call__":
            env[variable] = env[receiver](*[env[argument] for argument in arguments[0]])
            return
    env[variable] = invoke(getattr(env[receiver], name), env, arguments)


def _call_value(env: Environment, statement: st.CallValue) -> None:
    variable, function, arguments, _ = statement
    env[variable] = invoke(env[function], env, arguments)


def _get_attribute(env: Environment, statement: st.GetAttribute) -> None:
    variable, receiver, name = statement
    env[variable] = getattr(env[receiver], name)


def _set_attribute(env: Environment, statement: st.SetAttribute) -> None:
    receiver, name, value = statement
    setattr(env[receiver], name, env[value])


def _delete_attribute(env: Environment, statement: st.DeleteAttribute) -> None:
    receiver, name = statement
    delattr(env[receiver], name)


def _get_item(env: Environment, statement: st.GetItem) -> None:
    variable, receiver, key = statement
    env[variable] = env[receiver][env[key]]


def _set_item(env: Environment, statement: st.SetItem) -> None:
    receiver, key, value = statement
    env[receiver][env[key]] = env[value]


def _delete_item(env: Environment, statement: st.DeleteItem) -> None:
    receiver, key = statement
    del env[receiver][env[key]]


_BINARY: dict[str, Operation] = {**COMPARISONS, **ARITHMETIC, "@": operator.matmul}
_UNARY: dict[str, Callable[[Any], Any]] = {"-": operator.neg, "+": operator.pos, "~": operator.invert, "not": operator.not_}


def _operation(env: Environment, statement: st.Operation) -> None:
    variable, name, operands = statement
    if name == "slice":
        env[variable] = slice(*[env[operand] for operand in operands])
    elif len(operands) == 1:
        env[variable] = _UNARY[name](env[operands[0]])
    else:
        left, right = operands
        env[variable] = _BINARY[name](env[left], env[right])


def _iterate(env: Environment, statement: st.Iterate) -> None:
    variable, iterable, mode, limit = statement
    source = env[iterable] if limit is None else islice(env[iterable], limit)
    if mode == "list":
        env[variable] = list(source)
    elif mode == "next":
        env[variable] = next(iter(env[iterable]))
    else:
        item = None
        for item in source:  # noqa: B007 (the loop is the statement, and its variable the value)
            pass
        env[variable] = item


def _within(env: Environment, statement: st.Within) -> None:
    variable, manager, error, *_ = statement
    with env[manager] as env[variable]:
        for key, value in statement.filling:
            env[variable][build(key, env)] = build(value, env)
        if error is not None:
            raise env[error]


def _stub_callable(env: Environment, statement: st.StubCallable) -> None:
    variable, parameters, result, raises = statement
    if raises is None:
        respond: Callable[[], Any] = lambda: build(result, env)  # noqa: E731 (a lambda, as printed)
    else:
        exception = getattr(builtins, raises)

        def respond() -> Any:
            raise exception

    env[variable] = _stub_maker(parameters)(respond)


def _stub_maker(parameters: str) -> Callable[[Callable[[], Any]], Any]:
    # Named as this file, so that the frames of stubs are stripped like all others of ours.
    code = compile(f"lambda respond__: lambda {parameters}: respond__()", __file__, "eval")
    return eval(code, {"__name__": "stub", "__builtins__": builtins})  # type: ignore[no-any-return]


def _stub_class(env: Environment, statement: st.StubClass) -> None:
    variable, name, bases, members, instantiate = statement

    def fill(namespace: dict[str, Any]) -> None:
        namespace["__module__"] = st.HOME_OF_TESTS
        for member, kind, value in members:
            namespace[member] = _MEMBERS[kind](value, env)

    cls = types.new_class(name, tuple(base.live for base in bases), {}, fill)
    env[variable] = cls() if instantiate else cls


def _definition(env: Environment, statement: st.Definition) -> None:
    variable, source, names = statement
    namespace: dict[str, Any] = {"__name__": st.HOME_OF_TESTS, "__builtins__": builtins}
    for name, bound in names:
        namespace[name] = env[bound.variable] if isinstance(bound, Ref) else bound.live
    exec(code_of(source, __file__), namespace)  # ours by its file, as stubs are
    env[variable] = namespace[name_of(source)]


def _method(value: Value, env: Environment) -> Any:
    return lambda _self, *_args, **_kwargs: build(value, env)


_MEMBERS: dict[str, Callable[[Value, Environment], Any]] = {
    "attribute": build,
    "method": _method,
    "property": lambda value, env: property(_method(value, env)),
}


def _ambient(env: Environment, statement: st.Ambient) -> None:
    variable, place, name, content = statement
    value = env[variable] = CAPTURED[place]() if place in CAPTURED else build(content, env)
    put(place, name, value)


def _run_module(env: Environment, statement: st.RunModule) -> None:
    variable, name, path, as_main = statement
    if path is not None or as_main:
        run = runpy.run_module if path is None else runpy.run_path
        env[variable] = run(name if path is None else path, run_name="__main__")
        return
    parent, _, child = name.rpartition(".")
    package = sys.modules.get(parent)
    before = sys.modules.pop(name, None)
    attribute = attribute_of(package, child)
    try:
        # Not importlib.import_module: only the import statement, which is __import__, hides the import system's own frames.
        __import__(name)
        env[variable] = sys.modules[name]
    finally:
        sys.modules.pop(name, None)
        if before is not None:
            sys.modules[name] = before
        if package is not None and attribute is not None:
            setattr(package, child, attribute)


HANDLERS: dict[type, Handler] = {
    st.Literal: _literal,
    st.Reference: _reference,
    st.Call: _call,
    st.MethodCall: _method_call,
    st.CallValue: _call_value,
    st.GetAttribute: _get_attribute,
    st.SetAttribute: _set_attribute,
    st.DeleteAttribute: _delete_attribute,
    st.GetItem: _get_item,
    st.SetItem: _set_item,
    st.DeleteItem: _delete_item,
    st.Operation: _operation,
    st.Iterate: _iterate,
    st.Within: _within,
    st.StubCallable: _stub_callable,
    st.StubClass: _stub_class,
    st.Definition: _definition,
    st.Ambient: _ambient,
    st.RunModule: _run_module,
}
"""All but Enter, Await and FileFixture, and Within where it is async, which need more than the variables; what stands under the
first two is run behind them."""


def observing(observed: dict[Any, dict[type, None]], base: dict[type, Handler] = HANDLERS) -> dict[type, Handler]:
    """Handlers that also note the class of each result under its callee, in the order seen (a set of classes has another order in
    each process)."""
    plain_call, plain_method_call = base[st.Call], base[st.MethodCall]

    def note(callee: Any, value: object) -> None:
        if is_sound(type(value)):
            observed.setdefault(callee, {})[type(value)] = None

    def call(env: Environment, statement: st.Call) -> None:
        plain_call(env, statement)
        note(statement.callee, env[statement.variable])

    def method_call(env: Environment, statement: st.MethodCall) -> None:
        plain_method_call(env, statement)
        if statement.callee is not None:
            note(statement.callee, env[statement.variable])

    return {**base, st.Call: call, st.MethodCall: method_call}


class Note(Protocol):
    """Is told of each call and attribute of a test."""

    def __call__(self, statement: Any, env: Environment, returned: bool = True) -> None: ...


def noting(note: Note) -> dict[type, Handler]:
    """Handlers that call ``note(statement, env)`` as soon as a call has returned, an attribute was read, or something was
    iterated, awaited or entered: before anything can change the result; and ``note(statement, env, False)`` where that raises (but
    for what is awaited or entered), or setting or deleting an attribute does, while the object is at hand."""

    def noted(handler: Handler, gives: bool = True) -> Handler:
        def run(env: Environment, statement: Any) -> None:
            try:
                handler(env, statement)
            except BaseException:
                note(statement, env, False)
                raise
            if gives:
                note(statement, env)

        return run

    return {
        **HANDLERS,
        st.Call: noted(_call),
        st.MethodCall: noted(_method_call),
        st.GetAttribute: noted(_get_attribute),
        st.SetAttribute: noted(_set_attribute, gives=False),
        st.DeleteAttribute: noted(_delete_attribute, gives=False),
        st.Iterate: noted(_iterate),
        st.Within: noted(_within),
        **dict.fromkeys((st.Enter, st.Await), _behind(note)),
    }


def _behind(note: Note) -> Handler:
    """What is run once a manager was entered, or something was awaited."""

    def run(env: Environment, statement: Any) -> None:
        note(statement, env)

    return run
