"""For all tests."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True, scope="session")
def _programs_load_no_plugins() -> None:
    """The pytest that tests start as a program does without the plugins of this one: loading hypothesis takes it two seconds."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
