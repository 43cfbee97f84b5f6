"""Finds the set-up that a crash of a web project needs: Django's settings, the application of another framework. Nothing is
imported."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from crashwright.core.preparation import Preparation
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.crash.factory_calls import call_for_tests
from crashwright.environment.interpreter import Interpreter
from crashwright.environment.source_roots import (
    imported_names,
    project_root,
    pytest_setting,
    source_roots,
    sources_below,
    upwards,
)

_SETTINGS = "DJANGO_SETTINGS_MODULE"
_IN_MANAGE = re.compile(rf"""["']{_SETTINGS}["']\s*(?:,|\]\s*=)\s*["']([\w.]+)["']""")
_SERVED = frozenset({"wsgi.py", "asgi.py"})
"""The files that a server starts a project by, as Django makes them."""
_SQLITE = "django.db.backends.sqlite3"
_ALWAYS = ("django.contrib.contenttypes", "django.contrib.auth")
"""The applications that most others need."""
_OF_APPLICATIONS = ("apps.py", "models.py", "models", "migrations", "templates", "templatetags")
_FACTORIES = ("create_app", "make_app")
_FLASK = {"flask": "Flask"}
_ASGI = {"fastapi": "FastAPI", "starlette": "Starlette"}
_AIOHTTP = {"aiohttp": "web.Application"}
"""The packages of frameworks, and the class of their applications."""
_DATABASE = re.compile(r"sqlite:///\w")
"""The address of a database in a file of no folder."""


class _Places:
    """Where the set-up of a project is looked for: the folder one stands in, those of ``--path``, those of the report's own frames
    with the innermost first; of each the folders around it too."""

    def __init__(self, interpreter: Interpreter, path: Sequence[str], files: Sequence[str]) -> None:
        self.starts = tuple(
            dict.fromkeys([Path(interpreter.project), *map(Path, path), *(Path(one).parent for one in files[::-1])])
        )
        self.folders = tuple(dict.fromkeys(folder for start in self.starts for folder in upwards(start)))

    @property
    def projects(self) -> tuple[Path, ...]:
        """The roots of the projects around where the search begins."""
        return tuple(dict.fromkeys(map(project_root, self.starts)))

    def home_of(self, module: str) -> Path | None:
        """The folder that a module can be imported from."""
        roots = (*self.folders, *(Path(root) for start in self.starts for root in source_roots(start)))
        return next((folder for folder in dict.fromkeys(roots) if _file_of(module, folder) is not None), None)


def preparation_for(
    target: CrashTarget,
    interpreter: Interpreter,
    own: bool,
    function: str = "",
    environment: Mapping[str, str] = os.environ,
    path: Sequence[str] = (),
) -> Preparation:
    """What is to be set up. ``own``: the target is code of the user's. ``function``: what the user names. ``path``: the folders of
    ``--path``."""
    if not own:
        return Preparation(function=function, early=bool(function))
    places = _Places(interpreter, path, [frame.path for frame in target.own_frames])
    settings = _django_settings(places, environment) if _installed("django", interpreter) else ""
    flask = "" if settings else _application(target, places, interpreter, _FLASK)
    asgi = "" if settings or flask else _application(target, places, interpreter, _ASGI)
    aiohttp = "" if settings or flask or asgi else _application(target, places, interpreter, _AIOHTTP)
    database = bool(settings) and _uses_sqlite(settings, places)
    marked = database and _installed("pytest_django", interpreter)
    instance = _has_instance_folder(flask, places, target)
    return Preparation(settings, function, flask, asgi, aiohttp, database, marked, instance=instance)


def django_preparation(
    interpreter: Interpreter, environment: Mapping[str, str] = os.environ, path: Sequence[str] = (), files: Sequence[str] = ()
) -> Preparation:
    """What ``files``, modules of a Django project, need to be imported; nothing where this is none. Suites get no database: what a
    test of a module stores is not what it is about."""
    places = _Places(interpreter, path, files)
    return Preparation(django=_django_settings(places, environment) if _installed("django", interpreter) else "")


