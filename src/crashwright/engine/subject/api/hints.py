"""From annotations and values to hints. Whatever cannot be resolved becomes ANY where it stands, not as a whole."""

from __future__ import annotations

import ast
import builtins
import collections.abc
import dataclasses
import enum
import io
import operator
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from crashwright.engine.subject.api.types import ANY, NONE, VARIADIC, ChoiceHint, ClassHint, Hint, TypeHint, UnionHint, union_of
from crashwright.engine.subject.introspection import (
    class_dict,
    class_module,
    class_name,
    identities,
    instance_dict,
    instance_of,
    is_class,
    is_module,
    is_sound,
    module_dict,
)

_DEPTH = 12
_SPEAKING = frozenset({"typing", "typing_extensions", "types", "dataclasses", "collections.abc"})
"""Whose objects say something as annotations. Others may be anything, and are not asked."""
_TELLING_NOTHING = frozenset({"inspect", "dataclasses"})
_CALLABLES = identities(types.FunctionType, types.BuiltinFunctionType, types.MethodType)
_COLLECTIONS = identities(list, set, frozenset)
_SCALARS = identities(type(None), bool, int, float, complex, str, bytes)
_TRANSPARENT = frozenset({"Annotated", "ClassVar", "Final", "Required", "NotRequired", "ReadOnly", "InitVar", "Unpack"})
_BY_NAME: dict[str, Hint] = {
    "Any": ANY,
    "NoReturn": NONE,
    "Never": NONE,
    "LiteralString": ClassHint(str),
    "TypeGuard": ClassHint(bool),
    "TypeIs": ClassHint(bool),
    "Callable": ClassHint(collections.abc.Callable),  # type: ignore[arg-type]
    "Tuple": ClassHint(tuple),
    "Type": ClassHint(type),
    "IO": ClassHint(io.IOBase),
    "TextIO": ClassHint(io.TextIOBase),
    "BinaryIO": ClassHint(io.BufferedIOBase),
}
_STREAMS = tuple((typing.cast(object, cls), _BY_NAME[cls.__name__]) for cls in (typing.IO, typing.TextIO, typing.BinaryIO))


class HintScope(NamedTuple):
    """Where the names of an annotation are looked up: ``names`` (the globals of its module), then the class ``owner`` (also what
    ``Self`` means), builtins, and last ``fallback`` (classes that are imported for type checkers only)."""

    names: Mapping[str, object] = types.MappingProxyType({})
    owner: type | None = None
    fallback: Callable[[str], object | None] | None = None

    def find(self, name: str) -> object | None:
        """The object of that name, or None."""
        if name in self.names:
            return self.names[name]
        if self.owner is not None and name in class_dict(self.owner):
            return class_dict(self.owner)[name]
        if name in vars(builtins):
            return typing.cast(object, vars(builtins)[name])
        if name in typing.__all__:
            return typing.cast(object, vars(typing).get(name))
        return None if self.fallback is None else self.fallback(name)


EMPTY_SCOPE = HintScope()


def hint_of(annotation: object, scope: HintScope = EMPTY_SCOPE) -> Hint:
    """The hint for a live annotation or the text of one. Never raises."""
    try:
        return _hint(annotation, scope, 0)
    except BaseException:  # noqa: BLE001 - annotations are arbitrary objects of the subject; one that cannot be read says nothing
        return ANY


def _hint(annotation: object, scope: HintScope, depth: int) -> Hint:
    if depth > _DEPTH:
        return ANY
    if annotation is None or annotation is type(None):
        return NONE
    if type(annotation) is str:
        return _hint(evaluate(annotation, scope), scope, depth + 1)
    if is_class(annotation):
        return _class_hint(annotation)
    if class_module(type(annotation)) not in _SPEAKING:
        return ANY
    if type(annotation) is typing.ForwardRef:
        return _hint(evaluate(annotation.__forward_arg__, scope), scope, depth + 1)
    origin = typing.get_origin(annotation)
    if origin is typing.Annotated:
        return _hint(typing.get_args(annotation)[0], scope, depth + 1)
    if origin is not None:
        return _generic(annotation, origin, scope, depth + 1)
    return _special(annotation, scope, depth + 1)


