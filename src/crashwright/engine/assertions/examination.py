"""One fork's examination, in stages: every test alone, all of them in order and in reverse order without anything put back between
them, then the mutants, and at last the choice.

Order dependence, random numbers, the clock and addresses show in these runs; what depends on the order of sets shows in the next
process, which has another hash seed. Where a test kills the fork, the next one goes on without it.
"""

from __future__ import annotations

import errno
import os
import random
import sys
from collections.abc import Callable, Sequence

from crashwright.core.messages import EndReason, Examined, Finished, Incident, IncidentKind, Mutants, StartSuite, Unfit
from crashwright.engine.assertions.assertion import Raised
from crashwright.engine.assertions.cases import Case, ExaminationProgress, decode_case
from crashwright.engine.assertions.causes import recording, without_idle_arguments
from crashwright.engine.assertions.checking import Checked, Checker, with_checks
from crashwright.engine.assertions.effects import Effects
from crashwright.engine.assertions.mutants import LiveModule
from crashwright.engine.assertions.mutation import MOST_MUTANTS, MOST_TIMED, NOWHERE, Mutation, by_line
from crashwright.engine.assertions.observation import Observation, Observer
from crashwright.engine.assertions.raised import common_message, no_accident
from crashwright.engine.assertions.selection import PLAIN, choose, plain_choice, told_by_assertions, worth_keeping
from crashwright.engine.assertions.values import Present, ValueNames
from crashwright.engine.execution.executor import Spoiled
from crashwright.engine.execution.other_days import OtherDays
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.suite.accidents import Accidents
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.introspection import loaded_dict
from crashwright.engine.subject.source import Sources
from crashwright.engine.testcase.foreign import ForeignResolver
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.worker.channel import out_of_reach
from crashwright.engine.worker.protocol import Resume, Workbench

KEPT_EVERY = 20
"""Tests between two checkpoints."""
_DAY, _HOUR = 86_400.0, 3_600.0
AHEAD = (3 * 365.0 * _DAY + 129 * _DAY + 7.2 * _HOUR, 2 * _DAY + 11.7 * _HOUR, 201 * _DAY + 17.4 * _HOUR)
"""Seconds to other days, on which year, month, weekday and time of day are others."""
ALONE, FORWARD, BACKWARD, MUTANTS, CHOICE = range(5)


