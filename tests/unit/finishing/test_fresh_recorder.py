"""The record of what a fresh run raised, also where the exception answers for itself."""

from __future__ import annotations

import json
from pathlib import Path

from crashwright.finishing.running.recorder import Recorder


class Odd(ValueError):
    """Raises where it is asked for what every exception has."""

    __module__ = 5  # type: ignore[assignment]

    def __str__(self):
        raise SystemExit

    def __bool__(self):
        raise LookupError("bool")

    @property
    def __traceback__(self):  # type: ignore[override]
        raise LookupError("traceback")

    @property
    def __cause__(self):  # type: ignore[override]
        raise LookupError("cause")

    @property
    def __class__(self):
        raise LookupError("class")


def test_an_exception_that_answers_for_itself_is_recorded(tmp_path: Path) -> None:
    caught: list[BaseException] = []
    try:
        try:
            raise Odd
        except ValueError as error:
            raise KeyError("then") from error
    except KeyError as error:
        caught.append(error)
    Recorder(str(tmp_path / "record")).record(caught[0])
    (line,) = (tmp_path / "record").read_text().splitlines()
    found = json.loads(line)
    assert (found["type"], found["link"], found["message"]) == ("KeyError", "cause", "'then'")
    assert (found["before"]["type"], found["before"]["module"]) == ("Odd", "")
    assert found["before"]["frames"][-1][2] == "test_an_exception_that_answers_for_itself_is_recorded"
