"""What somebody has written of a test, in the report or as a candidate, and what edits have to leave of it.

If ``expand(rule, date(2024, 1, 1))`` crashes, ``expand(rule, 1)`` often crashes as well, and ``datetime(2024, 5, 1)`` is a moment
still when it has become ``datetime(5, 1, 1)``. But nobody would have written these, and a version that looks at its arguments
refuses them. A file in the test's own folder is another matter, whoever wrote it: without its argument ``Path(folder)`` is the
folder that the test happens to be run in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias, TypeGuard

from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.editing.deletion import prune
from crashwright.engine.testcase.legality import is_standard
from crashwright.engine.testcase.seeds import class_of_value
from crashwright.engine.testcase.statements import Arguments, Literal, Statement, Value, Variable, same_value
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.typed import NOTHING_OBSERVED, Observed, type_of
from crashwright.engine.testcase.variables import defined, used

SHORT = 80
"""Characters of a candidate's literal that stays as it is: a longer one may have more in it than the crash needs."""
_CALLS = (st.Call, st.MethodCall, st.CallValue)
_AnyCall: TypeAlias = st.Call | st.MethodCall | st.CallValue
_Slot: TypeAlias = int | str
"""An argument of a call: its position or keyword."""
_Place: TypeAlias = tuple[Variable, _Slot]
"""... of the call that defines a variable."""


class AsWritten:
    """What was written, by variables, which stay when tests are varied. ``literals`` keep their values. ``new`` gives variables."""

    __slots__ = ("_new", "_uses", "_written", "literals")

    def __init__(self, new: Callable[[], Variable] | None = None) -> None:
        self._new = new
        self._written: dict[Variable, Statement] = {}
        self._uses: set[tuple[Variable, _Slot, Variable]] = set()
        self.literals: dict[Variable, Value] = {}

    def add(self, test: TestCase, literals: Mapping[Variable, Value], whole: bool = True) -> None:
        """Written are these literals, and what is made of nothing else. ``whole``: whatever their length they stay."""
        last = next((one for one in reversed(test.statements) if isinstance(one, _CALLS)), None)
        for statement in test.statements:
            variable = defined(statement)
            if variable is None:
                continue
            if statement is last or self._written.keys() >= set(used(statement)):
                self._uses.update((variable, *one) for one in _first_uses(statement))
            elif isinstance(statement, _CALLS):
                # The address of a request is written, whatever the client is made of.
                self._uses.update((variable, *one) for one in _arguments(statement) if one[1] in literals)
            if isinstance(statement, Literal):
                if variable not in literals and not self._is_of_written_parts(statement):
                    continue
                if whole or len(repr(statement.value)) <= SHORT:
                    self.literals[variable] = literals.get(variable, statement.value)
            elif not self._written.keys() >= set(used(statement)):
                continue
            self._written[variable] = statement

    def _is_of_written_parts(self, literal: Literal) -> bool:
        parts = set(used(literal))
        return bool(parts) and self._written.keys() >= parts

    def apart(self, test: TestCase) -> TestCase:
        """``test`` with values of their own for what nobody wrote: in the report's line ``"\\n".join(lines(order, 17))`` stands no
        ``Order("\\n")``, though the literal was at hand when that was made."""
        if self._new is None:
            return test
        known = {one.variable: one for one in test.statements if isinstance(one, Literal) and one.variable in self._written}
        statements: list[Statement] = []
        for statement in test.statements:
            user = defined(statement)
            if isinstance(statement, _CALLS):
                own = {
                    slot: Literal(self._new(), known[passed].value)
                    for slot, passed in _arguments(statement)
                    if passed in known and (user, slot, passed) not in self._uses
                }
                statements += own.values()
                statement = _passing(statement, own) if own else statement
            statements.append(statement)
        return prune(TestCase(tuple(statements))) if len(statements) > len(test) else test

    def left_of(self, test: TestCase, observed: Observed = NOTHING_OBSERVED) -> Left:
        """What edits of ``test`` have to leave."""
        return Left(test, self._written, self.literals, observed)


