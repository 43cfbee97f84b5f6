"""Texts that are JSON documents as the values that they stand for, and back: what edits values edits these texts, too."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import cast

from crashwright.engine.testcase.statements import Display, Ref, Value

LONGEST = 4096


def document_of(text: str) -> Display | None:
    """The list or dict that ``text`` is in JSON; None where it is anything else."""
    if len(text) > LONGEST or not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return cast(Display, _value(json.loads(text)))
    except (ValueError, RecursionError):
        return None


def text_of(document: Value) -> str | None:
    """``document`` in JSON; None where it has what JSON has not."""
    try:
        return json.dumps(_plain(document), ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return None


def edited_documents(text: str, edited: Callable[[Display], Iterator[Value]]) -> Iterator[str]:
    """The texts of what ``edited`` makes of the document; none where ``text`` is none."""
    document = document_of(text)
    if document is not None:
        yield from (other for one in edited(document) if (other := text_of(one)) is not None and other != text)


def _value(plain: object) -> Value:
    if isinstance(plain, list):
        return Display("list", tuple(map(_value, plain)))
    if isinstance(plain, dict):
        return Display("dict", tuple((key, _value(held)) for key, held in plain.items()))
    return cast(Value, plain)


def _plain(value: object) -> object:
    if isinstance(value, Display) and value.kind in ("list", "tuple"):
        return [_plain(item) for item in value.items]
    if isinstance(value, Display) and value.kind == "dict":
        return {_key(key): _plain(held) for key, held in cast(tuple[tuple[object, object], ...], value.items)}
    if isinstance(value, Display | Ref | bytes | complex):
        raise TypeError(f"{value!r} is not in JSON")
    return value


def _key(key: object) -> str:
    if type(key) is not str:
        raise TypeError(f"{key!r} is no key in JSON")
    return key
