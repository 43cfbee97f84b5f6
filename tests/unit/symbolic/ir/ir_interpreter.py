"""Runs lowered functions forward on real values, to compare them with CPython running the same source.

Nothing is shared with what walks functions backward: this is the meaning of the instructions, told a second time.
"""

from __future__ import annotations

import builtins
import importlib
import inspect
import operator
import types
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

from crashwright.core.location import Position
from crashwright.symbolic.ir.functions import Functions
from crashwright.symbolic.ir.nodes import (
    Binary,
    Call,
    Caught,
    Cell,
    Constant,
    Definition,
    Display,
    Edge,
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
    Pattern,
    Place,
    Unpacked,
    Way,
)

_FORMS = {
    "positional only": inspect.Parameter.POSITIONAL_ONLY,
    "either": inspect.Parameter.POSITIONAL_OR_KEYWORD,
    "keyword only": inspect.Parameter.KEYWORD_ONLY,
    "*": inspect.Parameter.VAR_POSITIONAL,
    "**": inspect.Parameter.VAR_KEYWORD,
}
_NEW = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv, "%": operator.mod,
    "**": operator.pow, "@": operator.matmul, "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift,
    ">>": operator.rshift,
}  # fmt: skip
_IN_PLACE = {
    "+": operator.iadd, "-": operator.isub, "*": operator.imul, "/": operator.itruediv, "//": operator.ifloordiv,
    "%": operator.imod, "**": operator.ipow, "@": operator.imatmul, "&": operator.iand, "|": operator.ior, "^": operator.ixor,
    "<<": operator.ilshift, ">>": operator.irshift,
}  # fmt: skip
_UNARY = {"+": operator.pos, "-": operator.neg, "~": operator.invert, "not": operator.not_}
_COMPARE = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "is": operator.is_, "is not": operator.is_not, "in": lambda a, b: a in b, "not in": lambda a, b: a not in b,
}  # fmt: skip
_MATCH_SELF = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)


class OpaqueReachedError(Exception):
    """The run came to what is not modelled."""


class Ahead:
    """An iterator that can be asked whether it has one more."""

    def __init__(self, iterator: Any) -> None:
        self._iterator = iterator
        self._next: list[Any] = []

    def more(self) -> bool:
        try:
            self._next = [next(self._iterator)]
        except StopIteration:
            return False
        return True

    def take(self) -> Any:
        return self._next.pop()


class Interpreter:
    """Runs the functions of one file over the globals of the module that it is."""

    def __init__(
        self,
        functions: Functions,
        namespace: dict[str, Any],
        observe: Callable[[Function, Node, list[Any]], None] = lambda _function, _node, _values: None,
    ) -> None:
        self.functions = functions
        self.namespace = namespace
        self.observe = observe
        self.raised_at: Position | None = None
        """Where the last call that ended in an exception raised it."""
        every = [functions.function(key.qualname, key.first_line) for key in functions.keys]
        nodes = [node for function in every if function is not None for node in function.nodes]
        self.cells = {place for node in nodes for place in (node.target, *node.operands) if isinstance(place, Cell)}

    def callable(
        self, function: Function, about: Frame | None = None, defaults: Mapping[str, Any] | None = None
    ) -> Callable[..., Any]:
        """A function of the file as something to call."""
        signature = _signature(function.parameters, defaults or {})

        def call(*args: Any, **keywords: Any) -> Any:
            bound = signature.bind(*args, **keywords)
            bound.apply_defaults()
            frame = Frame(self, function, about)
            for name, value in bound.arguments.items():
                frame.write(frame.parameter(name), value)
            return frame.start()

        call.__name__ = function.qualname.rpartition(".")[2]
        call.__qualname__ = function.qualname
        return call


def _signature(parameters: Sequence[Parameter], defaults: Mapping[str, Any]) -> inspect.Signature:
    return inspect.Signature(
        [
            inspect.Parameter(one.name, _FORMS[one.form], default=defaults.get(one.name, inspect.Parameter.empty))
            for one in parameters
        ]
    )


