"""What code may write beyond what its calls certainly lead to: for sentences that are to hold on every way.

A call that leads to nothing known may run any method of its name; what is handed to it counts by itself (``Program.handed``).
"""

from __future__ import annotations

from collections.abc import Iterator

from crashwright.symbolic.execution.sources import SourceProgram
from crashwright.symbolic.ir.nodes import Call, Function, MethodCallee, Node
from crashwright.symbolic.semantics.tables import written_by


class PossibleWrites:
    """Of the functions of a program; each is looked at once."""

    def __init__(self, program: SourceProgram) -> None:
        self._program = program
        self._written: dict[int, frozenset[str]] = {}
        self._named: dict[str, list[Function]] | None = None

    def at(self, function: Function, node: Node) -> frozenset[str]:
        """Arrays of the heap that an instruction may write, with all that it may run."""
        own = frozenset(written_by(self._program, function, node))
        return own.union(*[self._of(one) for one in self._run(function, node)])

    def _of(self, function: Function) -> frozenset[str]:
        if id(function) not in self._written:
            self._written[id(function)] = frozenset()  # of a recursion, nothing more than of the call
            self._written[id(function)] = frozenset().union(*[self.at(function, one) for one in function.nodes])
        return self._written[id(function)]

    def _run(self, function: Function, node: Node) -> Iterator[Function]:
        targets = self._program.targets(function, node)
        yield from (one.function for one in targets if one.function is not None)
        if not targets and isinstance(node.detail, Call):
            callee = node.detail.callee
            if isinstance(callee, MethodCallee):
                yield from self._by_name(callee.name)

    def _by_name(self, name: str) -> list[Function]:
        if self._named is None:
            self._named = {}
            for one in self._program.every_function():
                self._named.setdefault(one.qualname.rpartition(".")[2], []).append(one)
        return self._named.get(name, [])
