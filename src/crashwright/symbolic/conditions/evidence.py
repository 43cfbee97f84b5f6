"""The interpreter's messages, read as facts about the values that failed: their types, a key, a number of parts.

Messages of explicit ``raise`` statements are the subject's own words: see ``raised_messages``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import Final

from crashwright.core.terms import Sort, Term
from crashwright.symbolic.conditions.raised_messages import said_by
from crashwright.symbolic.ir.nodes import Call, Kind, MethodCallee
from crashwright.symbolic.semantics.builtin_types import CONTAINERS, SCALARS
from crashwright.symbolic.semantics.failure import Failure
from crashwright.symbolic.semantics.kinds import has_type
from crashwright.symbolic.semantics.step import Step
from crashwright.symbolic.values import literals, tags
from crashwright.symbolic.values.logic import and_, equal, not_, or_

_TYPES: Final = (
    (re.compile(r"^'(?P<a>[\w.]+)' object has no attribute '(?P<name>\w+)'"), "a"),
    (re.compile(r"^'(?P<a>[\w.]+)' object is not (?:subscriptable|iterable|callable|an iterator)"), "a"),
    (re.compile(r"^'(?P<a>[\w.]+)' object does not support item (?:assignment|deletion)"), "a"),
    (re.compile(r"^(?:object|argument) of type '(?P<a>[\w.]+)' (?:has no len\(\)|is not (?:a container or )?iterable)"), "a"),
    (re.compile(r"^cannot unpack non-iterable (?P<a>[\w.]+) object"), "a"),
    (re.compile(r"^unsupported operand type\(s\) for [^:]+: '(?P<a>[\w.]+)' and '(?P<b>[\w.]+)'"), "ab"),
    (re.compile(r"^'[<>]=?' not supported between instances of '(?P<a>[\w.]+)' and '(?P<b>[\w.]+)'"), "ab"),
    (re.compile(r"^can only concatenate (?P<a>[\w.]+) \(not \"(?P<b>[\w.]+)\"\) to"), "ab"),
    (re.compile(r"^bad operand type for unary [^:]+: '(?P<a>[\w.]+)'"), "a"),
    (re.compile(r"^\w+ indices must be integers(?: or slices)?, not '?(?P<a>[\w.]+)'?"), "a"),
    (re.compile(r"^int\(\) argument must be .*, not '(?P<a>[\w.]+)'"), "a"),
    (re.compile(r"^expected string or bytes-like object, got '(?P<a>[\w.]+)'"), "a"),
)
_OF_OPERATORS: Final = frozenset(pattern for pattern, groups in _TYPES if groups == "ab" or "unary" in pattern.pattern)
_CONTAINERS: Final = re.compile(
    r"^(?P<kind>list|tuple|string|deque)(?: assignment)? index out of range|^pop from empty (?P<empty>\w+)"
)
_OF_BYTES: Final = "index out of range"
_NAMES: Final = {"string": "str"}
_CALLABLES: Final = frozenset({"builtin_function_or_method", "function", "method", "type", "module"})
_EXPECTED: Final = re.compile(r"^(?:not enough|too many) values to unpack \(expected \d+(?:, got (?P<got>\d+))?\)")
_LITERAL_OF_INT: Final = re.compile(r"^invalid literal for int\(\) with base 10: (?P<text>.+)$", re.DOTALL)


def named_attribute(message: str) -> str | None:
    """The attribute that an AttributeError lacks."""
    match = _TYPES[0][0].match(message)
    return match["name"] if match else None


_OF_AN_ARGUMENT: Final = (
    re.compile(r"^expected string or bytes-like object, got '(?P<a>\w+)'"),
    re.compile(r"^a bytes-like object is required, not '(?P<a>\w+)'"),
    re.compile(r"^'(?P<a>\w+)' object cannot be interpreted as an integer"),
    re.compile(r"^cannot convert (?P<a>float) (?:infinity|NaN) to integer"),
    re.compile(r"^(?:\w+\(\) argument(?: \d+)? )?must be [\w ]+, not '?(?P<a>\w+)'?$"),
)


Classes = Callable[[str], tuple[str, ...]]


def conclusions(step: Step, failure: Failure, exception: str, message: str, classes: Classes) -> Iterator[Term]:
    """What the message says of the values that failed. ``classes``: the addresses of classes of the program by their last names."""
    if step.node.kind is Kind.RAISE:
        yield from said_by(step, message)
        return
    for pattern, groups in _TYPES:
        match = pattern.match(message)
        if match and step.node.kind is Kind.CALL and pattern in _OF_OPERATORS:
            yield literals.FALSE  # an operator within failed, on what the arguments hold
            return
        if match:
            subjects = (
                failure.subjects[::-1] if step.node.detail in ("in", "not in") else failure.subjects
            )  # it names the container
            for subject, group in zip(subjects, groups, strict=False):
                yield _of_type(step, subject, match[group], classes)
            return
    if exception == "KeyError" and failure.key is not None:
        yield from _is_literal(failure.key, message)
    if message == _OF_BYTES and failure.subjects:
        yield tags.is_bytes(failure.subjects[0])
    container = _CONTAINERS.match(message)
    if container and failure.subjects:
        name = container["kind"] or container["empty"] or ""
        yield _of_type(step, failure.subjects[0], _NAMES.get(name, name), classes)
    expected, wrong = _EXPECTED.match(message), _LITERAL_OF_INT.match(message)
    if expected and expected["got"] and failure.key is not None and failure.key.sort is Sort.INTEGER:
        yield equal(failure.key, literals.integer(int(expected["got"])))
    if wrong and failure.key is not None:
        yield from _is_literal(failure.key, wrong["text"])


def said_of_arguments(step: Step, message: str) -> Iterator[Term]:
    """Of a call that is not modelled: that one of its arguments is of the type that the message refuses."""
    call = step.node.detail
    if not isinstance(call, Call):
        return
    values = step.values()
    if isinstance(call.callee, MethodCallee):
        receiver, *values = values
        if message.startswith("a bytes-like object is required"):
            yield tags.is_bytes(receiver)
    for pattern in _OF_AN_ARGUMENT:
        match = pattern.match(message)
        if match and (match["a"] in SCALARS or match["a"] in CONTAINERS):
            yield or_(*[has_type(step, one, match["a"]) for one in values])


def _is_literal(key: Term, text: str) -> Iterator[Term]:
    try:
        known = tags.constant(ast.literal_eval(text))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return  # a repr of no literal says nothing that a term could
    if known is not None:
        yield equal(key, known)


def _of_type(step: Step, value: Term, name: str, classes: Classes) -> Term:
    last = name.rpartition(".")[2]
    if last in SCALARS or last in CONTAINERS:
        return has_type(step, value, last)
    known = classes(last)
    if known:
        return step.is_exactly(value, *known)
    if last in _CALLABLES:
        return tags.is_class(value)
    builtin = [step.is_exactly(value, address) for address, _ in CONTAINERS.values()]
    return and_(tags.is_reference(value), not_(or_(*builtin)))  # of a class that no file here has
