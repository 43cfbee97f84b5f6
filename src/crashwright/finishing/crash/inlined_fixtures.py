"""A test file that no longer needs the ``conftest.py`` files of its project: the fixtures that it uses stand in it, with what these
use in turn. Lines are moved, never printed anew, but for imports of which only a part is needed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_IMPORTS = (ast.Import, ast.ImportFrom)
_BEGINNING = ("test", "Test")


class _Definition(NamedTuple):
    """A statement of a ``conftest.py``; ``name`` is what it defines, "" if it acts (``sys.path.insert(...)``)."""

    name: str
    node: ast.stmt
    text: str


class CannotInline(Exception):
    """What the file needs cannot be moved."""


def inlined(text: str, conftests: Sequence[str]) -> str | None:
    """``text`` with what it uses of ``conftests``, the sources of such files, the outermost first; None if that is not to be done:
    a name has two meanings, or an import is relative to where the file lies."""
    tree = ast.parse(text)
    known = {name: one for source in conftests for one in _definitions(source) for name in [one.name] if name}
    acting = [one for source in conftests for one in _definitions(source) if not one.name]
    own = {name for node in tree.body for name in _defined(node)}
    try:
        wanted = _wanted(tree, own, known, acting)
        before, imports, after = _sorted([one for one in known.values() if one.name in wanted], acting, own, tree)
    except CannotInline:
        return None
    return _put_in(text, tree, before, imports, after)


def _definitions(source: str) -> Iterator[_Definition]:
    lines = source.splitlines()
    for node in ast.parse(source).body:
        if isinstance(node, _IMPORTS):
            for alias in node.names:
                yield _Definition(_name_of(alias), node, _import_of(node, alias))
            continue
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))]) - 1
        part = "\n".join(lines[first : node.end_lineno])
        names = list(_defined(node))
        for name in names:
            yield _Definition(name, node, part)
        if not names and not _says_nothing(node):
            yield _Definition("", node, part)


def _import_of(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> str:
    named = alias.name + (f" as {alias.asname}" if alias.asname else "")
    if isinstance(node, ast.Import):
        return f"import {named}"
    return f"from {'.' * node.level}{node.module or ''} import {named}"


def _name_of(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


def _defined(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, _IMPORTS):
        yield from map(_name_of, node.names)
    elif isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        yield node.name
    else:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        yield from (one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name) and _is_stored(one))


def _is_stored(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def _says_nothing(node: ast.stmt) -> bool:
    """A docstring, ``pass``."""
    return isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _wanted(tree: ast.Module, own: set[str], known: Mapping[str, _Definition], acting: Sequence[_Definition]) -> set[str]:
    """What the tests ask for by the names of parameters and markers, what is used without being asked, and what these use."""
    automatic = [name for name, one in known.items() if _is_automatic(one.node)]
    waiting = [*automatic, *_requested(tree.body)]
    waiting += [name for one in acting for name in _used(one.node)]
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        one = known.get(name)
        if one is None or name in found:
            continue
        if name in own and not isinstance(one.node, _IMPORTS):
            if _is_fixture(one.node):
                if any(_asks_itself(node, name) for node in tree.body):
                    raise CannotInline  # it goes on from the fixture that it takes the place of
                continue
            raise CannotInline
        found.add(name)
        waiting += [*_used(one.node), *_requested([one.node])]
    return found


def _asks_itself(node: ast.stmt, name: str) -> bool:
    return isinstance(node, _FUNCTIONS) and node.name == name and name in _parameters(node)


def _requested(nodes: Iterable[ast.stmt]) -> Iterator[str]:
    """The names of fixtures: parameters of tests and of fixtures, and texts in ``usefixtures`` and ``getfixturevalue``."""
    for top in nodes:
        for node in ast.walk(top):
            if isinstance(node, _FUNCTIONS) and (node.name.startswith(_BEGINNING) or _is_fixture(node)):
                yield from _parameters(node)
            elif isinstance(node, ast.Call) and _last(node.func) in ("usefixtures", "getfixturevalue"):
                yield from (one.value for one in node.args if isinstance(one, ast.Constant) and type(one.value) is str)


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    return [one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]


def _used(node: ast.stmt) -> Iterator[str]:
    yield from (one.id for one in ast.walk(node) if isinstance(one, ast.Name) and not _is_stored(one))


def _is_fixture(node: ast.stmt) -> bool:
    return isinstance(node, _FUNCTIONS) and any(_last(one) == "fixture" for one in node.decorator_list)


def _is_automatic(node: ast.stmt) -> bool:
    return isinstance(node, _FUNCTIONS) and any(
        isinstance(one, ast.Call)
        and _last(one) == "fixture"
        and any(word.arg == "autouse" and not _is_false(word.value) for word in one.keywords)
        for one in node.decorator_list
    )


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def _last(node: ast.expr) -> str:
    """The last name of a decorator or function: ``pytest.fixture(scope="module")`` -> ``fixture``."""
    while isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _sorted(
    wanted: Iterable[_Definition], acting: Sequence[_Definition], own: set[str], tree: ast.Module
) -> tuple[list[str], list[str], list[str]]:
    """What has to come before all imports of the file, what goes with them, and what follows them."""
    there = {_import_of(node, alias) for node in tree.body if isinstance(node, _IMPORTS) for alias in node.names}
    acts = {name for one in acting for name in _used(one.node)}
    before: list[str] = []
    imports: list[str] = []
    after: list[str] = []
    for one in wanted:
        if isinstance(one.node, ast.ImportFrom) and one.node.level:
            raise CannotInline
        if not isinstance(one.node, _IMPORTS):
            if one.name in acts:
                raise CannotInline  # a function of the conftest runs when that is imported: who knows before what
            after.append(one.text)
        elif one.name in acts:
            before.append(one.text)
        elif one.text not in there:
            if one.name in own:
                raise CannotInline
            imports.append(one.text)
    return [*sorted(before), *(one.text for one in acting)], sorted(imports), list(dict.fromkeys(after))


def _put_in(text: str, tree: ast.Module, before: Sequence[str], imports: Sequence[str], after: Sequence[str]) -> str:
    lines = text.splitlines()
    start = _beginning(tree)
    top = [node for node in tree.body if isinstance(node, _IMPORTS) and (node.end_lineno or 0) > start]
    end = max([start, *(node.end_lineno or 0 for node in _leading(tree, start))])
    head, middle, rest = lines[:start], lines[start:end], lines[end:]
    noted = [f"{line}  # noqa: E402" if before and line.startswith(("import ", "from ")) else line for line in imports]
    parts = [*head, *([""] if head and before else []), *before, *middle, *([] if top else [""]), *noted]
    for one in after:
        parts += ["", "", *one.splitlines()]
    while after and rest and not rest[0].strip():
        rest = rest[1:]
    return "\n".join([*parts, *([""] * 2 if after and rest else []), *rest]).lstrip("\n") + "\n"


def _beginning(tree: ast.Module) -> int:
    """How many lines have to stay at the top: the docstring, imports of the future."""
    lines = 0
    for node in tree.body:
        future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if not (future or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))):
            break
        lines = node.end_lineno or node.lineno
    return lines


def _leading(tree: ast.Module, start: int) -> Iterator[ast.stmt]:
    """The imports at the top, one after the other."""
    for node in tree.body:
        if (node.end_lineno or 0) <= start:
            continue
        if not isinstance(node, _IMPORTS):
            return
        yield node
