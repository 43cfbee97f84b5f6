"""Records what a package's own tests pass to its functions: a plugin of pytest, which needs nothing but the standard library.

Of each parameter the types, the keys of dicts (with those of dicts in them, as ``a.b``), the lengths of lists and tuples, and names
that objects have. Written as JSON to the file in ``CRASHWRIGHT_RECORD`` when the session ends, or after ``CRASHWRIGHT_SECONDS``;
``CRASHWRIGHT_FOLDER`` is where the package lies. From Python 3.12 on listening costs next to nothing once a function was seen often
enough.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from types import CodeType, FrameType
from typing import Any

FOLDER, FILE = os.environ.get("CRASHWRIGHT_FOLDER", ""), os.environ.get("CRASHWRIGHT_RECORD", "")
MOST_CALLS = 40
"""Of one function: later ones rarely show anything new, and a suite would take all day."""
MOST_KEYS, DEEPEST = 40, 3
_MONITORING: Any = getattr(sys, "monitoring", None)
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
    if hasattr(type(value), "__getattr__"):
        return []  # it may have any
    own = getattr(value, "__dict__", None)
    inherited = {name for cls in type(value).__mro__ for name in vars(cls)}  # dir() leaves out what members of enums have
    return sorted({*inherited, *(own if type(own) is dict else ())})


def _begun(code: CodeType, _offset: int) -> object:
    return None if _seen(code, sys._getframe(1)) else _MONITORING.DISABLE


def _called(frame: FrameType, event: str, _argument: object) -> None:
    if event == "call":
        _seen(frame.f_code, frame)


def _seen(code: CodeType, frame: FrameType) -> bool:
    """Note the arguments; False where no more calls of that code are of interest."""
    count = _COUNTS[code] = _COUNTS.get(code, 0) + 1
    if not code.co_filename.startswith(FOLDER) or count > MOST_CALLS:
        return False
    variables = frame.f_locals
    path = os.path.relpath(code.co_filename, FOLDER)
    for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        _note(_SEEN.setdefault(f"{path}:{code.co_qualname}:{name}", _nothing()), variables.get(name))
    return True


def _nothing() -> dict[str, Any]:
    return {"types": {}, "keys": [], "lengths": [], "names": {}}


def _note(entry: dict[str, Any], value: object) -> None:
    kind = type(value).__qualname__
    entry["types"][kind] = entry["types"].get(kind, 0) + 1
    entry["keys"] = sorted({*entry["keys"], *_keys(value, "", 0)})
    if isinstance(value, list | tuple):
        entry["lengths"] = sorted({*entry["lengths"], len(value)})
    if kind not in entry["names"] and (names := _names(value)):
        entry["names"][kind] = names


def _write() -> None:
    text = json.dumps(_SEEN)
    with open(FILE, "w", encoding="utf-8") as stream:
        stream.write(text)


def _give_up() -> None:
    _listen(False)
    for _ in range(10):  # another thread may still be noting something
        try:
            _write()
            break
        except RuntimeError:
            continue
    os._exit(0)


def _listen(begin: bool) -> None:
    if _MONITORING is None:
        sys.setprofile(_called if begin else None)
        return
    if begin:
        _MONITORING.use_tool_id(_MONITORING.PROFILER_ID, "arguments")
        _MONITORING.register_callback(_MONITORING.PROFILER_ID, _MONITORING.events.PY_START, _begun)
    _MONITORING.set_events(_MONITORING.PROFILER_ID, _MONITORING.events.PY_START if begin else 0)


def pytest_sessionstart() -> None:
    """Begin to listen."""
    if FOLDER:
        limit = threading.Timer(float(os.environ["CRASHWRIGHT_SECONDS"]), _give_up)
        limit.daemon = True
        limit.start()
        _listen(True)


def pytest_sessionfinish() -> None:
    """Write down what was seen."""
    if FOLDER:
        _listen(False)
        _write()
