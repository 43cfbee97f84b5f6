"""What only a printed test has, in the places of statements: assertions, and values that a parametrised test is given.

Both stand among the statements of a test that is printed and in no other: nothing runs, edits or sends them.
"""

from __future__ import annotations

from typing import NamedTuple

from crashwright.engine.testcase.statements import Expected, Variable


class Given(NamedTuple):
    """``variable`` is the parameter ``name`` of the test function; also an expected value."""

    variable: Variable
    name: str


class Check(NamedTuple):
    """``assert``: the fields of ``assertions.Assertion``."""

    variable: Variable
    path: tuple[str, ...]
    kind: str
    expected: Expected | Given = None
