"""What the code asks of values that nobody describes: probing runs with values that note it (``execution.recording``), until
nothing new is asked; then tests with real values that answer, which the search begins with and varies.

# Deviation: none of the papers does this; in Java an argument's class says what it has.
"""

from __future__ import annotations

import collections.abc
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, cast

from crashwright.engine.execution.executor import release
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.execution.recording import Decided, RecordingSession
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.evaluator import Tracer
from crashwright.engine.subject.api.callee import Callee, Parameter
from crashwright.engine.subject.api.types import ANY, NONE, ClassHint, Hint, UnionHint, is_any
from crashwright.engine.subject.usage.use_hints import Weighted
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.binding import bound
from crashwright.engine.testcase.legality import is_standard
from crashwright.engine.testcase.making.demanded import NAMESPACES, Classes, Demanded
from crashwright.engine.testcase.making.demands import Demand, DemandKind
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.slices import graft
from crashwright.engine.testcase.statements import Arguments, Named, Reference, Statement, Value, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import defined, used

ROUNDS = 16
"""Runs with the values of one test at most."""
VARIANTS = 5
"""Tests that are built for it, the first with all that was asked for."""
MOST_FIELDS = 8
"""Attributes that the objects of one test are given."""
_OPEN = 0.5
"""How often a value without a type begins open where its use suggests something."""
_CAUSES = 3
_KINDS: tuple[tuple[type, DemandKind], ...] = (
    (dict, DemandKind.MAPPING),
    (cast(type, collections.abc.Mapping), DemandKind.MAPPING),
    (cast(type, collections.abc.MutableMapping), DemandKind.MAPPING),
    (str, DemandKind.TEXT),
    (bytes, DemandKind.BYTES),
    (list, DemandKind.LIST),
)


_PLAIN = frozenset({DemandKind.TEXT, DemandKind.BYTES, DemandKind.LIST, DemandKind.NUMBER, DemandKind.REAL, DemandKind.NOTHING})
"""What a search for a suite finds the values of by itself, and better: it has more to find than one way."""

_CALLABLE = cast(type, collections.abc.Callable)
_AWAITABLE: tuple[type, ...] = (cast(type, collections.abc.Awaitable), cast(type, collections.abc.Coroutine))


class AsideRunner(Protocol):
    """Runs a test of which nothing is to be noted (``execution.executor.Executor``)."""

    def run_aside(self, test: TestCase) -> Outcome: ...


class _Field(NamedTuple):
    """An attribute that an object of the test lacks, and is given as soon as it is made."""

    variable: Variable
    name: str
    demand: Demand


class Site(NamedTuple):
    """An argument that is replaced: ``statement`` is the place of the call, ``old`` what it passes."""

    statement: int
    callee: Callee
    parameter: Parameter
    old: Variable


@dataclass(frozen=True, slots=True)
class RecordingNeeds:
    """What the runs need. ``used`` tells what a function does with a parameter, ``classes`` those that have some names; ``quoted``
    are variables whose values the report shows."""

    runner: AsideRunner
    tracer: Tracer
    meter: BudgetMeter
    quarantine: Quarantine
    used: Callable[[Callee, str], Weighted]
    classes: Classes
    quoted: Mapping[Variable, Value]
    variants: int = VARIANTS
    """Tests that are built for one."""
    rounds: int = ROUNDS
    """Runs with the values of one test at most."""
    lacking: bool = False
    """Objects of a test are given the attributes that they lack, and the methods that they leave to subclasses, and what the code
    decides on is false once."""
    errors: tuple[str, ...] = ()
    """Builtin exceptions that functions in the place of methods may raise."""


