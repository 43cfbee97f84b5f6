"""Names as a person would give them: of the test function, of the file, of the crash in one line."""

from __future__ import annotations

import os
import re

from crashwright.core.target import CrashTarget, TargetFrame

_LONGEST = 60
_WRAPPERS = frozenset({"wrapper", "_wrapper", "wrapped", "inner", "_inner", "decorated", "decorator", "__get__"})


def snake(name: str) -> str:
    """``HTTPServerError`` as ``http_server_error``; other characters than letters, digits and underscores are dropped."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return re.sub(r"_+", "_", re.sub(r"\W", "_", spaced, flags=re.ASCII)).strip("_").lower()


def entry_name(target: CrashTarget) -> str:
    """What the target frame runs, in a word or two: its function, its class for ``__init__``, its module for ``<module>``."""
    frame = telling_frame(target)
    parts = [part for part in frame.key.qualname.split(".") if part != "<locals>"]
    named = [part for part in parts if not part.startswith("<")]
    if not named:
        return "import_" + snake(frame.key.module.rpartition(".")[2])
    if named[-1].startswith("__") and named[-1].endswith("__") and len(named) > 1:
        special = named[-1].strip("_")
        return snake(named[-2]) if special == "init" else f"{snake(named[-2])}_{snake(special)}"
    return snake(named[-1]) or "call"


def telling_frame(target: CrashTarget) -> TargetFrame:
    """The target frame. The inside of a decorator or descriptor says nothing: then the next frame counts."""
    frames = target.package_frames
    return next((frame for frame in frames if frame.key.name not in _WRAPPERS), frames[0])


def function_title(target: CrashTarget) -> str:
    """The name of the test function, such as ``test_reserve_raises_index_error``."""
    name = f"test_{entry_name(target)}_raises_{snake(short_type(target))}"
    return name[:_LONGEST].rstrip("_")


def file_name(target: CrashTarget, fingerprint: str, partial: bool = False) -> str:
    """The name of the file where the user gives none, such as ``test_inventory_reserve_3f2a.py``."""
    package = snake(target.package.rpartition(".")[2]) or "crash"
    entry = entry_name(target)
    stem = entry if entry.startswith(package) else f"{package}_{entry}"
    return f"test_{'partial_' if partial else ''}{stem[:_LONGEST]}_{fingerprint[:4]}.py"


def short_type(target: CrashTarget) -> str:
    """The exception's class name without its module."""
    return target.exception.rpartition(".")[2]


def module_file(frame: TargetFrame) -> str:
    """The frame's file as its package's users know it: ``inventory/stock.py``."""
    base = os.path.basename(frame.path)
    if frame.key.module in ("", "__main__"):
        return base
    folder = frame.key.module.replace(".", "/")
    return f"{folder}/{base}" if base == "__init__.py" else f"{folder}.py"


def function_name(frame: TargetFrame) -> str:
    """The frame's function with its class, without the noise of nesting: ``Shelf._locate``."""
    return frame.key.qualname.replace(".<locals>", "")
