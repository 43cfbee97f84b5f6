"""From the crash outwards, frame by frame: preconditions for each level of the report (STAR, sections 3.3 and 4.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Final, NamedTuple

from crashwright.core.location import CodeKey, Position
from crashwright.core.precondition import Precondition
from crashwright.core.terms import Op, Sort, Term, parts
from crashwright.symbolic.conditions.bound_arguments import calls_of, said_of_binding
from crashwright.symbolic.conditions.evidence import Classes, conclusions, named_attribute, said_of_arguments
from crashwright.symbolic.conditions.places import called_name, calling, deciding, described, failing, running_others, unmodelled
from crashwright.symbolic.execution.binding import bind, bind_nothing, new_object, own_variables
from crashwright.symbolic.execution.elimination import guards_of
from crashwright.symbolic.execution.plain_types import MayHold, specialised
from crashwright.symbolic.execution.uses import NamedUses
from crashwright.symbolic.execution.walk import Walk, WayResult
from crashwright.symbolic.execution.weakening import certain, without_types
from crashwright.symbolic.execution.wide_walk import OF_TYPES
from crashwright.symbolic.ir.nodes import Call, Function, Kind, Local, NamedCallee, Node
from crashwright.symbolic.semantics.builtin_types import CONTAINERS, SCALARS
from crashwright.symbolic.semantics.failure import Failure
from crashwright.symbolic.semantics.kinds import has_type
from crashwright.symbolic.semantics.path import PathActivation, State, Variable
from crashwright.symbolic.semantics.program import Target
from crashwright.symbolic.semantics.step import Step
from crashwright.symbolic.semantics.tables import FAILURES
from crashwright.symbolic.values import arrays, literals, tags
from crashwright.symbolic.values.logic import and_, equal, not_, or_
from crashwright.symbolic.values.substitution import leaves_of

MOST_WAYS: Final = 8
"""Preconditions that are told of each level."""
_CERTAIN = frozenset({"int", "bool", "float"})
"""What is annotated as one of these is one; None is passed for anything else."""


class TraceFrame(NamedTuple):
    """A frame of the report, with its function as instructions. ``class_name``: the class of the receiver, where it is a method.
    ``level``: that of the frame in which the function is entered, where comprehensions have frames of their own within."""

    function: Function
    line: int
    caret: Position | None
    class_name: str | None = None
    level: int = 1


@dataclass(frozen=True, slots=True)
class CrashTrace:
    """``frames`` run from the crash outwards."""

    exception: str
    message: str
    frames: tuple[TraceFrame, ...]


@dataclass(frozen=True, slots=True)
class BranchTarget:
    """An outcome of the condition at the caret of the innermost of the ``frames``, which run outwards."""

    outcome: bool
    frames: tuple[TraceFrame, ...]
    exception: str = ""
    message: str = ""


class SourceFacts(NamedTuple):
    """What the files say by names: the addresses of classes by the last parts of theirs; whether ``module:name`` is imported, and
    which types the module assigns to it."""

    classes: Classes
    is_import: Callable[[str], bool]
    made: Callable[[str], list[str]]


class EnoughWays(Exception):
    """Nobody wants more."""


class TraceWalk:
    """``told`` hears of each precondition as it is found, innermost levels first on each path. ``may_hold`` is asked before."""

    def __init__(
        self,
        walk: Walk,
        crash: CrashTrace | BranchTarget,
        facts: SourceFacts,
        may_hold: MayHold,
        told: Callable[[Precondition], None],
    ) -> None:
        self._walk = walk
        self._crash = crash
        self._classes, self._is_import, made = facts
        self._may_hold = may_hold
        self._uses = NamedUses([one.function for one in crash.frames], made)
        self._told = told
        self._found: dict[int, set[frozenset[object]]] = {}
        self._is_wide = walk.path.is_wide
        self._trusting = (False,) if self._is_wide else (True, False)
        self._trusts = True
        """Whether parameters are what annotations say: crashes there are of what nobody foresaw."""

    def run(self) -> None:
        """Walk back from every instruction that may have failed; where none is known to fail so, or none could have come to it,
        from the one that the report shows, with nothing known of why it failed. Raises OutOfTime."""
        path, frame = self._walk.path, self._crash.frames[0]
        activation = PathActivation(path.next_number(), frame.function)
        if isinstance(self._crash, BranchTarget):
            self._run_to_branch(activation, frame, self._crash.outcome)
            return
        nodes = list(failing(frame.function, frame.line, frame.caret))
        with suppress(EnoughWays):
            if self._run_to_calls(activation, nodes):
                return
            for trusts in self._trusting:
                self._trusts = trusts
                for node in nodes:
                    ways = self._fitting(activation, node)
                    for place in range(len(ways[:1] if self._is_wide else ways)):
                        self._apart(partial(self._from_crash, activation, node, place))
                if self._found:
                    return
            for trusts in self._trusting:
                self._trusts = trusts
                for node in unmodelled(nodes or list(running_others(frame.function, frame.line, frame.caret))):
                    self._apart(partial(self._from_unknown, activation, node))
                if self._found:
                    return

    def _run_to_calls(self, activation: PathActivation, nodes: Sequence[Node]) -> bool:
        """Of a call whose arguments do not fit nothing else can be the reason. Whether there are ways to one."""
        for node in calls_of(nodes, self._crash.message) if self._crash.exception == "TypeError" else ():
            self._apart(partial(self._from_call, activation, node))
        return bool(self._found)

    def _from_call(self, activation: PathActivation, node: Node) -> None:
        state = State()
        step = Step(self._walk.path, state, activation, _bare(node), self._walk.program)
        said = said_of_binding(step, self._crash.message)
        if said is not None:
            for fact in said:
                step.crash(fact)
            self._walk.back(activation, node.before, state, lambda reached: self._at_entry(activation, 0, reached))

    def _run_to_branch(self, activation: PathActivation, frame: TraceFrame, outcome: bool) -> None:
        """Where nothing is found with what annotations say, without it."""
        with suppress(EnoughWays):
            for trusts in self._trusting:
                self._trusts = trusts
                for node in deciding(frame.function, frame.caret, outcome) if frame.caret else ():
                    self._apart(partial(self._from_condition, activation, node))
                if self._found:
                    return

    def _from_condition(self, activation: PathActivation, node: Node) -> None:
        state = State()
        self._walk.step(activation, node, state)
        self._walk.back(activation, node.before, state, lambda reached: self._at_entry(activation, 0, reached))

    def _apart(self, walk: Callable[[], None]) -> None:
        self._walk.path.push()
        try:
            walk()
        finally:
            self._walk.path.pop()

    def _fitting(self, activation: PathActivation, node: Node) -> list[int]:
        """The failures of an instruction that raise the exception of the report."""
        wanted = self._crash.exception.rpartition(".")[2]
        attribute = named_attribute(self._crash.message) if wanted == "AttributeError" else None
        if attribute is not None and node.kind not in (Kind.RAISE, Kind.CALL) and node.detail != attribute:
            return []
        path = self._walk.path
        path.push()
        step = Step(path, State(), activation, _bare(node), self._walk.program)
        found = [place for place, one in enumerate(FAILURES[node.kind](step)) if one.exception == wanted]
        path.pop()
        return found

    def _from_crash(self, activation: PathActivation, node: Node, which: int) -> None:
        state = State()
        step = Step(self._walk.path, state, activation, _bare(node), self._walk.program)
        wanted = self._crash.exception.rpartition(".")[2]
        failures = list(FAILURES[node.kind](step))
        fitting = [place for place, one in enumerate(failures) if one.exception == wanted]
        if self._is_wide:
            step.crash(or_(*[self._in_any_case(step, failures[place]) for place in fitting]))
        else:
            place = fitting[which]
            for one in failures[:place]:
                step.need(not_(one.condition))
            for fact in (failures[place].condition, *self._said(step, failures[place])):
                step.crash(fact)
        self._walk.back(activation, node.before, state, lambda reached: self._at_entry(activation, 0, reached))

    def _said(self, step: Step, failure: Failure) -> list[Term]:
        """By the message."""
        return list(conclusions(step, failure, failure.exception, self._crash.message, self._classes))

    def _in_any_case(self, step: Step, failure: Failure) -> Term:
        """Objects of any class can raise anything where they are asked something. What speaks of types is certain only where the
        message names them; of another failure it is certain what went wrong, whatever the types were."""
        said = self._said(step, failure)
        whole = and_(failure.condition, *said)
        if failure.exception not in OF_TYPES:
            return without_types(whole)
        reason = f"whether {described(step.node)} raises {self._crash.exception}"
        if said and (failure.exception == "TypeError" or all(one.sort is not Sort.CLASS for one in parts(said))):
            return and_(*said)  # with these types it fails, and None has no attribute
        return whole if said else or_(whole, self._walk.path.not_modelled(Sort.TRUTH, reason))

    def _from_unknown(self, activation: PathActivation, node: Node) -> None:
        state = State()
        step = Step(self._walk.path, state, activation, _bare(node), self._walk.program)
        if node.kind is not Kind.RAISE:
            step.crash(self._walk.path.not_modelled(Sort.TRUTH, f"whether {described(node)} raises {self._crash.exception}"))
        for fact in said_of_arguments(step, self._crash.message):
            step.crash(fact)
        self._walk.back(activation, node.before, state, lambda reached: self._at_entry(activation, 0, reached))

    def _at_entry(self, activation: PathActivation, place: int, state: State) -> WayResult:
        frame = self._crash.frames[place]
        self._assume_types(activation, frame, state)
        walk = self._walk
        walk.counts.paths += 1
        core = walk.check()
        if core is not None:
            return WayResult(cores=[core] if core else [], opaque=not core)
        if not self._tell(activation, place, state):
            walk.counts.contradictions += 1
            return WayResult(opaque=True)
        if place + 1 == len(self._crash.frames):
            return WayResult(reached=True)
        result = WayResult(reached=True)
        for call in self._calls(place):
            result.add(self._into_caller(activation, place, call, state))
        return result

    def _calls(self, place: int) -> Iterator[Node]:
        caller, callee = self._crash.frames[place + 1], self._crash.frames[place]
        found = list(calling(caller.function, caller.line, caller.caret, callee.function.qualname))
        yield from found or running_others(caller.function, caller.line, caller.caret)

    def _into_caller(self, activation: PathActivation, place: int, call: Node, state: State) -> WayResult:
        walk, frame = self._walk, self._crash.frames[place + 1]
        caller = PathActivation(walk.path.next_number(), frame.function)
        walk.path.push()
        try:
            after = state.copy()
            step = Step(walk.path, after, caller, _bare(call), walk.program)
            self._bind(step, after, activation)
            return walk.back(caller, call.before, after, lambda reached: self._at_entry(caller, place + 1, reached))
        finally:
            walk.path.pop()

    def _bind(self, step: Step, state: State, callee: PathActivation) -> None:
        """The parameters of the frame, by the instruction of its caller."""
        program, call = self._walk.program, step.node
        target = None
        if isinstance(call.detail, Call):
            known = [one for one in program.targets(step.function, call) if one.function is callee.function]
            target = known[0] if known else _guessed(step, callee.function, self._form(callee.function))
        if target is None:
            bind_nothing(step, state, callee)
            if self._is_wide:  # what calls it may have run anything before
                for name in [one for one in state.versions if isinstance(one, str)]:
                    del state.versions[name]
            return
        reference = self._walk.path.allocated() if target.makes else None
        is_object = reference is None and target.binds and target.receiver and not target.given
        if is_object and not self._is_wide:
            step.need(step.is_exactly(step.value(call.operands[0]), *program.subclasses(target.receiver or "")))
        bind(step, state, callee, target, None if reference is None else tags.of(reference))
        if reference is not None:
            new_object(step, state, reference, target.receiver or "")

    def _assume_types(self, activation: PathActivation, frame: TraceFrame, state: State) -> None:
        """What annotations and the receiver say of parameters; other locals were unbound."""
        step = Step(self._walk.path, state, activation, frame.function.nodes[0], self._walk.program)
        parameters = {one.name: one for one in frame.function.parameters}
        receiver = self._receiver(frame.function)
        for name, place in own_variables(state, activation):
            version = state.versions.pop(name)
            if place not in parameters:
                step.say(version, literals.UNDEFINED)
                continue
            state.versions[Variable(activation.number, Local(place))] = version
            step.need(not_(tags.is_undefined(version)))
            if self._is_wide:
                continue
            if place == receiver and self._form(frame.function) == "class":
                own = self._walk.program.subclasses(f"{frame.function.module}:{frame.function.class_name}")
                step.need(or_(*[equal(version, tags.of(literals.class_named(one))) for one in own]))
                continue
            known = step.types_of(Local(place)) if self._trusts else frozenset()
            if not known and frame.class_name and place == receiver:
                known = frozenset({f"{frame.function.module}:{frame.class_name}"})
            told = [has_type(step, version, one) for one in known if one in SCALARS or one in CONTAINERS]
            told += [
                step.is_exactly(version, *self._walk.program.subclasses(one))
                for one in known
                if one not in SCALARS and one not in CONTAINERS
            ]
            if known and not known & _CERTAIN and place != receiver:
                told.append(tags.is_none(version))
            if told and len(told) >= len(known):
                step.need(or_(*told))
        if self._is_new(frame) and not self._is_wide:
            self._assume_no_attributes(step, frame, state)

    def _is_new(self, frame: TraceFrame) -> bool:
        """Whether the receiver was made just before: by the call of its class, and not by that of a class below."""
        outer = next((one for inner, one in pairwise(self._crash.frames) if inner is frame), None)
        return _is_constructor(frame.function) and (outer is None or not _is_constructor(outer.function))

    def _assume_no_attributes(self, step: Step, frame: TraceFrame, state: State) -> None:
        name = self._receiver(frame.function)
        if name is not None and step.name_of(Local(name)) in state.versions:
            held = tags.reference_in(step.value(Local(name)))
            for array in [one for one in state.versions if isinstance(one, str) and one.startswith(".")]:
                step.need(tags.is_undefined(arrays.select(step.array(array), held)))

    def _form(self, function: Function) -> str:
        """How the class has a method; "" for what is none."""
        if function.class_name is None:
            return ""
        return self._walk.program.form(f"{function.module}:{function.class_name}", function.qualname.rpartition(".")[2])

    def _receiver(self, function: Function) -> str | None:
        """The name of a method's first parameter."""
        is_method = function.class_name is not None and self._form(function) != "static"
        return function.parameters[0].name if is_method and function.parameters else None

    def _tell(self, activation: PathActivation, place: int, state: State) -> bool:
        """Unless it is known already. False where it came to a contradiction that the check did not see."""
        guards = guards_of(self._walk.path.assertions, state.versions, self._is_import)
        if guards is None:
            return False
        seen = self._found.setdefault(place, set())
        terms: frozenset[object] = frozenset([one.term for one in guards])
        if terms in seen or len(seen) >= MOST_WAYS:
            return True
        plainer = certain(guards) if self._is_wide else specialised(guards, self._uses, self._may_hold)
        if plainer is None:
            return False
        seen.add(terms)
        function = activation.function
        open_points = leaves_of([one.term for one in plainer], frozenset({Op.UNKNOWN}))
        said = [str(one.payload[1]) for one in open_points if isinstance(one.payload, tuple)]
        reasons = tuple(dict.fromkeys([*self._walk.path.unmodelled, *said]))
        self._told(
            Precondition(
                self._crash.frames[place].level,
                CodeKey(function.module, function.qualname, function.first_line),
                plainer,
                reasons,
                self._is_wide,
            )
        )
        if len(self._crash.frames) == place + 1 and len(seen) == MOST_WAYS:
            raise EnoughWays
        return True


