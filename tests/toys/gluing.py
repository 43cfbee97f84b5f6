"""Functions that are made within others: decorators with and without arguments, and what they hang on their wrappers."""

import functools


def limited(*names):
    """A decorator with arguments."""

    def limit(func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            missing = [name for name in names if name not in kwargs]
            return kwargs[missing[0]] if missing else func(*args, **kwargs)

        return wrapper

    return limit


def kept(func):
    """A decorator whose wrapper has a further function."""
    memory = {}

    def wrapper(item):
        memory[item] = func(item)
        return memory[item]

    def forget(item, strict=True):
        del memory[item]

    wrapper.forget = forget  # type: ignore[attr-defined]
    wrapper = functools.wraps(func)(wrapper)
    return wrapper or func


def quiet(func):
    """Does both steps itself."""
    return limited("volume")(func)


def inner_only(items):
    """Its function never gets out."""

    def pick(item):
        return items[item]

    return [pick(item) for item in items]
