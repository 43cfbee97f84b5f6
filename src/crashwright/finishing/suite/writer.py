"""Where a suite may be written, what of a present file stays, and the writing itself: in one step."""

from __future__ import annotations

from pathlib import Path

from crashwright.core.errors import EnvironmentProblem, UsageError
from crashwright.finishing.suite.file import SuiteFile
from crashwright.finishing.suite.kept import NOTHING_KEPT, Kept, is_from_us, kept_text
from crashwright.finishing.write import check_writable, write

BESIDE = "_generated"
"""What the name of the second file has more, where somebody has a file of their own under the first."""


def beside_what_is_written(path: Path) -> Path:
    """``path``, or, where somebody has written a file there without us, one beside it. What cannot be read is left to
    :func:`check_suite_path`."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return path
    return path if is_from_us(text) or not text.strip() else path.with_stem(path.stem + BESIDE)


def check_suite_path(path: Path, update: bool, force: bool = False) -> None:
    """Fail before the search rather than after it. Raises UsageError where the file there is not ours to replace, and
    EnvironmentProblem where it cannot be written."""
    check_writable(path)
    kept_of(path, update, force)


def suite_there(path: Path) -> str:
    """What a suite at ``path`` would take the place of, in words; "" if there is nothing."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    if not text.strip():
        return ""
    return "an earlier suite by crashwright" if is_from_us(text) else "a file not by crashwright"


def kept_of(path: Path, update: bool, force: bool = False) -> Kept:
    """What of the file at ``path`` stays: with ``update``, all that is not as we wrote it; with ``force``, nothing; without either,
    the file must be ours alone.

    Raises UsageError where it is not, or is no Python, and EnvironmentProblem where it cannot be read.
    """
    if force:
        return NOTHING_KEPT
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return NOTHING_KEPT
    except OSError as error:
        raise EnvironmentProblem(f"{path} could not be read: {error.strerror}.", "Name another folder with --output.") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not UTF-8 text.", "Name another folder with --output.") from None
    try:
        kept = kept_text(text)
    except (SyntaxError, ValueError) as error:
        raise UsageError(f"{path} exists and is not valid Python: {error}.", "Name another folder with --output.") from None
    if not update and not kept.is_empty:
        raise UsageError(
            f"{path} exists and has code that crashwright did not write.",
            "Use --update to replace only what was generated, --force to overwrite it, or name another folder with --output.",
        )
    return kept


def write_suite(file: SuiteFile, path: Path, update: bool, force: bool = False) -> None:
    """Write the file, unless what is there has changed since ``file`` was made. Raises UsageError or EnvironmentProblem."""
    if not kept_of(path, update, force).agrees(file.kept):
        raise UsageError(f"{path} was changed while its tests were generated.", "Run the command again.")
    write(file.text, path)