def _is_constructor(function: Function) -> bool:
    return function.class_name is not None and function.qualname.endswith(".__init__")


def _guessed(step: Step, function: Function, form: str) -> Target | None:
    """What a call leads to by the report alone; None where the call speaks of something else."""
    last, name = function.qualname.rpartition(".")[2], called_name(step.node)
    own = f"{function.module}:{function.class_name}" if function.class_name is not None else ""
    if last == "__init__" and own and name == own.rpartition(":")[2].rpartition(".")[2]:
        return Target(function, own, True, True)
    if name == last or (name is None and not own):
        is_class = form == "class"
        binds = bool(own) and form != "static" and (is_class or not _by_class(step.node, own))
        return Target(function, None, False, binds, own if is_class else "")
    return None


def _by_class(call: Node, address: str) -> bool:
    """Whether a method is called by the name of its class, so that the receiver is an argument."""
    callee = call.detail.callee if isinstance(call.detail, Call) else None
    if not isinstance(callee, NamedCallee):
        return False
    return callee.text.rpartition(".")[0].rpartition(".")[2] == address.rpartition(":")[2].rpartition(".")[2]


def _bare(node: Node) -> Node:
    """Without its target: it made nothing."""
    return Node(node.number, node.kind, None, node.operands, node.detail, node.position)
