"""Search among the titles."""

from __future__ import annotations

TITLES = ["Middlemarch", "Moby Dick", "The Moonstone", "Mansfield Park"]


def words_of(query: str) -> list[str]:
    return [word for word in query.lower().split() if word not in ("the", "a", "an")]


def matching(query: str, sort: str | None = None) -> list[str]:
    """Titles that hold the first word of the query."""
    words = words_of(query)
    first = words[0]
    found = [title for title in TITLES if first in title.lower()]
    return sorted(found) if sort == "title" else found
