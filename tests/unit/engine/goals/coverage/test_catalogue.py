"""The goals of each criterion, their distances, and which of them are unlocked; traces are made by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from small_module import NAME, SmallModule, distance, goal, goals, labels

from crashwright.core.location import CodeKey
from crashwright.engine.goals.coverage.callables import CallableFacts
from crashwright.engine.goals.coverage.catalogue import MOST_FOUND, Catalogue
from crashwright.engine.goals.coverage.footprint import Footprint
from crashwright.engine.goals.coverage.goal import numbers
from crashwright.engine.goals.distance import normalise
from crashwright.engine.instrument.trace import MADE, Activation, CallFact

TEXT = """
def plain(x):
    return x


def nested(a, b):
    if a > 3:
        first = a
        if b:
            return first
    return None


class Shelf:
    def take(self, n):
        while n and self:
            n -= 1
        return [i for i in n if i.good]
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> SmallModule:
    return SmallModule(tmp_path_factory.mktemp("subject"), TEXT)


# -- what is a goal


def test_branch_goals_are_both_outcomes_of_every_predicate_and_the_entry_of_functions_without(module: SmallModule) -> None:
    catalogue = module.catalogue("branch")
    found = labels(catalogue, catalogue.of("branch"))
    assert "branch plain:1 entry" not in found  # at its first statement
    assert found[0] == "branch plain:2 entry"
    assert {"branch nested:6:7 true", "branch nested:6:7 false", "branch nested:8:11 true", "branch nested:8:11 false"} <= set(
        found
    )
    assert sum(label.startswith("branch nested") for label in found) == 4
    assert not any("entry" in label for label in found[1:])
    assert len(set(found)) == len(found)


def test_lines_are_those_on_which_statements_start(module: SmallModule) -> None:
    catalogue = module.catalogue("line")
    lines = [catalogue.goals[number].line for number in numbers(catalogue.of("line"))]
    assert lines == [2, 6, 7, 8, 9, 10, 15, 16, 17]


def test_only_branch_goals_are_there_unasked(module: SmallModule) -> None:
    catalogue = module.catalogue("line")
    assert catalogue.of("branch")
    assert catalogue.asked == catalogue.of("line")
    assert not catalogue.of("direct-branch")


def test_goals_are_confined_to_names(module: SmallModule) -> None:
    catalogue = module.catalogue("line", "branch", names=("Shelf",))
    assert {one.qualname for one in catalogue.goals} == {"Shelf.take"}


def test_what_the_import_covers_is_no_goal_but_may_be_a_direct_branch(module: SmallModule) -> None:
    imported = module.catalogue().footprint(
        module.trace(module.call("nested", "first = a", "return None", at={"a > 3": (0.0, 2.0)}))
    )
    catalogue = module.catalogue("branch", "direct-branch", "line", imported=imported)
    found = labels(catalogue, catalogue.asked)
    assert "branch nested:6:7 true" not in found
    assert "branch nested:6:7 false" in found
    assert "direct-branch nested:6:7 true" in found
    assert "line nested:7" not in found
    assert "line nested:9" in found
    # What waits for a covered branch is unlocked from the start.
    assert catalogue.unlocked(0) >> goal(catalogue, "branch nested:8:11 true") & 1


def test_a_handler_that_takes_everything_has_no_other_side(tmp_path: Path) -> None:
    text = "def f(g):\n    try:\n        g()\n    except ValueError:\n        pass\n    except:\n        raise\n"
    catalogue = SmallModule(tmp_path, text).catalogue("branch")
    assert labels(catalogue, catalogue.of("branch")) == [
        "branch f:4:4 true",
        "branch f:4:4 false",
        "branch f:6:4 true",
    ]


