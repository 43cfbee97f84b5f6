"""The table of frameworks, in the order in which they are looked for: a project is set up for the first that is found.

To add one: a line here. Most are a :class:`ClientFramework`; one that needs more than the address of an application has a file of
its own, with a class of the form below. What a search knows of it is in ``engine.frameworks``, under the same name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from crashwright.core.preparation import FrameworkSetUp
from crashwright.crash.frameworks.applications import ClientFramework
from crashwright.crash.frameworks.django import DjangoSetUp
from crashwright.crash.frameworks.flask import FlaskSetUp
from crashwright.crash.frameworks.searched import SearchedProject


class SetUpFramework(Protocol):
    """``SetUpLines`` has what most need of the lines: none."""

    @property
    def name(self) -> str:
        """In both tables."""

    @property
    def is_settings(self) -> bool:
        """Whether its address is a module of settings: nothing of the subject works without, and its folder has to be at hand."""

    @property
    def plugins(self) -> tuple[tuple[str, str], ...]:
        """Marks on tests, each with the plugin of pytest that it needs."""

    def found(self, project: SearchedProject) -> FrameworkSetUp | None:
        """What is to be set up for crashes of a project; None if it is not written for this framework."""

    def for_suites(self, project: SearchedProject) -> FrameworkSetUp | None:
        """Likewise for suites: what its modules need to be imported."""

    def for_package(self, apps: Sequence[str]) -> FrameworkSetUp | None:
        """What is enough to import an installed package that reads settings; these of its packages look like applications."""

    def needed(self, set_up: FrameworkSetUp, body: str) -> FrameworkSetUp:
        """What of it a test with that body needs."""

    def is_done_by(self, source: str) -> bool:
        """Whether a test file sets it up itself."""

    def before(self, set_up: FrameworkSetUp) -> list[str]:
        """The lines that stand before the import of the subject."""

    def imports(self, set_up: FrameworkSetUp) -> list[str]:
        """The imports of the fixtures, without that of pytest."""

    def fixtures(self, set_up: FrameworkSetUp, scope: str) -> list[str]:
        """The fixtures, each with the two lines that follow a function; ``scope`` is that of what lasts."""

    def marks(self, set_up: FrameworkSetUp) -> list[str]:
        """The decorators of the test."""


FRAMEWORKS: tuple[SetUpFramework, ...] = (
    DjangoSetUp(),
    FlaskSetUp(),
    ClientFramework("asgi", {"fastapi": "FastAPI", "starlette": "Starlette"}, "ASGI application"),
    ClientFramework("aiohttp", {"aiohttp": "web.Application"}, "aiohttp application"),
)


def row_of(set_up: FrameworkSetUp) -> SetUpFramework:
    """Of what is set up."""
    return next(one for one in FRAMEWORKS if one.name == set_up.framework)
