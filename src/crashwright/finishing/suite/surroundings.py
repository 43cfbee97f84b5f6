"""What stands around many tests of a file, such as lines that put back what a module holds, becomes a fixture of all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import replace
from typing import cast

from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.printing.imports import Imports
from crashwright.engine.testcase.printing.layout import INDENT
from crashwright.engine.testcase.printing.printing import Setting, print_test
from crashwright.engine.testcase.statements import Ref, Statement
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import used
from crashwright.finishing.suite.draft import Draft

FEWEST = 3
"""Tests that have a line, from which on it is shared."""
SHARE = 0.4
"""Of the tests of the file; the others get it too."""
_NAME = "surroundings"
_PLACES = frozenset({"environ", "attribute", "copied", "kept"})


def in_common(drafts: Sequence[Draft], taken: Set[str], imports: Imports) -> tuple[list[Draft], list[str]]:
    """The drafts without what most of them have around them, and the fixture that does it for all; no lines where there is none.
    ``taken`` are names that mean something else."""
    found = [_around(draft) for draft in drafts]
    counts = Counter(key for lines in found for key in lines)
    names = Counter(key[:2] for key in counts)
    fewest = max(FEWEST, SHARE * len(drafts))
    shared = [key for key, count in counts.items() if count >= fewest and names[key[:2]] == 1]
    if not shared or _NAME in taken:
        return list(drafts), []
    first = {key: line for lines in reversed(found) for key, line in lines.items()}
    printed = print_test(TestCase(tuple(first[key] for key in shared)), None, Setting(1, imports, True))
    kept: list[Draft] = []
    for draft, lines in zip(drafts, found, strict=True):
        gone = [lines[key] for key in shared if key in lines]
        kept.append(replace(draft, statements=tuple(line for line in draft.statements if line not in gone)))
    head = [f"@{imports.module('pytest')}.fixture(autouse=True)", f"def {_NAME}({', '.join(printed.fixtures)}):"]
    return kept, [*head, *(INDENT + line if line else "" for line in printed.body)]


def _around(draft: Draft) -> dict[tuple[str, str, str], st.Ambient]:
    """What it sets that is the same whatever the test does."""
    read = {variable for line in draft.statements for variable in used(cast(Statement, line))}
    return {
        _key(line): line
        for line in draft.statements
        if isinstance(line, st.Ambient)
        and line.place in _PLACES
        and not isinstance(line.content, Ref)
        and line.variable not in read
    }


def _key(line: st.Ambient) -> tuple[str, str, str]:
    return line.place, line.name, repr(line.content)
