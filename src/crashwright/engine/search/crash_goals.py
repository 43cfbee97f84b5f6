"""From a crash target and the instrumented functions to the fitness that scores runs against it."""

from __future__ import annotations

import ast
import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from crashwright.core.comprehensions import COMPREHENSIONS
from crashwright.core.level import is_source
from crashwright.core.location import CodeKey, Position
from crashwright.core.mechanisms import Mechanism
from crashwright.core.precondition import Precondition
from crashwright.core.recursion import leading_frames
from crashwright.core.report import Unknown
from crashwright.core.settings import SearchSettings
from crashwright.core.target import CrashTarget, TargetFrame, belongs
from crashwright.engine.goals.coverage.flags import FlagDistances
from crashwright.engine.goals.crash.fitness import FITNESS, CrashFitness
from crashwright.engine.goals.crash.frame_goal import FlagsOf, FrameGoal, Lent, frame_goal, lent_by
from crashwright.engine.goals.crash.precondition import FrameDistance
from crashwright.engine.goals.crash.required_values import RequiredValue
from crashwright.engine.goals.crash.score import CrashJudge, Variant
from crashwright.engine.instrument.interface import Measure
from crashwright.engine.instrument.probes import Measures
from crashwright.engine.instrument.trace import ProbedFunction
from crashwright.engine.search.raised_again import Linked, linked
from crashwright.engine.search.witnesses import Witnesses
from crashwright.engine.subject.comprehensions import part_at
from crashwright.engine.subject.flags.branches import FlagAnalysis
from crashwright.engine.subject.flow.control_dependence import ControlDependence
from crashwright.engine.subject.flow.definitions import definitions
from crashwright.engine.subject.introspection import loaded_dict, loaded_names
from crashwright.engine.subject.project import module_file, module_path
from crashwright.engine.subject.source import Sources

INLINE = COMPREHENSIONS | {"<genexpr>"}
"""Code that records to the activation of the function around it."""
_LOCAL = re.compile(r"local variable '(\w+)'")
GRADED = frozenset({"IndexError", "KeyError", "ZeroDivisionError"})
"""Exceptions of index accesses and divisions, where it can be told how far one is from failing."""


def guiding_frames(target: CrashTarget) -> tuple[TargetFrame, ...]:
    """The package frames that get goals and probes: those with a code of their own in every Python version. Of a recursion they go
    twice around: what is beyond depends on where the stack was full. An activation that raised again counts once."""
    return tuple(one.frame for one in guiding_links(target))


def guiding_links(target: CrashTarget) -> tuple[Linked, ...]:
    """:func:`guiding_frames`, with what tells whether the frame before called them."""
    leading = leading_frames(target.exception, target.package_frames)
    frames = leading if len(leading) < len(target.package_frames) else target.frames
    own = [frame for frame in frames if frame.key.name not in INLINE and frame.key.qualname != "<module>"]
    found: list[Linked] = []
    anew = False
    for one in linked(own):
        anew = anew or one.anew
        if one.frame.in_package:
            found.append(one._replace(anew=anew and bool(found)))
            anew = False
    return tuple(found)


def frames_entered(target: CrashTarget, guiding: int) -> int:
    """How many package frames were entered, those of comprehensions and the like too, when ``guiding`` frames were."""
    frames = guiding_frames(target)
    if not 0 < guiding <= len(frames):
        return max(0, guiding)
    deepest = frames[guiding - 1]
    return target.package_frames.index(deepest) + 1 if deepest in target.package_frames else guiding


def guiding_place(target: CrashTarget, frame: TargetFrame, sources: Sources | None = None) -> Position | None:
    """The failing sub-expression of a guiding frame's line. Until Python 3.12 it is the whole comprehension where the crash passed
    through one, and that of the comprehension's own frame says more; so it is with generator expressions in all of them. If the
    report has no carets, ``sources`` show what is on that frame's line."""
    frames = target.package_frames
    place = frame.caret
    for inner in frames[frames.index(frame) + 1 :]:
        if inner.key.name not in INLINE or not inner.key.qualname.startswith(f"{frame.key.qualname}.<locals>."):
            break
        node = None if inner.caret is not None or sources is None else sources.node_of(inner.key)
        place = inner.caret or (None if node is None else part_at(node, inner.line)) or place
    return place


