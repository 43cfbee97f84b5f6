"""The way in to a crash by the sources alone: which public callable would be called, as far as that can be said without importing.

The engine decides on the live package (``engine.subject.api.entry``), where it sees decorators, re-exports and inheritance as they
are; here names decide. What is told is a forecast, and says so where it is a guess.
"""

from __future__ import annotations

import ast
import itertools
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from crashwright.core.location import CodeKey
from crashwright.core.report import Unknown
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.subject.api.addresses import is_private
from crashwright.engine.subject.api.call_graph import CallGraph
from crashwright.engine.subject.api.entry import runs_as_script
from crashwright.engine.subject.source import ModuleSource, Sources

_CLIMB = 6
_FANOUT = 12
_PARSED = 400_000
"""Characters of source that are parsed in search of callers: the answer must come at once."""
_WRAPPERS = 4
"""Frames that may stand between the inside of a decorator and the function that it decorates."""
_LARGEST = 2 << 20
"""Bytes of a file that is still read."""


@dataclass(frozen=True, slots=True)
class WayIn:
    """``entry`` is the dotted name of what a test would call, "" where none was found; ``how`` in words; ``private`` where the test
    would need private names. ``sure`` is false where only the imported package can tell."""

    entry: str
    how: str
    private: bool = False
    sure: bool = True


def way_in(target: CrashTarget) -> WayIn:
    """How a test would come to the target frame."""
    frame = target.frames[0]
    key = frame.key
    if key.qualname == "<module>":
        script = runs_as_script(frame, Sources())
        return WayIn(key.module, "run as a script" if script else f"a fresh import of {key.module}")
    package = _Package(target.package.partition(".")[0], target.package_frames)
    source = package.source(key.module)
    if source is None:
        return WayIn("", f"the source of {key.module} cannot be read", sure=False)
    if isinstance(source.node_of(key), ast.ClassDef) and "<locals>" not in key.qualname:
        return WayIn(key.module, f"a fresh import of {key.module}")
    if package.addressable(key) and not package.private(key):
        return WayIn(package.address(key), "called directly")
    decorated = _decorated(package, target) if "<locals>" in key.qualname else None
    if decorated is not None:
        return WayIn(package.address(decorated), "called directly; the target frame is inside its decorator", sure=False)
    told = next((code for code in target.led_here if package.addressable(code) and not package.private(code)), None)
    if told is not None:
        return WayIn(package.address(told), f"through {told.qualname}, which the report has around the crash", sure=False)
    climbed = _climb(package, key, target.beyond)
    if climbed is not None:
        return WayIn(package.address(climbed), f"through {climbed.qualname}, which leads to {key.qualname}", sure=False)
    if package.addressable(key):
        return WayIn(package.address(key), "called directly, by a private name", private=True)
    return WayIn("", "no public caller found in the source code; the search looks for one in the imported package", sure=False)


def _decorated(package: _Package, target: CrashTarget) -> CodeKey | None:
    """The public function whose decorator the target frame may be the inside of: one with decorators that runs soon after."""
    for frame in target.package_frames[1 : 1 + _WRAPPERS]:
        source = package.source(frame.key.module)
        node = source.node_of(frame.key) if source is not None else None
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.decorator_list:
            return frame.key if package.addressable(frame.key) and not package.private(frame.key) else None
    return None


def _climb(package: _Package, key: CodeKey, beyond: Iterable[CodeKey]) -> CodeKey | None:
    """The nearest caller of callers, breadth first, that has a public address; none of the functions ``beyond``, which the report
    has further out."""
    seen, level = {key, *beyond}, [key]
    for _ in range(_CLIMB):
        # Nested code is called from the code around it.
        open_ones = [code for code in level if "<" not in code.qualname]
        modules = package.mentioning([_called_name(code) for code in open_ones], key.module)
        graph = CallGraph(package.sources, modules)
        callers = [caller for code in level for caller in graph.callers_of(code)[:_FANOUT] if caller not in seen]
        level = list(dict.fromkeys(callers))
        seen.update(level)
        found = next((code for code in level if package.addressable(code) and not package.private(code)), None)
        if found is not None or not level:
            return found
    return None


_CONSTRUCTORS = frozenset({"__init__", "__new__", "__post_init__"})


def _called_name(code: CodeKey) -> str:
    return code.qualname.split(".")[-2] if code.name in _CONSTRUCTORS and "." in code.qualname else code.name


