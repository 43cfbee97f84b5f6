"""The last pass over a test of a crash: arguments that are beside the point get values that somebody would write.

Minimising leaves what is shortest: ``None``, ``0``, ``""``, a lambda or a class where any value does. A maintainer takes those for
the cause, and a version that looks at its arguments first refuses them: the test then proves another bug, or none. So each
argument that is not of its parameter's usual type, or empty, is given an ordinary value of that type, as long as the run stays as
it was.

# Deviation: none of the papers does this; to them the smallest test is the best one.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random
from typing import NamedTuple, Protocol

from crashwright.engine.sources.values.usual_types import Usual, UsualTypes, is_degenerate, ordinary_values
from crashwright.engine.subject.api.callee import Callee, Parameter
from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.subject.introspection import derives, identities
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.binding import bound
from crashwright.engine.testcase.editing.deletion import is_pure, prune
from crashwright.engine.testcase.editing.minimise import minimise
from crashwright.engine.testcase.legality import is_standard
from crashwright.engine.testcase.making.casting import recast
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.values import VALUE_TYPES
from crashwright.engine.testcase.statements import Arguments, Display, Literal, Statement, Value, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.typed import Observed, type_of
from crashwright.engine.testcase.variables import defined

_CODE = identities(types.FunctionType, types.BuiltinFunctionType, types.ModuleType, types.SimpleNamespace)
Good = Callable[[TestCase], bool]

MOST_TESTS = 50
"""Tests that are run for one test, those that make an object smaller not counted."""
AT_ONCE = 2
"""Of the values for each odd argument: so many of the first are given to all at once."""
DRAWS = 5
"""Objects that are made for one argument."""
LARGER = 2
"""Statements with an effect that an object may need."""
SMALLER = 40
"""Tests to make one smaller that has an object more."""
EMPTY, STRANGE, UNKNOWN, ANOTHER_TYPE = 1, 2, 4, 8
"""How odd an argument is: nothing in it, or any text where certain ones are known, or any value where others have None; an object
of the subject where any collection may stand, and nobody passes such; a thing that is rarely data; a type that the parameter does
not take."""


class _Place(NamedTuple):
    """An argument of a call: the parameter and where it stands. ``made`` is the variable of the call: it stays when statements are
    put before it."""

    at: int
    made: Variable
    slot: int | str
    callee: Callee
    parameter: Parameter
    oddness: int


class OrdinaryLooks(Protocol):
    """What is odd about an argument by itself, whatever its parameter usually takes, and what is plainer."""

    def oddness(self, given: Statement, parameter: Parameter) -> int: ...
    def plainer(self, given: Statement, parameter: Parameter) -> Iterable[Value]: ...


class Ordinary:
    """For one subject. ``kept`` are literals of the report, by variable: they are never odd. ``looks`` are asked besides."""

    def __init__(
        self, usual: UsualTypes, factory: Factory, rng: Random, kept: Mapping[Variable, Value], looks: OrdinaryLooks | None = None
    ) -> None:
        self._usual = usual
        self._factory = factory
        self._rng = rng
        self._kept = kept
        self._looks = looks
        self._written: list[Literal] = []

    def oddness(self, test: TestCase) -> int:
        """How much of a test nobody would write; 0 for none of it."""
        return sum(place.oddness for place in self._places(test))

    def of_other_types(self, test: TestCase) -> dict[tuple[str, str], int]:
        """How odd arguments are, by callee and parameter, by their types alone: that an empty text is the shortest is no reason to
        make a text of an object, and no right type elsewhere makes up for that."""
        odd: dict[tuple[str, str], int] = {}
        for place in self._places(test):
            if place.oddness > EMPTY:
                key = place.callee.address, place.parameter.name
                odd[key] = max(place.oddness, odd.get(key, 0))
        return odd

    def is_made_up(self, test: TestCase) -> bool:
        """Whether an argument is a callable or an object that the test makes up, where nothing asks for such."""
        known = {defined(statement): statement for statement in test.statements}
        return any(
            place.oddness >= UNKNOWN and _is_made_up(known.get(_variable(test, place)), self._factory.observed)
            for place in self._places(test)
        )

    def made_of(self, test: TestCase, good: Good, goes_on: Callable[[], bool] = lambda: True) -> TestCase:
        """``test``, which is good, with ordinary values for as many odd arguments as stay good."""
        best, least = test, self.oddness(test)
        tried = {test.key()}
        done: set[tuple[Variable, int | str]] = set()

        def better(candidate: TestCase) -> bool:
            if len(tried) > MOST_TESTS or candidate.key() in tried or not goes_on():
                return False
            if self.oddness(candidate) >= least or not candidate.is_valid():
                return False
            tried.add(candidate.key())
            return good(candidate)

        for choice in range(AT_ONCE):
            together = self._at_once(best, choice)
            if better(together):
                best, least = together, self.oddness(together)
        while len(tried) <= MOST_TESTS:
            odd = (place for place in self._places(best) if place.oddness)
            place = next((one for one in odd if (one.made, one.slot) not in done), None)
            if place is None:
                break
            done.add((place.made, place.slot))
            found = next(filter(better, self._candidates(best, place)), None)
            if found is not None:
                best = self._smaller(found, lambda candidate: goes_on() and good(candidate))
                least = self.oddness(best)
        return best

    def _smaller(self, test: TestCase, good: Good) -> TestCase:
        """An object's own arguments are drawn: what it does not need goes. What somebody has written stays."""
        odd = self.oddness(test)
        keep = dict(self._kept) | {literal.variable: literal.value for literal in self._written if literal in test.statements}
        return minimise(test, lambda candidate: self.oddness(candidate) <= odd and good(candidate), SMALLER, keep)

    # What is odd

    def _places(self, test: TestCase) -> Iterator[_Place]:
        known: dict[Variable, Statement] = {}
        for index, statement in enumerate(test.statements):
            if (
                isinstance(statement, st.Call | st.MethodCall)
                and statement.callee is not None
                and not is_standard(statement.callee)
            ):
                arguments, callee = statement.arguments, statement.callee
                positional: list[int | str] = [*range(len(arguments.positional))]
                for named, slot in bound(callee, positional, [(name, name) for name, _ in arguments.keywords]):
                    parameter = self._factory.understood.of(callee, slot, named)
                    given = known.get(_passed(arguments, slot))
                    yield _Place(
                        index,
                        statement.variable,
                        slot,
                        callee,
                        parameter,
                        0
                        if given is None or self._is_kept(given)
                        else self._odd(callee, parameter, given) or self._look(parameter, given),
                    )
            made = defined(statement)
            if made is not None:
                known[made] = statement

    def _odd(self, callee: Callee, parameter: Parameter, given: Statement) -> int:
        if isinstance(given, Literal) and given.value is None and not parameter.required and parameter.default is None:
            return 0
        cls = type_of(given, self._factory.observed)
        if cls is None:
            return 0
        usual = self._usual.of(callee, parameter)
        if usual.hints and not usual.takes(cls):
            if not usual.guessed or self._is_own(usual):
                return ANOTHER_TYPE
            # A name is no evidence against data of another kind.
            return UNKNOWN if _is_rarely_data(given, cls) else EMPTY
        if not usual.hints:
            if usual.left_out and isinstance(given, Literal):
                return 0 if given.value is None else EMPTY
            return UNKNOWN if _is_rarely_data(given, cls) else 0
        if self._factory.is_own(cls) and usual.takes_only_as_collection(cls):
            return STRANGE
        return EMPTY if _is_empty(given) or self._is_any_text(given, usual) else 0

    def _is_kept(self, given: Statement) -> bool:
        if not isinstance(given, Literal) or given.variable not in self._kept:
            return False
        return st.same_value(self._kept[given.variable], given.value)

    def _values(self, place: _Place, given: Statement | None) -> list[Value]:
        """Literals to try, the most likely first: where a container has something in it, what is only plainer than that."""
        usual = ordinary_values(self._usual.of(place.callee, place.parameter), place.parameter)
        if self._looks is None or given is None:
            return usual
        plainer = list(self._looks.plainer(given, place.parameter))
        is_filled = isinstance(given, Literal) and isinstance(given.value, Display) and bool(given.value.items)
        return [*plainer, *usual] if is_filled else [*usual, *plainer]

    def _look(self, parameter: Parameter, given: Statement) -> int:
        return 0 if self._looks is None else self._looks.oddness(given, parameter)

    def _is_any_text(self, given: Statement, usual: Usual) -> bool:
        """A text that stands for none in particular, where some are known for the parameter."""
        if not isinstance(given, Literal) or type(given.value) is not str or not usual.named:
            return False
        return given.value not in usual.named and given.value not in usual.values

    def _is_own(self, usual: Usual) -> bool:
        """The parameter is called after a class of the subject."""
        return any(isinstance(hint, ClassHint) and self._factory.is_own(hint.cls) for hint in usual.hints)

    # What to try

    def _at_once(self, test: TestCase, choice: int) -> TestCase:
        """The first value for all odd arguments, or the second: two that are compared with each other have to change together."""
        for odd in [one for one in self._places(test) if one.oddness]:
            place = next((one for one in self._places(test) if (one.made, one.slot) == (odd.made, odd.slot)), None)
            given = None if place is None else _given(test, place)
            values = self._values(odd, given)
            if values and place is not None:
                literal = Literal(self._factory.new(), values[min(choice, len(values) - 1)])
                self._written.append(literal)
                test = _with(test, place, (literal,), literal.variable)
        return test

    def _candidates(self, test: TestCase, place: _Place) -> Iterator[TestCase]:
        usual = self._usual.of(place.callee, place.parameter)
        given = _given(test, place)
        for value in self._values(place, given):
            literal = Literal(self._factory.new(), value)
            self._written.append(literal)
            yield _with(test, place, (literal,), literal.variable)
        for value in _same_content(given.value, usual) if isinstance(given, Literal) else ():
            literal = Literal(self._factory.new(), value)
            yield _with(test, place, (literal,), literal.variable)
        yield from sorted(self._objects(test, place, usual), key=lambda candidate: (self.oddness(candidate), len(candidate)))

    def _objects(self, test: TestCase, place: _Place, usual: Usual) -> Iterable[TestCase]:
        before = list(test.statements[: place.at])
        for hint in usual.hints[:3]:
            if isinstance(hint, ClassHint) and hint.cls in VALUE_TYPES and not (self._looks is not None and _holds_objects(hint)):
                continue
            for _ in range(DRAWS):
                made = list(before)
                variable = self._factory.argument(made, hint, self._rng, 0, place.parameter.name, legal=True)
                added = made[len(before) :]
                if sum(not is_pure(statement) for statement in added) <= LARGER:
                    yield _with(test, place, added, variable)


