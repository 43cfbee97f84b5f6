"""Factories that were told all that the table of teachings has for them."""

from __future__ import annotations

from random import Random

from crashwright.core.mechanisms import Mechanism
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.suite_subject import SuiteSubject
from crashwright.engine.sources.values.crash_classes import classes_of, quoted_names, raised_by
from crashwright.engine.sources.values.member_types import MemberTypes
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.teaching.lesson import CrashLesson, SuiteLesson
from crashwright.engine.teaching.table import teach_crash, teach_suite
from crashwright.engine.testcase.making.definitions import Definer
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.variety import CRASH, PLAIN, SUITE
from crashwright.engine.testcase.seeds import SeedPool

LONGEST = 40
"""Statements of a test that is made: changes may make it longer."""
DECLARED = 0.2
"""How often a class that is there to be derived from is declared anew in a test where one of the module is needed."""


def taught_for_crash(subject: CrashSubject, rng: Random) -> CrashLesson:
    """The lesson has the factory."""
    settings, target = subject.start.settings.search, subject.start.target
    pool = SeedPool(structured=settings.uses(Mechanism.TEXTS))
    defines = settings.uses(Mechanism.OBJECTS)
    quoted, members = quoted_names(target.message), MemberTypes().hints
    definer = Definer(classes_of(target), quoted, raised_by(target), members=members) if defines else None
    diverse = settings.uses(Mechanism.DIVERSITY) and settings.operators == "extended"
    variety = PLAIN if not diverse else CRASH if pool.structured else CRASH._replace(existing=0.0)
    length, entry = min(settings.length, LONGEST), subject.entry.callees
    factory = Factory(subject.api, pool, entry, length, variety=variety, definer=definer, diverse=diverse)
    lesson = CrashLesson(subject, factory, definer, rng)
    teach_crash(lesson, settings)
    return lesson


def taught_for_suite(subject: SuiteSubject, entry: tuple[Callee, ...], rng: Random) -> Factory:
    """``entry`` is what tests call."""
    settings = subject.start.settings.search
    owners = dict.fromkeys(callee.owner for callee in entry if callee.owner is not None)
    definer = Definer(tuple(owners), near=DECLARED, members=MemberTypes().hints) if settings.uses(Mechanism.OBJECTS) else None
    pool = SeedPool(varied=True, structured=settings.uses(Mechanism.TEXTS))
    factory = Factory(subject.api, pool, entry, min(settings.length, LONGEST), variety=SUITE, definer=definer)
    values = subject.examples.values
    teach_suite(
        SuiteLesson(factory, subject.api, subject.sources, subject.start.target.module, rng, subject.wanted, values), settings
    )
    return factory