class _Package:
    """The source files of a package: found by walking its folder, read as text where they may matter, parsed where they do."""

    def __init__(self, name: str, frames: Iterable[TargetFrame]) -> None:
        self.sources = Sources()
        self._name = name
        self._files: dict[str, str] = {}
        self._texts: dict[str, str] = {}
        self._parsed: set[str] = set()
        self._left = _PARSED
        for frame in frames:
            self._files.setdefault(frame.key.module, frame.path)
        self._complete = False

    def source(self, module: str) -> ModuleSource | None:
        """The parsed source of a module."""
        if module not in self._files:
            return None
        self._parsed.add(module)
        found = self.sources.of_file(module, self._files[module])
        return None if isinstance(found, Unknown) else found

    def mentioning(self, names: Iterable[str], near: str) -> list[str]:
        """The modules whose text has one of these names, parsed, and all that are parsed already; those ``near`` come first, for
        not more is parsed than may be."""
        wanted = [re.escape(name) for name in names if name.isidentifier()]
        if wanted:
            self._walk()
            pattern = re.compile(rf"\b(?:{'|'.join(wanted)})\b")
            new = [module for module in self._files if module not in self._parsed]
            for module in sorted(new, key=lambda module: (-_shared(module, near), module.count("."), module)):
                text = self._text(module)
                if len(text) <= self._left and pattern.search(text):
                    self._left -= len(text)
                    self.source(module)
        return [module for module in self._files if module in self._parsed and self.source(module) is not None]

    def addressable(self, key: CodeKey) -> bool:
        """Has it a dotted name below its module?"""
        return all(part.isidentifier() for part in key.qualname.split("."))

    def private(self, key: CodeKey) -> bool:
        """Does calling it need a private name? A private module does not count where a public one exports the name."""
        if is_private(key.qualname):
            return True
        return is_private(key.module) and self._exporter(key) is None

    def address(self, key: CodeKey) -> str:
        """The dotted name that a test would use."""
        module = (self._exporter(key) or key.module) if is_private(key.module) else key.module
        name = key.qualname
        if name.rpartition(".")[2] in _CONSTRUCTORS:
            name = name.rpartition(".")[0]
        return f"{module}.{name}"

    def _exporter(self, key: CodeKey) -> str | None:
        """A public package around the module that imports the name from it."""
        name = key.qualname.partition(".")[0]
        self._walk()
        parts = key.module.split(".")
        for depth in range(len(parts) - 1, 0, -1):
            parent = ".".join(parts[:depth])
            source = self.source(parent) if not is_private(parent) else None
            if source is not None and _exports(source.tree, name, parts[depth:]):
                return parent
        return None

    def _text(self, module: str) -> str:
        if module not in self._texts:
            self._texts[module] = _read(self._files[module])
        return self._texts[module]

    def _walk(self) -> None:
        """Find the package's files, once: by the folder that a known module leads to."""
        if self._complete:
            return
        self._complete = True
        for module, path in list(self._files.items()):
            parts = module.split(".")
            if parts[0] == self._name and (len(parts) > 1 or os.path.basename(path) == "__init__.py"):
                folder = os.path.dirname(path)
                steps = len(parts) - 1 if os.path.basename(path) == "__init__.py" else len(parts) - 2
                for _ in range(steps):
                    folder = os.path.dirname(folder)
                for name, file in _modules(folder, self._name):
                    self._files.setdefault(name, file)
                return


def _modules(folder: str, package: str) -> Iterator[tuple[str, str]]:
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name.isidentifier() and name not in ("tests", "test", "__pycache__"))
        inner = os.path.relpath(place, folder)
        prefix = package if inner == os.curdir else ".".join((package, *inner.split(os.sep)))
        for name in sorted(files):
            stem, ending = os.path.splitext(name)
            if ending == ".py" and stem.isidentifier():
                yield (prefix if stem == "__init__" else f"{prefix}.{stem}"), os.path.join(place, name)


def _shared(one: str, other: str) -> int:
    """How many leading parts two dotted names share."""
    pairs = zip(one.split("."), other.split("."), strict=False)
    return len(list(itertools.takewhile(lambda pair: pair[0] == pair[1], pairs)))


def _read(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(_LARGEST).decode("utf-8", "replace")
    except OSError:
        return ""  # a file that cannot be read mentions nothing


def _exports(tree: ast.Module, name: str, below: list[str]) -> bool:
    """Does a package's module import ``name`` from the module ``below`` it (or from a package on the way there)?"""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and any(alias.name in (name, "*") for alias in node.names):
            parts = node.module.split(".")
            if any(parts[-length:] == below[:length] for length in range(1, len(below) + 1)):
                return True
    return False
