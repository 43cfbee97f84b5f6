"""Exception goals (SPEC 6.7): found on the way, one for each callable, exception class and kind of raising."""

from __future__ import annotations

from typing import NamedTuple

from crashwright.engine.instrument.trace import CallFact

OUTSIDE = "outside"
"""The kind of an exception in which no code of the module took part: the test's own fault, and no goal."""


class ExceptionKey(NamedTuple):
    """The callable that the test called, the full name of the exact class raised, and who raised: explicit, assertion, implicit.
    Of a property also which of its functions, where it was set or deleted."""

    address: str
    exception: str
    kind: str
    accessor: str = ""

    @property
    def text(self) -> str:
        """In words."""
        return " ".join(part for part in (self.accessor, self.exception, self.kind) if part)


def exception_key(fact: CallFact) -> ExceptionKey | None:
    """None where nothing was raised, or only by the test's own fault."""
    if fact.exception is None or fact.kind == OUTSIDE:
        return None
    return ExceptionKey(fact.address, fact.exception, fact.kind, fact.accessor)
