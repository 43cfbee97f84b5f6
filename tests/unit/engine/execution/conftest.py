"""For tests that look at all objects of their process."""

from __future__ import annotations

import gc

import pytest

from crashwright.engine.execution.isolation import snapshot


@pytest.fixture
def later_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions are looked for among the objects that there are since all tests were collected, not among a million."""
    monkeypatch.setattr(snapshot, "all_objects", gc.get_objects)
