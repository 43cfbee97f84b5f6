"""What the message of an explicit ``raise`` says of the values in it: ``raise ValueError(f"no {name!r}")``, of which the report
shows ``no 'x'``.

The text that the source puts together (an f-string, ``%``, ``.format``) is held against the message. Where there is one way only in
which it can have become that, each value is what stands in its place; an object may be written as anything.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from crashwright.core.terms import Term
from crashwright.symbolic.ir.nodes import Binary, Call, Constant, Display, Kind, Local, MethodCallee, Node, Operand
from crashwright.symbolic.semantics.step import Step
from crashwright.symbolic.values import literals, tags
from crashwright.symbolic.values.logic import equal, or_

LONGEST: Final = 300
_FIELD: Final = re.compile(r"%(?P<how>[srd%])")
_BRACES: Final = re.compile(r"\{(?P<name>\w*)(?:!(?P<how>[rs]))?\}")
_CONVERSIONS: Final = frozenset({"", "s", "r", "d"})


class MessageField(NamedTuple):
    """A value within a text; ``how``: "" or "s" as ``str`` writes it, "r" as ``repr`` does, "d" a number; "?" somehow."""

    value: Operand
    how: str


Template = list[str | MessageField]


def said_by(step: Step, message: str) -> Iterator[Term]:
    """Of the RAISE that ``step`` is at."""
    made = _maker(step, step.node.operands[0]) if step.node.operands else None
    if made is None or not isinstance(made.detail, Call) or made.detail.passed != ("",) or len(message) > LONGEST:
        return
    (argument,) = made.operands[-1:]
    is_builtin = hasattr(builtins, str(step.node.detail))
    is_key = str(step.node.detail) == "KeyError"
    template = _template(step, argument)
    if template and is_key:
        message = _unquoted(message)
    elif not template and is_builtin and isinstance(argument, Local):
        template = [MessageField(argument, "r" if is_key else "")]
    for field, text in _found(template, message):
        value = step.value(field.value)
        said = _said(value, field.how, text)
        if said is not None:
            yield or_(said, tags.is_reference(value), tags.is_class(value))


def _maker(step: Step, operand: Operand) -> Node | None:
    makers = [one for one in step.function.nodes if one.target == operand] if isinstance(operand, Local) else []
    return makers[0] if len(makers) == 1 else None


def _template(step: Step, operand: Operand) -> Template:
    """How the source puts a text together; empty where that is not one of the known ways."""
    node = _maker(step, operand)
    if node is None:
        return []
    if node.kind is Kind.TEXT:
        return [_part(step, one) for one in node.operands]
    if node.kind is Kind.BINARY and isinstance(node.detail, Binary) and node.detail.operator == "%":
        return _percent(step, *node.operands)
    if isinstance(node.detail, Call) and isinstance(node.detail.callee, MethodCallee) and node.detail.callee.name == "format":
        return _formatted(node, node.detail.passed)
    return []


def _part(step: Step, operand: Operand) -> str | MessageField:
    if isinstance(operand, Constant):
        return str(operand.value)
    node = _maker(step, operand)
    if node is None or node.kind is not Kind.FORMAT:
        return MessageField(operand, "?")
    is_plain = len(node.operands) == 1 and str(node.detail or "") in _CONVERSIONS
    return MessageField(node.operands[0], str(node.detail or "") if is_plain else "?")


def _percent(step: Step, text: Operand, values: Operand) -> Template:
    if not isinstance(text, Constant) or not isinstance(text.value, str):
        return []
    node = _maker(step, values)
    is_tuple = node is not None and isinstance(node.detail, Display) and node.detail.kind == "tuple" and not node.detail.starred
    given = list(node.operands) if node is not None and is_tuple else [values]
    found: Template = []
    end = 0
    for match in _FIELD.finditer(text.value):
        found.append(text.value[end : match.start()])
        end = match.end()
        if match["how"] == "%":
            found.append("%")
        elif given:
            found.append(MessageField(given.pop(0), match["how"]))
        else:
            return []
    found.append(text.value[end:])
    return [] if given or any("%" in one for one in found if isinstance(one, str) and one != "%") else found


def _formatted(node: Node, passed: tuple[str, ...]) -> Template:
    text, *values = node.operands
    if not isinstance(text, Constant) or not isinstance(text.value, str) or len(passed) != len(values) or "*" in passed:
        return []
    by_place = [one for how, one in zip(passed, values, strict=True) if not how]
    by_name = {how: one for how, one in zip(passed, values, strict=True) if how}
    found: Template = []
    end = 0
    for place, match in enumerate(_BRACES.finditer(text.value)):
        name = match["name"] or str(place)
        value = by_place[int(name)] if name.isdigit() and int(name) < len(by_place) else by_name.get(name)
        if value is None:
            return []
        found += [text.value[end : match.start()], MessageField(value, match["how"] or "")]
        end = match.end()
    found.append(text.value[end:])
    return [] if any("{" in one or "}" in one for one in found if isinstance(one, str)) else found


def _found(template: Template, message: str) -> Iterator[tuple[MessageField, str]]:
    """What stands in the place of each field, if that is the same however one reads the message."""
    fields = [one for one in template if isinstance(one, MessageField)]
    patterns = ["".join(re.escape(one) if isinstance(one, str) else how for one in template) for how in ("(.*?)", "(.*)")]
    matches = [re.fullmatch(one, message, re.DOTALL) for one in patterns]
    if fields and matches[0] and matches[1] and matches[0].groups() == matches[1].groups():
        yield from zip(fields, matches[0].groups(), strict=True)


def _said(value: Term, how: str, text: str) -> Term | None:
    """What a value is that is written like this, if it is no object."""
    try:
        known = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        known = text
    if how == "?" or (how in ("", "s") and text != text.strip() and not isinstance(known, str)):
        return None
    if how == "r":
        constant = tags.constant(known) if repr(known) == text else None
        return None if constant is None else equal(value, constant)
    plain = [known] if isinstance(known, int | float | bool | None) and str(known) == text else []
    texts = [] if how == "d" else [text]
    terms = [tags.constant(one) for one in (*texts, *plain)]
    return or_(*[equal(value, one) for one in terms if one is not None]) if terms else literals.TRUE


def _unquoted(message: str) -> str:
    """A KeyError shows what it was given as ``repr`` writes it."""
    try:
        known = ast.literal_eval(message)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return message
    return known if isinstance(known, str) else message
