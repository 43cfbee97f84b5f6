"""What a found test goes through before it is told of: passes, one after the other, each of which proposes tests and leaves the
judgement to one predicate.

A pass takes a test and the predicate, and returns a test for which that holds: the given one, if it finds nothing better. To add
one: a function or method of that form, and its place in :meth:`Finishing._passes`. What takes away comes before what puts something
usual in the place of the rest, and what tidies up comes last. Nobody but the predicate looks at the clock: if time is the budget,
it refuses all that is proposed once its time is over, and so every pass comes to an end.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Protocol, TypeAlias

from crashwright.engine.frameworks.ways_in import in_own_folder
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.clues import Clues
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.search.finishing_touches import touched_up
from crashwright.engine.testcase.editing.as_written import Left
from crashwright.engine.testcase.editing.laid_out import laid_out
from crashwright.engine.testcase.editing.minimise import minimise
from crashwright.engine.testcase.editing.unused import without_unused
from crashwright.engine.testcase.statements import Literal, same_value
from crashwright.engine.testcase.testcase import TestCase

LEGAL_CANDIDATES, LEGAL_STEPS, LEGAL_RUNS = 3000, 3, 200
"""How many mutants are looked at for a legal one, how many mutations away from the test they may be, and how many are run."""
MINIMISE_CHECKS = 400
"""How many candidates the minimiser may run for one test."""
SECONDS = 4.5
"""How long all of it may take if time is the budget: half a second later the host judges what it has been told of ..."""
FIRST_SECONDS = 3.0
"""... and what of that may go before it is told of the first smaller test."""
PARTIAL_SECONDS = 0.7
"""How long a test that falls short of the crash is made smaller: others wait, searches from frames further in."""
Good: TypeAlias = Callable[[TestCase], bool]
Pass: TypeAlias = Callable[[TestCase, Good], TestCase]
Measure: TypeAlias = Callable[[TestCase], CrashScore]
Odd: TypeAlias = Mapping[tuple[str, str], int]


class Mutating(Protocol):
    """What changes a test a little."""

    def mutate(self, individual: TestCase, rng: random.Random, /) -> TestCase: ...


class Finishing:
    """For one search. ``measure`` runs a test and scores it."""

    def __init__(self, measure: Measure, operators: Mutating, clues: Clues, meter: BudgetMeter, rng: random.Random) -> None:
        self._measure = measure
        self._operators = operators
        self._clues = clues
        self._meter = meter
        self._rng = rng
        self._ends: float | None = None
        self._wanted = CrashScore(0.0, 0, 0, 0)
        self._is_bound_to_law = False
        self._odd: Odd = {}
        self._left: Left | None = None

    def made_of(self, found: Evaluation) -> Iterator[Evaluation]:
        """Better versions of the test, the best one last; none if it does not repeat: the smaller ones would mean nothing."""
        self._wanted = found.score
        if not self._is_as_good(found.test):
            return
        begin = self._meter.seconds
        first, last = (FIRST_SECONDS, SECONDS) if found.score.level == 4 else (PARTIAL_SECONDS, PARTIAL_SECONDS)
        self._end_after(begin, last)
        ran = TestCase(found.test.statements[: found.ran or None])
        test = self._quoting(ran if self._is_as_good(ran) else found.test, self._is_as_good)
        test = self._legal(test, self._is_as_good)
        apart = self._clues.shown.apart(test)
        test = apart if apart is not test and self._is_as_good(apart) else test
        alone = in_own_folder(test)
        test = alone if alone is not test and self._is_as_good(alone) else test
        self._hold(test, found)
        told = found.test
        for number, one in enumerate(self._passes()):
            self._end_after(begin, last if number else first)
            test = one(test, self._is_good)
            self._odd = self._of_other_types(test)  # what a pass has put right no other spoils
            if number in (0, len(self._passes()) - 1) and test is not told:
                told = test
                yield Evaluation(test, self._measure(test))

    def _passes(self) -> tuple[Pass, ...]:
        """In order."""
        kept = self._clues.kept
        smaller: Pass = partial(_minimised, self._clues)
        if self._wanted.level < 4:
            return smaller, self._standard, self._with_other_keys
        return (
            smaller,
            self._repaired,
            self._usual,
            self._plain,
            self._standard,
            lambda test, good: touched_up(test, good, kept, self._clues.loops),
            lambda test, good: laid if (laid := laid_out(test, kept)) is not test and good(laid) else test,
            self._with_other_keys,
            without_unused,
        )

    # What is good

    def _end_after(self, begin: float, seconds: float) -> None:
        self._ends = begin + seconds if self._meter.is_timed else None

    @property
    def _is_late(self) -> bool:
        return self._ends is not None and self._meter.seconds >= self._ends

    def _hold(self, test: TestCase, found: Evaluation) -> None:
        """What ``test`` is, others that are made of it have to be as well."""
        self._wanted = found.score if test is found.test else self._measure(test)
        self._is_bound_to_law = self._clues.is_legal(test)
        self._odd = self._of_other_types(test)
        self._left = self._clues.left_of(test)

    def _is_good(self, test: TestCase) -> bool:
        """The crash stays what it is, and no argument becomes what it should not be; what is cheap to see is asked first."""
        if self._is_bound_to_law and not self._clues.is_legal(test):
            return False
        if any(odd > self._odd.get(place, 0) for place, odd in self._of_other_types(test).items()):
            return False
        return (self._left is None or self._left.holds(test)) and self._is_as_good(test)

    def _is_as_good(self, test: TestCase) -> bool:
        if self._is_late:
            return False
        score, wanted = self._measure(test), self._wanted
        if score.level == wanted.level == 4 and score.fitness > wanted.fitness:
            return False  # less of the report: smaller, but likely another bug
        alike = score.level >= wanted.level and score.agreeing >= wanted.agreeing
        return alike and score.ends_alike >= wanted.ends_alike

    def _of_other_types(self, test: TestCase) -> Odd:
        return {} if self._clues.ordinary is None else self._clues.ordinary.of_other_types(test)

    # What it goes through

    def _quoting(self, test: TestCase, good: Good) -> TestCase:
        """With the literals of the report put back, all of them or one by one."""
        quoted = self._clues.quoted
        changed = [
            (index, Literal(statement.variable, quoted[statement.variable]))
            for index, statement in enumerate(test.statements)
            if type(statement) is Literal
            and statement.variable in quoted
            and not same_value(quoted[statement.variable], statement.value)
        ]
        for group in (changed, *([change] for change in changed if len(changed) > 1)):
            statements = list(test.statements)
            for index, literal in group:
                statements[index] = literal
            candidate = TestCase(tuple(statements))
            if group and good(candidate):
                test = candidate
                if group is changed:
                    break
        return test

    def _legal(self, test: TestCase, good: Good) -> TestCase:
        """A legal variant, if mutation finds one: an argument of a wrong type is often beside the point of the crash. Only legal
        ones are run."""
        if self._clues.is_legal(test):
            return test
        candidate, runs = test, 0
        for attempt in range(LEGAL_CANDIDATES):
            if runs >= LEGAL_RUNS or self._is_late:
                return test
            if attempt % LEGAL_STEPS == 0:
                candidate = test
            candidate = self._operators.mutate(candidate, self._rng)
            if self._clues.is_legal(candidate):
                runs += 1
                if good(candidate):
                    return candidate
        return test

    def _repaired(self, test: TestCase, good: Good) -> TestCase:
        """With what the report suggests: a value that a larger test computed may stand in the smaller one as a literal, and can be
        replaced there. What is found so is made smaller in its turn."""
        near = Evaluation(test, self._measure(test))
        if near.score.level < 4 or near.score.fitness <= 0:
            return test
        best, least = test, near.score.fitness
        for one in self._clues.repairs(near):
            score = self._measure(one)
            if score.level == 4 and score.agreeing >= near.score.agreeing and score.fitness < least:
                best, least = one, score.fitness
            if self._is_late:
                break
        if best is test:
            return test
        self._wanted = self._measure(best)
        others = self._of_other_types(best)
        self._odd = {place: max(others.get(place, 0), self._odd.get(place, 0)) for place in {**self._odd, **others}}
        self._left = self._clues.left_of(best)
        self._is_bound_to_law = self._is_bound_to_law and self._clues.is_legal(best)
        return _minimised(self._clues, best, good)

    def _usual(self, test: TestCase, good: Good) -> TestCase:
        """With usual values for arguments that are odd."""
        return test if self._clues.ordinary is None else self._clues.ordinary.made_of(test, good, lambda: not self._is_late)

    def _plain(self, test: TestCase, good: Good) -> TestCase:
        """With values that somebody would type for what evolution has left, if any value does."""
        return test if self._clues.plain is None else self._clues.plain.made_of(test, good, lambda: not self._is_late)

    def _standard(self, test: TestCase, good: Good) -> TestCase:
        """With dates and amounts as people write them."""
        return test if self._clues.standard is None else self._clues.standard(test, good)

    def _with_other_keys(self, test: TestCase, good: Good) -> TestCase:
        """With the other keys of the record that lacks one."""
        return test if self._clues.records is None else self._clues.records.completed(test, good)


def _minimised(clues: Clues, test: TestCase, good: Good) -> TestCase:
    return minimise(test, good, MINIMISE_CHECKS, clues.kept)