def test_what_is_only_declared_has_no_goals(tmp_path: Path) -> None:
    text = """
import abc, typing
from typing import TYPE_CHECKING, overload
class Sender(typing.Protocol[int]):
    def send(self): ...
    def kind(self):
        \"\"\"Of what.\"\"\"
        return "letter"
class Diary(abc.ABC):
    @abc.abstractmethod
    def append(self):
        raise NotImplementedError
    @abc.abstractmethod
    def total(self):
        return 0
    def told(self): ...
@overload
def size(x: int) -> int: ...
@typing.overload
def size(x: str) -> str: ...
def size(x):
    if TYPE_CHECKING:
        x = int(x)
        def never(): ...
    else:
        x = str(x)
    return x
if TYPE_CHECKING:
    def early(): return 1
"""
    catalogue = SmallModule(tmp_path, text).catalogue("branch", "line")
    found = [catalogue.goals[number] for number in numbers(catalogue.asked)]
    assert {one.qualname for one in found} == {"Sender.kind", "Diary.total", "Diary.told", "size"}
    assert [one.line for one in found if one.criterion == "line" and one.qualname == "size"] == [21, 25, 26]
    assert [one.line for one in found if one.criterion == "branch" and one.qualname == "size"] == [21]


def test_namesakes_on_one_line_are_told_apart(tmp_path: Path) -> None:
    module = SmallModule(tmp_path, "pair = (lambda a: a if a else 0), (lambda b: b)\n")
    catalogue = module.catalogue("branch", "line")
    assert labels(catalogue, catalogue.of("branch")) == [
        "branch <lambda>:1:23 true",
        "branch <lambda>:1:23 false",
        "branch <lambda>:1 entry",
    ]
    assert not catalogue.of("line")


def test_lambdas_in_comprehensions_have_goals(tmp_path: Path) -> None:
    text = """
        checks = [lambda x: 1 if x > n else 0 for n in (1, 2)]


        class Shelf:
            tables = {n: [lambda x: x + 1 for _ in "ab"] for n in (1, 2)}


        def made(values):
            return tuple((lambda x: x if x else n) for n in values)
    """
    catalogue = SmallModule(tmp_path, text).catalogue("branch")
    found = labels(catalogue, catalogue.of("branch"))
    assert [label.partition("<lambda>:")[2] for label in found if "<lambda>" in label] == [
        "1:25 true",
        "1:25 false",
        "5 entry",
        "9:33 true",
        "9:33 false",
    ]


# -- branches


def test_branch_distance_by_approach_level(module: SmallModule) -> None:
    catalogue = module.catalogue("branch")
    wanted = "branch nested:8:11 true"

    def away(*begun: str, **distances: tuple[float, float]) -> float:
        return distance(catalogue, catalogue.footprint(module.trace(module.call("nested", *begun, at=distances))), wanted)

    assert distance(catalogue, catalogue.footprint(module.trace()), wanted) == 1.0
    assert away() == normalise(2.0)  # entered, and stopped before the first decision
    assert away(**{"a > 3": (4.0, 0.0)}) == normalise(1.0 + normalise(4.0))
    assert away("first = a", **{"a > 3": (0.0, 1.0)}) == normalise(1.0)  # right side, stopped in between
    assert away("if b", **{"a > 3": (0.0, 1.0), "b": (9.0, 0.0)}) == normalise(normalise(9.0))
    assert away("if b", **{"a > 3": (0.0, 1.0), "b": (0.0, 9.0)}) == 0.0
    ordered = [
        away(**{"a > 3": (4.0, 0.0)}),
        away(**{"a > 3": (1e300, 0.0)}),
        away(),
    ]
    assert ordered == sorted(ordered)


def test_distances_are_the_least_of_all_calls(module: SmallModule) -> None:
    catalogue = module.catalogue("branch")
    far, near = module.call("nested", at={"a > 3": (8.0, 0.0)}), module.call("nested", at={"a > 3": (2.0, 0.0)})
    found = catalogue.footprint(module.trace(far, near))
    assert distance(catalogue, found, "branch nested:6:7 true") == normalise(normalise(2.0))


