"""How those tests of a search ended that came the furthest: what stopped most of them, and what they were refused.

What is counted is looked at without asking it: the words of an exception are taken where they are plain values and the
interpreter prints them.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from types import CodeType
from typing import NamedTuple, TypeVar

from crashwright.engine.execution.confinement.guard import Refusal
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.search.complaints import plain_words
from crashwright.engine.subject.introspection import class_name

MOST = 0.5
"""The share of the tests that something must have stopped to be the reason."""
ALL_BUT = 0.95
"""The share of the tests that say the same, from which on their arguments seem to make no difference."""
ENOUGH = 100
"""Tests that have to be counted for that."""
_MOST_ENDINGS = 100
"""Different endings that are counted: what stops most tests is among the first."""
_MOST_PLACES = 1000
"""Places whose names are kept, with the code, so that its identity stays its own."""
_LONGEST = 120
_ERRNO = vars(OSError)["errno"]
_BETWEEN_PROCESSES = ("multiprocessing", "concurrent")
K = TypeVar("K")


class Ending(NamedTuple):
    """The class of an exception and the place that raised it, as ``synchronize.py:57 SemLock.__init__``."""

    name: str
    place: str


TIMED_OUT = Ending("", "")
RETURNED = Ending("", "returned")


class StoppingPlace(NamedTuple):
    """Where most tests stopped: the place as users name it, and its file. ``always``: nearly all did,
    with the same words, whatever they passed."""

    place: str
    file: str
    always: bool


class Denied(NamedTuple):
    """The kernel's confinement may be why: ``allowance`` is what opens it, "" where that cannot be told."""

    allowance: str


class Endings:
    """The tests that came as far as any."""

    def __init__(self) -> None:
        self._depth = -1
        self._tests = 0
        self._endings: Counter[Ending] = Counter()
        self._places: dict[tuple[int, int], tuple[CodeType, str]] = {}
        self._words: dict[Ending, str] = {}
        self._alike: Counter[Ending] = Counter()
        self._denied: dict[Ending, Denied] = {}
        self._refusals: Counter[Refusal] = Counter()

    def note(self, outcome: Outcome, score: CrashScore, refusal: Refusal | None) -> None:
        """Count one test, unless it came less far than others."""
        if score.frames < self._depth:
            return
        if score.frames > self._depth:
            self.__init__()  # type: ignore[misc]  # what stopped the others has been overcome
            self._depth = score.frames
        self._tests += 1
        if refusal is not None:
            self._refusals[refusal] += 1
        error = outcome.error
        if outcome.timed_out:
            self._endings[TIMED_OUT] += 1
        elif error is None:
            self._endings[RETURNED] += 1
        elif not score.level:
            key = Ending(class_name(type(error)), self._place(outcome))
            words = _words(error)
            if key not in self._words:
                if len(self._words) >= _MOST_ENDINGS:
                    return
                self._words[key] = words
                denied = _denied(error, outcome) if refusal is None else None
                if denied is not None:
                    self._denied[key] = denied
            self._endings[key] += 1
            self._alike[key] += words == self._words[key]

    def told(self) -> Iterator[str]:
        """How most tests ended, or the commonest way if there is no such; in words, the likeliest reason first."""
        refusal = self._most(self._refusals)
        if refusal is not None:
            yield f"confinement stopped {self._share(self._refusals[refusal])}, which tried to {refusal.text}"
        ending = next((one for one, _ in self._endings.most_common(1)), None)
        if ending is None or (refusal is not None and refusal.text in self._words.get(ending, "")):
            return
        share = self._share(self._endings[ending])
        if ending == TIMED_OUT:
            yield f"{share} ran into the time limit for one test"
            return
        if ending == RETURNED:
            if self._depth > 0:  # of others it says nothing that they ended well
                yield f"{share} returned without an exception"
            return
        said = f": {self._words[ending]}" if self._words[ending] else ""
        place = f" at {ending.place}" if ending.place else ""
        more = "" if self._most(self._endings) else ", more than anywhere else"
        yield f"{share} stopped{place} with {ending.name}{said}{more}"
        denied = self._denied.get(ending)
        if denied is not None and refusal is None:
            what = denied.allowance or "network, processes or write:FOLDER"
            yield f"confinement may be the reason: --allow {what} allows more"

    @property
    def stop(self) -> StoppingPlace | None:
        """The place that stopped most tests with an exception; None if there is none."""
        ending = self._most(self._endings)
        if ending is None or ending in (TIMED_OUT, RETURNED):
            return None
        file = next((code.co_filename for code, name in self._places.values() if name == ending.place), "")
        return StoppingPlace(ending.place, file, self._tests >= ENOUGH and self._alike[ending] >= ALL_BUT * self._tests)

    @property
    def refused(self) -> bool:
        """Whether most tests were stopped by what holds them."""
        ending = self._most(self._endings)
        return self._most(self._refusals) is not None or (ending is not None and ending in self._denied)

    def allowances(self) -> tuple[str, ...]:
        """What ``--allow`` would open of what stopped most tests."""
        refusal = self._most(self._refusals)
        if refusal is not None:
            return (refusal.allowance,) if refusal.allowance else ()
        ending = self._most(self._endings)
        denied = None if ending is None else self._denied.get(ending)
        return (denied.allowance,) if denied is not None and denied.allowance else ()

    def _place(self, outcome: Outcome) -> str:
        """The innermost frame as users name it; empty where the call itself failed."""
        if not outcome.frames:
            return ""
        code, line, _ = outcome.frames[-1]
        known = self._places.get((id(code), line))
        if known is None:
            name = f"{os.path.basename(code.co_filename)}:{line} {code.co_qualname.replace('.<locals>', '')}"
            if len(self._places) >= _MOST_PLACES:
                return name
            known = self._places[id(code), line] = (code, name)
        return known[1]

    def _most(self, counted: Counter[K]) -> K | None:
        found = counted.most_common(1)
        return found[0][0] if found and found[0][1] >= MOST * self._tests else None

    def _share(self, count: int) -> str:
        what = "all tests" if count == self._tests else f"{100 * count // self._tests} % of the tests"
        return f"{what} that got this far" if self._depth > 0 else what


def _words(error: BaseException) -> str:
    """The first line of the message."""
    text = plain_words(error).partition("\n")[0]
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def _denied(error: BaseException, outcome: Outcome) -> Denied | None:
    """Whether the kernel refused something that the audit hook does not see."""
    if not issubclass(type(error), PermissionError) or type(_ERRNO.__get__(error)) is not int:
        return None
    parts = {part for code, _, _ in outcome.frames for part in code.co_filename.split(os.sep)[-3:]}
    return Denied("processes" if not parts.isdisjoint(_BETWEEN_PROCESSES) else "")
