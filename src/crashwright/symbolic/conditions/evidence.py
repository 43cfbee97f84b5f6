"""The interpreter's messages, read as facts about the values that failed: their types, a key, a number of parts.

Messages of explicit ``raise`` statements are the subject's own words, and nothing is read into them here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import Final

from crashwright.core.terms import Sort, Term
from crashwright.symbolic.semantics.builtin_types import CONTAINERS, SCALARS
from crashwright.symbolic.semantics.failure import Failure
from crashwright.symbolic.semantics.kinds import has_type
from crashwright.symbolic.semantics.step import Step
from crashwright.symbolic.values import literals, tags
from crashwright.symbolic.values.logic import equal

_TYPES: Final = (
    (re.compile(r"^'(?P<a>[\w.]+)' object has no attribute '(?P<name>\w+)'"), "a"),
    (re.compile(r"^'(?P<a>[\w.]+)' object is not (?:subscriptable|iterable|callable|an iterator)"), "a"),
    (re.compile(r"^'(?P<a>[\w.]+)' object does not support item (?:assignment|deletion)"), "a"),
    (re.compile(r"^(?:object|argument) of type '(?P<a>[\w.]+)' (?:has no len\(\)|is not iterable)"), "a"),
    (re.compile(r"^cannot unpack non-iterable (?P<a>[\w.]+) object"), "a"),
    (re.compile(r"^unsupported operand type\(s\) for [^:]+: '(?P<a>[\w.]+)' and '(?P<b>[\w.]+)'"), "ab"),
    (re.compile(r"^'[<>]=?' not supported between instances of '(?P<a>[\w.]+)' and '(?P<b>[\w.]+)'"), "ab"),
    (re.compile(r"^can only concatenate (?P<a>[\w.]+) \(not \"(?P<b>[\w.]+)\"\) to"), "ab"),
    (re.compile(r"^bad operand type for unary [^:]+: '(?P<a>[\w.]+)'"), "a"),
    (re.compile(r"^\w+ indices must be integers(?: or slices)?, not '?(?P<a>[\w.]+)'?"), "a"),
    (re.compile(r"^int\(\) argument must be .*, not '(?P<a>[\w.]+)'"), "a"),
)
_CONTAINERS: Final = re.compile(
    r"^(?P<kind>list|tuple|string|deque)(?: assignment)? index out of range|^pop from empty (?P<empty>\w+)"
)
_NAMES: Final = {"string": "str"}
_EXPECTED: Final = re.compile(r"^(?:not enough|too many) values to unpack \(expected \d+(?:, got (?P<got>\d+))?\)")
_LITERAL_OF_INT: Final = re.compile(r"^invalid literal for int\(\) with base 10: (?P<text>.+)$", re.DOTALL)


def named_attribute(message: str) -> str | None:
    """The attribute that an AttributeError lacks."""
    match = _TYPES[0][0].match(message)
    return match["name"] if match else None


Classes = Callable[[str], tuple[str, ...]]


def conclusions(step: Step, failure: Failure, exception: str, message: str, classes: Classes) -> Iterator[Term]:
    """What the message says of the values that failed. ``classes``: the addresses of classes of the program by their last names."""
    if step.node.kind.value == "raise":
        return
    for pattern, groups in _TYPES:
        match = pattern.match(message)
        if match:
            for subject, group in zip(failure.subjects, groups, strict=False):
                fact = _of_type(step, subject, match[group], classes)
                if fact is not None:
                    yield fact
            return
    if exception == "KeyError" and failure.key is not None:
        yield from _is_literal(failure.key, message)
    container = _CONTAINERS.match(message)
    if container and failure.subjects:
        name = container["kind"] or container["empty"] or ""
        fact = _of_type(step, failure.subjects[0], _NAMES.get(name, name), classes)
        if fact is not None:
            yield fact
    expected, wrong = _EXPECTED.match(message), _LITERAL_OF_INT.match(message)
    if expected and expected["got"] and failure.key is not None and failure.key.sort is Sort.INTEGER:
        yield equal(failure.key, literals.integer(int(expected["got"])))
    if wrong and failure.key is not None:
        yield from _is_literal(failure.key, wrong["text"])


def _is_literal(key: Term, text: str) -> Iterator[Term]:
    try:
        known = tags.constant(ast.literal_eval(text))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return  # a repr of no literal says nothing that a term could
    if known is not None:
        yield equal(key, known)


def _of_type(step: Step, value: Term, name: str, classes: Classes) -> Term | None:
    last = name.rpartition(".")[2]
    if last in SCALARS or last in CONTAINERS:
        return has_type(step, value, last)
    known = classes(last)
    return step.is_exactly(value, *known) if known else None
