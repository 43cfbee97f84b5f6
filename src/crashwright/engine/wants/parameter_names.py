"""What the name of a parameter says of its type, in code that says nothing else."""

from __future__ import annotations

import collections.abc
import io
import pathlib
import re
from collections.abc import Mapping
from typing import cast

from crashwright.engine.subject.api.types import ClassHint, Hint

TEXT = ClassHint(str)
INT = ClassHint(int)
CALLABLE = ClassHint(cast(type, collections.abc.Callable))
_TEXTS = ClassHint(list, (TEXT,))

_CALLABLES = "func function fn callback cb handler hook predicate factory callable f decorator getter setter on_error"
CALLABLE_NAMES = frozenset((*_CALLABLES.split(), "plugin", "command", "listener", "receiver", "task", "job", "view", "validator"))
"""Names of parameters that say that something is called."""
_NAMED: tuple[tuple[Hint, str], ...] = (
    (TEXT, "text string str s name title key word line label prefix"),
    (TEXT, "suffix pattern encoding msg message url uri query html xml content"),
    (TEXT, "source src code expr expression format fmt sep separator"),
    (TEXT, "delimiter charset lang language locale currency tag char unit token"),
    (TEXT, "template schema_string raw markup css sql grammar rule date_string input body identifier attr attribute"),
    (INT, "n i j k num number count size length width height depth"),
    (INT, "index idx pos position offset start stop end step limit level indent"),
    (INT, "timeout port year month day hour minute second seconds max"),
    (INT, "min maximum minimum amount total age rank order precision digits"),
    (ClassHint(bool), "flag strict verbose force recursive ignore debug enabled disabled reverse quiet dry_run"),
    (ClassHint(bytes), "bytes data_bytes buf buffer payload blob signature digest raw_bytes der sig"),
    (_TEXTS, "lines names words strings tokens tags columns headers fields keys argv args paths"),
    (ClassHint(list), "items values elements rows seq sequence iterable lst array"),
    (ClassHint(list), "objects nodes entries children results list list_ records xs"),
    (ClassHint(dict), "kwargs options opts config mapping map params attrs attributes"),
    (ClassHint(dict), "env environ context dict d settings metadata meta dct"),
    (CALLABLE, _CALLABLES),
    (ClassHint(pathlib.Path), "path filename file_name filepath file_path pathname"),
    (ClassHint(io.IOBase), "file fp fd stream fileobj file_obj f_in f_out infile outfile handle reader writer"),
)
_BOOLEAN = re.compile(r"^(is|has|use|with|allow|no|should|can|include|exclude|ignore|keep|skip|enable|disable)_")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORDS: dict[str, Hint] = {word: hint for hint, words in _NAMED for word in words.split()}


def snake_case(name: str) -> str:
    """``HTMLParser`` as ``html_parser``."""
    return _CAMEL.sub("_", name).lower().strip("_")


def said_by_name(name: str, classes: Mapping[str, Hint]) -> Hint | None:
    """What a name says; None if that is nothing. ``classes`` are those of the subject by their names in snake case."""
    plain = name.strip("_").lower()
    last = plain.rpartition("_")[2]
    found = classes.get(plain) or _WORDS.get(plain) or classes.get(last) or _WORDS.get(last)
    if found is None and _BOOLEAN.match(plain):
        found = ClassHint(bool)
    if found is None and plain.endswith("s") and not plain.endswith("ss"):
        singular = classes.get(plain[:-1])
        found = ClassHint(list) if singular is None else ClassHint(list, (singular,))
    return found
