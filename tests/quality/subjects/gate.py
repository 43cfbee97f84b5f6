"""A function behind a decorator of the same package."""

import functools


def audited(action):
    def decorate(function):
        @functools.wraps(function)
        def checked(*args, **kwargs):
            result = function(*args, **kwargs)
            return (action, result)

        return checked

    return decorate


@audited("open")
def unlock(badges, level=1):
    if level > 7:
        return badges[level]
    return badges[0] if badges else None
