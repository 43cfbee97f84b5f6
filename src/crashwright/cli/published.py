"""``--published``: the searches of the papers as they were published, each under one name (EvoCrash, paper 001; Botsing with basic
block coverage, paper 000). Their protocol takes each frame as the target, from the outermost one in: so does ``reproduce``."""

from __future__ import annotations

from dataclasses import replace

from crashwright.core.errors import UsageError
from crashwright.core.mechanisms import Mechanism
from crashwright.core.settings import SearchSettings

OUR_SOURCES = ("arguments", "reported", "echoed", "examples", "fields", "lines", "samples", "neighbours", "near")
OUR_TEACHINGS = ("formats", "message", "keys", "shown")
"""Parts of the search that belong to no mechanism, and that no paper has."""
_EVOCRASH = SearchSettings(
    fitness="weighted-sum",
    secondary="none",
    operators="evocrash",
    schedule="restart",
    flags="none",
    without=tuple(Mechanism),
    without_rows=(*OUR_SOURCES, *OUR_TEACHINGS),
)
PUBLISHED = {"evocrash": _EVOCRASH, "botsing": replace(_EVOCRASH, secondary="bbc-literal")}


def as_published(name: str | None, chosen: SearchSettings) -> SearchSettings:
    """The search called ``name`` with the seed of what is ``chosen``; that itself if there is no name. Raises UsageError if
    something else is chosen beside a name."""
    if name is None:
        return chosen
    if chosen != SearchSettings(seed=chosen.seed):
        raise UsageError(
            f"--published {name} decides alone how the search is done.", "Leave out the other options of the search but --seed."
        )
    return replace(PUBLISHED[name], seed=chosen.seed)