class RecordingRuns:
    """Of one search. ``callables`` are those whose parameters are asked for."""

    teaches = True
    """Whether the factory learns the values that it has built."""

    def __init__(
        self, around: RecordingNeeds, factory: Factory, callables: Sequence[Callee], rng: random.Random, keys: Sequence[str] = ()
    ) -> None:
        """``keys`` are those under which tables have the functions of the report's frames."""
        self._around = around
        self._factory = factory
        self._callables = frozenset(callables)
        self._rng = rng
        self._session = RecordingSession(keys, around.lacking)

    @property
    def around(self) -> RecordingNeeds:
        """What its runs need, for others that run tests aside."""
        return self._around

    def built(self, tests: Sequence[TestCase], runs: int, only: bool = False) -> list[TestCase]:
        """Tests with real values for what ``tests``, and unless ``only`` they random ones after them, pass; after at most ``runs``
        probing runs."""
        found: dict[int, TestCase] = {}
        waiting = iter(tests)
        idle = 0
        while runs > 0 and idle < len(tests) + 8 and not self._around.meter.stopped:
            following = next(waiting, None)
            if following is None and only:
                break
            test = following or self._random()
            held = self._around.quarantine.holds(test)
            sites = [] if held else list(self._sites(test))
            demands = [self._demand(site) for site in sites]
            fields: list[_Field] = []
            idle += not sites
            if sites or (self._around.lacking and not held):
                runs -= self._probed(test, sites, demands, fields, runs)
                self._learn(demands)
                for one in self._answered(test, sites, demands, fields) if sites or fields else ():
                    found.setdefault(one.key(), one)
        return [*found.values()]

    def _random(self) -> TestCase:
        statements: list[Statement] = []
        self._factory.call_entry(statements, self._rng)
        return TestCase(tuple(statements))

    def _sites(self, test: TestCase) -> Iterator[Site]:
        for index, statement in enumerate(test.statements):
            if not isinstance(statement, st.Call | st.MethodCall) or statement.callee not in self._callables:
                continue
            callee, arguments = statement.callee, statement.arguments
            if callee is None or is_standard(callee):
                continue
            for parameter, variable in bound(callee, arguments.positional, arguments.keywords):
                site = Site(index, callee, parameter, variable)
                if variable not in self._around.quoted and self._is_asked(site):
                    yield site

    def _is_asked(self, site: Site) -> bool:
        """Whether what is passed there is replaced."""
        hint = site.parameter.hint
        plain = self._around.lacking and _kind_of(hint) in _PLAIN
        return not plain and _is_unknown(hint)

    def _demand(self, site: Site) -> Demand:
        """As what the value begins."""
        return Demand(site.parameter.name, 0, self._kind(site), _namespace(site.parameter.hint))

    def _learn(self, demands: Sequence[Demand]) -> None:
        """What was asked in the runs of one test."""

    def _maker(self, number: int) -> Demanded:
        """What builds the values of one test, the first of which is to have all that was asked for."""
        factory = self._factory
        return Demanded(factory, factory.names, self._around.classes, self._rng, number == 0, self._around.errors)

    def _kind(self, site: Site) -> DemandKind:
        """What the value begins as."""
        declared = _kind_of(site.parameter.hint)
        if declared is not DemandKind.OPEN:
            return declared
        hints = self._around.used(site.callee, site.parameter.name)
        total = sum(weight for _, weight in hints)
        if not total or self._rng.random() < _OPEN:
            return DemandKind.OPEN
        drawn = self._rng.random() * total
        for hint, weight in hints:
            drawn -= weight
            if drawn < 0:
                return _kind_of(hint)
        return DemandKind.OPEN

    def _probed(self, test: TestCase, sites: Sequence[Site], demands: Sequence[Demand], fields: list[_Field], runs: int) -> int:
        """How many runs it took until nothing new was asked."""
        session, around = self._session, self._around
        session.begin_anew()
        most = min(runs, around.rounds)
        denied: list[Demand] = []
        for count in range(1, most + 1):
            asked = [*demands, *(field.demand for field in fields)]
            before = sum(demand.size() for demand in asked)
            session.begin(denied[-1] if denied else None)
            values = [(Reference(self._factory.new(), _passed(session.value(demand))),) for demand in asked]
            around.tracer.reset()
            outcome = around.runner.run_aside(_with(test, sites, values, fields))
            around.tracer.drop_wanted()
            around.meter.spend()
            error = outcome.error
            learnt = type(error) is Decided or any(session.refine(one) for one in chain_of(error))
            if around.lacking and not learnt and len(fields) < MOST_FIELDS:
                learnt = any(_note_lacking(one, outcome.variables or {}, fields) for one in chain_of(error))
            timed_out = outcome.timed_out
            release(outcome)
            grown = sum(demand.size() for demand in asked) > before
            if timed_out or around.meter.stopped:
                return count
            if not (learnt or grown):
                following = next((one for one in _decided_on(asked) if one not in denied), None) if around.lacking else None
                if following is None:
                    return count
                denied.append(following)
        return most

    def _answered(
        self, test: TestCase, sites: Sequence[Site], demands: Sequence[Demand], fields: Sequence[_Field]
    ) -> Iterator[TestCase]:
        factory = self._factory
        for number in range(self._around.variants):
            maker = self._maker(number)
            parts = [maker.part(demand) for demand in (*demands, *(field.demand for field in fields))]
            for site, demand, part in zip(sites, demands, parts[: len(demands)], strict=True):
                if self.teaches and demand.size() > 2 and (not self._around.lacking or demand.kind not in _PLAIN):
                    factory.shaped.learn(site.callee, site.parameter.name, part)
            answered = _with(test, sites, [tuple(graft(part, factory.fresh)) for part in parts], fields)
            if len(answered) <= factory.max_length and answered.is_valid():
                yield answered


def _passed(value: object) -> Named:
    return Named("", "value", value)


def _decided_on(demands: Sequence[Demand]) -> Iterator[Demand]:
    """The values of which it was asked whether they are true, and nothing that tells what they are."""
    for demand in demands:
        yield from (node for node in demand.nodes() if node.is_decided_on and node.kind in (DemandKind.OPEN, DemandKind.OBJECT))


