"""For all tests."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

# On a busy machine an example takes as long as it takes: that is no failure.
settings.register_profile("crashwright", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("crashwright")


@pytest.fixture(autouse=True, scope="session")
def _programs_load_no_plugins() -> None:
    """The pytest that tests start as a program does without the plugins of this one: loading hypothesis takes it two seconds."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
