"""The same crash, entered further in."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crashwright.core.location import CodeKey
from crashwright.core.target import Callback, CallSite, CrashTarget, TargetFrame


def frame(module: str, name: str, line: int, in_package: bool = True) -> TargetFrame:
    key = CodeKey(module, name, line - 1)
    return TargetFrame(key, f"/{module}.py", line, f"return {name}()", None, in_package, local_values={"n": str(line)})


OUTER, BETWEEN, INNER, CRASH = (
    frame("shop", "run", 4),
    frame("lib", "call", 9, False),
    frame("shop", "load", 14),
    frame("shop", "at", 19),
)
TARGET = CrashTarget("shop", "KeyError", "1", (OUTER, BETWEEN, INNER, CRASH), (CallSite("main()", "<module>", {}),))


def test_what_lies_further_out_has_called_it() -> None:
    inner = TARGET.from_frame(2)
    assert inner.package_frames == (INNER, CRASH)
    assert [site.source for site in inner.call_sites] == ["main()", "return run()", "return call()"]
    assert inner.call_sites[1].local_values == {"n": "4"}
    assert (inner.frames_beyond, inner.beyond) == (1, (OUTER.key,)), "frames of other packages do not decide"
    assert (inner.exception, inner.message, inner.package) == ("KeyError", "1", "shop")


@pytest.mark.parametrize(("number", "first"), [(1, CRASH), (3, OUTER)])
def test_numbers_count_from_the_crash(number: int, first: TargetFrame) -> None:
    assert TARGET.from_frame(number).frames[0] is first


def test_twice_is_as_once_further_in() -> None:
    assert TARGET.from_frame(2).from_frame(1) == TARGET.from_frame(1)


def test_functions_in_the_middle_are_counted_from_the_new_first_frame() -> None:
    callbacks = Callback("before", "load()", 0), Callback("after", "at(1)", 2)
    target = replace(TARGET, callbacks=callbacks)
    assert target.from_frame(3).callbacks == callbacks
    assert target.from_frame(2).callbacks == (Callback("after", "at(1)", 0),)
