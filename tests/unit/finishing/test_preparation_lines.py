"""What has to run before the subject is imported stands before its import, and runs."""

from __future__ import annotations

import subprocess
import sys

from patience import HANG

from crashwright.core.preparation import Preparation
from crashwright.finishing.preparation_lines import fixtures, imports, with_imports

APPS = ("django.contrib.contenttypes", "django.contrib.auth")


def test_minimal_settings_come_first() -> None:
    lines = with_imports(Preparation(apps=APPS), ["from django.contrib.auth.models import User"])
    assert lines[-1] == "from django.contrib.auth.models import User  # noqa: E402"
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, timeout=HANG, check=False)
    assert done.returncode == 0, done.stderr


def test_a_function_that_sets_an_installed_package_up_comes_first() -> None:
    early = Preparation(function="conf.tests:configure", early=True)
    assert with_imports(early, ["import shop"]) == [
        "import conf.tests",
        "",
        "conf.tests.configure()",
        "",
        "import shop  # noqa: E402",
    ]
    assert (imports(early), fixtures(early)) == ([], [])
