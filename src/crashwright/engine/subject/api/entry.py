"""The public way in to a crash: which callables of the package drive the target frame (SPEC 1 and 4)."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass

from crashwright.core.location import CodeKey
from crashwright.core.main_guard import in_main_guard
from crashwright.core.report import Unknown
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.subject.api.addresses import is_private
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.call_graph import CallGraph
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.api.class_statements import Declared, declared_by
from crashwright.engine.subject.api.living import makers_of
from crashwright.engine.subject.introspection import class_dict, class_module, class_mro, class_name, loaded_names
from crashwright.engine.subject.layers import layers_of
from crashwright.engine.subject.source import Sources

_CLIMB = 6
_FANOUT = 12
_WRAPPERS = 4
MOST_ENTRIES = 40
"""Callables that a search enters by."""
_FAR = 1000
_CALLED = re.compile(r"(?<![.\w])([^\W\d]\w*)\s*\(")
_WORD = re.compile(r"[^\W\d]\w*")
_LACKS = re.compile(r"'(?P<cls>\w+)' object has no attribute '(?P<attribute>\w+)'")
_SELF_CALL = re.compile(r"\b(?:self|cls|super\([^)]*\))\.(\w+)")


@dataclass(frozen=True, slots=True)
class Entry:
    """``callees`` drive frame ``frame`` of the target's frames, most promising first; ``private`` where they need private names.
    ``how`` says in words for the user how they were found. ``module`` is set where only an import runs the frame, or with
    ``script`` only a run as a script; ``callees`` are what may be the program that it runs then."""

    callees: tuple[Callee, ...]
    frame: int
    private: bool
    how: str
    module: str | None = None
    script: bool = False
    makers: tuple[tuple[type, tuple[Callee, ...]], ...] = ()
    """Public callables that return instances of private classes, whose methods are entered."""


def entries(api: ApiModel, target: CrashTarget, sources: Sources | None = None, words: bool = True) -> Entry | Unknown:
    """The way in for the target frame (the first of ``target.frames``). ``words``: also by what the callers' lines say."""
    frame = target.frames[0]
    key = frame.key
    sources = Sources() if sources is None else sources
    if key.qualname == "<module>" and runs_as_script(frame, sources):
        return Entry(_programs(api, target), 0, False, "run as a script", key.module, script=True)
    if key.qualname == "<module>" or _is_class_body(key, sources):
        return Entry(_programs(api, target), 0, False, f"a fresh import of {key.module}", key.module)
    described = _described(api, target) if words else ()
    running = described or narrowed(api, api.callee_for(*key), target.frames)
    running = of_named_receiver(running, target) if words else running
    direct = nearest(named_by_caller(running, target) if words else running, target)
    public = tuple(callee for callee in direct if not needs_private_name(api, callee))
    if public:
        return Entry(public, 0, False, "called directly")
    named = api.named(key.module, key.qualname) if not direct and not is_private(key.qualname) else None
    if named is not None:
        return Entry((named,), 0, False, f"through what {key.module} has by the name {key.qualname}")
    living = _living(api, direct, sources) if words else None
    if living is not None:
        return living
    declared = declared_by(api, key) if words else Declared()
    if declared:
        callees = tuple(api.constructor(cls) for cls in (*declared.bases, *declared.held))
        kind = "derives from" if declared.bases else "holds"
        return Entry(callees, 0, False, f"through a class statement that {kind} {callees[0].qualname}")
    told = _told(api, target) if words else ()
    if told:
        return Entry(told, 0, False, f"through {told[0].qualname}, which the report has around the crash")
    climbed = _climb(api, target, sources)
    making = _makers(api, target, sources) if words and "<locals>" in key.qualname else ()
    if making:
        callees = tuple(dict.fromkeys((*making, *(climbed[0] if climbed is not None else ()))))
        return Entry(callees[:MOST_ENTRIES], 0, False, f"through {making[0].qualname}, which makes {key.qualname}")
    if climbed is not None:
        return Entry(climbed[0], 0, False, climbed[1])
    if direct:
        return Entry(direct, 0, True, "called directly, by a private name")
    private = _climb(api, target, sources, private=True)
    if private is not None:
        return Entry(private[0], 0, True, private[1])
    return Unknown(f"no importable function leads to {key.qualname} of {key.module}")


def _programs(api: ApiModel, target: CrashTarget) -> tuple[Callee, ...]:
    """The outermost function of the frames further in that can be called with nothing: it reads the arguments of its process."""
    for frame in target.package_frames[1:]:
        found = api.callee_for(*frame.key)
        if found:
            return tuple(one for one in found if one.kind is CalleeKind.FUNCTION and not any(p.required for p in one.parameters))
    return ()


