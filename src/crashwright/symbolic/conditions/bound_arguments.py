"""What the interpreter's message says of a call whose arguments do not fit the parameters: ``f() missing 1 required positional
argument: 'b'``. The call raises it itself, and the callee is never entered."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from crashwright.core.terms import Term
from crashwright.symbolic.conditions.places import called_name
from crashwright.symbolic.ir.nodes import Call, Function, Kind, Node
from crashwright.symbolic.semantics.step import Step
from crashwright.symbolic.values import arrays, literals, tags
from crashwright.symbolic.values.logic import equal, or_

_MISSING: Final = re.compile(
    r"^(?P<callee>[\w.<>]+)\(\) missing \d+ required (?:positional|keyword-only) arguments?: '(?P<first>\w+)'"
)
_TAKES: Final = re.compile(
    r"^(?P<callee>[\w.<>]+)\(\) takes (?:from \d+ to )?\d+ positional arguments? but (?P<given>\d+) "
    r"(?:positional arguments? \(and \d+ keyword-only arguments?\) )?(?:was|were) given"
)
_UNEXPECTED: Final = re.compile(r"^(?P<callee>[\w.<>]+)\(\) got an unexpected keyword argument '(?P<name>\w+)'")
_MADE: Final = frozenset({"__init__", "__new__", "__call__"})


def calls_of(nodes: Sequence[Node], message: str) -> Iterator[Node]:
    """The calls among ``nodes`` that may have raised it."""
    for node in nodes:
        name = called_name(node) if node.kind is Kind.CALL else ""
        for one in (_MISSING, _TAKES, _UNEXPECTED):
            match = one.match(message)
            if match and node.kind is Kind.CALL:
                last = match["callee"].rpartition(".")[2]
                if name in (None, last) or last in _MADE:
                    yield node


def said_of_binding(step: Step, message: str) -> list[Term] | None:
    """What must hold for the call to raise it; empty where it always does, None where that is not known."""
    call = step.node.detail
    if not isinstance(call, Call):
        return None
    values = step.values()[len(step.node.operands) - len(call.passed) :]
    passed = list(zip(call.passed, values, strict=True))
    starred = [value for how, value in passed if how == "*"]
    mapped = [value for how, value in passed if how == "**"]
    count = sum(not how for how, _ in passed)
    if match := _UNEXPECTED.match(message):
        return _unexpected(step, match["name"], [how for how, _ in passed], mapped)
    if match := _TAKES.match(message):
        given = int(match["given"]) - _is_bound(match["callee"])
        return _as_many(step, given - count, starred)
    if match := _MISSING.match(message):
        if not starred and not mapped:
            return []
        place = _place(step, match["callee"], match["first"])
        return None if place is None or mapped else _as_many(step, place - count, starred)
    return None


def _is_bound(callee: str) -> bool:
    """Whether the receiver is counted too."""
    owner = callee.rpartition(".")[0]
    return bool(owner) and not owner.endswith("<locals>")


def _as_many(step: Step, wanted: int, starred: Sequence[Term]) -> list[Term] | None:
    """``*values`` are so many."""
    if not starred:
        return []
    if len(starred) > 1 or wanted < 0:
        return None
    (value,) = starred
    sequence = step.is_exactly(value, "builtins:list", "builtins:tuple")
    return [sequence, equal(step.size(tags.reference_in(value)), literals.integer(wanted))]


def _unexpected(step: Step, name: str, passed: Sequence[str], mapped: Sequence[Term]) -> list[Term] | None:
    if name in passed:
        return []
    keys = [arrays.select(arrays.select(step.array("keys"), tags.reference_in(one)), _text(name)) for one in mapped]
    dicts = [step.is_exactly(one, "builtins:dict") for one in mapped]
    return [*dicts, or_(*keys)] if mapped else None


def _text(name: str) -> Term:
    return tags.of(literals.text(name))


def _place(step: Step, callee: str, name: str) -> int | None:
    """Of a parameter among those by position, the receiver not counted."""
    targets = [one.function for one in step.program.targets(step.function, step.node)]
    found = {place for one in targets if one is not None and (place := _index(one, callee, name)) is not None}
    return found.pop() if len(found) == 1 else None


def _index(function: Function, callee: str, name: str) -> int | None:
    names = [one.name for one in function.parameters if one.form in ("positional only", "either")]
    return names.index(name) - _is_bound(callee) if name in names else None
