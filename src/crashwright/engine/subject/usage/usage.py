"""What usage examples do, as plain statements: sessions, and the calls in them with what they depend on.

``documentation`` and ``shipped_tests`` find sessions; nothing of them is run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from crashwright.engine.subject.walking import walk

TEXT_OF = {"print": ("__str__", "__repr__"), "str": ("__str__", "__repr__"), "repr": ("__repr__",)}
"""Functions that ask for the text of what they get, with the methods that give it."""
MOST_STATEMENTS = 8
"""Statements of one use."""

Session = tuple[ast.stmt, ...]
"""Statements that belong together, in order."""
_PLAIN = (ast.Assign, ast.AnnAssign, ast.Expr, ast.Assert, ast.Delete, ast.AugAssign)
_BLOCKS = (ast.With, ast.AsyncWith, ast.If, ast.Try, ast.For, ast.AsyncFor)
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
        self._inner: dict[int, Session] = {}

    def at(self, statement: ast.stmt) -> Look:
        """Of a statement of a session."""
        found = self._known.get(id(statement))
        if found is None:
            found = self._known[id(statement)] = _look(statement)
        return found

    def opened(self, session: Session) -> Session:
        """With what stands in loops, arms and ``with`` in its place; functions stay whole."""
        return tuple(
            one for statement in session for one in (self.inside(statement) if isinstance(statement, _BLOCKS) else [statement])
        )

    def inside(self, statement: ast.stmt) -> Session:
        """The simple statements that one is made of (:func:`flat`), the same ones each time."""
        found = self._inner.get(id(statement))
        if found is None:
            found = self._inner[id(statement)] = tuple(
                flat((statement,), functions=isinstance(statement, DEFINITIONS), others=True)
            )
        return found


def uses(session: Session, wanted: frozenset[str], definitions: bool = False, looks: Looks | None = None) -> Iterator[Session]:
    """For each statement that calls something named in ``wanted``: that call, after the statements before it that it depends on,
    those around it too: of a call within a function, a loop or a ``with``, what stands there before it. With ``definitions``, to
    derive from it or to be decorated by it is to call it, and so is to call what was defined so."""
    looks = looks or Looks()
    session = looks.opened(session)
    for index, statement in enumerate(session):
        if definitions and isinstance(statement, DEFINITIONS) and not wanted.isdisjoint(_made_of(statement)):
            wanted |= {statement.name}
            yield _with_needed(session, index, statement, looks, definitions)
            continue
        if not _asks_for(looks.at(statement), wanted):
            continue
        inner = looks.inside(statement)
        within = (*session[:index], *inner)
        for place, one in enumerate(inner, index):
            call = next((call for call in looks.at(one).calls if _is_call_of(call, wanted)), None)
            if call is not None:  # without what is done with its result
                yield _with_needed(within, place, ast.copy_location(ast.Expr(call), one), looks, definitions)


def _asks_for(look: Look, wanted: frozenset[str]) -> bool:
    return any(_is_call_of(call, wanted) for call in look.calls)


def _is_call_of(call: ast.Call, wanted: frozenset[str]) -> bool:
    """To print something is to call its ``__str__``."""
    name = called_name(call)
    return name in wanted or (bool(call.args) and not wanted.isdisjoint(TEXT_OF.get(name, ())))


def flat(body: Iterable[ast.stmt], definitions: bool = False, functions: bool = False, others: bool = False) -> Iterator[ast.stmt]:
    """The simple statements (and ``definitions``, and the ``others``) in order; of a loop the first round, of an ``if`` the first
    arm, of a ``with`` what is entered before what is done there. Of ``functions`` the body stands for itself."""
    for statement in body:
        if filled_by(statement):
            yield statement
            continue
        if isinstance(statement, ast.With | ast.AsyncWith):
            entered = type(statement)(statement.items, [ast.copy_location(ast.Pass(), statement)])
            yield ast.copy_location(entered, statement)
        if isinstance(statement, ast.With | ast.AsyncWith | ast.If | ast.Try):
            yield from flat(statement.body, definitions, functions, others)
        elif isinstance(statement, ast.For | ast.AsyncFor):
            if isinstance(statement.iter, ast.List | ast.Tuple) and statement.iter.elts:
                yield from _assigned(statement.target, statement.iter.elts[0], statement)
            elif others:
                yield ast.copy_location(ast.Expr(statement.iter), statement)
            yield from flat(statement.body, definitions, functions, others)
        elif functions and isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from flat(statement.body, definitions, functions, others)
        elif others or isinstance(statement, _PLAIN) or (definitions and isinstance(statement, DEFINITIONS)):
            yield statement


def filled_by(statement: ast.stmt) -> list[tuple[ast.expr, ast.expr]]:
    """The items, key and value, that a ``with`` gives to what it enters; none where it does anything else: ``with
    client.session_transaction() as session: session["user"] = 1``."""
    match statement:
        case ast.With(items=[ast.withitem(optional_vars=ast.Name(id=entered))], body=body):
            found = [_item_of(entered, one) for one in body]
            return [] if None in found else [one for one in found if one is not None]
    return []


def _item_of(name: str, statement: ast.stmt) -> tuple[ast.expr, ast.expr] | None:
    match statement:
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=held), slice=key)], value=value) if held == name:
            return key, value
    return None


def _assigned(target: ast.expr, value: ast.expr, at: ast.stmt) -> Iterator[ast.stmt]:
    """``target = value``, part by part where both have parts."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple | ast.List) and len(target.elts) == len(value.elts):
        for one, other in zip(target.elts, value.elts, strict=True):
            yield from _assigned(one, other, at)
        return
    yield ast.fix_missing_locations(ast.copy_location(ast.Assign([target], value), at))


def objects(session: Session, makers: frozenset[str], named: str = "") -> Iterator[tuple[str, Session]]:
    """What something named in ``makers`` gives, or any call gives to the variable ``named``: the variables that hold it, with the
    statements that make and change it."""
    looks = Looks()
    for index, statement in enumerate(session):
        if not (isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call)):
            continue
        held_by = {target.id for target in statement.targets if isinstance(target, ast.Name)}
        for name in sorted(held_by):
            if name != named and called_name(statement.value) not in makers:
                continue
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
    nodes = list(walk(statement))  # breadth first
    calls = tuple([node for node in nodes if isinstance(node, ast.Call)])
    loaded = frozenset([node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)])
    return Look(statement, calls, loaded, frozenset(_bound(statement)), frozenset(_changed(statement)))


def _loaded(statement: ast.stmt) -> set[str]:
    return {node.id for node in walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _bound(statement: ast.stmt) -> set[str]:
    """The names that it assigns to, also several at once."""
    targets: list[ast.expr | None] = []
    if isinstance(statement, ast.Assign):
        targets += statement.targets
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        targets.append(statement.target)
    elif isinstance(statement, ast.With | ast.AsyncWith):
        targets += [item.optional_vars for item in statement.items]
    nodes = (node for target in targets if target is not None for node in walk(target))
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _changed(statement: ast.stmt) -> set[str]:
    """Names of objects whose state the statement may change: assigned attributes and items, receivers of calls."""
    roots: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        roots += [target for target in statement.targets if isinstance(target, ast.Attribute | ast.Subscript)]
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        roots += [statement.value.func] if isinstance(statement.value.func, ast.Attribute) else []
    elif isinstance(statement, ast.With) and filled_by(statement):
        roots += [one.context_expr.func for one in statement.items if isinstance(one.context_expr, ast.Call)]
    names = set()
    for node in roots:
        while isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
        if isinstance(node, ast.Name):
            names.add(node.id)
    return names
