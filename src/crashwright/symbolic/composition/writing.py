"""A plan and a model as statements of a test: literals where they are used, objects in the order in which they are made."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from crashwright.core.terms import Op, Sort, Term
from crashwright.engine.subject.api.callee import Callee, CalleeKind, ParameterKind
from crashwright.engine.subject.api.callee import Parameter as CalleeParameter
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.testcase import TestCase
from crashwright.symbolic.composition.drafts import ComposedDraft
from crashwright.symbolic.composition.echoed import EchoedNames, EchoWriter
from crashwright.symbolic.composition.entrances import Entrance, EntranceShape
from crashwright.symbolic.composition.fillers import USUAL, filling, usual_of
from crashwright.symbolic.composition.found import KINDS, FoundObject, Held, Model, is_nobodys
from crashwright.symbolic.composition.makers import MakingWay, WrittenForm
from crashwright.symbolic.composition.shown import CallAsShown
from crashwright.symbolic.ir.nodes import Parameter
from crashwright.symbolic.values import literals

MOST_ITEMS: Final = 40
_KINDS: Final = {
    "positional only": ParameterKind.POSITIONAL_ONLY,
    "either": ParameterKind.POSITIONAL_OR_KEYWORD,
    "keyword only": ParameterKind.KEYWORD_ONLY,
    "*": ParameterKind.VAR_POSITIONAL,
    "**": ParameterKind.VAR_KEYWORD,
}


class PlannedStatement(NamedTuple):
    """A statement: ``object`` is the value of what it makes or changes; ``arguments`` by parameter."""

    way: MakingWay
    object: Term
    arguments: Mapping[str, Term]


class Unwritable(Exception):
    """The model is none that a test can bring about; ``term`` is what would have to be another value."""


class WrittenLine(NamedTuple):
    """What the caller's line shows of the call (None: nothing), and what the names in it mean; ``told``: constants that the report
    shows; ``words``: texts of the functions that crashed."""

    shown: CallAsShown | None
    names: EchoedNames
    told: tuple[st.Scalar, ...] = ()
    words: tuple[st.Scalar, ...] = ()


class Writer:
    """Of one test. ``asked``: terms that the conditions speak of. Nothing is known to matter of the others, which may be for want
    of knowledge: those ``called`` are functions, and ``variant`` says which of the usual values they get. Afterwards ``variants``
    says how many there are. ``replaced``: what is passed instead of what the model says. ``line``: the call is written as there."""

    def __init__(
        self,
        model: Model,
        asked: frozenset[Term],
        called: frozenset[str],
        variant: int = 0,
        replaced: Mapping[Term, st.Scalar] | None = None,
        line: WrittenLine | None = None,
    ) -> None:
        self.variants = 1
        self._model = model
        self._asked = asked
        self._called = called
        self._replaced = replaced or {}
        self._variant = variant
        self._line = line
        self._draft = ComposedDraft()
        self._statements = self._draft.statements
        self._made: dict[int, st.Variable] = {}
        self._under_way: set[int] = set()
        self._open: dict[str, int] = {}

    def test(self, plan: Sequence[PlannedStatement], entrance: Entrance, address: str, values: Mapping[str, Term]) -> TestCase:
        """The whole test. ``plan``: the first statement first; ``address``: the class of the receiver. Raises Unwritable."""
        for one in plan:
            self._planned(one)
        self._enter(entrance, address, values)
        return TestCase(tuple(self._statements))

    def _planned(self, one: PlannedStatement) -> None:
        way = one.way
        module, _, qualname = way.name.partition(":")
        number = self._number(one.object)
        if way.form is WrittenForm.MEMBER:
            variable = self._draft.fresh()
            self._statements.append(st.Reference(variable, st.Named(module, qualname)))
            self._made[number] = variable
        elif way.form in (WrittenForm.CONSTRUCTOR, WrittenForm.NAMESPACE):
            callee = Callee(module, qualname, CalleeKind.CLASS, _parameters(way.parameters))
            arguments = self._arguments(way.parameters, one.arguments)
            self._made[number] = self._draft.fresh()
            self._statements.append(st.Call(self._made[number], callee, arguments))
        elif way.form is WrittenForm.FACTORY:
            function = way.function
            assert function is not None
            kind = CalleeKind.FUNCTION if function.class_name is None else CalleeKind.STATIC
            kind = CalleeKind.CLASSMETHOD if len(way.parameters) < len(function.parameters) else kind
            arguments = self._arguments(way.parameters, one.arguments)
            self._made[number] = self._draft.fresh()
            self._statements.append(
                st.Call(self._made[number], Callee(module, qualname, kind, _parameters(way.parameters)), arguments)
            )
        elif way.form in (WrittenForm.APPEND, WrittenForm.STORE):
            self._filled_attribute(one, self._object(number))
        elif way.form is WrittenForm.METHOD:
            arguments = self._arguments(way.parameters, one.arguments)
            self._statements.append(st.MethodCall(self._draft.fresh(), self._object(number), way.name, arguments))
        else:
            if self._model.value(one.arguments["value"]) == literals.UNDEFINED:
                raise Unwritable
            value = self._variable(one.arguments["value"])
            self._statements.append(st.SetAttribute(self._object(number), way.name, value))

    def _filled_attribute(self, one: PlannedStatement, owner: st.Variable) -> None:
        value = self._variable(one.arguments["value"])
        key = self._variable(one.arguments["key"]) if one.way.form is WrittenForm.STORE else None
        held = self._draft.append(lambda variable: st.GetAttribute(variable, owner, one.way.name))
        if key is None:
            self._statements.append(st.MethodCall(self._draft.fresh(), held, "append", st.Arguments((value,))))
        else:
            self._statements.append(st.SetItem(held, key, value))

    def _enter(self, entrance: Entrance, address: str, values: Mapping[str, Term]) -> None:
        function, shape = entrance.function, entrance.shape
        name = function.qualname.rpartition(".")[2]
        parameters = _parameters(entrance.parameters)
        if shape is EntranceShape.PROPERTY:
            held = self._receiver(values[entrance.receiver])
            self._statements.append(st.GetAttribute(self._draft.fresh(), held, name))
            return
        receiver = self._receiver(values[entrance.receiver]) if shape is EntranceShape.METHOD else None
        arguments = (
            self._arguments(entrance.parameters, values) if self._call is None else self._shown(self._call, entrance, values)
        )
        if receiver is not None:
            owner_module, _, owner = address.partition(":")
            callee = Callee(owner_module, f"{owner}.{name}", CalleeKind.METHOD, parameters)
            self._statements.append(st.MethodCall(self._draft.fresh(), receiver, name, arguments, callee))
        else:
            kind, qualname = {
                EntranceShape.FUNCTION: (CalleeKind.FUNCTION, function.qualname),
                EntranceShape.STATIC: (CalleeKind.STATIC, function.qualname),
                EntranceShape.CLASS_METHOD: (CalleeKind.CLASSMETHOD, f"{address.partition(':')[2]}.{name}"),
                EntranceShape.CONSTRUCTOR: (CalleeKind.CLASS, address.partition(":")[2]),
            }[shape]
            self._statements.append(st.Call(self._draft.fresh(), Callee(entrance.module, qualname, kind, parameters), arguments))
        self._drive(function.kind)

    def _receiver(self, value: Term) -> st.Variable:
        """Whose method is called: as it is shown, where that is told."""
        shown = None if self._call is None else self._call.receiver
        return self._object(self._number(value)) if shown is None else self._echo.variable(shown)

    @property
    def _call(self) -> CallAsShown | None:
        return None if self._line is None else self._line.shown

    @property
    def _echo(self) -> EchoWriter:
        assert self._line is not None
        return EchoWriter(self._draft, self._line.names, lambda text: self._filled("", text))

    def _shown(self, shown: CallAsShown, entrance: Entrance, values: Mapping[str, Term]) -> st.Arguments:
        """The arguments that the line shows; those that it only names are what the model says."""
        by_name = {one.name: one for one in entrance.parameters}
        names = {id(expression): name for name, expression in shown.bound(entrance.parameters).items() if name in by_name}

        def held(node: ast.expr) -> st.Variable:
            name = names.get(id(node), "")
            return self._argument(by_name[name], values[name]) if name and self._is_open(node) else self._echo.variable(node)

        positional = tuple([held(one) for one in shown.arguments])
        return st.Arguments(positional, tuple([(name, held(one)) for name, one in shown.keywords]))

    def _is_open(self, node: ast.expr) -> bool:
        return self._line is not None and self._line.names.is_open(node)

    def _drive(self, kind: str) -> None:
        """What a generator or coroutine needs to run."""
        made = self._statements[-1][0]
        assert isinstance(made, int)
        if kind == "generator":
            self._statements.append(st.Iterate(self._draft.fresh(), made, "list", MOST_ITEMS))
        elif kind.startswith("async"):
            self._statements.append(st.Await(self._draft.fresh(), made, "await" if kind == "async" else "list"))

    # -- arguments

    def _arguments(self, parameters: Sequence[Parameter], values: Mapping[str, Term]) -> st.Arguments:
        positional: list[st.Variable] = []
        keywords: list[tuple[str, st.Variable]] = []
        in_order = True
        for one in parameters:
            term = values[one.name]
            if one.form in ("*", "**"):
                if term in self._asked:
                    self._spread(one.form, term, positional if in_order else [], keywords)
            elif self._is_default(one, term):
                in_order = in_order and one.form == "keyword only"
            elif in_order and one.form != "keyword only":
                positional.append(self._argument(one, term))
            else:
                keywords.append((one.name, self._argument(one, term)))
        return st.Arguments(tuple(positional), tuple(keywords))

    def _spread(self, form: str, term: Term, positional: list[st.Variable], keywords: list[tuple[str, st.Variable]]) -> None:
        found = self._model.found(term)
        if found is None or found.address not in KINDS:
            return
        held = self._model.held(found)
        if form == "*":
            positional += [self._draft.held(item) for item in self._items(held)]
            return
        for key, item in held.items.items():
            name = _plain(key)
            if isinstance(name, str) and name.isidentifier():
                keywords.append((name, self._variable(item)))

    def _is_default(self, one: Parameter, term: Term) -> bool:
        if one.default is None or term in self._replaced:
            return False
        if term not in self._asked:
            return True
        try:
            default = ast.literal_eval(one.default)
        except (ValueError, SyntaxError):
            return False
        found = self._model.found(term)
        if found is not None:
            if (found.number < 0 and found.number in self._made) or found.address not in KINDS:
                return False
            return not default and KINDS[found.address] == type(default).__name__ and not self._model.held(found).size
        value = self._model.value(term)
        if value is None or value == literals.UNDEFINED:
            return True
        return _is_plain(value) and st.same_value(_plain(value), default)

    def _argument(self, one: Parameter, term: Term) -> st.Variable:
        if term in self._asked:
            return self._variable(term)
        stem = one.annotation.partition("[")[0].strip().rpartition(".")[2].lower()
        if one.name in self._called:
            return self._stub()
        return self._filled(stem, one.name)

    def _filled(self, stem: str, name: str) -> st.Variable:
        """What nothing is known of. In each other variant things of other names are other values."""
        line = self._line
        usual = usual_of(stem) if line is None else filling(stem, line.told, line.words)
        if line is None:
            self.variants = max(self.variants, len(usual))
            return self._draft.held(usual[self._variant % len(usual)])
        place = self._open.setdefault(name, len(self._open)) if self._variant % 2 else 0
        self.variants = max(self.variants, 2 * len(usual))
        return self._draft.held(usual[(self._variant // 2 + place) % len(usual)])

    # -- values

    def _variable(self, term: Term) -> st.Variable:
        value = self._value(term)
        return self._draft.held(value)

    def _value(self, term: Term) -> st.Value:
        """As a literal, or a reference to a variable."""
        if term in self._replaced:
            return self._replaced[term]
        value = self._model.value(term)
        if value is None:
            raise Unwritable
        if value.op is Op.OF_CLASS:
            return st.Ref(self._class(str(value.args[0].payload)))
        found = self._model.found(term)
        if found is None:
            return None if value.op is Op.UNDEFINED else _plain(value)
        if found.number in self._made:
            return st.Ref(self._made[found.number])
        if found.address not in KINDS or found.number in self._under_way:
            raise Unwritable
        self._under_way.add(found.number)
        made = self._container(found)
        self._under_way.discard(found.number)
        return made

    def _container(self, found: FoundObject) -> st.Value:
        kind, held = KINDS[found.address], self._model.held(found)
        if kind == "dict":
            pairs = [(_plain(key), self._value(item)) for key, item in held.items.items()]
            more = self._others(held, len(pairs))
            return st.Display("dict", (*pairs, *[(key, None) for key in more]))
        if kind in ("set", "frozenset"):
            members = [_plain(key) for key in held.items]
            return st.Display(kind, (*members, *self._others(held, len(members))))
        items = tuple(self._items(held))
        if kind != "deque":
            return st.Display(kind, items)
        variable = self._draft.fresh()
        content = self._draft.held(st.Display("list", items))
        callee = Callee("collections", "deque", CalleeKind.CLASS, (CalleeParameter("iterable", ParameterKind.POSITIONAL_ONLY),))
        self._statements.append(st.Call(variable, callee, st.Arguments((content,))))
        return st.Ref(variable)

    def _items(self, held: Held) -> list[st.Value]:
        """Places that nobody asks for hold what is beside them."""
        if held.size > MOST_ITEMS:
            raise Unwritable
        known = {int(str(index.payload)): self._value(item) for index, item in held.items.items()}
        other = next((one for one in known.values() if not isinstance(one, (st.Ref, st.Display)) and one is not None), 0)
        return [known.get(place, other) for place in range(held.size)]

    def _others(self, held: Held, count: int) -> list[str]:
        """Keys that make up the size."""
        if held.size > MOST_ITEMS:
            raise Unwritable
        taken = {_plain(key) for key in (*held.items, *held.absent) if _is_plain(key)}
        fresh = [name for name in (f"key{number}" for number in range(held.size + len(taken))) if name not in taken]
        return fresh[: max(held.size - count, 0)]

    def _class(self, address: str) -> st.Variable:
        if is_nobodys(address):
            return self._stub()
        variable = self._draft.fresh()
        module, _, qualname = address.partition(":")
        self._statements.append(st.Reference(variable, st.Named(module, qualname)))
        return variable

    def _stub(self) -> st.Variable:
        """A function that takes anything, and returns one of the usual values."""
        usual = USUAL[""]
        self.variants = max(self.variants, len(usual))
        variable = self._draft.fresh()
        self._statements.append(st.StubCallable(variable, "*args, **kwargs", usual[self._variant % len(usual)]))
        return variable

    def _object(self, number: int) -> st.Variable:
        if number not in self._made:
            raise Unwritable
        return self._made[number]

    def _number(self, term: Term) -> int:
        found = self._model.found(term)
        if found is None:
            raise Unwritable
        return found.number


def _parameters(parameters: Sequence[Parameter]) -> tuple[CalleeParameter, ...]:
    return tuple([CalleeParameter(one.name, _KINDS[one.form], required=one.default is None) for one in parameters])


def _is_plain(value: Term) -> bool:
    return value == literals.NONE or (bool(value.args) and value.args[0].op is Op.LITERAL)


def _plain(value: Term) -> st.Scalar:
    """The constant that a value is."""
    if value == literals.NONE:
        return None
    if not _is_plain(value) or value.args[0].sort in (Sort.REFERENCE, Sort.CLASS):
        raise Unwritable
    payload = value.args[0].payload
    assert not isinstance(payload, tuple)
    return payload
