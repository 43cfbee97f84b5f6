"""What code asks of the environment by itself becomes a line of the test."""

from __future__ import annotations

import os

import pytest

from crashwright.engine.sessions import suite_restoring

PACKAGE = __name__.partition(".")[0]


def test_variables_that_the_package_asks_for_are_noted_and_those_of_a_test_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARES_THERE", "1")
    with suite_restoring._noted_variables(PACKAGE) as found:
        os.environ["WARES_SET"] = "by the test"
        asked = [os.environ.get("WARES_MISSING"), os.getenv("WARES_THERE"), os.environ["WARES_SET"]]
        os.path.expanduser("~")  # for this the library asks
    assert asked == [None, "1", "by the test"]
    assert found == {"WARES_MISSING": False, "WARES_THERE": True}
    assert os.environ.pop("WARES_SET") == "by the test"
    assert type(os.environ._data) is dict  # type: ignore[attr-defined]


def test_who_goes_through_the_whole_environment_asks_for_no_variable_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARES_THERE", "1")
    with suite_restoring._noted_variables(PACKAGE) as found:
        copied = dict(os.environ)
        assert found == {}
        asked = os.environ["WARES_THERE"]
    assert copied["WARES_THERE"] == asked == "1"
    assert found == {"WARES_THERE": True}
