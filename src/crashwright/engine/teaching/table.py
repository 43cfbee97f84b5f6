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

WORDS, GUIDANCE, TEXTS, WANTS = Mechanism.WORDS, Mechanism.GUIDANCE, Mechanism.TEXTS, Mechanism.WANTS
OBJECTS = Mechanism.OBJECTS


class TeachingRow(NamedTuple):
    """A teaching with its place. ``crash`` and ``suite`` are functions, for the two kinds of searches."""

    name: str
    """By which users switch it off."""
    about: str
    """What it tells, for users."""
    mechanism: Mechanism | None = None
    """What it is a part of: it is switched off with that."""
    crash: Callable[[CrashLesson], None] | None = None
    suite: Callable[[SuiteLesson], None] | None = None


TEACHINGS: tuple[TeachingRow, ...] = (
    # Values that all tests draw from.
    TeachingRow(
        "constants",
        "constants, regular expressions and reported values",
        crash=crash_values.tell_constants,
        suite=suite_values.tell_constants,
    ),
    TeachingRow("formats", "values in samples of formats", crash=crash_values.tell_formats),
    TeachingRow("message", "texts that the message was put together of", crash=crash_values.tell_message_parts),
    TeachingRow("keys", "keys of tables that are looked up", crash=crash_values.tell_keys),
    TeachingRow("shown", "values in usage examples", crash=crash_values.tell_examples),
    TeachingRow("dispatch", "words that names of handlers are computed from", GUIDANCE, crash_values.tell_dispatch),
    TeachingRow("guards", "constants of functions that write what guards read", GUIDANCE, crash_values.tell_guards),
    # Calls that lead further.
    TeachingRow("writers", "calls of functions that write what guards read", GUIDANCE, crash_calls.tell_writers),
    TeachingRow("settable", "attributes that decisions read, to be set", GUIDANCE, crash_calls.tell_settable),
    TeachingRow("state-lines", "lines for what fills an object's state", TEXTS, crash_calls.tell_state_lines),
    TeachingRow("closures", "functions that the entries make and return", WORDS, crash_calls.tell_closure),
    TeachingRow("setters", "properties that are set", WORDS, crash_calls.tell_setters),
    TeachingRow("declarations", "class statements by which Python calls the code", crash=crash_calls.tell_declarations),
    TeachingRow("makers", "functions that make what the entries are called on", crash=crash_calls.tell_makers),
    TeachingRow("sessions", "sessions with the program's tables", OBJECTS, crash_calls.tell_sessions, suite_calls.tell_sessions),
    # What parameters take.
    TeachingRow("uses", "types, by what the code does with parameters", crash=crash_calls.tell_uses, suite=suite_calls.tell_uses),
    TeachingRow("wanted", "values, by what the whole package wants", WANTS, crash_calls.tell_wanted, suite_calls.tell_wanted),
    TeachingRow("paths", "parameters that are paths of files", suite=suite_calls.tell_paths),
    TeachingRow("keywords", "keywords of callables that take any", WORDS, crash_calls.tell_keywords),
    TeachingRow("keywords", "keywords of callables that take any", suite=suite_calls.tell_keywords),
    TeachingRow("looks", "texts and records, by what reads them", TEXTS, crash_calls.tell_looks),
    TeachingRow("tables", "columns that the code asks of tables", OBJECTS, crash_calls.tell_tables, suite_calls.tell_tables),
    TeachingRow("matched", "lines that regular expressions take apart", TEXTS, crash_calls.tell_matched),
    TeachingRow("inner-uses", "types for functions that the entries make", crash=crash_calls.tell_inner_uses),
    TeachingRow("passed", "what usage examples pass by name", WORDS, crash_calls.tell_passed),
    TeachingRow("thrown", "exceptions that the module waits for", suite=suite_calls.tell_thrown),
    TeachingRow("callables", "functions for parameters that are called", suite=suite_calls.tell_callables),
    TeachingRow("looked-up", "values that names are looked up among", suite=suite_values.tell_looked_up),
    TeachingRow("own-constants", "constants of the functions that a call runs", suite=suite_values.tell_own_constants),
    TeachingRow("shown", "values in usage examples", suite=suite_values.tell_examples),
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


def _is_on(row: TeachingRow, settings: SearchSettings) -> bool:
    return row.name not in settings.without_rows and (row.mechanism is None or settings.uses(row.mechanism))
