"""What the solver is told of calls of texts (``core.text_calls``): not all that they do, but enough to look in the right place.
What it finds is computed and corrected (``solver``).

# Deviation: letters and digits of other scripts, and letters that become two in another case, are left out.
"""

from __future__ import annotations

from typing import Any, Final

from crashwright.core.pattern_calls import PatternCall
from crashwright.core.text_calls import TextCall
from crashwright.symbolic.solving.patterns import Words, read, read_found, read_group

_SAME_LENGTH: Final = frozenset({"capitalize", "swapcase", "title"})
_JUST: Final = {"isdigit": "[0-9]+", "isdecimal": "[0-9]+", "isnumeric": "[0-9]+", "isidentifier": "[A-Za-z_][A-Za-z0-9_]*"} | {
    "isascii": r"[\x00-\x7f]*",
    "isspace": r"\s+",
}
"""Tests that are a regular expression."""
_SOME: Final = {"isalpha": "[A-Za-z]+", "isalnum": "[A-Za-z0-9]+", "isupper": "[A-Z]+", "islower": "[a-z]+"}
"""Regular expressions of texts that pass a test; others may too."""
_NONE: Final = {"isalpha": r"[\x00-@]*", "isalnum": r"[\x00-/]*", "isupper": r"[\x00-@\[-\x7f]*", "islower": r"[\x00-`{-\x7f]*"}
"""Of texts that do not."""


def facts_of_call(z3: Any, words: Words, call: TextCall | PatternCall, whole: Any, made: Any) -> tuple[Any, ...]:
    """What holds of ``made``, which the call makes of ``whole``."""
    if isinstance(call, PatternCall):
        return _of_pattern(z3, words, call, whole, made)
    name = call.method
    first = call.args[0] if call.args else None
    given = words.text(first) if isinstance(first, str) else None
    if call.kind is bool:
        return _tested(z3, words, name, whole, made)
    if name in ("split", "rsplit", "splitlines"):
        return _parted(z3, words, call, whole, made)
    if name == "rpartition" and given is not None:
        place = z3.LastIndexOf(whole, given)
        behind = place + len(str(first))
        parts = (
            z3.If(place < 0, words.text(""), z3.SubString(whole, 0, place)),
            z3.If(place < 0, words.text(""), given),
            z3.If(place < 0, whole, z3.SubString(whole, behind, z3.Length(whole) - behind)),
        )
        return (made == parts[call.part or 0],)
    if name == "rfind" and given is not None and len(call.args) == 1:
        return (made == z3.LastIndexOf(whole, given),)
    if name == "count" and given is not None and first:
        return made >= 0, (made == 0) == z3.Not(z3.Contains(whole, given)), made * len(str(first)) <= z3.Length(whole)
    if call.kind is str:
        return _changed(z3, words, call, whole, made)
    return ()


def _of_pattern(z3: Any, words: Words, call: PatternCall, whole: Any, made: Any) -> tuple[Any, ...]:
    """A group is a part of the text, and what the group's own pattern matches."""
    method = "search" if call.method == "sub" else call.method
    found = z3.InRe(whole, read_found(method, call.pattern, words))
    if call.method == "sub":
        return (z3.Implies(z3.Not(found), made == whole),)
    if call.tested:
        return (made == found if call.group is None else z3.Implies(made, found),)
    group = read_group(call.pattern, call.group, words) if call.group else None
    inside = [z3.Contains(whole, made), *([z3.InRe(made, group)] if group is not None else [])]
    if call.method == "fullmatch" and not call.group:
        inside.append(made == whole)
    return (z3.Implies(found, z3.And(*inside)),)


def _tested(z3: Any, words: Words, name: str, whole: Any, made: Any) -> tuple[Any, ...]:
    if name in _JUST:
        return (made == z3.InRe(whole, read(_JUST[name], words)),)
    if name in _SOME:
        passing, failing = z3.InRe(whole, read(_SOME[name], words)), z3.InRe(whole, read(_NONE[name], words))
        return z3.Implies(passing, made), z3.Implies(failing, z3.Not(made))
    return ()


def _parted(z3: Any, words: Words, call: TextCall, whole: Any, made: Any) -> tuple[Any, ...]:
    separator = call.args[0] if call.args else None
    most = call.args[1] if len(call.args) > 1 and isinstance(call.args[1], int) and call.args[1] >= 0 else None
    blank = call.method == "splitlines" or separator is None
    if not call.counted:
        inside = [z3.Contains(whole, made)]
        if isinstance(separator, str) and most is None:
            inside.append(z3.Not(z3.Contains(made, words.text(separator))))
        return tuple(inside)
    if blank:
        nothing = whole == words.text("") if call.method == "splitlines" else z3.InRe(whole, z3.Star(read(r"\s", words)))
        return made >= 0, (made == 0) == nothing
    alone = z3.Not(z3.Contains(whole, words.text(str(separator))))
    return (made >= 1, (made == 1) == alone if most != 0 else made == 1, *([made <= most + 1] if most is not None else []))


def _changed(z3: Any, words: Words, call: TextCall, whole: Any, made: Any) -> tuple[Any, ...]:
    name, args = call.method, call.args
    if name in _SAME_LENGTH:
        return (z3.Length(made) == z3.Length(whole),)
    if name == "lstrip":
        return (z3.SuffixOf(made, whole),)
    if name == "rstrip":
        return (z3.PrefixOf(made, whole),)
    if name in ("strip", "removeprefix", "removesuffix"):
        return (z3.Contains(whole, made),)
    if name in ("ljust", "rjust", "center", "zfill") and isinstance(args[0], int):
        width = z3.If(z3.Length(whole) < args[0], args[0], z3.Length(whole))
        return (z3.Length(made) == width,)
    if name == "replace" and isinstance(args[0], str) and isinstance(args[1], str) and args[0]:
        old = words.text(args[0])
        kept = z3.Implies(z3.Not(z3.Contains(whole, old)), made == whole)
        gone = [z3.Not(z3.Contains(made, old))] if len(args[0]) == 1 and args[0] not in args[1] and len(args) == 2 else []
        return (kept, *gone)
    return ()
