"""What has to run before the subject is imported stands before its import, and runs."""

from __future__ import annotations

import subprocess
import sys

from patience import HANG

from crashwright.core.preparation import FrameworkSetUp, Preparation, SetUpPart
from crashwright.crash.frameworks.flask import FlaskSetUp
from crashwright.finishing.preparation_lines import fixtures, imports, needed, with_imports

APPS = ("django.contrib.contenttypes", "django.contrib.auth")


def test_minimal_settings_come_first() -> None:
    lines = with_imports(Preparation(FrameworkSetUp("django", apps=APPS)), ["from django.contrib.auth.models import User"])
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


def test_an_instance_folder_of_its_own_stands_before_what_makes_the_application() -> None:
    preparation = Preparation(FlaskSetUp().at("shop:create_app()", keeps_files=True))
    asked = needed(preparation, ["app = create_app()", "client = app.test_client()"])
    assert asked.framework is not None
    assert (asked.framework.address, asked.framework.parts) == ("", (SetUpPart.FOLDER,))
    assert fixtures(asked)[1] == "def instance_folder(tmp_path, monkeypatch):"
    assert imports(asked) == ["import pytest"]
    names = [line for line in fixtures(needed(preparation, ["price(1)"])) if line.startswith("def ")]
    assert names == ["def instance_folder(tmp_path, monkeypatch):", "def request_context():"] == sorted(names)
    other = needed(preparation, ["with other.test_request_context():", "    pass"]).framework
    assert other is not None
    assert not other.parts
