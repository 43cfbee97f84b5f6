"""What can be switched off by its name."""

from __future__ import annotations

import pytest

from crashwright.cli.switches import switched_off
from crashwright.core.errors import UsageError
from crashwright.core.mechanisms import Mechanism


def test_mechanisms_and_sources_are_told_apart() -> None:
    assert switched_off(("texts", "samples", "own")) == ((Mechanism.TEXTS,), ("samples", "own"))
    assert switched_off(()) == ((), ())


def test_a_name_that_nothing_has_is_said_with_what_was_meant() -> None:
    with pytest.raises(UsageError, match="--without sampels") as raised:
        switched_off(("sampels",))
    assert raised.value.advice == "Did you mean samples?"
    with pytest.raises(UsageError) as raised:
        switched_off(("zzz",))
    assert "neighbours" in str(raised.value.advice)
