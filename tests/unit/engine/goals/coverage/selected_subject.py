"""A subject for goal selection."""


def long_block(items):
    first = len(items)
    second = first

    third = second
    fourth = third
    fifth = fourth
    sixth = fifth
    seventh = sixth
    last = items[seventh]
    if last is None:
        return 0
    return first + 1


def compare(left, right):
    if left < right:
        return left <= right
    return left == right
