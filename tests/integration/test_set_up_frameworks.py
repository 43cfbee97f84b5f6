"""What a framework needs is set up for both commands, from whatever folder they are started in."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import HANG
from warm_program import run_program

WITHOUT_PLUGINS = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
API = """
from contextlib import asynccontextmanager
from fastapi import FastAPI

class Desk:
    def __init__(self, stock):
        self.stock, self.lent = stock, {}

    def rate(self, tool):
        return self.stock[tool] / self.lent[tool]

@asynccontextmanager
async def lifespan(app):
    app.state.desk = Desk({"drill": 3})
    yield

app = FastAPI(lifespan=lifespan)

@app.get("/tools/{tool}/rate")
def rate(tool: str):
    return app.state.desk.rate(tool)
"""
REPORT = """
Traceback (most recent call last):
  File "/srv/venv/lib/python3.11/site-packages/fastapi/routing.py", line 381, in run_endpoint_function
    return await dependant.call(**values)
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/code/src/lend/api.py", line 21, in rate
    return app.state.desk.rate(tool)
           ^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/code/src/lend/api.py", line 10, in rate
    return self.stock[tool] / self.lent[tool]
                              ~~~~~~~~~^^^^^^
KeyError: 'drill'
"""
SHELF = """
from django.conf import settings
from django.contrib.auth.models import User

DEBUG = settings.DEBUG

def owner(name):
    if not name:
        return None
    return User(username=name)
"""


def run(folder: Path, *command: str, path: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **WITHOUT_PLUGINS, "PYTHONPATH": path}
    program = [sys.executable, "-m", *command]
    return subprocess.run(program, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.parametrize("start", ["project", "elsewhere"])
def test_a_crash_behind_an_asgi_application_starts_it_and_sends_a_request(tmp_path: Path, start: str) -> None:
    package = tmp_path / "project/src/lend"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "api.py").write_text(API)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "crash.txt").write_text(REPORT)
    folder = tmp_path / start
    arguments = ("--path", str(package.parent), "--evaluations", "600", "--seed", "1", "--output", str(tmp_path / "test_rate.py"))
    done = run_program(["reproduce", str(tmp_path / "crash.txt"), *arguments], folder, HANG, WITHOUT_PLUGINS)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "set up: requests to the ASGI application lend.api:app" in done.stdout
    written = (tmp_path / "test_rate.py").read_text()
    assert "TestClient(app) as" in written
    seen = run(tmp_path, "pytest", "-q", "test_rate.py", path=str(package.parent))
    assert seen.returncode == 1
    assert "KeyError: 'drill'" in seen.stdout


def test_a_suite_of_an_installed_package_that_reads_settings_has_minimal_ones(tmp_path: Path) -> None:
    package = tmp_path / "installed/shelfapp"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "shelves.py").write_text(SHELF)
    (tmp_path / "work").mkdir()
    path = str(package.parent)
    done = run(tmp_path / "work", "crashwright", "generate", "shelfapp.shelves", "--evaluations", "200", "--seed", "1", path=path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "set up: Django with minimal settings" in done.stdout
    seen = run(tmp_path / "work", "pytest", "-q", "test_shelves.py", path=path)
    assert seen.returncode == 0, seen.stdout
