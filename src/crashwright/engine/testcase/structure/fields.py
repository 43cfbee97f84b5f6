"""Binary data as fields: made of the layouts that the subject reads; edits that write one number, insert or take away a stretch
with the lengths around it kept right (or just wrong), wrap and repeat.

Lengths are found in the data itself: a number is one where what it counts ends within the data, and the data's end above all.
Total functions: of any bytes they make bytes of at most ``LONGEST``; the same random numbers give the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from crashwright.engine.subject.usage.layouts import Layout

LONGEST = 4096
LOOKED_AT = 64
"""Bytes at the beginning among which lengths are looked for."""
_MOST_REPAIRED = 6
_WRONG = 0.25
"""How often a length that was kept right is made wrong by a little."""
_SIZES = (1, 1, 2, 2, 4, 8)
_ORDERS = ("big", "little")
_TEXT = bytes(range(32, 127)) + b"\t\r\n"
_TIMES = (1, 1, 2, 3, 10, 100)

Numbers = Callable[[], int]
"""Gives a number that the subject knows."""


def is_binary(data: bytes) -> bool:
    """Whether there is more in it than the characters of a text."""
    return bool(data[:256].translate(None, _TEXT))


def made_data(rng: Random, layouts: Sequence[Layout], numbers: Numbers) -> bytes:
    """One to four records, and half the time some payload, which one of the numbers then counts."""
    random = rng.random
    data = bytearray()
    payload = bytes([int(random() * 256) if random() < 0.5 else 0 for _ in range(int(random() * random() * 24))])
    for _ in range(1 + int(random() * random() * 4)):
        layout = layouts[int(random() * len(layouts))]
        for size in layout.sizes:
            value = len(payload) if random() < 0.2 else _value(rng, 0, size, len(payload), numbers)
            data += _number(value, size, layout.order)
    return bytes(data + payload)[:LONGEST]


def edited_data(rng: Random, data: bytes, layouts: Sequence[Layout], numbers: Numbers) -> bytes:
    """One edit of ``data`` as fields."""
    random = rng.random
    roll = random()
    if roll < 0.5:
        changed = _written(rng, data, layouts, numbers)
    elif roll < 0.75:
        changed = _resized(rng, data, layouts, numbers)
    elif roll < 0.9:
        changed = _wrapped(rng, data, numbers)
    else:
        cut = _place(rng, data, layouts)[0]
        changed = data[:cut] if random() < 0.7 else data[cut:]
    return changed[:LONGEST]


def _number(value: int, size: int, order: str) -> bytes:
    return (value % (1 << (8 * size))).to_bytes(size, "little" if order == "little" else "big")


def _value(rng: Random, old: int, size: int, rest: int, numbers: Numbers) -> int:
    """Small, at an edge, near the old one, near what is left behind the field, or known to the subject."""
    random = rng.random
    roll = random()
    if roll < 0.3:
        return int(random() * random() * 20)
    if roll < 0.5:
        top = 1 << (8 * size)
        return (top - 1, top - 2, top >> 1, (top >> 1) - 1, 0, top - int(random() * 20))[int(random() * 6)]
    if roll < 0.6:
        return old + (1, -1, 8, -8)[int(random() * 4)]
    if roll < 0.85:
        return rest + (0, 0, 1, -1, size, 2)[int(random() * 6)]
    return numbers()


def _place(rng: Random, data: bytes, layouts: Sequence[Layout]) -> tuple[int, int, str]:
    """Where a field may stand, its size and order: by a layout from the beginning or from anywhere, or any."""
    random = rng.random
    start = 0 if random() < 0.5 else int(random() * random() * (len(data) + 1))
    if layouts and random() < 0.7:
        order, sizes = layouts[int(random() * len(layouts))]
        index = int(random() * len(sizes))
        place = start + sum(sizes[:index])
        return min(place, len(data)), sizes[index], order
    return int(random() * (len(data) + 1)), _SIZES[int(random() * len(_SIZES))], _ORDERS[int(random() * 2)]


def _written(rng: Random, data: bytes, layouts: Sequence[Layout], numbers: Numbers) -> bytes:
    """Another number in a field; now and then one of variable length."""
    place, size, order = _place(rng, data, layouts)
    old = int.from_bytes(data[place : place + size], "little" if order == "little" else "big")
    value = _value(rng, old, size, len(data) - place - size, numbers)
    if rng.random() < 0.15:
        return data[:place] + _variable(rng, value) + data[place + (size if rng.random() < 0.5 else 0) :]
    return data[:place] + _number(value, size, order) + data[place + size :]


def _variable(rng: Random, value: int) -> bytes:
    """Numbers that say how long they are: a count of bytes with the high bit, seven bits a byte, digits."""
    value = abs(value) % (1 << 128)
    roll = rng.random()
    if roll < 0.5:
        size = max(1, (value.bit_length() + 7) // 8) if rng.random() < 0.5 else 1 + int(rng.random() * 16)
        body = _number(value, size, "big") if rng.random() < 0.5 else b"\xff" * size
        return bytes([0x80 | size]) + body
    if roll < 0.7:
        return str(value).encode() + (b":", b" ", b"\n", b"\r\n", b"\x00")[int(rng.random() * 5)]
    groups = [value >> shift & 127 for shift in range(0, max(1, value.bit_length()), 7)]
    groups = groups if rng.random() < 0.5 else groups[::-1]
    return bytes([group | 128 for group in groups[:-1]] + groups[-1:])


def _resized(rng: Random, data: bytes, layouts: Sequence[Layout], numbers: Numbers) -> bytes:
    """A stretch is inserted, doubled or taken away, and the lengths that count it follow."""
    random = rng.random
    place = int(random() * (len(data) + 1)) if random() < 0.7 else len(data)
    end = min(len(data), place + 1 + int(random() * random() * 16))
    roll = random()
    if roll < 0.35 and end > place:
        stretch, end_of_old = b"", end
    elif roll < 0.6 and end > place:
        stretch, end_of_old = data[place:end] * (1 + _TIMES[int(random() * len(_TIMES))]), end
    elif layouts and roll < 0.85:
        stretch, end_of_old = made_data(rng, layouts, numbers), place
    else:
        stretch, end_of_old = bytes([int(random() * 256) for _ in range(1 + int(random() * random() * 16))]), place
    changed = bytearray(data[:place] + stretch + data[end_of_old:])
    grown = len(changed) - len(data)
    for at, size, order, value in _lengths(data, layouts, place, end_of_old)[:_MOST_REPAIRED]:
        new = value + grown + ((1, -1, 2, -2)[int(random() * 4)] if random() < _WRONG else 0)
        if 0 <= new < 1 << (8 * size):
            changed[at : at + size] = _number(new, size, order)
    return bytes(changed)


def _lengths(data: bytes, layouts: Sequence[Layout], place: int, end: int) -> list[tuple[int, int, str, int]]:
    """Numbers before ``place`` that count what holds ``data[place:end]``: to the end of the data from behind them or from its
    beginning; else, where there is none, to a place within the data."""
    forms = dict.fromkeys(((1, "big"), (2, "big"), (2, "little"), (4, "big"), (4, "little")))
    forms.update(dict.fromkeys((size, order) for order, sizes in layouts[:8] for size in sizes if size <= 8))
    exact: list[tuple[int, int, str, int]] = []
    within: list[tuple[int, int, str, int]] = []
    total = len(data)
    for size, order in forms:
        little = order == "little"
        for at in range(min(place, LOOKED_AT) - size + 1):
            value = int.from_bytes(data[at : at + size], "little" if little else "big")
            if value and (at + size + value == total or (value == total and total > 3)):
                exact.append((at, size, order, value))
            elif size <= 2 and value and end <= at + size + value < total:
                within.append((at, size, order, value))
    taken: set[int] = set()
    chosen = []
    for one in sorted(exact or within[-1:], key=lambda found: -found[1]):  # the widest of those that overlap
        if taken.isdisjoint(range(one[0], one[0] + one[1])):
            taken.update(range(one[0], one[0] + one[1]))
            chosen.append(one)
    return chosen


def _wrapped(rng: Random, data: bytes, numbers: Numbers) -> bytes:
    """A stretch behind its length, and half the time behind a tag: of the data, or a number that the subject knows."""
    random = rng.random
    start = 0 if random() < 0.5 else int(random() * (len(data) + 1))
    inner = data[start:]
    depth = _TIMES[int(random() * random() * len(_TIMES))]
    tag = b""
    if random() < 0.7:
        tag = bytes([data[int(random() * len(data))]]) if data and random() < 0.5 else bytes([numbers() % 256])
    size = (1, 1, 1, 2, 4)[int(random() * 5)]
    order = _ORDERS[int(random() * 2)]
    behind = random() < 0.1
    for _ in range(depth):
        length = _number(len(inner), size, order) if len(inner) < 128 or size > 1 else bytes([0x82]) + _number(len(inner), 2, "big")
        inner = inner + length if behind else tag + length + inner
        if len(inner) > LONGEST:
            break
    return data[:start] + inner
