"""All that confines one engine, in order: in the zygote before the import the kernel's layers and the audit hook; in each fork the
limits, then what only holds for a process that runs tests (DESIGN, "Confinement")."""

from __future__ import annotations

import os
from collections.abc import Iterable

from crashwright.core.messages import Confined
from crashwright.core.settings import EngineSettings
from crashwright.engine.execution.confinement import Confinement, die_with_parent
from crashwright.engine.execution.confinement.guard import Guard
from crashwright.engine.execution.rlimits import limit_this_process, not_limitable


class Enclosure:
    """``root`` is the scratch folder. ``guard`` is the audit hook, which names what it refuses."""

    def __init__(self, root: str, settings: EngineSettings) -> None:
        self._settings = settings
        self._kernel = Confinement((root,), settings.allow)
        self._zygote = os.getpid()
        self.guard = Guard(root, settings.allow)

    def close(self) -> None:
        """Confine this process, which has one thread, and all its forks, for good: subject code comes next."""
        self._kernel.begin()
        self.guard.install()

    def close_in_fork(self, cpu_seconds: int | None, reserved: Iterable[int], threads: int = 0) -> None:
        """Confine a fork further: it runs tests and nothing else. ``reserved`` are the engine's own descriptors; as many
        ``threads`` of tests may be left running."""
        die_with_parent(self._zygote)
        limit_this_process(self._settings.limits, cpu_seconds, threads)
        self._kernel.tighten(reserved)
        self.guard.wake()

    def confined(self, import_refused: tuple[str, ...]) -> Confined:
        """What holds here, in words for the user."""
        missing = not_limitable()
        unlimited = f"; no limit of {', '.join(missing)}" if missing else ""
        return Confined(f"{self._kernel.text}{unlimited}", self._kernel.notes, import_refused)
