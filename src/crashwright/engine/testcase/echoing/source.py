"""Reading an echoed source line that may be only part of a statement."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator

_CLOSING = {"(": ")", "[": "]", "{": "}"}


def parse_echo(source: str) -> Iterator[ast.stmt]:
    """The statements that ``source`` may stand for, likeliest first: as it is, with a body, with its open brackets closed."""
    text = source.strip()
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
            module = ast.parse(f"async def echo():\n    {text}\n")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    function = module.body[0]
    assert isinstance(function, ast.AsyncFunctionDef)
    return function.body[0] if len(function.body) == 1 else None


def closed(text: str) -> str:
    """``text`` with its open brackets closed and a dangling comma or operator dropped."""
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
    return text.rstrip(" ,+-*/%|&^=") + quote + "".join(reversed(stack))


def _inner_call(text: str) -> str:
    """The part after a keyword that cannot stand alone (``elif``, ``except``) or before an unbalanced closing bracket."""
    for keyword in ("elif ", "yield from ", "yield "):
        if text.startswith(keyword):
            return text[len(keyword) :].rstrip(":")
    return text.rstrip(" ,)]}") + ")" if text.endswith((")", ",", "]", "}")) else ""
