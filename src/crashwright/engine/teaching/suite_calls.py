"""What a factory is told of the calls of a module under test: how its functions use untyped parameters, which keywords they
understand, and which functions they are given."""

from __future__ import annotations

from random import Random

from crashwright.engine.frameworks.sqlalchemy_sessions import session_recipes
from crashwright.engine.sources.values.given_callables import teach_callables
from crashwright.engine.sources.values.understood_keywords import teach_keywords
from crashwright.engine.sources.values.used_types import suggest
from crashwright.engine.sources.values.wanted_values import teach_wants
from crashwright.engine.subject.introspection import loaded_dict
from crashwright.engine.subject.usage.caught import caught_in, waited_for
from crashwright.engine.subject.usage.read_records import known_values
from crashwright.engine.subject.usage.table_columns import columns_asked
from crashwright.engine.subject.usage.uses_of_values import Function
from crashwright.engine.teaching.lesson import SuiteLesson


def tell_uses(lesson: SuiteLesson) -> None:
    """What its functions use their parameters as."""
    suggest(lesson.factory, lesson.used.hints, lesson.callables)


def tell_sessions(lesson: SuiteLesson) -> None:
    """How sessions of a database are made, with the tables of the program."""
    for cls, recipe in session_recipes(lesson.api).items():
        lesson.factory.instances.learn_recipe(cls, recipe)


def tell_wanted(lesson: SuiteLesson) -> None:
    """What the whole package wants of parameters."""
    if lesson.wanted is not None:
        teach_wants(lesson.factory, lesson.wanted, lesson.callables, Random(lesson.rng.random()))


def tell_paths(lesson: SuiteLesson) -> None:
    """Which parameters are names of files and folders."""
    for callee in lesson.callables:
        for parameter in callee.parameters:
            place = lesson.used.names_in(callee, parameter.name)
            if place:
                lesson.factory.paths.learn(callee, parameter, place)


def tell_keywords(lesson: SuiteLesson) -> None:
    """The keywords that callables understand which take any."""
    teach_keywords(lesson.factory, lesson.api, lesson.callables, ())


def tell_tables(lesson: SuiteLesson) -> None:
    """What its functions ask of tables."""
    if lesson.source is not None:
        functions = [node for _, node in lesson.source.codes() if isinstance(node, Function)]
        lesson.factory.instances.columns = columns_asked(functions, known_values([loaded_dict(lesson.module)], {}))


def tell_thrown(lesson: SuiteLesson) -> None:
    """What may be thrown into generators."""
    if lesson.source is not None:
        waited = waited_for(lesson.source.tree, loaded_dict(lesson.module))
        lesson.factory.preferences.thrown = (*waited, RuntimeError)


def tell_callables(lesson: SuiteLesson) -> None:
    """Functions and classes for parameters that are decorated, inspected or called."""
    if lesson.source is not None:
        errors = caught_in(lesson.source.tree)
        teach_callables(lesson.factory, lesson.api, lesson.sources, lesson.module, lesson.callables, errors)
