"""``crashwright serve``: the commands as tools of a Model Context Protocol server, over standard input and output."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import App, Parameter

from crashwright.cli.option_groups import EVERYDAY
from crashwright.core.errors import EnvironmentProblem
from crashwright.workflows.hunting.choices import check_choices

app = App(
    name="serve",
    group_parameters=EVERYDAY,
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
    result_action="return_value",
)


@app.default
def command(
    *,
    python: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = (),
    allow: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = (),
) -> int:
    """Let AI assistants use explain, reproduce, verify, generate and doctor, through the Model Context Protocol (crashwright[mcp]).

    Parameters
    ----------
    python
        A Python interpreter for calls to choose; may be repeated; the first is preset [default: the one that runs crashwright].
    allow
        What all calls may do, as for reproduce: network, processes, ctypes, write:FOLDER or secrets. A call cannot allow more.
    """
    check_choices(None, allow)
    try:
        # The protocol's kit takes half a second to load, and is not always there.
        from crashwright.cli.tool_server import server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "mcp_types"):
            raise
        raise EnvironmentProblem(
            f"crashwright serve needs the package mcp: {error}.", "Install it: pip install 'crashwright[mcp]'."
        ) from None
    server(python or (sys.executable,), allow).run("stdio")
    return 0
