"""What usage examples do, as plain statements: sessions, and the calls in them with what they depend on.

``documentation`` and ``shipped_tests`` find sessions; nothing of them is run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

MOST_STATEMENTS = 8
"""Statements of one use."""

Session = tuple[ast.stmt, ...]
"""Statements that belong together, in order."""
DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


class Look(NamedTuple):
    """What there is to know of a statement: the ``calls`` in it, outermost first, the names that it reads and binds, and those of
    the objects that it may change."""

    statement: ast.stmt
    calls: tuple[ast.Call, ...]
    loaded: frozenset[str]
    bound: frozenset[str]
    changed: frozenset[str]


class Looks:
    """Looks at each statement once: sessions begin alike, and each use in them asks for all that stands before it."""

    def __init__(self) -> None:
        self._known: dict[int, Look] = {}

    def at(self, statement: ast.stmt) -> Look:
        """Of a statement of a session."""
        found = self._known.get(id(statement))
        if found is None:
            found = self._known[id(statement)] = _look(statement)
        return found


def uses(session: Session, wanted: frozenset[str], definitions: bool = False, looks: Looks | None = None) -> Iterator[Session]:
    """For each statement that calls something named in ``wanted``: that call, after the statements before it that it depends on.
    With ``definitions``, to derive from it or to be decorated by it is to call it, and so is to call what was defined so."""
    looks = looks or Looks()
    for index, statement in enumerate(session):
        if definitions and isinstance(statement, DEFINITIONS) and not wanted.isdisjoint(_made_of(statement)):
            wanted |= {statement.name}
            yield _with_needed(session, index, statement, looks, definitions)
            continue
        call = next((call for call in looks.at(statement).calls if called_name(call) in wanted), None)
        if call is not None:  # without what is done with its result
            yield _with_needed(session, index, ast.copy_location(ast.Expr(call), statement), looks, definitions)


def objects(session: Session, makers: frozenset[str]) -> Iterator[tuple[str, Session]]:
    """What something named in ``makers`` gives: the variables that hold it, with the statements that make and change it."""
    looks = Looks()
    for index, statement in enumerate(session):
        if not (isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call)):
            continue
        for name in sorted(_bound(statement)) if called_name(statement.value) in makers else ():
            end = next((later for later in range(index + 1, len(session)) if name in _bound(session[later])), len(session))
            held = ast.copy_location(ast.Expr(ast.Name(name, ast.Load())), statement)
            yield name, _with_needed(session, end, held, looks)[:-1]


def _with_needed(session: Session, index: int, last: ast.stmt, looks: Looks, definitions: bool = False) -> Session:
    needed = _loaded(last)
    kept: list[ast.stmt] = [last]
    for earlier in reversed(session[:index]):
        look = looks.at(earlier)
        bound = frozenset((earlier.name,)) if definitions and isinstance(earlier, DEFINITIONS) else look.bound
        if bound & needed:
            needed -= bound
        elif not look.changed & needed:
            continue
        needed |= look.loaded
        kept.append(earlier)
        if len(kept) == MOST_STATEMENTS:
            break
    return tuple(reversed(kept))


def _made_of(definition: ast.stmt) -> set[str]:
    """The last parts of the names that decorate a definition, and of the bases of a class."""
    decorators = definition.decorator_list if isinstance(definition, DEFINITIONS) else []
    bases = definition.bases if isinstance(definition, ast.ClassDef) else []
    found = [one.func if isinstance(one, ast.Call) else one for one in (*decorators, *bases)]
    return {one.attr if isinstance(one, ast.Attribute) else one.id for one in found if isinstance(one, ast.Attribute | ast.Name)}


def called_name(call: ast.Call) -> str:
    """The last part of the name that is called, "" where it has none."""
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _look(statement: ast.stmt) -> Look:
    nodes = list(ast.walk(statement))  # breadth first
    calls = tuple([node for node in nodes if isinstance(node, ast.Call)])
    loaded = frozenset([node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)])
    return Look(statement, calls, loaded, frozenset(_bound(statement)), frozenset(_changed(statement)))


def _loaded(statement: ast.stmt) -> set[str]:
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _bound(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.Assign):
        return {target.id for target in statement.targets if isinstance(target, ast.Name)}
    return set()


def _changed(statement: ast.stmt) -> set[str]:
    """Names of objects whose state the statement may change: assigned attributes and items, receivers of calls."""
    roots: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        roots += [target for target in statement.targets if isinstance(target, ast.Attribute | ast.Subscript)]
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        roots += [statement.value.func] if isinstance(statement.value.func, ast.Attribute) else []
    names = set()
    for node in roots:
        while isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
        if isinstance(node, ast.Name):
            names.add(node.id)
    return names
