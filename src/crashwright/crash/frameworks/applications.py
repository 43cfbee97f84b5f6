"""Applications that files of a project make, and frameworks that need nothing but the address of one: their clients start it."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from crashwright.core.preparation import FrameworkSetUp
from crashwright.crash.frameworks.factory_calls import Configured, call_for_tests
from crashwright.crash.frameworks.lines import SetUpLines
from crashwright.crash.frameworks.searched import SearchedProject, nearest_first, root_of
from crashwright.environment.source_roots import imported_names

_FACTORIES = ("create_app", "make_app")


@dataclass(frozen=True, slots=True)
class ClientFramework(SetUpLines):
    """See ``table.SetUpFramework``. ``classes`` are the packages of the framework, each with the class of its applications."""

    name: str
    classes: Mapping[str, str]
    words: str

    def found(self, project: SearchedProject) -> FrameworkSetUp | None:
        """If the frames use it, and the project makes an application."""
        address = application_in(project, self.classes)
        return self.at(address) if address else None

    def at(self, address: str) -> FrameworkSetUp:
        """Requests to the application there."""
        return FrameworkSetUp(self.name, address, text=f"requests to the {self.words} {address}")


def application_in(project: SearchedProject, classes: Mapping[str, str], configured: Configured | None = None) -> str:
    """The address of the application that the frames belong to, if they use one of the frameworks whose ``classes`` these are."""
    frames, places = project.frames, project.places
    used = {name.partition(".")[0] for frame in frames for name in imported_names(Path(frame.path))}
    if not any(package in used and project.has_installed(package) for package in classes):
        return ""
    known = {frame.path: frame.key.module for frame in frames}
    imported = [root for frame in frames if (root := root_of(frame)) is not None]
    roots = [*imported, *(start.resolve() for start in places.starts)]
    projects = dict.fromkeys([*places.projects, *imported])
    files = [*map(Path, known), *(file for one in projects for file in nearest_first(one))]
    for file in files:
        module = known.get(str(file)) or next((_module(file, root) for root in roots if file.is_relative_to(root)), "")
        name = next(_applications(file, classes, files, configured), "") if module else ""
        if name:
            return f"{module}:{name}"
    return ""


def _module(file: Path, root: Path) -> str:
    parts = file.relative_to(root).with_suffix("").parts
    parts = parts[:-1] if parts[-1] == "__init__" else parts
    return ".".join(parts) if parts and all(part.isidentifier() for part in parts) else ""


def _applications(file: Path, classes: Mapping[str, str], files: Sequence[Path], configured: Configured | None) -> Iterator[str]:
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
            call = call_for_tests(node, files, configured)
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
