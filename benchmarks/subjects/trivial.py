"""A trivial subject: a few comparisons on numbers."""


def day_of(year: int, month: int, day: int) -> int:
    """Not a calendar."""
    if year < 1 or month < 1:
        return 0
    if month == 2 and day > 29:
        return -1
    return year * 365 + month * 30 + day
