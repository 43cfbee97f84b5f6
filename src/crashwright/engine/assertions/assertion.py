"""Assertions on what a test made: nouns shared by those who find them, print them and send them."""

from __future__ import annotations

from typing import NamedTuple

from crashwright.engine.testcase.statements import Expected, Named, Variable
from crashwright.engine.testcase.testcase import TestCase


class Observed(NamedTuple):
    """What is looked at: the value of a variable, or what lies behind it. ``path`` has one step for each look, outermost last:
    ``.name`` (attribute or property), ``.name()`` (a method,
    with literals as arguments if it has any), ``[0]`` (item of a list or tuple), ``len``
    (``len(x)``), ``str`` (``str(x)``), ``repr``, ``list`` (``list(x)``), ``type`` (``type(x).__name__``)."""

    variable: Variable
    path: tuple[str, ...] = ()


class Assertion(NamedTuple):
    """``assert OBSERVED KIND EXPECTED`` after the statement with index ``after``. Kinds: ``equals``; ``approximately`` (a float, or
    a list, tuple or dict with floats: ``pytest.approx``); ``is`` (None, True, False, another variable as Ref, or an enum member,
    class or function as Named); ``isinstance`` (``expected`` is a Named class); ``nan`` (no expected value)."""

    after: int
    observed: Observed
    kind: str
    expected: Expected = None


class Raised(NamedTuple):
    """The last statement raises. ``exception`` is the class to name in ``pytest.raises`` (the nearest public, importable one);
    ``message`` the stable text to match, None where none is stable."""

    exception: Named
    message: str | None = None


class AssertedTest(NamedTuple):
    """A test with what holds in every run of it. ``assertions`` are in order of ``after``."""

    test: TestCase
    assertions: tuple[Assertion, ...] = ()
    raised: Raised | None = None
