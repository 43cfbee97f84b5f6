"""The imports of a printed test: complete, minimal, free of clashes with each other and with builtins."""

from __future__ import annotations

import builtins
import sys
from keyword import iskeyword

from crashwright.engine.subject.introspection import is_class, live_at, static_attribute

_WIDTH = 88
_OURS = __name__.partition(".")[0]
_BUILTINS = frozenset(dir(builtins))
_COLLECTED = ("test", "Test")
"""What pytest takes for a test of the file that imports it."""


class Imports:
    """Hands out the text by which a test names something importable, and remembers the import line that this takes."""

    __slots__ = ("_from", "_modules", "_taken", "written")

    def __init__(self) -> None:
        self._from: dict[tuple[str, str], str] = {}
        self._modules: dict[str, str] = {}
        self._taken: dict[str, tuple[str, str]] = {}
        self.written: dict[tuple[str, str], str] = {}
        """What is ours: it is not imported but written into the test, under these names."""

    def text(self, module: str, qualname: str) -> str:
        """How to write ``module.qualname``."""
        if module == "builtins":
            return qualname
        if not _is_named(module):
            return f'{self.text("importlib", "import_module")}("{module}").{qualname}'
        top, dot, rest = qualname.partition(".")
        if module.partition(".")[0] == _OURS:
            if (module, top) not in self.written:
                self.written[module, top] = self._local(module, top)
            return self.written[module, top] + dot + rest
        if module in sys.stdlib_module_names and top[:1].islower():
            return f"{self.module(module)}.{qualname}"
        local = self._from.get((module, top))
        if local is None:
            local = self._from[module, top] = self._local(module, top)
        return local + dot + rest

    def module(self, name: str) -> str:
        """How to write a module: one of the standard library, or one whose file is looked for."""
        local = self._modules.get(name)
        if local is None:
            local = self._modules[name] = name if "." in name else self._claim(name, f"{name}_module", (name, ""))
        return local

    def bind(self, module: str, top: str, local: str) -> None:
        """``local`` is taken: by ``from module import top``, by ``import module`` (``top`` empty), or (``module`` empty) by what is
        no import."""
        self._taken.setdefault(local, (module, top))
        if module and top:
            self._from.setdefault((module, top), local)
        elif module and (local == module or "." not in module):
            self._modules.setdefault(module, local)

    @property
    def names(self) -> frozenset[str]:
        """The names that import lines bind, and those that they must not."""
        return frozenset(self._taken) | self._bound_modules

    @property
    def bound(self) -> frozenset[str]:
        """The names that import lines bind, and nothing else."""
        return frozenset(local for local, (module, _) in self._taken.items() if module) | self._bound_modules

    @property
    def _bound_modules(self) -> frozenset[str]:
        return frozenset(local.partition(".")[0] for local in self._modules.values())

    def entries(self) -> list[tuple[str, str, str]]:
        """What is imported: ``(module, name, local name)``, the name empty for a module itself; sorted."""
        modules = [(module, "", local) for module, local in self._modules.items()]
        return sorted([*modules, *((module, top, local) for (module, top), local in self._from.items())])

    def lines(self) -> tuple[str, ...]:
        """The import lines, sorted: ``import`` before ``from``, one line a module unless it would be long."""
        plain = sorted(f"import {name}" if name == local else f"import {name} as {local}" for name, local in self._modules.items())
        by_module: dict[str, list[str]] = {}
        for (module, top), local in sorted(self._from.items()):
            by_module.setdefault(module, []).append(top if top == local else f"{top} as {local}")
        for module, names in by_module.items():
            plain.extend(_from_lines(module, names))
        return tuple(plain)

    def _local(self, module: str, top: str) -> str:
        last = module.rpartition(".")[2].strip("_")
        if top.startswith(_COLLECTED) and not _says_it_is_none(module, top):
            return self._claim(f"_{top}", f"_{last}_{top}", (module, top))
        return self._claim(top, f"{last}_{top.lstrip('_')}", (module, top))

    def _claim(self, name: str, alias: str, owner: tuple[str, str]) -> str:
        candidate, number = name, 1
        while candidate in self._taken or candidate in _BUILTINS or iskeyword(candidate):
            candidate = alias if number == 1 else f"{alias}_{number}"
            number += 1
        self._taken[candidate] = owner
        return candidate


def _is_named(module: str) -> bool:
    """Can an import statement name it? A file such as ``migrations/0001_initial.py`` is a module whose name is no identifier."""
    return all(part.isidentifier() and not iskeyword(part) for part in module.split("."))


def _says_it_is_none(module: str, top: str) -> bool:
    """Whether it tells pytest that it is no test: ``__test__ = False``."""
    live = live_at(module, top)
    told = static_attribute(live, "__test__") if is_class(live) else None
    return told is not None and told[1] is False


def _from_lines(module: str, names: list[str]) -> list[str]:
    lines: list[str] = []
    current = ""
    for name in names:
        longer = f"{current}, {name}" if current else f"from {module} import {name}"
        if current and len(longer) > _WIDTH:
            lines.append(current)
            longer = f"from {module} import {name}"
        current = longer
    return [*lines, current]
