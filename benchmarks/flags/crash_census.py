"""Which functions the conditions on the way to a crash ask. Run by the interpreter that has the crashing package."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import crashwright
from benchmarks.flags.census import SECONDS, Census
from crashwright.core.messages import Start, decode, encode
from crashwright.core.settings import EngineSettings
from crashwright.core.target import CrashTarget
from crashwright.engine.search.crash_goals import flag_analysis, flag_callees, guiding_frames
from crashwright.engine.subject.source import Sources


def crash_census(target: CrashTarget) -> Census:
    """The functions of the frames, and those that are asked. This interpreter can import the package."""
    try:
        for module in dict.fromkeys(frame.key.module for frame in target.frames):
            importlib.import_module(module)
    except Exception as error:  # noqa: BLE001 - the subject's code may raise anything; it is reported
        return Census((), (), f"{type(error).__name__}: {error}")
    sources = Sources()
    callees = flag_callees(target, flag_analysis(target, sources), (), sources)
    asked = sorted(f"{module}:{key.qualname}" for module, keys in callees.items() for key in keys)
    return Census(tuple(frame.key.qualname for frame in guiding_frames(target)), tuple(asked))


def crash_census_by(python: str, path: Sequence[str], target: CrashTarget) -> Census:
    """The same in a process of another interpreter, with folders for its ``sys.path``."""
    folders = [str(Path(crashwright.__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2]), *path]
    code = f"import sys; sys.path[:0] = {folders!r}; from benchmarks.flags import crash_census; crash_census.main()"
    asked = encode(Start(EngineSettings(), target))
    try:
        done = subprocess.run([python, "-c", code], input=asked, capture_output=True, timeout=SECONDS, check=False)
        return Census(*json.loads(done.stdout.splitlines()[-1]))
    except (subprocess.TimeoutExpired, ValueError, IndexError) as error:
        return Census((), (), f"no census: {type(error).__name__}")


def main() -> None:
    """Print the census of the target that standard input has."""
    start = decode(sys.stdin.readline())
    assert isinstance(start, Start)
    print(json.dumps(crash_census(start.target)))
