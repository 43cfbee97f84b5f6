"""Tolls: what is compared is reckoned from several numbers."""

FREE_FROM = 400


def toll(cars: int, tons: int) -> str:
    if cars * 25 + tons * 7 > FREE_FROM:
        return "free"
    return "paid"


def spread(text: str) -> str:
    first, _, last = text.partition("-")
    return "wide" if int(last) - int(first) >= 90 else "narrow"
