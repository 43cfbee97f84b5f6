"""A subject that says when it is called for the first time: it writes the time to a file that the benchmark names."""

import os
import time

PLACE = os.environ.get("CRASHWRIGHT_FIRST_CALL", "")


def greet(name: str) -> str:
    """Fails at once, so that the run is short."""
    if PLACE and not os.path.exists(PLACE):
        with open(PLACE, "w") as file:
            file.write(str(time.monotonic()))
    raise KeyError(name)
