"""A solver that is told conditions one after the other, takes them back, and says which of them contradict each other.

Runs repeat: seeds are fixed. A check that takes too long is UNDECIDED, which a walk takes as satisfiable.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, NamedTuple

from crashwright.core.terms import Op, Sort, Term
from crashwright.symbolic.solving.models import Assignment
from crashwright.symbolic.solving.reads import ArrayReads, NormalForm
from crashwright.symbolic.solving.z3_terms import Language
from crashwright.symbolic.values.logic import and_, equal, implies
from crashwright.symbolic.values.substitution import folded

SEED: Final = 1
ROUGH: Final = frozenset({Op.CALLED, Op.UPPER, Op.LOWER, Op.BIT_AND, Op.BIT_OR, Op.BIT_XOR})
"""Operators of which the solver knows not all: what it finds is computed, and said, where it is wrong."""
MOST_CORRECTIONS: Final = 5
"""Checks in which it is corrected; then it is undecided."""


class SolverVerdict(Enum):
    """What a check says."""

    SATISFIABLE = "satisfiable"
    CONTRADICTION = "contradiction"
    UNDECIDED = "undecided"


class SolverAnswer(NamedTuple):
    """``core``: names of conditions that cannot all hold, of a contradiction. ``reason``: why it is undecided."""

    verdict: SolverVerdict
    core: frozenset[Hashable] = frozenset()
    reason: str = ""

    @property
    def possible(self) -> bool:
        """Whether a walk goes on: what is undecided may be satisfiable."""
        return self.verdict is not SolverVerdict.CONTRADICTION


@dataclass(slots=True)
class SolverEffort:
    """How many checks there were, how they ended, and how long they took."""

    satisfiable: int = 0
    contradictions: int = 0
    undecided: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    resources: int = 0
    """In the solver's own unit, where checks are bounded by it."""

    @property
    def checks(self) -> int:
        """All of them."""
        return self.satisfiable + self.contradictions + self.undecided


class _Tracker(NamedTuple):
    """``literal``: what is assumed in checks, and stands in cores; None where a condition has no name."""

    name: Hashable
    literal: Any


class _Told(NamedTuple):
    """What the solver was told, for whom."""

    expression: Any
    literal: Any


class _Beside(NamedTuple):
    """Another solver, which is told what speaks of no texts, as long as ``depth`` scopes are open."""

    solver: Any
    depth: int