def beside(api: ApiModel, target: CrashTarget) -> Entry | None:
    """Where no function is seen to lead to the target frame but whole tests are at hand, somebody's or requests to an application:
    the callables nearest to the frames, so that those can be run and bred from. None where the package has nothing to call."""
    near = nearest(api.callables, target)[:MOST_ENTRIES]
    return Entry(near, 0, False, "no function is seen to lead there: what is suggested is tried") if near else None


def needs_private_name(api: ApiModel, callee: Callee) -> bool:
    """Whether a test that calls it has to write a private name. A method needs none where public callables return its receiver."""
    if not callee.private:
        return False
    if callee.kind not in (CalleeKind.METHOD, CalleeKind.PROPERTY) or callee.owner is None:
        return True
    if callee.name.startswith("_") and not callee.name.endswith("__"):
        return True
    return not any(not maker.private for maker in api.constructors_of(callee.owner, exceptions=True))


def runs_as_script(frame: TargetFrame, sources: Sources) -> bool:
    """Does only a run as a script come to the ``<module>`` frame: is it within ``if __name__ == "__main__":``, or has the file no
    name that can be imported?"""
    if not all(part.isidentifier() for part in frame.key.module.split(".")):
        return True
    source = sources.of_file(frame.key.module, frame.path)
    return not isinstance(source, Unknown) and in_main_guard(source.tree, frame.line)


def narrowed(api: ApiModel, callees: tuple[Callee, ...], frames: Sequence[TargetFrame]) -> tuple[Callee, ...]:
    """Of several callables that run the first frame, those that also explain the next ones: a decorator's wrapper must wrap the
    function of a later frame, and a method called on ``self`` must be the one that the receiver's class has."""
    if len(callees) < 2:
        return callees
    for later in frames[1:]:
        wrapping = tuple(callee for callee in callees if callee.live is not None and later.key in api.keys_of(callee))
        if wrapping and len(wrapping) < len(callees) and later.key != frames[0].key:
            callees = wrapping
            break
    called = 0
    while called + 1 < len(frames):
        names = _SELF_CALL.findall(frames[called].source)
        # Wrappers of decorators may stand between a call and the method that it names.
        following = range(called + 1, min(called + 1 + _WRAPPERS, len(frames)))
        called = next((index for index in following if frames[index].key.name in names), len(frames))
        if called < len(frames):
            key = frames[called].key
            receiving = tuple(callee for callee in callees if callee.owner is not None and _has(callee.owner, key.name, key))
            callees = receiving or callees
    return callees


def of_named_receiver(callees: tuple[Callee, ...], target: CrashTarget) -> tuple[Callee, ...]:
    """Of several callables that run the first frame those of the class that the message names, if it is that of ``self`` in all
    frames: each calls the next one on ``self``, and the last reads there the attribute that is missing."""
    named = _LACKS.search(target.message)
    if named is None or len(callees) < 2:
        return callees
    called = (*(frame.key.name for frame in target.frames[1:]), named["attribute"])
    if any(name not in _SELF_CALL.findall(frame.source) for frame, name in zip(target.frames, called, strict=True)):
        return callees
    return tuple(one for one in callees if one.owner is not None and class_name(one.owner) == named["cls"]) or callees


def named_by_caller(callees: tuple[Callee, ...], target: CrashTarget) -> tuple[Callee, ...]:
    """Of several callables that run the first frame those that the nearest caller's line names, where it names some: by their own
    name, and of these by that of their class."""
    for site in reversed(target.call_sites):
        words = frozenset(_WORD.findall(site.source))
        called = tuple(callee for callee in callees if callee.name in words)
        if called:
            return tuple(one for one in called if one.owner is not None and class_name(one.owner) in words) or called
    return callees


def _described(api: ApiModel, target: CrashTarget) -> tuple[Callee, ...]:
    """Where the first frame is that of a descriptor (a property that caches, say) the attributes that are read through it and run
    one of the next frames: nobody calls ``__get__`` by its name."""
    key = target.frames[0].key
    if key.name != "__get__" or "." not in key.qualname:
        return ()
    found: dict[Callee, None] = {}
    for frame in target.frames[1 : 1 + _WRAPPERS]:
        for callee in api.callee_for(*frame.key):
            if callee.kind is CalleeKind.PROPERTY and _has(type(callee.live), key.name, key):
                found[callee] = None
    return tuple(found)


def nearest(callees: tuple[Callee, ...], target: CrashTarget) -> tuple[Callee, ...]:
    """At most MOST_ENTRIES of ``callees``: of the thousands that share one code (the properties that a helper makes, say) no search
    gets round to all. First those that the lines of the report name, then by how near to the frames of the report they are defined.
    In their order before, where that tells no difference."""
    if len(callees) <= MOST_ENTRIES:
        return callees
    lines = (*(site.source for site in target.call_sites), *(frame.source for frame in target.frames))
    words = frozenset(word for line in lines for word in _WORD.findall(line))
    classes = frozenset(frame.key.qualname.rpartition(".")[0].rpartition(".")[2] for frame in target.frames)
    modules = tuple(dict.fromkeys(frame.key.module for frame in reversed(target.frames)))

    def distance(callee: Callee) -> tuple[bool, int, int]:
        owner = callee.owner
        # An owner that inherits from a class of the trace can be the receiver there: the nearer the better.
        named = next((steps for steps, cls in enumerate(class_mro(owner)) if class_name(cls) in classes), _FAR) if owner else _FAR
        home = class_module(owner) if owner else callee.module
        return callee.name not in words, named, min(_apart(home, module) for module in modules)

    return tuple(sorted(callees, key=lambda callee: (callee.private, *distance(callee)))[:MOST_ENTRIES])


