"""Writes the printed file: whole or not at all, and never over a file of somebody else."""

from __future__ import annotations

import ast
import os
import tempfile
from itertools import takewhile
from pathlib import Path

from crashwright.core.errors import EnvironmentProblem, UsageError

_OURS = "crashwright reproduce "
"""How the line with the command begins, in the docstring of each test of a crash."""


def check_writable(path: Path, option: str = "--output") -> None:
    """Fail before the search rather than after it; ``option`` names the file. Raises EnvironmentProblem."""
    folder = path.parent
    if path.is_dir():
        raise EnvironmentProblem(f"{path} is a folder.", f"Name a file with {option}.")
    if not folder.is_dir():
        raise EnvironmentProblem(f"There is no folder {folder}.", f"Make it, or name another file with {option}.")
    try:
        descriptor, name = tempfile.mkstemp(dir=folder, prefix=".crashwright-")
    except OSError as error:
        raise EnvironmentProblem(
            f"{folder} cannot be written to: {error.strerror}.", f"Name a file elsewhere with {option}."
        ) from None
    os.close(descriptor)
    os.unlink(name)


def free_name(path: Path) -> Path:
    """``path``, or the next number of it where a file that is not ours has that name."""
    candidate, number = path, 2
    while candidate.exists() and earlier_test(candidate) is None:
        candidate = path.with_stem(f"{path.stem}_{number}")
        number += 1
    return candidate


def file_or_folder(path: Path, option: str = "--output") -> tuple[Path, str]:
    """The folder that ``path`` means and the file in it, "" where a folder is meant: it is there, or the name is not that of Python
    code. Raises UsageError where something else is in the way, and where pytest could not import the file."""
    if path.is_dir() or (path.suffix != ".py" and not path.exists()):
        return path, ""
    if "." in path.stem:
        better = path.with_stem(path.stem.replace(".", "_"))
        raise UsageError(f"{option} {path}: pytest cannot import a file with a dot in its name.", f"Use {better.name}.")
    if path.exists() and not path.is_file():
        raise UsageError(f"{option} {path}: is neither a file nor a folder.", "Name a file for the tests, or a folder.")
    return path.parent, path.name


def check_replaceable(path: Path, force: bool = False) -> None:
    """Raises UsageError where somebody else has written what is at ``path``, unless ``force`` says that it may go."""
    if force or not path.exists() or not path.read_bytes().strip() or earlier_test(path) is not None:
        return
    raise UsageError(
        f"{path} exists and is not a test that crashwright wrote.",
        "Name another one with --output, or use --force to overwrite it.",
    )


def earlier_test(path: Path) -> str | None:
    """What the header of a test of ours says that it is about; None where the file is not one: we write one test to a file, under
    a docstring with the command, or under comments if it has a docstring of its author's."""
    try:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
    except (OSError, SyntaxError, ValueError):
        return None
    comments = [line[1:].removeprefix(" ") for line in takewhile(lambda line: line.startswith("#"), text.splitlines())]
    told = "\n".join(comments) if comments else ast.get_docstring(tree) or ""
    tests = sum(isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test") for node in tree.body)
    if tests > 1 or not any(line.startswith(_OURS) for line in told.splitlines()):
        return None
    return " ".join(told.partition("\n\n")[0].split())


def write(text: str, path: Path, option: str = "--output") -> None:
    """Write ``text`` to ``path``, which ``option`` names, in one step. Raises EnvironmentProblem."""
    try:
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".crashwright-", text=True)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(name, 0o666 & ~_umask())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise EnvironmentProblem(
            f"{path} could not be written: {error.strerror}.", f"Name a file elsewhere with {option}."
        ) from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
