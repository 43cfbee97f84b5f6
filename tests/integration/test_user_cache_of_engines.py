"""Whatever is in the user's cache folder, an engine runs the same tests; it leaves there what the next one need not compile."""

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
SESSION = str(HERE / "trail_session.py")
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


def trails(cache: str) -> list[str]:
    """What the two runs of one engine did, each as the number of its tests and a digest of them."""
    target = resolve(read_reports(LEDGER)[-1], inspect_interpreter(sys.executable, (str(HERE),)), None, None).target
    limits = LimitSettings(test_seconds=5.0)  # a busy machine must not decide
    settings = EngineSettings(SearchSettings(seed=1), Budget(None, 200), limits, (str(HERE),), cache=cache)
    told = []
    with EngineProcess(sys.executable, Start(settings, target), SESSION) as engine:
        for message in engine.messages():
            assert not isinstance(message, Failed), message
            if isinstance(message, Incident) and message.kind is IncidentKind.NOTED:
                told.append(message.text)
    return told


def test_the_same_tests_are_run_with_and_without_it(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    without = trails("")
    assert without
    assert trails(str(cache)) == without
    (file,) = cache.iterdir()
    written, whole = file.stat().st_mtime_ns, file.read_bytes()
    assert trails(str(cache)) == without
    assert file.stat().st_mtime_ns == written  # all was there: nothing was compiled
    file.write_bytes(whole[:-100])
    told, *rest = trails(str(cache))
    assert "is damaged: it is written anew" in told
    assert rest == without
    assert len(file.read_bytes()) == len(whole)


def test_a_folder_that_cannot_be_made_is_no_problem(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert trails(str(tmp_path / "file" / "cache"))
    assert [one.name for one in tmp_path.iterdir()] == ["file"]