def test_entry_goals_know_only_called_and_not(module: SmallModule) -> None:
    catalogue = module.catalogue("branch")
    assert distance(catalogue, catalogue.footprint(module.trace()), "branch plain:2 entry") == 1.0
    assert distance(catalogue, catalogue.footprint(module.trace(module.call("plain"))), "branch plain:2 entry") == 0.0


def test_an_infinite_distance_is_no_missing_evaluation(module: SmallModule) -> None:
    catalogue = module.catalogue("branch")
    inf = float("inf")
    evaluated = catalogue.footprint(module.trace(module.call("nested", at={"a > 3": (inf, 0.0)})))
    stopped = catalogue.footprint(module.trace(module.call("nested")))
    label = "branch nested:6:7 true"
    assert 0 < distance(catalogue, evaluated, label) < distance(catalogue, stopped, label) < 1


def test_the_second_atom_of_a_loop_waits_for_the_first_but_not_for_itself(module: SmallModule) -> None:
    catalogue = module.catalogue("branch")
    first, second = ((f"branch Shelf.take:15:{column} true") for column in (14, 20))
    start = catalogue.unlocked(0)
    assert start >> goal(catalogue, first) & 1
    assert not start >> goal(catalogue, second) & 1
    assert catalogue.unlocked(goals(catalogue, first)) >> goal(catalogue, second) & 1


# -- direct branches


def public(qualname: str, *, line: int = 1, outputs: tuple[str, ...] = (), keys: tuple[CodeKey, ...] = ()) -> CallableFacts:
    return CallableFacts(f"{NAME}:{qualname}", qualname, line, keys, outputs)


def test_a_direct_branch_counts_in_calls_of_the_test_alone(module: SmallModule) -> None:
    key = module.function("nested").key
    catalogue = module.catalogue("direct-branch", callables=[public("nested", keys=(key,))])
    label = "direct-branch nested:6:7 true"
    outer = module.call("plain")
    inner = module.call("nested", caller=outer, at={"a > 3": (0.0, 2.0)})
    indirect = catalogue.footprint(module.trace(outer, inner))
    assert distance(catalogue, indirect, label) == 1.0
    assert not catalogue.covered(indirect) >> goal(catalogue, label) & 1
    assert catalogue.covered(indirect) >> goal(catalogue, "branch nested:6:7 true") & 1
    direct = catalogue.footprint(module.trace(module.call("nested", at={"a > 3": (6.0, 0.0)})))
    assert distance(catalogue, direct, label) == normalise(normalise(6.0))
    hit = catalogue.footprint(module.trace(module.call("nested", at={"a > 3": (0.0, 6.0)})))
    assert catalogue.covered(hit) >> goal(catalogue, label) & 1


def test_where_no_test_can_call_any_context_will_do(module: SmallModule) -> None:
    catalogue = module.catalogue("direct-branch")
    inner = module.call("nested", caller=module.call("plain"), at={"a > 3": (0.0, 2.0)})
    found = catalogue.footprint(module.trace(inner))
    assert catalogue.covered(found) >> goal(catalogue, "direct-branch nested:6:7 true") & 1


def test_a_direct_branch_is_unlocked_by_its_branch(module: SmallModule) -> None:
    catalogue = module.catalogue("branch", "direct-branch")
    direct = goal(catalogue, "direct-branch nested:8:11 false")
    assert not catalogue.unlocked(goals(catalogue, "branch nested:8:11 true")) >> direct & 1
    assert catalogue.unlocked(goals(catalogue, "branch nested:8:11 false")) >> direct & 1


def test_decorated_functions_are_called_directly_through_their_wrapper(tmp_path: Path) -> None:
    text = """
    def deco(f):
        def wrapper(*args):
            return f(*args)
        return wrapper

    @deco
    def real(a):
        if a:
            return 1
    """
    module = SmallModule(tmp_path, text)
    keys = (module.function("real").key, module.function("deco.<locals>.wrapper").key)
    catalogue = module.catalogue("branch", "direct-branch", "method", callables=[public("real", keys=keys)])
    wrapper = module.call("deco.<locals>.wrapper")
    inner = module.call("real", caller=wrapper, at={"a": (0.0, 1.0)})
    found = catalogue.footprint(module.trace(wrapper, inner, calls=[CallFact(f"{NAME}:real")]))
    assert {"direct-branch real:8:7 true", "branch real:8:7 true", "method real"} <= set(
        labels(catalogue, catalogue.covered(found))
    )


