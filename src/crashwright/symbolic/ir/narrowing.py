"""What the tests in a function say of the types of its variables: ``x``, ``x is None``, ``isinstance(x, T)``."""

from __future__ import annotations

from collections.abc import Mapping

from crashwright.symbolic.ir.file_classes import FileClasses
from crashwright.symbolic.ir.nodes import Call, Constant, Function, Global, Kind, Local, NamedCallee, Node, Operand, Place
from crashwright.symbolic.ir.type_names import BUILTIN, NONE, Types, stem

TypesOfPlaces = Mapping[Place, Types]


class Narrowing:
    """Of one function."""

    def __init__(self, classes: FileClasses, function: Function) -> None:
        self._classes = classes
        self._function = function
        self._makers = {node.target: node for node in function.nodes if node.target is not None and is_temporary(node.target)}

    def narrowed(self, node: Node, before: TypesOfPlaces) -> TypesOfPlaces:
        """What holds behind a test, of what held ``before`` it."""
        tested = node.operands[0]
        holds = bool(node.detail)
        if isinstance(tested, Local) and not is_temporary(tested):
            return self._without_none(before, tested) if holds else before
        maker = self._makers.get(tested) if not isinstance(tested, Constant) else None
        if maker is None or not maker.operands:
            return before
        place = self._source(maker.operands[0])
        if not isinstance(place, Local) or place not in before or not self._is_unchanged(place, maker.number, node.number):
            return before
        if maker.kind is Kind.LOAD:
            return self._without_none(before, place) if holds else before
        if maker.kind is Kind.COMPARE and maker.operands[1] == Constant(None) and maker.detail in ("is", "is not"):
            is_none = holds == (maker.detail == "is")
            return {**before, place: frozenset({NONE})} if is_none else self._without_none(before, place)
        wanted = self._checked(maker)
        if wanted is None:
            return before
        known = frozenset([one for one in before[place] if stem(one) in wanted])
        if holds:
            return {**before, place: known | (wanted - frozenset(map(stem, known)))}
        rest = before[place] - known
        return {**before, place: rest} if rest else before

    def _source(self, operand: Operand) -> Operand:
        maker = self._makers.get(operand) if not isinstance(operand, Constant) else None
        return maker.operands[0] if maker is not None and maker.kind is Kind.LOAD else operand

    def _is_unchanged(self, place: Place, start: int, end: int) -> bool:
        return all(node.target != place for node in self._function.nodes[start:end])

    @staticmethod
    def _without_none(before: TypesOfPlaces, place: Place) -> TypesOfPlaces:
        types = before.get(place, frozenset()) - {NONE}
        return {**before, place: types} if types else before

    def _checked(self, maker: Node) -> Types | None:
        """The types of ``isinstance(x, T)``."""
        call = maker.detail
        if not (isinstance(call, Call) and isinstance(call.callee, NamedCallee) and call.callee.text == "isinstance"):
            return None
        if len(maker.operands) != 2:
            return None
        classes: tuple[Operand, ...] = (maker.operands[1],)
        display = self._makers.get(maker.operands[1]) if not isinstance(maker.operands[1], Constant) else None
        if display is not None and display.kind is Kind.DISPLAY:
            classes = display.operands
        names = [self._class_name(one) for one in classes]
        return None if None in names else frozenset([name for name in names if name is not None])

    def _class_name(self, operand: Operand) -> str | None:
        if not isinstance(operand, Global):
            return None
        return self._classes.resolve(operand.name) or (operand.name if operand.name in BUILTIN else None)


def is_temporary(operand: Operand) -> bool:
    """Lowering has made it: no variable of the source."""
    return isinstance(operand, Local) and operand.name.startswith("%")
