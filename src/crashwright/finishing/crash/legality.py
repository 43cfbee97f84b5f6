"""What makes a printed test no reproduction, whatever it scores, and whether it uses the subject as its authors meant it.

Argument types against annotations are judged in the engine, which has the live classes (``Found.legal``).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from crashwright.core.target import CrashTarget, belongs

_FORBIDDEN_CALLS = frozenset({"exec", "eval", "compile", "setattr", "delattr"})

_SWITCH = "testing"


@dataclass(frozen=True, slots=True)
class Legality:
    """``forbidden`` makes the test no reproduction; ``doubts`` are for the reader; ``unchecked`` is what could not
    be judged. In words."""

    forbidden: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    unchecked: str = ""

    @property
    def text(self) -> str:
        """``legal`` where that was checked, else why not, or what was not."""
        return "; ".join((*self.forbidden, *self.doubts)) or self.unchecked or "legal"


def legality(
    text: str, target: CrashTarget, types_legal: bool = True, refused: tuple[str, ...] = (), unchecked: tuple[int, int] = (0, 0)
) -> Legality:
    """Judge the printed file ``text``. ``refused`` is what the guard kept it from. ``unchecked`` is of how many of its
    arguments no signature says which types they may have, and how many there are."""
    tree = ast.parse(text)
    private, foreign = sorted(_private(tree, target)), sorted(_foreign(tree, target))
    forbidden = private + sorted(_patches(tree))
    # The engine counts private names as illegal too: they are named already.
    doubts = [] if types_legal or private or foreign else ["an argument's type is not what the signature says"]
    doubts += foreign
    doubts += [f"crashwright refused to {action}" for action in refused]
    return Legality(tuple(forbidden), tuple(doubts), _unchecked(*unchecked))


def _unchecked(unchecked: int, arguments: int) -> str:
    if not unchecked:
        return ""
    return (
        "not checked, because no parameter has an annotation"
        if unchecked >= arguments
        else f"legal; {unchecked} of {arguments} have no annotation to check"
    )


def _private(tree: ast.Module, target: CrashTarget) -> set[str]:
    """Private names, unless the report's outermost package frame is itself private in that name, or the exception is."""
    key = target.package_frames[0].key
    granted = {*key.module.split("."), *key.qualname.split("."), *target.exception.split(".")}
    names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for path in _imported(tree):
        if belongs(path, target.package.partition(".")[0]):
            names.update(path.split("."))
    granted |= {own for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for own in _own(node)}
    return {f"private name {name}" for name in names - granted if _hidden(name)}


def _foreign(tree: ast.Module, target: CrashTarget) -> set[str]:
    """What the test imports from private places of other packages: a framework may keep a class there that its users' code is
    handed, and then there is no other way to name it."""
    top, exception = target.package.partition(".")[0], target.exception.split(".")
    paths = [path for path in _imported(tree) if not belongs(path, top)]
    return {f"{path} is private" for path in paths if any(_hidden(part) for part in path.split(".") if part not in exception)}


def _imported(tree: ast.Module) -> Iterator[str]:
    """The dotted names that a test imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module or ''}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def _hidden(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def _own(definition: ast.ClassDef) -> set[str]:
    """Names that a class of the test itself gives to its attributes."""
    found = {inner.name for inner in definition.body if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef)}
    for node in ast.walk(definition):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and _root(node) in ("self", "cls"):
            found.add(node.attr)
    return found


def _patches(tree: ast.Module) -> set[str]:
    """Assignments to what is imported, and calls that make code or patch. Settings of an imported class (a capitalised name) are
    public, and so is the switch of an application that lets exceptions through to its test client."""
    imported = {
        name
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
        if not (name := (alias.asname or alias.name).partition(".")[0])[:1].isupper()
    }
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.Delete)):
            targets = [] if _is_switched_on(node) else [node.target] if isinstance(node, ast.AugAssign) else node.targets
            found.update(
                f"assigns to {ast.unparse(one)}" for one in targets if _root(one) in imported and not isinstance(one, ast.Name)
            )
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _FORBIDDEN_CALLS:
            found.add(f"calls {node.func.id}")
    return found


def _is_switched_on(node: ast.stmt) -> bool:
    match node:
        case ast.Assign(targets=[ast.Attribute(attr=name)], value=ast.Constant(value=True)):
            return name == _SWITCH
    return False


def _root(node: ast.expr) -> str | None:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
