"""``pytest --crashwright``: reproductions of the exceptions that tests fail by, at the boundary of the project.

pytest imports this at each start: until the option is given, it imports nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

_SECONDS = 60.0


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options, and no setting that turns them on: whoever runs pytest asks."""
    group = parser.getgroup("crashwright", "small reproductions of failures")
    group.addoption(
        "--crashwright",
        nargs="?",
        const="offer",
        choices=("offer", "write"),
        metavar="offer|write",
        help="after the session, reproduce each exception in your project that made a test fail in a small test of its own, and "
        "print it (offer, the default) or write it to a file (write)",
    )
    group.addoption(
        "--crashwright-budget",
        type=float,
        default=_SECONDS,
        metavar="SECONDS",
        help=f"how many seconds that may take altogether [default: {_SECONDS:g}]",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Listen, where it is asked for."""
    if config.getoption("--crashwright"):
        from crashwright.pytest_plugin.session import Reproductions

        config.pluginmanager.register(Reproductions(config), "crashwright-reproductions")
