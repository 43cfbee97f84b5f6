"""The values that a search for a crash begins with: of the report, of the code on its way, of usage examples (DESIGN, seeds)."""

from __future__ import annotations

from crashwright.engine.sources.path_words import add_dispatched, add_patterns, add_written
from crashwright.engine.sources.values.example_seeds import fill_from_examples
from crashwright.engine.sources.values.samples import stock
from crashwright.engine.sources.values.seeding import IN_MESSAGE, ON_PATH, add_seed, fill_pool
from crashwright.engine.teaching.lesson import CrashLesson


def tell_constants(lesson: CrashLesson) -> None:
    """Constants and regular expressions on the path and of its modules, values of the message and of the frames."""
    fill_pool(lesson.pool, lesson.target, *lesson.subject.path, lesson.live, lesson.rng)


def tell_formats(lesson: CrashLesson) -> None:
    """Samples of the formats that the path reads, and what stands under the keys of records."""
    stock(lesson.pool, lesson.subject.samples)
    lesson.pool.fields, lesson.pool.lines = lesson.subject.fields, lesson.subject.lines


def tell_message_parts(lesson: CrashLesson) -> None:
    """The texts that the message was put together of."""
    for text in lesson.subject.filled.said:
        add_seed(lesson.pool, text, IN_MESSAGE, "the message")


def tell_keys(lesson: CrashLesson) -> None:
    """The keys of the tables that the path looks things up in."""
    for key in lesson.subject.keys:
        add_seed(lesson.pool, key, ON_PATH, "a key of a table")


def tell_examples(lesson: CrashLesson) -> None:
    """Values of usage examples."""
    entry = lesson.subject.entry.callees
    fill_from_examples(lesson.pool, lesson.subject.examples, frozenset(callee.name for callee in entry))


def tell_dispatch(lesson: CrashLesson) -> None:
    """The words by which frames came to the next ones."""
    add_dispatched(lesson.pool, lesson.target, lesson.subject.sources, lesson.subject.path[1])


def tell_guards(lesson: CrashLesson) -> None:
    """Constants of the functions that write what guards read, and what their regular expressions match."""
    add_written(lesson.pool, lesson.subject.writers)
    add_patterns(lesson.pool, lesson.target, lesson.subject.writers, lesson.live, lesson.rng)
