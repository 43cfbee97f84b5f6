"""What a computed name has to be for the next frame of a report: ``getattr(self, "visit_" + kind)`` came to ``visit_Call`` with
``"Call"``, ``handlers[key]`` came to a function with the key under which it stands there."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache

from crashwright.engine.subject.walking import REMEMBERED, nodes_of


def dispatched_words(caller: ast.AST, callee: str, modules: Iterable[ast.AST]) -> tuple[object, ...]:
    """Values with which ``caller`` computes the name ``callee``, or by which it finds a function of that name in a table of one of
    the ``modules``."""
    words: list[object] = [*_computed(caller, callee)]
    words += [key for module in modules for key in _keys(module, callee)]
    return tuple(dict.fromkeys(words))


def _computed(caller: ast.AST, name: str) -> Iterator[str]:
    """What is left of the name without the constants around it, where the caller asks for an attribute by a computed name."""
    asked = [node for node in nodes_of(caller) if _asks_for_attribute(node)]
    if not asked:
        return
    for node in nodes_of(caller):  # the name may be computed some lines before
        found = _frame_of(node)
        if found is None:
            continue
        before, after = found
        word = name[len(before) : len(name) - len(after)]
        if (before or after) and word and name == before + word + after:
            yield word
            if "_" in word.strip("_"):
                yield word.replace("_", "-")  # what no name can hold is mostly replaced so


def _asks_for_attribute(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="getattr"), args=[_, asked, *_]):
            return not isinstance(asked, ast.Constant)
        case ast.Call(func=ast.Name(id="methodcaller" | "attrgetter"), args=[asked, *_]):
            return not isinstance(asked, ast.Constant)
    return False


def _frame_of(node: ast.AST) -> tuple[str, str] | None:
    """The constant text before and after what is filled in."""
    match node:
        case ast.BinOp(left=ast.Constant(value=str(before)), op=ast.Add()):
            return before, ""
        case ast.BinOp(op=ast.Add(), right=ast.Constant(value=str(after))):
            return "", after
        case ast.JoinedStr(values=[*parts]):
            texts = [part.value if isinstance(part, ast.Constant) and type(part.value) is str else None for part in parts]
            return (texts[0] or "", texts[-1] or "") if texts.count(None) == 1 else None
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod()) if text.count("%s") == text.count("%") == 1:
            before, _, after = text.partition("%s")
            return before, after
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")) if text.count("{}") == 1:
            before, _, after = text.partition("{}")
            return before, after
    return None


def _keys(module: ast.AST, name: str) -> Iterator[object]:
    """The keys under which a function of that name stands in a table."""
    return (key for key, value in _entries(module) if _names(value, name))


@lru_cache(maxsize=REMEMBERED)
def _entries(module: ast.AST) -> tuple[tuple[object, ast.expr], ...]:
    """What is entered in tables under constant keys. It is asked for once for each frame."""
    found: list[tuple[object, ast.expr]] = []
    for node in nodes_of(module):
        match node:
            case ast.Dict():
                pairs = zip(node.keys, node.values, strict=True)
                found += [(key.value, value) for key, value in pairs if isinstance(key, ast.Constant)]
            case ast.Assign(targets=[ast.Subscript(slice=ast.Constant(value=key))], value=value):
                found.append((key, value))
    return tuple(found)


def _names(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Name(id=found) | ast.Attribute(attr=found) | ast.Constant(value=found):
            return bool(found == name)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return any(_names(part, name) for part in parts)
    return False
