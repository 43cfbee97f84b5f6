"""Python ports of listings 2-4 of paper 003 (a simplified method of Apache Commons Math), and smaller flags of every kind.

The paper prints the listings only in part; the branches, their order and their conditions are those that its text describes.
"""

# ruff: noqa: SIM103 - the shape of the branches is what is tested
from __future__ import annotations

LARGEST_ARRAY = 10_000
LEAST_VALUE = 100_000
HIGHEST_VALUE = 100_060


def get(keys, value):
    if not check_precondition(keys, value):
        return None
    for index in range(len(keys)):
        if check_value(keys, index, value):
            return keys[index]
    return None


def check_precondition(keys, value):
    if check_array_range(keys) or check_value_range(value):
        return True
    return False


def check_array_range(keys):
    return len(keys) >= LARGEST_ARRAY


def check_value_range(value):
    return LEAST_VALUE <= value <= HIGHEST_VALUE


def check_value(keys, index, value):
    key = (value ^ 0x55) + (value >> 3)
    if keys[index] == 0:
        pass
    elif value < 2**index + 100:
        return False
    if keys[index] == key:
        return True
    return False


class Shelf:
    """Special methods, properties and cascading calls as flags."""

    def __init__(self, size):
        self.size = size

    @property
    def is_roomy(self):
        return self.size > 5000

    def __contains__(self, item):
        return item == self.size + 7001

    def __eq__(self, other):
        if type(other) is int:
            return other - self.size == 9001
        return NotImplemented

    def __hash__(self):
        return 1

    def __len__(self):
        return 1 if self.size > 7000 else 0


def by_property(shelf):
    if shelf.is_roomy:
        return 1
    return 0


def by_contains(shelf, item):
    if item in shelf:
        return 1
    return 0


def by_not_contains(shelf, item):
    if item not in shelf:
        return 1
    return 0


def by_equality(shelf, item):
    if shelf == item:
        return 1
    return 0


def by_truth(shelf):
    if shelf:
        return 1
    return 0


def find(items, wanted):
    for item in items:
        if item > wanted:
            return item
    return None


def by_none(items, wanted):
    if find(items, wanted) is None:
        return 0
    return 1


def by_any(items):
    if any(is_large(item) for item in items):
        return 1
    return 0


def by_all(items):
    if all(is_large(item) for item in items):
        return 1
    return 0


def is_large(item):
    return item > 4000


def by_local(item):
    large = is_large(item)
    if large:
        return 1
    return 0


def class_of(item):
    if item > 9000:
        return "large"
    return "small"


def by_constant(item):
    if class_of(item) == "large":
        return 1
    return 0


def stored(item):
    valid = False
    if item > 3000:
        valid = True
    return valid


def kept(item):
    valid = True
    if item < 3000:
        valid = False
    return valid


def annotated(item):
    valid: bool = False
    if item > 3000:
        valid = True
    return valid


def gathered(item):
    valid = True
    valid &= item > 3000
    valid &= item < 90000
    return valid


def by_annotated(item):
    large: bool = is_large(item)
    if large:
        return 1
    return 0


def by_annotated_result(item):
    if annotated(item):
        return 1
    return 0


def by_gathered_result(item):
    if gathered(item):
        return 1
    return 0


def by_gathering_any(items):
    found = False
    for item in items:
        found |= is_large(item)
    if found:
        return 1
    return 0


def by_gathering_all(items):
    valid = is_large(5000)
    for item in items:
        valid &= is_large(item)
    if valid:
        return 1
    return 0


def by_stored(item):
    if stored(item):
        return 1
    return 0


def by_kept(item):
    if kept(item):
        return 1
    return 0


def parsed(text):
    if len(text) < 3:
        raise ValueError(text)
    number = int(text)
    return number > 500


def by_raising(text):
    if parsed(text):
        return 1
    return 0


def forwarded(item):
    return not is_large(item)


def by_forwarded(item):
    if not forwarded(item):
        return 1
    return 0


def twice(item):
    if is_large(item):
        return 1
    if is_large(item - 2000):
        return 2
    return 0


def reaches(depth):
    if depth == 7:
        return True
    if reaches(depth - 1) if depth > 0 else False:
        return True
    return False


def by_recursion(depth):
    if reaches(depth):
        return 1
    return 0


def both(one, other):
    return is_large(one) and is_large(other)


def by_both(one, other):
    if both(one, other):
        return 1
    return 0


def by_library(text):
    if str(text).isdigit() and len(text) > 2:
        return 1
    return 0
