"""Parameters and results of live callables, read from code objects where possible (``inspect.signature`` is the slow fallback)."""

from __future__ import annotations

import functools
import inspect
import types
import typing
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import NamedTuple

from crashwright.engine.subject.api.callee import MOCKS, Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.subject.api.declared_fields import declared_fields
from crashwright.engine.subject.api.docstrings import docstring_hints, tells_result
from crashwright.engine.subject.api.hints import HintScope, choice_of, enum_members, hint_of, hint_of_value
from crashwright.engine.subject.api.overridden import overridden_hints
from crashwright.engine.subject.api.types import ANY, ClassHint, Hint, accepts, is_any, union_of
from crashwright.engine.subject.introspection import (
    class_dict,
    class_module,
    class_mro,
    class_name,
    instance_dict,
    is_class,
    is_sound,
    is_typed_dict,
    own_annotations,
)
from crashwright.engine.subject.layers import enclosed_functions, function_of, layers_of, manager_of

_STARS = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)
_SET_IN_MOCKS = (
    Parameter("return_value", ParameterKind.KEYWORD_ONLY, ANY, False),
    Parameter("side_effect", ParameterKind.KEYWORD_ONLY, ClassHint(RuntimeError), False),
    Parameter("attributes", ParameterKind.VAR_KEYWORD, ANY, False),
)
"""What people say of a mock: what it answers, or that it fails. Its initialiser takes more, most of it for its own use."""
UNKNOWN_ARITY = (Parameter("args", ParameterKind.VAR_POSITIONAL, ANY, False),)
_NOTHING: Mapping[str, object] = types.MappingProxyType({})


class Signature(NamedTuple):
    """``parameters`` as a caller sees them (no ``self`` and ``cls``) and the hint for the result."""

    parameters: tuple[Parameter, ...]
    returns: Hint = ANY


class LazyCallee(Callee):
    """A callee whose signature is read when it is first asked for; from then on ``parameters`` and ``returns`` are plain
    attributes, since breeding asks for them all the time."""

    __slots__ = ("_read",)

    def __init__(
        self,
        module: str,
        qualname: str,
        kind: CalleeKind,
        read: Callable[[], Signature],
        live: object = None,
        owner: type | None = None,
        is_async: bool = False,
        is_generator: bool = False,
    ) -> None:
        super().__init__(module, qualname, kind, live=live, owner=owner, is_async=is_async, is_generator=is_generator)
        self._read = read
        del self.parameters, self.returns  # an empty slot is looked up by __getattr__

    def __getattr__(self, name: str) -> object:
        if name not in ("parameters", "returns"):
            raise AttributeError(name)
        self.parameters, self.returns = signature = self._read()
        return getattr(signature, name)


