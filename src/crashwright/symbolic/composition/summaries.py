"""What a function does on each way through it, in terms of its parameters and of the heap at its entry (STAR, section 5.1).

Deviation: a summary is made of what is asked for, and no more: which arrays of the heap. So ways that
differ in something else are one, by the pruning of the walk; a constructor with ten options that has one field asked for has as
many ways as that field.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from crashwright.core.location import CodeKey
from crashwright.core.terms import Op, Sort, Term
from crashwright.symbolic.execution.elimination import eliminated
from crashwright.symbolic.execution.limits import Limits, OutOfTime
from crashwright.symbolic.execution.walk import Core, Walk, WayResult
from crashwright.symbolic.ir.nodes import Function
from crashwright.symbolic.semantics.path import Name, Path, PathActivation, State, Variable, array_sort
from crashwright.symbolic.semantics.program import Program
from crashwright.symbolic.semantics.step import Step
from crashwright.symbolic.solving.solver import Solver, SolverVerdict
from crashwright.symbolic.values import literals, tags
from crashwright.symbolic.values.logic import equal
from crashwright.symbolic.values.substitution import all_substituted

MOST_WAYS: Final = 12
"""Of one function; more are left out."""


SECONDS, STEPS = 2.0, 1500
"""For one function."""
BEFORE: Final = "before "
RESULT: Final = "result"


class Summary(NamedTuple):
    """One way through a function. ``effects``: arrays afterwards, in terms of :func:`before`, where they are others and it is known
    how; ``conditions``: what holds at the entry, and facts about objects that are made."""

    effects: tuple[tuple[str, Term], ...] = ()
    conditions: tuple[Term, ...] = ()
    unmodelled: tuple[str, ...] = ()


class SummaryKey(NamedTuple):
    """Of a function, with the arrays that are asked for, those alone that it may write; ``returned``: the name that what it returns
    has."""

    function: CodeKey
    names: frozenset[str]
    returned: str = ""


@dataclass(slots=True)
class Summaries:
    """Of the functions of a program, each made once and kept for the run. On disk they would save a second run a hundredth of its
    time (the median of crashes), and what a run finds is kept there anyway."""

    program: Program
    solver: Solver
    limits: Limits
    _known: dict[SummaryKey, tuple[Summary, ...]] = field(default_factory=dict)

    def of(self, function: Function, asked: frozenset[str], returned: str = "") -> tuple[Summary, ...]:
        """The ways that are known, plainest first. ``asked``: arrays; ``returned``: ways that return an object which they make, in
        terms of an input of that name in its place."""
        names = asked & self.program.heap_written(function)
        key = SummaryKey(CodeKey(function.module, function.qualname, function.first_line), names, returned)
        if key not in self._known:
            found = self._recorded(function, names, returned)
            self._known[key] = tuple(sorted(found, key=lambda one: (len(one.unmodelled), len(one.conditions))))
        return self._known[key]

    def _recorded(self, function: Function, names: frozenset[str], returned: str) -> list[Summary]:
        """The ways that are found in time."""
        limits = self.limits.within(SECONDS, STEPS)
        path = Path(self.solver)
        walk = Walk(path, self.program, limits, lambda: _core(self.solver, limits))
        found: list[Summary] = []
        for number in function.returns:
            path.push()
            try:
                self._from_return(walk, function, names, number, found, returned)
            except (OutOfTime, _Enough):
                break
            finally:
                path.pop()
        self.limits.spend()
        return found

    def _from_return(
        self, walk: Walk, function: Function, names: frozenset[str], number: int, found: list[Summary], returned: str
    ) -> None:
        path = walk.path
        activation = PathActivation(path.next_number(), function)
        after: dict[Name, Term] = {name: path.fresh(array_sort(name), f"{name} afterwards") for name in sorted(names)}
        state = State(dict(after))
        result = literals.symbol(Sort.VALUE, RESULT)
        if returned:
            step = Step(path, state, activation, function.nodes[number], self.program)
            step.need(equal(result, step.value(function.nodes[number].operands[0])))

        def entry(before: State) -> WayResult:
            _unbind(Step(path, before, activation, function.nodes[0], self.program), before)
            core = walk.check()
            if core is not None:
                return WayResult(cores=[core] if core else [], opaque=not core)
            whole = _summary(path, before, after)
            one = _of_what_is_returned(whole, result, returned) if returned else whole
            if one is not None and one not in found:
                found.append(one)
            if len(found) >= MOST_WAYS:
                raise _Enough
            return WayResult(reached=True)

        walk.back(activation, function.nodes[number].before, state, entry)


class _Enough(Exception):
    """Of the ways through one function."""


def _core(solver: Solver, limits: Limits) -> Core | None:
    answer = solver.check(limits.check_seconds)
    return frozenset(map(str, answer.core)) if answer.verdict is SolverVerdict.CONTRADICTION else None


def _summary(path: Path, state: State, after: Mapping[Name, Term]) -> Summary:
    known, left = eliminated(path.assertions, state.versions, before)
    effects = [
        (str(name), known[version]) for name, version in after.items() if version in known and known[version] != before(name)
    ]
    conditions = dict.fromkeys(one for _, one in left if one != literals.TRUE)
    return Summary(tuple(effects), tuple(conditions), tuple(dict.fromkeys(path.unmodelled)))


def _of_what_is_returned(summary: Summary, result: Term, name: str) -> Summary | None:
    """In terms of the object that it makes and returns, under this name; None where it returns something else."""
    made = next((found for one in summary.conditions if (found := _equal_to(one, result)) is not None), None)
    if made is None:
        return None
    held = {made: tags.reference_in(literals.given(Sort.VALUE, name))}
    effects = zip([name for name, _ in summary.effects], all_substituted([term for _, term in summary.effects], held), strict=True)
    conditions = [one for one in summary.conditions if _equal_to(one, result) is None]
    return Summary(tuple(effects), all_substituted(conditions, held), summary.unmodelled)


def _equal_to(condition: Term, result: Term) -> Term | None:
    """The reference that a condition says ``result`` is."""
    if condition.op is not Op.EQUAL or result not in condition.args:
        return None
    (other,) = [one for one in condition.args if one != result] or (result,)
    is_made = other.op is Op.OF_REFERENCE and other.args[0].op is Op.LITERAL
    return other.args[0] if is_made else None


def _unbind(step: Step, state: State) -> None:
    """Variables that are no parameters had no value at the entry."""
    number, parameters = step.activation.number, {one.name for one in step.function.parameters}
    for name in [one for one in state.versions if isinstance(one, Variable) and one.activation == number]:
        if name.place.name not in parameters:
            step.say(state.versions.pop(name), literals.UNDEFINED)


def before(name: Name) -> Term:
    """What stands for a parameter, or for an array of the heap at the entry. Of an array that is no INPUT: of those it is said that
    they lead to nothing that the function makes, and facts about what it makes are said of them too."""
    if isinstance(name, Variable):
        return literals.given(Sort.INTEGER if name.place.name.endswith(", place") else Sort.VALUE, name.place.name)
    return array_before(name)


def array_before(name: str) -> Term:
    """Of an array."""
    return literals.symbol(array_sort(name), f"{BEFORE}{name}")
