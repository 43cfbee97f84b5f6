"""The algorithms on a toy problem: find a number by its bits."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

from crashwright.core.mechanisms import Mechanism
from crashwright.core.settings import Budget, SearchSettings
from crashwright.engine.search.algorithm import Algorithm, Scored
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.guided import GuidedSearch
from crashwright.engine.search.random_search import RandomSearch
from crashwright.engine.search.ranking import MOST_COMPARED, Tally, by_fitness, fronts, rank_index

BITS = 40
SETTINGS = SearchSettings(population=20, growth_after=3, growth_limit=3)


class Toy:
    """Individuals are ints; the goal is all ones."""

    def sample(self, rng: random.Random) -> int:
        return rng.getrandbits(BITS)

    def crossover(self, one: int, other: int, rng: random.Random) -> tuple[int, int]:
        mask = (1 << rng.randrange(BITS)) - 1
        return (one & mask) | (other & ~mask), (other & mask) | (one & ~mask)

    def mutate(self, individual: int, rng: random.Random) -> int:
        return individual ^ (1 << rng.randrange(BITS))

    def identity(self, individual: int) -> int:
        return individual


def scored(individual: int) -> Scored[int]:
    return Scored(individual, float(BITS - individual.bit_count()), 1)


def evaluations(algorithm: Algorithm[int], limit: int) -> int:
    spent = 0
    while spent < limit:
        batch = [scored(individual) for individual in algorithm.ask()]
        spent += len(batch)
        algorithm.tell(batch)
        if any(one.fitness == 0 for one in batch):
            return spent
    return limit


def test_guidance_finds_what_random_search_does_not() -> None:
    guided = [evaluations(GuidedSearch(Toy(), SETTINGS, random.Random(seed)), 6000) for seed in range(5)]
    blind = [evaluations(RandomSearch(Toy(), random.Random(seed)), 6000) for seed in range(5)]
    assert max(guided) < 6000
    assert min(blind) == 6000


def test_the_population_grows_when_nothing_improves_and_keeps_no_clones() -> None:
    algorithm = GuidedSearch(Toy(), SETTINGS, random.Random(0))
    for _ in range(60):
        algorithm.tell([Scored(individual, 5.0, 1) for individual in algorithm.ask()])
    assert algorithm.population_size == 60
    survivors = algorithm.survivors()
    assert len(survivors) == len(set(survivors))


def test_rank_selection_prefers_the_front_and_stays_in_range() -> None:
    rng = random.Random(1)
    drawn = Counter(rank_index(10, rng) for _ in range(5000))
    assert set(drawn) == set(range(10))
    assert drawn[0] > drawn[5] > drawn[9]
    assert rank_index(1, rng) == 0


def test_order_is_fitness_then_size_then_chance() -> None:
    entries = [Scored("long", 1.0, 9), Scored("short", 1.0, 2), Scored("best", 0.5, 40)]
    assert [one.individual for one in by_fitness(entries, random.Random(0))] == ["best", "short", "long"]
    ties = [Scored(name, 1.0, 1) for name in "ab"]
    winners = {by_fitness(ties, random.Random(seed))[0].individual for seed in range(20)}
    assert winners == {"a", "b"}


def test_pairs_that_the_secondary_objective_puts_in_order_are_counted() -> None:
    tied = [Scored(text, 1.0, 1, coverage=frozenset(text)) for text in ("ab", "a", "a", "c")]
    entries = [*tied, Scored("alone", 0.5, 1, coverage=frozenset("xyz"))]
    tally = Tally()
    by_fitness(entries, random.Random(0), more, tally=tally)
    assert (tally.pairs, tally.decided) == (6, 4)  # the fronts: ab and c, which nothing is better than, then both of a
    by_fitness(entries, random.Random(0), None, spread=True, tally=tally)
    assert (tally.pairs, tally.decided) == (6, 4)  # nobody was asked


def test_a_search_tells_how_many_ties_were_decided() -> None:
    algorithm = GuidedSearch(Toy(), SETTINGS, random.Random(0), more)
    assert (algorithm.ties.pairs, algorithm.ties.decided) == (0, 0)
    scored = [Scored(one, 5.0, 1, coverage=frozenset("ab" if place else "a")) for place, one in enumerate(algorithm.ask())]
    algorithm.tell(scored)
    assert algorithm.ties.decided == len(scored) - 1
    assert algorithm.ties.pairs == len(scored) * (len(scored) - 1) // 2


def test_size_decides_only_between_those_that_behave_alike() -> None:
    entries = [Scored(f"{kind}{size}", 1.0, size, behaviour=kind) for kind in "ab" for size in (1, 2, 3)]
    entries.append(Scored("c9", 1.0, 9, behaviour="c"))
    names = [one.individual for one in by_fitness(entries, random.Random(0), spread=True)]
    assert sorted(names[:3]) == ["a1", "b1", "c9"]
    assert sorted(names[3:5]) == ["a2", "b2"]
    assert by_fitness(entries, random.Random(0))[-1].individual == "c9"
    better = [Scored("best", 0.5, 9, behaviour="a"), *entries]
    assert by_fitness(better, random.Random(0), spread=True)[0].individual == "best"
    deep = [
        Scored("deep", 1.0, 9, coverage=frozenset("ab"), behaviour="a"),
        Scored("flat", 1.0, 1, coverage=frozenset("a"), behaviour="b"),
    ]
    assert [one.individual for one in by_fitness(deep, random.Random(0), more, spread=True)] == ["deep", "flat"]


def test_a_plateau_that_is_crossed_by_what_grows_needs_more_than_the_smallest() -> None:
    def found(without: tuple[Mechanism, ...]) -> int:
        spent = 0
        settings = replace(SETTINGS, without=without)
        for seed in range(3):
            algorithm = GuidedSearch(Toy(), settings, random.Random(seed))
            algorithm.inject([Scored(0, 1.0, 0, behaviour=0)] * 20)
            for _ in range(60):
                batch = algorithm.ask()
                spent += len(batch)
                counts = [one.bit_count() for one in batch]
                if max(counts) >= 31:
                    break
                algorithm.tell([Scored(one, 1.0, n, behaviour=n) for one, n in zip(batch, counts, strict=True)])
        return spent

    assert 2 * found(()) < found((Mechanism.DIVERSITY,))


def more(one: object, other: object) -> int:
    """Sets are better than their subsets."""
    assert isinstance(one, frozenset)
    assert isinstance(other, frozenset)
    return len(other) - len(one) if one < other or other < one else 0


def sets(*texts: str) -> list[object]:
    return [frozenset(text) for text in texts]


def test_the_secondary_objective_decides_ties_before_size_does() -> None:
    entries = [
        Scored("worst", 2.0, 1, coverage=frozenset("abc")),
        Scored("short", 1.0, 1, coverage=frozenset("a")),
        Scored("long", 1.0, 9, coverage=frozenset("ab")),
    ]
    rng = random.Random(0)
    assert [one.individual for one in by_fitness(entries, rng, more)] == ["long", "short", "worst"]
    assert [one.individual for one in by_fitness(entries, rng)] == ["short", "long", "worst"]
    apart = [Scored("long", 1.0, 9, coverage=frozenset("ab")), Scored("short", 1.0, 1, coverage=frozenset("c"))]
    assert [one.individual for one in by_fitness(apart, rng, more)] == ["short", "long"]


def test_fronts_put_what_is_better_first_whatever_the_order() -> None:
    chain, beside = sets("abc", "ab", "a"), sets("xy", "x")
    wanted = dict(zip([*chain, *beside], [0, 1, 2, 0, 1], strict=True))
    for seed in range(5):
        shuffled = [*chain, *beside]
        random.Random(seed).shuffle(shuffled)
        assert fronts(shuffled, more) == wanted


def test_fronts_are_bounded_in_number_and_time() -> None:
    many: list[object] = [frozenset(range(number)) for number in range(MOST_COMPARED + 10)]
    found = fronts(many, more)
    assert set(found) == set(many)
    assert {found[one] for one in many[MOST_COMPARED:]} == {MOST_COMPARED}
    circle = {("rock", "paper"): 1, ("paper", "scissors"): 1, ("scissors", "rock"): 1}
    beats = fronts(("rock", "paper", "scissors"), lambda one, other: circle.get((one, other), -circle.get((other, one), 0)))  # type: ignore[call-overload]
    assert set(beats.values()) == {0}


def test_restart_begins_again_from_scratch_with_a_larger_population() -> None:
    settings = SearchSettings(population=50, growth_after=2, schedule="restart")
    algorithm = GuidedSearch(Toy(), settings, random.Random(0))
    sizes = []
    before: set[int] = set()
    for _ in range(60):
        batch = algorithm.ask()
        if not algorithm.survivors():
            sizes.append(len(batch))
            assert before.isdisjoint(batch)
        before.update(batch)
        algorithm.tell([Scored(individual, 5.0, 1, True) for individual in batch])
    assert sizes[:11] == list(range(50, 301, 25))
    assert set(sizes[11:]) == {300}


def test_restart_lets_a_search_that_improves_go_on() -> None:
    settings = SearchSettings(population=20, growth_after=2, schedule="restart")
    algorithm = GuidedSearch(Toy(), settings, random.Random(0))
    for generation in range(30):
        algorithm.tell([Scored(individual, 100.0 - generation, 1) for individual in algorithm.ask()])
    assert algorithm.population_size == 20


def test_the_meter_stops_at_either_bound() -> None:
    now = [0.0]
    meter = BudgetMeter(Budget(10.0, 1000), lambda: now[0])
    for _ in range(999):
        meter.spend()
    assert not meter.stopped
    meter.spend()
    assert meter.stopped
    slow = BudgetMeter(Budget(10.0, None), lambda: now[0])
    now[0] = 11.0
    assert slow.check()
    assert slow.seconds == 11.0


def test_the_main_loop_of_evocrash_alone_breeds_from_the_population_and_keeps_equal_tests() -> None:
    class NoNewcomers(Toy):
        samples = 0

        def sample(self, rng: random.Random) -> int:
            self.samples += 1
            return super().sample(rng)

    toy = NoNewcomers()
    settings = SearchSettings(population=20, operators="evocrash", growth_after=0)
    algorithm = GuidedSearch(toy, settings, random.Random(1))
    algorithm.tell([scored(1) for _ in algorithm.ask()])
    assert algorithm.survivors() == [1] * 20
    offspring = algorithm.ask()
    assert len(offspring) == toy.samples == 20
    algorithm.tell([Scored(one, 99.0, 1, novel=True) for one in offspring])
    assert algorithm.survivors() == [1] * 20
    assert all((child ^ 1).bit_count() == 1 for child in algorithm.ask())  # one mutation away: no novel one was a parent


def test_goals_on_the_way_decide_where_fitness_is_equal() -> None:
    entries = [Scored("near", 1.0, 9, blocked=0.2), Scored("far", 1.0, 1, blocked=1.0), Scored("best", 0.5, 9, blocked=2.0)]
    assert [one.individual for one in by_fitness(entries, random.Random(1))] == ["best", "near", "far"]
    coverages = [one._replace(coverage=frozenset(one.individual)) for one in entries]
    order = by_fitness(coverages, random.Random(1), lambda one, other: len(other) - len(one))  # type: ignore[arg-type]
    assert [one.individual for one in order] == ["best", "near", "far"]


def test_what_is_known_of_goals_on_the_way_can_be_revised() -> None:
    search = GuidedSearch(Toy(), SearchSettings(population=2), random.Random(1))
    search.inject([Scored(1, 1.0, 1, blocked=0.5), Scored(2, 1.0, 1, blocked=0.0)])
    search.revise(lambda _blocked: 0.0)
    search.inject([Scored(3, 1.0, 0)])
    assert 3 in search.survivors()


def test_a_stage_is_bounded_by_seconds_alone() -> None:
    now = [4.0]
    assert BudgetMeter(Budget(10.0, 1000), lambda: now[0], elapsed=1.0).until(0.25) == 0.35
    assert BudgetMeter(Budget(None, 1000), lambda: now[0], evaluations=900).until(0.1) == 1.0


def test_what_is_measured_otherwise_competes_anew() -> None:
    for algorithm in (GuidedSearch(Toy(), SETTINGS, random.Random(1)), RandomSearch(Toy(), random.Random(1))):
        algorithm.tell([scored(number) for number in range(1 << 6)])
        kept = algorithm.forget()
        assert (1 << 6) - 1 in kept
        assert len(set(kept)) == len(kept)
        assert algorithm.survivors() == []
        algorithm.inject([Scored(number, float(number), 1) for number in kept])
        assert algorithm.survivors()[0] == min(kept)
