"""Data whose fields a run has read, and files of it: readers of both are covered, and behind a checksum without fields none is."""

from __future__ import annotations

import sys
from pathlib import Path

from trial import holds_for

from crashwright.core.mechanisms import Mechanism
from crashwright.core.messages import Failed, StartSuite, Suite
from crashwright.core.settings import Budget, EngineSettings, LimitSettings, SearchSettings
from crashwright.core.suite import ModuleTarget
from crashwright.supervision.engine_process import EngineProcess

SUBJECTS = Path(__file__).parent / "suite_subjects"
EVALUATIONS = 4000
SEEDS = range(1, 4)


# What no test can take: a file that suppresses an exception.
LEFT = {"sealed_chunks": 0, "read_files": 1}


def is_read(module: str, names: tuple[str, ...], seed: int, without: tuple[Mechanism, ...] = ()) -> bool:
    """Whether all branches of these functions are taken."""
    settings = EngineSettings(
        SearchSettings(algorithm="dynamosa", seed=seed, without=without),
        Budget(None, EVALUATIONS),
        LimitSettings(test_seconds=2.0),
        (str(SUBJECTS),),
    )
    target = ModuleTarget(module, names)
    with EngineProcess(sys.executable, StartSuite(settings, target), "crashwright.engine.sessions.suite") as engine:
        for message in engine.messages():
            if isinstance(message, Suite):
                branches = message.coverage[0]
                return branches.covered >= branches.total - LEFT[module]
            if isinstance(message, Failed):
                raise AssertionError(f"{message.text}\n{message.detail}")
    raise AssertionError(f"seed {seed}: the engine ended without a word")


def test_data_behind_a_checksum_is_read_with_its_fields_alone() -> None:
    assert holds_for(2, SEEDS, lambda seed: is_read("sealed_chunks", ("read_all",), seed))
    assert not holds_for(2, SEEDS, lambda seed: is_read("sealed_chunks", ("read_all",), seed, (Mechanism.BINARY,)))


def test_files_are_read_by_whatever_holds_their_names() -> None:
    # Tests with files are slow: one of two is enough.
    assert holds_for(1, (1, 2), lambda seed: is_read("read_files", ("Reader.read", "joined"), seed))
