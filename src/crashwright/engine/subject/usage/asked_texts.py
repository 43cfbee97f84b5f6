"""Texts that a callable takes which turns a word of a command line into something (``type=date.fromisoformat``): it is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import cast

from crashwright.engine.subject.introspection import class_dict, class_module, identities, is_class
from crashwright.engine.subject.usage.conversions import CONVERTED
from crashwright.engine.subject.usage.shapes import MOMENTS

MOST_TEXTS = 6
_FUNCTIONS = identities(FunctionType, BuiltinFunctionType, MethodType)
_ANY = ("nobody takes this", "?!")
"""What takes these takes any word."""
_MARKED = ("a=1", "a:1", "1:2", "1,2", "a,b", "1-2", "1x2", "1/2", "10s", "5m", "1k", "50%", "#ff0000", "true", "yes", "{}", "[]")
"""Usual ways to put two things, or a number and its unit, into a word."""
_LAYOUTS = ("%Y-%m-%d", "%Y-%m-%dT%H:%M:%S", "%H:%M", "%d.%m.%Y", "%Y%m%d", "%Y-%m")


def texts_taken(kind: object) -> tuple[str, ...]:
    """Those of many that ``kind`` takes; none where it is no callable, takes any word or none of these. It is run."""
    if is_class(kind):
        members = class_dict(kind).get("_value2member_map_")
        if type(members) is dict:
            return tuple(one for one in members if type(one) is str)[:MOST_TEXTS]
    elif id(type(kind)) not in _FUNCTIONS:
        return ()  # an object may do anything with a word, such as open a file of that name
    if is_class(kind) and class_module(kind) == "builtins":
        return ()
    function = cast(Callable[[str], object], kind)
    if any(_takes(function, text) for text in _ANY):
        return ()
    taken = (text for text in dict.fromkeys(_offered(kind)) if _takes(function, text))
    return tuple(text for text, _ in zip(taken, range(MOST_TEXTS), strict=False))


def _takes(function: Callable[[str], object], text: str) -> bool:
    try:
        function(text)
    except (Exception, SystemExit):  # noqa: BLE001 - whatever it raises, the word is refused
        return False
    return True


def _offered(kind: object) -> Iterator[str]:
    """What is written in its source first, formats of moments as such moments."""
    for text in _constants(kind):
        if "%" in text:
            yield from (moment.strftime(text) for moment in MOMENTS)
        yield text
    yield from CONVERTED.values()  # type: ignore[misc]
    for moment in MOMENTS:
        yield from (moment.strftime(layout) for layout in _LAYOUTS)
    yield from _MARKED


def _constants(kind: object) -> Iterator[str]:
    code = kind.__code__ if type(kind) is FunctionType else None
    for one in () if code is None else code.co_consts:
        parts = one if type(one) is tuple or type(one) is frozenset else (one,)
        yield from sorted(part for part in parts if type(part) is str)
