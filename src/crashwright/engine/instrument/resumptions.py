"""Resumptions: a generator or coroutine is called by whoever resumes it, each time perhaps from another line.

``yield x`` becomes ``RESUMED((yield x))``, so that the recorder learns who called what follows. The same is told where an exception
that was thrown in is handled, and at the first statement of ``async for`` and ``async with``. Not told: the exit of a ``with`` that
such an exception leaves.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from crashwright.engine.instrument.decisions import DecisionRewriter
from crashwright.engine.instrument.infection import Infections
from crashwright.engine.instrument.probed_code import PAUSES, call

_PAUSING = (*PAUSES, ast.AsyncFor, ast.AsyncWith)


class ResumptionRewriter(DecisionRewriter):
    """``resumptions``: chosen functions tell that they go on after a pause."""

    def __init__(self, infections: Infections | None = None, resumptions: bool = False) -> None:
        super().__init__(infections)
        self.resumptions = resumptions

    @property
    def _telling(self) -> bool:
        return self.resumptions and self.probed is not None

    def visit_Yield(self, node: ast.Yield) -> ast.expr:
        """``yield``."""
        return self._resumed(node)

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.expr:
        """``yield from``."""
        return self._resumed(node)

    def visit_Await(self, node: ast.Await) -> ast.expr:
        """``await``."""
        return self._resumed(node)

    def _resumed(self, node: ast.expr) -> ast.expr:
        inner = self.generic_expression(node)
        return call("resumed", [inner], node) if self._telling else inner

    def pauses(self, statements: Iterable[ast.stmt]) -> bool:
        """Whether a function may be resumed within these statements; to be asked before they are rewritten."""
        return self._telling and any(isinstance(node, _PAUSING) for one in statements for node in ast.walk(one))

    def tell(self, block: list[ast.stmt]) -> None:
        """Lets a block, now rewritten, begin by telling who resumed the function."""
        if block:
            at = block[0]
            block.insert(0, ast.copy_location(ast.Expr(call("resumed", [ast.Constant(None)], at)), at))
