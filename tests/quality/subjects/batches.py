"""A generator that breaks while it is driven, after its first item."""


def batched(items, size=2):
    first = list(items[:1])
    yield first
    for start in range(1, len(items), 2):
        yield _batch(items, start, size)


def _batch(items, start, size):
    share = len(items) // size
    return items[start : start + share]
