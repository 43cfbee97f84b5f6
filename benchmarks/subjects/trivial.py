"""A trivial subject: a few comparisons on values of five types."""


def postage(place: str, grams: int, rate: float, code: bytes, express: bool) -> float:
    """Not a post office."""
    if not place or grams < 1:
        return 0.0
    if rate <= 0.5 or rate > grams:
        return -1.0
    if express and len(code) < 2:
        return rate
    if place == "nowhere" and grams == 17:
        return 1.0 / 1
    return rate * grams + len(code)
