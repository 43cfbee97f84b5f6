"""An engine that has searched from one frame searches from the next one, in the process that has imported the package."""

from __future__ import annotations

import sys
from pathlib import Path

from hunting import report

from crashwright.core.messages import EndReason, Finished, Found, Ready, Start
from crashwright.core.settings import Budget, EngineSettings
from crashwright.crash.readers.registry import read_reports
from crashwright.crash.resolve import resolve
from crashwright.environment.interpreter import inspect_interpreter
from crashwright.supervision.engine_process import EngineProcess

TILLS = """
def close(till, secret):
    if hash(secret) == 12345:
        return count(till)

def count(till):
    return till[0] + 1
"""
REPORT = report(
    "close(till, secret)",
    (4, "close", "return count(till)", "       ^^^^^^^^^^^"),
    (7, "count", "return till[0] + 1", "       ~~~~^^^"),
    crash="IndexError: list index out of range",
)


def test_a_search_from_another_frame_needs_no_new_process(tmp_path: Path) -> None:
    (tmp_path / "tills.py").write_text(TILLS)
    path = (str(tmp_path),)
    interpreter = inspect_interpreter(sys.executable, path)
    settings = EngineSettings(budget=Budget(None, 60), path=path)
    outer, inner = (Start(settings, resolve(read_reports(REPORT)[-1], interpreter, None, number).target) for number in (2, 1))
    with EngineProcess(sys.executable, outer) as engine:
        first = [*engine.messages()]
        assert isinstance(first[-1], Finished)
        assert first[-1].reason is EndReason.BUDGET
        for _ in range(2):
            assert engine.can_go_on
            assert engine.go_on(inner)
            second = [*engine.messages()]
            assert [one.entry for one in second if isinstance(one, Ready)] == ["tills.count (called directly)"]
            assert any(isinstance(one, Found) and one.level == 4 for one in second)
            last = second[-1]
            assert isinstance(last, Finished)
            assert (last.reason, last.evaluations <= 60) == (EndReason.REPRODUCED, True)
        pid = engine.pid
    assert not engine.can_go_on
    assert not Path(f"/proc/{pid}").exists()