def _told(error: BaseException) -> BaseException:
    """What was raised, where the generators that run instructions made something else of it."""
    is_ours = isinstance(error.__cause__, StopIteration) and error.args == ("generator raised StopIteration",)
    return error.__cause__ if is_ours and error.__cause__ is not None else error


class Frame:
    """One run of a function."""

    def __init__(self, interpreter: Interpreter, function: Function, about: Frame | None) -> None:
        self.interpreter = interpreter
        self.function = function
        self.about = about
        self.values: dict[str, Any] = {}
        self.cells: dict[Cell, Any] = {}
        self._origins: dict[int, tuple[BaseException, Position | None]] = {}
        self._after: dict[int, list[Edge]] = {}
        for node in function.nodes:
            for edge in node.before:
                self._after.setdefault(edge.node, []).append(Edge(node.number, edge.way))

    def parameter(self, name: str) -> Place:
        cell = Cell(name, self.function.qualname)
        return cell if cell in self.interpreter.cells else Local(name)

    # Running
    def start(self) -> Any:
        steps = self._steps()
        if any(node.kind is Kind.YIELD for node in self.function.nodes):
            return steps
        if self.function.kind == "async":
            return types.coroutine(lambda: (yield from steps))()
        try:
            next(steps)
        except StopIteration as stop:
            return stop.value
        except RuntimeError as error:
            raise _told(error) from None
        raise AssertionError("a function that is no generator yields")

    def _steps(self) -> Generator[Any, Any, Any]:
        node = self.function.nodes[0]
        while True:
            if node.kind is Kind.RETURN:
                return self.read(node.operands[0])
            try:
                result = yield from self._run(node)
            except BaseException as error:
                if isinstance(error, (OpaqueReachedError, AssertionError)) and "yields" in str(error):
                    raise
                error = _told(error)
                node = self._handler(node, error)
                self.write(node.target, error)
            else:
                if node.target is not None and node.kind not in (Kind.HANDLER, Kind.DELETE):
                    self.write(node.target, result)
            node = self._next(node)

    def _next(self, node: Node) -> Node:
        while True:
            after = [self.function.nodes[edge.node] for edge in self._after.get(node.number, []) if edge.way is Way.NORMAL]
            if len(after) == 1:
                return after[0]
            assert [one.kind for one in after] == [Kind.ASSUME] * 2, (node, after)
            try:
                truth = bool(self.read(after[0].operands[0]))
            except BaseException as error:  # noqa: BLE001 - whatever the subject raises
                node = self._handler(after[0], error)
                self.write(node.target, error)
                continue
            return next(one for one in after if one.detail is truth)

    def _handler(self, node: Node, error: BaseException) -> Node:
        """The handler of an exception that an instruction raised; raises it where there is none."""
        if not (node.kind is Kind.RAISE and node.detail == "" and id(error) in self._origins):
            self._origins[id(error)] = error, node.position
        fitting = [
            one
            for edge in self._after.get(node.number, [])
            if edge.way is Way.RAISED and self._fits(one := self.function.nodes[edge.node], error)
        ]
        assert len(fitting) <= 1, fitting
        if not fitting:
            self.interpreter.raised_at = self._origins[id(error)][1]
            raise error
        return fitting[0]

    def _fits(self, handler: Node, error: BaseException) -> bool:
        assert isinstance(handler.detail, Caught)
        types_ = tuple(map(self._type, handler.detail.types)) or BaseException
        return isinstance(error, types_) and not isinstance(error, tuple(map(self._type, handler.detail.besides)))

    def _type(self, text: str) -> Any:
        return eval(text, self.interpreter.namespace, self.values)

    # Variables
    def read(self, operand: Operand | None) -> Any:
        if isinstance(operand, Constant):
            return operand.value
        if isinstance(operand, Local):
            if operand.name not in self.values:
                raise UnboundLocalError(operand.name)
            return self.values[operand.name]
        if isinstance(operand, Cell):
            cells = self._cells(operand)
            if operand not in cells:
                raise (UnboundLocalError if cells is self.cells else NameError)(operand.name)
            return cells[operand]
        assert isinstance(operand, Global)
        if operand.name in self.interpreter.namespace:
            return self.interpreter.namespace[operand.name]
        if hasattr(builtins, operand.name):
            return getattr(builtins, operand.name)
        raise NameError(operand.name)

    def write(self, place: Place | None, value: Any) -> None:
        if isinstance(place, Local):
            self.values[place.name] = value
        elif isinstance(place, Cell):
            self._cells(place)[place] = value
        elif place is not None:
            self.interpreter.namespace[place.name] = value

    def _cells(self, place: Cell) -> dict[Cell, Any]:
        """Those of the run that owns a cell."""
        holder = self.interpreter.functions.holder(place.owner)
        frame: Frame | None = self
        while frame is not None:
            if holder is not None and frame.function.qualname == holder.qualname:
                return frame.cells
            frame = frame.about
        if place.name == "__class__":
            found: Any = self.interpreter.namespace
            first, *others = place.owner.split(".")
            found = found[first]
            for name in others:
                found = getattr(found, name)
            return {place: found}
        raise AssertionError(place)

    def _delete(self, place: Place | None) -> None:
        self.read(place)
        if isinstance(place, Local):
            del self.values[place.name]
        elif isinstance(place, Cell):
            del self._cells(place)[place]
        elif place is not None:
            del self.interpreter.namespace[place.name]

    # Instructions
    def _run(self, node: Node) -> Generator[Any, Any, Any]:
        if node.kind is Kind.AWAIT:
            return (yield from self.read(node.operands[0]).__await__())
        if node.kind is Kind.YIELD:
            value = self.read(node.operands[0])
            return (yield from value) if node.detail == "from" else (yield value)
        if node.kind in _PLAIN:
            values = [self.read(operand) for operand in node.operands]
            self.interpreter.observe(self.function, node, values)
            return _PLAIN[node.kind](self, node, values)
        return None

    def _raise(self, _node: Node, values: list[Any]) -> None:
        if not values:
            raise RuntimeError("No active exception to reraise")
        if _node.detail == "":
            raise values[0]
        if len(values) > 1:
            raise values[0] from values[1]
        raise values[0]

    def _call(self, node: Node, values: list[Any]) -> Any:
        assert isinstance(node.detail, Call)
        callee = node.detail.callee
        if isinstance(callee, NamedCallee):
            called = self.read(callee.start)
            for name in callee.text.split(".")[1:]:
                called = getattr(called, name)
        elif isinstance(callee, MethodCallee):
            receiver, *values = values
            if callee.by_super:
                owner = self.read(Cell("__class__", str(self.function.class_name)))
                receiver = super(owner, receiver)
            called = getattr(receiver, callee.name)
        else:
            called, *values = values
        args: list[Any] = []
        keywords: dict[str, Any] = {}
        for how, value in zip(node.detail.passed, values, strict=True):
            if how == "":
                args.append(value)
            elif how == "*":
                args.extend(value)
            elif how == "**":
                if not hasattr(value, "keys"):
                    raise TypeError("argument after ** must be a mapping")
                twice = set(keywords) & set(value.keys())
                if twice:
                    raise TypeError(f"got multiple values for {twice}")
                keywords.update({key: value[key] for key in value.keys()})  # noqa: SIM118 - a mapping has keys
            elif how in keywords:
                raise TypeError(f"got multiple values for {how}")
            else:
                keywords[how] = value
        return called(*args, **keywords)

    def _display(self, node: Node, values: list[Any]) -> Any:
        assert isinstance(node.detail, Display)
        if node.detail.kind == "generator":
            return iter(values[0])
        if node.detail.kind == "dict":
            made: dict[Any, Any] = {}
            for place in range(0, len(values), 2):
                if place in node.detail.starred and not hasattr(values[place], "keys"):
                    raise TypeError("is not a mapping")
                made.update(values[place] if place in node.detail.starred else {values[place]: values[place + 1]})
            return made
        items: list[Any] = []
        for place, value in enumerate(values):
            items.extend(value if place in node.detail.starred else [value])
        return {"list": list, "tuple": tuple, "set": set}[node.detail.kind](items)

    def _unpack(self, node: Node, values: list[Any]) -> Any:
        assert isinstance(node.detail, Unpacked)
        parts = list(values[0]) if node.detail.starred else _some(values[0], node.detail.before + 1)
        fits = len(parts) >= node.detail.before + node.detail.behind if node.detail.starred else len(parts) == node.detail.before
        if not fits:
            raise ValueError("unpack")
        return parts

    def _element(self, node: Node, values: list[Any]) -> Any:
        if isinstance(node.detail, tuple):
            start, end = node.detail
            return list(values[0])[start : end or None]
        return values[0][node.detail]

    def _function(self, node: Node, values: list[Any]) -> Any:
        assert isinstance(node.detail, Definition)
        function = self.interpreter.functions.function(node.detail.qualname, node.detail.first_line)
        assert function is not None
        return self.interpreter.callable(function, self, dict(zip(node.detail.named, values, strict=True)))

    def _class(self, node: Node, values: list[Any]) -> Any:
        definition = node.detail
        assert isinstance(definition, Definition)
        body = self.interpreter.functions.function(definition.qualname, definition.first_line)
        assert body is not None
        frame = Frame(self.interpreter, body, self)

        def fill(namespace: dict[str, Any]) -> None:
            namespace.update(__module__=self.interpreter.namespace["__name__"], __qualname__=definition.qualname)
            frame.values = namespace
            frame.start()

        bases = tuple([value for how, value in zip(definition.named, values, strict=True) if how == ""])
        keywords = {how: value for how, value in zip(definition.named, values, strict=True) if how}
        made = types.new_class(definition.qualname.rpartition(".")[2], bases, keywords, fill)
        frame.cells[Cell("__class__", definition.qualname)] = made
        return made

    def _import(self, node: Node, _values: list[Any]) -> Any:
        imported = node.detail
        assert isinstance(imported, Imported)
        module = importlib.import_module(imported.module)
        if imported.name:
            try:
                return getattr(module, imported.name)
            except AttributeError as error:
                raise ImportError(imported.name) from error
        return importlib.import_module(imported.module.partition(".")[0]) if imported.top else module

    def _matched(self, node: Node, values: list[Any]) -> Any:
        pattern = node.detail
        assert isinstance(pattern, Pattern)
        subject, *others = values
        if pattern.form == "sequence":
            return _sequence(pattern, subject)
        if pattern.form == "mapping":
            if not isinstance(subject, Mapping) or any(key not in subject for key in others):
                return None
            rest = {key: value for key, value in subject.items() if key not in others}
            return [*[subject[key] for key in others], *([rest] if pattern.rest else [])]
        return _class_parts(pattern, subject, others[0])

    def _exit(self, _node: Node, values: list[Any]) -> Any:
        manager, *raised = values
        if not raised:
            return type(manager).__exit__(manager, None, None, None)
        return type(manager).__exit__(manager, type(raised[0]), raised[0], raised[0].__traceback__)


