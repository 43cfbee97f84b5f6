"""What engines do in a search for a small crash, told by ``trail_session``: for tests that compare searches."""

from __future__ import annotations

import sys
from pathlib import Path

from crashwright.core.messages import Failed, Incident, IncidentKind, Start
from crashwright.core.settings import Budget, EngineSettings, LimitSettings, SearchSettings
from crashwright.crash.readers.registry import read_reports
from crashwright.crash.resolve import resolve
from crashwright.environment.interpreter import inspect_interpreter
from crashwright.supervision.engine_process import EngineProcess

HERE = Path(__file__).parent
LEDGER = """\
Traceback (most recent call last):
  File "main.py", line 3, in <module>
    ledger.settle("ada", 12)
  File "ledger.py", line 39, in settle
    return self._share(entry, parts)
  File "ledger.py", line 43, in _share
    return entry.amount // parts
ZeroDivisionError: integer division or modulo by zero
"""


def trails(evaluations: int, seed: int = 1, cache: str = "") -> list[str]:
    """What the two runs of one engine did, each as the number of its tests and a digest of them."""
    target = resolve(read_reports(LEDGER)[-1], inspect_interpreter(sys.executable, (str(HERE),)), None, None).target
    limits = LimitSettings(test_seconds=5.0)  # a busy machine must not decide
    settings = EngineSettings(SearchSettings(seed=seed), Budget(None, evaluations), limits, (str(HERE),), cache=cache)
    told = []
    with EngineProcess(sys.executable, Start(settings, target), str(HERE / "trail_session.py")) as engine:
        for message in engine.messages():
            assert not isinstance(message, Failed), message
            if isinstance(message, Incident) and message.kind is IncidentKind.NOTED:
                told.append(message.text)
    return told
