"""The goals of a module as it is when the search begins, criterion by criterion (SPEC 6)."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol

from crashwright.core.location import CodeKey, Position
from crashwright.core.report import Unknown
from crashwright.core.suite import CRITERIA, ModuleTarget
from crashwright.engine.goals.coverage.approach import FunctionFlow, Outcome
from crashwright.engine.goals.coverage.callables import CallableFacts, wrapper_keys
from crashwright.engine.goals.coverage.footprint import Footprint
from crashwright.engine.goals.coverage.measures import (
    BranchDistance,
    EntryDistance,
    Measure,
    MethodDistance,
    MutationDistance,
    OutputDistance,
    StatementDistance,
)
from crashwright.engine.instrument.trace import ProbedFunction
from crashwright.engine.subject.flow.conditions import position_of
from crashwright.engine.subject.only_declared import for_checkers, only_declared
from crashwright.engine.subject.source import CodeNode, Sources
from crashwright.engine.subject.walking import walk


class MutantLike(Protocol):
    """A weak mutant (``subject.mutants.enumeration``)."""

    @property
    def number(self) -> int:
        """That of ``Trace.infections``."""

    @property
    def key(self) -> CodeKey:
        """The function changed."""

    @property
    def position(self) -> Position:
        """The expression changed."""

    @property
    def label(self) -> str:
        """Unique within the module."""


class GoalDraft(NamedTuple):
    """A goal without a number. ``parents``: one of these outcomes in ``function`` is to be covered first; ``after``: a callable
    that is to be called first. ``key`` finds goals that may also be met on the way."""

    criterion: str
    qualname: str
    line: int
    label: str
    measure: Measure
    function: int = -1
    parents: tuple[Outcome, ...] = ()
    after: str = ""
    key: tuple[str, ...] = ()


class GoalBuilder:
    """See :class:`Catalogue` for the arguments."""

    def __init__(
        self,
        functions: Sequence[ProbedFunction],
        sources: Sources,
        target: ModuleTarget,
        callables: Sequence[CallableFacts],
        mutants: Sequence[MutantLike],
        imported: Footprint | None,
    ) -> None:
        self._target = target
        self._mutants = mutants
        self._imported = imported
        self.callables: Mapping[str, CallableFacts] = MappingProxyType({facts.address: facts for facts in callables})
        own = {key for facts in callables for key in facts.keys}
        wrappers = wrapper_keys(callables)
        self._public = own
        self.through = frozenset(
            number for number, function in enumerate(functions) if function.key.module != target.module or function.key in wrappers
        )
        """The functions through which a call of the test's is still its own."""
        self._flows: list[FunctionFlow] = []
        self._impossible: dict[int, frozenset[Position]] = {}
        self._left_out: dict[int, frozenset[Position]] = {}
        """Conditions and statements that are only there for type checkers."""
        source = sources.of_module(target.module)
        declared = frozenset[int]() if isinstance(source, Unknown) else only_declared(source.tree)
        for number, function in enumerate(functions):
            if function.key.module == target.module and self._wanted(function.key, own):
                tree = _tree_of(function, sources)
                if id(tree) not in declared:
                    self._flows.append(FunctionFlow(number, function, tree))
                    self._impossible[number] = _always_entered(tree)
                    self._left_out[number] = frozenset(map(position_of, for_checkers(tree) if tree is not None else ()))

    def drafts(self) -> Iterator[GoalDraft]:
        """In order: goals stand behind those that they depend on."""
        sources: Mapping[str, Callable[[], Iterable[GoalDraft]]] = {
            "branch": self._branches,
            "direct-branch": self._direct_branches,
            "line": self._lines,
            "weak-mutation": self._mutations,
            "method": self._methods,
            "no-exception": self._returns,
            "output": self._outputs,
        }
        for criterion in CRITERIA:
            if criterion in sources and (criterion == "branch" or criterion in self._target.criteria):
                yield from sources[criterion]()

    def _wanted(self, key: CodeKey, own: set[CodeKey]) -> bool:
        names = self._target.names
        return not names or key in own or any(key.qualname == name or key.qualname.startswith(f"{name}.") for name in names)

    def _branches(self) -> Iterator[GoalDraft]:
        for flow in self._flows:
            for draft in self._branches_in(flow, direct=False):
                if self._imported is None or draft.measure.distance(self._imported) > 0:
                    yield draft

    def _direct_branches(self) -> Iterator[GoalDraft]:
        """Of a function that tests can call, in calls of their own; of any other, in any call."""
        for flow in self._flows:
            yield from self._branches_in(flow, direct=True)

    def _branches_in(self, flow: FunctionFlow, direct: bool) -> Iterator[GoalDraft]:
        function, number = flow.function, flow.number
        qualname = function.key.qualname
        criterion = "direct-branch" if direct else "branch"
        own = direct and function.key in self._public
        decided = False
        for predicate, (position, kind) in enumerate(function.predicates):
            if kind == "site" or position in self._left_out[number]:
                continue
            decided = True
            parents = () if direct else flow.parents_of_predicate(predicate)
            for outcome in (True, False):
                if not outcome and position in self._impossible[number] and kind == "except":
                    continue
                label = f"{criterion} {qualname}:{position.line}:{position.column} {str(outcome).lower()}"
                taken = (predicate, outcome)
                yield GoalDraft(
                    criterion,
                    qualname,
                    position.line,
                    label,
                    BranchDistance(flow, taken, own),
                    number,
                    (taken,) if direct else parents,
                )
        if not decided:
            line = function.markers[0].line if function.markers else function.key.first_line
            yield GoalDraft(criterion, qualname, line, f"{criterion} {qualname}:{line} entry", EntryDistance(number, own), number)

    def _lines(self) -> Iterator[GoalDraft]:
        for flow in self._flows:
            key = flow.function.key
            if key.name == "<lambda>":
                continue  # its body is an expression of the statement around it
            lines: dict[int, list[int]] = {}
            for marker, position in enumerate(flow.function.markers):
                if position in self._left_out[flow.number]:
                    continue
                lines.setdefault(position.line, []).append(marker)
            for line, markers in sorted(lines.items()):
                begun = StatementDistance(flow, tuple(markers))
                if self._imported is None or begun.distance(self._imported) > 0:
                    label = f"line {key.qualname}:{line}"
                    yield GoalDraft("line", key.qualname, line, label, begun, flow.number, flow.parents_of_place(begun.place))

    def _mutations(self) -> Iterator[GoalDraft]:
        by_key: dict[CodeKey, list[FunctionFlow]] = {}
        for flow in self._flows:
            by_key.setdefault(flow.function.key, []).append(flow)
        for mutant in self._mutants:
            flows = by_key.get(mutant.key)
            if flows:
                flow = next((flow for flow in flows if _inside(flow.function, mutant.position)), flows[0])
                yield GoalDraft(
                    "weak-mutation",
                    mutant.key.qualname,
                    mutant.position.line,
                    f"weak-mutation {mutant.label}",
                    MutationDistance(flow, mutant.number, mutant.position),
                    flow.number,
                    flow.parents_of_place(mutant.position),
                )

    def _methods(self) -> Iterator[GoalDraft]:
        for address, facts in self.callables.items():
            yield GoalDraft(
                "method", facts.qualname, facts.line, f"method {facts.qualname}", MethodDistance(address, returned=False)
            )

    def _returns(self) -> Iterator[GoalDraft]:
        for address, facts in self.callables.items():
            label = f"no-exception {facts.qualname}"
            yield GoalDraft("no-exception", facts.qualname, facts.line, label, MethodDistance(address, returned=True))

    def _outputs(self) -> Iterator[GoalDraft]:
        for address, facts in self.callables.items():
            for output in facts.outputs:
                label = f"output {facts.qualname} {output}"
                key = ("output", address, output)
                yield GoalDraft(
                    "output", facts.qualname, facts.line, label, OutputDistance(address, output), after=address, key=key
                )


