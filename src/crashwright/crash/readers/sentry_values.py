"""The local values of a Sentry frame: leaves are ``repr`` texts and containers keep their shape, together the text of one ``repr``.
A value of which a part was cut or scrubbed is left out, for what is left of it is another value."""

from __future__ import annotations

import re

from crashwright.crash.readers.json_text import Json, field

_SCRUBBED = re.compile(r"\[Filtered\]|\[Redacted\]|\*{6,}", re.IGNORECASE)
_AMBIGUOUS_KEY = re.compile(r"[-+.\d(<].*|b['\"].*|None|True|False", re.DOTALL)
"Keys are sent as ``str(key)``: these may have been other objects than strings."
_BREADTH = 10
"The SDK cuts containers to this many items, and says so nowhere."
_DEPTH = 20


def local_values(values: Json, meta: Json) -> dict[str, str]:
    """Names with the ``repr`` of their values."""
    if not isinstance(values, dict):
        return {}
    found = {}
    for name, value in values.items():
        text = _text(value, _DEPTH) if name.isidentifier() and not field(meta, name) else None
        if text is not None:
            found[name] = text
    return found


def _text(value: Json, depth: int) -> str | None:
    """The text of a value, None where it is not whole."""
    if value is None or isinstance(value, (bool, int, float)):
        return repr(value)
    if isinstance(value, str):
        return None if _cut(value) else value
    if not depth or len(value) >= _BREADTH:
        return None
    if isinstance(value, list):
        items = [_text(item, depth - 1) for item in value]
        return None if None in items else f"[{', '.join(item for item in items if item is not None)}]"
    pairs = []
    for key, item in value.items():
        text = _text(item, depth - 1)
        if text is None or _AMBIGUOUS_KEY.fullmatch(key):
            return None
        pairs.append(f"{key!r}: {text}")
    return "{" + ", ".join(pairs) + "}"


def _cut(text: str) -> bool:
    quote = text.lstrip("rbuRBU")[:1]
    unclosed = quote in ("'", '"') and text[:1] in "'\"rbuRBU" and not (len(text) > 1 and text.endswith(quote))
    return unclosed or text.endswith("...") or _SCRUBBED.search(text) is not None
