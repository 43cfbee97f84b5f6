"""The lowering of one function: what the themes share. Each theme has a table of what it lowers by the type of the syntax node, and
asks for all else through :class:`Lowering`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from crashwright.core.location import Position
from crashwright.symbolic.ir.lowering.graph import Graph, is_temporary
from crashwright.symbolic.ir.lowering.positions import Version, position_of
from crashwright.symbolic.ir.nodes import Constant, Edge, Global, Kind, Local, Operand, Place
from crashwright.symbolic.ir.scopes import Scope


class ModuleNames(NamedTuple):
    """What the functions of a file ask of it. ``defined``: names that a function may take for bound; ``redefined``: those of the
    file itself; ``shared``: names that some function of it assigns; ``dotted``: imports and classes, by which calls may be
    named."""

    scopes: Mapping[ast.AST, Scope]
    defined: frozenset[str]
    redefined: frozenset[str]
    shared: frozenset[Place]
    dotted: frozenset[str]
    version: Version


class Branches(NamedTuple):
    """Where it goes on if a condition is true, and if it is false."""

    true: list[Edge]
    false: list[Edge]


@dataclass(slots=True)
class Cleanup:
    """What must happen on each way out of a stretch: a ``finally``, the exit of a ``with``. It stands outside of the stretches that
    are deeper than ``depth``; ``loops`` and ``caught``: how many are open about it."""

    run: Callable[[], None]
    depth: int
    loops: int
    caught: int


@dataclass(slots=True)
class Loop:
    """A loop that ``break`` and ``continue`` go to; ``cleanups``: how many are open about it."""

    cleanups: int
    breaks: list[Edge] = field(default_factory=list)
    continues: list[Edge] = field(default_factory=list)


class Tables(NamedTuple):
    """Who lowers which syntax. A value is handed the expression, a statement itself; a pattern also the subject."""

    values: Mapping[type[ast.expr], Callable[[Lowering, Any], Operand]]
    conditions: Mapping[type[ast.expr], Callable[[Lowering, Any, ast.AST], Branches]]
    statements: Mapping[type[ast.stmt], Callable[[Lowering, Any], None]]
    targets: Mapping[type[ast.expr], Callable[[Lowering, Any, Operand, ast.AST], None]]


class Lowering:
    """Makes the instructions of one function."""

    def __init__(self, scope: Scope, names: ModuleNames, tables: Tables) -> None:
        self.scope = scope
        self.names = names
        self.version = names.version
        self.graph = Graph(frozenset([scope.place(name) for name in scope.deleted]))
        self.loops: list[Loop] = []
        self.cleanups: list[Cleanup] = []
        self.caught: list[Place] = []
        """The exceptions being handled, of which a bare raise takes the last."""
        self.yielded: Local | None = None
        """The list that a generator's values are put into, where they are wanted at once."""
        self.consumed: set[ast.expr] = set()
        """Generator expressions that are used up at once by what they are handed to."""
        self.anchors: dict[ast.AST, ast.AST] = {}
        """The last comparison that was a condition of a statement or expression: what it does then has its place, in 3.11."""
        self.unmodelled: list[str] = []
        self.function = scope
        self._tables = tables

    # Instructions
    def result(
        self, kind: Kind, operands: Sequence[Operand] = (), detail: object = None, position: Position | None = None
    ) -> Operand:
        """Emits an instruction that makes a value."""
        target = self.graph.temporary()
        self.graph.emit(kind, target, operands, detail, position)
        return target

    def opaque(self, reason: str, node: ast.AST, operands: Sequence[Operand] = ()) -> Operand:
        self.note(reason)
        return self.result(Kind.OPAQUE, operands, reason, position_of(node))

    def note(self, reason: str) -> None:
        if reason not in self.unmodelled:
            self.unmodelled.append(reason)

    def copy(self, target: Place, value: Operand, position: Position | None = None) -> None:
        self.graph.emit(Kind.COPY, target, (value,), position=position)

    def held(self, value: Operand) -> Operand:
        """A value that later assignments do not change."""
        if isinstance(value, Constant) or is_temporary(value):
            return value
        return self.result(Kind.COPY, (value,))

    def read(self, name: str, node: ast.AST) -> Operand:
        """A variable: itself where it is certainly bound, else what a LOAD finds."""
        place = self.scope.place(name)
        if self._is_certain(place):
            return place
        if isinstance(self.scope.node, ast.ClassDef) and isinstance(place, Local):
            if self.graph.was_assigned(place):
                return self.opaque("name of a class body or of the module", node)
            place = Global(place.name)
        value = self.result(Kind.LOAD, (place,), position=position_of(node))
        self.graph.bind((place,))
        return value

    def _is_certain(self, place: Place) -> bool:
        if self.graph.is_bound(place):
            return True
        if isinstance(place, Global):
            return self.function.is_function and place.name in self.names.defined
        return False

    # Syntax
    def value(self, node: ast.expr) -> Operand:
        lower = self._tables.values.get(type(node))
        return lower(self, node) if lower is not None else self.opaque(type(node).__name__, node)

    def values(self, nodes: Sequence[ast.expr], how: Callable[[ast.expr], Operand] | None = None) -> list[Operand]:
        """Several, from left to right: none changes while the ones behind it are evaluated."""
        how = how or self.value
        found: list[Operand] = []
        for place, node in enumerate(nodes):
            value = how(node)
            found.append(self.held(value) if self.is_changed_by(value, nodes[place + 1 :]) else value)
        return found

    def is_changed_by(self, value: Operand, later: Sequence[ast.AST]) -> bool:
        """Whether a variable may get another value while ``later`` is evaluated."""
        if not later or isinstance(value, Constant) or is_temporary(value):
            return False
        if value not in self.names.shared and not self.scope.holder().has_walrus:
            return False
        name = value.name.partition("%")[0]
        inside = [one for node in later for one in ast.walk(node)]
        if any(isinstance(one, ast.NamedExpr) and self.scope.mangled(one.target.id) == name for one in inside):
            return True
        return value in self.names.shared and any(isinstance(one, _RUNS_OTHER_CODE) for one in inside)

    def condition(self, node: ast.expr, whole: ast.AST) -> Branches:
        """Goes both ways of a test; ``whole`` is the statement or expression that has it."""
        return self._tables.conditions.get(type(node), self._tables.conditions[ast.expr])(self, node, whole)

    def anchor(self, whole: ast.AST) -> ast.AST:
        return self.anchors.get(whole, whole)

    def assign(self, target: ast.expr, value: Operand, whole: ast.AST) -> None:
        """Assigns to a target of the statement ``whole``."""
        self._tables.targets[type(target)](self, target, value, whole)

    def run(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            if not self.graph.frontier:
                return
            lower = self._tables.statements.get(type(statement))
            if lower is None:
                self.opaque(type(statement).__name__, statement)
            else:
                lower(self, statement)

    # Scopes and ways out
    @contextmanager
    def inside(self, node: ast.AST) -> Iterator[Scope]:
        """The scope of a comprehension that is written out here."""
        about, self.scope = self.scope, self.names.scopes[node]
        try:
            yield self.scope
        finally:
            self.scope = about

    def clean_up(self, keep: int) -> None:
        """Writes out the open cleanups from inside but for the outermost ``keep``, each without itself."""
        here = self.cleanups, self.loops, self.caught
        while len(self.cleanups) > keep and self.graph.frontier:
            cleanup = self.cleanups[-1]
            self.cleanups, self.loops = self.cleanups[:-1], self.loops[: cleanup.loops]
            self.caught = self.caught[: cleanup.caught]
            with self.graph.outside(cleanup.depth):
                cleanup.run()
        self.cleanups, self.loops, self.caught = here

    def raise_again(self, exception: Operand) -> None:
        """Passes an exception on that no handler here took: its traceback stays as it is."""
        self.graph.emit(Kind.RAISE, None, (exception,), "")
        self.graph.frontier = []


_RUNS_OTHER_CODE = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.Attribute, ast.Subscript, ast.BinOp, ast.Compare)
