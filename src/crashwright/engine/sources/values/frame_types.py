"""Of which classes untyped parameters were by the frames of a report: where a frame calls ``node.accept(visitor)`` and the next is
``Branch.accept``, ``node`` was a ``Branch``; and so was what its callers passed for it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.subject.introspection import attribute_of, is_class, is_sound, loaded_dict
from crashwright.engine.subject.source import Sources
from crashwright.engine.subject.usage.usage import called_name
from crashwright.engine.subject.usage.use_hints import Weighted
from crashwright.engine.subject.walking import walk
from crashwright.engine.testcase.echoing.source import parse_echo

SEEN = 6.0
"""How much such a class weighs beside what the use of a parameter suggests."""
_RECEIVERS = ("self", "cls")


class FrameTypes:
    """Of the parameters of the functions that run the first frame."""

    def __init__(self, target: CrashTarget, api: ApiModel, sources: Sources) -> None:
        self._api = api
        self._key = target.frames[0].key
        self._classes: dict[str, ClassHint] = {}
        for place, (upper, lower) in enumerate(zip(target.frames, target.frames[1:], strict=False)):
            owner = _owner(lower)
            for name in () if owner is None else _receivers(upper, lower.key.name):
                parameter = _passed_from(target.frames[: place + 1], name, sources)
                if parameter is not None and owner is not None:
                    self._classes.setdefault(parameter, ClassHint(owner))

    def of(self, callee: Callee, parameter: str) -> Weighted:
        """The class with its weight; nothing where the frames do not tell."""
        hint = self._classes.get(parameter)
        return () if hint is None or self._key not in self._api.keys_of(callee) else ((hint, SEEN),)


def owners_by_method(target: CrashTarget) -> dict[str, type]:
    """The classes whose methods the frames run, by the method's name: what is called for that in another frame is one of these."""
    frames = [frame for frame in target.frames[1:] if not frame.key.name.startswith("__")]
    return {frame.key.name: owner for frame in frames if (owner := _owner(frame)) is not None}


def owners_in(target: CrashTarget) -> tuple[type, ...]:
    """The classes whose methods the package's frames run: without instances of them there is no way to the crash."""
    return tuple(dict.fromkeys(owner for frame in target.package_frames if (owner := _owner(frame)) is not None))


def _owner(frame: TargetFrame) -> type | None:
    """The class whose method the frame runs."""
    *path, _name = frame.key.qualname.split(".")
    found: object = loaded_dict(frame.key.module).get(path[0]) if path else None
    for part in path[1:]:
        found = attribute_of(found, part)
    return found if is_class(found) and is_sound(found) else None


def _receivers(frame: TargetFrame, method: str) -> Iterator[str]:
    """The variables of which the line of a frame takes that attribute."""
    for node in _nodes(frame):
        if (
            isinstance(node, ast.Attribute)
            and node.attr == method
            and isinstance(node.value, ast.Name)
            and node.value.id not in _RECEIVERS
        ):
            yield node.value.id


def _passed_from(frames: tuple[TargetFrame, ...], name: str, sources: Sources) -> str | None:
    """The parameter of the first of ``frames`` that is passed on to the last one as its variable ``name``."""
    for caller, frame in zip(reversed(frames[:-1]), reversed(frames[1:]), strict=True):
        names = _parameters(frame, sources)
        given = _given(caller, frame.key.name, names, name) if name in names else None
        if given is None:
            return None
        name = given
    return name if name in _parameters(frames[0], sources) else None


def _given(caller: TargetFrame, function: str, parameters: list[str], wanted: str) -> str | None:
    """The variable that the caller's line passes for a parameter."""
    for node in _nodes(caller):
        if isinstance(node, ast.Call) and called_name(node) == function:
            passed = dict(zip(parameters, node.args, strict=False)) | {one.arg: one.value for one in node.keywords if one.arg}
            value = passed.get(wanted)
            return value.id if isinstance(value, ast.Name) else None
    return None


def _parameters(frame: TargetFrame, sources: Sources) -> list[str]:
    node = sources.node_of(frame.key)
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return []
    names = [one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    return names[1:] if names[:1] and names[0] in _RECEIVERS else names


def _nodes(frame: TargetFrame) -> Iterator[ast.AST]:
    line = next(parse_echo(frame.source), None)
    yield from () if line is None else walk(line)
