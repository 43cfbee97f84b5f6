"""Three ways never to come back."""

import re
import time


def loop() -> None:
    """In Python."""
    while True:
        pass


def sleep() -> None:
    """Without using the processor."""
    time.sleep(1000)


def inside_c() -> None:
    """In C, where no signal is handled: a regular expression that backtracks."""
    re.match(r"(a+)+$", "a" * 60 + "b")
