"""Errors of a command that was asked for JSON: marked here, so that the command line tells them as a document."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class JsonWanted(Exception):
    """``error`` is to be told as a JSON document on standard output."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


@contextmanager
def errors_as_json(wanted: bool) -> Iterator[None]:
    """Mark what is raised, where it is ``wanted``."""
    try:
        yield
    except Exception as error:
        if wanted:
            raise JsonWanted(error) from error
        raise
