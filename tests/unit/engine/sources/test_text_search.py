"""A scanner of a format that nothing else knows: what it compares leads there, one text after the other."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from crashwright.engine.sources.text_search import Attempt, ComparedTexts, TextSearch


class Scanner:
    """Notes what it reached and compared."""

    def __init__(self) -> None:
        self.reached: set[str] = set()
        self.new = False
        self.pairs: list[tuple[str, str]] = []

    def _is(self, given: str, wanted: str) -> bool:
        self.pairs.append((given, wanted))
        return given == wanted

    def _at(self, place: str) -> None:
        self.new = self.new or place not in self.reached
        self.reached.add(place)

    def scan(self, text: str) -> None:
        self.new, self.pairs = False, []
        lines = text.splitlines()
        if not lines or not self._is(lines[0][:5], "BEGIN"):
            return
        self._at("begun")
        count = None
        for line in lines[1:]:
            if self._is(line[:6], "COUNT "):
                self._at("count")
                count = 0 if self._is(line[6:], "none") else 1
                self._at(f"count of {count}")
            elif self._is(line, "DIVIDE"):
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
        return ComparedTexts(self.scanner.pairs, [wanted for _, wanted in self.scanner.pairs])


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
            return ComparedTexts([("a", "b")], ["b"])

    search = TextSearch(Noting())
    search.begin(0, "a (1)\n")
    search.begin(0, "a (1)\n")
    search.advance(lambda: False)
    assert len(seen) == len(set(seen)) > 50


def test_it_ends_where_nothing_is_left_to_try() -> None:
    tries = searched("a", lambda tries: tries.attempts > 2000)
    assert 3 < tries.attempts < 200


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