def _apart(module: str, other: str) -> int:
    """How many steps it takes in the tree of packages from one module to the other."""
    one, two = module.split("."), other.split(".")
    common = next((index for index, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    return len(one) + len(two) - 2 * common


def _has(cls: type, name: str, key: CodeKey) -> bool:
    """Whether some class along the MRO defines ``name`` by that code."""
    for parent in class_mro(cls):
        if name in class_dict(parent):
            codes = {(layer.__code__.co_qualname, layer.__code__.co_firstlineno) for layer in layers_of(class_dict(parent)[name])}
            if (key.qualname, key.first_line) in codes:
                return True
    return False


def _is_class_body(key: CodeKey, sources: Sources) -> bool:
    return isinstance(sources.node_of(key), ast.ClassDef) and "<locals>" not in key.qualname


def _told(api: ApiModel, target: CrashTarget) -> tuple[Callee, ...]:
    """The outermost function that can be called of those that the exceptions around the crash came through."""
    for key in target.led_here:
        public = tuple(callee for callee in api.callee_for(*key) if not needs_private_name(api, callee))
        if public:
            return nearest(public, target)
    return ()


def _makers(api: ApiModel, target: CrashTarget, sources: Sources) -> tuple[Callee, ...]:
    """What may have made the function of the first frame, which is made within another: what the nearest caller's line calls by its
    own name, what it has decorated and runs in one of the next frames, and the functions around it."""
    found: dict[Callee, None] = {}
    for site in reversed(target.call_sites):
        words = frozenset(_CALLED.findall(site.source))
        found.update(dict.fromkeys(one for one in api.callables if one.name in words and _is_named(one)))
        if found:
            return tuple(found)
    for frame in target.frames[1 : 1 + _WRAPPERS]:
        found.update(dict.fromkeys(one for one in api.callee_for(*frame.key) if _is_named(one) and len(api.keys_of(one)) > 1))
    source = sources.of_module(target.frames[0].key.module)
    around = None if isinstance(source, Unknown) else source.parents.get(target.frames[0].key)
    while around is not None and not isinstance(source, Unknown):
        found.update(dict.fromkeys(one for one in api.callee_for(*around) if not needs_private_name(api, one)))
        around = source.parents.get(around)
    return tuple(found)


def _is_named(callee: Callee) -> bool:
    return callee.kind in (CalleeKind.FUNCTION, CalleeKind.CLASS) and not callee.private


def _living(api: ApiModel, direct: tuple[Callee, ...], sources: Sources) -> Entry | None:
    """Methods of private classes, on what public callables return."""
    methods = tuple(
        callee for callee in direct if callee.owner is not None and callee.kind in (CalleeKind.METHOD, CalleeKind.PROPERTY)
    )
    if not methods or any(callee.name.startswith("_") and not callee.name.endswith("__") for callee in methods):
        return None
    graph = CallGraph(sources, loaded_names(api.package))
    owners = dict.fromkeys(callee.owner for callee in methods if callee.owner is not None)
    makers = tuple((owner, found) for owner in owners if (found := makers_of(api, owner, sources, graph)))
    made = [owner for owner, _ in makers]
    entered = tuple(callee for callee in methods if callee.owner in made)
    return Entry(entered, 0, False, f"called on what {makers[0][1][0].qualname} returns", makers=makers) if entered else None


def _climb(api: ApiModel, target: CrashTarget, sources: Sources, private: bool = False) -> tuple[tuple[Callee, ...], str] | None:
    """Callers of callers, breadth first, up to the first ones that a test can call; not those that the report has further out,
    which were the way in of a search from there."""
    key = target.frames[0].key
    graph = CallGraph(sources, loaded_names(api.package))
    seen = {key, *target.beyond}
    level = [key]
    for _ in range(_CLIMB):
        following = [caller for code in level for caller in graph.callers_of(code)[:_FANOUT] if caller not in seen]
        level = list(dict.fromkeys(following))
        seen.update(level)
        found = dict.fromkeys(callee for code in level for callee in api.callee_for(*code))
        near = nearest(tuple(found), target)
        chosen = tuple(callee for callee in near if private or not needs_private_name(api, callee))
        if chosen:
            return chosen, f"through {chosen[0].qualname}, which leads to {key.qualname}"
        if not level:
            return None
    return None