class Left:
    """What has to be left of one test. Arguments that somebody wrote keep their types, those of the standard library (dates,
    numbers, paths) their values; they go only with their call, or in favour of a default that says something."""

    def __init__(
        self, test: TestCase, written: Mapping[Variable, Statement], literals: Mapping[Variable, Value], observed: Observed
    ) -> None:
        self._observed = observed
        self._literals = {one.variable: one.value for one in test.statements if _is_as_written(one, literals)}
        self._folders = dict.fromkeys(_of_own_files(test))
        self._apart = _places_apart(test)
        self._looks: dict[_Place, object] = {}
        self._needed: set[_Place] = set()
        known: dict[Variable, Statement] = {}
        for statement in test.statements:
            if isinstance(statement, _CALLS):
                for slot, passed in _arguments(statement):
                    given = known.get(passed)
                    if given is not None and passed in written and type(written[passed]) is type(given):
                        self._looks[statement.variable, slot] = self._look(given, known)
                        if _says_more_than_default(statement, slot, given):
                            self._needed.add((statement.variable, slot))
            made = defined(statement)
            if made is not None:
                known[made] = statement

    def holds(self, test: TestCase) -> bool:
        """Whether ``test``, which was made of that one, still has it."""
        known: dict[Variable, Statement] = {}
        for statement in test.statements:
            if isinstance(statement, _CALLS):
                left = dict(_arguments(statement))
                for place in self._needed:
                    if place[0] == statement.variable and place[1] not in left:
                        return False
                for slot, passed in left.items():
                    look = self._looks.get((statement.variable, slot))
                    if look is not None and passed in known and self._look(known[passed], known) != look:
                        return False
            if isinstance(statement, Literal) and not _is_as_written(statement, self._literals, True):
                return False
            made = defined(statement)
            if made is not None:
                known[made] = statement
        return self._apart <= _places_apart(test) and (not self._folders or self._keeps_folders(test, known))

    def _keeps_folders(self, test: TestCase, known: Mapping[Variable, Statement]) -> bool:
        now = dict.fromkeys(_of_own_files(test))
        return all(place in now for place in self._folders if place[0] in known)

    def _look(self, given: Statement, known: Mapping[Variable, Statement]) -> object:
        """Equal for values that may stand for each other."""
        if isinstance(given, Literal):
            return class_of_value(given.value) or Literal
        if isinstance(given, st.Call) and is_standard(given.callee):
            parts = [(slot, self._value(known.get(passed), known)) for slot, passed in _arguments(given)]
            return given.callee.address, tuple(parts)
        return type_of(given, self._observed) or type(given)

    def _value(self, given: Statement | None, known: Mapping[Variable, Statement]) -> object:
        if isinstance(given, Literal):
            shown = repr(given.value)
            return shown if len(shown) <= SHORT else class_of_value(given.value)
        return None if given is None else self._look(given, known)


def _first_uses(statement: Statement) -> Iterator[tuple[_Slot, Variable]]:
    """The arguments of a call, but for those that were passed before: what fills an unknown may be what was at hand by then."""
    seen: set[Variable] = set()
    for slot, passed in _arguments(statement) if isinstance(statement, _CALLS) else ():
        if passed not in seen:
            yield slot, passed
        seen.add(passed)


def _passing(call: _AnyCall, own: Mapping[_Slot, Literal]) -> _AnyCall:
    positional, keywords, star, double_star = call.arguments
    changed = Arguments(
        tuple([own[slot].variable if slot in own else passed for slot, passed in enumerate(positional)]),
        tuple([(name, own[name].variable if name in own else passed) for name, passed in keywords]),
        star,
        double_star,
    )
    return call._replace(arguments=changed)


def _is_as_written(statement: Statement, literals: Mapping[Variable, Value], otherwise: bool = False) -> TypeGuard[Literal]:
    """Whether it is a literal with the value that was written; ``otherwise`` where none was."""
    if not isinstance(statement, Literal) or statement.variable not in literals:
        return otherwise
    return same_value(literals[statement.variable], statement.value)


def _arguments(call: _AnyCall) -> Iterator[tuple[_Slot, Variable]]:
    yield from enumerate(call.arguments.positional)
    yield from call.arguments.keywords


def _says_more_than_default(call: _AnyCall, slot: _Slot, given: Statement) -> bool:
    """Whether nothing takes the place of an argument that is left out, None, or what only the standard library knows."""
    callee: Callee | None = call.callee
    if callee is None:
        return False
    if is_standard(callee):
        return True
    parameter = next((one for place, one in enumerate(callee.parameters) if slot in (place, one.name)), None)
    is_none = isinstance(given, Literal) and given.value is None
    return parameter is not None and not parameter.required and parameter.default is None and not is_none


def _places_apart(test: TestCase) -> frozenset[str]:
    """The folders that are new for the test: what it stores would else be where it happens to be run."""
    return frozenset(
        one.place for one in test.statements if isinstance(one, st.Ambient) and one.place in ("folder", "home", "project")
    )


def _of_own_files(test: TestCase) -> Iterator[_Place]:
    """The arguments that come from a file of the test, or from a folder that it makes for itself."""
    own: set[Variable] = set()
    for statement in test.statements:
        variable = defined(statement)
        if isinstance(statement, _CALLS):
            yield from ((statement.variable, slot) for slot, passed in _arguments(statement) if passed in own)
        is_own = isinstance(statement, st.FileFixture) or (isinstance(statement, st.Call) and statement.callee.module == "tempfile")
        if variable is not None and (is_own or not own.isdisjoint(used(statement))):
            own.add(variable)
