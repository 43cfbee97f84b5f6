"""Records what a package's own tests pass to its functions: a plugin of pytest, which needs nothing but the standard library.

Of each parameter the types, the keys of dicts (with those of dicts in them, as ``a.b``), the lengths of lists and tuples, and names
that objects have. Written as JSON to the file in ``CRASHWRIGHT_RECORD`` when the session ends; ``CRASHWRIGHT_FOLDER`` is where the
package lies.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from types import FrameType
from typing import Any

MOST_CALLS = 40
"""Of one function: later ones rarely show anything new, and a suite would take all day."""
MOST_KEYS, DEEPEST = 40, 3
_COUNTS: dict[object, int] = {}
_SEEN: dict[str, dict[str, Any]] = {}


def _keys(value: object, before: str, depth: int) -> set[str]:
    found: set[str] = set()
    if isinstance(value, dict) and depth < DEEPEST:
        for key in list(value)[:MOST_KEYS]:
            if type(key) is str:
                found |= {f"{before}{key}", *_keys(value[key], f"{before}{key}.", depth + 1)}
    elif isinstance(value, list | tuple) and depth < DEEPEST:
        for one in list(value)[:3]:
            found |= _keys(one, f"{before}[].", depth + 1)
    return found


def _names(value: object) -> list[str]:
    if type(value).__module__ == "builtins":
        return []
    own = getattr(value, "__dict__", None)
    return sorted({*dir(type(value)), *(own if type(own) is dict else ())})


def _note(frame: FrameType, event: str, _argument: object) -> None:
    code = frame.f_code
    if event != "call" or not code.co_filename.startswith(os.environ["CRASHWRIGHT_FOLDER"]):
        return
    count = _COUNTS[code] = _COUNTS.get(code, 0) + 1
    if count > MOST_CALLS:
        return
    path = os.path.relpath(code.co_filename, os.environ["CRASHWRIGHT_FOLDER"])
    for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        value = frame.f_locals.get(name)
        entry = _SEEN.setdefault(f"{path}:{code.co_qualname}:{name}", {"types": {}, "keys": [], "lengths": [], "names": {}})
        kind = type(value).__qualname__
        entry["types"][kind] = entry["types"].get(kind, 0) + 1
        entry["keys"] = sorted({*entry["keys"], *_keys(value, "", 0)})
        if isinstance(value, list | tuple):
            entry["lengths"] = sorted({*entry["lengths"], len(value)})
        if kind not in entry["names"] and (names := _names(value)):
            entry["names"][kind] = names


def pytest_sessionstart() -> None:
    """Begin to listen."""
    sys.setprofile(_note)
    threading.setprofile(_note)


def pytest_sessionfinish() -> None:
    """Write down what was seen."""
    sys.setprofile(None)
    threading.setprofile(None)
    with open(os.environ["CRASHWRIGHT_RECORD"], "w", encoding="utf-8") as stream:
        json.dump(_SEEN, stream)