def _tree_of(function: ProbedFunction, sources: Sources) -> ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None:
    """Of namesakes on one line the one in which the function's statements lie."""
    source = sources.of_module(function.key.module)
    nodes: tuple[CodeNode, ...] = () if isinstance(source, Unknown) else source.nodes_of(function.key)
    found = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)]
    places = [*function.markers[:1], *(predicate.position for predicate in function.predicates[:1])]
    around = [node for node in found if all(_contains(position_of(node), place) for place in places)]
    return next(iter(around or found), None)


def _inside(function: ProbedFunction, place: Position) -> bool:
    return any(_contains(marker, place) for marker in function.markers)


def _contains(outer: Position, inner: Position) -> bool:
    return outer[:2] <= inner[:2] and inner[2:] <= outer[2:]


def _always_entered(tree: ast.AST | None) -> frozenset[Position]:
    """The handlers that take whatever comes to them, so that nobody sees them pass (``except*`` clauses tell no more than that they
    were entered)."""
    found: set[Position] = set()
    for node in walk(tree) if tree is not None else ():
        if isinstance(node, ast.TryStar):
            found.update(map(position_of, node.handlers))
        elif isinstance(node, ast.ExceptHandler):
            kind = node.type
            if kind is None or (isinstance(kind, ast.Name) and kind.id == "BaseException"):
                found.add(position_of(node))
    return frozenset(found)
