"""What a factory is told of calls for a search for a crash: which of them lead further, and what their parameters take."""

from __future__ import annotations

from random import Random

from crashwright.core.mechanisms import Mechanism
from crashwright.engine.frameworks.sqlalchemy_sessions import session_recipes
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.settable_fields import settable_fields
from crashwright.engine.sources.state_lines import lines_read, state_lines_for, tell_state_lines_to
from crashwright.engine.sources.values.example_seeds import values_by_parameter
from crashwright.engine.sources.values.frame_types import FrameTypes
from crashwright.engine.sources.values.parameter_looks import learn_looks
from crashwright.engine.sources.values.understood_keywords import teach_keywords
from crashwright.engine.sources.values.used_types import suggest
from crashwright.engine.sources.values.wanted_values import teach_wants
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.api.class_statements import declared_by
from crashwright.engine.subject.api.closures import closure_of
from crashwright.engine.subject.api.code_index import key_of
from crashwright.engine.subject.layers import can_be_set, layers_of, setters_of
from crashwright.engine.subject.usage.table_columns import columns_asked
from crashwright.engine.teaching.lesson import CrashLesson
from crashwright.engine.testcase.making.class_statements import ClassStatements

USUAL = 0.5
"""How often an untyped parameter of a callable on the way gets what its function expects: what crashes is often another type."""


def tell_writers(lesson: CrashLesson) -> None:
    """The functions that write what guards read are called more often."""
    lesson.factory.preferences.add(lesson.subject.writers.callees)


def tell_sessions(lesson: CrashLesson) -> None:
    """How sessions of a database are made, with the tables of the program."""
    for cls, recipe in session_recipes(lesson.subject.api).items():
        lesson.factory.instances.learn_recipe(cls, recipe)


def tell_settable(lesson: CrashLesson) -> None:
    """Attributes that the decisions on the path read, for tests to set."""
    for cls, fields in settable_fields(lesson.target, lesson.subject.sources).items():
        lesson.factory.preferences.fields.learn(cls, fields)


def tell_state_lines(lesson: CrashLesson) -> None:
    """Lines for the functions that fill an object's state."""
    subject, writers = lesson.subject, lesson.subject.writers
    if writers.callees:
        reading = (*writers.functions, *(node for _, node in subject.called))
        lines = lines_read(reading, lesson.target, lesson.live, lesson.rng)
        lesson.state_lines = state_lines_for(writers.callees, lines, subject.used.hints)
        tell_state_lines_to(lesson.factory, lesson.state_lines)


def tell_closure(lesson: CrashLesson) -> None:
    """The function that the entries make, where the crash is in it and none of them runs it itself."""
    subject, key = lesson.subject, lesson.target.frames[0].key
    if not any(key in subject.api.keys_of(callee) for callee in subject.entry.callees):
        lesson.factory.preferences.closure = closure_of(key, subject.sources)


def tell_setters(lesson: CrashLesson) -> None:
    """The properties whose setters the crash is entered by: reading them would not do."""
    lesson.factory.preferences.setters = setters_entered(lesson.subject)


def setters_entered(subject: CrashSubject) -> tuple[Callee, ...]:
    """These properties."""
    key = subject.start.target.frames[0].key
    properties = [callee for callee in subject.entry.callees if callee.kind is CalleeKind.PROPERTY and can_be_set(callee.live)]
    return tuple(
        one for one in properties if any(key == key_of(part) for part in layers_of(next(iter(setters_of(one.live)), None)))
    )


def tell_declarations(lesson: CrashLesson) -> None:
    """Where Python itself calls the target's function when a class is declared, tests declare one."""
    if lesson.definer is not None:
        declared = declared_by(lesson.subject.api, lesson.target.frames[0].key)
        lesson.factory.preferences.class_statements = ClassStatements(declared, lesson.definer)


def tell_makers(lesson: CrashLesson) -> None:
    """The functions that make what the entries are called on."""
    for cls, makers in lesson.subject.entry.makers:
        lesson.factory.learn_makers(cls, makers)


def tell_uses(lesson: CrashLesson) -> None:
    """What callables on the way use their parameters as, and of which classes these were by the frames."""
    subject, used = lesson.subject, lesson.subject.used
    by_words = subject.start.settings.search.uses(Mechanism.WORDS)
    seen = FrameTypes(lesson.target, subject.api, subject.sources) if by_words else None
    hints = used.hints if seen is None else lambda callee, name: (*seen.of(callee, name), *used.hints(callee, name))
    # Of these alone: to read all that a large package does takes seconds.
    suggest(lesson.factory, hints, dict.fromkeys((*lesson.needed, *subject.writers.callees)), USUAL)


def tell_wanted(lesson: CrashLesson) -> None:
    """What the whole package wants of parameters."""
    if lesson.subject.wanted is not None:
        teach_wants(lesson.factory, lesson.subject.wanted, lesson.needed, Random(lesson.rng.random()))


def tell_keywords(lesson: CrashLesson) -> None:
    """The keywords that callables understand which take any."""
    subject, factory = lesson.subject, lesson.factory
    callables = dict.fromkeys((*lesson.needed, *subject.writers.callees, *factory.relatives))
    teach_keywords(factory, subject.api, callables, lesson.modules)


def tell_looks(lesson: CrashLesson) -> None:
    """What parameters have to look like, by what they are read with."""
    subject = lesson.subject
    beside = [*subject.path[0], *(node for _, node in subject.called)]
    learn_looks(
        lesson.factory, lesson.needed, beside, subject.api, subject.sources, subject.known, subject.said, wanted=subject.wanted
    )


def tell_tables(lesson: CrashLesson) -> None:
    """What the functions of the path, and those that they call, ask of tables."""
    subject = lesson.subject
    lesson.factory.instances.columns = columns_asked([*subject.path[0], *(node for _, node in subject.called)], subject.known)


def tell_matched(lesson: CrashLesson) -> None:
    """Lines that regular expressions of the path take apart."""
    tell_state_lines_to(lesson.factory, state_lines_for(lesson.needed, lesson.subject.matched, lesson.subject.used.hints))


def tell_inner_uses(lesson: CrashLesson) -> None:
    """What the function that the entries make uses its parameters as."""
    if lesson.closure is not None:
        suggest(lesson.factory, lesson.subject.used.of_inner, (*lesson.closure.levels, lesson.closure.last))


def tell_passed(lesson: CrashLesson) -> None:
    """What usage examples pass for a parameter of that name."""
    lesson.factory.suggestions.show(values_by_parameter(lesson.subject.examples, lesson.needed))
