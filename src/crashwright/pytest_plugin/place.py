"""Where a written test goes: into a folder that pytest collects, under a name that it takes for that of a test file."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path


def collected_folder(root: Path, testpaths: Sequence[str], test: Path) -> Path:
    """Of the folders of ``testpaths`` (patterns below ``root``) the one that holds the file ``test``, else the first; ``root`` if
    there are none, as all of it is collected then."""
    found = [path for pattern in testpaths for path in sorted(root.glob(pattern.rstrip("/") or "."))]
    folders = list(dict.fromkeys(path if path.is_dir() else path.parent for path in found))
    return next((folder for folder in folders if folder in test.parents), folders[0] if folders else root)


def collected_name(name: str, patterns: Sequence[str]) -> str:
    """``name``, or, if it matches none of ``patterns`` (``python_files``), its words in the first one that has room for them."""
    if any(fnmatch(name, pattern) for pattern in patterns):
        return name
    words = name.removeprefix("test_").removesuffix(".py")
    fitting = (
        Path(pattern).name.replace("*", words) for pattern in patterns if pattern.count("*") == 1 and pattern.endswith(".py")
    )
    return next((one for one in fitting if not set(one) & set("?[]")), name)
