"""Documents that are read in probing runs: what a parser gives of a text that notes is a value that notes, so that it becomes known
what the code wants of the document (``json.loads(answer.read())["items"]``).

JSON so far; ``making.demanded`` writes what was asked for. Doubles are probed so (``sessions.suite_collaborators``)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from crashwright.engine.execution.recorded import RecordedText
from crashwright.engine.testcase.making.demands import Demand


class ValueSession(Protocol):
    """See ``execution.recording.RecordingSession``."""

    def value(self, demand: Demand) -> Any:
        """A value that notes in ``demand`` what is asked of it."""


@contextmanager
def documents_noted(session: ValueSession) -> Iterator[None]:
    """Meanwhile JSON that is read in a noting text is a noting value; all other texts are read as ever."""
    decoder: Any = json.JSONDecoder
    as_ever = decoder.decode

    def decode(self: Any, text: Any, *arguments: Any, **keywords: Any) -> Any:
        if type(text) is RecordedText:
            return session.value(text.noted.read())
        return as_ever(self, text, *arguments, **keywords)

    decoder.decode = decode
    try:
        yield
    finally:
        decoder.decode = as_ever