def _holds_objects(hint: ClassHint) -> bool:
    """Whether a container of these is asked for, which no literal alone is."""
    return any(isinstance(part, ClassHint) and part.cls not in VALUE_TYPES for part in hint.arguments)


def _same_content(value: Value, usual: Usual) -> Iterator[Value]:
    """The content of a value of another type in each type that is usual."""
    for hint in usual.hints:
        if isinstance(hint, ClassHint):
            other = recast(value, hint.cls)
            if other is not None and not is_degenerate(other):
                yield other


def _is_rarely_data(given: Statement, cls: type) -> bool:
    """A callable or an object made up in the test, a class, function or module, None, a bare ``object()``."""
    if isinstance(given, Literal):
        return given.value is None
    return isinstance(given, st.StubCallable) or cls is object or derives(cls, type) or id(cls) in _CODE


def _is_made_up(given: Statement | None, observed: Observed) -> bool:
    if given is None:
        return False
    return isinstance(given, st.StubCallable) or type_of(given, observed) is types.SimpleNamespace


def _is_empty(given: Statement) -> bool:
    return isinstance(given, Literal) and given.value is not None and is_degenerate(given.value)


def _given(test: TestCase, place: _Place) -> Statement | None:
    return next((one for one in test.statements[: place.at] if defined(one) == _variable(test, place)), None)


def _variable(test: TestCase, place: _Place) -> Variable:
    statement = test.statements[place.at]
    assert isinstance(statement, st.Call | st.MethodCall)
    return _passed(statement.arguments, place.slot)


def _passed(arguments: Arguments, slot: int | str) -> Variable:
    if type(slot) is int:
        return arguments.positional[slot]
    return next(variable for name, variable in arguments.keywords if name == slot)


def _with(test: TestCase, place: _Place, added: Iterable[Statement], variable: Variable) -> TestCase:
    """``test`` with ``variable``, which ``added`` define, for the argument."""
    statement = test.statements[place.at]
    assert isinstance(statement, st.Call | st.MethodCall)
    positional, keywords, star, double_star = statement.arguments
    if type(place.slot) is int:
        positional = (*positional[: place.slot], variable, *positional[place.slot + 1 :])
    else:
        keywords = tuple((name, variable if name == place.slot else old) for name, old in keywords)
    changed = statement._replace(arguments=Arguments(positional, keywords, star, double_star))
    statements = (*test.statements[: place.at], *added, changed, *test.statements[place.at + 1 :])
    return prune(TestCase(statements))
