"""What the user names, a module, a package or a file, found as source files where the subject's interpreter would import it from.

The import system's path finder is followed on the file system; nothing is imported. Only a name that is not found so is asked for
in the interpreter itself (editable installs may have import hooks), and there too no code of it is run.
"""

from __future__ import annotations

import ast
import difflib
import os
import subprocess
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from crashwright.core.errors import EnvironmentProblem, UsageError
from crashwright.environment.interpreter import Interpreter
from crashwright.environment.shadowing import is_standard
from crashwright.environment.source_index import SourceIndex
from crashwright.environment.source_roots import source_roots

_COMPILED = (".so", ".pyd")
_TEST_FOLDERS = frozenset({"tests", "test"})
_QUESTION = """
import sys
if sys.path[:1] == ['']: del sys.path[0]
import importlib.util
try: spec = importlib.util.find_spec(sys.argv[1])
except (ImportError, ValueError): spec = None
print(repr(None if spec is None else (spec.origin, list(spec.submodule_search_locations or []))))
"""


@dataclass(frozen=True, slots=True)
class SourceModule:
    """A module and its file. ``weight`` counts its statements in functions; ``names`` are the qualified names of its functions
    and classes, None where the file could not be parsed by the Python that runs us."""

    name: str
    file: str
    weight: int = 1
    names: tuple[str, ...] | None = None

    @property
    def text(self) -> str:
        """Its source; "" where the file cannot be read any more."""
        try:
            with tokenize.open(self.file) as stream:
                return stream.read()
        except (OSError, SyntaxError, ValueError):
            return ""

    @property
    def has_callables(self) -> bool:
        """There is something to call, or nobody knows."""
        return self.names is None or bool(self.names)


