"""The same examples for CrossHair, where it is installed: a function whose arguments it is to find, so that the crash happens."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Final

from benchmarks.examples.examples import SUBJECTS, Example
from crashwright.core.target import CrashTarget

_CONTRACT: Final = '''\
import traceback
from typing import List, Optional
from {module} import *


def probe({given}) -> bool:
    """
    post: _
    """
    try:
        {call}
    except Exception as error:
        frames = [[one.name, one.lineno] for one in traceback.extract_tb(error.__traceback__)][1:]
        return [type(error).__name__, frames] != {wanted}
    return True
'''


def version_of(python: str) -> str:
    """Of CrossHair, in an interpreter that has it."""
    command = [python, "-c", "from importlib.metadata import version; print(version('crosshair-tool'))"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def found(example: Example, target: CrashTarget, python: str, limit: float) -> float | None:
    """Seconds until it names arguments that crash; None where it names none within the limit."""
    frames = [[one.key.qualname.rpartition(".")[2], one.line] for one in target.package_frames]
    wanted = json.dumps([target.exception.rpartition(".")[2], frames])
    contract = _CONTRACT.format(module=example.module, given=example.given, call=example.call, wanted=wanted)
    with tempfile.TemporaryDirectory() as folder:
        (file := Path(folder, "contract.py")).write_text(contract)
        command = [python, "-m", "crosshair", "check", "--analysis_kind=PEP316", f"--per_condition_timeout={limit:g}", str(file)]
        environment = {**os.environ, "PYTHONPATH": str(SUBJECTS), "PYTHONDONTWRITEBYTECODE": "1"}
        began = time.monotonic()
        try:
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=2 * limit + 10)
        except subprocess.TimeoutExpired:
            return None
        seconds = time.monotonic() - began
    return round(seconds, 2) if "when calling probe" in done.stdout else None
