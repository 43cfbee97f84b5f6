"""The fast lane of a crash search: what a fork that goes ahead of it is set up with, and what it leaves to the search."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Protocol

from crashwright.core.settings import Budget
from crashwright.engine.search.crash_goals import crash_judge
from crashwright.engine.search.lane.combinations import Combinations
from crashwright.engine.search.lane.lane import Lane, Roads
from crashwright.engine.search.lane.live import Live, Pool
from crashwright.engine.search.lane.scouted import CALLS_PER_EVALUATION, Scouted
from crashwright.engine.search.lane.sightings import Sightings
from crashwright.engine.sessions.search_run import Setup
from crashwright.engine.sources.crash_subject import CrashSubject, needed_by
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.types import ClassHint, Hint, UnionHint
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.testcase import TestCase

CALLS = 30_000
"""Of all forks together at most ..."""
PART = 0.1
"""... and of a budget: of its seconds, or of its evaluations."""
FORKS = 3
FIRST_TESTS = 60
"""Random tests of the factory that a fork begins with, and variants of the call that the report shows."""
FIRST_SHARE = 0.3
"""Of the calls of a fork: what tests of others may take."""
DEPTH, WIDEST = 3, 80
"""How far makers of what makers need are looked for, and how many callables there may be."""
ALWAYS = (None, "", 0, 1, -1, True, 1.5, "a", b"")
EMPTY = ("list", "dict", "tuple", "set")


class Proposing(Protocol):
    """``crash_problem.CrashProblem``."""

    factory: Factory

    def proposed(self, rng: Random) -> Iterator[TestCase]: ...


def calls_of(budget: Budget) -> int:
    """All that the lane may have."""
    evaluations = budget.evaluations
    return CALLS if evaluations is None else min(CALLS, int(evaluations * PART) * CALLS_PER_EVALUATION)


def makers_for(factory: Factory, wanted: Callable[[Callee, str], Sequence[Hint]]) -> list[Callee]:
    """What makes values for the entries, for what makes these, and so on; then what is near."""
    found: dict[Callee, None] = dict.fromkeys(needed_by(factory))
    level = list(found)
    for _ in range(DEPTH):
        following: dict[Callee, None] = {}
        for callee in level:
            for parameter in callee.parameters:
                for hint in (parameter.hint, *wanted(callee, parameter.name)):
                    for member in hint.members if isinstance(hint, UnionHint) else (hint,):
                        if isinstance(member, ClassHint) and factory.is_own(member.cls):
                            following.update(dict.fromkeys(factory.constructors_of(member)))
        level = [callee for callee in following if callee not in found]
        found.update(following)
        if len(found) >= WIDEST:
            break
    found.update(dict.fromkeys(factory.relatives))
    entries = factory.entry_set
    return [callee for callee in found if callee not in entries and not callee.private][:WIDEST]


def scout(subject: CrashSubject, setup: Setup, problem: Proposing) -> None:
    """Work through the lane, and save what was found after each find and at the end."""
    factory = problem.factory
    rng, bench, target = setup.draws("lane"), setup.bench, subject.start.target

    def wanted(callee: Callee, name: str) -> Sequence[Hint]:
        return [hint for hint, _ in subject.used.hints(callee, name)]

    pool = Pool(frozenset({target.package.partition(".")[0]}))
    sightings = Sightings(crash_judge(target), bool(target.outer or target.members))
    combinations = Combinations(pool, factory.accepts, wanted, plain_values(pool, factory), rng)
    lane = Lane(
        roads=Roads(factory.entry, makers_for(factory, wanted), factory.methods_of, factory.max_length),
        pool=pool,
        combinations=combinations,
        sightings=sightings,
        step=bench.executor.step,
        reset=subject.recorder.reset,
        rng=rng,
        barred=setup.resume.quarantine,
        fresh=factory.fresh,
    )
    before = Scouted.load(setup.resume.scouted)
    if before.is_whole:
        return
    most = max(0, min(calls_of(setup.budget) - before.calls, -(-calls_of(setup.budget) // FORKS)))

    def tell() -> None:
        bench.channel.checkpoint(before.with_more(lane.calls, sightings).dump())

    seconds = setup.budget.seconds
    until = None if seconds is None else setup.meter.seconds + PART * seconds / FORKS
    is_over = (lambda: False) if until is None else (lambda: setup.meter.seconds >= until)
    tests = islice(first_tests(factory, problem.proposed(rng), rng), 4 * FIRST_TESTS)
    lane.begin_with(tests, int(FIRST_SHARE * most), is_over)
    tell()
    lane.go_on(most, tell, is_over)
    tell()


def plain_values(pool: Pool, factory: Factory) -> list[Live]:
    """``None``, empty and simple values, made by literals."""
    made: list[Live] = []
    values: list[st.Value] = [*ALWAYS, *(st.Display(kind, ()) for kind in EMPTY)]
    for value in values:
        variable = factory.new()
        literal = st.Literal(variable, value)
        pool.note(literal)
        pool.env[variable] = (
            {"list": [], "dict": {}, "tuple": (), "set": set()}[value.kind] if isinstance(value, st.Display) else value
        )
        made.append(Live(variable, type(pool.env[variable]), 0))
    return made


def first_tests(factory: Factory, proposed: Iterator[TestCase], rng: Random) -> Iterator[TestCase]:
    """What the report and examples show, and the factory's own, in turns."""
    yield from islice(proposed, 2 * FIRST_TESTS)
    for _ in range(FIRST_TESTS):
        yield factory.random_test(rng, 10)
