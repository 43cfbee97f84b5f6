"""Classes of the caller's that a line names and nothing explains: a test defines them, derived from what the line asks for."""

from __future__ import annotations

import re
from random import Random

from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.types import ClassHint, Hint, TypeHint, is_any
from crashwright.engine.subject.introspection import is_protocol
from crashwright.engine.testcase.making.definitions import constructor_of
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.statements import Statement, Variable

_CLASS = re.compile(r"[A-Z](?:[A-Z0-9]*[a-z]\w*)?")


def is_class_name(identifier: str) -> bool:
    """Whether the name is written as those of classes are: ``Shelf``, ``A``, not ``LIMIT``."""
    return _CLASS.fullmatch(identifier) is not None


def may_be_class(hint: Hint, factory: Factory) -> bool:
    """Whether a class may stand where ``hint`` is asked for."""
    return is_any(hint) or isinstance(hint, TypeHint) or (isinstance(hint, ClassHint) and factory.is_own(hint.cls))


def callers_class(
    factory: Factory, statements: list[Statement], identifier: str, hint: Hint, rng: Random
) -> tuple[Variable, Callee | None]:
    """Appends the class of that name, derived from the one that ``hint`` asks for; and what calls that one, where there is one."""
    definer = factory.definer
    assert definer is not None
    if not isinstance(hint, ClassHint | TypeHint) or not factory.is_own(hint.cls):
        return definer.plain(factory, statements, identifier, rng), None
    made = definer.subclass(factory, statements, hint.cls, rng, identifier)
    return made, None if is_protocol(hint.cls) else constructor_of(factory, hint.cls)
