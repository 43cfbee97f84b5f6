"""Runs in the subject's interpreter, standard library only, with ``lay_out``'s copies beside it: what can be called in a package?

python listing.py modules DISTRIBUTION      the modules that its wheel installed, as JSON, without importing any
python listing.py callables MODULE          what MODULE defines and a user may call: [how, positional, keywords] each
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
import time
from collections.abc import Iterator
from importlib import metadata
from typing import Any

Entry = tuple[str, int, list[str]]


def modules(distribution: str) -> list[str]:
    """The public modules of a distribution, those of its tests and its command left out."""
    found = set()
    for file in metadata.files(distribution) or ():
        parts = file.with_suffix("").parts
        if file.suffix == ".py" and ".." not in parts:
            parts = parts[:-1] if parts[-1] == "__init__" else parts
            if parts and all(part.isidentifier() and not part.startswith("_") and part.strip("s") != "test" for part in parts):
                found.add(".".join(parts))
    return sorted(found)


def callables(name: str) -> list[Entry]:
    """The public functions of a module, its classes, and the methods of classes that are made without arguments."""
    module = importlib.import_module(name)
    found: list[Entry] = []
    for key, value in sorted(vars(module).items()):
        if not key.startswith("_") and _belongs(getattr(value, "__module__", None), name):
            if inspect.isfunction(value) and not inspect.iscoroutinefunction(value):
                found.append((key, *_wanted(value, 0)))
            elif inspect.isclass(value):
                found += _of_class(key, value)
    return found


def _belongs(home: object, name: str) -> bool:
    """Defined in the module, or in a private one that it speaks for."""
    return home == name or (isinstance(home, str) and home.startswith(f"{name}._"))


def _of_class(key: str, kind: type) -> Iterator[Entry]:
    try:
        positional, keywords = _wanted(kind, 0)
    except (TypeError, ValueError):
        return  # no signature
    yield key, positional, keywords
    if positional or keywords:
        return
    for name, method in sorted(vars(kind).items()):
        if inspect.isfunction(method) and not name.startswith("_") and not inspect.iscoroutinefunction(method):
            yield f"{key}().{name}", *_wanted(method, 1)


def _wanted(function: Any, bound: int) -> tuple[int, list[str]]:
    """How many positional arguments may be given, and the names of the keywords that must be."""
    parameters = list(inspect.signature(function).parameters.values())
    positional = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    required = [one.name for one in parameters if one.kind is one.KEYWORD_ONLY and one.default is one.empty]
    return len(positional) - bound, required


def main() -> None:
    """Answers on standard output, on a line of its own: the module may have printed something."""
    what, name = sys.argv[1:]
    begin = time.monotonic()
    answer: object = modules(name) if what == "modules" else callables(name)
    print("\n" + json.dumps({"answer": answer, "seconds": round(time.monotonic() - begin, 3)}))


if __name__ == "__main__":
    main()
