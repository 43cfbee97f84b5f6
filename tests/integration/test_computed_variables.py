"""Variables of the environment whose names are put together when the code runs."""

from __future__ import annotations

from pathlib import Path

from patience import HANG
from warm_program import run_program

EVALUATIONS = 1000
VARIABLES = """
import os


class Settings:
    def __init__(self, prefix="DEPOT"):
        self.prefix = prefix

    def pairs(self, name):
        value = os.environ.get(f"{self.prefix}_{name.upper()}")
        if value is None:
            raise LookupError(f"{name} is not set")
        return dict(one.split("=", 1) for one in value.split(","))
"""


def test_a_variable_with_a_computed_name_is_set(tmp_path: Path) -> None:
    text = VARIABLES.lstrip()
    (tmp_path / "settings.py").write_text(text)
    line = 'return dict(one.split("=", 1) for one in value.split(","))'
    number = 1 + [one.strip() for one in text.splitlines()].index(line)
    (tmp_path / "crash.txt").write_text(
        "Traceback (most recent call last):\n"
        '  File "/home/ada/run.py", line 5, in <module>\n    print(settings.pairs("limits"))\n'
        f'  File "/srv/settings.py", line {number}, in pairs\n    {line}\n'
        "ValueError: dictionary update sequence element #0 has length 1; 2 is required\n"
    )
    done = run_program(["reproduce", "crash.txt", "--evaluations", str(EVALUATIONS), "--seed", "1"], tmp_path, HANG)
    assert done.returncode == 0, done.stdout + done.stderr
    (test,) = tmp_path.glob("test_*.py")
    written = test.read_text()
    assert 'monkeypatch.setenv("DEPOT_LIMITS"' in written
    assert '.pairs("limits")' in written
