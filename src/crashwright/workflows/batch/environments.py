"""Which interpreter reproduces which crash, where one is not enough: ``--python-for`` and the table of ``--environments``."""

from __future__ import annotations

import csv
import io
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any

from crashwright.core.errors import UsageError
from crashwright.core.report import CrashReport
from crashwright.workflows.batch.ledger import ReportedCrash

_COLUMNS = ("report", "package", "python", "path")
_ADVICE = "A row has report (a pattern of its file, FILE#NUMBER, or a fingerprint) or package, and python (docs/batch.md)."


@dataclass(frozen=True, slots=True)
class Environment:
    """``python`` is for crashes whose text has a name like ``report`` and that ran code of ``package``, where these are given."""

    python: str
    report: str = ""
    package: str = ""
    path: tuple[str, ...] = ()

    def fits(self, crash: ReportedCrash) -> bool:
        """Whether it is for this crash, as far as the text's name goes."""
        names = (crash.source, f"{crash.source}#{crash.place}", crash.fingerprint)
        return not self.report or any(fnmatchcase(name, self.report) for name in names)


def environment_for(crash: ReportedCrash, known: Sequence[Environment]) -> Environment | None:
    """The one for this crash: those that name reports come before those that name packages alone. Of packages the one nearest to
    the crash decides."""
    fitting = [one for one in known if one.fits(crash)]
    for rows in ([one for one in fitting if one.report], [one for one in fitting if not one.report]):
        for names in (*_packages(crash.report), frozenset[str]()):
            for one in rows:
                if not one.package or one.package in names:
                    return one
    return None


def _packages(report: CrashReport) -> Iterable[frozenset[str]]:
    """The names that packages may have, frame by frame, from the crash outwards."""
    for frame in reversed(report.crash.frames):
        path = PurePosixPath(frame.path.replace("\\", "/"))
        yield frozenset((*path.parts[:-1], path.stem))


def environments(given: Iterable[str], table: str | None) -> tuple[Environment, ...]:
    """Those of ``--python-for PACKAGE=PYTHON``, then those of the file ``table``. Raises UsageError."""
    return (*map(_given, given), *(() if table is None else _table(Path(table))))


def _given(text: str) -> Environment:
    package, _, python = text.partition("=")
    if not package or not python:
        raise UsageError(f"--python-for {text}: no interpreter for a package.", "Write PACKAGE=PYTHON.")
    return Environment(python, package=package)


def _table(file: Path) -> tuple[Environment, ...]:
    try:
        text = file.read_text(encoding="utf-8")
        rows = list(csv.DictReader(io.StringIO(text), strict=True)) if file.suffix == ".csv" else _toml_rows(text)
    except (OSError, ValueError, csv.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"{file} cannot be read: {reason}.", _ADVICE) from None
    return tuple(_row(row, number, file) for number, row in enumerate(rows, 1))


def _toml_rows(text: str) -> list[dict[str, Any]]:
    document = tomllib.loads(text)
    rows = document.get("environment", [])
    if document.keys() - {"environment"} or not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ValueError("it has something other than [[environment]] in it")
    return rows


def _row(row: dict[str, Any], number: int, file: Path) -> Environment:
    path = row.get("path") or ()
    folders = tuple(path) if isinstance(path, list | tuple) else (path,)
    texts = {name: row.get(name) or "" for name in ("python", "report", "package")}
    wrong = set(row) - set(_COLUMNS) or not all(isinstance(one, str) for one in (*texts.values(), *folders))
    if wrong or not texts["python"] or not (texts["report"] or texts["package"]):
        raise UsageError(f"{file}, row {number}: no interpreter for a report or package.", _ADVICE)
    python = texts["python"]
    return Environment(
        python=str(file.parent / python) if "/" in python else python,
        report=texts["report"],
        package=texts["package"],
        path=tuple(str(file.parent / folder) for folder in folders),
    )
