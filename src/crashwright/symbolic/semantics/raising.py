"""``raise``."""

from __future__ import annotations

from collections.abc import Iterator

from crashwright.symbolic.semantics.failure import Failure
from crashwright.symbolic.semantics.step import Step
from crashwright.symbolic.values import literals


def raises(step: Step) -> Iterator[Failure]:
    """Always, what stands there."""
    yield Failure(str(step.node.detail).rpartition(".")[2], literals.TRUE)
