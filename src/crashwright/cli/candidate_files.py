"""The texts that ``--candidate`` names, no more of each than is ever used."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from crashwright.core.errors import UsageError
from crashwright.crash.readers.cleaning import decoded
from crashwright.crash.suggested import LONGEST, MOST, STANDARD_INPUT, CandidateText
from crashwright.workflows.reproduce.suggesting import Suggestion, read_recorded


def candidate_texts(names: Sequence[str], report: str = "") -> tuple[CandidateText, ...]:
    """What stands in the files ``names``; - is standard input, unless the ``report`` is. Raises UsageError."""
    if "-" in names and (report == "-" or names.count("-") > 1):
        raise UsageError("Only one text can come from standard input.", "Give the report or the other candidates as files.")
    read = [CandidateText(STANDARD_INPUT if name == "-" else name, _text(name)) for name in names[:MOST]]
    return (*read, *(CandidateText(name, "", unread=True) for name in names[MOST:]))


def stored_answers(name: str | None) -> tuple[Suggestion, ...]:
    """What a suggesting program answered to an earlier run. Raises UsageError."""
    if name is None:
        return ()
    try:
        return read_recorded(Path(name).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(
            f"--candidate-answers {name}: {error}.", "Name a file that an earlier run with --candidate-program stored."
        ) from None


def _text(name: str) -> str:
    most = 4 * (LONGEST + 1)  # bytes: more is said to be too long, whatever follows
    try:
        if name == "-":
            return decoded(sys.stdin.buffer.read(most))
        with Path(name).open("rb") as file:
            return decoded(file.read(most))
    except OSError as error:
        raise UsageError(f"--candidate {name} cannot be read: {error.strerror}.", "Give a file, or - for standard input.") from None
