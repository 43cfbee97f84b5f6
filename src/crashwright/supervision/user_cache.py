"""The user's cache folder: what engines have compiled and read, for the runs to come.

A convenience, never a condition. Files in it are replaced in one step, named by what they were made of, and the oldest are removed
when there are too many.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

MOST_BYTES = 64 << 20
"""Of all files together."""
_LEFT = 0.75
"""Share of :data:`MOST_BYTES` that stays when files are removed."""
NAME = "crashwright"


class Size(NamedTuple):
    """Of the folder."""

    files: int
    bytes: int


def user_cache(environment: Mapping[str, str] | None = None, platform: str = sys.platform) -> str:
    """Where it is, whether or not it is there yet; "" for a user without a home."""
    environment = os.environ if environment is None else environment
    named = environment.get("XDG_CACHE_HOME", "")
    if os.path.isabs(named):
        return os.path.join(named, NAME)
    home = environment.get("HOME", "")
    if not os.path.isabs(home):
        return ""
    return os.path.join(home, "Library/Caches" if platform == "darwin" else ".cache", NAME)


def prepared_cache() -> str:
    """Where it is, with room in it."""
    folder = user_cache()
    if folder:
        bound(folder)
    return folder


def problem_of(folder: str) -> str:
    """Why engines cannot keep anything there; "" where they can."""
    if not folder:
        return "there is no home folder, and XDG_CACHE_HOME is not set"
    there = Path(folder)
    while not there.exists() and there != there.parent:
        there = there.parent
    if not there.is_dir() or not os.access(there, os.W_OK):
        return f"{there} cannot be written to"
    status = there.stat()
    if str(there) == folder and (status.st_uid != os.geteuid() or status.st_mode & 0o022):
        return f"{folder} can be written to by others"
    return ""


def size_of(folder: str) -> Size:
    """How much is in it."""
    sizes = [size for _, size, _ in _files(folder)]
    return Size(len(sizes), sum(sizes))


def bound(folder: str, most: int = MOST_BYTES) -> None:
    """Remove the oldest files if all together have more than ``most`` bytes."""
    files = sorted(_files(folder))
    total = sum(size for _, size, _ in files)
    if total <= most:
        return
    for _, size, path in files:
        if total <= most * _LEFT:
            return
        try:
            path.unlink()
        except OSError:
            continue  # another run was faster, or nothing may be removed here
        total -= size


def _files(folder: str) -> Iterator[tuple[int, int, Path]]:
    """Time, size and path of each."""
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError:
            continue
        if entry.is_file(follow_symlinks=False):
            yield status.st_mtime_ns, status.st_size, Path(entry.path)
