"""The keys by which code asks a live object that its modules share, such as the session of a web framework. Modules that hold the
very object are read, whosever they are; nothing is asked of the object itself."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping

from crashwright.engine.subject.introspection import MODULES, attribute_of, is_module, loaded_dict, text
from crashwright.engine.subject.walking import walk

Source = Callable[[str], ast.AST | None]
"""The syntax tree of a loaded module, by its name."""
Keys = dict[str, list[object]]
"""With the literals that they are compared with, or that are stored there."""
_ASKING = frozenset({"get", "pop", "setdefault"})


def keys_asked_of(shared: object, source: Source, apart: str) -> dict[str, Keys]:
    """Those that each top-level package reads of ``shared``, but for the package ``apart``, whose object it is."""
    found: dict[str, Keys] = {}
    for module in list(MODULES):
        package = module.partition(".")[0] if type(module) is str else apart
        names = set() if package == apart else _names_of(shared, loaded_dict(module), apart)
        tree = source(module) if names else None
        if tree is None:
            continue
        reading = _Reading(names, loaded_dict(module))
        asked = list(reading.asked(tree))
        for key in asked:
            found.setdefault(package, {}).setdefault(key, [])
        for key, value in reading.told(tree) if asked else ():
            if key in found[package] and value not in found[package][key]:
                found[package][key].append(value)
    return found


def _names_of(shared: object, namespace: Mapping[str, object], apart: str) -> set[str]:
    """What the module calls it: ``session``, or ``flask.session``."""
    home = MODULES.get(apart)
    modules = [name for name, value in namespace.items() if is_module(value) and value is home]
    held = _by_identity(shared, loaded_dict(apart))
    return _by_identity(shared, namespace) | {f"{one}.{name}" for one in modules for name in held}


def _by_identity(shared: object, namespace: Mapping[str, object]) -> set[str]:
    return {name for name, value in namespace.items() if value is shared and type(name) is str}


class _Reading:
    """Of a module that calls the object by one of ``names``."""

    def __init__(self, names: set[str], namespace: Mapping[str, object]) -> None:
        self._names = names
        self._namespace = namespace

    def asked(self, tree: ast.AST) -> Iterator[str]:
        """The keys that are read, in the order of the source."""
        nodes = (node for node in walk(tree) if isinstance(node, ast.expr))
        found = [(node.lineno, node.col_offset, key) for node in nodes if (key := self._read(node))]
        yield from (key for _, _, key in sorted(found))

    def told(self, tree: ast.AST) -> Iterator[tuple[str, object]]:
        """Keys with literals that are stored there, or that what is read is compared with."""
        for node in walk(tree):
            match node:
                case ast.Assign(targets=[ast.Subscript(value=held, slice=key)], value=ast.Constant(value=value)):
                    if self._is_shared(held) and value is not None and (stored := self._text(key)):
                        yield stored, value
                case ast.Compare(left=read, comparators=[ast.Constant(value=value)]):
                    if value is not None and (key_read := self._read(read)):
                        yield key_read, value

    def _read(self, node: ast.AST) -> str:
        match node:
            case ast.Subscript(value=held, slice=key, ctx=ast.Load()) if self._is_shared(held):
                return self._text(key)
            case ast.Call(func=ast.Attribute(value=held, attr=method), args=[key, *_]) if self._is_shared(held):
                return self._text(key) if method in _ASKING else ""
            case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[held]) if self._is_shared(held):
                return self._text(key)
        return ""

    def _is_shared(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) in self._names

    def _text(self, node: ast.expr) -> str:
        """A key, also one that the module has by a name."""
        match node:
            case ast.Constant(value=str() as value):
                return value
            case ast.Name(id=name):
                return text(self._namespace.get(name))
            case ast.Attribute(value=ast.Name(id=name), attr=attribute):
                return text(attribute_of(self._namespace.get(name), attribute))
        return ""
