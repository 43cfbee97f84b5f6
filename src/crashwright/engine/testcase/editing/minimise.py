"""Makes a test small while it stays good: delta debugging over statements, then simpler values and fewer arguments (SPEC 9).

A test that a search ends with carries what evolution left in it. A reader wants what matters, first fewer statements, then values
that somebody would type. The minimiser only proposes; whoever asks decides what *good* means (the crash as it was reported, the
goals that a test is kept for) and runs the candidates. ``Minimiser`` is ask/tell; :func:`minimise` drives it with a predicate.

It is a list of passes, each a generator that proposes candidates made from ``best``; all are gone through again until a whole
round changes nothing. A pass need not be told what became of a candidate: ``best`` has become it, or is what it was.

Invariants:

- ``best`` was judged good, or is the test that was given. It only ever becomes a candidate as it was asked about.
- Candidates are valid tests, definitions before uses, whatever the statements mean: what used a statement goes with it, or takes
  another variable. No candidate has more statements than ``best``.
- A candidate that was refused is not asked about again, by which pass ever. That is why a second round costs little.
- Every simplification leads downhill: no chain of them comes back to where it began, and so it ends. Sizes are not compared; the
  passes have to see to it. ``max_checks`` bounds what it costs.
- Literals of ``keep`` keep their values, though they may go. Nothing is drawn at random: the same verdicts give the same test.

To add a *simpler value*: a line in the generator of its type in ``editing.simpler`` (``_texts``, ``_ints`` and so on), boldest
first, since each refusal costs a run; for a *kind of statement* a case in ``simpler_statements``. What is already simple must
yield nothing that leads back to it. To add a *pass*: a generator of whole tests here, named in :meth:`Minimiser._all_passes`,
passes that take away much before those that polish. After each ``yield`` it reads ``best`` again: an index of before may lie
behind its end.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from types import MappingProxyType

from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.editing.deletion import prune, renamed, stands_in, surviving
from crashwright.engine.testcase.editing.simpler import simpler_statements, simpler_values
from crashwright.engine.testcase.slices import slice_of
from crashwright.engine.testcase.statements import Value, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.typed import type_of
from crashwright.engine.testcase.variables import defined, used

Proposals = Generator[TestCase, bool, None]
_CALLS = frozenset({st.Call, st.MethodCall, st.CallValue, st.GetAttribute, st.GetItem, st.Operation})
_OWN_DOING = frozenset({st.Literal, st.Definition, st.StubCallable})
"""What no other of its type stands for: two functions do different things."""
_SIMPLE_OF: dict[type, Value] = {str: "a", int: 1, float: 1.0, bool: True, bytes: b"a", type(None): None}
_SIMPLE: tuple[Value, ...] = ("a", 1, None)
"""Where the class of a result is not known."""


class Minimiser:
    """``best`` is the smallest good test so far, at first ``test`` itself, which must be good. ``ask`` gives the next
    candidate, None when nothing is left to try or after ``max_checks``; ``tell`` says whether it is good. Literals that have
    their value of ``keep`` are not made simpler, though they may go; without ``values`` none is, and statements only go."""

    def __init__(
        self,
        test: TestCase,
        max_checks: int = 1000,
        keep: Mapping[Variable, Value] = MappingProxyType({}),
        values: bool = True,
    ) -> None:
        self.best = test
        self._keep = keep
        self._with_values = values
        self.checks = 0
        self._max_checks = max_checks
        self._refused: set[int] = set()
        self._passes = self._all_passes()
        self._candidate: TestCase | None = None
        self._advance(None)

    def ask(self) -> TestCase | None:
        """The next candidate."""
        return self._candidate if self.checks < self._max_checks else None

    def tell(self, good: bool) -> None:
        """The verdict on the candidate. Raises RuntimeError where there is none."""
        if self._candidate is None:
            raise RuntimeError("no candidate to judge")
        self.checks += 1
        if good:
            self.best = self._candidate
        else:
            self._refused.add(self._candidate.key())
        self._advance(good)

    def _advance(self, verdict: bool | None) -> None:
        """To the next candidate that was not refused before."""
        try:
            candidate = next(self._passes) if verdict is None else self._passes.send(verdict)
            while candidate.key() in self._refused:
                candidate = self._passes.send(False)
        except StopIteration:
            self._candidate = None
            return
        self._candidate = candidate

    def _all_passes(self) -> Proposals:
        """Every pass, again while any of them still makes progress."""
        while True:
            before = self.best
            if self._with_values:
                yield from self._plain()
            yield from self._needed()
            yield from self._chunks()
            yield from self._reuse()
            yield from self._receivers()
            if self._with_values:
                yield from self._results()
                yield from self._values()
            if self.best is before:
                return

    def _plain(self) -> Proposals:
        """All values at once the first of their simpler ones, and those that are empty then something short."""
        for empty in (True, False):
            plain = tuple([self._plainer(statement, empty) for statement in self.best.statements])
            if plain != self.best.statements:
                yield TestCase(plain)

    def _plainer(self, statement: st.Statement, empty: bool) -> st.Statement:
        if type(statement) is not st.Literal or self._is_kept(statement):
            return statement
        simplest = next(simpler_values(statement.value), None)
        if simplest is None:
            return statement
        return st.Literal(statement.variable, simplest if empty else _SIMPLE_OF.get(type(statement.value), simplest))

    def _needed(self) -> Proposals:
        """Only what the value of the last statement comes from, or also what happens to that; then without what defines variables
        that nobody uses."""
        for effects in (False, True):
            # A test without statements crashes by what is set up around it.
            sliced = slice_of(self.best.statements, len(self.best) - 1, effects) if len(self.best) else ()
            if 0 < len(sliced) < len(self.best):
                yield TestCase(sliced)
        pruned = prune(self.best)
        if len(pruned) < len(self.best):
            yield pruned

    def _chunks(self) -> Proposals:
        """Without chunks of statements, from the end, of half the test down to single statements."""
        size = max(1, len(self.best) // 2)
        while True:
            end = len(self.best)
            while end > 0:
                start = max(0, end - size)
                smaller = without(self.best, start, end)
                if 0 < len(smaller) < len(self.best) and not self._empties(smaller):
                    yield smaller
                end = min(start, len(self.best))
            if size == 1:
                return
            size //= 2

    def _reuse(self) -> Proposals:
        """Another variable of the same type in place of the one that a statement defines, which then goes."""
        index = len(self.best) - 1
        while index > 0:
            index = min(index, len(self.best) - 1)
            statements = self.best.statements
            cls = type_of(statements[index])
            gone = defined(statements[index])
            shared = cls is not None and gone is not None and not _is_own_doing(statements[index])
            if shared and gone is not None and not stands_in(statements[index + 1 :], gone):
                for earlier in statements[:index]:
                    other = defined(earlier)
                    if other is not None and other != gone and type_of(earlier) is cls:
                        yield TestCase(statements[:index] + renamed(statements[index + 1 :], gone, other))
                        break
            index -= 1

    def _receivers(self) -> Proposals:
        """The object in place of what a method of it returns, where others only go on with that: an iterator is its own, and
        methods that may be chained return what they were called on."""
        for index in range(len(self.best) - 2, -1, -1):
            statements = self.best.statements
            call = statements[index] if index < len(statements) - 1 else None
            if not isinstance(call, st.MethodCall):
                continue
            later = statements[index + 1 :]
            using = [one for one in later if call.variable in used(one)]
            if using and all(_goes_on_with(one, call.variable) for one in using):
                yield TestCase(statements[:index] + renamed(later, call.variable, call.receiver))

    def _results(self) -> Proposals:
        """Simple values in place of what a call returns that later statements use."""
        for index in range(len(self.best) - 2, -1, -1):
            if index >= len(self.best) - 1:
                continue
            statements = self.best.statements
            variable = defined(statements[index])
            if type(statements[index]) not in _CALLS or variable is None:
                continue
            if any(getattr(later, "receiver", None) == variable for later in statements[index + 1 :]):
                continue  # the methods of another class are another test
            cls = type_of(statements[index])
            for value in _SIMPLE if cls is None else (_SIMPLE_OF[cls],) if cls in _SIMPLE_OF else ():
                yield TestCase((*statements[:index], st.Literal(variable, value), *statements[index + 1 :]))
                if self.best.statements is not statements:
                    break

    def _values(self) -> Proposals:
        """Simpler versions of each statement, in their turn simplified, from the last statement on."""
        for index in range(len(self.best) - 1, -1, -1):
            progress = True
            while progress and index < len(self.best):
                progress = False
                statements = self.best.statements
                if self._is_kept(statements[index]) or self._is_filled(statements[index]):
                    break
                for simpler in simpler_statements(statements[index]):
                    yield TestCase((*statements[:index], simpler, *statements[index + 1 :]))
                    if self.best.statements is not statements:
                        progress = True
                        break

    def _empties(self, smaller: TestCase) -> bool:
        """Whether an object loses a part that is kept."""
        left = {one.variable: one for one in smaller.statements if isinstance(one, st.Call)}
        calls = [one for one in self.best.statements if isinstance(one, st.Call) and one.variable in left and self._is_filled(one)]
        return any(left[one.variable].arguments.keywords != one.arguments.keywords for one in calls)

    def _is_filled(self, statement: st.Statement) -> bool:
        """Whether it is a call with keywords whose values are kept: an object has what it needs, also where the crash is not."""
        keywords = statement.arguments.keywords if isinstance(statement, st.Call) else ()
        return bool(keywords) and all(variable in self._keep for _, variable in keywords)

    def _is_kept(self, statement: st.Statement) -> bool:
        if not isinstance(statement, st.Literal | st.Ambient) or statement.variable not in self._keep:
            return False
        held = statement.value if isinstance(statement, st.Literal) else statement.content
        return st.same_value(self._keep[statement.variable], held)


def minimise(
    test: TestCase,
    still_good: Callable[[TestCase], bool],
    max_checks: int = 1000,
    keep: Mapping[Variable, Value] = MappingProxyType({}),
    values: bool = True,
) -> TestCase:
    """The smallest version of ``test`` found with at most ``max_checks`` calls of ``still_good``, which holds for ``test``. For
    ``keep`` and ``values`` see :class:`Minimiser`."""
    minimiser = Minimiser(test, max_checks, keep, values)
    while (candidate := minimiser.ask()) is not None:
        minimiser.tell(still_good(candidate))
    return minimiser.best


def _is_own_doing(statement: st.Statement) -> bool:
    """Whether no other of its type stands for what it makes: each mock has answers of its own."""
    return type(statement) in _OWN_DOING or st.is_mock(statement)


def _goes_on_with(statement: st.Statement, variable: Variable) -> bool:
    """Whether it calls a method of the variable, or goes through it, and does nothing else with it."""
    if isinstance(statement, st.Iterate):
        return True
    held = isinstance(statement, st.MethodCall) and statement.receiver == variable
    return held and sum(one == variable for one in used(statement)) == 1


def without(test: TestCase, start: int, end: int) -> TestCase:
    """Without the statements from ``start`` to ``end`` and what depends on them; optional uses of them are dropped."""
    head = test.statements[:start]
    gone = {v for statement in test.statements[start:end] if (v := defined(statement)) is not None}
    gone.difference_update(v for statement in head if (v := defined(statement)) is not None)
    return TestCase(head + surviving(test.statements[end:], gone))
