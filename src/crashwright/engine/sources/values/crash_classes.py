"""Which classes a crash is about: those whose methods its frames are, and those that its message quotes by name."""

from __future__ import annotations

import builtins
import re
import types
from keyword import iskeyword

from crashwright.core.target import CrashTarget
from crashwright.engine.subject.api.live_classes import live_classes
from crashwright.engine.subject.introspection import class_name, is_class, is_exception, is_sound, live_at
from crashwright.engine.testcase.statements import Named

_NAME = re.compile(r"(?:(?<![\w.])|(?<=<locals>\.))[A-Z]\w*[a-z]\w*\b(?!\.\w+(?!\w*\())")
"""A class, also before its method as in ``Shelf.place() takes ...``, but no part of another name."""
_TYPE = re.compile(
    r"""(?:['"]|\bof type |<class ')((?:\w+\.)*[^\W\d]\w*)\b"""
    r"""|((?:\w+\.)*[^\W\d]\w*)\.__init__\(\)"""
)
_FIELD = re.compile(r"""['"](_?[a-z]\w*)['"]""")
MOST_QUOTED = 8


def classes_of(target: CrashTarget) -> tuple[type, ...]:
    """The classes of the frames, the outermost first."""
    found: dict[type, None] = {}
    for frame in target.package_frames:
        owner = live_at(frame.key.module, frame.key.qualname.partition(".<locals>")[0].rpartition(".")[0])
        if is_class(owner) and is_sound(owner):
            found[owner] = None
    return tuple(found)


def named_classes(target: CrashTarget) -> tuple[type, ...]:
    """The live classes that the message names; the package's own first if several are called so."""
    names = dict.fromkeys((*quoted_names(target.message), *types_named(target.message)))
    packages = dict.fromkeys((target.package, *(frame.key.module.partition(".")[0] for frame in target.frames)))
    return tuple(cls for cls in live_classes(names, tuple(packages)).values() if not is_exception(cls))


def types_named(message: str) -> tuple[str, ...]:
    """The last parts of what it has in quotes, or says is a type."""
    found = (quoted or made for quoted, made in _TYPE.findall(message))
    return tuple(dict.fromkeys(name.rpartition(".")[2] for name in found))


def makes_one(message: str, cls: type) -> bool:
    """Whether the message says that a call of the class itself failed."""
    return re.search(rf"(?<!\w){re.escape(class_name(cls))}(?:\.__init__|\.__new__)?\(\)", message) is not None


def raised_by(target: CrashTarget) -> tuple[Named, ...]:
    """The exception of the report, where it is a class that a test can import."""
    module, _, name = target.exception.rpartition(".")
    module = module or "builtins"
    found = live_at(module, name)
    return (Named(module, name, found),) if is_class(found) and is_exception(found) else ()


def quoted_names(message: str) -> tuple[str, ...]:
    """Names in ``message`` that look like a class, then those in quotes that look like a field; none of the language."""
    found = (*_NAME.findall(message), *(name.strip("_") for name in _FIELD.findall(message)))
    return tuple(dict.fromkeys(name for name in found if not _is_of_the_language(name)))[:MOST_QUOTED]


def _is_of_the_language(name: str) -> bool:
    return not name.isidentifier() or iskeyword(name) or hasattr(builtins, name) or hasattr(types, name)
