"""The scratch folder as the subject sees it: home, temporary folder and working folder, and nothing of the user's."""

from __future__ import annotations

import os


class Folders:
    """Made under ``root``. ``work`` is the current folder, ``files`` where file fixtures go."""

    def __init__(self, root: str) -> None:
        self.root = os.path.realpath(root)
        self.home, self.temporary, self.work, self.files = (
            os.path.join(self.root, name) for name in ("home", "tmp", "work", "files")
        )
        for folder in self.all:
            os.makedirs(folder, exist_ok=True)

    @property
    def all(self) -> tuple[str, ...]:
        """Every folder that tests may fill."""
        return self.home, self.temporary, self.work, self.files

    def enter(self) -> None:
        """Make them the current folder, ``HOME`` and ``TMPDIR`` of this process; ``XDG_*`` folders follow the home."""
        for name in [name for name in os.environ if name.startswith("XDG_")]:
            del os.environ[name]
        os.environ["HOME"] = self.home
        os.environ["TMPDIR"] = self.temporary
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        os.chdir(self.work)
