"""Reading an echoed source line that may be only part of a statement."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence
from textwrap import indent

from crashwright.core.unparsable import UNPARSABLE
from crashwright.engine.subject.walking import walk

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_PARAMETERS = ("x", "x, y=None", "self")


def parse_echo(source: str) -> Iterator[ast.stmt]:
    """The statements that ``source`` may stand for, likeliest first: as it is, with a body, with its open brackets closed."""
    text = source.strip()
    if text.startswith("@") and "\n" not in text:
        text = decorating(text)[0]
    for candidate in (text, f"{text}\n        pass", closed(text), f"{closed(text)}:\n        pass", _inner_call(text)):
        node = _parse(candidate)
        if node is not None:
            yield node


def _parse(text: str) -> ast.stmt | None:
    if not text:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = ast.parse(f"async def echo():\n{indent(text, '    ')}\n")
    except UNPARSABLE:
        return None
    function = module.body[0]
    assert isinstance(function, ast.AsyncFunctionDef)
    return function.body[0] if len(function.body) == 1 else None


def decorating(text: str) -> tuple[str, ...]:
    """What a line does that stands above a function: the function is passed to what it gives; in several ways, as the report does
    not show the function."""
    decorator = closed(text.strip().removeprefix("@"))
    return tuple(f"({decorator})(lambda {parameters}: None)" for parameters in ("*args, **kwargs", "x", ""))


def decorated(text: str, names: Sequence[str]) -> tuple[str, ...]:
    """The same with what stands beneath the line written out, for what looks at it: functions with parameters and without, a
    class. ``names`` are such as it may have."""
    decorator = closed(text.strip().removeprefix("@"))
    function = next((name for name in names if name[:1].islower()), "function")
    cls = next((name for name in names if name[:1].isupper()), "Item")
    heads = *(f"def {function}({parameters}):\n    return None" for parameters in _PARAMETERS), f"class {cls}:\n    pass"
    return tuple(f"@{decorator}\n{head}" for head in heads)


def driven_by_loop(call: ast.Call) -> ast.expr | None:
    """The awaitable that a call runs to its end: what ``asyncio.run`` and ``loop.run_until_complete`` are given, what the function
    returns that ``anyio.run`` and ``trio.run`` are given. None for other calls."""
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="asyncio"), attr="run"), args=[coroutine, *_]):
            return coroutine
        case ast.Call(func=ast.Attribute(attr="run_until_complete"), args=[coroutine]):
            return coroutine
        case ast.Call(func=ast.Attribute(value=ast.Name(id="anyio" | "trio"), attr="run"), args=[function, *arguments]):
            return ast.Call(function, arguments, [])
    return None


def one_by_one(node: ast.stmt) -> list[tuple[ast.expr, ast.expr]]:
    """What gets what in ``a, b = x, y``, with as many values as names, all of them shown; nothing for other statements."""
    match node:
        case ast.Assign(targets=[ast.Tuple() | ast.List() as places], value=ast.Tuple() | ast.List() as values):
            unpacks = any(isinstance(one, ast.Starred) for one in (*places.elts, *values.elts))
            if len(places.elts) == len(values.elts) and not unpacks:
                return list(zip(places.elts, values.elts, strict=True))
    return []


def closed(text: str) -> str:
    """``text`` with its open brackets closed and a dangling comma or operator dropped."""
    return text.rstrip(" ,+-*/%|&^=") + missing_end(text)


def missing_end(text: str) -> str:
    """What closes the brackets and the quotation that are open at the end of ``text``."""
    stack: list[str] = []
    quote = ""
    for index, character in enumerate(text):
        if quote:
            if character == quote and text[index - 1] != "\\":
                quote = ""
        elif character in "'\"":
            quote = character
        elif character in _CLOSING:
            stack.append(_CLOSING[character])
        elif stack and character == stack[-1]:
            stack.pop()
    return quote + "".join(reversed(stack))


def goes_through(source: str) -> bool:
    """Whether an echoed line goes through what it calls, in a loop of its own."""
    node = next(parse_echo(source), None)
    return isinstance(node, ast.For | ast.AsyncFor) or any(isinstance(one, ast.comprehension) for one in walk(node or ast.Pass()))


def _inner_call(text: str) -> str:
    """The part after a keyword that cannot stand alone (``elif``, ``except``) or before an unbalanced closing bracket."""
    for keyword in ("elif ", "yield from ", "yield "):
        if text.startswith(keyword):
            return text[len(keyword) :].rstrip(":")
    return text.rstrip(" ,)]}") + ")" if text.endswith((")", ",", "]", "}")) else ""
