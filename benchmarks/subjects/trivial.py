"""A trivial subject: a few comparisons on numbers."""


def days_between(year: int, month: int, day: int, leap: int) -> int:
    """Not a calendar."""
    if year < 1 or month < 1:
        return 0
    if month == 2 and day > 29 - leap:
        return -1
    if day == year * 1000 + 17:
        return 1 // 1
    return year * 365 + month * 30 + day
