"""What tests that exist cover of a module already, so that it is not generated again (``--existing-tests``).

The test files of a folder are run where they are, confined, in fresh interpreters that trace the module. Those that name the module
come first; a file that fails, hangs or ends the interpreter costs itself only.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from crashwright.core.errors import UsageError
from crashwright.core.portions import ONE_EXISTING_PART
from crashwright.finishing.running.fresh_runner import FreshRunner, Manner
from crashwright.finishing.running.recorder_files import COVERAGE_WATCH, SUITE_WATCH
from crashwright.finishing.suite.file_run import WATCHED

_SKIPPED = frozenset({".git", ".hg", ".tox", ".nox", ".venv", "venv", "node_modules", "__pycache__", "site-packages"})
_TEST_SECONDS = 5.0
_LONGEST_FILE = 60.0


@dataclass(frozen=True, slots=True)
class ExistingCoverage:
    """``lines`` of the module that run, and ``arcs`` between lines of a frame that follow each other (negative: the code's first
    line, for entering it or leaving it). ``files`` were run, ``skipped`` not, for want of time. ``qualnames`` were called."""

    lines: frozenset[int] = frozenset()
    arcs: frozenset[tuple[int, int]] = frozenset()
    qualnames: frozenset[str] = frozenset()
    files: tuple[Path, ...] = ()
    skipped: tuple[Path, ...] = ()


def existing_test_files(folder: Path, module: str) -> list[Path]:
    """The test files in ``folder`` that may have to do with ``module``: those that name it first, then those that name its package.

    Raises UsageError where there is no such folder.
    """
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder}.", "Name the folder of your tests with --existing-tests.")
    package, last = module.partition(".")[0], module.rpartition(".")[2]
    ranked: list[tuple[int, str, Path]] = []
    for path in _python_files(folder):
        try:
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue  # one that cannot be read covers nothing
        if re.search(rf"\b{re.escape(package)}\b", text):
            named = module in text or last in path.stem
            ranked.append((0 if named else 1, str(path), path))
    return [path for _, _, path in sorted(ranked)]


def covered_by_existing(
    folder: Path, module: str, runner: FreshRunner, seconds: Callable[[], float], without: Path | None = None
) -> ExistingCoverage:
    """What the tests in ``folder`` cover of ``module``, those in the file ``without`` aside; ``seconds()`` is the time left. Raises
    UsageError where there is no such folder."""
    arcs: set[tuple[str, int, int]] = set()
    files, skipped = [], []
    for path in existing_test_files(folder, module):
        if without is not None and path.resolve() == without.resolve():
            continue
        left = seconds()
        if left <= 0:
            skipped.append(path)
            continue
        files.append(path)
        arcs.update(_arcs(path, folder, module, runner, min(_LONGEST_FILE, max(1.0, left * ONE_EXISTING_PART))))
    return _coverage(arcs, files, skipped)


def _python_files(folder: Path) -> Iterable[Path]:
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED)
        for name in sorted(names):
            if name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py")):
                yield Path(root) / name


def _arcs(path: Path, folder: Path, module: str, runner: FreshRunner, seconds: float) -> set[tuple[str, int, int]]:
    environment = {"CRASHWRIGHT_MODULE": module, "CRASHWRIGHT_TEST_SECONDS": str(_TEST_SECONDS)}
    options = (*WATCHED, "--rootdir", str(folder.resolve()))
    manner = Manner(options, (SUITE_WATCH, COVERAGE_WATCH), environment)
    _, record = runner.run_alone(runner.bench(), path.resolve(), manner, seconds)
    return record.arcs


def _coverage(arcs: set[tuple[str, int, int]], files: list[Path], skipped: list[Path]) -> ExistingCoverage:
    # What runs at import runs anyway; the functions that it defines are what tests are for.
    inside = [(name, first, second) for name, first, second in arcs if name != "<module>"]
    return ExistingCoverage(
        frozenset(line for _, first, second in inside for line in (first, second) if line > 0),
        frozenset((first, second) for _, first, second in inside),
        frozenset(name for name, _, _ in inside),
        tuple(files),
        tuple(skipped),
    )
