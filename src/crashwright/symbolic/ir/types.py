"""Cheap static types of operands (STAR, section 3, what the source says): annotations, literals, flow within the function, fields
as the union of what is assigned to them, ``isinstance`` and ``is None`` branches.

A set of names that contains ``UNKNOWN`` says nothing for sure. What is said is what the source says: an annotation that lies makes
a type that is wrong, as it does for every reader. Both classes stand in one module because each asks the other: what a function
returns and what fields hold, and where that is assigned.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from crashwright.symbolic.ir.declared import Class, Method
from crashwright.symbolic.ir.file_classes import FileClasses
from crashwright.symbolic.ir.functions import Functions
from crashwright.symbolic.ir.narrowing import Narrowing, is_temporary
from crashwright.symbolic.ir.nodes import (
    Binary,
    Call,
    Caught,
    Constant,
    Display,
    Function,
    Global,
    Imported,
    Kind,
    Local,
    MethodCallee,
    NamedCallee,
    Node,
    Operand,
    Parameter,
    Place,
    Way,
)
from crashwright.symbolic.ir.type_names import (
    ANYTHING,
    BUILTIN,
    FUNCTION_RESULTS,
    NONE,
    UNKNOWN,
    Types,
    annotated,
    constant_type,
    element_of,
    method_result,
    of_display,
    of_operator,
    of_sign,
    stem,
    value_of,
    with_part,
)
from crashwright.symbolic.ir.uses import FunctionUses

_DEPTH = 3
_ROUNDS = 4
_SLICED_TO_SAME = frozenset({"str", "bytes", "bytearray", "list", "range"})
_FIXED = {
    Kind.FORMAT: frozenset({"str"}),
    Kind.TEXT: frozenset({"str"}),
    Kind.COMPARE: frozenset({"bool"}),
    Kind.MORE: frozenset({"bool"}),
    Kind.FUNCTION: frozenset({"function"}),
    Kind.CLASS: frozenset({"type"}),
}


class TypesOfFile:
    """What the functions of a file say of types. ``having``: the classes of the program that have an attribute of a name.
    ``_under_way``: fields and functions that are being asked for, which say nothing of themselves."""

    def __init__(self, functions: Functions, having: Callable[[str], tuple[str, ...]] = lambda _: ()) -> None:
        self.functions = functions
        self.classes = FileClasses(functions)
        self._having = having
        self._made: dict[int, TypesOfFunction] = {}
        self._likely: dict[int, TypesOfFunction] = {}
        self._fields: dict[tuple[str, str], Types] = {}
        self._returned: dict[tuple[str, int], Types] = {}
        self._under_way: set[object] = set()

    def of_function(self, function: Function) -> TypesOfFunction:
        if id(function) not in self._made:
            self._made[id(function)] = TypesOfFunction(self, function)
        return self._made[id(function)]

    def likely_of_function(self, function: Function) -> TypesOfFunction:
        """Types that are not known for sure too: those that the uses of a value speak for (``uses``)."""
        if id(function) not in self._likely:
            uses = FunctionUses(function, self._having, self.of_function(function).of)
            self._likely[id(function)] = TypesOfFunction(self, function, uses)
        return self._likely[id(function)]

    def field(self, cls: Class, name: str) -> Types:
        """What an attribute of an object of a class may be: all that is assigned to it in the file."""
        key = cls.key.qualname, name
        if key not in self._fields:
            if key in self._under_way:
                return ANYTHING
            self._under_way.add(key)
            self._fields[key] = self._field(cls, name)
            self._under_way.discard(key)
        return self._fields[key]

    def _field(self, cls: Class, name: str) -> Types:
        found: set[str] = set()
        for one in self.classes.bases_of(cls):
            if one is None:
                found.add(UNKNOWN)
                continue
            if name in one.methods:
                method = one.methods[name]
                return self.returned(method) if method.form == "property" else frozenset({"method"})
            annotations = [assigned.annotation for assigned in one.fields.get(name, ()) if assigned.annotation]
            attribute = one.attributes.get(name)
            if attribute is not None and attribute.annotation:
                annotations.append(attribute.annotation)
            if annotations:
                return frozenset().union(*[annotated(text, self.classes.resolve) for text in annotations])
            if attribute is not None:
                found.add(constant_type(attribute.constant.value) if attribute.constant is not None else UNKNOWN)
            for assigned in one.fields.get(name, ()):
                found |= self._assigned(assigned.method.qualname, assigned.method.first_line, name)
        return frozenset(found) or ANYTHING

    def _assigned(self, qualname: str, first_line: int, name: str) -> Types:
        function = self.functions.function(qualname, first_line)
        if function is None or not function.parameters:
            return ANYTHING
        types = self.of_function(function)
        found: set[str] = set()
        for node in function.nodes:
            if node.kind is Kind.SET_ATTRIBUTE and node.detail == name:
                owner = node.operands[0]
                if not isinstance(owner, Constant) and owner.name == function.parameters[0].name:
                    found |= types.of(node.number, node.operands[1])
        return frozenset(found)

    def returned(self, method: Method) -> Types:
        function = self.functions.function(method.key.qualname, method.key.first_line)
        return ANYTHING if function is None else self.result(function)

    def result(self, function: Function) -> Types:
        """What a call of a function gives: its return annotation, else what it returns."""
        if function.kind in ("generator", "async", "async generator"):
            return frozenset({"coroutine" if function.kind == "async" else function.kind.replace(" ", "_")})
        if function.return_annotation:
            return annotated(function.return_annotation, self.classes.resolve)
        key = function.qualname, function.first_line
        if key not in self._returned:
            if key in self._under_way or len(self._under_way) > _DEPTH:
                return ANYTHING
            self._under_way.add(key)
            types = self.of_function(function)
            values = [types.of(number, function.nodes[number].operands[0]) for number in function.returns]
            self._returned[key] = frozenset().union(*values)
            self._under_way.discard(key)
        return self._returned[key]


class TypesOfFunction:
    """Types of the operands of one function, at each of its nodes; with ``uses``, likely ones where none are known."""

    def __init__(self, file: TypesOfFile, function: Function, uses: FunctionUses | None = None) -> None:
        self._file = file
        self._function = function
        self._uses = uses
        self._temporaries: dict[Place, Types] = {}
        self._classes = file.classes
        self._narrowing = Narrowing(file.classes, function)
        self._before: list[Mapping[Place, Types]] = []
        self._after: list[Mapping[Place, Types] | None] = [None] * len(function.nodes)
        self._flow()

    def of(self, number: int, operand: Operand) -> Types:
        """What an operand of a node may be; at the entry, what a parameter may be that it takes."""
        state = self._before[number] if number else self._after[0]
        return self._of(state or {}, operand)

    def _of(self, state: Mapping[Place, Types], operand: Operand) -> Types:
        if isinstance(operand, Constant):
            return frozenset({constant_type(operand.value)})
        if is_temporary(operand):
            return self._temporaries.get(operand, ANYTHING)
        if isinstance(operand, Global):
            return self._global(operand.name)
        return state[operand] if operand in state else self._guessed(operand, 0, ANYTHING)

    def _guessed(self, place: Place, defined: int, types: Types) -> Types:
        """What the uses of a value speak for, where nothing better is known."""
        if self._uses is None or UNKNOWN not in types:
            return types
        likely = self._uses.of(place, defined)
        return types if UNKNOWN in likely else (types - ANYTHING) | likely

    def _global(self, name: str) -> Types:
        known = self._file.functions.globals
        if name in known.constants:
            return frozenset({constant_type(known.constants[name].value)})
        if name in known.functions:
            return frozenset({"function"})
        if name in known.classes:
            return frozenset({"type"})
        imported = known.imports.get(name)
        return frozenset({"module"}) if imported is not None and not imported.name else ANYTHING

    def _flow(self) -> None:
        nodes = self._function.nodes
        self._before = [{} for _ in nodes]
        for _round in range(_ROUNDS):
            changed = False
            for node in nodes:
                before = self._joined(node)
                self._before[node.number] = before
                after = self._behind(node, before)
                if after != self._after[node.number]:
                    self._after[node.number] = after
                    changed = True
            if not changed:
                return
        self._before = [{} for _ in nodes]
        self._temporaries.clear()

    def _joined(self, node: Node) -> Mapping[Place, Types]:
        states = [
            state
            for edge in node.before
            if (state := self._after[edge.node] if edge.way is Way.NORMAL else self._before[edge.node]) is not None
        ]
        if len(states) <= 1:
            return states[0] if states else {}
        first, *others = states
        return {
            place: types if all(state.get(place) == types for state in others) else types.union(*[one[place] for one in others])
            for place, types in first.items()
            if all(place in state for state in others)
        }

    def _behind(self, node: Node, before: Mapping[Place, Types]) -> Mapping[Place, Types]:
        if node.kind is Kind.ENTRY:
            return self._entry()
        if node.kind is Kind.ASSUME:
            return self._narrowing.narrowed(node, before)
        if node.target is None:
            return before
        if node.kind is Kind.DELETE:
            return {place: types for place, types in before.items() if place != node.target}
        types = self._guessed(node.target, node.number, self._made(node, before))
        if is_temporary(node.target):
            if node.kind is Kind.COPY:
                types |= self._temporaries.get(node.target, frozenset())
            self._temporaries[node.target] = types
            return before
        return {**before, node.target: types} if isinstance(node.target, Local) else before

    def _entry(self) -> dict[Place, Types]:
        return {
            Local(one.name): self._guessed(Local(one.name), 0, self._parameter(one, place))
            for place, one in enumerate(self._function.parameters)
        }

    def _parameter(self, one: Parameter, place: int) -> Types:
        if one.form in ("*", "**"):
            return frozenset({"tuple" if one.form == "*" else "dict"})
        cls = self._file.functions.classes.get(self._function.class_name or "")
        if cls is not None and place == 0:
            method = cls.methods.get(self._function.qualname.rpartition(".")[2])
            form = "method" if method is None else method.form
            if form != "static":
                return frozenset({"type"} if form == "class" else {f"{cls.key.module}:{cls.key.qualname}"})
        types = annotated(one.annotation, self._classes.resolve)
        return types | {NONE} if one.default == "None" else types

    def _made(self, node: Node, before: Mapping[Place, Types]) -> Types:
        """What the target of an instruction is."""
        operands = [self._of(before, operand) for operand in node.operands]
        kind = node.kind
        if kind in _FIXED:
            return _FIXED[kind]
        if kind in (Kind.COPY, Kind.LOAD):
            return operands[0]
        if kind is Kind.ATTRIBUTE:
            return _each(operands[0], lambda one: self._attribute(one, str(node.detail)))
        if kind is Kind.INDEX:
            return _each(operands[0], value_of)
        if kind is Kind.SLICE:
            return _each(operands[0], lambda one: frozenset({one}) if stem(one) in _SLICED_TO_SAME else ANYTHING)
        if kind is Kind.UNARY:
            return frozenset({"bool"}) if node.detail == "not" else _each(operands[0], of_sign)
        if kind is Kind.BINARY and isinstance(node.detail, Binary):
            return of_operator(node.detail.operator, operands[0], operands[1])
        if kind is Kind.DISPLAY and isinstance(node.detail, Display):
            return of_display(node.detail.kind, bool(node.detail.starred), operands)
        if kind is Kind.ITERATE:
            return _each(operands[0], lambda one: frozenset({with_part("iterator", element_of(one))}))
        if kind is Kind.NEXT:
            return _each(operands[0], element_of)
        if kind is Kind.UNPACK:
            return operands[0]
        if kind is Kind.ELEMENT:
            place = node.detail
            return _each(operands[0], lambda one: element_of(one, place)) if isinstance(place, int) else frozenset({"list"})
        if kind is Kind.IMPORT and isinstance(node.detail, Imported):
            return ANYTHING if node.detail.name else frozenset({"module"})
        if kind is Kind.HANDLER and isinstance(node.detail, Caught):
            return frozenset([self._classes.resolve(text) or text for text in node.detail.types]) or frozenset({"BaseException"})
        return self._called(node, before) if kind is Kind.CALL and isinstance(node.detail, Call) else ANYTHING

    def _attribute(self, receiver: str, name: str) -> Types:
        cls = self._classes.class_of(receiver)
        return ANYTHING if cls is None else self._file.field(cls, name)

    def _called(self, node: Node, before: Mapping[Place, Types]) -> Types:
        assert isinstance(node.detail, Call)
        callee = node.detail.callee
        if isinstance(callee, MethodCallee):
            receivers = self._of(before, node.operands[0])
            return _each(receivers, lambda one: self._method(one, callee.name, callee.by_super))
        if not isinstance(callee, NamedCallee) or not isinstance(callee.start, Global):
            return ANYTHING
        return self._named(callee.text)

    def _named(self, text: str) -> Types:
        known = self._file.functions.globals
        if text in self._file.functions.classes:
            return frozenset({self._classes.resolve(text) or UNKNOWN})
        if text in known.functions:
            key = known.functions[text]
            function = self._file.functions.function(key.qualname, key.first_line)
            return ANYTHING if function is None or function.decorators else self._file.result(function)
        if text in known.imports or text in known.variables or "." in text:
            return ANYTHING
        if text in FUNCTION_RESULTS:
            return frozenset({FUNCTION_RESULTS[text]})
        return frozenset({text}) if text in BUILTIN else ANYTHING

    def _method(self, receiver: str, name: str, by_super: bool) -> Types:
        cls = self._classes.class_of(receiver)
        if cls is None:
            return method_result(receiver, name)
        method = None if by_super else self._classes.method(cls, name)
        if method is None or [one for one in method.decorators if one not in ("staticmethod", "classmethod", "abstractmethod")]:
            return ANYTHING
        return self._file.returned(method)


def _each(types: Types, of: Callable[[str], Types]) -> Types:
    """The union over what something may be; what is unknown stays so. None has nothing of what is asked here: it failed."""
    if len(types) > 1:
        types = types - {NONE}
    return frozenset().union(*[ANYTHING if one == UNKNOWN else of(one) for one in types]) if types else ANYTHING
