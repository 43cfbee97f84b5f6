"""A parser that is given texts: its entry, called again and again in this process, and which outcomes of the conditions in its
module were taken."""

from __future__ import annotations

import contextlib
import io
import json
import signal
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from crashwright.engine.instrument.hook import Instrumentation
from crashwright.engine.instrument.probes import Recorder

SECONDS = 0.5
"""Of the processor, after which a text is given up."""
MOST_ACTIVATIONS = 20_000


class ParserSubject(NamedTuple):
    """``entry`` is an expression; ``module`` is the one whose branches count. ``only_run``: nobody looked into its code. ``draw``:
    which of the two in ``subjects.json`` it is from."""

    name: str
    entry: str
    module: str
    only_run: bool = False
    draw: int = 1

    @property
    def package(self) -> str:
        """The name at the top."""
        return self.module.partition(".")[0]


def subjects() -> list[ParserSubject]:
    """All of them."""
    return [ParserSubject(**one) for one in json.loads(Path(__file__).with_name("subjects.json").read_text())["subjects"]]


class _TooLate(BaseException):
    """A text has had its time."""


class ParserEntry:
    """Calls the entry of a subject."""

    def __init__(self, subject: ParserSubject) -> None:
        names = {subject.package: import_module(subject.package)}
        import_module(subject.module)
        self._call = eval(f"lambda text: {subject.entry}(text)", names)
        signal.signal(signal.SIGVTALRM, _give_up)

    def __call__(self, text: str) -> bool:
        """Whether the text was given up; whatever is raised is fine."""
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            try:
                signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
                self._call(text)
            except _TooLate:
                return True
            except Exception:  # noqa: BLE001 - of the subject
                return False
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        return False


def _give_up(*_: object) -> None:
    raise _TooLate


def coverage(subject: ParserSubject, texts: Iterable[str]) -> Iterator[float]:
    """The share of outcomes that were taken after each text, of all that conditions in the functions of the module have."""
    call, recorder = ParserEntry(subject), Recorder(MOST_ACTIVATIONS)
    Instrumentation(recorder, {subject.module: None}).install()
    probed = [number for number, function in enumerate(recorder.functions) if function.predicates]
    every = sum(2 * len(recorder.functions[number].predicates) for number in probed)
    taken: set[tuple[int, int, bool]] = set()
    reached = dict.fromkeys(probed, 0)
    for text in texts:
        recorder.reset()
        call(text)
        for one in recorder.trace().activations:
            new = one.beyond(reached[one.function]) if one.function in reached else 0
            if not new:
                continue
            reached[one.function] |= new
            for predicate in range(len(recorder.functions[one.function].predicates)):
                for outcome in (True, False):
                    if one.distance_to(predicate, outcome) == 0:
                        taken.add((one.function, predicate, outcome))
        yield len(taken) / every
