"""A trivial subject: two comparisons and a sum."""


def day_of(year: int, month: int, day: int) -> int:
    """Not a calendar."""
    if year < 1 or month < 1:
        return 0
    return year * 365 + month * 30 + day
