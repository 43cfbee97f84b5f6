"""What a FastAPI endpoint depends on that sends callers away, and what stands in for it: ``app.dependency_overrides``."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator, Mapping
from types import FunctionType
from typing import Any, NamedTuple

from crashwright.engine.frameworks.session_keys import Source
from crashwright.engine.subject.api.hints import named_members
from crashwright.engine.subject.introspection import (
    class_dict,
    class_mro,
    class_name,
    derives,
    function_home,
    is_class,
    live_at,
    loaded_dict,
    static_attribute,
)
from crashwright.engine.subject.source import first_line
from crashwright.engine.subject.walking import walk
from crashwright.engine.testcase.statements import Named

_REFUSED = (401, 403)
_NAMES = tuple(f"_{code}_" for code in _REFUSED)
"""As the constants of ``starlette.status`` have them."""
_DEEPEST = 6
_PLAIN: dict[object, str] = {str: "'ann'", int: "1", bool: "True", dict: "{'sub': 'ann'}"}
"""Callers that are no objects of a class."""


class Guard(NamedTuple):
    """``live`` is what the endpoint depends on; ``inner`` what that depends on."""

    live: object
    inner: tuple[Guard, ...] = ()

    def all(self) -> Iterator[Guard]:
        """Itself and all within it, outermost first."""
        yield self
        for one in self.inner:
            yield from one.all()


def guards_of(dependant: Any, depth: int = 0) -> tuple[Guard, ...]:
    """What an endpoint depends on, as FastAPI has it."""
    if depth >= _DEEPEST:
        return ()
    inner = getattr(dependant, "dependencies", None) or ()
    return tuple(Guard(getattr(one, "call", None), guards_of(one, depth + 1)) for one in inner)


def importable(live: object) -> Named | None:
    """A function that a test can name."""
    if type(live) is not FunctionType:
        return None
    module, name = function_home(live), live.__qualname__
    return Named(module, name, live) if "." not in name and live_at(module, name) is live else None


def replaceable(guards: tuple[Guard, ...], source: Source) -> Iterator[Named]:
    """Functions that a test can name which send callers away, or depend on what does; the outermost first."""
    for guard in dict.fromkeys(one for outer in guards for one in outer.all()):
        named = importable(guard.live)
        if named is not None and any(_refuses(one.live, source) for one in guard.all()):
            yield named


def _refuses(live: object, source: Source) -> bool:
    """Whether the code says that it does, be it of a function or of what an object does when it is called."""
    called = static_attribute(type(live), "__call__")
    function = live if type(live) is FunctionType else called and called[1]
    if type(function) is not FunctionType:
        return False
    names = loaded_dict(function_home(function))
    return any(_says_so(node, names) for node in walk(_tree_of(function, source)))


def _tree_of(function: FunctionType, source: Source) -> ast.AST:
    tree, line = source(function_home(function)), function.__code__.co_firstlineno
    for node in walk(tree) if tree is not None else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and first_line(node) == line:
            return node
    return ast.Pass()


def _says_so(node: ast.AST, names: Mapping[str, object]) -> bool:
    if not isinstance(node, ast.Raise) or node.exc is None:
        return False
    parts = list(walk(node.exc))
    numbers = any(isinstance(one, ast.Constant) and one.value in _REFUSED for one in parts)
    told = any(isinstance(one, ast.Attribute) and any(name in one.attr for name in _NAMES) for one in parts)
    return numbers or told or any(isinstance(one, ast.Name) and _is_refusal(names.get(one.id)) for one in parts)


def _is_refusal(cls: object) -> bool:
    """Whether it is an exception that says with which status it is answered: ``class Forbidden(Error): status_code = 403``."""
    classes = class_mro(cls) if is_class(cls) and derives(cls, Exception) else ()
    told = [value for one in classes for value in class_dict(one).values() if type(value) is int]
    return any(value in _REFUSED for value in told[:1])


def member_of(cls: type, guards: Iterable[Guard], source: Source) -> str:
    """The source of a member of an enumeration: one that the guards speak of, or the first."""
    members = [name for name, _ in named_members(cls)]
    functions = [one.live for outer in guards for one in outer.all() if type(one.live) is FunctionType]
    parts = [part for function in functions for part in walk(_tree_of(function, source))]
    spoken = [one.attr for one in parts if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name)]
    found = next((name for name in spoken if name in members), next(iter(members), ""))
    return f"{class_name(cls)}.{found}" if found else ""


def returned_class(function: object) -> type | None:
    """The class that it says it returns."""
    if type(function) is not FunctionType:
        return None
    try:
        said = inspect.get_annotations(function, eval_str=True).get("return")
    except Exception:  # noqa: BLE001 - an annotation names what is not there
        return None
    return said if is_class(said) else None


def plain_caller(cls: type | None) -> str:
    """The source of one that is no object of a class of the project, "" for those."""
    return "None" if cls is None else _PLAIN.get(cls, "")
