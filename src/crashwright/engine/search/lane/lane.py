"""The fast lane: one process calls what leads to a crash over a pool of live objects, without scoring runs by probes and without
putting state back, and keeps what was raised where the report says.

A disposable fork works through it (``worker.scouts``). It begins with tests that others propose: calls that the report shows,
examples, random ones of the factory. Their values are the pool, and what they pass says what a parameter takes. Then callables take
turns: the entries, which have the half of all calls, and what makes values for them, those first that had the fewest turns. Each is
tried with combinations of values that it was not tried with; what it returns joins the pool. What came nearest leaves as a recipe,
and is run from the start like any test.

# Deviation: as Randoop (feedback-directed random testing, Pacheco et al. 2007), but that values are not made anew for each call,
and that a report says which calls are wanted.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import count
from random import Random

from crashwright.engine.execution.handlers import Environment
from crashwright.engine.execution.limits import TestTimeout
from crashwright.engine.search.lane.combinations import CallForm, Combinations
from crashwright.engine.search.lane.live import EFFECTS, Live, Look, Pool
from crashwright.engine.search.lane.parts import FIRST, parts_of
from crashwright.engine.search.lane.sightings import Sighting, Sightings
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.binding import bound
from crashwright.engine.testcase.slices import graft
from crashwright.engine.testcase.statements import Statement, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import defined

ENTRY_CALLS, OTHER_CALLS = 40, 12
"""Calls of one turn: of an entry, and of what makes values."""
OTHERS = 4
"""Turns of others between two of the entries."""
FRUITLESS = 3.0
"""How many turns one counts for in which every call raised something."""
MOST_HUNG = 2
"""Calls of one callable that ran out of time, after which it has no more turns."""
TAKEN = 20
"""Items taken of a generator."""
IDLE = 200
"""Turns in a row with nothing new to try: there is no more."""
RESET_EVERY = 64
CALLS = (st.Call, st.MethodCall, st.CallValue)
UNFIT = (st.Enter, st.Within, st.Await, st.Ambient, st.RunModule)
"""Statements that nest what follows, or need more around them than a call does."""
Step = Callable[[Environment, Statement, int], BaseException | None]


@dataclass(frozen=True, slots=True)
class Roads:
    """What is called: the ``entries``, and ``others`` that make values, the nearest first; ``methods`` gives those of a class of
    the package. ``longest`` is how many statements a recipe may have."""

    entries: Sequence[Callee]
    others: Sequence[Callee]
    methods: Callable[[type], Iterable[Callee]]
    longest: int


class Lane:
    """Of one fork. ``step`` runs a statement (``Executor.step``), ``reset`` forgets what probes recorded.
    ``barred``: callables, by :func:`mark`, that have ended a fork."""

    def __init__(
        self,
        roads: Roads,
        pool: Pool,
        combinations: Combinations,
        sightings: Sightings,
        step: Step,
        reset: Callable[[], None],
        rng: Random,
        barred: frozenset[int] = frozenset(),
        fresh: Iterable[Variable] | None = None,
    ) -> None:
        self._roads = roads
        self._pool = pool
        self._combinations = combinations
        self._sightings = sightings
        self._step = step
        self._reset = reset
        self._rng = rng
        self._barred = barred
        self._fresh = iter(count() if fresh is None else fresh)
        self._hung: dict[Callee | None, int] = {}
        self.calls = 0
        """How many were made."""

    def begin_with(self, tests: Iterable[TestCase], until: int, is_over: Callable[[], bool] = lambda: False) -> None:
        """Run tests of others as far as they go, up to so many calls: their values join the pool."""
        for test in tests:
            if self.calls >= until or is_over():
                return
            self._run(test)

    def go_on(self, until: int, told: Callable[[], None], is_over: Callable[[], bool] = lambda: False) -> None:
        """Up to so many calls; ``told`` hears now and then that something was found."""
        entries = self._open(self._roads.entries)
        queue = [(0.0, place, callee) for place, callee in enumerate(self._open(self._roads.others))]
        heapify(queue)
        known: set[object] = set(self._roads.others)
        place, idle, turn = len(queue), 0, 0
        while self.calls < until and idle < IDLE and not is_over():
            before, seen = self.calls, len(self._sightings.found)
            entries = self._open(entries)
            if entries:
                self._turn(entries[turn % len(entries)], ENTRY_CALLS)
            for cls in self._pool.classes:
                if self._pool.is_own(cls) and cls not in known:
                    known.add(cls)
                    for callee in self._roads.methods(cls):
                        if callee not in known:
                            known.add(callee)
                            place += 1
                            heappush(queue, (0.0, place, callee))
            for _ in range(min(OTHERS, len(queue))):
                turns, number, callee = heappop(queue)
                if self._is_open(callee):
                    taken = 1.0 if self._turn(callee, OTHER_CALLS) else FRUITLESS
                    heappush(queue, (turns + taken * (0.5 + self._rng.random()), number, callee))
            turn += 1
            idle = 0 if self.calls > before else idle + 1
            if len(self._sightings.found) > seen:
                told()
            if self._sightings.is_whole:
                return

    # Turns

    def _open(self, callees: Iterable[Callee]) -> list[Callee]:
        return [callee for callee in dict.fromkeys(callees) if self._is_open(callee)]

    def _is_open(self, callee: Callee) -> bool:
        return mark(callee) not in self._barred and self._hung.get(callee, 0) < MOST_HUNG

    def _turn(self, callee: Callee, most: int) -> bool:
        """Whether one of the calls returned."""
        returned = False
        for statement in self._combinations.calls(callee, self._fresh.__next__, most):
            if self._attempt(statement, callee) is not None:
                returned = True
                self._combinations.worked()
            if not self._is_open(callee):
                break
        return returned

    def _attempt(self, statement: Statement, callee: Callee) -> Live | None:
        before = self._pool.look(statement.receiver) if isinstance(statement, st.MethodCall) else None
        if not self._ran(statement, callee):
            return None
        variable = defined(statement)
        assert variable is not None
        live = self._settled(statement, variable, callee, before)
        return live or Live(variable, object, 0)

    def _settled(self, statement: Statement, variable: Variable, callee: Callee | None, before: Look | None) -> Live | None:
        """What it gave, if that is kept: of a generator its items."""
        value = self._pool.env[variable]
        driven: Statement | None = None
        if type(value) is types.GeneratorType:
            driven = st.Iterate(next(self._fresh), variable, "list", TAKEN)
        elif type(value) is types.CoroutineType:
            value.close()  # what awaits needs a loop around it
        if driven is not None:
            self._pool.note(statement, before)
            if not self._ran(driven, callee):
                return None
            del self._pool.env[variable]
            return self._kept(driven, callee)
        return self._kept(statement, callee, before)

    def _kept(self, statement: Statement, maker: object, before: Look | None = None) -> Live | None:
        variable = defined(statement)
        assert variable is not None
        live = self._pool.keep(variable, maker, self._pool.size_of(statement))
        if live is not None or isinstance(statement, EFFECTS):
            self._pool.note(statement, before)
        if live is not None:
            self._look_into(live)
        return live

    def _look_into(self, live: Live) -> None:
        """What is in a value, or it in a list, is kept too."""
        number = len(self._pool.of(live.cls))
        if number > FIRST and self._pool.is_own(live.cls):
            return
        for statements in parts_of(live, self._pool, self._fresh.__next__):
            for statement in statements:
                if not self._ran(statement, None):
                    break
                self._pool.note(statement)
            else:
                variable = defined(statements[-1])
                assert variable is not None
                part = self._pool.keep(variable, (live.cls, _name_of(statements[-1])), live.size)
                if part is not None and self._pool.is_own(part.cls):
                    self._look_into(part)

    # Tests of others

    def _run(self, test: TestCase) -> None:
        """A literal, a reference and the like are values too: they are kept where they are passed."""
        lives: dict[Variable, Live] = {}
        for statement in graft(test.statements, self._fresh):
            callee = statement.callee if isinstance(statement, CALLS) else None
            if isinstance(statement, UNFIT) or (callee is not None and not self._is_open(callee)):
                return
            if callee is not None and isinstance(statement, CALLS):
                self._learn(statement.arguments, callee, lives)
            if not self._ran(statement, callee):
                return
            self._pool.note(statement)
            variable = defined(statement)
            if variable is not None:
                kept = self._pool.env[variable]
                size = self._pool.size_of(statement) - isinstance(statement, st.Literal | st.Reference)
                live = self._pool.keep(variable, None, size)
                lives[variable] = live or Live(variable, type(kept), size)
                self._pool.env[variable] = kept  # the test goes on with it
                if live is not None:
                    self._look_into(live)

    def _learn(self, arguments: st.Arguments, callee: Callee, lives: dict[Variable, Live]) -> None:
        pairs = [(one, lives[value]) for one, value in bound(callee, arguments.positional, arguments.keywords) if value in lives]
        self._combinations.learn(callee, pairs, _form(callee, arguments))

    # One call

    def _ran(self, statement: Statement, callee: Callee | None) -> bool:
        """Run one statement under the clock; whether it came to its end."""
        self.calls += 1
        if self.calls % RESET_EVERY == 0:
            self._reset()
        error = self._step(self._pool.env, statement, 0 if callee is None else mark(callee))
        if error is None:
            return True
        if type(error) is TestTimeout:
            self._hung[callee] = self._hung.get(callee, 0) + 1
        else:
            self._raised(error, statement)
        return False

    def _raised(self, error: BaseException, statement: Statement) -> None:
        size = self._pool.size_of(statement)
        worth = self._sightings.worth(error, size)
        if worth is not None:
            recipes = self._pool.recipes(statement, self._roads.longest)
            if recipes:
                self._sightings.add(worth[0], Sighting(worth[1], size, recipes))
        BaseException.with_traceback(error, None)


def _name_of(statement: Statement) -> object:
    """What tells one part of a value from another."""
    return statement.name if isinstance(statement, st.GetAttribute) else type(statement)


def mark(callee: Callee) -> int:
    """A number for a callable, the same in all forks of a process."""
    return hash(callee.address) or 1


def _form(callee: Callee, arguments: st.Arguments) -> CallForm | None:
    """The parameters that a call passes; None where it unpacks some, or passes others."""
    if arguments.star is not None or arguments.double_star is not None:
        return None
    by_name = {parameter.name: parameter for parameter in callee.parameters}
    taking = [parameter for parameter in callee.parameters if parameter.kind <= ParameterKind.POSITIONAL_OR_KEYWORD]
    star: Sequence[Parameter] = [one for one in callee.parameters if one.kind is ParameterKind.VAR_POSITIONAL]
    many = len(arguments.positional)
    taking += [*star] * max(0, many - len(taking))
    if callee.kind is CalleeKind.PROPERTY or many > len(taking) or not by_name.keys() >= {name for name, _ in arguments.keywords}:
        return None
    return CallForm(tuple(taking[:many]), tuple(by_name[name] for name, _ in arguments.keywords))
