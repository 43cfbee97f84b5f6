"""From a precondition to tests, from the last statement to the first (STAR, section 5.2).

The call of the frame's function stands at the end, and its arguments are open. A model says which of them have to be objects; for
the first of these each way to make it is tried, which leaves the arguments of that way open. Where no constructor gives an object
the state that it has to have, the core of the contradiction names the attributes it is about, and what writes these is put behind
the constructor: methods first, then assignments. When only literals are open, the model is written down.

Deviation: the paper chooses methods by a static priority; the core of the solver says which can matter at all.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import Final

from crashwright.core.precondition import Precondition
from crashwright.core.terms import Sort, Term
from crashwright.engine.testcase.statements import Scalar
from crashwright.engine.testcase.testcase import TestCase
from crashwright.symbolic.composition.entrances import Entrance, EntranceShape, called
from crashwright.symbolic.composition.fillers import MOST
from crashwright.symbolic.composition.found import KINDS, FoundObject, Model, class_is, has_class, is_nobodys
from crashwright.symbolic.composition.goal import CompositionGoal, Heap
from crashwright.symbolic.composition.makers import NAMESPACE, MakingWay, WrittenForm, default_of, namespace
from crashwright.symbolic.composition.shown import CallAsShown
from crashwright.symbolic.composition.strategies import Choice, WantedObject
from crashwright.symbolic.composition.writing import PlannedStatement, Unwritable, Writer, WrittenLine
from crashwright.symbolic.execution.limits import Limits
from crashwright.symbolic.execution.sources import SourceProgram
from crashwright.symbolic.ir.nodes import Function, Local, Parameter
from crashwright.symbolic.solving.preferences import readable
from crashwright.symbolic.solving.solver import Solver
from crashwright.symbolic.values import literals, tags
from crashwright.symbolic.values.logic import and_, equal, not_, or_
from crashwright.symbolic.values.tags import Tag

MOST_STATEMENTS: Final = 8
"""Objects made and changed in one test."""
MOST_TESTS: Final = 10
"""Of one precondition."""
MOST_OTHERS: Final = 3
"""Arguments that are tried with another type."""
MOST_CLASSES: Final = 3
"""That an object of an unknown class may be."""
_MOST_APART: Final = 6
_CONTENTS: Final = ("elements", "mappings", "size")
_UNLIKELY: Final = (Tag.UNDEFINED, Tag.CLASS, Tag.REFERENCE, Tag.BYTES, Tag.NONE, Tag.TRUTH, Tag.REAL)
"""What nobody passes where something else will do."""


@dataclass(frozen=True, slots=True)
class _Open:
    """A point of the search: the heap before the statements that there are, what they take, and they themselves, last first."""

    heap: Heap
    roots: tuple[Term, ...]
    plan: tuple[PlannedStatement, ...] = ()

    @property
    def made(self) -> list[int]:
        """The objects that it makes."""
        made = [one.object.args[0].payload for one in self.plan if one.way.makes]
        return [one for one in made if isinstance(one, int)]

    def changes_of(self, value: Term) -> int:
        """How many statements change an object."""
        return sum(one.object == value for one in self.plan)


RESOURCES_A_SECOND: Final = 1_000_000
"""Of an idle core, about: where counts are bounds, they stand for the clock."""


class EnoughTests(Exception):
    """Of tests for a precondition."""


class Construction:
    """Of one precondition, for receivers of one class."""

    def __init__(
        self,
        program: SourceProgram,
        choice: Choice,
        limits: Limits,
        entered: Entrance,
        address: str,
        told: Callable[[TestCase], None],
        odd: Sequence[Scalar] = (),
        line: WrittenLine | None = None,
    ) -> None:
        """``line``: what the caller's line shows of the call."""
        self._odd = odd
        self._line = line
        self._most = MOST_TESTS if line is None else MOST
        self._program = program
        self._choice = choice
        self._limits = limits
        self._entered = entered
        self._address = address
        self._told = told
        self._seen: set[int] = set()
        self.contradicting: set[str] = set()
        """Attributes that the first object cannot have: what nothing that makes it brings about."""
        self._usual: dict[Term, list[Term]] = {}
        self._goal: CompositionGoal

    @property
    def count(self) -> int:
        """How many tests were told."""
        return len(self._seen)

    def run(self, precondition: Precondition, solver: Solver, relaxed: bool) -> None:
        """In a scope of the solver that the caller opened."""
        entered = self._entered
        if entered.receiver:
            # The walk takes it for one of the class that the function stands in; here each class below it has its turn.
            told = class_is(literals.given(Sort.VALUE, entered.receiver), entered.address)[1]
            guards = tuple([guard for guard in precondition.guards if guard.term != told])
            precondition = replace(precondition, guards=guards)
        names = [one.name for one in entered.function.parameters]
        is_timed = self._limits.steps is None
        clock = self._limits.clock if is_timed else lambda: solver.effort.resources / RESOURCES_A_SECOND
        self._goal = goal = CompositionGoal.of(precondition, names, solver, clock, relaxed)
        if self._shown is not None:
            self._hold_shown(self._shown, goal)
        roots = [goal.values[one.name] for one in entered.parameters if self._is_made_here(one)]
        self._note_usual(entered.function, entered.parameters, goal.values)
        receiver = goal.values.get(entered.receiver)
        plan: tuple[PlannedStatement, ...] = ()
        if receiver is not None and entered.shape is EntranceShape.CLASS_METHOD:
            goal.hold(equal(receiver, tags.of(literals.class_named(self._address))))
        elif receiver is not None and entered.shape is EntranceShape.CONSTRUCTOR:
            made = goal.new_object()
            goal.hold(equal(receiver, tags.of(made)))
            goal.made(made, self._address, goal.heap, lambda _: False)  # what a constructor above it writes may not be known
        elif receiver is not None:
            for condition in class_is(receiver, self._address):
                goal.hold(condition)
            if self._shown is None or self._shown.receiver is None:
                roots.insert(0, receiver)
        for one in roots:
            goal.hold(not_(tags.is_undefined(one))) if solver.speaks_of(one) else None
        self._go_on(_Open(goal.heap, tuple(roots), plan))

    @property
    def _shown(self) -> CallAsShown | None:
        return None if self._line is None else self._line.shown

    def _hold_shown(self, line: CallAsShown, goal: CompositionGoal) -> None:
        """Arguments that the line shows are what it shows; those that it lacks are the defaults."""
        shown = line.bound(self._entered.parameters)
        for one in self._entered.parameters:
            expression = shown.get(one.name)
            if expression is None:
                value = default_of(one)
            else:
                value = tags.constant(expression.value) if isinstance(expression, ast.Constant) else None
            if value is not None and one.form not in ("*", "**"):
                goal.hold(equal(goal.values[one.name], value))

    def _is_made_here(self, parameter: Parameter) -> bool:
        """Whether the argument is to be found: the line does not say what it is."""
        if self._line is None or self._line.shown is None:
            return True
        shown = self._line.shown.bound(self._entered.parameters).get(parameter.name)
        return shown is not None and self._line.names.is_open(shown)

    def _go_on(self, at: _Open) -> frozenset[str] | None:
        """All tests from here on; the names that a contradiction is about, None where there is none."""
        self._limits.spend()
        goal = self._goal
        core = goal.check()
        if core is not None:
            return core
        assignment = goal.model(self._wishes(at))
        if assignment is None:
            return frozenset()
        model = Model(goal, assignment, at.heap)
        objects = list(model.reached(at.roots, at.made))
        if not objects:
            self._write(model, at)
            self._write_odd(model, at)
            self._write_others(model, at)
        elif len(at.plan) < MOST_STATEMENTS:
            self._bring_about(self._next(objects, model), model, at)
        return None

    def _next(self, objects: Sequence[FoundObject], model: Model) -> FoundObject:
        """What nothing else that is open holds: what is made last."""
        held = {inner.number for one in objects for term in model.fields(one).values() if (inner := model.found(term))}
        return next((one for one in objects if one.number not in held), objects[0])

    def _wishes(self, at: _Open) -> list[Term]:
        """What is passed where nothing is written, what annotations say, no two names for one object, and what is read easily."""
        solver = self._goal.solver
        reads = [term for name in _CONTENTS if name in at.heap for term, _ in solver.reads_of(at.heap[name])]
        terms = [one for one in (*at.roots, *reads) if solver.speaks_of(one)]
        values = [one for one in terms if one.sort is Sort.VALUE]
        usual = [wish for one in values for wish in self._usual.get(one, ())]
        apart = [not_(and_(tags.is_reference(one), equal(one, other))) for one, other in combinations(values[:_MOST_APART], 2)]
        empty = [equal(one, literals.integer(0)) for one in terms if one.sort is Sort.INTEGER]
        return [*apart, *usual, *[not_(tags.is_(tag, one)) for tag in _UNLIKELY for one in values], *readable(terms), *empty]

    # -- objects

    def _bring_about(self, wanted: FoundObject, model: Model, at: _Open) -> None:
        if is_nobodys(wanted.address) or wanted.address in KINDS or self._is_by_chance(wanted, model):
            self._choose_class(wanted, model, at)
            return
        if not self._program.is_class(wanted.address):
            return
        state = {name: value for name, term in model.fields(wanted).items() if (value := model.constant(term)) is not None}
        asked = WantedObject(wanted.address, frozenset(at.heap), frozenset(state.items()), at.changes_of(wanted.term))
        with self._goal.scope():
            for name, value in state.items() if self._choice.pins else ():
                self._goal.hold(equal(model.fields(wanted)[name], value))
            self._choice.bring_about(asked, lambda way: self._attempt(way, wanted, at))

    def _attempt(self, way: MakingWay, wanted: FoundObject, at: _Open) -> frozenset[str] | None:
        core = (self._made if way.makes else self._changed)(way, wanted, at)
        if core and not at.plan:
            self.contradicting |= {name for name in core if name.startswith(".")}
        return core

    def _choose_class(self, wanted: FoundObject, model: Model, at: _Open) -> None:
        """An object of a class that is not said: one of those that have what is asked of it; where there is none, a bare one."""
        fields = list(model.fields(wanted))
        having = list(islice(self._having(fields), MOST_CLASSES))
        for address in having:
            with self._goal.scope():
                for condition in class_is(wanted.term, address):
                    self._goal.hold(condition)
                self._go_on(at)
        if not having:
            self._made(namespace(fields), wanted, at)

    def _is_by_chance(self, wanted: FoundObject, model: Model) -> bool:
        """Whether a model took some class for an object, one without what is asked of it, though another has that."""
        fields = list(model.fields(wanted))
        having = list(islice(self._having(fields), MOST_CLASSES))
        return bool(having) and not any(self._has(wanted.address, name) for name in fields)

    def _has(self, address: str, name: str) -> bool:
        return name[1:] in self._program.fields(address) or address in self._program.having(name[1:])

    def _having(self, names: Sequence[str]) -> Iterator[str]:
        """Classes that have all of these attributes."""
        for address in self._program.classes() if names else ():
            if not self._program.is_abstract(address) and all(self._has(address, name) for name in names):
                yield address

    def _made(self, way: MakingWay, wanted: FoundObject, at: _Open) -> frozenset[str] | None:
        """The object is made in this way. Returns what contradicts it."""
        goal = self._goal
        with goal.scope():
            made = goal.new_object()
            goal.hold(equal(wanted.term, tags.of(made)))
            address = wanted.address if way.form is not WrittenForm.NAMESPACE else way.name
            arguments = self._arguments(way)
            heap = goal.before(way.summary, {way.receiver: tags.of(made), **arguments}, at.heap)
            goal.made(made, address, heap if way.form is not WrittenForm.MEMBER else {}, self._absent(address))
            return self._go_on(self._with(way, tags.of(made), arguments, heap, at))

    def _changed(self, way: MakingWay, wanted: FoundObject, at: _Open) -> frozenset[str] | None:
        goal = self._goal
        with goal.scope():
            arguments = self._arguments(way)
            heap = goal.before(way.summary, {way.receiver: wanted.term, **arguments}, at.heap)
            return self._go_on(self._with(way, wanted.term, arguments, heap, at))

    def _with(self, way: MakingWay, value: Term, arguments: Mapping[str, Term], heap: Heap, at: _Open) -> _Open:
        roots = (*at.roots, *arguments.values())
        return _Open(heap, roots, (*at.plan, PlannedStatement(way, value, arguments)))

    def _absent(self, address: str) -> Callable[[str], bool]:
        """Whether an object has no attribute of a name before its constructor ran: what its class has is not known here."""
        return lambda name: address == NAMESPACE or self._program.is_absent(address, name)

    def _arguments(self, way: MakingWay) -> dict[str, Term]:
        arguments = {one.name: self._goal.fresh(Sort.VALUE, one.name) for one in way.parameters}
        self._note_usual(way.function, way.parameters, arguments)
        return arguments

    def _note_usual(self, function: Function | None, parameters: Sequence[Parameter], values: Mapping[str, Term]) -> None:
        """What is passed where nothing is written, and what the annotations say."""
        for one in parameters:
            value, wishes = values[one.name], list[Term]()
            default = default_of(one)
            if default is not None:
                wishes += [equal(value, default), *[tags.is_(tag, value) for tag in tags.tags_of(default)]]
            if function is not None and one.name in called(function):
                wishes.append(tags.is_class(value))
            known = frozenset() if function is None else self._program.types(function, function.nodes[0], Local(one.name))
            wishes += [or_(*[has_class(value, name) for name in sorted(known)])] if known else []
            self._usual[value] = wishes

    # -- the test

    def _write(self, model: Model, at: _Open) -> None:
        entered, goal = self._entered, self._goal
        terms = [*goal.values.values(), *[term for one in at.plan for term in one.arguments.values()]]
        asked = frozenset(one for one in terms if goal.solver.speaks_of(one))
        variant, variants = 0, 1
        while variant < variants:
            writer = Writer(model, asked, called(entered.function), variant, line=self._line)
            try:
                self._tell(writer.test(at.plan[::-1], entered, self._address, goal.values))
            except Unwritable:
                return
            variant, variants = variant + 1, writer.variants

    def _write_odd(self, model: Model, at: _Open) -> None:
        """The same with values for an argument that few functions expect."""
        entered, goal = self._entered, self._goal
        own = {goal.values[one.name] for one in entered.parameters}
        for value in [one for one in at.roots[:MOST_OTHERS] if one in own]:
            for odd in self._odd if self._line is None else ():
                writer = Writer(model, frozenset(at.roots), called(entered.function), replaced={value: odd})
                with contextlib.suppress(Unwritable):
                    self._tell(writer.test(at.plan[::-1], entered, self._address, goal.values))

    def _write_others(self, model: Model, at: _Open) -> None:
        """The same with arguments of other types, one after the other: what is not modelled may tell them apart."""
        for value in [one for one in at.roots[:MOST_OTHERS] if self._goal.solver.speaks_of(one)]:
            found = model.value(value)
            with self._goal.scope():
                for tag in () if found is None else tags.tags_of(found):
                    self._goal.hold(not_(tags.is_(tag, value)))
                assignment = None if self._goal.check() is not None else self._goal.model(self._wishes(at))
                other = None if assignment is None else Model(self._goal, assignment, at.heap)
                if other is not None and not any(True for _ in other.reached(at.roots, at.made)):
                    self._write(other, at)

    def _tell(self, test: TestCase) -> None:
        if test.key() not in self._seen and test.is_valid():
            self._seen.add(test.key())
            self._told(test)
        if len(self._seen) >= self._most:
            raise EnoughTests
