"""The table of teachings: who tells the factory and its values what before a search, in the order in which they do.

What a teaching is stands in ``teaching.lesson``. To add one: a function, and a line here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from crashwright.core.mechanisms import Mechanism
from crashwright.core.settings import SearchSettings
from crashwright.engine.teaching import crash_calls, crash_values, suite_calls, suite_values
from crashwright.engine.teaching.lesson import CrashLesson, SuiteLesson

WORDS, GUIDANCE, TEXTS = Mechanism.WORDS, Mechanism.GUIDANCE, Mechanism.TEXTS


class Row(NamedTuple):
    """A teaching with its place. ``crash`` and ``suite`` are functions, for the two kinds of searches."""

    name: str
    """By which users switch it off."""
    about: str
    """What it tells, for users."""
    mechanism: Mechanism | None = None
    """What it is a part of: it is switched off with that."""
    crash: Callable[[CrashLesson], None] | None = None
    suite: Callable[[SuiteLesson], None] | None = None


TEACHINGS: tuple[Row, ...] = (
    # Values that all tests draw from.
    Row(
        "constants",
        "constants, regular expressions and reported values",
        crash=crash_values.tell_constants,
        suite=suite_values.tell_constants,
    ),
    Row("formats", "values in samples of formats", crash=crash_values.tell_formats),
    Row("message", "texts that the message was put together of", crash=crash_values.tell_message_parts),
    Row("keys", "keys of tables that are looked up", crash=crash_values.tell_keys),
    Row("shown", "values in usage examples", crash=crash_values.tell_examples),
    Row("dispatch", "words that names of handlers are computed from", GUIDANCE, crash_values.tell_dispatch),
    Row("guards", "constants of functions that write what guards read", GUIDANCE, crash_values.tell_guards),
    # Calls that lead further.
    Row("writers", "calls of functions that write what guards read", GUIDANCE, crash_calls.tell_writers),
    Row("settable", "attributes that decisions read, to be set", GUIDANCE, crash_calls.tell_settable),
    Row("state-lines", "lines for what fills an object's state", TEXTS, crash_calls.tell_state_lines),
    Row("closures", "functions that the entries make and return", WORDS, crash_calls.tell_closure),
    Row("setters", "properties that are set", WORDS, crash_calls.tell_setters),
    Row("declarations", "class statements by which Python calls the code", crash=crash_calls.tell_declarations),
    Row("makers", "functions that make what the entries are called on", crash=crash_calls.tell_makers),
    # What parameters take.
    Row("uses", "types, by what the code does with parameters", crash=crash_calls.tell_uses, suite=suite_calls.tell_uses),
    Row("paths", "parameters that are paths of files", suite=suite_calls.tell_paths),
    Row("keywords", "keywords of callables that take any", WORDS, crash_calls.tell_keywords),
    Row("keywords", "keywords of callables that take any", suite=suite_calls.tell_keywords),
    Row("looks", "texts and records, by what reads them", TEXTS, crash_calls.tell_looks),
    Row("matched", "lines that regular expressions take apart", TEXTS, crash_calls.tell_matched),
    Row("inner-uses", "types for functions that the entries make", crash=crash_calls.tell_inner_uses),
    Row("passed", "what usage examples pass by name", WORDS, crash_calls.tell_passed),
    Row("thrown", "exceptions that the module waits for", suite=suite_calls.tell_thrown),
    Row("callables", "functions for parameters that are called", suite=suite_calls.tell_callables),
    Row("own-constants", "constants of the functions that a call runs", suite=suite_values.tell_own_constants),
    Row("shown", "values in usage examples", suite=suite_values.tell_examples),
)


def teach_crash(lesson: CrashLesson, settings: SearchSettings) -> None:
    """All that is not switched off."""
    for row in TEACHINGS:
        if row.crash is not None and _is_on(row, settings):
            row.crash(lesson)


def teach_suite(lesson: SuiteLesson, settings: SearchSettings) -> None:
    """All that is not switched off."""
    for row in TEACHINGS:
        if row.suite is not None and _is_on(row, settings):
            row.suite(lesson)


def _is_on(row: Row, settings: SearchSettings) -> bool:
    return row.name not in settings.without_sources and (row.mechanism is None or settings.uses(row.mechanism))