# -- lines and mutants


def test_line_distance(module: SmallModule) -> None:
    catalogue = module.catalogue("line")
    label = "line nested:9"

    def away(*begun: str, **distances: tuple[float, float]) -> float:
        return distance(catalogue, catalogue.footprint(module.trace(module.call("nested", *begun, at=distances))), label)

    assert distance(catalogue, catalogue.footprint(module.trace()), label) == 1.0
    assert away("if b", **{"a > 3": (0.0, 1.0), "b": (0.0, 9.0)}) == 0.5  # the branch is covered, the line is not
    assert away("if b", **{"a > 3": (0.0, 1.0), "b": (9.0, 0.0)}) == (1 + normalise(normalise(9.0))) / 2
    assert away(**{"a > 3": (2.0, 0.0)}) == (1 + normalise(1 + normalise(2.0))) / 2
    assert away("return first") == 0.0


def test_mutation_distance(module: SmallModule) -> None:
    catalogue = module.catalogue(
        "weak-mutation", mutants=[module.change(7, "nested", "a > 3"), module.change(8, "nested", "first")]
    )
    number = next(one.number for one in catalogue.goals if one.label == "weak-mutation nested:6:7")
    assert catalogue.mutant_of(number) == 7

    def away(infections: dict[int, float], **distances: tuple[float, float]) -> float:
        trace = module.trace(module.call("nested", at=distances), infections=infections)
        return catalogue.distances(catalogue.footprint(trace), [number])[0]

    assert away({7: 0.0}) == 0.0
    assert away({7: 3.0}) == normalise(3.0) / 2
    assert away({}) == 0.5
    assert catalogue.distances(catalogue.footprint(module.trace()), [number]) == [1.0]
    other = next(one.number for one in catalogue.goals if one.label == "weak-mutation nested:7:8" or one.line == 9)
    missed = catalogue.footprint(module.trace(module.call("nested", at={"a > 3": (2.0, 0.0)})))
    assert catalogue.distances(missed, [other])[0] > 0.5


def test_a_mutant_waits_for_the_branches_that_its_place_depends_on(module: SmallModule) -> None:
    catalogue = module.catalogue("weak-mutation", mutants=[module.change(0, "nested", "a > 3"), module.change(1, "nested", "b")])
    outer, inner = numbers(catalogue.of("weak-mutation"))
    start = catalogue.unlocked(0)
    assert start >> outer & 1
    assert not start >> inner & 1
    assert catalogue.unlocked(goals(catalogue, "branch nested:6:7 true")) >> inner & 1


def test_a_guarded_part_of_an_expression_waits_for_its_guard(tmp_path: Path) -> None:
    module = SmallModule(tmp_path, "def f(a, b):\n    return a and b + 1\n")
    catalogue = module.catalogue("weak-mutation", mutants=[module.change(0, "f", "b + 1")])
    [mutant] = numbers(catalogue.of("weak-mutation"))
    assert not catalogue.unlocked(0) >> mutant & 1
    assert catalogue.unlocked(goals(catalogue, "branch f:2:11 true")) >> mutant & 1


# -- what the test called


FACTS = [public("plain", line=1, outputs=("int zero", "int positive")), public("nested", line=5)]


