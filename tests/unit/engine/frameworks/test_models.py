"""The models of a Django project, as the framework tells them; and the database that tests are given."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from patience import HANG

MODELS = """
from django.db import models

class Label(models.Model):
    shelf = models.ForeignKey("Shelf", on_delete=models.CASCADE)
    kind = models.CharField(max_length=9, choices=[("round", "Round")])

class Shelf(models.Model):
    number = models.IntegerField()
    built = models.DateField(null=True)
"""
SETTINGS = """
INSTALLED_APPS = ["shelves"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "never-made.sqlite3"}}
"""
SCRIPT = """
import os
from crashwright.core.preparation import FrameworkSetUp, SetUpPart, Preparation
from crashwright.engine.frameworks.preparing import SubjectSetUp
from crashwright.engine.frameworks.registry import models_of
preparation = Preparation(FrameworkSetUp("django", "configured", (SetUpPart.DATABASE,)))
set_up = SubjectSetUp(preparation)
set_up.before_import()
from shelves.models import Shelf
set_up.after_import()
for one in models_of(preparation, frozenset({"shelves"})):
    print(one.name, one.needed, one.optional, sorted(one.refers))
print(models_of(Preparation(FrameworkSetUp("django", "configured")), frozenset({"shelves"})))
Shelf.objects.create(number=3)
from django.db import connection
connection.connection.rollback()
print(Shelf.objects.count(), os.path.exists("never-made.sqlite3"))
"""


def test_models_are_read_and_what_is_stored_can_be_undone(tmp_path: Path) -> None:
    (tmp_path / "shelves").mkdir()
    for name, text in {"shelves/__init__.py": "", "shelves/models.py": MODELS, "configured.py": SETTINGS, "run.py": SCRIPT}.items():
        (tmp_path / name).write_text(text)
    done = subprocess.run([sys.executable, "run.py"], cwd=tmp_path, capture_output=True, text=True, timeout=HANG, check=False)
    assert done.stdout.splitlines() == [
        "Shelf (('number', '1'),) (('built', 'datetime.date(2026, 1, 1)'),) []",
        "Label (('shelf', 'Shelf'), ('kind', \"'round'\")) () ['Shelf']",
        "()",
        "0 False",
    ], done.stderr
