"""Boxes in boxes: it breaks once what one call returned was passed to others, and the first error hides nothing of it."""


class Depot:
    def __init__(self):
        self._under = {}

    def open(self, label):
        key = f"{label}-{len(self._under)}"
        self._under[key] = None
        return key

    def put(self, key, into):
        if key not in self._under or into not in self._under:
            raise LookupError(key)
        self._under[key] = into

    def close(self, key):
        self._under.pop(key, None)

    def count(self):
        return len(self._under)

    def boxes(self):
        return sorted(self._under)

    def outermost(self):
        return [self._above(key, 0) for key in self._under]

    def _above(self, key, depth):
        if depth > len(self._under):
            raise RuntimeError("a box in itself")
        into = self._under[key]
        return key if into is None else self._above(into, depth + 1)
