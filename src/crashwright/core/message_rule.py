"""When two messages agree (DESIGN, "What counts as reproduced"): one rule for the engine, the fingerprint and the verification.

# Deviation: what is listed may come in any order. That of a set is another one in each run of the program.
"""

from __future__ import annotations

import re
from typing import Any

from crashwright.core.placeholder import fits, opened
from crashwright.core.wordings import same_in_other_words

_EXACT = frozenset({"AttributeError", "TypeError", "NameError", "UnboundLocalError", "ImportError", "ModuleNotFoundError"})
_IMPORT = frozenset({"ImportError", "ModuleNotFoundError"})
_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
# Printed by tracebacks since 3.10 but no part of str(error): it depends on what else is in scope, and on the Python version.
_SUGGESTION = re.compile(r"\. Did you (?:mean|forget to import)\b.*\?$", re.DOTALL)
# The interpreter's words for what it did when the stack was full: " in comparison", " while calling a Python object".
_OVERFLOW = re.compile(r"(?<=^maximum recursion depth exceeded) (?:in|while) .*$", re.DOTALL)
# "cannot import name 'x' from 'y' (/some/where/y.py)": where y is installed is no part of what went wrong.
_PLACE = re.compile(r" \((?:/|[A-Za-z]:\\|unknown location).*\)$")

# Three things or more in a row, or two in braces: of a set, the order is another one in each run.
_LISTED = re.compile(r"(?<=\{)[^{}]*, [^{}]*(?=\})|[^,(){}\[\]]+(?:,[ \n][^,(){}\[\]]+){2,}")


def normalise_message(exception: str, message: str) -> str:
    """What of ``message`` counts for an exception of this (printed) type name: its template."""
    name = exception.rpartition(".")[2]
    if name == "KeyError":
        return "_"
    text = _ADDRESS.sub("0x", message.strip())
    if name in _EXACT:
        text = _SUGGESTION.sub("", text)
        return _PLACE.sub("", text) if name in _IMPORT else text
    if name == "RecursionError":
        text = _OVERFLOW.sub("", text)
    return _NUMBER.sub("#", _QUOTED.sub("'_'", text))


def plain_message(exception: str, message: str) -> str:
    """The first line of ``message`` without what depends on the machine or on what else is in scope."""
    name = exception.rpartition(".")[2]
    text = _SUGGESTION.sub("", message.partition("\n")[0].strip())
    return _PLACE.sub("", text) if name in _IMPORT and "(consider renaming" not in text else text


def is_exact(exception: str) -> bool:
    """Whether messages of this (printed) type name must be the same but for addresses."""
    return exception.rpartition(".")[2] in _EXACT


def messages_agree(exception: str, wanted: str, got: str) -> bool:
    """True if a crash with the message ``got`` is the crash reported with ``wanted``.

    Where one of them is a single line it need only agree with the first line of the other: a printed report does not tell where
    a message ends, so further lines may be other output, or paragraphs of the message that were left out. Where a secret was left
    out of ``wanted``, ``got`` may have anything. Another version of Python may say the same in other words (``wordings``).
    """
    return same_words(exception, wanted, got) or same_in_other_words(
        exception.rpartition(".")[2], plain_message(exception, wanted), plain_message(exception, got)
    )


def same_words(exception: str, wanted: str, got: str) -> bool:
    """The same, but of messages that one version of Python may have."""
    if wanted == got:
        return True
    if ("\n" in wanted) != ("\n" in got):
        wanted, got = wanted.partition("\n")[0], got.partition("\n")[0]
    expected, found = normalise_message(exception, wanted), normalise_message(exception, got)
    # The same letters are asked for first: it is quick, and few messages have them.
    if expected == found or (sorted(expected) == sorted(found) and in_any_order(expected) == in_any_order(found)):
        return True
    return fits(found, normalise_message(exception, opened(wanted)))


def in_any_order(text: str) -> str:
    """``text`` with the words of what it lists in an order of their own."""
    return _LISTED.sub(lambda listed: " ".join(sorted(listed[0].replace(",", " ").split())), text)


def printed_message(error: BaseException) -> str:
    """What a traceback prints after the type's name: the message and the notes. (A SyntaxError prints its bare message.)"""
    try:
        shown: Any = error
        syntax = issubclass(type(error), SyntaxError) and shown.msg
        text = str(shown.msg if syntax else error)
    except BaseException:  # noqa: BLE001
        # The subject's own __str__ failed: these are the words that tracebacks print in its place.
        text = "<exception str() failed>"
    try:
        notes = getattr(error, "__notes__", None)
        return "\n".join((text, *map(str, notes))) if type(notes) is list or type(notes) is tuple else text
    except BaseException:  # noqa: BLE001 - as above
        return text
