"""Whoever searches for the name of a class finds one class: it is defined in one file."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import lru_cache
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "crashwright"
SHARED: dict[str, str] = {
    "Call": "a statement of a test, and a node of the intermediate representation",
    "Definition": "a statement of a test, and a node of the intermediate representation",
    "Display": "a statement of a test, and a node of the intermediate representation",
    "Imported": "a message, and a node of the intermediate representation",
    "Parameter": "of a live callable, and of a function of the intermediate representation",
    "Failed": "a message, and pytest's name in the runner that stands in for it",
    "Session": "of an engine, and pytest's name in the runner that stands in for it",
    "Failure": "part of a published document, and a row of what instructions mean",
    "Guard": "of a precondition, and the audit hook, which is copied beside tests",
    "Recorder": "of probes, and of fresh runs, which is copied beside tests",
}
"""The names that stand in two files, and why; none may join them."""
PRIVATE = 17
"""Names that begin with ``_`` in two or more files. Nobody imports them, but they may not become more."""


@lru_cache
def _shared() -> set[str]:
    files: defaultdict[str, set[Path]] = defaultdict(set)
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                files[node.name].add(path)
    return {name for name, places in files.items() if len(places) > 1}


def test_a_class_has_a_name_of_its_own() -> None:
    public = {name for name in _shared() if not name.startswith("_")}
    assert public == set(SHARED), "rename the new ones; take out those that are shared no more"


def test_private_names_are_not_shared_by_more() -> None:
    private = sorted(name for name in _shared() if name.startswith("_"))
    assert len(private) <= PRIVATE, private
