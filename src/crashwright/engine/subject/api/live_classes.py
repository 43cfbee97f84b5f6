"""Classes by name as they exist now, however they came to be: defined in a source, made by a call, nested in another one. Those
that a test can get at: by an import, or by an instance that a module holds."""

from __future__ import annotations

import builtins
from collections.abc import Collection, Iterator, Mapping, Sequence

from crashwright.engine.subject.introspection import (
    class_module,
    class_name,
    class_qualname,
    is_sound,
    live_at,
    loaded_dict,
    loaded_names,
    same_package,
    subclasses_of,
)


def live_classes(names: Collection[str], packages: Sequence[str]) -> Mapping[str, type]:
    """The class of each of ``names`` that has one: that of the first of ``packages`` which has one by that name, else the only one
    there is. What the language itself calls so is left out."""
    wanted = {name for name in names if not hasattr(builtins, name)}
    called: dict[str, list[type]] = {}
    if wanted:
        for cls in _all_classes():
            if class_name(cls) in wanted and is_sound(cls):
                called.setdefault(class_name(cls), []).append(cls)
    chosen = {name: _chosen(classes, packages) for name, classes in called.items()}
    return {name: found for name in names if (found := chosen.get(name)) is not None}


def _chosen(classes: Sequence[type], packages: Sequence[str]) -> type | None:
    for package in packages:
        own = [cls for cls in classes if same_package(class_module(cls), package) and _is_in_reach(cls, package)]
        if own:
            return own[0]
    others = [cls for cls in classes if not same_package(class_module(cls), __name__) and _is_importable(cls)]
    return others[0] if len(others) == 1 else None


def _is_in_reach(cls: type, package: str) -> bool:
    if _is_importable(cls):
        return True
    return any(type(value) is cls for module in loaded_names(package) for value in list(loaded_dict(module).values()))


def _is_importable(cls: type) -> bool:
    return "<locals>" not in class_qualname(cls) and live_at(class_module(cls), class_qualname(cls)) is cls


def _all_classes() -> Iterator[type]:
    waiting: list[type] = [object]
    seen = {id(object)}
    while waiting:
        for cls in subclasses_of(waiting.pop()):
            if id(cls) not in seen:
                seen.add(id(cls))
                waiting.append(cls)
                yield cls
