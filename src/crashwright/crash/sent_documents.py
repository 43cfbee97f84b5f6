"""Documents that a report says were sent: by a command line with an address, or shown behind or below a request.

No program's options are known. In a command line a word that is a method is the method, one that is a document (or a form) is what
was sent; below a request line a document stands alone, or behind a name for it.

# Deviation: none of the papers reads more of a report than its trace.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from crashwright.core.invocation import SentRequest

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
MOST_LINES = 8
"""Between a request and the document that was sent with it."""
LONGEST_DOCUMENT = 60
"""Lines of one."""
_CONTINUED = re.compile(r"(?:\\|(?<=\s)[\^`])\s*$")
_ADDRESS = re.compile(
    r"(?:https?://[^\s/]+|localhost(?::\d+)?|:\d+)(?P<path>/\S*)?$"
    r"|(?:\d+(?:\.\d+){3}|[\w-]*[A-Za-z][\w.-]*):\d+(?P<behind>/\S*)?$"  # and no time of day
)
_METHOD = re.compile(rf"(?:-X)?({'|'.join(METHODS)})$")
_ITEM = re.compile(r"(?P<key>[A-Za-z_][\w.-]*)(?P<mark>:=|==|=)(?P<value>.*)$", re.DOTALL)
_FORM = re.compile(r"[A-Za-z_][\w.-]*=[^&=]*(?:&[A-Za-z_][\w.-]*=[^&=]*)*$")
_LABEL = re.compile(r"(?:[^{}\[\]]*\b)?[A-Za-z_][\w.-]*[\"']?\s*(?:[:=]|->|=>)\s*$")
"""What may stand before a document in its line: it ends in a name for that."""
_ANSWER = re.compile(r"[\s\"']*(?:HTTP/[\d.]+)?[\s\"']*(?:[1-5]\d\d)?[\s\"':,]*$")
"""What may stand between a request and a document that follows it at once."""


def joined(lines: Sequence[str]) -> Iterator[str]:
    """Lines that a shell goes on with as one."""
    waiting = ""
    for line in lines:
        if _CONTINUED.search(line):
            waiting += _CONTINUED.sub(" ", line)
        else:
            yield waiting + line
            waiting = ""
    if waiting:
        yield waiting


def sent_by(words: Sequence[str]) -> SentRequest | None:
    """The request that a command line with these words sends; None where no word is an address."""
    place = next((place for place, word in enumerate(words) if place and _ADDRESS.match(word)), None)
    if place is None:
        return None
    match = _ADDRESS.match(words[place])
    address = ((match["path"] or match["behind"]) if match is not None else "") or "/"
    others = [word for number, word in enumerate(words) if number not in (0, place)]
    method = next((found[1] for word in others if (found := _METHOD.match(word))), "")
    document = next((found for word in others if (found := _document(word)) is not None), None)
    query: list[str] = []
    if document is None:
        query, document = _items(words[place + 1 :])
        if query:
            address += f"{'&' if '?' in address else '?'}{'&'.join(query)}"
    if document is None and not query:
        document = _form(others)
    body = "" if document is None else json.dumps(document)
    return SentRequest((method or ("POST" if body else "GET")).lower(), address, body=body)


def _items(words: Sequence[str]) -> tuple[list[str], Any]:
    """What stands behind the address word by word: a key with its text, with a document, or with a part of the query."""
    query: list[str] = []
    found: dict[str, Any] = {}
    for word in words:
        match = _ITEM.match(word)
        if match is None:
            continue
        if match["mark"] == "==":
            query.append(f"{match['key']}={match['value']}")
        elif match["mark"] == "=":
            found |= _form([word]) or {match["key"]: match["value"]}
        else:
            try:
                found[match["key"]] = json.loads(match["value"])
            except ValueError:
                continue
    return query, found or None


def _form(words: Sequence[str]) -> dict[str, str] | None:
    """What those of the words say that are forms: keys with their texts."""
    return dict(pair.split("=", 1) for word in words if _FORM.match(word) for pair in word.split("&")) or None


def document_at(lines: Sequence[str], place: int, end: int) -> str:
    """The document that was sent with the request that ends at ``end`` of the line at ``place``, as JSON; "" where none is shown.
    ``lines`` end where the next request begins."""
    rest = lines[place][end:]
    start = _start(rest)
    if start >= 0 and (_ANSWER.match(rest[:start]) or _LABEL.match(rest[:start])):
        found = _read(rest[start:], lines[place + 1 : place + LONGEST_DOCUMENT])
        if found:
            return found
    for number in range(place + 1, min(len(lines), place + 1 + MOST_LINES)):
        line = lines[number]
        start = _start(line)
        if start >= 0 and (not line[:start].strip() or _LABEL.match(line[:start])):
            return _read(line[start:], lines[number + 1 : number + LONGEST_DOCUMENT])
    return ""


def _start(line: str) -> int:
    return min((place for mark in "{[" if (place := line.find(mark)) >= 0), default=-1)


def _read(first: str, more: Sequence[str]) -> str:
    """The document that begins ``first``, as JSON. It may go on in the lines ``more``."""
    text = first
    for line in ("", *more):
        text = f"{text}\n{line}" if line else text
        whole = _balanced(text)
        if whole:
            document = _document(whole)
            return "" if document is None else json.dumps(document)
    return ""


def _balanced(text: str) -> str:
    """Its beginning, up to the bracket that closes the first; "" where none does."""
    depth, quote, escaped = 0, "", False
    for place, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote and not escaped else quote
            escaped = letter == "\\" and not escaped
        elif letter in "\"'":
            quote = letter
        elif letter in "{[":
            depth += 1
        elif letter in "}]":
            depth -= 1
            if not depth:
                return text[: place + 1]
    return ""


def _document(text: str) -> Any:
    """A mapping, or a list of something, that is written as JSON or as Python writes it; None for anything else."""
    if text[:1] not in ("{", "["):
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        try:
            found = ast.literal_eval(text)
            json.dumps(found)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            return None
    return found if type(found) is dict or (type(found) is list and any(type(one) is dict for one in found)) else None