class Examination:
    """Use once per fork."""

    def __init__(
        self,
        start: StartSuite,
        bench: Workbench,
        resume: Resume,
        api: ApiModel,
        live: LiveModule | None,
        meter: BudgetMeter,
        select: bool,
        days: OtherDays | None = None,
    ) -> None:
        self._bench = bench
        self._quarantine = resume.quarantine
        self._meter = meter
        self._select = select
        self._spares = frozenset(start.spares)
        self._live = live
        self._days = days
        self._timed = start.settings.budget.seconds is not None
        self._limit = start.settings.budget.seconds
        resolver = ForeignResolver(api)
        self._cases = [decode_case(index, seed, resolver) for index, seed in enumerate(start.seeds)]
        self._progress = (
            ExaminationProgress()
            if resume.checkpoint is None
            else ExaminationProgress.load(resume.checkpoint, self._cases, resolver)
        )
        names, present = ValueNames(api.address_of), Present(start.settings.scratch, bench.clocks.day(), bench.clocks.wall())
        accidents = Accidents(start.target.package, Sources())
        judge = no_accident if start.target.accidents else accidents.caused
        self._observer = Observer(
            bench.executor,
            names,
            present,
            self._quarantine,
            judge,
            accidents.meant,
            lambda: bench.guard.refused,
            moves_clocks=days is not None,
        )
        self._checker = Checker(bench.executor, names, present, self._quarantine, judge)
        self._dirty: set[int] = set()
        self._own = loaded_dict(start.target.module)
        self._null = out_of_reach(os.open(os.devnull, os.O_RDWR))

    def run(self) -> None:
        """To the end, or to the end of the time; sends Finished."""
        stages: dict[int, Callable[[], None]] = {
            ALONE: self._alone,
            FORWARD: lambda: self._in_order(self._living()),
            BACKWARD: lambda: self._in_order(self._living()[::-1]),
            MUTANTS: self._mutants,
        }
        try:
            while self._progress.stage < CHOICE and not self._over():
                stages[self._progress.stage]()
                self._progress.stage += 1
                self._progress.position = 0
                self._save()
                if self._select and self._progress.stage == MUTANTS:
                    self._tell_all()
            self._tell_last()
        except Spoiled:
            self._save()
            raise
        for refusal in self._bench.guard.take_refusals():
            self._bench.channel.send(Incident(IncidentKind.REFUSED, f"crashwright refused to {refusal}"))
        reason = EndReason.BUDGET if self._progress.stage < CHOICE else EndReason.EXHAUSTED
        mutants = self._told_mutants() if self._progress.tried else None
        self._bench.channel.send(Finished(reason, self._bench.executor.tests_run, self._meter.seconds, mutants=mutants))

    # Every test alone

    def _alone(self) -> None:
        progress = self._progress
        while progress.position < len(self._cases) and not self._over():
            case = self._cases[progress.position]
            if case.reason is None and case.executed < 0:
                if progress.position % KEPT_EVERY == 0:
                    self._save()
                restores = self._bench.isolation.restores
                self._first_look(case)
                if self._bench.isolation.restores > restores:
                    self._dirty.add(case.index)
                self._tell(case)
            progress.position += 1

    def _first_look(self, case: Case) -> None:
        """A test that closes what it has not opened breaks whatever runs it; one that was refused something does something else
        where nobody refuses it, whether or not it showed."""
        refused = self._bench.guard.refused - self._observer.forgiven
        closed = self._closed(case)
        if case.reason is None and self._bench.guard.refused - self._observer.forgiven > refused:
            case.reason = Unfit.REFUSED
        if closed and case.reason is None:
            case.reason = Unfit.CLOSES
        for descriptor in closed:
            os.dup2(self._null, descriptor)

    def _closed(self, case: Case) -> list[int]:
        """Look at the test; the standard descriptors that it has closed."""
        try:
            if case.observed:
                self._take(case, self._checked(case))
            else:
                self._observe(case)
        except OSError as error:
            if error.errno == errno.EBADF:
                case.reason = Unfit.CLOSES  # ours are closed: the next fork goes on with another test
                self._save()
            raise
        return [descriptor for descriptor in range(3) if not _is_open(descriptor)]

    def _observe(self, case: Case) -> None:
        """What the test shows; the runs in order say whether it always does."""
        if self._observer.key(case.test) in self._quarantine:
            case.reason = Unfit.KILLER
            return
        if self._days is not None:
            self._days.asked = False
        seen = self._observer.observe(case.test)
        if seen.timed_out:
            seen = self._observer.observe(case.test, thorough=False)
        case.reason = _reason_of(seen)
        if case.reason is not None:
            return
        if seen.error:
            case.test = TestCase(case.test.statements[: seen.executed + 1])
            smaller = self._with_causes(case.test)
            if smaller is not case.test:
                case.test, seen = smaller, self._observer.observe(smaller)
        case.assertions, case.raised, case.error, case.executed = seen.assertions, seen.raised, seen.error, seen.executed
        self._on_other_days(case)

    def _on_other_days(self, case: Case) -> None:
        """Keep of a test that asks for the time what does not depend on it. Where it takes another course on another day, the
        verification has the last word."""
        if self._days is None or not self._days.asked:
            return
        for ahead in AHEAD:
            if not case.assertions or case.reason is not None:
                break
            with self._days.moved(ahead):
                checked = self._checked(case)
            if checked is not None:
                case.assertions = tuple([one for one, held in zip(case.assertions, checked.held, strict=True) if held])

    def _with_causes(self, test: TestCase) -> TestCase:
        """A test that raises without what it passes for nothing."""
        course = self._course(test)
        return test if course is None else without_idle_arguments(test, lambda other: self._course(other) == course)

    def _course(self, test: TestCase) -> tuple[str, Raised | None, frozenset[int]] | None:
        """What it raises, and the lines of the module that it runs; None where it must not be run."""
        if self._observer.key(test) in self._quarantine:
            return None
        lines: set[int] = set()
        sys.settrace(recording(self._own, lines))
        try:
            seen = self._observer.observe(test, thorough=False)
        finally:
            sys.settrace(None)
        return None if seen.timed_out or seen.refused else (seen.error, seen.raised, frozenset(lines))

    def _checked(self, case: Case, keep: bool = False) -> Checked | None:
        """A run with the assertions that the test has; None where that once ended the process."""
        prepared = with_checks(case.test, case.assertions)
        if prepared.key() in self._quarantine:
            case.reason = Unfit.KILLER
            return None
        begin = self._bench.clocks.cpu()
        checked = self._checker.check_prepared(prepared, case.assertions, keep)
        case.seconds = max(case.seconds, self._bench.clocks.cpu() - begin) if self._timed else 0.0
        return checked

    def _take(self, case: Case, checked: Checked | None) -> None:
        """Keep of the test what held in this run as well."""
        if checked is None:
            return
        if case.executed < 0:  # an earlier process saw it first
            case.error, case.executed = checked.error if case.raised else "", checked.executed
        case.reason = _reason_of(checked) or (None if _same_course(case, checked) else Unfit.UNSTABLE)
        if case.reason is not None:
            return
        case.assertions = tuple([one for one, held in zip(case.assertions, checked.held, strict=True) if held])
        if case.raised is not None and checked.raised is not None:
            case.raised = case.raised._replace(message=common_message(case.raised.message, checked.raised.message))

    # All of them, nothing put back between them

    def _in_order(self, cases: Sequence[Case]) -> None:
        """As in a test file. Tests that go another way than alone are out, or rather those that leave traces, where they are
        fewer."""
        before = [(case.assertions, case.raised) for case in cases]
        for number, case in enumerate(cases):
            if self._over():
                break
            random.seed(f"{self._progress.stage}/{number}")
            self._take(case, self._checked(case, keep=True))
        else:
            changed = [case for case in cases if case.reason is Unfit.UNSTABLE]
            traces = [case for case in cases if case.index in self._dirty]
            if 0 < len(traces) < len(changed):
                for case, (assertions, raised) in zip(cases, before, strict=True):
                    case.assertions, case.raised = assertions, raised
                    case.reason = Unfit.POLLUTES if case in traces else None
        reason = self._bench.isolation.restore()
        if reason is not None:
            self._progress.stage += 1
            raise Spoiled(reason)

    # Mutants

    def _mutants(self) -> None:
        if not self._select or self._live is None:
            return
        living = self._living()
        reserve = 0.05 + 3 * sum(case.seconds for case in living)
        end = None if self._limit is None else self._limit - reserve
        mutation = Mutation(self._live, self._bench, self._checker, self._progress, self._quarantine, self._save, self._spares)
        mutation.run(living, lambda: end is not None and self._meter.seconds >= end, MOST_TIMED if self._timed else MOST_MUTANTS)

    def _told_mutants(self) -> Mutants:
        kills = self._progress.kills
        found = [] if self._live is None else self._live.mutants()
        killers = tuple([tuple(sorted(tests)) for tests in kills.values() if tests])
        excluded = self._progress.tried - len(kills)
        return Mutants(len(killers), len(kills), by_line(found, kills), len(found) - excluded, excluded, killers)

    # Telling

    def _tell_all(self) -> None:
        """What is known so far."""
        said: set[str] = set()
        for case in self._cases:
            self._tell(case, said)

    def _tell(self, case: Case, said: set[str] | None = None) -> None:
        if case.reason is not None:
            self._send(case, None)
        elif case.index in self._spares:
            self._bench.channel.send(Examined(case.index, None, Unfit.SPARE))
        elif case.executed >= 0:
            plain = plain_choice(case.test, case.assertions, 0 if case.raised else PLAIN, said) if self._select else None
            self._send(case, range(len(case.assertions)) if plain is None else plain)

    def _tell_last(self) -> None:
        if not self._select or self._progress.stage < MUTANTS:
            self._tell_all()
            return
        alive = self._living()
        kept = self._worth_keeping(alive)
        living = [case for case in alive if case.index in kept]
        kills = told_by_assertions(self._progress.kills, kept)
        effects = self._effects(living)
        whole = self._live is not None and self._progress.stage >= CHOICE and self._progress.tried >= self._progress.total
        least = {case.index: 0 if case.raised else 1 if whole else PLAIN for case in living}
        chosen = choose({case.index: (case.test, case.assertions) for case in living}, kills, least, effects)
        for case in living:
            numbers = self._confirmed(case, chosen[case.index])
            case.killed = sum(1 for found in kills.values() if not set(found.get(case.index, ())).isdisjoint(numbers))
            self._send(case, numbers)
        for case in self._cases:
            if case.reason is not None:
                self._send(case, None)

    def _effects(self, living: Sequence[Case]) -> dict[int, Sequence[Sequence[int]]]:
        """By test, for each of its calls the assertions that tell that it was made."""
        effects = Effects(self._checker, self._quarantine)
        found: dict[int, Sequence[Sequence[int]]] = {}
        for case in living:
            if self._over():
                break
            if case.assertions:
                found[case.index] = [*effects.of(case).values()]
        return found

    def _worth_keeping(self, alive: Sequence[Case]) -> set[int]:
        """Without the spare tests that add nothing, or have nothing to say."""
        core = [case for case in alive if case.index not in self._spares]
        spares = [case for case in alive if case.index in self._spares and (case.assertions or case.raised)]
        lines = frozenset[int]().union(*(case.lines for case in core))
        for case in spares:
            if case.lines - lines - NOWHERE:  # of a test that was to be kept and is out
                core.append(case)
                lines |= case.lines
        return worth_keeping([case.index for case in core], [case.index for case in spares], self._progress.kills)

    def _confirmed(self, case: Case, numbers: Sequence[int]) -> Sequence[int]:
        """Those of the chosen assertions that hold without the others too, whose looks may have had effects."""
        alone = case.asserted(numbers).assertions
        prepared = with_checks(case.test, alone)
        if prepared.key() in self._quarantine or (self._limit is not None and self._meter.seconds > self._limit):
            return numbers
        checked = self._checker.check_prepared(prepared, alone)
        return [number for number, held in zip(numbers, checked.held, strict=True) if held]

    def _send(self, case: Case, numbers: Sequence[int] | None) -> None:
        asserted = None if numbers is None else case.encoded(numbers)
        self._bench.channel.send(Examined(case.index, asserted, case.reason, case.detail, case.killed))

    # Keeping

    def _living(self) -> list[Case]:
        return [case for case in self._cases if case.reason is None and case.executed >= 0]

    def _over(self) -> bool:
        return self._meter.check()

    def _save(self) -> None:
        self._bench.channel.checkpoint(self._progress.dump(self._cases))


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _reason_of(seen: Observation | Checked) -> Unfit | None:
    """Why a test that runs so cannot be kept."""
    if seen.timed_out:
        return Unfit.TOO_LONG
    if seen.refused:
        return Unfit.REFUSED
    if seen.accident:
        return Unfit.ACCIDENT
    return Unfit.NAMELESS if seen.error and seen.raised is None else None


def _same_course(case: Case, checked: Checked) -> bool:
    """Whether the test ended as it did before."""
    if (case.raised is None) != (checked.raised is None):
        return False
    if case.raised is not None and checked.raised is not None and case.raised.exception != checked.raised.exception:
        return False
    return case.executed == checked.executed
