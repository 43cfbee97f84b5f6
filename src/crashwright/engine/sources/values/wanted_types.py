"""Types of parameters without annotations, by what the whole package does with them (``engine.wants``)."""

from __future__ import annotations

import os
from collections.abc import Sequence

from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.introspection import class_module, class_qualname, is_class, loaded_dict
from crashwright.engine.subject.usage.use_hints import Weighted
from crashwright.engine.wants.reading.package import files_of, near
from crashwright.engine.wants.wanted import Wanted

_HEAVIEST = 3.0
"""What the likeliest type weighs, which is what the most usual builtins weigh that a single function uses so."""


class WantedTypes:
    """Of the callables of one package. ``first``: the modules that are read before all others, if it is large."""

    def __init__(self, api: ApiModel, first: Sequence[str]) -> None:
        self._api = api
        top = api.package.partition(".")[0]
        path = loaded_dict(top).get("__file__")
        folder = os.path.dirname(path) if type(path) is str and os.path.basename(path) == "__init__.py" else path
        self._wanted = Wanted(near(files_of(folder, top), first) if type(folder) is str else (), is_live=True)

    def read(self) -> None:
        """Read the package now: in a zygote, once for all its forks."""
        self._wanted.read()

    def hints(self, callee: Callee, parameter: str) -> Weighted:
        """The types with their weights, the likeliest first; none where nothing is known."""
        for key in sorted(self._api.keys_of(callee)):
            found = self._wanted.hints(key.module, key.qualname, parameter)
            if found:
                return _even(found)
        cls = callee.live if callee.kind is CalleeKind.CLASS else None
        return _even(self._wanted.field(class_module(cls), class_qualname(cls), parameter)) if is_class(cls) else ()


def _even(found: Weighted) -> Weighted:
    most = max((weight for _, weight in found), default=1.0)
    return tuple((hint, _HEAVIEST * weight / most) for hint, weight in found)
