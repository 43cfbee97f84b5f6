"""The path of a request that comes to a route: its places are filled with what their converters or regular expressions take; and
the way back, from a path to the route and what stands in its places."""

from __future__ import annotations

import re
from random import Random

from crashwright.engine.frameworks.web import Route
from crashwright.engine.testcase.making.matching_text import matching_text

_PLACE = re.compile(r"<(?:(\w+)(?:\([^)]*\))?:)?(\w+)>")
_FILLED = {"int": "1", "float": "1.5", "uuid": "00000000-0000-4000-8000-000000000001"}
"""What stands for a converter that tells no expression."""
_USUAL = ("x", "1", "1.5", _FILLED["uuid"], "2026-01-01", "xx", "en")
"""Taken where the expression matches them, the first of them: a path that somebody would type."""


def path_of(route: Route) -> str:
    """A path that the route matches, the same one each time."""
    patterns = dict(route.patterns)
    return _PLACE.sub(lambda place: _filled(patterns.get(place[2], ""), _FILLED.get(place[1] or "", "x")), route.path)


def places_in(route: Route, path: str) -> dict[str, str] | None:
    """What stands in the places of the route where a request for ``path`` comes to it; None where it does not."""
    patterns = dict(route.patterns)
    names: dict[str, str] = {}
    written: list[str] = []
    end = 0
    for place in _PLACE.finditer(route.path):
        group = f"place{len(names)}"
        names[group] = place[2]
        inner = patterns.get(place[2], "") or (".+" if place[1] == "path" else "[^/]+")
        written += [re.escape(route.path[end : place.start()]), f"(?P<{group}>{_without_names(inner)})"]
        end = place.end()
    try:
        match = re.fullmatch("".join((*written, re.escape(route.path[end:]), "/?")), path)
    except (re.error, RecursionError, OverflowError):
        return None
    return None if match is None else {name: match[group] for group, name in names.items()}


def shared_parts(one: str, other: str) -> int:
    """How many parts from the front two paths have in common."""
    pairs = zip(one.strip("/").split("/"), other.strip("/").split("/"), strict=False)
    return next((place for place, (mine, theirs) in enumerate(pairs) if mine != theirs), 100)


def _without_names(pattern: str) -> str:
    """The expression with groups that have no names, and without its end: it is a part of another."""
    return re.sub(r"\(\?P<\w+>", "(?:", pattern).removesuffix("$").removesuffix(r"\Z")


def _filled(pattern: str, otherwise: str) -> str:
    """A text for ``pattern``; ``otherwise`` where there is none, or none is found."""
    if not pattern:
        return otherwise
    try:
        matches = re.compile(pattern).fullmatch
    except (re.error, RecursionError, OverflowError):
        return otherwise
    usual = next((one for one in _USUAL if matches(one)), None)
    if usual is not None:
        return usual
    rng = Random(0)
    for _ in range(_TRIES):
        made = matching_text(pattern, rng, words=_USUAL, groups=dict.fromkeys(re.compile(pattern).groupindex, "1"))
        if made is not None and matches(made):
            return made
    return otherwise


_TRIES = 20
"""Texts that are made for an expression: look-arounds are passed over, so that not every one matches."""
