"""A value as a report prints it, read as an expression: literals as they are, objects and enum members as names, calls of classes.

Reprs are data from elsewhere: nothing is evaluated here, and only what looks like a class is left as a call.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from typing import NamedTuple

from crashwright.core.unparsable import UNPARSABLE

_OBJECT = re.compile(r"<(?P<name>[\w.]+(?:<locals>[\w.]+)*)(?: object)?(?: at 0x[0-9a-fA-F]+)?(?P<rest>[^\0]*)>")
_CLASS = re.compile(r"<(?:class|enum) '(?P<name>[\w.]+)'>")
_MEMBER = re.compile(r"<(?P<member>[A-Za-z_]\w*\.[A-Za-z_]\w*): [^\0]*>")
# Reprs that leave their module out.
_HOMES = {
    "deque": "collections.deque",
    "defaultdict": "collections.defaultdict",
    "array": "array.array",
    "namespace": "types.SimpleNamespace",
    "PosixPath": "pathlib.Path",
    "WindowsPath": "pathlib.PureWindowsPath",
    "UUID": "uuid.UUID",
    "IPv4Address": "ipaddress.IPv4Address",
    "IPv6Address": "ipaddress.IPv6Address",
    "IPv4Network": "ipaddress.IPv4Network",
    "IPv6Network": "ipaddress.IPv6Network",
}
_LONGEST = 100_000
_LONGEST_OBJECT = 2000
"""Characters between ``<`` and ``>``."""
_HELD = "object_"


class ReprSource(NamedTuple):
    """``tree`` has names ``object_N`` in the place of objects; ``classes`` maps those to the class's name as printed."""

    tree: ast.expr
    classes: dict[str, str]


def parse_repr(text: str) -> ReprSource | None:
    """The expression that ``text`` prints; None where it is none, or too long. Elements left out (``...``) are left out too."""
    if len(text) > _LONGEST:
        return None
    classes: dict[str, str] = {}
    source = "".join(_replaced(part, classes) if part.startswith("<") else part for part in _parts(text.strip()))
    try:
        tree = ast.parse(source, mode="eval").body
        return ReprSource(_Cleaner(classes).visit(tree), classes)
    except UNPARSABLE:
        return None  # cut off, or of a form of its own


def _parts(text: str) -> Iterator[str]:
    """The text in pieces: ``<...>`` parts outside of strings, and what is between them."""
    start = index = 0
    while index < len(text):
        character = text[index]
        if character in "'\"":
            index = _string_end(text, index)
        elif character == "<":
            end = _angle_end(text, index)
            if end is not None:
                yield text[start:index]
                yield text[index:end]
                start = index = end
            else:
                index += 1
        else:
            index += 1
    yield text[start:]


def _string_end(text: str, start: int) -> int:
    quote, index = text[start], start + 1
    while index < len(text) and text[index] != quote:
        index += 2 if text[index] == "\\" else 1
    return index + 1


def _angle_end(text: str, start: int) -> int | None:
    depth = 0
    for index in range(start, min(len(text), start + _LONGEST_OBJECT)):
        depth += (text[index] == "<") - (text[index] == ">")
        if depth == 0:
            return index + 1
    return None


def _replaced(part: str, classes: dict[str, str]) -> str:
    member = _MEMBER.fullmatch(part)
    if member:
        return member["member"]
    named = _CLASS.fullmatch(part)
    if named:
        return named["name"]
    found = _OBJECT.fullmatch(part)
    name = f"{_HELD}{len(classes)}"
    classes[name] = found["name"] if found else ""
    return name


class _Cleaner(ast.NodeTransformer):
    """Takes out what a repr leaves out, and calls of anything but classes."""

    def __init__(self, classes: dict[str, str]) -> None:
        self._classes = classes

    def visit_List(self, node: ast.List) -> ast.AST:
        node.elts = [element for element in node.elts if not _is_ellipsis(element)]
        return self.generic_visit(node)

    def visit_Tuple(self, node: ast.Tuple) -> ast.AST:
        node.elts = [element for element in node.elts if not _is_ellipsis(element)]
        return self.generic_visit(node)

    def visit_Set(self, node: ast.Set) -> ast.AST:
        node.elts = [element for element in node.elts if not _is_ellipsis(element)]
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in ("inf", "nan"):
            return ast.Constant(float(node.id))
        home = _HOMES.get(node.id)
        return node if home is None else ast.parse(home, mode="eval").body

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr if isinstance(node.func, ast.Attribute) else ""
        builtin = getattr(builtins, name, None) if isinstance(node.func, ast.Name) else None
        if not name or (builtin is not None and not isinstance(builtin, type)):
            held = f"{_HELD}{len(self._classes)}"
            self._classes[held] = name
            return ast.Name(held, ast.Load())
        node.args = [argument for argument in node.args if not _is_ellipsis(argument)]
        if name in ("dict_keys", "dict_values", "dict_items") and len(node.args) == 1:
            return self.visit(node.args[0])  # type: ignore[no-any-return]
        return self.generic_visit(node)


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...
