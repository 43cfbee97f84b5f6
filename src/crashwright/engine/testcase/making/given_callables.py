"""Functions and classes for a parameter that the code decorates, inspects or calls (``subject.usage.roles``): a small one of each
kind that it tells apart, with as many arguments as it is given, dataclasses with a few fields."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence

from crashwright.engine.subject.usage.roles import ANNOTATED, ASYNC, ASYNC_GENERATOR, CLASS, DATACLASS, GENERATOR, Roles
from crashwright.engine.testcase.definitions.source import parsed, source_of
from crashwright.engine.testcase.statements import Arguments, CallValue, Definition, Literal, Named, Statement, Variable
from crashwright.engine.wants.parameter_names import CALLABLE_NAMES

_PARAMETERS = ("x", "y", "z", "u", "v", "w")
_MOST_ARITIES = 2
_NOT_CAUGHT = "RuntimeError"
"""By most code."""
_SHORTEST = 3
_FUNCTION, _EXAMPLE = "function", "Example"
FIELDS = "name", "size"
"""Of a dataclass."""
_CLASS_NAMES = frozenset({"cls", "klass", "class_", "clazz", "type_"})
_MOST_ALIASES = 2


def callables_for(
    name: str, roles: Roles, errors: Sequence[str], new: Callable[[], Variable], aliases: Sequence[Named] = ()
) -> list[tuple[Statement, ...]]:
    """What a parameter called ``name`` may be given, the last statement of each makes it; ``errors`` are builtin exceptions that
    the code waits for, ``aliases`` types that it has names for."""
    sources = dict.fromkeys(source_of(parsed(text)) for text in _texts(_called(name), roles, errors))
    found: list[tuple[Statement, ...]] = [(Definition(new(), source),) for source in sources]
    if DATACLASS in roles.kinds:
        for defined in _dataclasses(name, new, aliases):
            found.append((defined,))
            if name not in _CLASS_NAMES:
                found.append(_instance(defined, new))
    return found


def _dataclasses(name: str, new: Callable[[], Variable], aliases: Sequence[Named]) -> Iterator[Definition]:
    """A plain one, and one for each alias."""
    plain = name.strip("_")
    title = _EXAMPLE if name in _CLASS_NAMES or len(plain) < _SHORTEST else _title(plain)
    decorator = ("dataclass", Named("dataclasses", "dataclass", dataclasses.dataclass))
    fields = "".join(f"    {field}: {kind}\n" for field, kind in zip(FIELDS, ("str", "int"), strict=True))
    for alias in (None, *aliases[:_MOST_ALIASES]):
        more = "" if alias is None else f"    rest: {alias.qualname} = None\n"
        known = dict([decorator] if alias is None else [(alias.qualname, alias), decorator])
        names = tuple((one, known[one]) for one in sorted(known))
        yield Definition(new(), source_of(parsed(f"@dataclass\nclass {title}:\n{fields}{more}")), names)


def _instance(defined: Definition, new: Callable[[], Variable]) -> tuple[Statement, ...]:
    text, number, made = new(), new(), new()
    return (
        defined,
        Literal(text, "a"),
        Literal(number, 1),
        CallValue(made, defined.variable, Arguments((text, number), ())),
    )


def _texts(name: str, roles: Roles, errors: Sequence[str]) -> Iterator[str]:
    if roles.kinds == (DATACLASS,) and not roles.arities:
        return
    widths = [number for number in roles.arities if number <= len(_PARAMETERS)][:_MOST_ARITIES] or [1]
    first = widths[0]
    yield from (_function(name, width, "return {0}") for width in widths)
    if ASYNC in roles.kinds:
        yield f"async {_function(name, first, 'return {0}')}"
    if GENERATOR in roles.kinds:
        yield _function(name, first, "yield {0}")
    if ASYNC_GENERATOR in roles.kinds:
        yield f"async {_function(name, first, 'yield {0}')}"
    if ANNOTATED in roles.kinds:
        yield f"def {name}(x: int, y: str = 'a') -> str:\n    return y"
    if CLASS in roles.kinds:
        yield from _classes(name, roles.members)
    if roles.arities or roles.several:
        raising = [_function(name, first, f"raise {error}") for error in (*errors[:1], _NOT_CAUGHT)]
        yield from raising
        if ASYNC in roles.kinds:
            yield from (f"async {text}" for text in raising)


def _function(name: str, width: int, body: str) -> str:
    parameters = _PARAMETERS[:width]
    return f"def {name}({', '.join(parameters)}):\n    {body.format(parameters[0] if parameters else 1)}"


def _classes(name: str, members: Sequence[str]) -> Iterator[str]:
    """One without members, and one with those that are asked for, each a method."""
    title = _title(name)
    yield f"class {title}:\n    pass"
    methods = [f"    def {member}(self, *args):\n        return 1" for member in members if not member.startswith("__")]
    if methods:
        yield "\n".join((f"class {title}:", *methods))


def _title(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.split("_")) if name != _FUNCTION else _EXAMPLE


def _called(name: str) -> str:
    """After the parameter, where that is a name for what is called."""
    plain = name.strip("_")
    is_short = len(plain) < _SHORTEST or plain not in CALLABLE_NAMES
    return _FUNCTION if is_short else plain
