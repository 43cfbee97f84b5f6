"""Tests of what talks to others: the network, processes, what sleeps and what is not installed are replaced by doubles, which are
made from what the code does with their results in a few probing runs (``search.suite.collaborators``, ``making.doubles``). Later,
so are functions of other modules whose results decide what is open still."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from random import Random
from typing import NamedTuple

from crashwright.core.location import Position
from crashwright.core.portions import DECIDING_AFTER, DECIDING_PART, DOUBLES_AFTER, DOUBLES_PART
from crashwright.engine.execution.executor import release
from crashwright.engine.execution.recorded_documents import documents_noted
from crashwright.engine.execution.recording import Decided, RecordingSession
from crashwright.engine.goals.coverage.catalogue import Catalogue
from crashwright.engine.goals.coverage.footprint import Footprint
from crashwright.engine.goals.coverage.goal import Goals, numbers
from crashwright.engine.search.suite.archive import Archive
from crashwright.engine.search.suite.collaborators import Collaborators, raising_classes
from crashwright.engine.sessions.search_run import Setup
from crashwright.engine.sources.recording_runs import chain_of
from crashwright.engine.sources.suite_subject import SuiteSubject
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.introspection import (
    attribute_of,
    class_module,
    class_name,
    class_qualname,
    is_class,
    is_exception,
    is_module,
    is_sound,
    loaded_dict,
    module_dict,
)
from crashwright.engine.subject.usage.caught import waited_for
from crashwright.engine.subject.walking import walk
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.binding import bound
from crashwright.engine.testcase.editing.deletion import prune
from crashwright.engine.testcase.making.demanded import FILLING
from crashwright.engine.testcase.making.demands import Demand, DemandKind, How
from crashwright.engine.testcase.making.doubles import MOCK, Doubles, Library
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.statements import Ambient, Named, Ref, Reference, Statement, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import map_arguments

BASES, LENT, FRESH = 3, 3, 2
"""Tests of the archive that call a callable, those that lend it arguments, and new ones, that doubles are put into."""
RUNS, PATIENCE = 24, 10
"""Probing runs for one of them, and of these how many may tell nothing new before a run succeeds."""
VARIANTS = 10
"""Tests that are built of one, the first with calls that succeed."""
MOST_MADE = 200
"""Sets of doubles that are remembered, the last ones, for tests of the search."""
_MOST_ERRORS = 4
_COMPARED = (DemandKind.NUMBER, DemandKind.TEXT)


class _Made(NamedTuple):
    """Doubles that were made together."""

    names: frozenset[str]
    statements: tuple[Statement, ...]


class SuiteCollaborators:
    """Of one search. Notices what is called from the first test on."""

    def __init__(self, subject: SuiteSubject, setup: Setup, factory: Factory) -> None:
        self._subject = subject
        self._setup = setup
        self._factory = factory
        self._session = RecordingSession()
        self._noticed = Collaborators(subject.source, subject.sources)
        self._turns, self._later_turns = [*DOUBLES_AFTER], [*DECIDING_AFTER]
        self._made: deque[_Made] = deque(maxlen=MOST_MADE)
        self._reached: dict[Callee, tuple[int, tuple[str, ...]]] = {}
        self._asked: set[str] = set()
        """Names whose results the code looks at."""
        self._numbers = tuple(
            dict.fromkeys(
                one.value for one in walk(subject.source.tree) if isinstance(one, ast.Constant) and type(one.value) is int
            )
        )
        setup.bench.guard.on_refusal = self._noticed.refused
        setup.bench.executor.tell_sleeps(self._noticed.notice)

    def is_due(self) -> bool:
        """Whether it is time to build tests."""
        return self._is_time(self._turns) and bool(self._noticed.names)

    def _is_time(self, turns: list[float]) -> bool:
        if not turns or self._setup.meter.share() < turns[0]:
            return False
        turns.pop(0)
        return True

    def tests(
        self, callees: Sequence[Callee], catalogue: Catalogue, covered: Goals, archived: Sequence[TestCase]
    ) -> Iterator[list[TestCase]]:
        """Tests for each of ``callees`` that has open branches behind it."""
        lines = catalogue.of("branch") & ~covered & ~catalogue.known
        if len(self._turns) >= len(DOUBLES_AFTER) // 2:
            lines = catalogue.of("branch")  # what is covered only by tests to which something was refused is as good as open
        opened = {catalogue.goals[number].qualname.partition(".<locals>")[0] for number in numbers(lines)}
        rng = self._setup.rng
        found = [
            (self._bases(callee, archived, rng), names)
            for callee in callees
            if (names := self._names_of(callee)) and self._noticed.may_reach(self._subject.api.keys_of(callee), opened)
        ]
        return self._in_turn(found, DOUBLES_PART / len(DOUBLES_AFTER), rng)

    def stand_ins(
        self, callees: Sequence[Callee], catalogue: Catalogue, archive: Archive[TestCase, Footprint], rng: Random
    ) -> Iterator[TestCase]:
        """Whenever it is time to make some, tests with doubles also of functions of others whose results decide which branches are
        open: of those tests of the ``archive`` first that cover most. Where they brought nothing once, they are not made again."""
        if not self._is_time(self._later_turns):
            return
        branches, before = catalogue.of("branch"), archive.covered
        rans = sorted(archive.tests(), key=lambda ran: -(ran.covered & branches).bit_count())
        archived = [ran.individual for ran in rans]
        try:
            for tests in self._deciding(callees, catalogue, branches & ~before & ~catalogue.known, archived, rng):
                yield from tests
        finally:
            if not archive.covered & branches & ~before:
                self._later_turns.clear()

    def _deciding(
        self, callees: Sequence[Callee], catalogue: Catalogue, branches: Goals, archived: Sequence[TestCase], rng: Random
    ) -> Iterator[list[TestCase]]:
        places: dict[str, list[Position]] = {}
        for number in numbers(branches):
            place = catalogue.place_of(number)
            if place is not None:
                places.setdefault(catalogue.goals[number].qualname, []).append(place)
        self._noticed.decide(places)
        opened = {qualname.partition(".<locals>")[0] for qualname in places}
        found = []
        for callee in callees:
            keys = self._subject.api.keys_of(callee)
            names = self._noticed.reached_from(keys, deciding=True)
            if names and self._noticed.may_reach(keys, opened):
                found.append((self._furthest(callee, archived, rng), names))
        return self._in_turn(found, DECIDING_PART / len(DECIDING_AFTER), rng)

    def _in_turn(
        self, found: Sequence[tuple[list[TestCase], tuple[str, ...]]], part: float, rng: Random
    ) -> Iterator[list[TestCase]]:
        """Those built of one test of each callable, then of the next, for ``part`` of the budget."""
        meter = self._setup.meter
        begun = meter.share()
        waiting = [(iter(bases), names) for bases, names in found]
        while waiting:
            bases, names = waiting.pop(0)
            base = next(bases, None)
            if meter.stopped or meter.share() - begun > part:
                return
            if base is not None:
                waiting.append((bases, names))
                yield [*self._doubled(base, names, rng)]

    def equipped(self, test: TestCase) -> TestCase:
        """``test`` with doubles for what it may call, if some were made and it has none: else it would only be refused."""
        if not self._made or Ambient in test.kinds():
            return test
        names = {name for one in test.statements if isinstance(one, st.Call | st.MethodCall) for name in self._names_of(one.callee)}
        fitting = [made for made in self._made if names and names.issuperset(made.names) and not names.isdisjoint(made.names)]
        if not fitting:
            return test
        made = fitting[int(self._setup.rng.random() * len(fitting))]
        found = TestCase((*made.statements, *test.statements))
        return found if len(found) <= self._factory.max_length else test

    def _names_of(self, callee: Callee | None) -> tuple[str, ...]:
        if callee is None:
            return ()
        known = self._reached.get(callee)
        if known is None or known[0] != len(self._noticed.names):
            names = self._noticed.reached_from(self._subject.api.keys_of(callee))
            known = self._reached[callee] = len(self._noticed.names), names
        return known[1]

    def is_silent(self, test: TestCase) -> bool:
        """Whether a double of it has lost the answer that the code asks for: a mock's own answers say nothing."""
        if Ambient not in test.kinds() or not self._asked:
            return False
        replaced = {double for name, double in _doubles_of(test) if name in self._asked}
        return any(isinstance(one, st.Call) and one.variable in replaced and not one.arguments.keywords for one in test.statements)

    def _bases(self, callee: Callee, archived: Sequence[TestCase], rng: Random) -> list[TestCase]:
        """Tests that call it: of the archive, with arguments that others are called with under the same names, and new ones."""
        bare = [_bare(test) for test in archived]
        calling = sorted((test for test in bare if test.last_callee() == callee), key=len)
        lent = [one for test in bare if (one := self._lent(callee, test, rng)) is not None]
        lent.sort(key=len, reverse=True)
        fresh = [TestCase(tuple(self._call(callee, rng))) for _ in range(FRESH)]
        found = {test.key(): test for test in (*lent[:LENT], *calling[:BASES], *fresh)}
        return [test for test in found.values() if test.is_valid()]

    def _furthest(self, callee: Callee, archived: Sequence[TestCase], rng: Random) -> list[TestCase]:
        """Tests that call it, the first ones of the archive first; new ones last."""
        calling = [bare for test in archived if (bare := _bare(test)).last_callee() == callee]
        found = {test.key(): test for test in (*calling[:BASES], *self._bases(callee, archived, rng))}
        return [test for test in found.values() if test.is_valid()]

    def _call(self, callee: Callee, rng: Random) -> list[Statement]:
        statements: list[Statement] = []
        self._factory.call(statements, callee, rng)
        return statements

    def _lent(self, callee: Callee, test: TestCase, rng: Random) -> TestCase | None:
        """A call of ``callee`` with what ``test`` gives another function for a parameter of the same name; None without any."""
        last = test.statements[-1] if test.statements else None
        if not isinstance(last, st.Call | st.MethodCall) or last.callee is None or last.callee == callee:
            return None
        given = {
            parameter.name: variable
            for parameter, variable in bound(last.callee, last.arguments.positional, last.arguments.keywords)
        }
        if not any(parameter.name in given and parameter.required for parameter in callee.parameters):
            return None
        *before, call = self._call(callee, rng)
        if not isinstance(call, st.Call | st.MethodCall):
            return None
        arguments = call.arguments
        for parameter, variable in bound(callee, arguments.positional, arguments.keywords):
            if parameter.name in given:
                arguments = map_arguments(arguments, partial(_instead, variable, given[parameter.name]))
        return prune(TestCase((*test.statements[:-1], *before, call._replace(arguments=arguments))))

    def _doubled(self, base: TestCase, names: Sequence[str], rng: Random) -> Iterator[TestCase]:
        """``base`` with doubles for what it calls of ``names``."""
        demands = {name: Demand("", 0, DemandKind.DOUBLE) for name in sorted(names, key=_parts)}
        if self._setup.quarantine.holds(base):
            return
        self._probe(base, demands, rng)
        called = {name: demand for name, demand in demands.items() if demand.items}
        self._asked.update(name for name, demand in called.items() if any(item.size() > 1 for item in demand.items))
        absent = self._absent(demands, called)
        for number in range(VARIANTS if called else bool(absent)):
            statements = self._present(absent)
            for name, demand in called.items():
                library = self._library(name)
                maker = Doubles(self._factory, self._factory.names, rng, library, number == 0)
                maker.replace(statements, name, demand, self._place(name))
            test = TestCase((*statements, *base.statements))
            if len(test) <= self._factory.max_length and test.is_valid():
                if self._noticed.deciding.keys().isdisjoint(called):
                    self._made.append(_Made(frozenset(called), tuple(statements)))
                yield test

    def _probe(self, base: TestCase, demands: dict[str, Demand], rng: Random) -> None:
        """Run it with doubles that note what is asked of their results, until nothing new is."""
        session, setup, tracer = self._session, self._setup, self._subject.recorder
        session.begin_anew()
        patience, furthest = PATIENCE, 0
        undo: Callable[[], None] | None = None
        for _ in range(RUNS):
            before = sum(demand.size() for demand in demands.values())
            session.begin()
            statements = self._present(self._absent(demands, demands))
            for name, demand in demands.items():
                variable = self._factory.new()
                statements.append(Reference(variable, Named("", "value", session.value(demand))))
                statements.append(Ambient(self._factory.new(), self._place(name), name, Ref(variable)))
            tracer.reset()
            with documents_noted(session):
                outcome = setup.bench.executor.run_aside(TestCase((*statements, *base.statements)))
            tracer.drop_wanted()
            setup.meter.spend()
            error, timed_out = outcome.error, outcome.timed_out
            learnt = type(error) is Decided or any(session.refine(one) for one in chain_of(error))
            release(outcome)
            grown = sum(demand.size() for demand in demands.values()) > before
            if timed_out or setup.meter.stopped:
                return
            if undo is not None and session.looks < furthest:
                undo()
            furthest, undo = max(furthest, session.looks), None
            if not (learnt or grown):
                patience -= 1
                undo = self._answer_otherwise(demands, rng) if patience and error is not None else None
                if undo is None:
                    return

    def _place(self, name: str) -> str:
        return "absent" if name.partition(":")[2] in self._noticed.absent else "attribute"

    def _absent(self, names: Iterable[str], given: Collection[str]) -> list[str]:
        """What the module does without, of which ``names`` are parts; not what is ``given`` in the test."""
        first = dict.fromkeys(name.partition(":")[2].partition(".")[0] for name in names)
        whole = (f"{self._subject.source.module}:{name}" for name in first if name in self._noticed.absent)
        return [name for name in whole if name not in given]

    def _present(self, absent: Iterable[str]) -> list[Statement]:
        """What puts something there, of which any attribute may be asked and replaced."""
        statements: list[Statement] = []
        for name in absent:
            variable = self._factory.new()
            statements.append(st.Call(variable, self._factory.api.standard(*MOCK), st.NO_ARGUMENTS))
            statements.append(Ambient(self._factory.new(), "absent", name, Ref(variable)))
        return statements

    def _answer_otherwise(self, demands: dict[str, Demand], rng: Random) -> Callable[[], None] | None:
        """One of the numbers and texts that the code compares is another one in the next run; what is returned takes it back.
        What it has asked for first is often what it fails by (``if response.status_code == 404``)."""
        nodes = [node for demand in demands.values() for node in demand.nodes() if node.wanted and node.kind in _COMPARED]
        if not nodes:
            return None
        node = nodes[int(rng.random() * len(nodes))]
        before = dict(node.wanted)
        if node.kind is DemandKind.NUMBER:
            number = self._numbers[int(rng.random() * len(self._numbers))] if self._numbers else 0
            node.prefer(How.EQUAL, number + int(rng.random() * 3) - 1)
        else:
            texts = [value for how, _, value in node.wanted if how is How.EQUAL and type(value) is str]
            node.prefer(How.EQUAL, [*texts, FILLING, ""][int(rng.random() * (len(texts) + 2))])
        return partial(setattr, node, "wanted", before)

    def _library(self, name: str) -> Library:
        """The classes and exceptions of where ``name`` comes from, those that the module waits for first."""
        live = self._noticed.live(name)
        owner, _, path = name.partition(":")
        first = loaded_dict(owner).get(path.partition(".")[0])
        home = attribute_of(live, "__module__")
        spaces = [module_dict(first)] if is_module(first) else []
        if live is not None and type(home) is str and home != owner:
            spaces.append(loaded_dict(home))
        waited = waited_for(self._subject.source.tree, loaded_dict(self._subject.source.module))
        possible = tuple(dict.fromkeys(cls for space in self._noticed.spaces(name) for cls in raising_classes(live, space)))
        own = name in self._noticed.deciding
        errors = [cls for cls in waited if own or cls in possible or class_module(cls) == "builtins"] or [*possible[:_MOST_ERRORS]]
        classes = {
            id(cls): cls
            for space in spaces
            for cls in list(space.values())
            if is_class(cls) and is_sound(cls) and not is_exception(cls) and not class_name(cls).startswith("_")
        }
        api = self._subject.api
        owned = [
            cls for cls in classes.values() if class_module(cls).partition(".")[0] in (name_of(first), str(home).partition(".")[0])
        ]
        makers = tuple(
            (api.constructor(cls), Named(class_module(cls), class_qualname(cls), cls)) for cls in owned if cls is not live
        )
        return Library(makers, tuple(errors), self._numbers)


def name_of(module: object) -> str:
    """The top of a module's name; "" of what is none."""
    return str(module_dict(module).get("__name__", "")).partition(".")[0] if is_module(module) else ""


def _parts(name: str) -> int:
    """What a whole is replaced by is replaced before its parts."""
    return name.count(".")


def _doubles_of(test: TestCase) -> Iterator[tuple[str, Variable]]:
    """What is replaced, and the variable of the double."""
    for one in test.statements:
        if isinstance(one, Ambient) and isinstance(one.content, Ref):
            yield one.name, one.content.variable


def _bare(test: TestCase) -> TestCase:
    """Without what puts doubles in their places."""
    return prune(TestCase(tuple(one for one in test.statements if not (isinstance(one, Ambient) and isinstance(one.content, Ref)))))


def _instead(old: Variable, new: Variable, one: Variable) -> Variable:
    return new if one == old else one
