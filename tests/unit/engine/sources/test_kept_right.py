"""What edits of a text break elsewhere in it, and texts in which it is put right."""

from __future__ import annotations

import zlib

import pytest

from crashwright.engine.instrument.comparison_log.wanted import Expression, Span, TextWant
from crashwright.engine.sources.kept_right import broken, changed, computes, put_right
from crashwright.engine.sources.text_search import Attempt, ComparedTexts, TextSearch


def want(start: int, end: int, value: str | Expression, site: int) -> TextWant:
    return TextWant(Span(start, end), value, site)


def test_characters_all_over_a_text_are_changed_and_put_in() -> None:
    texts = [*changed("abcdefgh")]
    assert len(texts) == len(set(texts)) == 12
    assert {len(text) for text in texts} == {8, 9}
    assert {text[0] for text in texts} > {"a"}
    assert [*changed("")] == []


@pytest.mark.parametrize(
    ("wants", "found"),
    [
        ([want(0, 2, "zz", 1)], {1: "zz"}),
        pytest.param([want(0, 2, "zz", 7)], {}, id="it wanted something before, too"),
        pytest.param([want(0, 2, "cd", 1)], {}, id="it stood in the text"),
        pytest.param([want(0, 2, "yy", 1), want(0, 2, "zz", 1)], {}, id="several are wanted, as of a table"),
        pytest.param([want(0, 2, "z", 1), want(2, 4, "yy", 1)], {1: "yy"}, id="the one that is as long"),
        pytest.param([want(0, 2, Expression("z+", 0), 1)], {}, id="a form is no value"),
    ],
)
def test_what_is_broken(wants: list[TextWant], found: dict[int, str]) -> None:
    assert {site: one.value for site, one in broken("abcd", {7}, wants).items()} == found


def test_all_of_it_is_put_right_from_the_end() -> None:
    assert put_right("abcdef", [want(0, 1, "12", 1), want(4, 6, "3", 2)]) == "12bcd3"
    assert put_right("abcdef", [want(0, 3, "x", 1), want(2, 4, "y", 2)]) == "abyef"


def test_what_wants_something_else_for_each_change_is_computed() -> None:
    assert computes([{1: want(0, 1, "x", 1)}, {1: want(0, 1, "y", 1)}])
    assert not computes([{1: want(0, 1, "x", 1)}, {1: want(0, 1, "x", 1)}, {2: want(0, 1, "y", 2)}])


class SummedUp:
    """Reads texts that end with a checksum of the rest, letter by letter, and notes what it compared."""

    def __init__(self, secret: str) -> None:
        self.secret = secret
        self.reached: set[int] = set()
        self.runs = 0
        self.read: list[str] = []
        """What it read behind the checksum."""

    def _read(self, text: str) -> tuple[int, list[TextWant]]:
        self.runs += 1
        body, given = text[:-8], text[-8:]
        right = f"{zlib.crc32(body.encode()):08x}"
        if given != right:
            return 0, [want(max(0, len(text) - 8), len(text), right, 1)]
        self.read.append(body)
        for at, letter in enumerate(self.secret):
            if body[at : at + 1] != letter:
                return at + 1, [want(at, at + 1, letter, 2)]
        return len(self.secret) + 1, []

    def attempt(self, place: int, text: str) -> Attempt:
        depth, _ = self._read(text)
        new = depth not in self.reached
        self.reached.add(depth)
        return Attempt(new, 1.0)

    def compared(self, place: int, text: str) -> ComparedTexts:
        return ComparedTexts(self._read(text)[1], [])

    def wanted(self, place: int, text: str) -> list[TextWant]:
        return self._read(text)[1]


def test_texts_behind_a_checksum_are_edited() -> None:
    tries = SummedUp("secret")
    search = TextSearch(tries)
    search.begin(0, "a start00000000")
    search.advance(lambda: tries.runs > 3000 or len(tries.reached) == 8)
    assert tries.reached == {*range(8)}


def test_a_text_without_one_is_not_run_twice_for_each_edit() -> None:
    class Plain(SummedUp):
        asked = 0

        def wanted(self, place: int, text: str) -> list[TextWant]:
            self.asked += 1
            return [want(0, 1, "z", 2)]

    tries = Plain("secret")
    search = TextSearch(tries)
    search.begin(0, f"a start{zlib.crc32(b'a start'):08x}")
    search.advance(lambda: tries.runs > 500)
    assert 0 < tries.asked <= 40 + 50