class Solver:
    """Conditions in scopes. ``clock`` is for :attr:`effort` alone. ``resources``: what bounds each check in place of seconds, in
    the solver's own unit, so that no clock decides anything."""

    def __init__(self, language: Language, clock: Callable[[], float], resources: int | None = None) -> None:
        self._language = language
        self._resources = resources
        self._clock = clock
        self._z3 = self._new_solver()
        self.effort = SolverEffort()
        self._normal = NormalForm()
        self._reads = ArrayReads(self._normal)
        self._trackers: list[_Tracker] = []
        self._rough: list[Term] = []
        self._without_texts: list[_Told] = []
        self._beside_texts: _Beside | None = None
        self._scopes: list[tuple[int, int, int]] = []
        self._model: Any = None
        self._is_found = False

    def beside(self) -> Solver:
        """One to which nothing was told yet, for questions of their own; what they take counts together."""
        other = Solver(self._language, self._clock, self._resources)
        other.effort = self.effort
        return other

    def _new_solver(self) -> Any:
        solver = self._language.z3.SimpleSolver()
        for option, value in (("random_seed", SEED), ("relevancy", 0)):  # the latter halves the time of texts
            solver.set(option, value)
        return solver

    @property
    def depth(self) -> int:
        """Scopes that are open."""
        return len(self._scopes)

    def push(self) -> None:
        """Open a scope."""
        self._is_found = False
        self._z3.push()
        if self._beside_texts is not None:
            self._beside_texts.solver.push()
        self._reads.push()
        self._scopes.append((len(self._trackers), len(self._rough), len(self._without_texts)))

    def pop(self, scopes: int = 1) -> None:
        """Take back what was added since the last scopes were opened."""
        self._is_found = False
        for _ in range(scopes):
            self._reads.pop()
            trackers, rough, told = self._scopes.pop()
            del self._trackers[trackers:], self._rough[rough:], self._without_texts[told:]
            if self._beside_texts is not None and self._beside_texts.depth > len(self._scopes):
                self._beside_texts = None
            elif self._beside_texts is not None:
                self._beside_texts.solver.pop()
        if scopes:
            self._z3.pop(scopes)

    def add(self, condition: Term, name: Hashable = None) -> None:
        """That a condition (TRUTH) holds; cores have its name. One without a name never stands in a core."""
        self._is_found = False
        number = len(self._trackers)
        literal = None if name is None else self._language.unchecked.tracker(number)
        self._trackers.append(_Tracker(name, literal))
        for one, owner in self._reads.told(condition, number):
            self._tell(self._language.expression(one), self._trackers[owner].literal, self._language.is_of_texts(one))
        for part in self._reads.new_parts():
            if part.op in ROUGH:
                self._rough.append(part)
            for fact in self._language.facts(part):
                self._tell(fact, None, self._language.is_of_texts(part) or part.sort is Sort.BYTES)

    def _tell(self, expression: Any, tracker: Any, of_texts: bool) -> None:
        whole = expression if tracker is None else self._language.implied(tracker, expression)
        self._language.unchecked.tell(self._z3, whole)
        if not of_texts:
            self._without_texts.append(_Told(whole, tracker))
            if self._beside_texts is not None:
                self._language.unchecked.tell(self._beside_texts.solver, whole)

    def check_roughly(self, seconds: float) -> SolverAnswer:
        """The same, quicker: what was undecided is not asked again with more, but only whether what is said beside texts is a
        contradiction already. For those who want no model."""
        if self._beside_texts is None:
            answer = self.check(seconds)
            if answer.verdict is SolverVerdict.UNDECIDED:
                self._beside_texts = _Beside(self._new_solver(), len(self._scopes))
                self._beside_texts.solver.add(*[one.expression for one in self._without_texts])
            return answer
        began = self._clock()
        z3, solver = self._language.z3, self._beside_texts.solver
        self._bound(solver, seconds)
        literals = {str(one.literal): one.literal for one in self._without_texts if one.literal is not None}
        result = self._language.unchecked.asked(solver, list(literals.values()))
        self._count_resources(solver)
        core = frozenset(self._core(solver)) if result == z3.unsat else frozenset()
        verdict = SolverVerdict.CONTRADICTION if result == z3.unsat else SolverVerdict.UNDECIDED
        self._count(verdict, self._clock() - began)
        return SolverAnswer(verdict, core, "texts")

    def check(self, seconds: float, also: Sequence[tuple[Term, Hashable]] = ()) -> SolverAnswer:
        """Whether all of it can hold, and what is true only for this check, by name."""
        if not also:
            return self._checked(seconds)
        self.push()
        for condition, name in also:
            self.add(condition, name)
        try:
            answer = self._checked(seconds)
            if answer.verdict is SolverVerdict.SATISFIABLE:
                self.assignment()
            return answer
        finally:
            self.pop()

    def _checked(self, seconds: float) -> SolverAnswer:
        """What the solver knows only roughly is computed for what it found, and said, until it agrees."""
        until = self._clock() + seconds
        for _ in range(MOST_CORRECTIONS):
            answer = self._asked(max(until - self._clock(), 0.001))
            wrong = self._corrections() if answer.verdict is SolverVerdict.SATISFIABLE else []
            if not wrong:
                break
            for one in wrong:
                self.add(one)
            answer = SolverAnswer(SolverVerdict.UNDECIDED, reason="operations that the solver knows roughly")
        self._count(answer.verdict, self._clock() - until + seconds)
        return answer

    def _count(self, verdict: SolverVerdict, took: float) -> None:
        self.effort.satisfiable += verdict is SolverVerdict.SATISFIABLE
        self.effort.contradictions += verdict is SolverVerdict.CONTRADICTION
        self.effort.undecided += verdict is SolverVerdict.UNDECIDED
        self.effort.seconds += took
        self.effort.longest = max(self.effort.longest, took)

    def _asked(self, seconds: float) -> SolverAnswer:
        z3 = self._language.z3
        self._bound(self._z3, seconds)
        try:
            result = self._language.unchecked.asked(self._z3, [one.literal for one in self._trackers if one.literal is not None])
            reason = self._z3.reason_unknown() if result == z3.unknown else ""
            self._count_resources(self._z3)
        except z3.Z3Exception as error:
            result, reason = z3.unknown, str(error)
        self._model, self._is_found = None, result == z3.sat
        if result == z3.sat:
            return SolverAnswer(SolverVerdict.SATISFIABLE)
        if result == z3.unsat:
            return SolverAnswer(SolverVerdict.CONTRADICTION, frozenset(self._core(self._z3)))
        return SolverAnswer(SolverVerdict.UNDECIDED, reason=reason)

    def _bound(self, solver: Any, seconds: float) -> None:
        """Its next check; by the clock only where that may decide."""
        if self._resources is None:
            solver.set("timeout", max(1, round(seconds * 1000)))
        else:
            solver.set("rlimit", self._resources)

    def _count_resources(self, solver: Any) -> None:
        """After a check."""
        if self._resources is not None:
            self.effort.resources = solver.statistics().get_key_value("rlimit count")

    def _corrections(self) -> list[Term]:
        """What Python makes of the operands that were found, where the solver took it for something else."""
        if not self._rough:
            return []
        found, wrong = self.assignment(), []
        for term in self._rough:
            args = [found.value_of(one) for one in term.args]
            known = [one for one in args if one is not None]
            right = folded(term, known) if len(known) == len(args) else term
            if right.op is Op.LITERAL and found.value_of(term) != right:
                wrong.append(implies(and_(*map(equal, term.args, known)), equal(term, right)))
        return wrong

    def _core(self, solver: Any) -> Iterator[Hashable]:
        for one in solver.unsat_core():
            yield self._trackers[int(one.decl().name()[1:])].name

    def reads_of(self, array: Term) -> list[tuple[Term, tuple[Term, ...]]]:
        """What the conditions read of a constant array, and by which indices: of the rest of it nothing is asked."""
        return self._reads.of(array)

    def speaks_of(self, term: Term) -> bool:
        """Whether a condition does."""
        return self._reads.has_seen(term)

    def assignment(self) -> Assignment:
        """What the last check found, which was satisfiable: to be asked for before anything else is added or taken back. Stays
        valid whatever is afterwards."""
        if self._model is None:  # it is made when it is asked for: that takes as long as a check, and a walk needs none
            assert self._is_found
            self._model = self._z3.model()
        return Assignment(self._language, self._normal, self._model)
