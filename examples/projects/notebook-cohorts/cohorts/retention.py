"""How many users of a week come back."""

from __future__ import annotations

from collections import defaultdict
from datetime import date


def week_of(day: date) -> int:
    return day.isocalendar().week


def cohorts(visits: list[tuple[str, date]]) -> dict[int, set[str]]:
    """The users by the week of their first visit."""
    first: dict[str, int] = {}
    for user, day in sorted(visits, key=lambda visit: visit[1]):
        first.setdefault(user, week_of(day))
    grouped: dict[int, set[str]] = defaultdict(set)
    for user, week in first.items():
        grouped[week].add(user)
    return dict(grouped)


def retention(visits: list[tuple[str, date]], start: int, after: int = 1) -> float:
    """The share of the users that first came in week ``start`` who came again ``after`` weeks later."""
    members = cohorts(visits).get(start, set())
    again = {user for user, day in visits if week_of(day) == start + after and user in members}
    return len(again) / len(members)
