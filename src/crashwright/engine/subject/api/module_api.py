"""What a test of one module may call: its functions, constructors, methods, properties and operators, decorated or not (SPEC 6,
"top-level method"; what is defined elsewhere and only imported is left out).

Inherited members count for each concrete subclass; abstract classes are reached through stubs of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from crashwright.engine.subject.api.addresses import is_private
from crashwright.engine.subject.api.api import CONSTRUCTING, ApiModel, is_concrete, is_example
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.introspection import (
    class_dict,
    class_home,
    class_mro,
    derives,
    function_home,
    is_class,
    is_typed_dict,
    same_package,
    static_attribute,
)
from crashwright.engine.subject.layers import enclosed_functions, layers_of

_NEVER = CONSTRUCTING | {
    *("__class__", "__dict__", "__weakref__", "__doc__", "__module__", "__slots__", "__annotations__", "__annotate__"),
    *("__annotate_func__", "__wrapped__", "__del__", "__getattribute__", "__init_subclass__", "__set_name__", "__prepare__"),
    *("__mro_entries__", "__subclasshook__", "__match_args__", "__dataclass_fields__", "__dataclass_params__", "__signature__"),
}

_OF_NAMED_TUPLES = frozenset({"_make", "_asdict", "_replace", "__getnewargs__", "__repr__", "__match_args__", "__replace__"})


def callables_of(api: ApiModel, module: str, names: Collection[str] = ()) -> tuple[Callee, ...]:
    """The public callables that ``module`` defines, in order of definition. ``names`` are qualified names of functions, methods or
    classes (with all their members) to which they are confined; a private one that is named counts as public."""
    return tuple(
        callee
        for callee in _all(api, module)
        if _wanted(api, callee, names) and (names or not (_hidden(callee) or is_example(callee)))
    )


def private_callables_of(api: ApiModel, module: str, names: Collection[str] = ()) -> tuple[Callee, ...]:
    """The others: private functions and methods, and all members of private classes. A last resort for code that nothing else
    reaches; empty where ``names`` are given, since :func:`callables_of` then has them."""
    if names:
        return ()
    return tuple(callee for callee in _all(api, module) if _hidden(callee))


def _all(api: ApiModel, module: str) -> tuple[Callee, ...]:
    found: dict[Callee, None] = dict.fromkeys(api.functions_in(module))
    for cls in api.classes_in(module):
        found.update(dict.fromkeys(_of_class(api, cls, module)))
    return tuple(sorted(found, key=lambda callee: _first_line(api, callee)))


def _of_class(api: ApiModel, cls: type, module: str) -> Iterator[Callee]:
    if is_typed_dict(cls) or class_dict(cls).get("_is_protocol") is True:
        return
    if is_concrete(cls):
        yield api.constructor(cls)
    if derives(cls, type):
        return  # a metaclass: what it does shows in its classes
    for name in _names(api, cls, module):
        callee = None if _is_generated(cls, name) else api.member(cls, name)
        if callee is not None:
            yield callee


def _is_generated(cls: type, name: str) -> bool:
    """Whether nobody wrote the member in the package: those of named tuples, what ``dataclass`` and its like compile from text
    (perhaps in a wrapper of theirs), and what a metaclass or decorator of another package put into the class, as ``enum`` does."""
    if name in _OF_NAMED_TUPLES and derives(cls, tuple) and "_fields" in class_dict(cls):
        return True
    found = static_attribute(cls, name)
    if found is None:
        return False
    functions = (*layers_of(found[1]), *enclosed_functions(found[1]))
    from_text = [function.__code__.co_filename.startswith("<") for function in functions]
    home = class_home(found[0])
    if any(same_package(function_home(one), home) and not compiled for one, compiled in zip(functions, from_text, strict=True)):
        return False
    # A function made by another package's decorator may hide the one that was written.
    return any(from_text) or not any("<locals>" in function.__code__.co_qualname for function in functions)


def _names(api: ApiModel, cls: type, module: str) -> Iterator[str]:
    """The members that the module defines; those that bases of other modules of the package define where the class overrides
    something of such a base, which only they may call."""
    seen: set[str] = set()
    for parent in class_mro(cls):
        home = class_home(parent)
        if parent is object or home.partition(".")[0] != api.package.partition(".")[0]:
            continue
        if home != module and not _overrides(cls, parent, module):
            continue
        for name, value in class_dict(parent).items():
            if name not in seen and name not in _NEVER and not is_class(value) and (home == module or not is_private(name)):
                seen.add(name)
                yield name


def _overrides(cls: type, base: type, module: str) -> bool:
    for name in class_dict(base):
        if name not in _NEVER:
            found = static_attribute(cls, name)
            if found is not None and found[0] is not base and class_home(found[0]) == module:
                return True
    return False


def _hidden(callee: Callee) -> bool:
    return is_private(callee.qualname)


def _wanted(api: ApiModel, callee: Callee, names: Collection[str]) -> bool:
    """Whether ``callee`` or a code that it runs has one of ``names``, or belongs to a class of that name."""
    if not names:
        return True
    known = [callee.qualname, *(key.qualname for key in api.keys_of(callee))]
    return any(own == name or own.startswith(f"{name}.") for name in names for own in known)


def _first_line(api: ApiModel, callee: Callee) -> int:
    """The place in the module: of a class without an initialiser before everything (the sort is stable)."""
    return min((key.first_line for key in api.keys_of(callee)), default=0)
