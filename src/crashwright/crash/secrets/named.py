"""Values that stand beside a name that gives them away: ``password=...``, ``"token": ...``, ``headers["Authorization"] = ...``.

Texts are scanned, not parsed: an echoed line is often half a statement, a repr cut off, a message anything. In code only literals
are values (``password=password`` gives nothing away), elsewhere bare words are too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from crashwright.core.placeholder import is_placeholder
from crashwright.crash.secrets.forms import FORMS, Secret
from crashwright.crash.secrets.names import Weight, weight

STRING = r"(?:[bBrRuUfF]{0,2})(?:'(?:[^'\\\n]|\\.)*(?:'|$|(?=\n))|\"(?:[^\"\\\n]|\\.)*(?:\"|$|(?=\n)))"
"""A string literal on one line, its end missing perhaps."""
_STRING = re.compile(r"(?P<prefix>[bBrRuUfF]{0,2})(?P<quote>\\?['\"])", re.DOTALL)
_NAMED = re.compile(
    r"(?<![\w-])(?P<name>[A-Za-z_][\w-]{0,60})(?P<closed>\\?['\"])?(?P<bracket>\s?\])?\s{0,4}(?P<op>==|!=|=>|:=|=|:|,|\(|(?=\s['\"]))\s{0,4}"
)
_NUMBER = re.compile(r"\d[\d_.]*(?![\w.])")
_BARE = re.compile(r"[^\s,;&'\"<>()\[\]{}]+")
_LINE = re.compile(r"[^'\"\n]*")
_EMPTY = re.compile(r"(?:None|True|False|null|true|false|NULL|\.\.\.|<[^<>]*>?|\*+)(?![\w])")
_BRACKETS = ("(", "[", "{")
_CALL = re.compile(r"[A-Za-z_][\w.]{0,60}\(")
_ITEM = re.compile(r"(?P<string>" + STRING + r")|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<word>[^\s,;:='\"()\[\]{}]+)")
_FIELD = re.compile(r"\{[^{}]*\}")
_PLAIN_WORD = re.compile(r"[A-Za-z]+(?:[_ -][A-Za-z]+)?")
_SCHEME = re.compile(r"(?:Basic|Bearer|Token|Digest|ApiKey)\s+|[A-Za-z][A-Za-z0-9+.-]*://")
_HEADERS = re.compile(r"(?:proxy-)?authorization|(?:set-)?cookie", re.IGNORECASE)
_READS = frozenset("get read load fetch find lookup delete has list del getenv show".split())
_LITTLE = 3
"""Characters that are too few for a secret under a weak name."""
_LONG_WORD = 16
_DEEPEST = 4000


def named_secrets(text: str, code: bool) -> Iterator[Secret]:
    """The secrets of ``text`` by the names beside them."""
    end = group_end = 0
    group_strength = Weight.NONE
    for match in _NAMED.finditer(text):
        strength = weight(match["name"])
        if not strength or match.end() < end or not _may_follow(match, text, strength, code):
            continue
        if text[match.end() : match.end() + 1] in _BRACKETS:
            if match.end() < group_end and strength <= group_strength:
                continue  # its items have been looked at with those of the group around it
            group_end, group_strength = _closing(text, match.end()), strength
        for secret in value_at(text, match.end(), match["name"], strength, code):
            if match["op"] == "," and _PLAIN_WORD.fullmatch(text[secret.start : secret.end]):
                continue  # ("password", "email") are two names
            end = max(end, secret.end)
            yield secret


def _may_follow(match: re.Match[str], text: str, strength: Weight, code: bool) -> bool:
    """Whether what stands between name and value makes it its value."""
    op, closed = match["op"], match["closed"]
    if op == ",":  # a pair: ("password", "hunter2")
        return bool(closed) and text[match.end() : match.end() + 3].lstrip("bBrRuU")[:1] in ("'", '"')
    if op == "(":  # set_password("hunter2")
        verb = re.match(r"[a-z]+", match["name"])
        return strength is Weight.STRONG and not closed and (verb is None or verb.group() not in _READS)
    if op == "":  # the password 'hunter2'
        return strength is Weight.STRONG and not closed and not code
    return not (match["bracket"] and not closed)


def value_at(text: str, start: int, name: str, strength: Weight, code: bool) -> Iterator[Secret]:
    """The secret parts of the value that begins at ``start``."""
    called = start > 0 and text[start - 1] == "("
    if called or text[start : start + 1] in _BRACKETS or (not code and _CALL.match(text, start)):
        yield from _items(text, start - called, name, strength, code)
    elif _EMPTY.match(text, start):
        return
    elif (literal := _STRING.match(text, start)) is not None:
        yield from _literal(text, literal, name, strength)
    elif (number := _NUMBER.match(text, start)) is not None:
        yield from _worth(text, start, number.end(), name, strength, bare=False)
    elif not code:
        yield from _bare(text, start, name, strength)


def _literal(text: str, opening: re.Match[str], name: str, strength: Weight) -> Iterator[Secret]:
    quote = opening["quote"]
    closing = re.compile(re.escape(quote) if len(quote) > 1 else rf"(?:[^{quote}\\]|\\.)*?(?={quote})", re.DOTALL)
    found = closing.search(text, opening.end()) if len(quote) > 1 else closing.match(text, opening.end())
    end = len(text) if found is None else (found.start() if len(quote) > 1 else found.end())
    if "f" in opening["prefix"].lower():
        yield from _between_fields(text, opening.end(), end, name, strength)
    else:
        yield from _worth(text, opening.end(), end, name, strength, bare=False)


def _between_fields(text: str, start: int, end: int, name: str, strength: Weight) -> Iterator[Secret]:
    """What an f-string writes out: its fields are code."""
    for field in _FIELD.finditer(text, start, end):
        yield from _worth(text, start, field.start(), name, strength, bare=False)
        start = field.end()
    yield from _worth(text, start, end, name, strength, bare=False)


def _closing(text: str, start: int) -> int:
    """Where the bracket that opens at ``start`` is closed, or the text is long enough."""
    depth = 0
    for item in _ITEM.finditer(text, start, min(len(text), start + _DEEPEST)):
        depth += bool(item["open"]) - bool(item["close"])
        if depth <= 0:
            return item.end()
    return start + _DEEPEST


def _items(text: str, start: int, name: str, strength: Weight, code: bool) -> Iterator[Secret]:
    """The strings and numbers of a bracketed value, but for its keys."""
    depth = 0
    for item in _ITEM.finditer(text, start, min(len(text), start + _DEEPEST)):
        if item["open"]:
            depth += 1
        elif item["close"]:
            depth -= 1
            if depth <= 0:
                return
        elif depth == 0 and item.start() > start and not _CALL.match(text, start):
            return
        elif re.match(r"\s*[:=(]", text[item.end() : item.end() + 3]):
            continue  # a key, a keyword, a callee
        elif item["string"]:
            opening = _STRING.match(text, item.start())
            if opening is not None:
                yield from _literal(text, opening, name, strength)
        elif _NUMBER.fullmatch(item["word"]) or (not code and not _EMPTY.fullmatch(item["word"])):
            yield from _worth(text, item.start(), item.end(), name, strength, bare=depth > 0)


def is_unquoted(text: str) -> bool:
    """Whether ``text`` is no repr but the value itself, as some reports print texts."""
    first = text.strip()
    return bool(first) and not (first.startswith(_BRACKETS) or any(kind.match(first) for kind in (_STRING, _CALL, _EMPTY, _NUMBER)))


def _bare(text: str, start: int, name: str, strength: Weight) -> Iterator[Secret]:
    """An unquoted value: to the end of the line for a header, else a word. A sentence about a password is none."""
    header = bool(_HEADERS.fullmatch(name))
    match = (_LINE if header else _BARE).match(text, start)
    if match is None or not match.group().strip():
        return
    value = match.group()
    spaced = text[start - 1 : start].isspace()
    following = text[match.end() : match.end() + 2]
    if not header and spaced and _PLAIN_WORD.fullmatch(value.rstrip(".:!?")) and (following[:1] == " " or value[-1] in ".:!?"):
        return
    yield from _worth(text, start, match.end(), name, strength, bare=True)


def _worth(text: str, start: int, end: int, name: str, strength: Weight, bare: bool) -> Iterator[Secret]:
    """The value from ``start`` to ``end``, if it is worth hiding: whole, or what is secret in its form."""
    value = text[start:end]
    if not value or is_placeholder(value) or (strength is Weight.WEAK and _is_common(value, bare)):
        return
    for form in FORMS:
        match = form.pattern.search(value)
        if match is not None and form.holds(match["s"]) and len(match.group()) >= 0.8 * len(value):
            yield Secret(start + match.start("s"), start + match.end("s"), name)
            return
    if re.fullmatch(r"(?:set-)?cookies?", name, re.IGNORECASE):
        pairs = list(re.finditer(r"(?<![^\s;])[\w.-]+=(?P<value>[^;\s]+)", value))
        yield from (Secret(start + pair.start("value"), start + pair.end("value"), name) for pair in pairs)
        if pairs:
            return
    scheme = _SCHEME.match(value)
    yield Secret(start + (scheme.end() if scheme else 0), end, name)


def _is_common(value: str, bare: bool) -> bool:
    """Too short for a secret, or a word."""
    if len(value) <= _LITTLE:
        return True
    if _PLAIN_WORD.fullmatch(value) and len(value) < _LONG_WORD:
        return True
    return bare and not any(one.isdigit() for one in value) and len(value) < _LONG_WORD
