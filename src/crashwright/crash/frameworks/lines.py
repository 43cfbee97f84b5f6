"""What most frameworks need of lines in a printed test, and of settings: none."""

from __future__ import annotations

from collections.abc import Sequence

from crashwright.core.preparation import FrameworkSetUp
from crashwright.crash.frameworks.searched import SearchedProject


class SetUpLines:
    """What ``table.SetUpFramework`` asks beyond finding an application."""

    __slots__ = ()
    is_settings = False
    plugins: tuple[tuple[str, str], ...] = ()

    def for_suites(self, project: SearchedProject) -> FrameworkSetUp | None:  # noqa: ARG002
        """Its modules are imported without."""
        return None

    def for_package(self, apps: Sequence[str]) -> FrameworkSetUp | None:  # noqa: ARG002
        """It reads no settings."""
        return None

    def needed(self, set_up: FrameworkSetUp, body: str) -> FrameworkSetUp:  # noqa: ARG002
        """All that there is."""
        return set_up

    def is_done_by(self, source: str) -> bool:  # noqa: ARG002
        """Not for all tests of a file."""
        return False

    def before(self, set_up: FrameworkSetUp) -> list[str]:  # noqa: ARG002
        """None."""
        return []

    def imports(self, set_up: FrameworkSetUp) -> list[str]:  # noqa: ARG002
        """None."""
        return []

    def fixtures(self, set_up: FrameworkSetUp, scope: str) -> list[str]:  # noqa: ARG002
        """None."""
        return []

    def marks(self, set_up: FrameworkSetUp) -> list[str]:  # noqa: ARG002
        """None."""
        return []
