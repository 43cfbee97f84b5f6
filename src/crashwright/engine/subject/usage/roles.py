"""What calls and attributes say of functions and classes that are handed over: a decorator reads ``__name__`` of what it wraps,
``iscoroutinefunction`` tells two kinds of functions apart, ``fields`` wants a dataclass."""

from __future__ import annotations

from typing import NamedTuple

FUNCTION, ASYNC, GENERATOR, ASYNC_GENERATOR = "function", "async function", "generator", "async generator"
CLASS, DATACLASS, ANNOTATED, TYPING = "class", "dataclass", "annotated", "typing"
ROLES = frozenset({FUNCTION, ASYNC, GENERATOR, ASYNC_GENERATOR, CLASS, DATACLASS, ANNOTATED, TYPING})
"""Operations (``uses_of_values.Use``) that only what is defined takes part in: functions, classes, types."""
_BY_CALL: dict[str, str] = {
    **dict.fromkeys(("wraps", "update_wrapper", "isfunction", "isroutine", "unwrap"), FUNCTION),
    **dict.fromkeys(("iscoroutinefunction", "iscoroutine", "isawaitable", "markcoroutinefunction"), ASYNC),
    **dict.fromkeys(("signature", "getfullargspec", "getcallargs"), ANNOTATED),
    **dict.fromkeys(("isgeneratorfunction", "contextmanager"), GENERATOR),
    **dict.fromkeys(("isasyncgenfunction", "asynccontextmanager"), ASYNC_GENERATOR),
    **dict.fromkeys(("isclass", "issubclass", "getmro"), CLASS),
    **dict.fromkeys(("is_dataclass", "asdict", "astuple"), DATACLASS),
    **dict.fromkeys(("get_type_hints", "get_annotations"), ANNOTATED),
    **dict.fromkeys(("get_origin", "get_args"), TYPING),
}
_OF_DATACLASSES = frozenset({"fields", "replace"})
"""Functions of ``dataclasses`` whose names others have too."""
_BY_ATTRIBUTE: dict[str, str] = {
    **dict.fromkeys(("__name__", "__qualname__", "__doc__", "__wrapped__", "__code__", "__defaults__", "__kwdefaults__"), FUNCTION),
    **dict.fromkeys(("__mro__", "__bases__", "__subclasses__"), CLASS),
    "__dataclass_fields__": DATACLASS,
    "__annotations__": ANNOTATED,
    **dict.fromkeys(("__origin__", "__args__"), TYPING),
}


def role_of_call(name: str, module: str, place: int) -> str | None:
    """Which role the argument at ``place`` has of a function of that name, got from ``module`` ("" where that is not written)."""
    if name == "update_wrapper":
        return FUNCTION if place == 1 else None
    if place:
        return None
    if name in _OF_DATACLASSES:
        return DATACLASS if module == "dataclasses" or (name == "fields" and not module) else None
    return _BY_CALL.get(name)


def role_of_attribute(name: str) -> str | None:
    """Which role a value has that is asked for that attribute."""
    return _BY_ATTRIBUTE.get(name)


class Roles(NamedTuple):
    """What a parameter is to be, where that has to be defined: ``kinds`` of ``ROLES``, the numbers of arguments that it is called
    with (``several``: also with whatever there is), names that it is asked for."""

    kinds: tuple[str, ...]
    arities: tuple[int, ...] = ()
    several: bool = False
    members: tuple[str, ...] = ()
