"""Gives the record that lacks a key the other keys that are read of it.

``KeyError: 'tags'`` is raised by ``{}`` as by ``{"title": "1"}``. But with the bug fixed the first raises KeyError of the next
key, and such a test never turns green.

# Deviation: the papers only ask whether the crash is the same; ours is to pass with the fix.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from crashwright.core.target import CrashTarget
from crashwright.engine.subject.walking import walk
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Display, Value
from crashwright.engine.testcase.testcase import TestCase

FILLING = "1"
"""For what is not known to be a text or a number it is both."""
MOST_KEYS = 8
MOST_DICTS = 8
Path = tuple[int, ...]
"""Where a dict stands in a value: positions in lists, those of pairs in dicts twice, key or value."""


@dataclass(frozen=True, slots=True)
class Records:
    """``missing`` is the key that the report complains of, ``others`` what else is read where it is."""

    missing: str
    others: tuple[str, ...]

    def completed(self, test: TestCase, as_good: Callable[[TestCase], bool]) -> TestCase:
        """``test`` with the other keys in the dict for whose lack of the one it crashes, as long as it is as good with them."""
        places = [
            (index, path)
            for index, statement in enumerate(test.statements)
            if isinstance(statement, st.Literal)
            for path, items in _dicts(statement.value)
            if self.missing not in items
        ]
        for index, path in places[:MOST_DICTS] if self.others else ():
            if as_good(_with_key(test, index, path, self.missing)):
                continue  # nobody asks this one
            for key in self.others:
                candidate = _with_key(test, index, path, key)
                if candidate is not test and as_good(candidate):
                    test = candidate
        return test


def records_of(target: CrashTarget, functions: Sequence[ast.AST]) -> Records | None:
    """What is read beside the key of the report; None where it complains of none. ``functions`` are those on the path."""
    if target.exception != "KeyError":
        return None
    try:
        missing = ast.literal_eval(target.message)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    if type(missing) is not str:
        return None
    read = [pair for tree in functions for pair in _read(tree)]
    records = {record for record, key in read if key == missing}
    others = dict.fromkeys(key for record, key in read if record in records and key != missing)
    return Records(missing, tuple(others)[:MOST_KEYS])


def _read(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Each text that something is subscripted with, after what is."""
    for node in walk(tree):
        match node:
            case ast.Subscript(value=record, slice=ast.Constant(value=str() as key), ctx=ast.Load()):
                yield ast.unparse(record), key


def _dicts(value: Value, path: Path = ()) -> Iterator[tuple[Path, frozenset[object]]]:
    """The dicts in ``value`` whose keys are texts, with their keys."""
    if not isinstance(value, Display):
        return
    if value.kind == "dict":
        pairs = cast(tuple[tuple[Value, Value], ...], value.items)
        if all(type(key) is str for key, _ in pairs):
            yield path, frozenset(cast(str, key) for key, _ in pairs)
        for place, pair in enumerate(pairs):
            yield from _dicts(pair[1], (*path, place))
    elif value.kind in ("list", "tuple"):
        for place, item in enumerate(value.items):
            yield from _dicts(cast(Value, item), (*path, place))


def _with_key(test: TestCase, index: int, path: Path, key: str) -> TestCase:
    literal = cast(st.Literal, test.statements[index])
    value = _added(literal.value, path, key)
    if value is literal.value:
        return test
    return TestCase((*test.statements[:index], st.Literal(literal.variable, value), *test.statements[index + 1 :]))


def _added(value: Value, path: Path, key: str) -> Value:
    display = cast(Display, value)
    if not path:
        known = key in {pair[0] for pair in cast(tuple[tuple[Value, Value], ...], display.items)}
        return value if known else Display("dict", (*display.items, (key, FILLING)))
    items = list(display.items)
    place, *rest = path
    item = items[place]
    if display.kind == "dict":
        old, inner = cast(tuple[Value, Value], item)
        items[place] = (old, _added(inner, tuple(rest), key))
    else:
        items[place] = _added(cast(Value, item), tuple(rest), key)
    return Display(display.kind, tuple(items))
