"""Texts that are documents as the values that they stand for, and back: what edits values edits these texts, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import cast

from crashwright.engine.testcase.statements import Display, Ref, Value
from crashwright.engine.testcase.structure.dialects import JSON, Dialect, NotInDialect

LONGEST = 4096


def document_of(text: str) -> Display | None:
    """The list or dict that ``text`` is in JSON; None where it is anything else."""
    return _read(text, JSON)


def text_of(document: Value, dialect: Dialect = JSON) -> str | None:
    """``document`` in that dialect; None where it has what that has not."""
    try:
        return dialect.written(_plain(document))
    except NotInDialect:
        return None


def edited_documents(
    text: str, edited: Callable[[Display], Iterator[Value]], dialects: Sequence[Dialect] = (JSON,)
) -> Iterator[str]:
    """The texts of what ``edited`` makes of the document, in the first of ``dialects`` that it is in; none where it is in none."""
    for dialect in dialects:
        document = _read(text, dialect)
        if document is not None:
            yield from (other for one in edited(document) if (other := text_of(one, dialect)) is not None and other != text)
            return


def _read(text: str, dialect: Dialect) -> Display | None:
    read = None if len(text) > LONGEST else dialect.read(text)
    return None if read is None else cast(Display, _value(read))


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
        raise NotInDialect(f"{value!r} is in no document")
    return value


def _key(key: object) -> str:
    if type(key) is not str:
        raise NotInDialect(f"{key!r} is no key in a document")
    return key