def _note_lacking(error: BaseException, variables: Mapping[Variable, object], fields: list[_Field]) -> bool:
    """An object of the test has no such attribute (a mixin asks for what its other bases have), or a method of it leaves it to
    subclasses: whether it can be given one."""
    found: tuple[object, str] | None = None
    if type(error) is AttributeError and type(error.name) is str and not error.name.startswith("__"):
        found = error.obj, error.name
    elif type(error) is NotImplementedError:
        found = _left_to_subclasses(error)
    if found is None or found[0] is None:
        return False
    variable = next((one for one, value in variables.items() if value is found[0]), None)
    if variable is None or any(field[:2] == (variable, found[1]) for field in fields):
        return False
    fields.append(_Field(variable, found[1], Demand(found[1])))
    return True


def _left_to_subclasses(error: BaseException) -> tuple[object, str] | None:
    """The object whose method raised ``error``, and the name of the method."""
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    if step is None:
        return None
    code = step.tb_frame.f_code
    is_method = code.co_argcount > 0 and not code.co_name.startswith("__")
    return (step.tb_frame.f_locals.get(code.co_varnames[0]), code.co_name) if is_method else None


def _with(test: TestCase, sites: Sequence[Site], parts: Sequence[tuple[Statement, ...]], fields: Sequence[_Field] = ()) -> TestCase:
    """``test`` with the arguments at ``sites`` replaced by what the first of ``parts`` make, and ``fields`` set to what the others
    do."""
    statements: list[Statement] = []
    for index, statement in enumerate(test.statements):
        replaced: list[tuple[Variable, Variable]] = []
        for site, part in zip(sites, parts[: len(sites)], strict=True):
            if site.statement == index:
                statements.extend(part)
                replaced.append((site.old, part[-1][0]))
        if replaced and isinstance(statement, st.Call | st.MethodCall):
            statements.append(statement._replace(arguments=_given(statement.arguments, replaced)))
        else:
            statements.append(statement)
        made = defined(statement)
        for field, part in zip(fields, parts[len(sites) :], strict=True):
            if field.variable == made:
                statements += [*part, st.SetAttribute(made, field.name, cast(Variable, defined(part[-1])))]
    return TestCase(_needed(statements, {site.old for site in sites}))


def _given(arguments: Arguments, replaced: Sequence[tuple[Variable, Variable]]) -> Arguments:
    """One argument after the other: two of them may be the same variable, and get values of their own."""
    positional, keywords = list(arguments.positional), list(arguments.keywords)
    for old, new in replaced:
        if old in positional:
            positional[positional.index(old)] = new
            continue
        place = next(place for place, (_, variable) in enumerate(keywords) if variable == old)
        keywords[place] = keywords[place][0], new
    return arguments._replace(positional=tuple(positional), keywords=tuple(keywords))


def _needed(statements: Sequence[Statement], replaced: set[Variable]) -> tuple[Statement, ...]:
    """Without literals that nobody reads any more, and without what made the arguments that were ``replaced``."""
    kept: list[Statement] = []
    read: set[Variable] = set()
    idle = set(replaced)
    for one in reversed(statements):
        variable = defined(one)
        if variable is not None and variable not in read and (type(one) is st.Literal or variable in idle):
            idle.update(used(one))
            continue
        read.update(used(one))
        kept.append(one)
    return tuple(reversed(kept))


def _is_unknown(hint: Hint) -> bool:
    """Whether a signature says little of the value: nothing, or only that it is a mapping, a text, bytes or any object. Of a list
    of somebody's own objects it says enough."""
    if isinstance(hint, UnionHint):
        return any(map(_is_unknown, hint.members))
    if is_any(hint) or _namespace(hint) is not None:
        return True
    if not isinstance(hint, ClassHint):
        return False
    awaited = _awaited(hint)
    if awaited is not None:
        return awaited == NONE or _is_unknown(awaited)
    return hint.cls is object or (_kind_of(hint) is not DemandKind.OPEN and all(map(_is_unknown, hint.arguments)))


def _namespace(hint: Hint) -> type | None:
    """The class, where its instances have whatever attributes they are made with."""
    return hint.cls if isinstance(hint, ClassHint) and id(hint.cls) in NAMESPACES else None


def _kind_of(hint: Hint) -> DemandKind:
    if isinstance(hint, UnionHint):
        return next((kind for kind in map(_kind_of, hint.members) if kind is not DemandKind.OPEN), DemandKind.OPEN)
    if not isinstance(hint, ClassHint):
        return DemandKind.OPEN
    if _awaited(hint) is not None:
        return DemandKind.ASYNC
    return next((kind for cls, kind in _KINDS if hint.cls is cls), DemandKind.OPEN)


def _awaited(hint: ClassHint) -> Hint | None:
    """What an asynchronous function of that type gives; None where it is none."""
    result = hint.arguments[-1] if hint.cls is _CALLABLE and hint.arguments else None
    if not isinstance(result, ClassHint) or not any(result.cls is cls for cls in _AWAITABLE):
        return None
    return result.arguments[-1] if result.arguments else ANY


def chain_of(error: BaseException | None) -> Iterator[BaseException]:
    """The exception, and those it was raised from or while handling."""
    for _ in range(_CAUSES):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__
