"""The search in open texts, on the entry of a parser: ``python -m benchmarks.texts.searching NAME TESTS LOG`` prints the texts that
it tried as JSON, and the seconds of the processor that it took, in all and for the log. LOG: what it knows of comparisons
(``none``, ``all``)."""

from __future__ import annotations

import json
import sys
import time

from benchmarks.texts.subject import ParserEntry, ParserSubject, subjects
from crashwright.engine.instrument.comparison_log.notes import ComparisonNotes
from crashwright.engine.sources.text_search import Attempt, ComparedTexts, TextSearch
from crashwright.engine.sources.text_stage import PROMISING
from crashwright.engine.sources.wide_probes import WideProbes


class ParserTries:
    """See ``text_search.Tries``."""

    def __init__(self, subject: ParserSubject, log: str) -> None:
        self.call, self.tried = ParserEntry(subject), [""]
        self.probes = WideProbes(subject.package, (), lambda: None)
        self.search = TextSearch(self)
        self._log = log
        self.noting, self.noted = 0.0, 0
        """Seconds that the log took, and how often it was on."""

    def attempt(self, place: int, text: str) -> Attempt:  # noqa: ARG002 - there is one
        """One test."""
        self.tried.append(text)
        self.probes.begin()
        hung = self.call(text)
        return Attempt(self.probes.is_new() and not hung, 1.0)

    def compared(self, place: int, text: str) -> ComparedTexts:  # noqa: ARG002 - there is one
        """As ``text_stage`` has it."""
        if self.search.kept >= PROMISING or not self.probes:
            self.probes.discover(lambda: self.call(text))
        if self._log == "none":
            return ComparedTexts((), ())
        notes = self._noted(text)
        return ComparedTexts([*notes.wants], [*notes.words])

    def _noted(self, text: str) -> ComparisonNotes:
        begun = time.process_time()
        try:
            return self.probes.compared(text, lambda: self.call(text))
        finally:
            self.noting += time.process_time() - begun
            self.noted += 1


def main(name: str, tests: int, log: str) -> None:
    """Prints."""
    subject = next(one for one in subjects() if one.name == name)
    tries = ParserTries(subject, log)
    begun = time.process_time()
    tries.probes.discover(lambda: tries.call("a"))
    tries.probes.on()
    tries.search.keep(0, "a", 1.0)
    tries.attempt(0, "a")
    tries.search.advance(lambda: len(tries.tried) >= tests)
    seconds = {"seconds": time.process_time() - begun, "noting": tries.noting, "noted": tries.noted}
    print(json.dumps(seconds | {"kept": tries.search.kept, "texts": tries.tried}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