def lent_to(target: CrashTarget, frame: TargetFrame, functions: Sequence[ProbedFunction], sources: Sources) -> Lent | None:
    """What keeps a generator expression of a frame further out from the crash, if ``frame`` is the one that goes through it."""
    frames = target.package_frames
    place = frames.index(frame)
    inner = frames[place + 1] if place + 1 < len(frames) else None
    if inner is None or inner.key.name not in INLINE:
        return None
    owner = inner.key.qualname.rpartition(".<locals>.")[0]
    home = next((one.key for one in frames[:place] if (one.key.module, one.key.qualname) == (inner.key.module, owner)), None)
    index = next((number for number, function in enumerate(functions) if function.key == home), None)
    node, own = None if home is None else sources.node_of(home), sources.node_of(inner.key)
    at = inner.caret or (None if own is None else part_at(own, inner.line))
    if index is None or node is None or at is None or owner == frame.key.qualname:
        return None
    return lent_by(index, functions[index], ControlDependence(node), at)


def chosen_functions(target: CrashTarget) -> dict[str, frozenset[CodeKey]]:
    """What to instrument, by module."""
    chosen: dict[str, set[CodeKey]] = {}
    for frame in guiding_frames(target):
        chosen.setdefault(frame.key.module, set()).add(frame.key)
    return {module: frozenset(keys) for module, keys in chosen.items()}


def crash_sites(target: CrashTarget) -> dict[CodeKey, Position]:
    """Where the crash can be seen to come nearer: the failing part of the crash frame's line, by the function that records it."""
    crash, guiding = target.crash_frame, guiding_frames(target)
    if target.exception not in GRADED or crash.caret is None or not guiding:
        return {}
    key = guiding[-1].key
    within = crash.key.name in INLINE and crash.key.qualname.startswith(f"{key.qualname}.<locals>.")
    return {key: crash.caret} if crash.key == key or within else {}


def by_frame(target: CrashTarget, preconditions: Sequence[Precondition]) -> dict[CodeKey, list[Precondition]]:
    """Those of each guiding frame. A function that is entered by several frames is left out: which one an entry is shows only
    later."""
    frames = Counter(frame.key for frame in guiding_frames(target))
    found: dict[CodeKey, list[Precondition]] = {key: [] for key, count in frames.items() if count == 1}
    for one in preconditions:
        if one.function in found:
            found[one.function].append(one)
    return found


@dataclass(slots=True)
class Heard:
    """While it is ``on``, entries of measured functions tell what of their arguments should be otherwise."""

    on: bool = False
    required: list[RequiredValue] = field(default_factory=list)


def entry_measures(
    target: CrashTarget,
    preconditions: Mapping[CodeKey, Sequence[Precondition]],
    heard: Heard | None = None,
    witnesses: Witnesses | None = None,
) -> Measures:
    """What measures the arguments of these functions. ``witnesses`` note what holds of them: then nothing is guided by the
    preconditions that are necessary."""
    lines = {frame.key: frame.line for frame in guiding_frames(target)}
    if witnesses is None:
        return {key: partial(_measure, found, lines[key], heard or Heard()) for key, found in preconditions.items()}
    ways = {key: [one for one in found if not one.is_necessary] for key, found in preconditions.items()}
    return {key: partial(_witnessed, key, ways[key], lines[key], witnesses) for key in preconditions}


def _witnessed(key: CodeKey, ways: Sequence[Precondition], line: int, witnesses: Witnesses, parameters: Sequence[str]) -> Measure:
    entered, measure = witnesses.watch(key, parameters), _measure(ways, line, Heard(), parameters)

    def measured(arguments: Sequence[object]) -> tuple[float, float]:
        entered(arguments)
        return measure(arguments)

    return measured


def _measure(preconditions: Sequence[Precondition], line: int, heard: Heard, parameters: Sequence[str]) -> Measure:
    distance = FrameDistance(preconditions, parameters, loaded_dict, line)

    def measure(arguments: Sequence[object]) -> tuple[float, float]:
        if heard.on:
            heard.required.extend(distance.required(arguments))
        return distance.guidance(arguments)

    return measure


def path_nodes(target: CrashTarget, sources: Sources) -> tuple[list[ast.AST], list[ast.AST]]:
    """The trees of the functions on the path, and of the package's modules among theirs."""
    functions: dict[CodeKey, ast.AST] = {}
    modules: dict[str, ast.AST] = {}
    for frame in target.package_frames:
        source = sources.of_module(frame.key.module)
        if isinstance(source, Unknown):
            continue
        if belongs(frame.key.module, target.package):
            modules[frame.key.module] = source.tree
        node = source.node_of(frame.key)
        if node is not None and not isinstance(node, ast.Module):
            functions[frame.key] = node
    return list(functions.values()), list(modules.values())


