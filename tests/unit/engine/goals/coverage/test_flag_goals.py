"""Flag goals of a catalogue: which open branches are wanted, and how the distances change once they begin."""

from __future__ import annotations

import pytest
from flag_bench import MODULE, FlagBench

from crashwright.core.suite import ModuleTarget
from crashwright.engine.goals.coverage.catalogue import Catalogue
from crashwright.engine.goals.coverage.flag_goals import FlagGoals
from crashwright.engine.goals.coverage.footprint import Footprint
from crashwright.engine.goals.coverage.goal import numbers


@pytest.fixture(scope="module")
def bench() -> FlagBench:
    return FlagBench()


@pytest.fixture
def catalogue(bench: FlagBench) -> Catalogue:
    return Catalogue(bench.recorder.functions, bench.sources, ModuleTarget(MODULE, criteria=("branch",)))


def ran(bench: FlagBench, catalogue: Catalogue, function: str, *arguments: object) -> Footprint:
    bench.run(function, *arguments)
    return catalogue.footprint(bench.recorder.trace())


def goal_of(bench: FlagBench, catalogue: Catalogue, function: str, line: str, outcome: bool) -> int:
    found = catalogue.branch_goal(bench.numbers[function], bench.predicate(function, line), outcome)
    assert found is not None
    return found


def test_wanted_are_the_branches_whose_callee_has_source(bench: FlagBench, catalogue: Catalogue) -> None:
    wanted = FlagGoals(catalogue, bench.analysis).wanted(catalogue.of("branch"))
    names = {catalogue.goals[number].qualname for number in numbers(wanted)}
    assert {"get", "twice", "by_any", "by_none", "check_precondition"} <= names
    assert not {"is_large", "stored", "kept", "class_of"} & names


def test_predicates_of_callees_go_on_carrying_probes(bench: FlagBench, catalogue: Catalogue) -> None:
    goal = goal_of(bench, catalogue, "by_both", "if both", True)
    found = FlagGoals(catalogue, bench.analysis).predicates(1 << goal)
    functions = bench.recorder.functions
    kept = {function.key.qualname for function in functions for one in function.predicates if one.position in found}
    assert kept == {"by_both", "both", "is_large"}


def test_nothing_more_is_instrumented_than_is_missing(bench: FlagBench, catalogue: Catalogue) -> None:
    goals = FlagGoals(catalogue, bench.analysis)
    assert goals.callees(goals.wanted(catalogue.of("branch"))) == {}


def test_distances_change_for_the_wanted_goals_alone(bench: FlagBench, catalogue: Catalogue) -> None:
    goal = goal_of(bench, catalogue, "twice", "if is_large(item)", True)
    other = goal_of(bench, catalogue, "is_large", "return item", True)
    before = [catalogue.distances(ran(bench, catalogue, "twice", item), [goal, other]) for item in (0, 3000)]
    assert before[0][0] == before[1][0]
    FlagGoals(catalogue, bench.analysis).begin(1 << goal, bench.recorder.functions)
    after = [catalogue.distances(ran(bench, catalogue, "twice", item), [goal, other]) for item in (0, 3000)]
    assert after[0][0] > after[1][0] > 0
    assert [one[1] for one in after] == [one[1] for one in before]


def test_covered_goal_stays_covered(bench: FlagBench, catalogue: Catalogue) -> None:
    goal = goal_of(bench, catalogue, "twice", "if is_large(item)", True)
    FlagGoals(catalogue, bench.analysis).begin(1 << goal, bench.recorder.functions)
    assert catalogue.distances(ran(bench, catalogue, "twice", 9000), [goal]) == [0.0]


def test_runs_from_before_are_farther_than_those_that_called_the_flag(bench: FlagBench, catalogue: Catalogue) -> None:
    goal = goal_of(bench, catalogue, "twice", "if is_large(item)", True)
    old = ran(bench, catalogue, "twice", 3999)
    FlagGoals(catalogue, bench.analysis).begin(1 << goal, bench.recorder.functions)
    new = ran(bench, catalogue, "twice", 0)
    assert catalogue.distances(old, [goal]) > catalogue.distances(new, [goal])


def test_exception_in_the_callee_counts_although_the_branch_was_not_evaluated(bench: FlagBench, catalogue: Catalogue) -> None:
    goal = goal_of(bench, catalogue, "by_raising", "if parsed", True)
    FlagGoals(catalogue, bench.analysis).begin(1 << goal, bench.recorder.functions)
    early, late = (catalogue.distances(ran(bench, catalogue, "by_raising", text), [goal])[0] for text in ("a", "abc"))
    assert early > late > 0


def chosen(catalogue: Catalogue, criterion: str, function: str) -> int:
    """The goals of a criterion in a function, as bits."""
    return sum(1 << goal.number for goal in catalogue.goals if goal.criterion == criterion and goal.qualname == function)


def test_direct_branches_have_flags_where_a_selection_aims_at_them_alone(bench: FlagBench) -> None:
    catalogue = Catalogue(bench.recorder.functions, bench.sources, ModuleTarget(MODULE, criteria=("direct-branch",)))
    flags = FlagGoals(catalogue, bench.analysis)
    wanted = flags.wanted(catalogue.of("direct-branch"))
    assert wanted & chosen(catalogue, "direct-branch", "twice")
    flags.begin(wanted, bench.recorder.functions)
    goals = list(numbers(wanted & chosen(catalogue, "direct-branch", "twice")))
    far, near = (sum(catalogue.distances(ran(bench, catalogue, "twice", item), goals)) for item in (0, 3000))
    assert far > near > 0


@pytest.mark.parametrize("criterion", ["branch", "direct-branch"])
def test_suites_are_nearer_where_their_runs_are_nearer_to_a_flag(bench: FlagBench, criterion: str) -> None:
    catalogue = Catalogue(bench.recorder.functions, bench.sources, ModuleTarget(MODULE, criteria=(criterion,)))
    flags = FlagGoals(catalogue, bench.analysis)
    goals = flags.wanted(catalogue.of(criterion)) & chosen(catalogue, criterion, "twice")

    def distance(*items: int) -> float:
        return catalogue.suite_distance([ran(bench, catalogue, "twice", item) for item in items], goals)

    assert distance(0, 1) == distance(3000, 3001)
    old = ran(bench, catalogue, "twice", 3999)
    flags.begin(goals, bench.recorder.functions)
    assert distance(0, 1) > distance(3000, 3001) > distance(9000, 3001, 3000)
    assert catalogue.suite_distance([old, old], goals) > distance(0, 1)
    run = ran(bench, catalogue, "twice", 0)
    assert run.activations
    catalogue.suite_distance([run], goals)
    assert not run.activations  # it may be remembered for long