def _class_hint(cls: type) -> Hint:
    stream = next((hint for known, hint in _STREAMS if known is cls), None)
    if stream is not None:
        return stream
    return ANY if cls is object or cls is typing.Any or not is_sound(cls) else ClassHint(cls)


def _special(annotation: object, scope: HintScope, depth: int) -> Hint:
    """Type variables, new types, aliases and bare special forms."""
    if type(annotation) is typing.TypeVar:
        if annotation.__constraints__:
            return union_of(_hint(arm, scope, depth) for arm in annotation.__constraints__)
        return ANY if annotation.__bound__ is None else _hint(annotation.__bound__, scope, depth)
    if type(annotation) is typing.NewType:
        return _hint(annotation.__supertype__, scope, depth)
    if type(annotation) is dataclasses.InitVar:
        return _hint(annotation.type, scope, depth)
    name = getattr(annotation, "_name", None) or getattr(annotation, "__name__", None)
    if name == "Self":
        return ANY if scope.owner is None else ClassHint(scope.owner)
    if class_name(type(annotation)) == "TypeAliasType":
        return _hint(annotation.__value__, scope, depth)  # type: ignore[attr-defined]
    return _BY_NAME.get(str(name), ANY) if class_module(type(annotation)) in ("typing", "typing_extensions") else ANY


def _generic(annotation: object, origin: object, scope: HintScope, depth: int) -> Hint:
    arguments = typing.get_args(annotation)
    if origin is typing.Union or origin is types.UnionType:
        return union_of(_hint(arm, scope, depth) for arm in arguments)
    if origin is typing.Literal:
        return choice_of(arguments)
    if origin is type:
        return _class_itself(_hint(arguments[0], scope, depth)) if arguments else ClassHint(type)
    if origin is collections.abc.Callable:
        return _callable(arguments, scope, depth)
    if is_class(origin):
        cls = origin
        if any(known is cls for known, _ in _STREAMS):
            return _stream(arguments)
        return ClassHint(cls, tuple(_argument(argument, scope, depth) for argument in arguments)) if is_sound(cls) else ANY
    name = getattr(origin, "_name", None) or getattr(origin, "__name__", "")
    if name in _TRANSPARENT and arguments:
        return _hint(arguments[0], scope, depth)
    if class_name(type(origin)) == "TypeAliasType":
        return _hint(origin, scope, depth)
    return _BY_NAME.get(str(name), ANY)


def _argument(argument: object, scope: HintScope, depth: int) -> Hint:
    return VARIADIC if argument is Ellipsis else _hint(argument, scope, depth)


def _callable(arguments: tuple[object, ...], scope: HintScope, depth: int) -> Hint:
    cls = typing.cast(type, collections.abc.Callable)
    if len(arguments) != 2:
        return ClassHint(cls)
    result = _hint(arguments[1], scope, depth)
    if type(arguments[0]) is list:
        return ClassHint(cls, (*(_argument(item, scope, depth) for item in arguments[0]), result))
    return ClassHint(cls, (VARIADIC, result))


def _stream(arguments: tuple[object, ...]) -> Hint:
    (only,) = arguments if len(arguments) == 1 else (None,)
    if only is str:
        return _BY_NAME["TextIO"]
    return _BY_NAME["BinaryIO"] if only is bytes else _BY_NAME["IO"]


def _class_itself(hint: Hint) -> Hint:
    if isinstance(hint, ClassHint):
        return TypeHint(hint.cls)
    if isinstance(hint, UnionHint):
        return union_of(_class_itself(member) for member in hint.members)
    return ClassHint(type)


def evaluate(text: str, scope: HintScope) -> object:
    """The live annotation that ``text`` denotes, built part by part without running the text: a name that cannot be found is
    ``Any``. Raises SyntaxError where the text is no expression."""
    return _evaluate(ast.parse(text.strip(), mode="eval").body, scope)


def _evaluate(node: ast.expr, scope: HintScope) -> object:
    match node:
        case ast.Constant(value=str(text)):
            return evaluate(text, scope)
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            found = scope.find(name)
            return typing.Any if found is None else found
        case ast.Attribute(value=parent, attr=name):
            return _member(_evaluate(parent, scope), name, scope)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return typing.Union[_evaluate(left, scope), _evaluate(right, scope)]  # noqa: UP007
        case ast.List(elts=elements):
            return [_evaluate(element, scope) for element in elements]
        case ast.Subscript(value=base, slice=inner):
            return _subscript(_evaluate(base, scope), inner, scope)
    return typing.Any


