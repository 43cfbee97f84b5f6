"""Regular expressions with a pattern that the source says: what ``re.match``, ``re.search``, ``re.fullmatch`` and ``re.sub`` make
of a text, called so or as methods of what ``re.compile`` made, and the groups of what was found.

What is found is a new object or None; whether it is, and its groups, are terms of the text (``core.pattern_calls``). The groups
stand in arrays of their own, ``.group 1``, which are read only where all that a variable is assigned is found so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple, Protocol

from crashwright.core.pattern_calls import FINDING, PatternCall
from crashwright.core.terms import Term
from crashwright.symbolic.ir.nodes import Call, Constant, Function, Global, Kind, Local, MethodCallee, NamedCallee, Node, Operand
from crashwright.symbolic.semantics.failure import Failure
from crashwright.symbolic.semantics.program import Program
from crashwright.symbolic.semantics.step import Step
from crashwright.symbolic.solving.patterns import certain_groups
from crashwright.symbolic.values import arrays, literals, tags, texts
from crashwright.symbolic.values.logic import choice, equal, not_, or_
from crashwright.symbolic.values.tags import Tag

MATCH: Final = "re:Match"
PATTERN: Final = "re:Pattern"
_GROUP: Final = ".group "
_COPIES: Final = 3
"""Copies of copies that are followed."""
NAMES: Final = frozenset({*FINDING, "sub", "compile", "group", "groups"})
"""Calls that may be such."""
_SCALAR: Final = (Tag.NONE, Tag.TRUTH, Tag.INTEGER, Tag.REAL)


class Reader(Protocol):
    """Whoever looks at instructions of a function of a program: a :class:`Step` does."""

    @property
    def function(self) -> Function:
        """Whose instructions they are."""

    @property
    def program(self) -> Program:
        """What is known around it."""


class LookingMatch(NamedTuple):
    """One that only looks."""

    function: Function
    program: Program


class AskedOperand(NamedTuple):
    """What a call asks of which operand."""

    method: str
    pattern: str
    text: Operand
    replacement: str = ""


def asked(step: Reader, node: Node) -> AskedOperand | None:
    """Of a regular expression; None for any other call."""
    call = node.detail
    if node.kind is not Kind.CALL or not isinstance(call, Call) or any(call.passed):
        return None
    operands, pattern = node.operands, None
    if isinstance(call.callee, MethodCallee):
        method, pattern = call.callee.name, compiled(step, operands[0])
        operands = operands[1:]
    elif isinstance(call.callee, NamedCallee):
        before, _, method = call.callee.text.rpartition(".")
        if _is_module(step, before):
            pattern = (
                _given(step, operands, 2) if method != "sub" else _given(step, operands[:1], 1) if len(operands) == 3 else None
            )
            operands = operands[1:] if method == "sub" else operands[1:2]
        elif before:
            pattern = step.program.pattern(step.function, before)
    if pattern is None or (method not in FINDING and method != "sub") or not operands:
        return None
    if len(operands) != (2 if method == "sub" else 1):
        return None  # with a place to start at, or a number of times
    if method != "sub":
        return AskedOperand(method, pattern, operands[0])
    replacement = _text(step, operands[0])
    plain = replacement is not None and "\\" not in replacement
    return AskedOperand(method, pattern, operands[1], replacement or "") if plain else None


def _given(step: Reader, operands: tuple[Operand, ...], flags: int) -> str | None:
    """The pattern of a call of a function of the module, with the flags behind its other arguments."""
    pattern = _text(step, operands[0]) if operands else None
    if pattern is None or len(operands) not in (flags, flags + 1):
        return None
    return with_flags(pattern, _flags(step, operands[flags]) if len(operands) > flags else 0)


def compiled(step: Reader, receiver: Operand) -> str | None:
    """The pattern of an object that is one, by where it is made."""
    text = _dotted(step.function, receiver)
    if text is not None:
        return step.program.pattern(step.function, text)
    (maker,) = _makers(step.function, receiver) or (None,)
    return None if maker is None else _pattern_made(step, maker)


def _pattern_made(step: Reader, maker: Node) -> str | None:
    """Of ``re.compile(...)``."""
    if not isinstance(maker.detail, Call) or any(maker.detail.passed):
        return None
    callee = maker.detail.callee
    if isinstance(callee, NamedCallee) and callee.text.endswith(".compile") and _is_module(step, callee.text[: -len(".compile")]):
        return _given(step, maker.operands, 1)
    return None


def _makers(function: Function, operand: Operand) -> list[Node]:
    """The one that makes a variable; nothing where there are others."""
    found = [one for one in function.nodes if one.target == operand] if isinstance(operand, Local) else []
    return found if len(found) == 1 and not any(one.name == getattr(operand, "name", "") for one in function.parameters) else []


def _dotted(function: Function, operand: Operand) -> str | None:
    """``a.b`` of a global, or of a parameter that stands for the class or an object of it."""
    if isinstance(operand, Global):
        return operand.name
    if isinstance(operand, Local) and function.parameters and operand.name == function.parameters[0].name:
        return operand.name
    maker = next(iter(_makers(function, operand)), None)
    if maker is None or maker.kind is not Kind.ATTRIBUTE:
        return None
    before = _dotted(function, maker.operands[0])
    return f"{before}.{maker.detail}" if before is not None else None


def _is_module(step: Reader, text: str) -> bool:
    return bool(text) and step.program.object_named(step.function.module, text) == "re:"


def _text(step: Reader, operand: Operand) -> str | None:
    if isinstance(operand, Global):
        known = step.program.constant(step.function.module, operand.name)
        operand = Constant(known[0]) if known is not None else operand
    return operand.value if isinstance(operand, Constant) and isinstance(operand.value, str) else None


def _flags(step: Reader, operand: Operand) -> int | None:
    """``re.I | re.X``; None where that is not known."""
    if isinstance(operand, Constant):
        return operand.value if isinstance(operand.value, int) else None
    maker = next(iter(_makers(step.function, operand)), None)
    if maker is not None and maker.kind is Kind.BINARY and getattr(maker.detail, "operator", "") == "|":
        one, other = (_flags(step, part) for part in maker.operands)
        return None if one is None or other is None else one | other
    before, _, name = (_dotted(step.function, operand) or "").rpartition(".")
    flag = getattr(re, name, None) if _is_module(step, before) else None
    return int(flag) if isinstance(flag, re.RegexFlag) else None


def with_flags(pattern: str, flags: int | None) -> str | None:
    """A pattern that says its flags itself; None for one that is none, or whose flags are not known."""
    if flags is None:
        return None
    try:
        whole = re.compile(pattern, flags).flags
        letters = "".join([letter for letter in "aimsx" if whole & getattr(re, letter.upper())])
        plain = re.sub(r"^\(\?[aimsux]+\)", "", pattern)
        said = f"(?{letters}){plain}" if letters else plain
        return said if re.compile(said).flags == whole else None
    except (re.error, RecursionError, OverflowError):
        return None


def fails(step: Step) -> Iterator[Failure]:
    """What is no text."""
    wanted = asked(step, step.node)
    if wanted is not None:
        value = step.value(wanted.text)
        yield Failure("TypeError", or_(*[tags.is_(tag, value) for tag in _SCALAR]), (value,))


def result(step: Step) -> Term | None:
    """What the call makes, or the groups that a method of what was found gives."""
    wanted = asked(step, step.node)
    if wanted is None:
        return _groups(step) or _made(step)
    value = step.value(wanted.text)
    if Tag.TEXT not in tags.tags_of(value) or (step.known_types(wanted.text) and "str" not in step.known_types(wanted.text)):
        return None
    step.suppose(tags.is_text(value))
    text = tags.text_in(value)
    if wanted.method == "sub":
        return tags.of(texts.called(text, PatternCall("sub", wanted.pattern, wanted.replacement)))
    return _found(step, wanted, text)


def _made(step: Step) -> Term | None:
    """``re.compile(...)``: an object of which nothing else is known."""
    if _pattern_made(step, step.node) is None:
        return None
    held = step.path.allocated()
    step.fact(equal(step.class_of(held), literals.class_named(PATTERN)))
    return tags.of(held)


def _found(step: Step, wanted: AskedOperand, text: Term) -> Term:
    held = step.path.allocated()
    step.fact(equal(step.class_of(held), literals.class_named(MATCH)))
    certain = certain_groups(wanted.pattern)
    names = re.compile(wanted.pattern).groupindex
    for array in step.asked_fields(_GROUP):
        last = array.removeprefix(_GROUP)
        number = int(last) if last.isdecimal() else names.get(last)
        if number is None:
            continue
        call = PatternCall(wanted.method, wanted.pattern, group=number)
        group = tags.of(texts.called(text, call))
        if number not in certain:
            group = choice(texts.called(text, call._replace(tested=True)), group, literals.NONE)
        step.fact(equal(arrays.select(step.array(array), held), group))
    there = texts.called(text, PatternCall(wanted.method, wanted.pattern, tested=True))
    return choice(there, tags.of(held), literals.NONE)


def _groups(step: Step) -> Term | None:
    """``found.group(...)`` and ``found.groups()``."""
    call = step.node.detail
    if not isinstance(call, Call) or any(call.passed) or not isinstance(call.callee, MethodCallee):
        return None
    if call.callee.name not in ("group", "groups") or not (patterns := found_by(step, step.node.operands[0])):
        return None
    value, given = step.value(step.node.operands[0]), step.node.operands[1:]
    if call.callee.name == "groups":
        counts = {re.compile(one).groups for one in patterns}
        numbers = [_group(step, value, place + 1) for place in range(max(counts))]
        return step.made("builtins:tuple", numbers) if len(counts) == 1 and not given else None
    wanted = [one.value for one in given if isinstance(one, Constant)] or [0]
    if len(wanted) != max(len(given), 1) or not all(has_group(patterns, one) for one in wanted):
        return None
    groups = [_group(step, value, one) for one in wanted]
    return groups[0] if len(groups) == 1 else step.made("builtins:tuple", groups)


def item(step: Step) -> Term | None:
    """``found[1]``."""
    receiver, key = step.node.operands[:2]
    if not isinstance(key, Constant) or not has_group(patterns := found_by(step, receiver), key.value) or not patterns:
        return None
    value = step.value(receiver)
    step.suppose(not_(tags.is_none(value)))
    return _group(step, value, key.value)


def _group(step: Step, value: Term, number: object) -> Term:
    return arrays.select(step.array(f"{_GROUP}{number}"), tags.reference_in(value))


def found_by(step: Reader, operand: Operand, depth: int = _COPIES) -> list[str]:
    """The patterns, where a variable is only assigned what such calls find; else nothing."""
    if not isinstance(operand, Local) or any(one.name == operand.name for one in step.function.parameters):
        return []
    found: list[str] = []
    for maker in [one for one in step.function.nodes if one.target == operand]:
        wanted = asked(step, maker)
        is_copy = maker.kind in (Kind.COPY, Kind.LOAD) and depth
        here = found_by(step, maker.operands[0], depth - 1) if is_copy else [wanted.pattern] if wanted is not None else []
        if not here or (wanted is not None and wanted.method == "sub"):
            return []
        found += here
    return found


def has_group(patterns: list[str], wanted: object) -> bool:
    """Whether all of them have the group."""
    compiled = [re.compile(one) for one in patterns]
    if isinstance(wanted, bool) or not isinstance(wanted, (int, str)):
        return False
    return all(0 <= wanted <= one.groups if isinstance(wanted, int) else wanted in one.groupindex for one in compiled)
