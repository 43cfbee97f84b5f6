"""A search of its own in the open texts of tests: coverage-guided, first in a fixed order, without chance.

A text that reached something new in the package, or came nearer to the crash, is kept. What its run compared is put in where it
stands (input-to-state correspondence), then all its small edits follow, smallest first; kept texts take turns, those that were
drawn less often first. Then several steps at once are drawn. It knows no format.

# Deviation: not in the papers. AFL keeps a queue so (Zalewski), REDQUEEN (Aschermann et al. 2019) puts in what was compared.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from math import inf
from random import Random
from typing import Generic, NamedTuple, Protocol, TypeVar

from crashwright.engine.instrument.comparison_log.wanted import TextWant
from crashwright.engine.sources.mixed_texts import Step, mixed_text
from crashwright.engine.sources.wanted_texts import WantedTexts
from crashwright.engine.testcase.samples.text_edits import LONGEST, edits

P = TypeVar("P")
P_contra = TypeVar("P_contra", contravariant=True)
TURN = 24
"""Texts that are made of one before the next has its turn."""
MOST_KNOWN = 20
"""Texts that were tried before, for each that was not, among those that are drawn."""
MOST_KEPT = 300
MOST_WORDS = 64
"""Words that comparisons wanted which are put into texts; the latest ones."""
MOST_TRIED = 200_000
"""Texts that are remembered, not to be tried again."""
FEW_LOOKS = 50
"""Runs with the log of comparisons that are made in any case, and one for each turn's worth of texts: such a run takes as long as
ten to twenty others."""
FEW_STEPS = 8
"""Steps of which two are made at once: what comparisons wanted last."""


class Attempt(NamedTuple):
    """What came of a text. ``fitness``: lower is nearer."""

    new: bool
    fitness: float


class ComparedTexts(NamedTuple):
    """What a run wanted of the pieces of its text, in the order in which it was wanted last, and what it wanted of whatever."""

    wants: Sequence[TextWant]
    words: Sequence[str]


class Tries(Protocol[P_contra]):
    """Runs tests with a text in a place."""

    def attempt(self, place: P_contra, text: str) -> Attempt | None:
        """None where no test can be made of it."""

    def compared(self, place: P_contra, text: str) -> ComparedTexts:
        """Run it once more and look at what is compared."""


class _Kept(Generic[P]):
    """``proposals`` are what is made of it, begun when it is first drawn. ``narrow``: only what comparisons want is made of it, no
    edits."""

    __slots__ = ("drawn", "fitness", "narrow", "number", "place", "proposals", "steps", "text")

    def __init__(self, place: P, text: str, fitness: float, number: int, narrow: bool) -> None:
        self.place, self.text, self.fitness, self.number, self.narrow = place, text, fitness, number, narrow
        self.drawn = 0
        self.proposals: Iterator[str] | None = None
        self.steps: list[Step] = []


class TextSearch(Generic[P]):
    """Goes on wherever it was left."""

    def __init__(self, tries: Tries[P]) -> None:
        self._tries = tries
        self._kept: list[_Kept[P]] = []
        self._numbers = itertools.count()
        self._words: dict[str, None] = {}
        self._wanted = WantedTexts()
        self._done: list[_Kept[P]] = []
        self._rng = Random(0)
        self._tried: set[int] = set()
        self._best: dict[P, float] = {}
        self._attempts = self._looks = 0
        self.kept = 0
        """How many texts were kept that it came upon itself."""

    def __len__(self) -> int:
        return len(self._kept) + len(self._done)

    def begin(self, place: P, text: str) -> None:
        """Try a text to begin with."""
        self._try(place, text)

    def keep(self, place: P, text: str, fitness: float, narrow: bool = False) -> None:
        """A text that others found. ``narrow``: only what comparisons want is to be made of it and of what comes of it."""
        if self._is_known(place, text):
            return
        self._keep(place, text, fitness, narrow)

    def advance(self, is_over: Callable[[], bool]) -> None:
        """Let kept texts have their turns until it ``is_over`` (asked between two attempts). When every step of each was tried,
        several at once are, until something is kept again."""
        while (self._kept or self._done) and not is_over():
            if not self._kept:
                if not self._mix(is_over):
                    return
                continue
            one = min(self._kept, key=lambda kept: (kept.drawn, kept.fitness, -kept.number))
            one.drawn += 1
            if one.proposals is None:
                one.proposals = self._proposals(one)
            tried = 0
            for text in one.proposals:
                if self._is_known(one.place, text):
                    continue
                self._try(one.place, text, known=True, narrow=one.narrow)
                tried += 1
                if tried == TURN or is_over():
                    break
            else:
                self._kept.remove(one)
                if not one.narrow:
                    self._done.append(one)

    def _mix(self, is_over: Callable[[], bool]) -> bool:
        """A turn of texts that are several steps away; whether there were any that are new."""
        rng, done, tried = self._rng, self._done, 0
        texts, words = [one.text for one in done], [*self._words]
        for _ in range(TURN * MOST_KNOWN):
            one = done[int(len(done) * max(rng.random(), rng.random()))]
            text = mixed_text(rng, one.text, one.steps, words, texts)
            if len(text) <= LONGEST and not self._is_known(one.place, text):
                self._try(one.place, text, known=True, narrow=one.narrow)
                tried += 1
                if tried == TURN or self._kept or is_over():
                    break
        return tried > 0

    def _proposals(self, one: _Kept[P]) -> Iterator[str]:
        seen = self._looked_at(one)
        for word in seen.words:
            self._words.pop(word, None)
            self._words[word] = None
        one.steps = self._wanted.steps(seen.wants)
        if one.narrow:
            yield from self._wanted.texts(one.text, seen.wants)
            for word in [*reversed(seen.words)][:MOST_WORDS]:
                yield from (one.text + word, word + one.text)
            yield from _two_at_once(one.text, one.steps[-FEW_STEPS:])
            return
        yield from self._wanted.texts(one.text, seen.wants)
        words = [*dict.fromkeys((*reversed(seen.words), *reversed(self._words)))][:MOST_WORDS]
        others = [kept.text for kept in reversed(self._kept) if kept is not one]
        yield from edits(one.text, words, others)

    def _looked_at(self, one: _Kept[P]) -> ComparedTexts:
        if self._looks > FEW_LOOKS + self._attempts // TURN:
            return ComparedTexts((), ())
        self._looks += 1
        return self._tries.compared(one.place, one.text)

    def _try(self, place: P, text: str, known: bool = False, narrow: bool = False) -> None:
        if len(text) > LONGEST or (not known and self._is_known(place, text)):
            return
        attempt = self._tries.attempt(place, text)
        self._attempts += 1
        if attempt is None:
            return
        if attempt.new or attempt.fitness < self._best.get(place, inf):
            self.kept += 1
            self._keep(place, text, attempt.fitness, narrow)

    def _keep(self, place: P, text: str, fitness: float, narrow: bool = False) -> None:
        self._best[place] = min(fitness, self._best.get(place, inf))
        self._kept.append(_Kept(place, text, fitness, next(self._numbers), narrow))
        if len(self._kept) > MOST_KEPT:
            self._kept.remove(max(self._kept, key=lambda kept: (kept.drawn, kept.fitness)))

    def _is_known(self, place: P, text: str) -> bool:
        """Whether it was tried before; it is now."""
        key = hash((place, text))
        if key in self._tried:
            return True
        if len(self._tried) >= MOST_TRIED:
            self._tried.clear()
        self._tried.add(key)
        return False


def _two_at_once(text: str, steps: Sequence[Step]) -> Iterator[str]:
    for (first, before), (second, after) in itertools.permutations(steps, 2):
        if first.end <= second.start:
            yield f"{text[: first.start]}{before}{text[first.end : second.start]}{after}{text[second.end :]}"
