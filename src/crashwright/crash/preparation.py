"""Finds the set-up that a crash of a web project needs: Django's settings, a Flask application. Nothing is imported."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from crashwright.core.preparation import Preparation
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.environment.interpreter import Interpreter
from crashwright.environment.source_roots import imported_names, project_root, pytest_setting, sources_below

_SETTINGS = "DJANGO_SETTINGS_MODULE"
_IN_MANAGE = re.compile(rf"""setdefault\(\s*["']{_SETTINGS}["']\s*,\s*["']([\w.]+)["']""")
_SQLITE = "django.db.backends.sqlite3"
_FACTORIES = ("create_app", "make_app")


def preparation_for(
    target: CrashTarget, interpreter: Interpreter, own: bool, function: str = "", environment: Mapping[str, str] = os.environ
) -> Preparation:
    """What is to be set up. ``own``: the target is code of the user's. ``function``: what the user names."""
    if not own:
        return Preparation(function=function)
    project = project_root(Path(interpreter.project))
    settings = _django_settings(project, environment) if _installed("django", interpreter) else ""
    flask = _flask_application(target, project) if _installed("flask", interpreter) and not settings else ""
    database = bool(settings) and _uses_sqlite(settings, project)
    return Preparation(settings, function, flask, database, database and _installed("pytest_django", interpreter))


def django_preparation(interpreter: Interpreter, environment: Mapping[str, str] = os.environ) -> Preparation:
    """What modules of a Django project need to be imported; nothing where this is none. Suites get no database: what a test of a
    module stores is not what it is about."""
    project = project_root(Path(interpreter.project))
    return Preparation(django=_django_settings(project, environment) if _installed("django", interpreter) else "")


def _installed(package: str, interpreter: Interpreter) -> bool:
    return any(os.path.isfile(os.path.join(folder, package, "__init__.py")) for folder in interpreter.sys_path)


def _django_settings(project: Path, environment: Mapping[str, str]) -> str:
    named = environment.get(_SETTINGS) or pytest_setting(project, _SETTINGS)
    if named:
        return named
    try:
        match = _IN_MANAGE.search((project / "manage.py").read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return ""  # there is none
    return match[1] if match else ""


def _uses_sqlite(settings: str, project: Path) -> bool:
    """Whether the settings, or what lies beside them (``settings/base.py``), name sqlite: a database that needs no server."""
    place = Path(*settings.split("."))
    files = [file for file in sources_below(project) if file.with_suffix("").parts[-len(place.parts) :] == place.parts]
    beside = [other for file in files for other in file.parent.glob("*.py")] if len(place.parts) > 2 else []
    return any(_SQLITE in file.read_text(encoding="utf-8", errors="replace") for file in (*files, *beside))


def _flask_application(target: CrashTarget, project: Path) -> str:
    """The application whose context the frames of the target run in, where they use Flask."""
    frames = target.own_frames
    if not any(name.partition(".")[0] == "flask" for frame in frames for name in imported_names(Path(frame.path))):
        return ""
    known = {frame.path: frame.key.module for frame in frames}
    roots = [root for frame in frames if (root := _root(frame)) is not None]
    files = [*map(Path, known), *sorted(sources_below(project), key=lambda file: (len(file.parts), file))]
    for file in files:
        module = known.get(str(file)) or next((_module(file, root) for root in roots if file.is_relative_to(root)), "")
        name = next(_applications(file), "") if module else ""
        if name:
            return f"{module}:{name}"
    return ""


def _root(frame: TargetFrame) -> Path | None:
    """The folder that the frame's module is imported from."""
    parts = frame.key.module.split(".")
    path = Path(frame.path)
    depth = len(parts) if path.name != "__init__.py" else len(parts) + 1
    return path.parents[depth - 1] if depth <= len(path.parents) else None


def _module(file: Path, root: Path) -> str:
    parts = file.relative_to(root).with_suffix("").parts
    parts = parts[:-1] if parts[-1] == "__init__" else parts
    return ".".join(parts) if parts and all(part.isidentifier() for part in parts) else ""


def _applications(file: Path) -> Iterator[str]:
    """The Flask applications of a file: names bound to ``Flask(...)``, then factories that need no argument."""
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
        tree = ast.parse(text) if "Flask" in text else None
    except (OSError, SyntaxError, ValueError):
        return  # told where the file itself is matched
    for node in tree.body if tree is not None else ():
        if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and isinstance(node.targets[0], ast.Name)):
            continue
        if ast.unparse(node.value.func) in ("Flask", "flask.Flask"):
            yield node.targets[0].id
    for node in tree.body if tree is not None else ():
        if isinstance(node, ast.FunctionDef) and node.name in _FACTORIES and _needs_nothing(node.args):
            yield f"{node.name}()"


def _needs_nothing(arguments: ast.arguments) -> bool:
    plain = len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults)
    return plain == 0 and all(default is not None for default in arguments.kw_defaults)
