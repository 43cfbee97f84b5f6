"""Addresses back to callees: what is encoded in one fork runs in the next."""

from __future__ import annotations

import io
import textwrap

from crashwright.engine.subject.api import ApiModel
from crashwright.engine.subject.callee import CalleeKind
from crashwright.engine.worker.resolver import ApiResolver

API = ApiModel("textwrap", ["textwrap"])
RESOLVER = ApiResolver(API)


def test_known_callees_are_the_very_same() -> None:
    for callee in API.callables:
        assert RESOLVER.callee(callee.module, callee.qualname, callee.kind) is callee


def test_builtins_and_the_standard_library() -> None:
    length = RESOLVER.callee("builtins", "len", CalleeKind.FUNCTION)
    stream = RESOLVER.callee("io", "StringIO", CalleeKind.CLASS)
    assert length is not None
    assert stream is not None
    assert (length.live, stream.live) == (len, io.StringIO)


def test_what_is_gone_is_none() -> None:
    assert RESOLVER.callee("textwrap", "no_such", CalleeKind.FUNCTION) is None
    assert RESOLVER.callee("no.such.module", "f", CalleeKind.FUNCTION) is None
    assert RESOLVER.named("textwrap", "TextWrapper.nothing") is None
    named = RESOLVER.named("textwrap", "TextWrapper")
    assert named is not None
    assert named.live is textwrap.TextWrapper