def _some(value: Any, count: int) -> list[Any]:
    parts = []
    for part in value:
        parts.append(part)
        if len(parts) == count:
            break
    return parts


def _sequence(pattern: Pattern, subject: Any) -> Any:
    if not isinstance(subject, Sequence) or isinstance(subject, (str, bytes, bytearray)):
        return None
    parts = list(subject)
    count = pattern.parts.before + pattern.parts.behind
    return parts if (len(parts) >= count if pattern.parts.starred else len(parts) == count) else None


def _class_parts(pattern: Pattern, subject: Any, wanted: Any) -> Any:
    if not isinstance(subject, wanted):
        return None
    parts = []
    try:
        if pattern.positional and wanted in _MATCH_SELF:
            parts.append(subject)
        elif pattern.positional:
            parts.extend([getattr(subject, name) for name in wanted.__match_args__[: pattern.positional]])
        parts.extend([getattr(subject, name) for name in pattern.names])
    except AttributeError:
        return None
    return parts


def _opaque(_frame: Frame, node: Node, _values: list[Any]) -> Any:
    raise OpaqueReachedError(node.detail)


def _binary(_frame: Frame, node: Node, values: list[Any]) -> Any:
    assert isinstance(node.detail, Binary)
    return (_IN_PLACE if node.detail.in_place else _NEW)[node.detail.operator](*values)