def minimal_settings(target: CrashTarget, preparation: Preparation) -> Preparation:
    """With settings for an installed package that reads some when it is imported: those around its frames that are applications."""
    return _with_applications(preparation, [(_root(frame), frame.key.module) for frame in target.own_frames])


def settings_for_module(module: str, file: str, preparation: Preparation) -> Preparation:
    """As :func:`minimal_settings`, for a module that tests are made for."""
    return _with_applications(preparation, [(_root_of(module, Path(file)), module)])


def _with_applications(preparation: Preparation, modules: Sequence[tuple[Path | None, str]]) -> Preparation:
    apps: dict[str, None] = dict.fromkeys(_ALWAYS)
    for root, module in modules:
        parts = module.split(".")
        for depth in range(1, len(parts) + 1):
            folder = root.joinpath(*parts[:depth]) if root is not None else None
            if folder is not None and any((folder / mark).exists() for mark in _OF_APPLICATIONS):
                apps[".".join(parts[:depth])] = None
    return replace(preparation, apps=tuple(apps))


def folders_of(
    preparation: Preparation, interpreter: Interpreter, path: Sequence[str] = (), files: Sequence[str] = ()
) -> tuple[str, ...]:
    """The folders that what is set up is imported from; where the module is not found there, that of the project."""
    places = _Places(interpreter, path, files)
    named = [one.partition(":")[0] for one in (preparation.django, preparation.function) if one]
    return tuple(dict.fromkeys(str(places.home_of(one) or project_root(Path(interpreter.project))) for one in named))


def _installed(package: str, interpreter: Interpreter) -> bool:
    return any(os.path.isfile(os.path.join(folder, package, "__init__.py")) for folder in interpreter.sys_path)


def _file_of(module: str, folder: Path) -> Path | None:
    place = folder.joinpath(*module.split("."))
    found = (place.with_name(place.name + ".py"), place / "__init__.py")
    return next((file for file in found if file.is_file()), None)


def _django_settings(places: _Places, environment: Mapping[str, str]) -> str:
    named = environment.get(_SETTINGS) or next(filter(None, (pytest_setting(one, _SETTINGS) for one in places.folders)), "")
    if named:
        return named
    manage = next(filter(None, (_named_in(folder / "manage.py") for folder in places.folders)), "")
    if manage:
        return manage
    files = [file for root in places.projects for file in sources_below(root) if file.name in _SERVED]
    return next(filter(None, map(_named_in, files)), "")