class SignatureReader:
    """Reads signatures for one subject. ``find_class`` finds a class of the package by its bare name: names in annotations that are
    imported for type checkers only."""

    __slots__ = ("_find_class",)

    def __init__(self, find_class: Callable[[str], object | None]) -> None:
        self._find_class = find_class

    def function(self, value: object, owner: type | None = None, bound: bool = False) -> Signature:
        """Of a function, builtin, partial or callable object; ``bound`` drops the first parameter. Never raises."""
        try:
            return _dispatching(value, self._function(value, owner, bound))
        except BaseException:  # noqa: BLE001 - signatures are computed from arbitrary attributes of the subject
            return Signature(UNKNOWN_ARITY)

    def constructor(self, cls: type) -> Signature:
        """Of a class: what ``cls(...)`` takes. Never raises."""
        try:
            return Signature(self._constructor(cls), ClassHint(cls))
        except BaseException:  # noqa: BLE001 - as above
            return Signature(UNKNOWN_ARITY, ClassHint(cls))

    def attribute(self, value: object, owner: type) -> Signature:
        """Of a property: no parameters, and what reading it gives."""
        return Signature((), self.function(value, owner, True).returns)

    def _function(self, value: object, owner: type | None, bound: bool) -> Signature:
        if type(value) is types.MethodType:
            return self._function(value.__func__, owner or type(value.__self__), True)
        layers = list(layers_of(value)) if _plain(value) else []
        if not layers:
            return self._inspected(value, owner, bound)
        layer = self._telling(layers, bound)
        signature = self.of_code(layer, owner, bound)
        if is_any(signature.returns) and layers[0] is not layer:
            signature = signature._replace(returns=self.of_code(layers[0], owner, bound).returns)
        return signature

    def _telling(self, layers: list[FunctionType], bound: bool) -> FunctionType:
        """The outermost layer that names its parameters; a wrapper that takes only ``*args, **kwargs`` does not."""
        for index, layer in enumerate(layers):
            if not _only_stars(layer, bound) and not (index + 1 < len(layers) and _passes_on(layer, layers[index + 1])):
                return layer
        hidden = [inner for inner in enclosed_functions(layers[-1]) if not _only_stars(inner, bound)]
        return hidden[0] if len(hidden) == 1 else layers[-1]

    def of_code(self, function: FunctionType, owner: type | None = None, bound: bool = False) -> Signature:
        """Of exactly this Python function, whatever it wraps."""
        code = function.__code__
        names = code.co_varnames
        positional = code.co_argcount
        total = positional + code.co_kwonlyargcount
        scope = HintScope(function.__globals__, owner, self._find_class)
        annotations = _annotations(function)
        undeclared = any(name not in annotations for name in names[bound:total])
        documented = docstring_hints(function, scope) if undeclared else {}
        defaults = function.__defaults__ or ()
        keyword_defaults = function.__kwdefaults__ or _NOTHING
        overridden = overridden_hints(owner, function, self._find_class) if owner and bound and undeclared else {}
        parameters: list[Parameter] = []

        def add(name: str, kind: ParameterKind, required: bool, default: object) -> None:
            hint = _hint_for(name, annotations, documented, scope, required, default)
            hint = overridden.get(name, hint) if is_any(hint) else hint
            parameters.append(Parameter(name, kind, hint, required, default, name in annotations))

        first_default = positional - len(defaults)
        for index in range(1 if bound else 0, positional):
            kind = ParameterKind.POSITIONAL_ONLY if index < code.co_posonlyargcount else ParameterKind.POSITIONAL_OR_KEYWORD
            required = index < first_default
            add(names[index], kind, required, None if required else defaults[index - first_default])
        rest = total
        if code.co_flags & inspect.CO_VARARGS:
            add(names[rest], ParameterKind.VAR_POSITIONAL, False, None)
            rest += 1
        for name in names[positional:total]:
            add(name, ParameterKind.KEYWORD_ONLY, name not in keyword_defaults, keyword_defaults.get(name))
        if code.co_flags & inspect.CO_VARKEYWORDS:
            add(names[rest], ParameterKind.VAR_KEYWORD, False, None)
        returns = hint_of(annotations["return"], scope) if "return" in annotations else documented.get("return", ANY)
        return Signature(tuple(parameters), returns)

    def _inspected(self, value: object, owner: type | None, bound: bool) -> Signature:
        try:
            found = inspect.signature(value)  # type: ignore[arg-type]
        except (ValueError, TypeError):
            return Signature(UNKNOWN_ARITY)
        return self._from_inspect(found, owner, bound)

    def _from_inspect(self, found: inspect.Signature, owner: type | None, bound: bool) -> Signature:
        scope = HintScope(_NOTHING, owner, self._find_class)
        parameters = []
        for parameter in list(found.parameters.values())[1 if bound else 0 :]:
            kind = ParameterKind(int(parameter.kind))
            required = parameter.default is parameter.empty and kind not in _STARS
            default = None if parameter.default is parameter.empty else parameter.default
            declared = parameter.annotation is not parameter.empty
            hint = hint_of(parameter.annotation, scope) if declared else hint_of_value(default)
            parameters.append(Parameter(parameter.name, kind, hint, required, default, declared))
        returns = ANY if found.return_annotation is found.empty else hint_of(found.return_annotation, scope)
        return Signature(tuple(parameters), returns)

    def _constructor(self, cls: type) -> tuple[Parameter, ...]:
        if class_module(cls) == MOCKS:
            return _SET_IN_MOCKS
        if is_typed_dict(cls):
            return self._typed_dict(cls)
        members = enum_members(cls)
        if members:
            values = choice_of(instance_dict(member).get("_value_") for _, member in members)
            return (Parameter("value", ParameterKind.POSITIONAL_ONLY, values, declared=True),)
        if any("__signature__" in class_dict(parent) for parent in class_mro(cls)):
            return self._from_inspect(inspect.signature(cls), cls, False).parameters
        chain = _initialisers(cls)
        if not chain:
            foreign = any(name in class_dict(parent) for parent in class_mro(cls)[:-1] for name in ("__init__", "__new__"))
            return self._inspected(cls, cls, False).parameters if foreign or class_module(cls) == "builtins" else ()
        parameters = self._merged(chain, cls)
        if len(parameters) == 1 and parameters[0].kind is ParameterKind.VAR_KEYWORD:
            return (*declared_fields(cls, self._find_class), *parameters)
        return parameters

    def _merged(self, chain: list[FunctionType], cls: type) -> tuple[Parameter, ...]:
        """The first initialiser's parameters, completed by the next one's where it hands ``**kwargs`` to ``super()``."""
        own = self._function(chain[0], cls, True).parameters
        if len(chain) == 1 or "__class__" not in chain[0].__code__.co_freevars or not any(p.kind is _STARS[1] for p in own):
            return own
        inherited = self._merged(chain[1:], cls)
        if all(parameter.kind in _STARS for parameter in own):
            return inherited
        known = {parameter.name for parameter in own}
        passed = tuple(
            parameter._replace(kind=ParameterKind.KEYWORD_ONLY, required=False)
            for parameter in inherited
            if parameter.name not in known and parameter.kind not in (ParameterKind.POSITIONAL_ONLY, *_STARS)
        )
        if not passed:
            return own
        return tuple(parameter for parameter in own if parameter.kind is not _STARS[1]) + passed + own[-1:]

    def _typed_dict(self, cls: type) -> tuple[Parameter, ...]:
        required = typing.cast(frozenset[str], class_dict(cls).get("__required_keys__", frozenset()))
        names = typing.get_type_hints(cls) if _resolvable(cls) else own_annotations(cls)
        scope = HintScope(_NOTHING, None, self._find_class)
        return tuple(
            Parameter(name, ParameterKind.KEYWORD_ONLY, hint_of(annotation, scope), name in required, declared=True)
            for name, annotation in names.items()
        )


