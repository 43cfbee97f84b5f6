"""Values of a report that look like secrets: they are kept out of searches, tests and caches unless the user allows them.

Locals in a report may hold what a program held when it crashed. What a name or a value gives away is left out whole: half a token
is of no use to a search. The filter errs on the side of leaving out; numbers, short words and ordinary text stay.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

_STRONG = frozenset(
    "password passwords passwd passphrase passcode pwd secret secrets apikey credential credentials cvv cvc ssn dsn jwt".split()
)
"""Words in a name that give any value away."""
_WEAK = frozenset(
    "token tokens authorization auth cookie cookies session sessionid sessid bearer csrf xsrf otp pin signature salt".split()
)
"""Words that also mean harmless things: a tokenizer's ``token`` is mostly a few characters."""
_PAIRS = re.compile("(?:api|access|private|secret|encryption|signing|ssh|master)_?keys?|(?:card|account)_?number|credit_?card")
_SPLIT = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")
_VALUES = (
    re.compile(r"-----BEGIN [A-Z ]*(?:KEY|CERTIFICATE|MESSAGE)"),
    re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"),  # a JSON web token
    re.compile(r"\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b"),
    re.compile(r"\b(?:ghp|gho|ghu|ghs|ghr|github_pat|glpat|npm|pypi|hf)[_-][A-Za-z0-9_-]{16,}"),
    re.compile(r"\b(?:sk|pk|rk)[-_](?:[a-z]+[-_])*[A-Za-z0-9_-]{16,}"),
    re.compile(r"\bxox[abeoprs]-[A-Za-z0-9-]{8,}"),
    re.compile(r"\bAIza[\w-]{30,}"),
    re.compile(r"\b[Bb]earer\s+[A-Za-z0-9+/=._~-]{8,}"),
    re.compile(r"\b(?:Basic|Token)\s+(?=\S*[A-Z0-9=])[A-Za-z0-9+/=._~-]{8,}"),
    re.compile(r"[a-z][a-z0-9+.-]{0,20}://[^\s/:@'\"]*:[^\s/@'\"]+@", re.IGNORECASE),  # a URL with a password
    re.compile(r"(?:pass(?:word|wd)?|pwd|secret|token|api_?key)\s*[=:]\s*[^\s,;&'\"]{3,}", re.IGNORECASE),
)
# In a repr of an object or mapping: 'password': ..., password=...
_INNER_NAME = re.compile(r"(?:['\"](?P<key>[A-Za-z][\w-]*)['\"]\s*:|\b(?P<field>[A-Za-z]\w*)=)")
_EMPTY = r"None|True|False|\.\.\.|b?''|b?\"\"|<[^<>]*>"
_SMALL = rf"{_EMPTY}|-?\d{{1,3}}|b?'[^']{{0,3}}'|b?\"[^\"]{{0,3}}\""
_AFTER = r"(?![\w.\[('\"])"
_NOTHING = re.compile(rf"\s*(?:{_EMPTY}|\[\]|\(\)|\{{\}}){_AFTER}")
"""Values that have nothing in them to give away: no contents, or an object without its attributes."""
_ITEMS = rf"(?:{_SMALL})(?:\s*[,:]\s*(?:{_SMALL}))*\s*,?"
_LITTLE = re.compile(rf"\s*(?:{_SMALL}|[\[({{]\s*(?:{_ITEMS})?\s*[\])}}]){_AFTER}")
"""Values too short for a secret."""
_CARD = re.compile(r"(?<![\d.])(?:\d[ -]?){13,19}(?![\d.])")
_RUN = re.compile(r"[A-Za-z0-9+/_=-]{24,}")
_HEX = re.compile(r"[0-9a-fA-F]{32,}")
_WORD = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{3,}")
_LEAST_NOISE = 0.3
"""Share of letters and digits outside of words: names and paths have less, random base64 has about 0.7."""


class Sifted(NamedTuple):
    """``kept`` are the values without those of the names ``left_out``."""

    kept: dict[str, str]
    left_out: tuple[str, ...]


def sift(values: Mapping[str, str]) -> Sifted:
    """Take apart what may be used and what looks like a secret. Values are reprs, names those of variables."""
    kept = {name: text for name, text in values.items() if not is_secret(name, text)}
    return Sifted(kept, tuple(name for name in values if name not in kept))


def is_secret(name: str, text: str) -> bool:
    """Whether the value with this repr should not leave the report: by the variable's name, by a name inside, or by its look."""
    if _gives_away(name, text, 0):
        return True
    inner = ((match["key"] or match["field"], match.end()) for match in _INNER_NAME.finditer(text))
    return any(_gives_away(key, text, start) for key, start in inner) or looks_secret(text)


def _gives_away(name: str, text: str, start: int) -> bool:
    """Whether a value under this name, which begins at ``start``, is a secret by custom."""
    words = [word.lower() for word in _SPLIT.split(name) if word]
    if _STRONG.intersection(words) or _PAIRS.search("_".join(words)):
        return not _NOTHING.match(text, start)
    return bool(_WEAK.intersection(words)) and not _LITTLE.match(text, start)


def looks_secret(text: str) -> bool:
    """Whether a text has the form of a key, token, card number or password somewhere in it."""
    if any(pattern.search(text) for pattern in _VALUES):
        return True
    if any(_is_card(match.group()) for match in _CARD.finditer(text)):
        return True
    return any(_is_random(match.group()) for match in _RUN.finditer(text))


def _is_card(text: str) -> bool:
    """By Luhn's check digit."""
    digits = [int(character) for character in text if character.isdigit()]
    if digits[0] not in (3, 4, 5, 6) or len(set(digits)) == 1:
        return False  # such as a time in microseconds
    doubled = (sum(divmod(2 * digit, 10)) if place % 2 else digit for place, digit in enumerate(reversed(digits)))
    return sum(doubled) % 10 == 0


def _is_random(run: str) -> bool:
    """A long run of hexadecimal digits, or of letters and digits of which little belongs to words."""
    if _HEX.fullmatch(run):
        return len(set(run.lower())) > 5
    characters = [character for character in run if character.isalnum()]
    kinds = (str.islower, str.isupper, str.isdigit)
    if not all(any(kind(character) for character in characters) for kind in kinds):
        return False
    noise = [character for character in _WORD.sub("", run) if character.isalnum()]
    return len(noise) / len(characters) >= _LEAST_NOISE
