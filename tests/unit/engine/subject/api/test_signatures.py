"""Signatures are read when they are first asked for, once."""

from __future__ import annotations

import pytest

from crashwright.engine.subject.api.callee import CalleeKind, Parameter, ParameterKind
from crashwright.engine.subject.api.signatures import LazyCallee, Signature
from crashwright.engine.subject.api.types import ClassHint


def test_a_lazy_callee_reads_once() -> None:
    signature = Signature((Parameter("x", ParameterKind.POSITIONAL_OR_KEYWORD),), ClassHint(int))
    reads: list[int] = []

    def read() -> Signature:
        reads.append(1)
        return signature

    callee = LazyCallee("m", "C.f", CalleeKind.METHOD, read)
    assert (callee.name, callee.address, reads) == ("f", "m:C.f", [])
    assert callee.returns == ClassHint(int)
    assert callee.parameters == signature.parameters
    assert callee.parameters is signature.parameters
    assert reads == [1]
    with pytest.raises(AttributeError):
        _ = callee.nothing  # type: ignore[attr-defined]
