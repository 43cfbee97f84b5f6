"""Signatures are read when they are first asked for, once."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable

import pytest

from crashwright.engine.subject.api.callee import CalleeKind, Parameter, ParameterKind
from crashwright.engine.subject.api.signatures import LazyCallee, Signature, SignatureReader, may_take_keywords, may_tell_result
from crashwright.engine.subject.api.types import ClassHint, is_any


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


def passing(function: Callable[..., object]) -> Callable[..., object]:
    @functools.wraps(function)
    def wrapper(*args: object, **kwargs: object) -> object:
        return function(*args, **kwargs)

    return wrapper


def hiding(function: Callable[..., object]) -> Callable[..., object]:
    def wrapper(*args: object) -> object:
        return function(*args)

    return wrapper


def plain(first, second=1): ...  # type: ignore[no-untyped-def]
def open_one(first, **more): ...  # type: ignore[no-untyped-def]
def annotated() -> int: ...  # type: ignore[empty-body]


def documented():  # type: ignore[no-untyped-def]
    """It counts.

    :rtype: int
    """


def mentioning():  # type: ignore[no-untyped-def]
    """Returns what was asked for: nothing."""


@contextlib.contextmanager
def managing():  # type: ignore[no-untyped-def]
    yield


EVERY = [plain, open_one, annotated, documented, mentioning, managing, functools.partial(open_one, 1), print, int.bit_length]
EVERY += [wrap(one) for wrap in (passing, hiding) for one in (plain, open_one, annotated, documented)]


@pytest.mark.parametrize("value", EVERY)
def test_what_is_said_without_reading_a_signature_agrees_with_it(value: object) -> None:
    signature = SignatureReader(lambda _name: None).function(value)
    if any(parameter.kind is ParameterKind.VAR_KEYWORD for parameter in signature.parameters):
        assert may_take_keywords(value)
    if not is_any(signature.returns):
        assert may_tell_result(value)


def test_most_functions_need_no_reading() -> None:
    assert not may_take_keywords(plain)
    assert [may_tell_result(one) for one in (plain, mentioning, annotated, documented, managing)] == [
        False,
        False,
        True,
        True,
        True,
    ]
