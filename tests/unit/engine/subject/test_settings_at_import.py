"""A package that reads its framework's settings when it is imported says so, and minimal settings are enough for it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from patience import HANG

PROGRAM = """
import json, sys
from crashwright.core.preparation import FrameworkSetUp, Preparation
from crashwright.engine.frameworks.preparing import SubjectSetUp
from crashwright.engine.subject.importing import import_subject
without = import_subject(["widgets.models"], (sys.argv[1],), set_up=SubjectSetUp(Preparation()))
sys.modules.pop("widgets.models", None)
apps = ("django.contrib.contenttypes", "django.contrib.auth", "widgets")
preparation = Preparation(FrameworkSetUp("django", apps=apps), "early:run", True)
found = import_subject(["widgets.models"], (sys.argv[1],), set_up=SubjectSetUp(preparation))
print(json.dumps([without.kind, sorted(found.modules), sys.modules["early"].RUN]))
"""
EARLY = "import sys\nRUN = []\n\ndef run():\n    RUN.append(hasattr(sys.modules.get('widgets.models'), 'Widget'))\n"
MODELS = "from django.db import models\n\nclass Widget(models.Model):\n    name = models.CharField(max_length=10)\n"


def test_minimal_settings_and_what_sets_up_come_before_the_import(tmp_path: Path) -> None:
    (tmp_path / "widgets").mkdir()
    for file, text in {
        "widgets/__init__.py": "",
        "widgets/views.py": MODELS,
        "widgets/models.py": MODELS,
        "early.py": EARLY,
    }.items():
        (tmp_path / file).write_text(text)
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(tmp_path)], capture_output=True, text=True, timeout=HANG, check=False)
    assert done.returncode == 0, done.stderr
    kind, modules, run = json.loads(done.stdout)
    assert (kind, modules, len(run)) == ("settings", ["widgets.models"], 1)