def _named_in(file: Path) -> str:
    """The settings that a file of a project names for its own process."""
    try:
        match = _IN_MANAGE.search(file.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return ""  # there is none
    return match[1] if match else ""


def _uses_sqlite(settings: str, places: _Places) -> bool:
    """Whether the settings, or what lies beside them (``settings/base.py``), name sqlite: a database that needs no server."""
    home = places.home_of(settings)
    file = None if home is None else _file_of(settings, home)
    if file is None:
        return False
    apart = settings.count(".") > 1 or file.name == "__init__.py"
    beside = sorted(file.parent.glob("*.py")) if apart else [file]
    return any(_SQLITE in one.read_text(encoding="utf-8", errors="replace") for one in beside)


def _application(target: CrashTarget, places: _Places, interpreter: Interpreter, classes: Mapping[str, str]) -> str:
    """The application that the frames of the target belong to, where they use one of the frameworks whose ``classes`` these are."""
    frames = target.own_frames
    used = {name.partition(".")[0] for frame in frames for name in imported_names(Path(frame.path))}
    if not any(package in used and _installed(package, interpreter) for package in classes):
        return ""
    known = {frame.path: frame.key.module for frame in frames}
    imported = [root for frame in frames if (root := _root(frame)) is not None]
    roots = [*imported, *(start.resolve() for start in places.starts)]
    projects = dict.fromkeys([*places.projects, *imported])
    files = [*map(Path, known), *(file for one in projects for file in _nearest_first(one))]
    for file in files:
        module = known.get(str(file)) or next((_module(file, root) for root in roots if file.is_relative_to(root)), "")
        name = next(_applications(file, classes, files), "") if module else ""
        if name:
            return f"{module}:{name}"
    return ""


def _has_instance_folder(application: str, places: _Places, target: CrashTarget) -> bool:
    """Whether the factory at that address speaks of its instance folder, which Flask looks for beside the package, or the project
    of a database in a file, which is kept there: tests would write into the project."""
    module, _, name = application.partition(":")
    if not name.endswith(")"):
        return False
    roots = [root for frame in target.own_frames if (root := _root(frame)) is not None]
    found = (
        file for root in (*roots, *(start.resolve() for start in places.starts)) if (file := _file_of(module, root)) is not None
    )
    file = next(found, None)
    try:
        text = "" if file is None else file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False  # told where the file itself is matched
    return "instance_path" in text or "instance_relative_config" in text or any(map(_names_database, places.projects))


def _names_database(project: Path) -> bool:
    """Whether a source file has the address of a database in a file of no folder."""
    for file in _nearest_first(project):
        try:
            if _DATABASE.search(file.read_text(encoding="utf-8", errors="replace")):
                return True
        except OSError:
            continue  # told where the file itself is matched
    return False


def _nearest_first(project: Path) -> list[Path]:
    return sorted(sources_below(project), key=lambda file: (len(file.parts), file))


def _root(frame: TargetFrame) -> Path | None:
    """The folder that the frame's module is imported from."""
    return _root_of(frame.key.module, Path(frame.path))


def _root_of(module: str, path: Path) -> Path | None:
    parts = module.split(".")
    depth = len(parts) if path.name != "__init__.py" else len(parts) + 1
    return path.parents[depth - 1] if depth <= len(path.parents) else None


def _module(file: Path, root: Path) -> str:
    parts = file.relative_to(root).with_suffix("").parts
    parts = parts[:-1] if parts[-1] == "__init__" else parts
    return ".".join(parts) if parts and all(part.isidentifier() for part in parts) else ""


def _applications(file: Path, classes: Mapping[str, str], files: Sequence[Path]) -> Iterator[str]:
    """The applications of a file: names bound to a call of one of the ``classes``, then factories that can be called. ``files`` of
    the project may show how."""
    whole = [f"{package}.{name}".split(".") for package, name in classes.items()]
    made = {".".join(parts[start:]) for parts in whole for start in range(len(parts))}
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
        tree = ast.parse(text) if any(parts[-1] in text for parts in whole) else None
    except (OSError, SyntaxError, ValueError):
        return  # told where the file itself is matched
    for node in tree.body if tree is not None else ():
        if not isinstance(node, ast.Assign | ast.AnnAssign) or not isinstance(node.value, ast.Call):
            continue
        bound = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
        if isinstance(bound, ast.Name) and ast.unparse(node.value.func) in made:
            yield bound.id
    for node in tree.body if tree is not None else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (node.name in _FACTORIES or _returns_one(node, made)):
            call = call_for_tests(node, files)
            yield from [f"{node.name}{call}"] if call else []


def _returns_one(factory: ast.FunctionDef | ast.AsyncFunctionDef, made: Collection[str]) -> bool:
    """Whether it makes an application and returns it, whatever it is called."""
    calls = [node for node in ast.walk(factory) if isinstance(node, ast.Call) and ast.unparse(node.func) in made]
    if not calls:
        return False
    assigned = [node for node in ast.walk(factory) if isinstance(node, ast.Assign | ast.AnnAssign) and node.value in calls]
    names = {
        target.id
        for node in assigned
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    returned = [node.value for node in ast.walk(factory) if isinstance(node, ast.Return)]
    return any(one in calls or (isinstance(one, ast.Name) and one.id in names) for one in returned)
