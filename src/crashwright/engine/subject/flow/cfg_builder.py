"""Builds control flow graphs from syntax trees.

The builder threads a *frontier*, the dangling edges that the next node will take up, through the statements. Statements that leave
a block (return, break, continue, raise) unwind a stack of enclosing loops, handlers and finally blocks; each of them is passed once
per way of leaving, and remembered.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from crashwright.core.location import Position
from crashwright.engine.subject.flow.cfg import ENTRY, EXIT, BranchKind, Cfg, FlowEdge, FlowNode, NodeKind
from crashwright.engine.subject.flow.conditions import matches_all, position_of
from crashwright.engine.subject.walking import children, walk

Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module | ast.ClassDef | ast.expr
Frontier = list[FlowEdge]
"""Dangling edges: ``FlowEdge.target`` is the *source* node here, and the outcome that of the edge to come."""

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_DECIDING = (ast.IfExp, ast.BoolOp, *_COMPREHENSIONS)
_OPAQUE = (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class _Loop:
    """A loop being built: where ``continue`` goes, and the frontier that its ``break`` statements leave."""

    def __init__(self, head: int) -> None:
        self.head = head
        self.breaks: Frontier = []


class _Handlers:
    """The except clauses of a try whose body is being built. ``chains`` maps a way of leaving to the first decision of its chain;
    ``entering`` collects the edges into each handler; ``members`` are the nodes that may raise into it."""

    def __init__(self, positions: list[Position], catches_all: bool, kind: BranchKind = BranchKind.EXCEPT) -> None:
        self.kind = kind
        self.positions = positions
        self.catches_all = catches_all
        self.chains: dict[str, int] = {}
        self.entering: list[Frontier] = [[] for _ in positions]
        self.members: list[int] = []


class _Finally:
    """A finally block around what is being built; ``copies`` maps a way of leaving to the start of its copy."""

    def __init__(self, body: list[ast.stmt]) -> None:
        self.body = body
        self.copies: dict[str, int] = {}
        self.members: list[int] = []


def build_cfg(scope: Scope) -> Cfg:
    """The graph of the body of a function, lambda, class or module, or of a comprehension as its own code."""
    builder = _Builder()
    start: Frontier = [FlowEdge(ENTRY)]
    if isinstance(scope, _COMPREHENSIONS):
        end = builder.comprehension(scope, start)
    elif isinstance(scope, ast.Lambda):
        end = builder.expression(scope.body, builder.node(NodeKind.EXPRESSION, scope.body, start))
    elif isinstance(scope, ast.expr):
        end = builder.expression(scope, start)
    else:
        end = builder.block(scope.body, start)
    builder.join(end, EXIT)
    return builder.cfg


class _Builder:
    def __init__(self) -> None:
        self.cfg = Cfg()
        self.stack: list[_Loop | _Handlers | _Finally] = []

    # nodes and edges

    def node(self, kind: NodeKind, tree: ast.AST, incoming: Frontier) -> Frontier:
        """A new node for ``tree``; its frontier."""
        return [FlowEdge(self._add(FlowNode(kind, position_of(tree)), incoming))]

    def join(self, frontier: Frontier, target: int) -> None:
        """Ties all loose ends to ``target``."""
        for source, outcome in frontier:
            self.cfg.connect(source, target, outcome)

    def _add(self, node: FlowNode, incoming: Frontier) -> int:
        index = self.cfg.add(node)
        self.join(incoming, index)
        for frame in reversed(self.stack):
            if not isinstance(frame, _Loop):
                frame.members.append(index)
                break
        return index

    def _decide(self, position: Position, kind: BranchKind, incoming: Frontier) -> tuple[Frontier, Frontier]:
        """A decision: (frontier where it is true, frontier where it is false)."""
        index = self._add(FlowNode(NodeKind.BRANCH, position, kind), incoming)
        return [FlowEdge(index, True)], [FlowEdge(index, False)]

    # expressions

    def expression(self, tree: ast.AST, incoming: Frontier) -> Frontier:
        """Passes through the decisions inside an expression: conditional expressions, short circuits, comprehensions."""
        # Most expressions decide nothing, and the deepest ones are mere sums: do not recurse into these.
        if any(isinstance(part, _DECIDING) for part in walk(tree)):
            return self._decisions(tree, incoming)
        return incoming

    def _decisions(self, tree: ast.AST, incoming: Frontier) -> Frontier:
        match tree:
            case ast.IfExp():
                then, otherwise = self.condition(tree.test, incoming)
                then = self.expression(tree.body, self.node(NodeKind.EXPRESSION, tree.body, then))
                return then + self.expression(tree.orelse, self.node(NodeKind.EXPRESSION, tree.orelse, otherwise))
            case ast.BoolOp():
                return self._short_circuit(tree, incoming)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return self.comprehension(tree, incoming)
        if isinstance(tree, _OPAQUE):
            return incoming
        for child in children(tree):
            if isinstance(child, ast.expr | ast.keyword | ast.Slice | ast.FormattedValue):
                incoming = self._decisions(child, incoming)
        return incoming

    def _short_circuit(self, tree: ast.BoolOp, incoming: Frontier) -> Frontier:
        leaving: Frontier = []
        for value in tree.values[:-1]:
            true, false = self.condition(value, incoming)
            incoming, skipped = (true, false) if isinstance(tree.op, ast.And) else (false, true)
            leaving += skipped
        last = tree.values[-1]
        return leaving + self.expression(last, self.node(NodeKind.EXPRESSION, last, incoming))

    def comprehension(self, tree: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, incoming: Frontier) -> Frontier:
        """Its loops and filters around the element."""
        leaving: Frontier = []
        back: int | None = None
        for generator in tree.generators:
            incoming = self.expression(generator.iter, incoming)
            incoming, exhausted = self._decide(position_of(generator.iter), BranchKind.FOR, incoming)
            head = incoming[0].target
            if back is None:
                leaving = exhausted
            else:
                self.join(exhausted, back)
            back = head
            for test in generator.ifs:
                incoming, rejected = self.condition(test, incoming)
                self.join(rejected, head)
        parts = [tree.key, tree.value] if isinstance(tree, ast.DictComp) else [tree.elt]
        for part in parts:
            incoming = self.expression(part, self.node(NodeKind.EXPRESSION, part, incoming))
        if back is not None:
            self.join(incoming, back)
        return leaving

    def condition(self, test: ast.expr, incoming: Frontier) -> tuple[Frontier, Frontier]:
        """The decisions of a test: (frontier where it is true, frontier where it is false)."""
        match test:
            case ast.BoolOp(op=ast.And()):
                failing: Frontier = []
                for value in test.values:
                    incoming, false = self.condition(value, incoming)
                    failing += false
                return incoming, failing
            case ast.BoolOp():
                passing: Frontier = []
                for value in test.values:
                    true, incoming = self.condition(value, incoming)
                    passing += true
                return passing, incoming
            case ast.UnaryOp(op=ast.Not()):
                true, false = self.condition(test.operand, incoming)
                return false, true
            case ast.Constant():
                # ``while True``: the compiler leaves the other side out.
                return (incoming, []) if test.value else ([], incoming)
        return self._decide(position_of(test), BranchKind.CONDITION, self.expression(test, incoming))

    # statements

    def block(self, statements: Sequence[ast.stmt], incoming: Frontier) -> Frontier:
        """A sequence of statements."""
        for statement in statements:
            incoming = self._statement(statement, incoming)
        return incoming

    def _statement(self, tree: ast.stmt, incoming: Frontier) -> Frontier:
        here = self.node(NodeKind.STATEMENT, tree, incoming)
        match tree:
            case ast.If():
                return self._if(tree, here)
            case ast.While():
                return self._while(tree, here)
            case ast.For() | ast.AsyncFor():
                return self._for(tree, here)
            case ast.Try() | ast.TryStar():
                return self._try(tree, here)
            case ast.With() | ast.AsyncWith():
                return self._with(tree, here)
            case ast.Match():
                return self._match(tree, here)
            case ast.Assert():
                true, false = self.condition(tree.test, here)
                self._leave("raise", false if tree.msg is None else self.expression(tree.msg, false))
                return true
            case ast.Return() | ast.Raise() | ast.Break() | ast.Continue():
                self._leave(type(tree).__name__.lower(), self.expression(tree, here))
                return []
        return here if isinstance(tree, _OPAQUE) else self.expression(tree, here)

    def _if(self, tree: ast.If, here: Frontier) -> Frontier:
        leaving: Frontier = []
        while True:
            true, false = self.condition(tree.test, here)
            leaving += self.block(tree.body, true)
            if len(tree.orelse) != 1 or not isinstance(tree.orelse[0], ast.If):
                return leaving + self.block(tree.orelse, false)
            # Not by recursion: chains of elif can be hundreds long.
            tree = tree.orelse[0]
            here = self.node(NodeKind.STATEMENT, tree, false)

    def _while(self, tree: ast.While, here: Frontier) -> Frontier:
        # A join as head: the tests of the loop may be several atoms, or none (``while True``).
        loop = _Loop(self._add(FlowNode(NodeKind.JOIN), here))
        true, false = self.condition(tree.test, [FlowEdge(loop.head)])
        return self._loop_body(loop, tree.body, tree.orelse, true, false)

    def _for(self, tree: ast.For | ast.AsyncFor, here: Frontier) -> Frontier:
        true, false = self._decide(position_of(tree.iter), BranchKind.FOR, self.expression(tree.iter, here))
        return self._loop_body(_Loop(true[0].target), tree.body, tree.orelse, true, false)

    def _loop_body(self, loop: _Loop, body: list[ast.stmt], orelse: list[ast.stmt], true: Frontier, false: Frontier) -> Frontier:
        self.stack.append(loop)
        self.join(self.block(body, true), loop.head)
        self.stack.pop()
        return self.block(orelse, false) + loop.breaks

    def _with(self, tree: ast.With | ast.AsyncWith, here: Frontier) -> Frontier:
        for item in tree.items:
            here = self.expression(item.context_expr, here)
        if not isinstance(tree.body[-1], ast.Return | ast.Raise | ast.Break | ast.Continue):
            return self.block(tree.body, here)
        # What follows such a body is reached only where the context manager suppresses an exception.
        frame = _Handlers([position_of(tree)], False, BranchKind.SUPPRESS)
        return self._guarded(frame, tree.body, here) + frame.entering[0]

    def _match(self, tree: ast.Match, incoming: Frontier) -> Frontier:
        incoming = self.expression(tree.subject, incoming)
        leaving: Frontier = []
        for case in tree.cases:
            if matches_all(case.pattern):
                true, incoming = incoming, []
            else:
                true, incoming = self._decide(position_of(case.pattern), BranchKind.CASE, incoming)
            if case.guard is not None:
                true, rejected = self.condition(case.guard, true)
                incoming = incoming + rejected
            leaving += self.block(case.body, true)
        return leaving + incoming

    def _try(self, tree: ast.Try | ast.TryStar, here: Frontier) -> Frontier:
        final = _Finally(tree.finalbody) if tree.finalbody else None
        entry = here
        if final is not None:
            self.stack.append(final)
        if tree.handlers:
            here = self._handled(tree, here)
        else:
            here = self.block(tree.body, here)
        return here if final is None else self._finished(final, entry, here)

    def _finished(self, frame: _Finally, entry: Frontier, end: Frontier) -> Frontier:
        """The finally block after its try, and the copy that exceptions pass."""
        endless = not end and not frame.copies
        start = self._final_copy(frame, "raise")
        for member in frame.members:
            self.cfg.raising[member].append(start)
        self.stack.pop()
        if endless:
            self.join(entry, start)
        return self.block(frame.body, end) if end else []

    def _handled(self, tree: ast.Try | ast.TryStar, here: Frontier) -> Frontier:
        frame = _Handlers([position_of(handler) for handler in tree.handlers], tree.handlers[-1].type is None)
        end = self._guarded(frame, tree.body, here)
        if end:
            end = self._chain(frame, "normal", end)
        leaving = self.block(tree.orelse, end)
        for handler, entering in zip(tree.handlers, frame.entering, strict=True):
            leaving += self.block(handler.body, self.node(NodeKind.STATEMENT, handler, entering))
        return leaving

    # leaving blocks

    def _guarded(self, frame: _Handlers, body: list[ast.stmt], here: Frontier) -> Frontier:
        """The body of a try, with edges from its nodes to the handlers."""
        self.stack.append(frame)
        end = self.block(body, here)
        self.stack.pop()
        endless = not end and not frame.chains
        if "raise" not in frame.chains:
            self._leave("raise", self._chain(frame, "raise", []))
        for member in frame.members:
            self.cfg.raising[member].append(frame.chains["raise"])
        if endless:
            # A body without end, such as a server's loop, is left by exceptions alone: else its handlers would hang in the air.
            self.join(here, frame.chains["raise"])
        return end

    def _leave(self, way: str, frontier: Frontier) -> None:
        """Unwinds the stack with the loose ends of a return, raise, break or continue."""
        saved = self.stack
        for outer in range(len(saved) - 1, -1, -1):
            frame = saved[outer]
            if isinstance(frame, _Loop):
                if way == "break":
                    frame.breaks += frontier
                    return
                if way == "continue":
                    self.join(frontier, frame.head)
                    return
            elif isinstance(frame, _Finally):
                self.join(frontier, self._final_copy(frame, way))
                return
            elif way in frame.chains:
                self.join(frontier, frame.chains[way])
                return
            else:
                # The decisions of a chain themselves belong to the blocks around it.
                self.stack = saved[:outer]
                frontier = self._chain(frame, way, frontier)
                self.stack = saved
        self.join(frontier, EXIT)

    def _chain(self, frame: _Handlers, way: str, incoming: Frontier) -> Frontier:
        """One decision per handler, entered or not; what is left where none is."""
        frame.chains[way] = len(self.cfg.nodes)
        for position, entering in zip(frame.positions, frame.entering, strict=True):
            entered, incoming = self._decide(position, frame.kind, incoming)
            entering += entered
        return [] if way == "raise" and frame.catches_all else incoming

    def _final_copy(self, frame: _Finally, way: str) -> int:
        """The start of the finally block as passed on that way of leaving, built when first asked for."""
        if way not in frame.copies:
            saved = self.stack
            self.stack = saved[: saved.index(frame)]
            frame.copies[way] = start = self._add(FlowNode(NodeKind.JOIN), [])
            self._leave(way, self.block(frame.body, [FlowEdge(start)]))
            self.stack = saved
        return frame.copies[way]
