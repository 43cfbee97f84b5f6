"""Literals as source: double quotes, long strings as repeats or in pieces, huge numbers as powers, nan and inf by name."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import cast

from crashwright.engine.testcase.printing.layout import Doc, Level, at_least, group, prefixed
from crashwright.engine.testcase.statements import Display, Expected, Made, Named, Ref, Variable

_RUN = re.compile(r"(.{1,8}?)\1{9,}", re.DOTALL)
_BYTE_RUN = re.compile(rb"(.{1,8}?)\1{9,}", re.DOTALL)
_SHORTEST_RUN = 30
_MOST_RUNS = 3
_PIECE = 60
_LONG = 40  # strings up to here are never cut
_LOOK = 4096  # nor is a run looked for in longer ones


def quoted(value: str | bytes) -> str:
    """``repr`` with the quotes that Black prefers: double ones, unless that needs more escapes."""
    plain = repr(value)
    start = 2 if isinstance(value, bytes) else 1
    if plain[start - 1] == '"':
        return plain
    body = plain[start:-1]
    doubles, singles = body.count('"'), body.count("\\'")
    if doubles > singles:
        return plain
    # Quotes are the only thing that repr escapes with a backslash and Black would not; an escaped backslash is never before them.
    body = re.sub(r"\\(.)", lambda match: "'" if match[1] == "'" else match[0], body).replace('"', '\\"')
    return f'{plain[: start - 1]}"{body}"'


Write = Callable[[Variable], Doc]
Name = Callable[[Named], Doc]


def _unnamed(named: Named) -> Doc:
    raise ValueError(f"{named.qualname} is no literal")


def value_doc(value: Expected, refer: Write, name: Name = _unnamed) -> Doc:
    """The source of a literal tree, or of what an assertion expects; ``refer`` writes references to variables, ``name`` what is
    importable."""
    kind = type(value)
    if kind is str or kind is bytes:
        return _string(value)  # type: ignore[arg-type]
    if kind is int:
        return _integer(value)  # type: ignore[arg-type]
    if kind is float:
        return _float(value)  # type: ignore[arg-type]
    if kind is complex:
        return group("complex(", (_float(value.real), _float(value.imag)), ")")  # type: ignore[union-attr]
    if isinstance(value, Ref):
        return refer(value.variable)
    if isinstance(value, Display):
        return _display(value, refer, name)
    if isinstance(value, Named):
        return name(value)
    if isinstance(value, Made):
        parts = [value_doc(cast(Expected, part), refer, name) for part in value.positional]
        parts += [prefixed(f"{word}=", value_doc(cast(Expected, part), refer, name)) for word, part in value.keywords]
        return group(f"{name(value.named).flat}(", tuple(parts), ")")
    return Doc(repr(value))


def _display(display: Display, refer: Write, name: Name) -> Doc:
    kind, items = display
    if kind == "dict":
        return group("{", tuple([_pair(item, refer, name) for item in _with_one_nan(items, lambda item: item[0])]), "}")  # type: ignore[arg-type, index]
    if kind in ("set", "frozenset"):
        items = _with_one_nan(items, lambda item: item)
    docs = tuple([value_doc(item, refer, name) for item in items])  # type: ignore[arg-type]
    if kind == "list":
        return group("[", docs, "]")
    if kind == "tuple":
        return group("(", docs, ")", one_tuple=True)
    if kind == "set":
        return group("{", docs, "}") if docs else Doc("set()")
    if kind == "frozenset":
        return group("frozenset(", (group("{", docs, "}"),), ")") if docs else Doc("frozenset()")
    return group("bytearray(", docs, ")")


def _with_one_nan(items: tuple[object, ...], key: Callable[[object], object]) -> tuple[object, ...]:
    """The engine has one nan, which a set or a dict holds once; written down, each would be another one. The last one counts."""
    nans = [place for place, item in enumerate(items) if type(part := key(item)) is float and part != part]
    return tuple(item for place, item in enumerate(items) if place not in nans[:-1])


def _pair(item: tuple[Expected, Expected], refer: Write, name: Name) -> Doc:
    key, value = item
    return prefixed(f"{value_doc(key, refer, name).flat}: ", value_doc(value, refer, name))


def _integer(value: int) -> Doc:
    size = abs(value)
    if size >= 1 << 31:
        power = _power(size)
        if power is not None:
            return power if value > 0 else Doc(f"-({power.flat})", Level.UNARY)
    return Doc(str(value), Level.NUMBER if value >= 0 else Level.UNARY)


def _power(size: int) -> Doc | None:
    bits = size.bit_length()
    for exponent in (bits - 1, bits):
        rest = size - (1 << exponent)
        if rest in (-1, 0, 1):
            return _with_rest(f"2**{exponent}", rest)
    digits = len(str(size)) if bits < 12000 else 0
    for exponent in (digits - 1, digits):
        rest = size - 10**exponent if digits else 2
        if rest in (-1, 0, 1):
            return _with_rest(f"10**{exponent}", rest)
    return None


def _with_rest(power: str, rest: int) -> Doc:
    return Doc(f"{power} {'-' if rest < 0 else '+'} 1", Level.SUM) if rest else Doc(power, Level.POWER)


def _float(value: float) -> Doc:
    if math.isnan(value):
        return Doc('float("nan")')
    if math.isinf(value):
        return Doc('float("inf")' if value > 0 else 'float("-inf")')
    text = repr(value).replace("e+", "e")
    return Doc(text, Level.UNARY if text.startswith("-") else Level.NUMBER)


def _string(value: str | bytes) -> Doc:
    text = quoted(value)
    if len(text) <= _LONG:
        return Doc(text)
    repeats = _repeats(value)
    if repeats is not None and len(repeats.flat) < min(len(text), 80):
        return repeats
    return Doc(text, pieces=tuple([quoted(piece) for piece in _pieces(value)]))


def _repeats(value: str | bytes) -> Doc | None:
    """``"(" * 500 + "x"`` for a string with a few long periodic stretches."""
    if len(value) > _LOOK:
        return None
    terms: list[Doc] = []
    end = runs = 0
    found = _RUN.finditer(value) if isinstance(value, str) else _BYTE_RUN.finditer(value)
    for match in found:
        unit = match[1]
        if len(match[0]) < _SHORTEST_RUN:
            continue
        runs += 1
        if match.start() > end:
            terms.append(Doc(quoted(value[end : match.start()])))
        terms.append(Doc(f"{quoted(unit)} * {len(match[0]) // len(unit)}", Level.PRODUCT))
        end = match.end()
    if not 0 < runs <= _MOST_RUNS:
        return None
    if end < len(value):
        terms.append(Doc(quoted(value[end:])))
    return terms[0] if len(terms) == 1 else Doc(" + ".join([at_least(term, Level.PRODUCT).flat for term in terms]), Level.SUM)


def _pieces(value: str | bytes) -> list[str | bytes]:
    """Lines, and long lines cut, preferably after an element of markup, else after a space."""
    pieces: list[str | bytes] = []
    for line in value.splitlines(keepends=True):
        rest = line
        while len(quoted(rest)) > _PIECE + 16:
            cut = max(_PIECE // 4, min(_PIECE, len(rest) * _PIECE // len(quoted(rest))))
            marks = (
                (rest.rfind(">", cut // 2, cut), rest.rfind(" ", 1, cut))
                if isinstance(rest, str)
                else (rest.rfind(b">", cut // 2, cut), rest.rfind(b" ", 1, cut))
            )
            cut = next((mark + 1 for mark in marks if mark > 0), cut)
            pieces.append(rest[:cut])
            rest = rest[cut:]
        if rest:
            pieces.append(rest)
    return pieces if len(pieces) > 1 else []