def test_methods_are_called_by_the_test_and_no_exception_means_returned(module: SmallModule) -> None:
    catalogue = module.catalogue("method", "no-exception", "exception", callables=FACTS)
    plain, nested = f"{NAME}:plain", f"{NAME}:nested"
    returned = catalogue.footprint(module.trace(calls=[CallFact(plain)]))
    raised = catalogue.footprint(module.trace(calls=[CallFact(nested, (), "ValueError", "explicit")]))
    outside = catalogue.footprint(module.trace(calls=[CallFact(nested, (), "TypeError", "outside")]))
    assert labels(catalogue, catalogue.covered(returned)) == ["method plain", "no-exception plain"]
    assert labels(catalogue, catalogue.covered(raised)) == ["method nested", "exception nested ValueError explicit"]
    assert labels(catalogue, catalogue.covered(outside)) == []
    assert distance(catalogue, raised, "no-exception nested") == 1.0
    assert distance(catalogue, outside, "method nested") == 1.0


def test_to_make_a_generator_is_to_call_it_but_not_to_come_to_its_end(module: SmallModule) -> None:
    catalogue = module.catalogue("method", "no-exception", "output", callables=FACTS)
    made = catalogue.footprint(module.trace(calls=[CallFact(f"{NAME}:plain", kind=MADE)]))
    assert labels(catalogue, catalogue.covered(made)) == ["method plain"]
    assert distance(catalogue, made, "no-exception plain") == 1.0


def test_what_a_setter_raises_is_a_goal_of_its_own_and_no_call_of_the_property(module: SmallModule) -> None:
    catalogue = module.catalogue("method", "exception", callables=FACTS)
    raised = [CallFact(f"{NAME}:nested", (), "ValueError", "explicit", accessor) for accessor in ("", "setter", "deleter")]
    found = [labels(catalogue, catalogue.covered(catalogue.footprint(module.trace(calls=[fact])))) for fact in raised]
    assert found == [
        ["method nested", "exception nested ValueError explicit"],
        ["exception nested setter ValueError explicit"],
        ["exception nested deleter ValueError explicit"],
    ]


def test_exceptions_are_found_on_the_way_one_for_each_callable_class_and_kind(module: SmallModule) -> None:
    catalogue = module.catalogue("exception", callables=FACTS)
    address = f"{NAME}:plain"
    before = len(catalogue.goals)
    facts = [
        CallFact(address, (), "ValueError", "explicit"),
        CallFact(address, (), "ValueError", "implicit"),
        CallFact(address, (), "KeyError", "explicit"),
        CallFact(address, (), "ValueError", "explicit"),
        CallFact(address, (), "AssertionError", "assertion"),
    ]
    runs = [catalogue.footprint(module.trace(calls=[fact])) for fact in facts]
    covered = [catalogue.covered(run) for run in runs]
    assert len(catalogue.goals) == before + 4
    assert covered[0] == covered[3]
    assert len(set(covered)) == 4
    number = next(numbers(covered[2]))
    assert catalogue.goals[number].line == 1
    assert [catalogue.distances(run, [number])[0] for run in runs] == [1.0, 1.0, 0.0, 1.0, 1.0]
    assert catalogue.unlocked(0) >> number & 1


def test_outputs_are_declared_or_observed(module: SmallModule) -> None:
    catalogue = module.catalogue("output", "method", callables=FACTS)
    assert labels(catalogue, catalogue.of("output")) == ["output plain int zero", "output plain int positive"]
    zero = goal(catalogue, "output plain int zero")
    assert not catalogue.unlocked(0) >> zero & 1
    assert catalogue.unlocked(goals(catalogue, "method plain")) >> zero & 1
    found = catalogue.covered(catalogue.footprint(module.trace(calls=[CallFact(f"{NAME}:plain", ("int zero",))])))
    assert set(labels(catalogue, found)) == {"method plain", "output plain int zero"}
    new = catalogue.covered(catalogue.footprint(module.trace(calls=[CallFact(f"{NAME}:plain", ("Shelf", "Shelf empty"))])))
    assert set(labels(catalogue, new)) == {"method plain", "output plain Shelf", "output plain Shelf empty"}


