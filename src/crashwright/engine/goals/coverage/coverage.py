"""What is covered, criterion by criterion, and which branches are open, with the nearest distance ever seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crashwright.core.location import Position
from crashwright.core.report import Unknown
from crashwright.core.suite import CriterionCoverage, Decision, OpenBranch, TakenBranch
from crashwright.engine.goals.coverage.catalogue import Catalogue
from crashwright.engine.goals.coverage.footprint import Entries, Footprint
from crashwright.engine.goals.coverage.goal import Goals, numbers
from crashwright.engine.goals.coverage.measures import BranchDistance
from crashwright.engine.instrument.trace import Predicate
from crashwright.engine.subject.source import Sources

_LONGEST = 60
"""Characters of a condition that are shown."""
_WORDS = {
    "iter": ("the loop over {} is entered", "the loop over {} comes to its end"),
    "except": ("{} is entered", "{} is passed by an exception"),
    "case": ("{} matches", "{} does not match"),
    "with": ("{} suppresses an exception", "{} lets an exception pass"),
}
_CONDITION = ("{} is true", "{} is false")


def coverage_of(catalogue: Catalogue, covered: Goals) -> tuple[CriterionCoverage, ...]:
    """Of the criteria asked for, in their order. Of exceptions there are as many as were found and kept. What existing tests cover
    counts as covered."""
    found = []
    known = catalogue.known
    covered |= known
    for criterion in catalogue.target.criteria:
        goals = catalogue.of(criterion)
        met = (goals & covered).bit_count()
        found.append(
            CriterionCoverage(criterion, met, met if criterion == "exception" else goals.bit_count(), (goals & known).bit_count())
        )
    return tuple(found)


class Nearness:
    """The least branch distances seen. Only functions with open branches are looked at, so that noting the tests of a population
    now and then is cheap; the best test for a goal that is aimed at is always among them."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._least: dict[int, Entries] = {}
        self._closed: Goals = 0
        self._functions: tuple[int, ...] = ()
        self._look_up(0)

    def note(self, footprints: Iterable[Footprint], covered: Goals) -> None:
        """What these runs came near to; ``covered`` is known and needs no distance."""
        if covered != self._closed:
            self._look_up(covered)
        least = self._least
        for footprint in footprints:
            for function in self._functions:
                entries = footprint.entries[function]
                if entries is not None:
                    known = least.get(function)
                    least[function] = entries if known is None else list(map(min, known, entries))

    def distance(self, goal: int) -> float | None:
        """The least branch distance of a branch goal; None where its predicate was never evaluated."""
        measure = self._catalogue.measure_of(goal)
        if not isinstance(measure, BranchDistance):
            return None
        entries = self._least.get(measure.function)
        if entries is None or (entries[measure.wanted] and entries[measure.other]):
            return None
        return entries[measure.wanted]

    def _look_up(self, covered: Goals) -> None:
        self._closed = covered
        catalogue = self._catalogue
        found = {
            measure.function: None
            for goal in numbers(catalogue.of("branch") & ~covered)
            if isinstance(measure := catalogue.measure_of(goal), BranchDistance)
        }
        self._functions = tuple(found)


def never_returned(catalogue: Catalogue, covered: Goals) -> tuple[str, ...]:
    """The callables of which every call raised, in the order of their lines."""
    known = covered | catalogue.known
    missing = [goal for goal in catalogue.goals if goal.criterion == "no-exception" and not known >> goal.number & 1]
    return tuple(dict.fromkeys(goal.qualname for goal in sorted(missing, key=lambda goal: goal.line)))


def open_branches(catalogue: Catalogue, covered: Goals, nearness: Nearness, sources: Sources) -> tuple[OpenBranch, ...]:
    """The branches that no test takes, the nearest first; those whose condition was never evaluated last."""
    lines = _lines(catalogue, sources)
    found = []
    for number in numbers(catalogue.of("branch") & ~(covered | catalogue.known)):
        goal = catalogue.goals[number]
        found.append(OpenBranch(goal.qualname, goal.line, _branch_text(catalogue, number, lines), nearness.distance(number)))
    return tuple(sorted(found, key=lambda branch: (branch.distance is None, branch.distance or 0.0, branch.line)))


def taken_branches(catalogue: Catalogue, tests: Sequence[Goals], sources: Sources) -> tuple[TakenBranch, ...]:
    """The branches that ``tests``, of which each is what it covers, take."""
    lines = _lines(catalogue, sources)
    by_branch: dict[int, list[int]] = {}
    for place, covered in enumerate(tests):
        for number in numbers(covered & catalogue.of("branch")):
            by_branch.setdefault(number, []).append(place)
    found = []
    for number in sorted(by_branch):
        goal = catalogue.goals[number]
        found.append(TakenBranch(goal.qualname, goal.line, _branch_text(catalogue, number, lines), tuple(by_branch[number])))
    return tuple(sorted(found, key=lambda branch: branch.line))


def _lines(catalogue: Catalogue, sources: Sources) -> list[str]:
    source = sources.of_module(catalogue.target.module)
    return [] if isinstance(source, Unknown) else source.text.split("\n")


def _branch_text(catalogue: Catalogue, number: int, lines: list[str]) -> str:
    """The branch of a goal in words."""
    measure = catalogue.measure_of(number)
    if not isinstance(measure, BranchDistance):
        return "the function is called"
    predicate, outcome = measure.outcome
    return in_words(measure.flow.function.predicates[predicate], outcome, lines)


def one_sided(catalogue: Catalogue, number: int, covered: Goals) -> bool:
    """Whether what covers ``covered`` never takes the other side of a branch: the condition is so all along."""
    measure = catalogue.measure_of(number)
    if not isinstance(measure, BranchDistance):
        return False
    predicate, outcome = measure.outcome
    for goal in numbers(covered & catalogue.of("branch")):
        other = catalogue.measure_of(goal)
        if isinstance(other, BranchDistance) and other.function == measure.function and other.outcome == (predicate, not outcome):
            return False
    return True


def decision_of(catalogue: Catalogue, number: int, lines: list[str]) -> Decision | None:
    """The branch of a goal as the source has it; None for other goals."""
    measure = catalogue.measure_of(number)
    if not isinstance(measure, BranchDistance) or catalogue.goals[number].criterion != "branch":
        return None
    index, outcome = measure.outcome
    predicate = measure.flow.function.predicates[index]
    return Decision(predicate.kind, on_one_line(predicate.position, lines), outcome)


def in_words(predicate: Predicate, outcome: bool, lines: list[str]) -> str:
    """Such as "`count > 3` is false"."""
    shown = on_one_line(predicate.position, lines)
    if predicate.kind in ("except", "with"):
        shown = shown.partition(":")[0]
    if len(shown) > _LONGEST:
        shown = f"{shown[: _LONGEST - 3]}..."
    return _WORDS.get(predicate.kind, _CONDITION)[not outcome].format(f"`{shown}`" if shown else "the condition")


def on_one_line(position: Position, lines: list[str]) -> str:
    """The source at a position, on one line."""
    line, column, end_line, end_column = position
    if end_line > len(lines):
        return ""
    parts = [text.encode() for text in lines[line - 1 : end_line]]
    parts[-1] = parts[-1][:end_column]
    parts[0] = parts[0][column:]
    return " ".join(b" ".join(parts).decode(errors="replace").split())
