"""Every test of this subject is the end of the engine."""

import os


def die(value):
    os._exit(value)
