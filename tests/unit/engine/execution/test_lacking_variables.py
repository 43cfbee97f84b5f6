"""Variables of the environment that are asked for and not there."""

from __future__ import annotations

import os

import pytest

from crashwright.engine.execution.lacking_variables import MOST, lacking_variables


def test_variables_that_are_asked_for_and_not_set_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEPOT_KEPT", "1")
    monkeypatch.delenv("DEPOT_SET", raising=False)
    with lacking_variables() as found:
        assert os.environ["DEPOT_KEPT"] == "1"
        assert os.environ.get("DEPOT_A") is None
        assert os.getenv("DEPOT_B", "b") == "b"
        assert "DEPOT_C" not in os.environ
        with pytest.raises(KeyError):
            os.environ["DEPOT_A"]
    assert list(found) == ["DEPOT_A", "DEPOT_B", "DEPOT_C"]
    monkeypatch.setenv("DEPOT_SET", "2")
    assert os.environ["DEPOT_SET"] == "2"


def test_a_program_that_goes_through_a_list_is_noted_in_part() -> None:
    before = os.environ._data  # type: ignore[attr-defined]  # what is put back
    with lacking_variables() as found:
        assert not any(os.environ.get(f"DEPOT_{number}") for number in range(2 * MOST))
    assert len(found) == MOST
    assert os.environ._data is before  # type: ignore[attr-defined]