def _member(parent: object, name: str, scope: HintScope) -> object:
    """An attribute of a module or class, read without descriptors or ``__getattr__``."""
    if is_module(parent) or is_class(parent):
        found = module_dict(parent).get(name) if is_module(parent) else class_dict(typing.cast(type, parent)).get(name)
        if found is not None:
            return found
    found = None if scope.fallback is None else scope.fallback(name)
    return typing.Any if found is None else found


def _subscript(base: object, inner: ast.expr, scope: HintScope) -> object:
    elements = inner.elts if isinstance(inner, ast.Tuple) else [inner]
    known = getattr(base, "_name", None) if class_module(type(base)) in _SPEAKING else None
    if base is typing.Literal or known == "Literal":
        literals = tuple(_literal(element, scope) for element in elements)
        return typing.Literal.__getitem__(literals)
    if base is typing.Annotated or known == "Annotated":
        return _evaluate(elements[0], scope)
    arguments = tuple(_evaluate(element, scope) for element in elements)
    if base is typing.Any:
        return typing.Any
    if is_class(base):
        # An alias made here never runs a ``__class_getitem__`` of the subject.
        return types.GenericAlias(base, arguments)
    if class_module(type(base)) not in _SPEAKING:
        return typing.Any
    return base[arguments if len(arguments) > 1 else arguments[0]]  # type: ignore[index]


def _literal(element: ast.expr, scope: HintScope) -> object:
    if isinstance(element, ast.Constant):
        return element.value
    if isinstance(element, ast.UnaryOp):
        return ast.literal_eval(element)
    return _evaluate(element, scope)


def hint_of_value(value: object) -> Hint:
    """What a default or literal shows about its type. None and bare sentinels show nothing."""
    return _value_hint(value, 0)


def _value_hint(value: object, depth: int) -> Hint:
    cls = type(value)
    if value is None or value is Ellipsis or value is NotImplemented or cls is object or depth > 3:
        return ANY
    if is_class(value):
        return TypeHint(value) if is_sound(value) else ANY
    if id(cls) in _CALLABLES:
        return ClassHint(collections.abc.Callable)  # type: ignore[arg-type]
    if cls is types.ModuleType or class_module(cls) in _TELLING_NOTHING or not is_sound(cls):
        return ANY
    if id(cls) in _COLLECTIONS:
        return ClassHint(cls, _elements(typing.cast(Iterable[object], value), depth))
    if cls is tuple:
        return ClassHint(tuple, tuple(_value_hint(item, depth + 1) for item in typing.cast(tuple[object, ...], value)))
    if cls is dict:
        mapping = typing.cast(dict[object, object], value)
        return ClassHint(dict, _elements(mapping, depth) + _elements(mapping.values(), depth))
    return ClassHint(cls)


def _elements(items: Iterable[object], depth: int) -> tuple[Hint, ...]:
    hints = [_value_hint(item, depth + 1) for item in list(items)[:8]]
    return (union_of(hints),) if hints else ()


def choice_of(values: Iterable[object]) -> Hint:
    """One of ``values``, of those that can be compared: the others are no good as choices either. ANY where none is left."""
    kept = tuple(value for value in values if id(type(value)) in _SCALARS or _compares(value))
    return ChoiceHint(kept) if kept else ANY


def _compares(value: object) -> bool:
    if not is_sound(value if is_class(value) else type(value)):
        return False
    try:
        return operator.eq(value, value) is True and operator.eq(value, _NOBODY) is False and hash(value) == hash(value)
    except BaseException:  # noqa: BLE001 - the subject's own equality may raise anything; then the value is no choice
        return False


_NOBODY = object()


def enum_members(cls: type) -> tuple[tuple[str, enum.Enum], ...]:
    """(name, member) of an enum class, aliases left out; nothing for other classes."""
    return tuple((name, member) for name, member in named_members(cls) if instance_dict(member).get("_name_") == name)


def named_members(cls: type) -> tuple[tuple[str, enum.Enum], ...]:
    """The same with aliases."""
    members = class_dict(cls).get("_member_map_") if instance_of(cls, enum.EnumMeta) else None
    return tuple(members.items()) if type(members) is dict else ()
