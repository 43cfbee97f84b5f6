"""Options by the names that they had before: scripts that use them go on working, and so do notes on how a report is to be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

RENAMED = {
    "--index": "--report-number",
    "--frame": "--target-frame",
    "--each": "--budget-each",
    "--suggest": "--candidate-program",
    "--suggest-calls": "--candidate-calls",
    "--suggestions": "--candidate-answers",
    "--accidents": "--accidental-exceptions",
    "--no-accidents": "--no-accidental-exceptions",
}
_KEEP = {"all": ("--keep-redundant",), "needed": ()}


def by_their_names(arguments: Sequence[str]) -> list[str]:
    """The arguments with each option by the name that it has now; what stands behind ``--`` is no option."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return [*_renamed(arguments[:end]), *arguments[end:]]


def _renamed(arguments: Sequence[str]) -> Iterator[str]:
    rest = iter(arguments)
    for one in rest:
        name, equals, value = one.partition("=")
        if name == "--keep":
            value = value if equals else next(rest, "")
            yield from _KEEP.get(value, ("--keep", value))
        else:
            yield RENAMED.get(name, name) + equals + value