def _format(_frame: Frame, node: Node, values: list[Any]) -> str:
    value, *specification = values
    converted = {"": lambda one: one, "s": str, "r": repr, "a": ascii}[str(node.detail)](value)
    return format(converted, *specification)


_PLAIN: Mapping[Kind, Callable[[Frame, Node, list[Any]], Any]] = {
    Kind.COPY: lambda _frame, _node, values: values[0],
    Kind.LOAD: lambda _frame, _node, values: values[0],
    Kind.DELETE: lambda frame, node, _values: frame._delete(node.target),
    Kind.ATTRIBUTE: lambda _frame, node, values: getattr(values[0], str(node.detail)),
    Kind.SET_ATTRIBUTE: lambda _frame, node, values: setattr(values[0], str(node.detail), values[1]),
    Kind.DELETE_ATTRIBUTE: lambda _frame, node, values: delattr(values[0], str(node.detail)),
    Kind.METHOD: lambda _frame, node, values: getattr(values[0], str(node.detail)),
    Kind.INDEX: lambda _frame, _node, values: values[0][values[1]],
    Kind.SET_INDEX: lambda _frame, _node, values: operator.setitem(*values),
    Kind.DELETE_INDEX: lambda _frame, _node, values: operator.delitem(*values),
    Kind.SLICE: lambda _frame, _node, values: values[0][slice(*values[1:4])],
    Kind.SET_SLICE: lambda _frame, _node, values: operator.setitem(values[0], slice(*values[1:4]), values[4]),
    Kind.DELETE_SLICE: lambda _frame, _node, values: operator.delitem(values[0], slice(*values[1:4])),
    Kind.CALL: Frame._call,
    Kind.UNARY: lambda _frame, node, values: _UNARY[str(node.detail)](values[0]),
    Kind.BINARY: _binary,
    Kind.COMPARE: lambda _frame, node, values: _COMPARE[str(node.detail)](*values),
    Kind.DISPLAY: Frame._display,
    Kind.FORMAT: _format,
    Kind.TEXT: lambda _frame, _node, values: "".join(values),
    Kind.ITERATE: lambda _frame, _node, values: Ahead(iter(values[0])),
    Kind.MORE: lambda _frame, _node, values: values[0].more(),
    Kind.NEXT: lambda _frame, _node, values: values[0].take(),
    Kind.UNPACK: Frame._unpack,
    Kind.ELEMENT: Frame._element,
    Kind.FUNCTION: Frame._function,
    Kind.CLASS: Frame._class,
    Kind.IMPORT: Frame._import,
    Kind.ENTER: lambda _frame, _node, values: type(values[0]).__enter__(values[0]),
    Kind.EXIT: Frame._exit,
    Kind.MATCHED: Frame._matched,
    Kind.RAISE: Frame._raise,
    Kind.OPAQUE: _opaque,
}
