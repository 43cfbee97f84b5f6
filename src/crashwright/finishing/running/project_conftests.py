"""A plugin of pytest that gives a test outside of a project the fixtures of that project's ``conftest.py`` files.

It is copied beside the test and run in the subject's interpreter: standard library only. ``CRASHWRIGHT_CONFTESTS`` names the files,
line by line, the outermost first.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from typing import Any


def pytest_configure(config: Any) -> None:
    """Import them, after the process has been confined; what one of them raises fails the run, as it would in its project."""
    for number, file in enumerate(filter(None, os.environ.get("CRASHWRIGHT_CONFTESTS", "").split("\n"))):
        spec = importlib.util.spec_from_file_location(f"crashwright_conftest_{number}", file)
        if spec is None or spec.loader is None:
            continue
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        config.pluginmanager.register(module, f"conftest of the project, {number}")
