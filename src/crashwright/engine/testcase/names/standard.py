"""The names of Python itself: builtins, and the standard library by its modules or by what only it is called."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Sequence
from random import Random

from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.exports import Exports
from crashwright.engine.subject.introspection import is_class
from crashwright.engine.testcase.names.source import Known, standard_callee
from crashwright.engine.testcase.statements import Named

_FOR_FUN = frozenset({"antigravity", "idlelib", "lib2to3", "test", "this", "tkinter", "turtle", "turtledemo"})
"""Modules that open windows when they are imported, or are no library."""
_TELLING = ("io", "datetime", "decimal", "fractions", "collections", "pathlib")
"""Modules whose classes are known by their names."""
_VALUES = ("len", "print", "sorted", "ord", "chr", "repr", "max", "min")
"""Functions that are passed on; the other names mostly are variables."""


class BuiltinNames:
    """Builtin functions and classes."""

    def __init__(self, api: ApiModel) -> None:
        self._api = api

    def meaning(self, parts: Sequence[str], rng: Random | None) -> Known | None:
        """See ``names.source.NameSource``."""
        if len(parts) > 1 or not hasattr(builtins, parts[0]):
            return None
        if rng is not None:
            return self._api.builtin(parts[0])
        builtin = getattr(builtins, parts[0])
        return Named("builtins", parts[0], builtin) if is_class(builtin) or parts[0] in _VALUES else None


class StandardNames:
    """Callables of the standard library: dotted, or classes, whose names are telling enough (``from io import BytesIO``)."""

    def __init__(self, api: ApiModel, exports: Exports | None) -> None:
        self._api = api
        self._exports = exports

    def meaning(self, parts: Sequence[str], rng: Random | None) -> Callee | None:  # noqa: ARG002 (there are no namesakes)
        """See ``names.source.NameSource``."""
        first = parts[0]
        if len(parts) > 1:
            is_library = first in sys.stdlib_module_names and first not in _FOR_FUN and not first.startswith("_")
            return standard_callee(self._api, ".".join(parts[:-1]), parts[-1]) if is_library else None
        if not first[:1].isupper():
            return None
        home = None if self._exports is None else self._exports.standard_home(first)
        found = (standard_callee(self._api, module, first) for module in (*_TELLING, *(() if home is None else (home,))))
        return next((one for one in found if one is not None), None)
