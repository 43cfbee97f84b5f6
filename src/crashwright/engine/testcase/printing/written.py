"""What is ours is written into a test: it imports nothing of crashwright. Such a module has the text of what it makes, ``SOURCE``,
one definition, and ``TAKEN``: the modules of the names that this takes from around it."""

from __future__ import annotations

import importlib
from typing import Any, NamedTuple

from crashwright.engine.testcase.printing.definitions import definition_lines
from crashwright.engine.testcase.printing.imports import Imports
from crashwright.engine.testcase.printing.layout import Doc


class WrittenDefinition(NamedTuple):
    """The text, and the modules of what it names."""

    source: str
    taken: dict[str, str]

    def lines(self, local: str, imports: Imports, width: int) -> list[str]:
        """It under the name ``local``."""
        return definition_lines(self.source, local, lambda name: self._text(name, imports), width)

    def _text(self, name: str, imports: Imports) -> Doc | None:
        home = self.taken.get(name)
        return None if home is None else Doc(imports.text(home, name))


def written_lines(imports: Imports, width: int) -> list[str]:
    """All that a test names of ours, two blank lines between one and the next."""
    lines: list[str] = []
    for (module, _), local in imports.written.items():
        lines += [*([""] * 2 if lines else []), *_written_in(module).lines(local, imports, width)]
    return lines


def _written_in(module: str) -> WrittenDefinition:
    home: Any = importlib.import_module(module)
    return WrittenDefinition(home.SOURCE, home.TAKEN)
