"""A subject that ends engines."""

import os


def die(_value):
    os._exit(7)  # another test each time, the same end


def live(number):
    return number
