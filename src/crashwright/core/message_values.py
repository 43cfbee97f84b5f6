"""The values that a message quotes: which other values would make it another bug (DESIGN, "Fail-to-pass").

Where ``message_rule`` says that two messages are of one template, this says whether what stands in it is the same as well:
``KeyError: <VatRate.ZERO>`` answered by ``KeyError: 0`` keeps the template and proves something else.
"""

from __future__ import annotations

import re

from crashwright.core.message_rule import is_exact, same_words

_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")
# A quotation mark within a word is an apostrophe.
_VALUE = re.compile(r"(?<!\w)'[^']*'|(?<!\w)\"[^\"]*\"|-?\d+(?:\.\d+)?")
_OUT_OF_REACH = re.compile(r"(?:^|[\s'\"(=:])(?:/[^\s/'\"]+){2,}|\b[A-Za-z]:\\|\*{3}|\[Filtered\]|^-?\d{12,}$")
"""Paths of another machine, what was left out as a secret, and numbers that are addresses or times: no test can give them."""
SAME = 0.0


def values_in(exception: str, message: str) -> tuple[str, ...]:
    """What ``message`` quotes, in its order; of a KeyError the key as it is printed. Nothing for exceptions whose messages must be
    the same anyway."""
    return () if is_exact(exception) else quoted_in(exception, message)


def quoted_in(exception: str, message: str) -> tuple[str, ...]:
    """The same, of any exception."""
    text = _ADDRESS.sub("0x", message.strip())
    if exception.rpartition(".")[2] == "KeyError":
        return (text,)
    return tuple(_VALUE.findall(text))


def value_distance(exception: str, wanted: str, got: str) -> float:
    """0 where ``got`` quotes the values of ``wanted`` as far as a test can give them, else up to 1: how many differ, and how much.
    The messages agree (``message_rule.messages_agree``)."""
    if ("\n" in wanted) != ("\n" in got):
        wanted, got = wanted.partition("\n")[0], got.partition("\n")[0]
    if wanted == got or not same_words(exception, wanted, got):  # other words, which quote other things
        return SAME
    pairs = list(zip(values_in(exception, wanted), values_in(exception, got), strict=False))
    counting = [(one, other) for one, other in pairs if not _OUT_OF_REACH.search(one)]
    if not counting:
        return SAME
    return sum(_difference(one, other) for one, other in counting) / len(counting)


def _difference(one: str, other: str) -> float:
    """0 for the same text, else between 0.5 and 1."""
    if one == other:
        return 0.0
    try:
        gap = abs(float(one) - float(other))
    except ValueError:
        longest = max(len(one), len(other))
        start = _common(one, other)
        shared = start + _common(one[start:][::-1], other[start:][::-1])
        return 1.0 - 0.5 * min(shared, longest - 1) / longest
    return 0.5 + 0.5 * (gap / (1.0 + gap) if gap < 1e300 else 1.0)


def _common(one: str, other: str) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count
