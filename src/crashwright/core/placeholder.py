"""Stand-ins for what looks like a secret: harmless texts of the same shape, so that a search still has something to work with.

Letters become x, digits 0; whatever separates them stays, and so do lengths: a URL has its colon where it had it, and columns in an
echoed line stay true. A stand-in is known by its looks, so that nothing is replaced twice, and so that a message with one agrees
with the message that has another value in that place (``message_rule``).
"""

from __future__ import annotations

import re

_UNIT = re.compile(r"(?P<byte>\\x[0-9a-fA-F]{2})|(?P<short>\\u[0-9a-fA-F]{4})|(?P<long>\\U[0-9a-fA-F]{8})|\\[^xuU]|.", re.DOTALL)
"""A character as it stands in a literal or repr: escapes are one."""
_HEX = re.compile(r"(?=[0-9a-fA-F]*[0-9])(?=[0-9a-fA-F]*[a-fA-F])[0-9a-fA-F]{16,}")
_DIGITS_OF_A_CARD = re.compile(r"\d(?:[ -]?\d){12,18}")
_PLAIN, _HEXADECIMAL = frozenset("xX0"), frozenset("aA0")
_PART = r"(?:[xX0]+|\\x78)"
_INSIDE = re.compile(
    rf"(?<![A-Za-z0-9\\])(?=[xX0\W]*[xX]){_PART}(?:[^\s\w'\"]{{0,2}}{_PART}|_{_PART})*(?![A-Za-z0-9])|\b(?=[aA]*0)[aA0]{{16,}}\b"
)
_LEAST = 3
_MARK = "\N{OBJECT REPLACEMENT CHARACTER}"
_MOST_MARKS = 10


def placeholder(secret: str) -> str:
    """A harmless text of the same shape and length."""
    if _DIGITS_OF_A_CARD.fullmatch(secret):
        return _card(secret)
    if _HEX.fullmatch(secret):
        return "".join("0" if one.isdigit() else "aA"[one.isupper()] for one in secret)
    return "".join(map(_unit, _UNIT.finditer(secret)))


def is_placeholder(text: str) -> bool:
    """Whether there is nothing (left) in ``text`` to give away."""
    shown = {one for one in re.sub(r"\\x78|\\u0078|\\U00000078|\\[^xuU]", "", text) if one.isalnum()}
    return shown <= _PLAIN or shown <= _HEXADECIMAL or _is_card_placeholder(text)


def opened(text: str) -> str:
    """``text`` with one mark for each of its stand-ins: what was left out there cannot be compared."""
    return _INSIDE.sub(lambda match: match.group() if len(match.group()) < _LEAST else _MARK, text)


def fits(got: str, template: str) -> bool:
    """Whether ``got`` is ``template``, with anything where that has marks."""
    pieces = list(map(re.escape, template.split(_MARK)))
    return got == template or (1 < len(pieces) <= _MOST_MARKS and re.fullmatch("[^\n]+?".join(pieces), got) is not None)


def _unit(match: re.Match[str]) -> str:
    if match["byte"]:
        return r"\x78"
    if match["short"]:
        return r"\u0078"
    if match["long"]:
        return r"\U00000078"
    one = match.group()
    if len(one) > 1 or not one.isalnum():
        return one
    if one.isdigit():
        return "0"
    return "X" if one.isupper() else "x"


def _card(number: str) -> str:
    """The same issuer, no customer, and a check digit that holds."""
    digits = [place for place, one in enumerate(number) if one.isdigit()]
    first = int(number[digits[0]])
    doubled = sum(divmod(2 * first, 10)) if len(digits) % 2 == 0 else first
    kept = {digits[0]: str(first), digits[-1]: str(-doubled % 10)}
    return "".join(kept.get(place, "0" if one.isdigit() else one) for place, one in enumerate(number))


def _is_card_placeholder(text: str) -> bool:
    return _DIGITS_OF_A_CARD.fullmatch(text) is not None and _card(text) == text
