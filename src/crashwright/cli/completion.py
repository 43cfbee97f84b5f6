"""``crashwright completion``: what makes a shell complete commands and options, printed for the shell to read."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import App, Parameter

from crashwright.cli.option_groups import EVERYDAY

app = App(
    name="completion",
    group_parameters=EVERYDAY,
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
    result_action="return_value",
)


@app.default
def command(shell: Annotated[Literal["bash", "zsh", "fish"], Parameter(help="The shell that you use.")]) -> int:
    """Print the script for command completion in your shell."""
    from crashwright.cli.main import build_app

    print(build_app().generate_completion(shell=shell))
    return 0