@dataclass(frozen=True, slots=True)
class SubjectModules:
    """``modules`` of a package in the order of their names. ``extra_path`` must go on the subject's ``sys.path``; ``notes`` say
    what was passed over, and why."""

    name: str
    modules: tuple[SourceModule, ...]
    is_package: bool = False
    extra_path: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a module is: its file ("" for a namespace package), the folders of its submodules, the folder to import from."""

    file: str
    folders: tuple[str, ...] = ()
    root: str = ""

    @property
    def is_package(self) -> bool:
        return bool(self.folders)


def find_subject(name: str, interpreter: Interpreter, here: Path) -> SubjectModules:
    """The module, package or file called ``name`` for a user who stands in ``here``. Raises UsageError or EnvironmentProblem."""
    if name.endswith(".py") or "/" in name or os.sep in name:
        return _from_file(here / name, name, interpreter)
    if not all(part.isidentifier() for part in name.split(".")):
        raise UsageError(f"{name!r} is neither the name of a module nor a file.", "Write it as you import it: package.module.")
    return _from_name(name, interpreter, here)


# By name


def _from_name(name: str, interpreter: Interpreter, here: Path) -> SubjectModules:
    own = source_roots(here)
    # A script that stands here would get the project's module rather than a standard one of that name.
    standard = [folder for folder in interpreter.sys_path if is_standard(folder, interpreter)]
    installed = [folder for folder in interpreter.sys_path if folder not in standard]
    place = _find(name, (*installed, *own, *standard), interpreter, here)
    extra = (place.root,) if place.root in own and place.root not in interpreter.sys_path else ()
    if not place.is_package:
        return SubjectModules(name, (_source_module(name, place.file, interpreter.version),), extra_path=extra)
    return _package(name, place, interpreter, extra)


def _find(name: str, folders: Sequence[str], interpreter: Interpreter, here: Path) -> _Place:
    parts = name.split(".")
    place = _Place("", tuple(folders))
    root = ""
    for depth, part in enumerate(parts):
        whole = ".".join(parts[: depth + 1])
        found = _in_folders(part, place.folders)
        if found is None and depth == 0:
            found = _ask(part, interpreter)
        if found is None:
            raise _not_found(whole, name, part, place, interpreter, depth, here)
        root = root or found.root
        _check_source(whole, found.file)
        if not found.is_package and depth + 1 < len(parts):
            raise EnvironmentProblem(
                f"{whole} is a module, not a package: it has no {parts[depth + 1]}.",
                f"Choose functions and classes with --target: crashwright generate {whole} --target {'.'.join(parts[depth + 1 :])}",
            )
        place = found
    return _Place(place.file, place.folders, root)


def _in_folders(part: str, folders: Iterable[str]) -> _Place | None:
    """What ``import part`` takes from ``folders``: package, extension module, source, byte code, or portions of a namespace."""
    portions = []
    for folder in folders:
        base = os.path.join(folder, part)
        if os.path.isfile(os.path.join(base, "__init__.py")):
            return _Place(os.path.join(base, "__init__.py"), (base,), folder)
        for file in (*_extensions(folder, part), f"{base}.py", f"{base}.pyc"):
            if os.path.isfile(file):
                return _Place(file, (), folder)
        if os.path.isdir(base):
            portions.append((base, folder))
    return _Place("", tuple(base for base, _ in portions), portions[0][1]) if portions else None


def _extensions(folder: str, part: str) -> list[str]:
    return [os.path.join(folder, one) for one in _listed(folder) if one.startswith(f"{part}.") and one.endswith(_COMPILED)]


def _listed(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []  # a folder of sys.path that is not there, or a zip file


def _ask(name: str, interpreter: Interpreter) -> _Place | None:
    """What the interpreter's own import hooks know of the top-level ``name``."""
    try:
        done = subprocess.run(
            [interpreter.executable, "-c", _QUESTION, name],
            capture_output=True,
            text=True,
            timeout=10,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        answer = ast.literal_eval(done.stdout.strip().splitlines()[-1])
    except (OSError, subprocess.TimeoutExpired, IndexError, SyntaxError, ValueError):
        return None  # it has no word on it: not found, as said by the caller
    if answer is None:
        return None
    origin, locations = answer
    return _Place(origin or "", tuple(locations), "") if origin or locations else None


def _check_source(name: str, file: str) -> None:
    if not file or file.endswith(".py"):
        return
    if file in ("built-in", "frozen"):
        kind = "is built into the interpreter"
    elif file.endswith(_COMPILED):
        kind = f"is a compiled extension ({os.path.basename(file)})"
    else:
        kind = f"is installed without its source ({os.path.basename(file)})"
    raise EnvironmentProblem(f"{name} {kind}.", "crashwright generates tests only for Python modules that have their source.")


def _not_found(
    whole: str, name: str, part: str, place: _Place, interpreter: Interpreter, depth: int, here: Path
) -> EnvironmentProblem:
    known = {module for folder in place.folders for module in _module_names(folder)}
    close = difflib.get_close_matches(part, sorted(known), n=1)
    missing = f"There is no module {whole.rpartition('.')[2]}"
    near = None if depth else next((folder for folder in _folders_in(here) if part in set(_module_names(str(here / folder)))), None)
    if near is not None:
        return EnvironmentProblem(
            f"{missing} for {interpreter.executable} (Python {interpreter.version_text}).",
            f"The folder {near} has one: add --path {near}, or install the project.",
        )
    if depth:
        where = f"in {whole.rpartition('.')[0]}"
    else:
        where = f"for {interpreter.executable} (Python {interpreter.version_text})"
    if close:
        meant = ".".join((*whole.split(".")[:-1], close[0], *name.split(".")[depth + 1 :]))
        return EnvironmentProblem(f"{missing} {where}.", f"Did you mean {meant}?")
    advice = "Name the interpreter that has it with --python, or the folder that it is in with --path."
    return EnvironmentProblem(f"{missing} {where}.", advice)


def _folders_in(here: Path) -> list[str]:
    return [name for name in _listed(str(here)) if not name.startswith(".") and (here / name).is_dir()]


def _module_names(folder: str) -> Iterator[str]:
    for entry in _listed(folder):
        stem, suffix = os.path.splitext(entry)
        if suffix == ".py" and stem != "__init__":
            yield stem
        elif entry.isidentifier() and os.path.isfile(os.path.join(folder, entry, "__init__.py")):
            yield entry


# By file


def _from_file(path: Path, shown: str, interpreter: Interpreter) -> SubjectModules:
    path = Path(os.path.abspath(path))
    if path.is_dir():
        return _from_folder(path, shown, interpreter)
    if not path.is_file():
        raise EnvironmentProblem(f"There is no file {shown}.", "Give a module as you import it (package.module), or its file.")
    _check_source(shown, str(path))
    root, name = _root_and_name(path, interpreter)
    if not all(part.isidentifier() for part in name.split(".")):
        raise UsageError(f"{shown} cannot be imported under that name.", "A module's name has only letters, digits and _.")
    extra = () if root in interpreter.sys_path else (root,)
    return SubjectModules(name, (_source_module(name, str(path), interpreter.version),), extra_path=extra)


def _from_folder(path: Path, shown: str, interpreter: Interpreter) -> SubjectModules:
    if not (path / "__init__.py").is_file():
        raise EnvironmentProblem(
            f"{shown} is a folder without __init__.py.", "Give a package, a module, or (with --path) a name to import."
        )
    root, name = _root_and_name(path / "__init__.py", interpreter)
    extra = () if root in interpreter.sys_path else (root,)
    return _package(name, _Place(str(path / "__init__.py"), (str(path),), root), interpreter, extra)


def _root_and_name(file: Path, interpreter: Interpreter) -> tuple[str, str]:
    """The folder that the module ``file`` is imported from, and its name: below the user's own ``--path`` or an installation
    folder it is relative to that (namespace packages have no ``__init__.py``), else to the first folder that is no package."""
    module = file.parent if file.name == "__init__.py" else file.with_suffix("")
    root = module.parent
    while (root / "__init__.py").is_file():
        root = root.parent
    if str(root) not in interpreter.sys_path:
        above = [Path(folder) for folder in interpreter.sys_path if root.is_relative_to(folder)]
        nearest = max(above, key=lambda folder: len(folder.parts), default=root)
        if all(part.isidentifier() for part in root.relative_to(nearest).parts):
            root = nearest
    return str(root), ".".join(module.relative_to(root).parts)


# Packages


def _package(name: str, place: _Place, interpreter: Interpreter, extra: tuple[str, ...]) -> SubjectModules:
    modules: list[SourceModule] = []
    notes: list[str] = []
    files = [(name, place.file)] if place.file else []
    for folder in place.folders:
        files += _files_below(folder, name)
    for module, file in sorted(dict(files).items()):
        if not file.endswith(".py"):
            notes.append(f"{module} is compiled: skipped")
            continue
        one = _source_module(module, file, interpreter.version)
        if one.has_callables or os.path.basename(file) != "__init__.py":
            modules.append(one)
    if not files:
        raise EnvironmentProblem(f"{name} is a folder without modules of its own.", "Give a module or a package that has some.")
    return SubjectModules(name, tuple(modules), True, extra, tuple(notes))


def _files_below(folder: str, name: str) -> Iterator[tuple[str, str]]:
    """Modules below the package ``name`` that users import: no tests, no programs."""
    for entry in _listed(folder):
        path = os.path.join(folder, entry)
        if os.path.isdir(path):
            inner = os.path.join(path, "__init__.py")
            if entry.isidentifier() and entry not in _TEST_FOLDERS and os.path.isfile(inner):
                yield f"{name}.{entry}", inner
                yield from _files_below(path, f"{name}.{entry}")
            continue
        stem = entry.partition(".")[0]
        if stem in ("__init__", "__main__", "conftest") or stem.startswith("test_") or stem.endswith("_test"):
            continue
        if stem.isidentifier() and (entry == f"{stem}.py" or entry.endswith(_COMPILED)):
            yield f"{name}.{stem}", path


def _source_module(name: str, file: str, version: Sequence[int]) -> SourceModule:
    try:
        with tokenize.open(file) as stream:
            text = stream.read()
        names = tuple(dict.fromkeys(span.qualname for span in SourceIndex(text, version).spans if "<" not in span.qualname))
        return SourceModule(name, file, _weight(text), names)
    except OSError as error:
        raise EnvironmentProblem(f"{file} cannot be read: {error.strerror}.") from None
    except (SyntaxError, ValueError, RecursionError):
        return SourceModule(name, file)  # the subject's own Python has the last word


def _weight(text: str) -> int:
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return 1 + len({node for function in functions for node in ast.walk(function) if isinstance(node, ast.stmt)})
