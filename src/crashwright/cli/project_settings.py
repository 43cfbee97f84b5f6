"""``[tool.crashwright]`` of the nearest pyproject.toml: the same keys as the options, which win over it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cyclopts import App, ArgumentCollection
from cyclopts.config import Dict

from crashwright.cli.reproduce_options import keys
from crashwright.core.errors import UsageError

_PATH_KEYS = frozenset(
    {"python", "path", "output", "existing-tests", "fixed-python", "fixed-path", "candidate", "candidate-answers", "html"}
)
"""What names a file or folder is relative to the pyproject.toml, not to the current folder."""
_OF_THE_COMMAND_LINE = frozenset({"candidate-program"})
"""A project that somebody downloads has no say in which programs are run unconfined."""
_INTERPRETERS = frozenset({"python", "fixed-python"})
_TABLES = frozenset({"generate"})
"""Keys of one command alone stand in a table of their own."""
_SHARED = frozenset({"python", "path", "seed", "jobs", "allow", "json"})
"""What of ``[tool.crashwright]`` means the same for ``generate`` too."""


def configured(*names: str) -> Callable[[App, tuple[str, ...], ArgumentCollection], None]:
    """A hook of cyclopts for a command that understands only some of the keys: it fills in what the command line leaves open."""

    def configure(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
        file = nearest_pyproject(Path.cwd())
        if file is None or b"crashwright" not in file.read_bytes():
            return
        table = {key: value for key, value in project_settings(file, keys()).items() if key in names}
        Dict(table, source=str(file), use_commands_as_keys=False)(app, commands, arguments)

    return configure


def nearest_pyproject(start: Path) -> Path | None:
    """The pyproject.toml of ``start`` or of the nearest folder above it."""
    start = start.resolve()
    return next((file for folder in (start, *start.parents) if (file := folder / "pyproject.toml").is_file()), None)


def project_settings(file: Path, known: frozenset[str]) -> dict[str, Any]:
    """The table of ``file``, paths made absolute. ``known`` are the keys there are, with hyphens. Raises UsageError."""
    table = _document(file).get("tool", {}).get("crashwright", {})
    if not isinstance(table, dict):
        raise UsageError(f"{file}: [tool.crashwright] is not a table.", "Write its keys below a line [tool.crashwright].")
    return _checked({key: value for key, value in table.items() if key not in _TABLES}, "tool.crashwright", known, file)


def generate_settings(file: Path, known: frozenset[str]) -> dict[str, Any]:
    """What ``generate`` takes from ``file``: its own table ``[tool.crashwright.generate]``, whose keys are ``known``, and those of
    ``[tool.crashwright]`` that mean the same for every command. Raises UsageError."""
    shared = {key: value for key, value in project_settings(file, keys()).items() if key in _SHARED}
    own = _document(file).get("tool", {}).get("crashwright", {}).get("generate", {})
    if not isinstance(own, dict):
        raise UsageError(f"{file}: tool.crashwright.generate is not a table.", "Write its keys below [tool.crashwright.generate].")
    return {**shared, **_checked(own, "tool.crashwright.generate", known, file)}


def _document(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{file} cannot be read: {error}", "Correct the file, or run crashwright elsewhere.") from None


def _checked(table: dict[str, Any], name: str, known: frozenset[str], file: Path) -> dict[str, Any]:
    """``table`` with its paths made absolute."""
    unsafe = sorted(_OF_THE_COMMAND_LINE.intersection(table))
    if unsafe:
        raise UsageError(
            f"{file}: {unsafe[0]} is not allowed in a file.", f"Give --{unsafe[0]} on the command line: it runs a program."
        )
    unknown = [key for key in table if key not in known]
    if unknown:
        raise UsageError(f"{file}: [{name}] has no key {unknown[0]!r}.", f"Known keys: {', '.join(sorted(known))}.")
    return {key: _absolute(key, value, file.parent) if key in _PATH_KEYS else value for key, value in table.items()}


def _absolute(key: str, value: Any, folder: Path) -> Any:
    if isinstance(value, list):
        return [_absolute(key, item, folder) for item in value]
    # An interpreter without a folder, such as "python3.12", is a command to be found on PATH.
    if not isinstance(value, str) or (key in _INTERPRETERS and "/" not in value):
        return value
    return str(folder / value)
