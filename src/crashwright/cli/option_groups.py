"""The groups that help shows options in: what is used every day first, what research compares last."""

from __future__ import annotations

from cyclopts import Group, Parameter

from crashwright.core.errors import UsageError

ARGUMENTS = Group("Arguments", sort_key=0)
EVERYDAY = Group("Options", sort_key=1)
OTHERS = Group("More options", sort_key=2)
RESEARCH = Group("Options for research", help="They choose the parts of the search, to compare them.", sort_key=3)

MORE = Parameter(group=OTHERS)
STUDY = Parameter(group=RESEARCH)
QUIET = Parameter(name=["--quiet", "-q"], negative="", show_default=False, group=EVERYDAY)
"""Not among the options that a pyproject.toml may set: whoever looks at the terminal decides."""
VERBOSE = Parameter(name=["--verbose", "-v"], negative="", show_default=False, group=EVERYDAY)


def check_loudness(quiet: bool, verbose: bool) -> None:
    """Raises UsageError if both are wanted."""
    if quiet and verbose:
        raise UsageError("--quiet and --verbose contradict each other.", "Leave one of them out.")


def short(name: str, letter: str) -> Parameter:
    """An option with a short name."""
    return Parameter(name=[f"--{name}", f"-{letter}"])
