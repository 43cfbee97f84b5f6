"""The reports of a pack as one would have them, in one folder or in one log, and the table of their interpreters."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from benchmarks.comparison.crashes import Crash
from crashwright.crash.fingerprint import crash_fingerprint
from crashwright.crash.readers.registry import read_reports

LOG = "app.log"
_BETWEEN = "2026-11-23 10:{:02}:{:02} INFO worker {}: job done\n"


class Form(StrEnum):
    """How the reports come."""

    FOLDER = "folder"
    LOG = "log"


@dataclass(frozen=True, slots=True)
class Prepared:
    """``reports`` is what the batch is given, ``table`` its environments. ``fingerprints`` tells by which name each crash of the
    pack is known in it."""

    reports: Path
    table: Path
    fingerprints: dict[str, str]


def prepared(form: Form, crashes: Sequence[Crash], folder: Path) -> Prepared:
    """Write both to ``folder``. Raises ValueError where two crashes of the pack would be one."""
    reports = folder / "reports"
    reports.mkdir(parents=True, exist_ok=True)
    texts = {one.name: _text(one) for one in crashes}
    names = [f"*/{one.name}.txt" if form is Form.FOLDER else f"*/{LOG}#{number}" for number, one in enumerate(crashes, 1)]
    if form is Form.FOLDER:
        for name, text in texts.items():
            (reports / f"{name}.txt").write_text(text, encoding="utf-8")
    else:
        lines = (_BETWEEN.format(n // 60 % 60, n % 60, n % 7) + text for n, text in enumerate(texts.values()))
        (reports / LOG).write_text("".join(lines), encoding="utf-8")
    table = folder / "environments.toml"
    table.write_text("".join(map(_row, names, crashes)), encoding="utf-8")
    fingerprints = {name: crash_fingerprint(read_reports(text)[-1]) for name, text in texts.items()}
    if len(set(fingerprints.values())) < len(crashes):
        raise ValueError("two crashes of the pack have one fingerprint")
    return Prepared(reports if form is Form.FOLDER else reports / LOG, table, fingerprints)


def _text(crash: Crash) -> str:
    text = (crash.folder / "traceback.txt").read_text(encoding="utf-8", errors="backslashreplace")
    return text if text.endswith("\n") else f"{text}\n"


def _row(name: str, crash: Crash) -> str:
    return f"[[environment]]\nreport = {json.dumps(name)}\npython = {json.dumps(str(crash.python.absolute()))}\n\n"
