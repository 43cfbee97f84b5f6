"""What names of a file are, as types: its own classes, with those above them and their methods, and what it imports."""

from __future__ import annotations

from collections.abc import Iterable

from crashwright.symbolic.ir.declared import Class, Method
from crashwright.symbolic.ir.functions import Functions


class FileClasses:
    """Of the file that these functions are in."""

    def __init__(self, functions: Functions) -> None:
        self._functions = functions

    def resolve(self, text: str) -> str | None:
        """What a dotted name of the file is, as a type."""
        known = self._functions.globals
        first, _, rest = text.partition(".")
        if text in self._functions.classes:
            return f"{self._functions.module}:{text}"
        if first in known.imports:
            imported = known.imports[first]
            if imported.top:
                imported = imported._replace(module=imported.module.partition(".")[0])
            if imported.level:
                package = self._functions.module.split(".")[: -imported.level]
                imported = imported._replace(module=".".join([*package, imported.module]).rstrip("."))
            path = [*([imported.name] if imported.name else []), *([rest] if rest else [])]
            if path and path[-1].rpartition(".")[2][:1].isupper():
                return f"{imported.module}:{'.'.join(path)}"
        return None

    def class_of(self, name: str) -> Class | None:
        """The class of the file that a type name is."""
        module, _, qualname = name.partition(":")
        return self._functions.classes.get(qualname) if qualname and module == self._functions.module else None

    def bases_of(self, cls: Class) -> Iterable[Class | None]:
        """The class and those above it, nearest first; None for one that is not of the file."""
        waiting: list[Class | None] = [cls]
        seen: set[str] = set()
        while waiting:
            one = waiting.pop(0)
            if one is None:
                yield None
            elif one.key.qualname not in seen:
                seen.add(one.key.qualname)
                yield one
                waiting.extend([self.class_of(self.resolve(base) or "") for base in one.bases if base != "object"])

    def method(self, cls: Class, name: str) -> Method | None:
        """The method of a class, inherited ones included; None where a base that is not of the file may have it first."""
        for one in self.bases_of(cls):
            if one is None:
                return None
            if name in one.methods:
                return one.methods[name]
        return None
