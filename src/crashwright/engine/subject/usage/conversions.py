"""What texts look like that functions of a name take: those that make numbers, moments, addresses of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from crashwright.engine.subject.usage.shapes import MOMENTS, Plain

CONVERTED: dict[str, Plain] = {
    "int": "1",
    "float": "1.5",
    "Decimal": "1.5",
    "Fraction": "1/2",
    "fromisoformat": "2020-01-02",
    "strptime": "2020-01-02",
    "parse_date": "2020-01-02",
    "to_datetime": "2020-01-02",
    "parsedate_to_datetime": "Thu, 02 Jan 2020 13:04:05 +0000",
    "UUID": "12345678-1234-5678-1234-567812345678",
    "ip_address": "127.0.0.1",
    "urlparse": "http://example.org/",
    "b64decode": "YQ==",
    "fromhex": "00ff",
}
"""What a text has to look like that a function of this name takes."""
_ISO = {"date": "%Y-%m-%d", "datetime": "%Y-%m-%dT%H:%M:%S", "time": "%H:%M"}
_NUMBERS = frozenset({"int", "float", "Decimal", "Fraction"})
"""Of these names nothing is as telling as zero."""


def written_for(function: ast.expr, name: str, arguments: Sequence[ast.expr]) -> Iterator[Plain]:
    """What the function of that name reads: a moment in the format that it is given, later and earlier ones; a number, and zero."""
    layout = arguments[1].value if name == "strptime" and len(arguments) > 1 and isinstance(arguments[1], ast.Constant) else None
    holder = function.value if isinstance(function, ast.Attribute) else None
    of = holder.id if isinstance(holder, ast.Name) else holder.attr if isinstance(holder, ast.Attribute) else ""
    if type(layout) is str:
        yield from (moment.strftime(layout) for moment in MOMENTS)
    elif name == "fromisoformat":
        yield from (moment.strftime(_ISO.get(of, _ISO["date"])) for moment in MOMENTS)
    else:
        yield CONVERTED[name]
        if name in _NUMBERS:
            yield "0"


def written_parts(text: ast.JoinedStr, written: Iterable[Plain]) -> Iterator[tuple[str, ...]]:
    """What the values in a text that is put together look like, where the whole is ``written`` so."""
    pattern = "".join("(.+?)" if isinstance(part, ast.FormattedValue) else _loosely(part) for part in text.values)
    for one in written:
        found = re.fullmatch(pattern, str(one))
        if found is not None:
            yield found.groups()


def _loosely(part: ast.expr) -> str:
    """A pattern for what stands between the parts: a blank for the ``T`` of a moment too."""
    text = part.value if isinstance(part, ast.Constant) and type(part.value) is str else ""
    return "[ T]" if text in (" ", "T") else re.escape(text)
