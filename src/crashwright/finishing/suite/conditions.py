"""A decision of the source in the words of a test's name: ``count > 3`` that is false is ``count_at_most_three``."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from crashwright.core.suite import Decision
from crashwright.finishing.naming import snake
from crashwright.finishing.suite.wording import detail

LONGEST = 36
"""Characters that say something."""
_COMPARED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("below", "at_least"),
    ast.LtE: ("at_most", "above"),
    ast.Gt: ("above", "at_most"),
    ast.GtE: ("at_least", "below"),
    ast.Eq: ("is", "is_not"),
    ast.NotEq: ("is_not", "is"),
    ast.Is: ("is", "is_not"),
    ast.IsNot: ("is_not", "is"),
    ast.In: ("in", "not_in"),
    ast.NotIn: ("not_in", "in"),
}
_KINDS = {"iter": ("with_{}", "without_{}"), "except": ("on_{}", "not_{}"), "case": ("{}", "not_{}")}


_Plain = (
    ast.Compare
    | ast.BoolOp
    | ast.UnaryOp
    | ast.Constant
    | ast.Name
    | ast.Call
    | ast.cmpop
    | ast.boolop
    | ast.unaryop
    | ast.expr_context
)
"""What a condition is made of that can be worked out here."""


def is_contradicted(decision: Decision, given: Mapping[str, object]) -> bool:
    """Whether the values that a test gives for parameters say the opposite: the function has made something else of the name, or
    it is a name of another function, and a reader would take it for what is given."""
    if decision.kind in ("except", "case"):
        return False
    try:
        node = ast.parse(decision.text.removesuffix(":").strip(), mode="eval")
        if not all(isinstance(part, ast.Expression | _Plain) for part in ast.walk(node)):
            return False
        return bool(eval(compile(node, "<condition>", "eval"), {"__builtins__": {"len": len}}, dict(given))) is not decision.outcome
    except Exception:  # noqa: BLE001 - a name that nothing is given for, types that do not compare: then nothing is contradicted
        return False


def condition_words(decision: Decision) -> str:
    """ "" where there are none, or too many."""
    text = decision.text.removesuffix(":")
    if decision.kind == "except":
        text = text.removeprefix("except").partition(" as ")[0].strip()
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return ""
    if decision.kind in _KINDS:
        words = _named(node)
        words = words and _KINDS[decision.kind][not decision.outcome].format(words)
    else:
        words = _condition(node, decision.outcome)
    return words if len(words) <= LONGEST else ""


def _condition(node: ast.expr, outcome: bool) -> str:
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _condition(operand, not outcome)
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            one, other = _named(left), _named(right)
            word = _COMPARED.get(type(operator), ("", ""))[not outcome]
            return f"{one}_{word}_{other}" if one and other and word else ""
        case ast.Call(func=ast.Name(id="isinstance"), args=[value, cls]):
            one, other = _named(value), _named(cls)
            return f"{one}_{'is' if outcome else 'is_no'}_{other}" if one and other else ""
        case _:
            words = _named(node)
            return words and (words if outcome else f"not_{words}")


def _named(node: ast.expr) -> str:
    """What a reader would call it; "" for what takes more than a few words."""
    match node:
        case ast.Constant(value=value) if value is None or isinstance(value, bool | int | float | str | bytes):
            return detail(value)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return snake(name.strip("_"))
        case ast.Subscript(value=value, slice=ast.Constant(value=key)) if isinstance(key, str | int):
            return "_".join(word for word in (_named(value), detail(key)) if word)
        case ast.Call(func=ast.Name(id="len"), args=[value]):
            return f"length_of_{_named(value)}"
        case ast.Call(func=ast.Attribute(value=value, attr=name), args=arguments):
            words = (_named(value), snake(name), *[_named(one) for one in arguments[:1]])
            return "_".join(word for word in words if word)
        case ast.Call(func=ast.Name(id=name), args=[value]) if name[:1].isupper():
            return _named(value)
        case ast.Call(func=function):
            return _named(function)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"minus_{_named(operand)}" if _named(operand) else ""
        case _:
            return ""