def _resolvable(cls: type) -> bool:
    try:
        typing.get_type_hints(cls)
    except BaseException:  # noqa: BLE001 - forward references to names that exist for type checkers only; or anything
        return False
    return True


def may_take_keywords(value: object) -> bool:
    """False where ``value`` takes no keywords but those that it names, as its code alone shows: to read all signatures of a large
    package takes a second."""
    functions = _telling_ones(value)
    return functions is None or any(one.__code__.co_flags & inspect.CO_VARKEYWORDS for one in functions)


def may_tell_result(value: object) -> bool:
    """False where nothing says what a call of ``value`` gives, likewise."""
    functions = _telling_ones(value)
    if functions is None or manager_of(value) is not None:
        return True
    return any("return" in _annotations(one) or tells_result(one) for one in functions)


def _telling_ones(value: object) -> list[FunctionType] | None:
    """The functions that a signature may be read from; None where it is read in another way."""
    layers = list(layers_of(value)) if _plain(value) else []
    return [*layers, *enclosed_functions(layers[-1])] if layers else None


def _annotations(function: FunctionType) -> Mapping[str, object]:
    return function.__annotations__


def _plain(value: object) -> bool:
    """Whether the layers of ``value`` say what a caller passes. A partial has already passed some, and a callable object of another
    package may pass on what it likes."""
    if is_class(value) or class_name(type(value)).startswith("partial") or "__signature__" in instance_dict(value):
        return False
    own_call = any("__call__" in class_dict(parent) for parent in class_mro(type(value)))
    return not own_call or class_module(type(value)) in ("builtins", "functools")


