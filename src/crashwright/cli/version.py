"""What ``--version`` says: the version, and the commit where it is known. Nothing of this is imported before it is asked for."""

from __future__ import annotations

import json
import subprocess
from importlib.metadata import Distribution, distribution
from pathlib import Path

CHECKOUT = Path(__file__).parents[3]
SHOWN = 12


def described() -> str:
    """``0.1.0``, or ``0.1.0 (commit 0123456789ab)``; with ``+`` behind it where files of the checkout were changed since."""
    installed = distribution("crashwright")
    commit = commit_of_checkout(CHECKOUT) or commit_of_installation(installed)
    return f"{installed.version} (commit {commit})" if commit else installed.version


def commit_of_checkout(folder: Path) -> str | None:
    """That of the sources that run, where they lie in a checkout of git: not that of a project that they are installed in."""
    if not (folder / ".git").exists():
        return None
    commit = _git(folder, "rev-parse", f"--short={SHOWN}", "HEAD")
    changed = commit and _git(folder, "status", "--porcelain", "--untracked-files=no", "--", "src")
    return f"{commit}+" if changed else commit


def commit_of_installation(installed: Distribution) -> str | None:
    """What pip wrote down of an installation from a repository (``direct_url.json``, PEP 610)."""
    try:
        told = json.loads(installed.read_text("direct_url.json") or "{}")
        commit = told["vcs_info"]["commit_id"]
    except (ValueError, KeyError, TypeError):
        return None
    return commit[:SHOWN] if isinstance(commit, str) else None


def _git(folder: Path, *arguments: str) -> str | None:
    line = ["git", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(line, capture_output=True, text=True, timeout=5, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None
