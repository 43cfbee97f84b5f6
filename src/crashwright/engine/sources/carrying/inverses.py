"""What undoes the conversions on a path: for each function that the code there calls, the one of the same module or class whose
name says that it is its inverse. Values vary, and texts and bytes are produced anew from them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from crashwright.core.location import CodeKey
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.introspection import (
    class_dict,
    is_callable,
    is_class,
    is_module,
    loaded_dict,
    loaded_module,
    module_dict,
)
from crashwright.engine.subject.layers import function_of
from crashwright.engine.subject.walking import walk

MOST = 4
"""Inverses of one function."""
_PAIRS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("loads", ("dumps",)),
    ("load", ("dump", "dumps", "save", "store")),
    ("read", ("write",)),
    ("decode", ("encode",)),
    ("parse", ("format", "serialize", "unparse", "dump", "dumps", "render", "to_string")),
    ("from", ("to", "as")),
    ("receive", ("send",)),
    ("unpack", ("pack",)),
    ("open", ("save",)),
    ("deserialize", ("serialize",)),
    ("unmarshal", ("marshal",)),
    ("unpickle", ("pickle",)),
    ("unescape", ("escape",)),
    ("unquote", ("quote",)),
    ("decompress", ("compress",)),
    ("import", ("export",)),
    ("unstructure", ("structure",)),
    ("split", ("join",)),
)
"""Words of names, and those of what undoes it: how functions are named that belong together."""


def inverse_names(name: str) -> Iterator[str]:
    """What the inverse of a function of that ``name`` may be called."""
    words = re.split(r"(_|(?<=[a-z])(?=[A-Z]))", name)
    for place, word in enumerate(words):
        for own, others in _PAIRS:
            if word.lower() == own:
                for other in others:
                    yield "".join((*words[:place], other.capitalize() if word[:1].isupper() else other, *words[place + 1 :]))


def inverses(node: ast.AST | None, module: str, known: Callable[[object], Callee | None]) -> list[Callee]:
    """Of what the function with that tree, of a loaded ``module``, calls by names; ``known`` gives the callee of a live one."""
    found: dict[str, Callee] = {}
    names = loaded_dict(module)
    for call in walk(node) if node is not None else ():
        if not isinstance(call, ast.Call):
            continue
        home, name = _home(call.func, names)
        if home is None:
            continue
        for other in inverse_names(name):
            callee = _callee(home, other, known)
            if callee is not None:
                found.setdefault(callee.address, callee)
    return list(found.values())[:MOST]


def _home(function: ast.expr, names: Mapping[str, object]) -> tuple[object, str]:
    """The module or class in which the called function is, and its name there."""
    if isinstance(function, ast.Name):
        live = function_of(names.get(function.id))
        return (None, "") if live is None else (_module(live.__globals__), live.__code__.co_name)
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        owner = names.get(function.value.id)
        return (owner, function.attr) if is_module(owner) or is_class(owner) else (None, "")
    return None, ""


def _module(names: Mapping[str, object]) -> object:
    name = names.get("__name__")
    return loaded_module(name) if type(name) is str else None


def _callee(home: object, name: str, known: Callable[[object], Callee | None]) -> Callee | None:
    if is_module(home):
        live = module_dict(home).get(name)
    elif is_class(home):
        live = class_dict(home).get(name)
    else:
        return None
    callee = None if live is None else known(live)
    if callee is not None or not is_module(home) or not is_callable(live) or is_class(live):
        return callee
    module = module_dict(home).get("__name__")
    return Callee(module, name, CalleeKind.FUNCTION, live=live) if type(module) is str else None


def of_keys(
    keys: Sequence[CodeKey], node_of: Callable[[CodeKey], ast.AST | None], known: Callable[[object], Callee | None]
) -> list[Callee]:
    """Of several functions."""
    found = {one.address: one for key in keys for one in inverses(node_of(key), key.module, known)}
    return list(found.values())
