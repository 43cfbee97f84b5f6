"""A scanner of a format that nothing else knows: what it compares leads there, one text after the other."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from contextlib import suppress
from math import inf

from crashwright.engine.instrument.comparison_log.wanted import Span, TextWant
from crashwright.engine.sources.text_search import FEW_LOOKS, TURN, Attempt, ComparedTexts, TextSearch


class Scanner:
    """ComparisonNotes what it reached and compared."""

    def __init__(self) -> None:
        self.reached: set[str] = set()
        self.new = False
        self.wants: list[TextWant] = []

    def _is(self, at: int, given: str, wanted: str) -> bool:
        if given != wanted:
            self.wants.append(TextWant(Span(at, at + len(given)), wanted, len(wanted)))
        return given == wanted

    def _at(self, place: str) -> None:
        self.new = self.new or place not in self.reached
        self.reached.add(place)

    def scan(self, text: str) -> None:
        self.new, self.wants = False, []
        lines = text.splitlines(keepends=True)
        if not lines or not self._is(0, lines[0].rstrip()[:5], "BEGIN"):
            return
        self._at("begun")
        count = None
        at = 0
        for before, whole in itertools.pairwise(lines):
            at += len(before)
            line = whole.rstrip("\n")
            if self._is(at, line[:6], "COUNT "):
                self._at("count")
                count = 0 if self._is(at + 6, line[6:], "none") else 1
                self._at(f"count of {count}")
            elif self._is(at, line, "DIVIDE"):
                self._at("divide")
                if count is not None:
                    1 / count


class Tries:
    def __init__(self) -> None:
        self.scanner = Scanner()
        self.attempts = 0
        self.crashed = ""

    def attempt(self, place: int, text: str) -> Attempt | None:
        self.attempts += 1
        try:
            self.scanner.scan(text)
        except ZeroDivisionError:
            self.crashed = text
            return Attempt(True, 0.0)
        return Attempt(self.scanner.new, 1.0)

    def compared(self, place: int, text: str) -> ComparedTexts:
        with suppress(ZeroDivisionError):
            self.scanner.scan(text)
        return ComparedTexts(self.scanner.wants, ["BEGIN", "COUNT ", "none", "DIVIDE"])


def searched(text: str, over: Callable[[Tries], bool]) -> Tries:
    tries = Tries()
    search = TextSearch(tries)
    search.begin(0, text)
    search.advance(lambda: over(tries))
    return tries


def test_what_is_compared_leads_to_a_record_of_an_unknown_format() -> None:
    tries = searched("a\nb\n", lambda tries: bool(tries.crashed) or tries.attempts > 3000)
    assert tries.crashed.startswith("BEGIN\n")
    assert "COUNT none\n" in tries.crashed


def test_it_repeats_itself() -> None:
    first, second = (searched("a\nb\n", lambda tries: tries.attempts > 500) for _ in range(2))
    assert first.scanner.reached == second.scanner.reached
    assert first.crashed == second.crashed
    assert first.attempts == second.attempts == 501


def test_no_text_is_tried_twice() -> None:
    seen: list[str] = []

    class Noting(Tries):
        def attempt(self, place: int, text: str) -> Attempt | None:
            seen.append(text)
            return Attempt(len(seen) == 1, 1.0)

        def compared(self, place: int, text: str) -> ComparedTexts:
            return ComparedTexts([TextWant(Span(0, 1), "b", 0)], ["b"])

    search = TextSearch(Noting())
    search.begin(0, "a (1)\n")
    search.begin(0, "a (1)\n")
    search.advance(lambda: len(seen) > 600)
    assert len(seen) == len(set(seen)) == 601


def test_when_every_step_was_tried_several_at_once_are() -> None:
    tries = searched("a", lambda tries: tries.attempts > 3000)
    assert tries.attempts == 3001


def test_it_ends_where_nothing_is_kept() -> None:
    class Barren(Tries):
        def attempt(self, place: int, text: str) -> Attempt | None:
            self.attempts += 1
            return Attempt(False, inf)

    tries = Barren()
    search = TextSearch(tries)
    search.begin(0, "a")
    search.advance(lambda: False)
    assert tries.attempts == 1


def test_a_place_that_takes_no_text_is_passed_over() -> None:
    class Refusing(Tries):
        def attempt(self, place: int, text: str) -> Attempt | None:
            return None

    search = TextSearch(Refusing())
    search.begin(0, "a")
    search.advance(lambda: False)
    assert len(search) == 0


def test_texts_that_others_found_have_their_turns() -> None:
    tries = Tries()
    search = TextSearch(tries)
    search.keep(0, "BEGIN\nCOUNT none\nx\n", 0.5)
    search.advance(lambda: bool(tries.crashed) or tries.attempts > 1000)
    assert tries.crashed


def test_the_log_is_on_for_a_bounded_part_of_the_runs() -> None:
    """Though each text is news."""

    class AlwaysNew(Tries):
        looks = 0

        def attempt(self, place: int, text: str) -> Attempt:
            self.attempts += 1
            return Attempt(True, 1.0)

        def compared(self, place: int, text: str) -> ComparedTexts:
            self.looks += 1
            return ComparedTexts((), ())

    tries = AlwaysNew()
    search = TextSearch(tries)
    for number in range(4 * FEW_LOOKS):
        search.keep(number, "", 1.0)
    search.advance(lambda: tries.attempts >= 2000)
    assert FEW_LOOKS <= tries.looks <= FEW_LOOKS + 2 + 2000 / TURN
