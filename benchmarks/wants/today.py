"""What the factory knows of unannotated parameters without wants: run by the interpreter that can import the package.

python -m benchmarks.wants.today PACKAGE: prints one JSON object, place -> names of types, the likeliest first.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys
from collections.abc import Iterator

from crashwright.engine.sources.values.used_types import UsedAnywhere, _weighed
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.api.types import ChoiceHint, ClassHint, Hint, TypeHint, UnionHint, is_any
from crashwright.engine.subject.introspection import is_class, loaded_names
from crashwright.engine.subject.source import Sources
from crashwright.engine.testcase.making.guessing import NameModel

_OTHERWISE = ("str", "int", "list", "dict")
"""What is drawn where nothing is known."""


def names_of(hint: Hint) -> list[str]:
    """The names of the classes of a hint."""
    if is_any(hint):
        return []
    if isinstance(hint, UnionHint):
        return [name for member in hint.members for name in names_of(member)]
    if isinstance(hint, TypeHint):
        return ["type"]
    if isinstance(hint, ChoiceHint):
        return [_name(type(value)) for value in hint.values]
    return [_name(hint.cls)] if isinstance(hint, ClassHint) else []


def _name(cls: type) -> str:
    return cls.__qualname__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__qualname__}"


def load(package: str) -> None:
    """Import all of it that imports."""
    top = importlib.import_module(package)
    for found in pkgutil.walk_packages(getattr(top, "__path__", []), f"{package}.", onerror=lambda _name: None):
        if not found.name.endswith("__main__"):
            try:
                importlib.import_module(found.name)
            except Exception as error:  # noqa: BLE001 - modules for other systems; what they hold is not compared
                print(f"{found.name}: {error}", file=sys.stderr)


def callables(api: ApiModel) -> Iterator[Callee]:
    """All that have parameters."""
    yield from api.callables
    for cls in api.classes:
        yield api.constructor(cls)
        yield from api.methods_of(cls, private=True)


def guesses(package: str) -> dict[str, list[str]]:
    """For each parameter that a callable of the package has."""
    api = ApiModel(package, loaded_names(package))
    used = UsedAnywhere(api, Sources())
    names = NameModel(one.live for one in api.callables if one.kind is CalleeKind.CLASS and is_class(one.live))
    found: dict[str, list[str]] = {}
    for callee in callables(api):
        for key in sorted(api.keys_of(callee)):
            for parameter in callee.parameters:
                place = f"{key.module}:{key.qualname}:{parameter.name}"
                if place not in found:
                    told = names_of(parameter.hint)
                    weighted = _weighed(used.hints(callee, parameter.name), parameter.name, names)
                    ranked = [one for hint, _ in sorted(weighted, key=lambda pair: -pair[1]) for one in names_of(hint)]
                    said = names.said(parameter.name)
                    whole = [*told, *ranked, *([] if said is None else names_of(said)), *_OTHERWISE]
                    found[place] = [one for one in dict.fromkeys(whole) if one != "NoneType"]
    return found


if __name__ == "__main__":
    load(sys.argv[1])
    print("\n" + json.dumps(guesses(sys.argv[1])))
