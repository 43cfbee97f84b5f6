"""The program as its source files tell it (``semantics.program.Program``): what it declares, what its calls lead to and write."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from crashwright.symbolic.execution.callees import Callees
from crashwright.symbolic.execution.declarations import Declarations
from crashwright.symbolic.ir.nodes import Call, Constant, Definition, Function, Global, Kind, Local, Node, Operand
from crashwright.symbolic.semantics.matching import LookingMatch, found_by
from crashwright.symbolic.semantics.program import Target, Types
from crashwright.symbolic.semantics.tables import written_by


class SourceProgram(Declarations):
    """Files by module. What stands in no file of these is not known."""

    def __init__(self, sources: Mapping[str, str], version: tuple[int, int]) -> None:
        """Raises SyntaxError and ValueError for a text that is no Python source here."""
        super().__init__(sources, version)
        self._callees = Callees(self, self._written_at, self._called_at)
        self._written: dict[int, frozenset[str]] = {}
        self._under_way: set[int] = set()
        self._targets: dict[tuple[int, int], tuple[Target, ...]] = {}
        self._handed: dict[tuple[int, int], tuple[Function, ...]] = {}

    def likely(self, function: Function, node: Node, operand: Operand) -> Types:
        """Types by what the function does with a value too; what regular expressions find is subscripted like many things."""
        is_found = not isinstance(operand, Constant) and found_by(LookingMatch(function, self), operand)
        return frozenset() if is_found else super().likely(function, node, operand)

    def targets(self, function: Function, node: Node) -> tuple[Target, ...]:
        """What a CALL may lead to; nothing where that is not known, or cannot be walked into. Of an ATTRIBUTE, the functions of
        properties, which write nothing."""
        key = id(function), node.number
        if key not in self._targets:
            self._targets[key] = ()  # of what is being asked for
            if isinstance(node.detail, Call):
                self._targets[key] = tuple(self._callees.of(function, node))
            elif node.kind is Kind.ATTRIBUTE:
                found = self._callees.of_property(function, node)
                writes = any(self.heap_written(one.function) for one in found if one.function is not None)
                self._targets[key] = () if writes else tuple(found)
        return self._targets[key]

    def handed(self, function: Function, node: Node) -> tuple[Function, ...]:
        """Functions that a CALL hands to what it calls: by their names, as methods of what has one, or made there."""
        key = id(function), node.number
        if key not in self._handed:
            self._handed[key] = tuple([found for one in node.operands for found in self._passed(function, one)])
        return self._handed[key]

    def _passed(self, function: Function, operand: Operand) -> Iterator[Function]:
        if isinstance(operand, Global):
            yield from self._named(function.module, operand.name)
        for maker in function.nodes if isinstance(operand, Local) else ():
            if maker.target != operand:
                continue
            if maker.kind is Kind.ATTRIBUTE:
                methods = [self.method(owner, str(maker.detail)) for owner in self.having(str(maker.detail))]
                yield from (one for one in methods if one is not None)
            elif maker.kind is Kind.FUNCTION and isinstance(maker.detail, Definition):
                made = self.defined(function.module, maker.detail.qualname, maker.detail.first_line)
                yield from () if made is None else (made,)
            elif maker.kind is Kind.LOAD and isinstance(maker.operands[0], Global):
                yield from self._named(function.module, maker.operands[0].name)

    def _named(self, module: str, name: str) -> Iterator[Function]:
        address = self.named(module, name)
        found = self.function(address) if address is not None and not self.is_class(address) else None
        yield from () if found is None else (found,)

    def heap_written(self, function: Function) -> frozenset[str]:
        """Arrays that a function, or what it calls, may write."""
        if id(function) not in self._written:
            self._written[id(function)] = frozenset()  # of a recursion, nothing more than of the call
            self._under_way.add(id(function))
            found: set[str] = set()
            for node in function.nodes:
                found.update(written_by(self, function, node))
                found.update(*[self.heap_written(one) for one in self._called_at(function, node)])
            self._under_way.discard(id(function))
            self._written[id(function)] = frozenset(found)
        return self._written[id(function)]

    def _called_at(self, function: Function, node: Node) -> list[Function]:
        return [one.function for one in self.targets(function, node) if one.function is not None]

    def _written_at(self, function: Function, node: Node) -> frozenset[str]:
        """By an instruction and what it calls; anything where that is being found out."""
        called = self._called_at(function, node)
        if any(id(one) in self._under_way and one is not function for one in called):
            return frozenset({"*"})
        return frozenset(written_by(self, function, node)).union(*[self.heap_written(one) for one in called])
