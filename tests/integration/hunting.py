"""One hunt by a real engine on a small subject, bounded in evaluations: the test that it ends with."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from crashwright.core.messages import Failed, Finished, Found, Start
from crashwright.core.settings import Budget, EngineSettings, LimitSettings, SearchSettings
from crashwright.crash.readers.registry import read_reports
from crashwright.crash.resolve import resolve
from crashwright.engine.testcase.codec import decode
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.environment.interpreter import inspect_interpreter
from crashwright.supervision.engine_process import EngineProcess


@dataclass(frozen=True)
class Hunted:
    """The last test of level 4, printed, and what was said of it."""

    text: str
    found: Found
    end: Finished


def hunt(tmp_path: Path, source: str | Mapping[str, str], report: str, evaluations: int, seed: int = 1) -> Hunted:
    """``source`` is that of the module ``tills``, or the files of a package by their paths."""
    for name, text in {"tills.py": source}.items() if isinstance(source, str) else source.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    path = (str(tmp_path),)
    target = resolve(read_reports(report)[-1], inspect_interpreter(sys.executable, path), None, None).target
    settings = EngineSettings(SearchSettings(seed=seed), Budget(None, evaluations), LimitSettings(test_seconds=2.0), path)
    best: Found | None = None
    with EngineProcess(sys.executable, Start(settings, target)) as engine:
        for message in engine.messages():
            if isinstance(message, Found) and message.level == 4:
                best = message
            elif isinstance(message, Failed):
                raise AssertionError(f"{message.text}\n{message.detail}")
            elif isinstance(message, Finished):
                assert best is not None, message
                printed = print_test(decode(best.test))
                return Hunted("\n".join(printed.body), best, message)
    raise AssertionError("the engine ended without a word")


def report(line: str, *frames: tuple[int, str, str, str], crash: str, file: str = "tills.py") -> str:
    """A report of a script that runs ``line``; frames are (line, function, echoed source, carets)."""
    parts = ["Traceback (most recent call last):", '  File "/srv/app/main.py", line 9, in <module>', f"    {line}"]
    for number, function, echoed, carets in frames:
        parts += [f'  File "/srv/app/{file}", line {number}, in {function}', f"    {echoed}"]
        parts += [f"    {carets}"] if carets else []
    return "\n".join([*parts, crash, ""])