def test_what_one_callable_adds_on_the_way_is_bounded(module: SmallModule) -> None:
    catalogue = module.catalogue("output", "exception", callables=FACTS)
    for number in range(3 * MOST_FOUND):
        facts = [CallFact(f"{NAME}:nested", (f"Class{number}",)), CallFact(f"{NAME}:nested", (), f"Error{number}", "explicit")]
        catalogue.covered(catalogue.footprint(module.trace(calls=facts)))
    assert catalogue.of("output").bit_count() == 2 + MOST_FOUND
    assert catalogue.of("exception").bit_count() == MOST_FOUND


def test_instances_are_no_outputs_of_their_class(module: SmallModule) -> None:
    facts = CallableFacts(f"{NAME}:Shelf", "Shelf", makes_instance=True)
    catalogue = module.catalogue("output", "method", callables=[facts])
    found = catalogue.covered(catalogue.footprint(module.trace(calls=[CallFact(f"{NAME}:Shelf", ("Shelf",))])))
    assert labels(catalogue, found) == ["method Shelf"]


# -- all of it together


def test_an_infection_counts_where_no_activation_was_kept(module: SmallModule) -> None:
    catalogue = module.catalogue("weak-mutation", mutants=[module.change(0, "nested", "a > 3"), module.change(1, "nested", "b")])
    found = catalogue.footprint(module.trace(infections={0: 0.0}))
    first, second = numbers(catalogue.of("weak-mutation"))
    assert catalogue.covered(found) == 1 << first
    assert catalogue.distances(found, [second, first]) == [1.0, 0.0]


def test_a_run_out_of_time_covers_nothing_and_is_farthest_from_everything(module: SmallModule) -> None:
    catalogue = module.catalogue(callables=FACTS)
    found = catalogue.footprint(module.trace(module.call("plain"), calls=[CallFact(f"{NAME}:plain")], timed_out=True))
    assert catalogue.covered(found) == 0
    assert set(catalogue.distances(found, range(len(catalogue.goals)))) == {1.0}


@pytest.fixture(scope="module")
def complete(module: SmallModule) -> Catalogue:
    mutants = [module.change(0, "nested", "a > 3"), module.change(3, "nested", "b"), module.change(4, "Shelf.take", "n")]
    keys = tuple(module.function(name).key for name in ("plain", "nested"))
    return module.catalogue(callables=[public("plain", keys=keys[:1]), public("nested", keys=keys[1:])], mutants=mutants)


@some.composite
def runs(draw: some.DrawFn) -> list[tuple[str, int, dict[int, tuple[float, float]], bool]]:
    outcome = some.booleans().flatmap(
        lambda taken: some.floats(0.5, 1e9).map(lambda away: (0.0, away) if taken else (away, 0.0)),
    )
    call = some.tuples(
        some.sampled_from(["plain", "nested", "Shelf.take"]),
        some.integers(0, 127),
        some.dictionaries(some.integers(0, 4), outcome, max_size=4),
        some.booleans(),
    )
    return draw(some.lists(call, max_size=4))


def made(
    module: SmallModule, catalogue: Catalogue, calls: list[tuple[str, int, dict[int, tuple[float, float]], bool]]
) -> Footprint:
    activations: list[Activation] = []
    for name, hits, distances, nested in calls:
        activation = module.call(name, caller=activations[-1] if nested and activations else None)
        for marker in range(len(module.function(name).markers)):
            if hits >> marker & 1:
                activation.hits[marker] = 1  # type: ignore[index]
        for predicate, (to_true, to_false) in distances.items():
            if predicate < len(module.function(name).predicates):
                activation.true_distance[predicate], activation.false_distance[predicate] = to_true, to_false
        activations.append(activation)
    facts = [CallFact(f"{NAME}:{name}", (), "ValueError" if hits & 1 else None, "explicit") for name, hits, *_ in calls]
    infections = {mutant: float(hits % 3) for mutant, (_, hits, *_) in zip((0, 3, 4), calls, strict=False)}
    return catalogue.footprint(module.trace(*activations, calls=facts, infections=infections))


