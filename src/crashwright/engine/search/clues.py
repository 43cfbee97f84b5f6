"""What a search for one crash knows of a good test of it, beside the crash itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.testcase.echoing.shape import ShownCall
from crashwright.engine.testcase.statements import Value, Variable
from crashwright.engine.testcase.testcase import TestCase


@dataclass(frozen=True, slots=True)
class Clues:
    """Of tests that are as good one is kept that ``is_legal`` (its arguments are what signatures ask for) and makes the ``calls``
    that the report echoes. ``quoted`` are literals that the report shows, by the variables that hold them. ``repairs`` gives what
    to try in place of a test that reproduces the crash, but not as the report shows it."""

    is_legal: Callable[[TestCase], bool] = lambda _test: True
    calls: Callable[[], Sequence[ShownCall]] = tuple
    quoted: Mapping[Variable, Value] = field(default_factory=dict)
    repairs: Callable[[Evaluation], list[TestCase]] = lambda _near: []
    is_made_up: Callable[[TestCase], bool] = lambda _test: False
    """Whether an argument is something that the test makes up, where nothing asks for such."""
    passed_by_test: Callable[[TestCase, Outcome], bool] = lambda _test, _outcome: False
    """Whether what the crash complains of is what the test itself passed."""
    lost: Callable[[TestCase], float] = lambda _test: 0.0
    """How much of the echoed call (its arguments, keywords and literals, each in its place) a test does not have, up to 1."""
