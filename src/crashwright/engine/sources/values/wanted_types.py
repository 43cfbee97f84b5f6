"""What the whole package wants of parameters (``engine.wants``), as a search uses it: types, classes to be loaded, records."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence

from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.subject.introspection import MODULES, class_module, class_qualname, identities, is_class, loaded_dict
from crashwright.engine.subject.usage.shapes import MOMENTS, Shape
from crashwright.engine.subject.usage.use_hints import Weighted
from crashwright.engine.wants.reading.package import files_of, near
from crashwright.engine.wants.want import Want
from crashwright.engine.wants.wanted import NOTHING, Wanted

MOST_HOMES = 4
"""Modules that are loaded for the classes in them."""
_HEAVIEST = 3.0
"""What the likeliest type weighs, which is what the most usual builtins weigh that a single function uses so."""
_PLAIN = identities(str, int, float)
_USUAL: dict[type, int | float] = {int: 1, float: 1.5}


def wanted_of(package: str, first: Sequence[str]) -> Wanted:
    """Of a package that is loaded. ``first``: the modules that are read before all others, if it is large."""
    path = loaded_dict(package).get("__file__")
    folder = os.path.dirname(path) if type(path) is str and os.path.basename(path) == "__init__.py" else path
    return Wanted(near(files_of(folder, package), first) if type(folder) is str else (), is_live=True)


def wanted_in(modules: Iterable[str]) -> Wanted:
    """Of these modules alone, as far as they are loaded."""
    paths = ((module, loaded_dict(module).get("__file__")) for module in dict.fromkeys(modules))
    return Wanted([(module, path) for module, path in paths if type(path) is str and path.endswith(".py")], is_live=True)


def unloaded_homes(wanted: Wanted, places: Sequence[tuple[str, str]]) -> list[str]:
    """The modules with classes that the functions at ``places`` want and nothing has imported: what takes an object often does not
    import its class."""
    return [module for module in wanted.homes(places) if module not in MODULES][:MOST_HOMES]


class WantedTypes:
    """Of the callables of one package."""

    def __init__(self, api: ApiModel, wanted: Wanted) -> None:
        self._api = api
        self._wanted = wanted

    def hints(self, callee: Callee, parameter: str) -> Weighted:
        """The types with their weights, the likeliest first; none where nothing is known."""
        for key in sorted(self._api.keys_of(callee)):
            found = self._wanted.hints(key.module, key.qualname, parameter)
            if found:
                return _even(found)
        cls = callee.live if callee.kind is CalleeKind.CLASS else None
        return _even(self._wanted.field(class_module(cls), class_qualname(cls), parameter)) if is_class(cls) else ()

    def want(self, callee: Callee, parameter: str) -> Want:
        """All that is wanted of a parameter."""
        wants = (self._wanted.parameter(key.module, key.qualname, parameter) for key in sorted(self._api.keys_of(callee)))
        return next(filter(None, wants), NOTHING)

    def classes_with(self, names: Collection[str]) -> tuple[type, ...]:
        """The classes whose instances have all of ``names``."""
        return self._wanted.having(names)

    def records(self, callee: Callee) -> Iterator[tuple[str, Shape]]:
        """Those of its parameters that are records, or collections of them."""
        for parameter in callee.parameters:
            want = self.want(callee, parameter.name)
            if _has_keys(want):
                yield parameter.name, shape_of(want)


def shape_of(want: Want, name: str = "") -> Shape:
    """A want of a record as those write it down who write documents."""
    shape = Shape()
    shape.names += [name] if name else []
    shape.is_optional = want.optional
    for key, part in want.keys:
        if type(key) is str:
            shape.fields[key] = shape_of(part, key)
    if want.items is not None and not shape.fields:
        shape.items = shape_of(want.items)
    for literal in want.literals:
        if id(type(literal)) in _PLAIN:
            shape.expect(literal)  # type: ignore[arg-type]
    for kind, text in want.texts:
        for moment in MOMENTS if kind == "format" else ():
            shape.expect(moment.strftime(text))
    likeliest = next((hint for hint, _ in want.types), None)
    if not shape.values and isinstance(likeliest, ClassHint) and likeliest.cls in _USUAL:
        shape.expect(_USUAL[likeliest.cls])
    return shape


def _has_keys(want: Want) -> bool:
    """Whether it is a record, or many of them: a class of the package may be asked for keys too."""
    likeliest = next((hint for hint, _ in want.types), None)
    if isinstance(likeliest, ClassHint) and class_module(likeliest.cls) not in ("builtins", "collections.abc"):
        return False
    return any(type(key) is str for key, _ in want.keys) or (want.items is not None and _has_keys(want.items))


def _even(found: Weighted) -> Weighted:
    most = max((weight for _, weight in found), default=1.0)
    return tuple((hint, _HEAVIEST * weight / most) for hint, weight in found)