def _only_stars(function: FunctionType, bound: bool) -> bool:
    """Whether a function passes on whatever it gets (options of its own, for the decorator's use, do not count)."""
    code = function.__code__
    own = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    optional = all(name in (function.__kwdefaults__ or ()) for name in own)
    takes_all = code.co_flags & inspect.CO_VARARGS and code.co_flags & inspect.CO_VARKEYWORDS
    return code.co_argcount <= (1 if bound else 0) and optional and bool(takes_all)


def _dispatching(value: object, signature: Signature) -> Signature:
    """With the registered classes as the type of the first parameter, where ``functools.singledispatch`` chooses by it."""
    dispatcher = instance_dict(value).get("dispatcher") if type(value) is functools.singledispatchmethod else value
    registry = instance_dict(dispatcher).get("registry")
    if type(registry) is not types.MappingProxyType or not signature.parameters:
        return signature
    classes = [ClassHint(cls) for cls in registry if is_class(cls) and cls is not object and is_sound(cls)]
    first = signature.parameters[0]
    if not classes or not is_any(first.hint):
        return signature
    return signature._replace(parameters=(first._replace(hint=union_of((*classes, ANY))), *signature.parameters[1:]))


def _passes_on(wrapper: FunctionType, wrapped: FunctionType) -> bool:
    """Whether a wrapper names the first few parameters for its own use and leaves the rest to what it wraps."""
    code = wrapper.__code__
    stars = code.co_flags & inspect.CO_VARARGS and code.co_flags & inspect.CO_VARKEYWORDS
    return bool(stars) and not code.co_kwonlyargcount and wrapped.__code__.co_argcount >= code.co_argcount


def _initialisers(cls: type) -> list[FunctionType]:
    """The Python functions that take the constructor's arguments, nearest first: ``__init__`` along the MRO, else ``__new__``."""
    metaclass_call = next((class_dict(meta)["__call__"] for meta in class_mro(type(cls)) if "__call__" in class_dict(meta)), None)
    chain = [function for name in ("__init__", "__new__") for function in _along_mro(cls, name)]
    taking = [function for function in chain if not _only_stars(function, True)]
    if not taking and metaclass_call is not None:
        function = function_of(metaclass_call)
        if function is not None and not _only_stars(function, True):
            return [function]
    first_init = _along_mro(cls, "__init__")
    first_new = _along_mro(cls, "__new__")
    return first_init if first_init and not (first_new and all(_only_stars(f, True) for f in first_init)) else first_new


def _along_mro(cls: type, name: str) -> list[FunctionType]:
    found: list[FunctionType] = []
    for parent in class_mro(cls):
        if name in class_dict(parent):
            function = function_of(class_dict(parent)[name])
            if function is None:
                break
            found.append(function)
    return found


def _hint_for(
    name: str,
    annotations: Mapping[str, object],
    documented: Mapping[str, Hint],
    scope: HintScope,
    required: bool,
    default: object,
) -> Hint:
    """The annotation; else what the docstring says where the default agrees; else what the default shows."""
    if name in annotations:
        return hint_of(annotations[name], scope)
    shown = ANY if required else hint_of_value(default)
    told = documented.get(name, ANY)
    if is_any(told):
        return shown
    if required:
        return told
    return told if default is None or accepts(told, type(default)) else union_of((told, shown)) if not is_any(shown) else told
