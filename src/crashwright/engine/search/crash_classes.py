"""Which classes a crash is about: those whose methods its frames are, and those that its message quotes by name."""

from __future__ import annotations

import builtins
import re
import types
from keyword import iskeyword

from crashwright.core.target import CrashTarget
from crashwright.engine.subject.introspection import is_class, is_exception, is_sound, live_at
from crashwright.engine.testcase.statements import Named

_NAME = re.compile(r"(?<![\w.])[A-Z]\w*[a-z]\w*\b(?!\.\w)")
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