@settings(max_examples=150, deadline=None)
@given(calls=runs())
def test_covered_is_distance_zero_and_distances_lie_between_0_and_1(
    module: SmallModule, complete: Catalogue, calls: list[tuple[str, int, dict[int, tuple[float, float]], bool]]
) -> None:
    footprint = made(module, complete, calls)
    covered = complete.covered(footprint)
    found = complete.distances(footprint, range(len(complete.goals)))
    assert all(0 <= one <= 1 for one in found)
    assert found == [complete.measure_of(number).distance(footprint) for number in range(len(complete.goals))]
    assert [one == 0 for one in found] == [bool(covered >> number & 1) for number in range(len(complete.goals))]
    assert complete.covered(footprint) == covered
    assert complete.suite_distance([footprint], covered) == 0
    missing = ((1 << len(complete.goals)) - 1) & ~covered
    assert complete.suite_distance([footprint], missing) > 0


@settings(max_examples=100, deadline=None)
@given(one=some.integers(0, (1 << 60) - 1), more=some.integers(0, (1 << 60) - 1))
def test_unlocked_is_monotone_whatever_was_asked_before(complete: Catalogue, one: int, more: int) -> None:
    every = (1 << len(complete.goals)) - 1
    less, larger = one & every, (one | more) & every
    first = complete.unlocked(less)
    second = complete.unlocked(larger)
    assert first & ~second == 0
    assert complete.unlocked(less) == first


def test_every_goal_is_unlocked_in_the_end(complete: Catalogue) -> None:
    covered = 0
    while (found := complete.unlocked(covered)) != covered:
        covered = found
    assert covered == (1 << len(complete.goals)) - 1


def test_flag_distances_replace_those_of_branches_that_were_missed(module: SmallModule) -> None:
    catalogue = module.catalogue("branch")
    asked: list[str] = []

    def told(one: object, _footprint: Footprint) -> float | None:
        asked.append(one.label)  # type: ignore[attr-defined]
        return 0.25 if one.label == "branch nested:6:7 true" else None  # type: ignore[attr-defined]

    found = catalogue.footprint(module.trace(module.call("nested", at={"a > 3": (1.0, 0.0)})))
    both = [goal(catalogue, f"branch nested:6:7 {outcome}") for outcome in ("true", "false")]
    deeper = goal(catalogue, "branch nested:8:11 true")
    plain = catalogue.distances(found, [*both, deeper])
    catalogue.take_flags(-1, len(catalogue.functions), told)
    assert catalogue.distances(found, [*both, deeper]) == [normalise(0.25), 0.0, plain[2]]
    # The covered one is not asked for; one that was not evaluated is, for a flag may have raised.
    assert asked == ["branch nested:6:7 true", "branch nested:8:11 true"]


def test_of_runs_that_stopped_behind_the_same_decision_the_one_that_got_further_is_better(tmp_path: Path) -> None:
    text = """
    def f(a, b):
        if a:
            one = a.x
            two = a.y
            three = a.z
            if b:
                return 1
    """
    module = SmallModule(tmp_path, text)
    catalogue = module.catalogue("branch", "line")
    early = catalogue.footprint(module.trace(module.call("f", "one =", at={"a": (0.0, 1.0)})))
    late = catalogue.footprint(module.trace(module.call("f", "one =", "two =", at={"a": (0.0, 1.0)})))
    wrong = catalogue.footprint(module.trace(module.call("f", at={"a": (3.0, 0.0)})))
    for label in ("branch f:6:11 true", "line f:7"):
        wanted = goal(catalogue, label)
        assert catalogue.distances(early, [wanted]) == catalogue.distances(late, [wanted])
        assert catalogue.secondary(early, late, wanted) > 0
        assert catalogue.secondary(late, early, wanted) < 0
        assert catalogue.secondary(late, late, wanted) == 0
        assert catalogue.secondary(wrong, wrong, wanted) == 0
        assert catalogue.secondary(catalogue.footprint(module.trace()), late, wanted) == 0
    assert catalogue.secondary(early, late, goal(catalogue, "branch f:2:7 false")) == 0