def flag_analysis(target: CrashTarget, sources: Sources) -> FlagAnalysis:
    """For the flag branches on the way to a crash. The package's modules must be loaded."""
    return FlagAnalysis(sources, loaded_names(target.package.partition(".")[0]))


def flag_callees(
    target: CrashTarget, flags: FlagAnalysis, left_alone: Container[str], sources: Sources | None = None
) -> dict[str, frozenset[CodeKey]]:
    """What else is to be instrumented, by module: the callees of the flag branches from which the crash can be missed."""
    branches: dict[CodeKey, frozenset[Position]] = {}
    for frame in guiding_frames(target):
        node = flags.source(frame.key)
        if node is not None:
            flow = ControlDependence(node)
            place = guiding_place(target, frame, sources)
            approaches = [flow.approach(frame.line), () if place is None else flow.approach_within(place)]
            found = {branch.position for approach in approaches for branch, _ in approach}
            branches[frame.key] = branches.get(frame.key, frozenset()) | found
    return flags.callees_to_probe(branches, left_alone)


def crash_fitness(
    settings: SearchSettings,
    target: CrashTarget,
    functions: Sequence[ProbedFunction],
    sources: Sources,
    flags: FlagAnalysis | None = None,
    measured: Collection[CodeKey] = (),
) -> CrashFitness:
    """The fitness that ``settings`` names, for ``target``. ``flags``: distances of flag branches come from inside their callees.
    The arguments of the functions that are ``measured`` count. Raises KeyError for an unknown name."""
    numbers = {function.key: number for number, function in enumerate(functions)}
    goals: list[FrameGoal] = []
    carets: list[Position | None] = []
    links = guiding_links(target)
    for frame, anew in links:
        number = numbers.get(frame.key)
        node = sources.node_of(frame.key)
        if number is None or node is None:
            continue
        flow = ControlDependence(node)
        crash = frame is links[-1].frame
        unset = unset_at(target, node) if crash and settings.uses(Mechanism.GUIDANCE) else ()
        place = guiding_place(target, frame, sources)
        lent = lent_to(target, frame, functions, sources)
        is_measured = frame.key in measured
        goal = frame_goal(
            number, functions[number], frame.line, flow, place, crash, unset, measured=is_measured, anew=anew, lent=lent
        )
        goals.append(goal)
        carets.append(frame.caret)
    told = None if flags is None else FlagDistances(flags)
    flags_of: FlagsOf | None = None if told is None else lambda trace: told.of(trace.functions, trace.activations)
    variant = Variant(
        settings.trace_distance,
        block_coverage=settings.secondary != "none",
        flags=flags_of,
        literal=settings.secondary == "bbc-literal",
        one_chain=settings.uses(Mechanism.GUIDANCE),
    )
    judge = CrashJudge(target, belongs_to(target.package, target.own_frames), of_libraries(target))
    return FITNESS[settings.fitness](judge, goals, carets, variant)


def unset_at(target: CrashTarget, function: ast.AST) -> tuple[Position, ...]:
    """Where the crash function sets the name that it found without a value."""
    named = _LOCAL.search(target.message) if target.exception.rpartition(".")[2] == "UnboundLocalError" else None
    return () if named is None else definitions(function, named[1])


def belongs_to(package: str, frames: Iterable[TargetFrame] = ()) -> Callable[[str], bool]:
    """Whether a source file is of ``package`` as loaded, or that of one of its ``frames``: a script is not loaded."""
    top = package.partition(".")[0]
    roots = [os.path.realpath(folder) + os.sep for folder in module_path(top)]
    files = {os.path.realpath(path) for path in (module_file(top), *(frame.path for frame in frames)) if path}

    def holds(path: str) -> bool:
        real = os.path.realpath(path)
        return real in files or (is_source(path) and any(real.startswith(root) for root in roots))

    return holds


def of_libraries(target: CrashTarget) -> Callable[[str], bool] | None:
    """Whether a source file is of the libraries that the package crashed in; None where it crashed in its own code."""
    tops = dict.fromkeys(frame.key.module.partition(".")[0] for frame in target.library_frames)
    if not tops:
        return None
    each = [belongs_to(top, target.library_frames) for top in tops]
    return lambda path: any(holds(path) for holds in each)
