"""The cycle of a RecursionError: found in a stack, left out of it, compared with that of another run."""

from __future__ import annotations

import pytest

from crashwright.core.level import FramePlace
from crashwright.core.recursion import Cycle, Recursion, find_cycle, folded


def stack(text: str) -> list[FramePlace]:
    """One frame for each letter; a capital is another line of the same function."""
    return [FramePlace("/lib/shop.py", ord(letter), letter.lower()) for letter in text]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("abc", None),
        ("", None),
        ("xyaaaa", Cycle(2, 1, 4)),
        ("xyabcabcabcabt", Cycle(2, 3, 11)),
        ("ppabababab", Cycle(2, 2, 8)),
        ("aabaabaab", Cycle(0, 3, 9)),
    ],
)
def test_cycle_is_the_repetition_that_covers_most(text: str, found: Cycle | None) -> None:
    assert find_cycle(stack(text)) == found


def test_repetitions_that_are_not_shown_count() -> None:
    text = "xyxyxyabcaaad"
    assert find_cycle(stack(text)) == Cycle(0, 2, 6)
    assert find_cycle(stack(text), {stack("a")[0]: 990}) == Cycle(9, 1, 3)


def fold(text: str, weights: dict[str, int]) -> str:
    marked = [(letter, weights.get(letter, 0) if number == text.rindex(letter) else 0) for number, letter in enumerate(text)]
    kept = folded(marked, lambda one: one[0], lambda one, rounds: (one[0], rounds), lambda one: one[1])
    return "".join(letter + (str(rounds) if rounds else "") for letter, rounds in kept)


def test_two_rounds_are_kept_of_a_stack_and_the_others_counted() -> None:
    assert fold("xabab" + "ab" * 300 + "at", {}) == "xaba300b300at"
    assert fold("xaaat", {"a": 995}) == "xaa996t"
    assert fold("xaat", {}) == "xaat"


@pytest.mark.parametrize(
    ("want", "got", "level"),
    [
        pytest.param("xaaaa", "xaaaaaaaaaa", 4, id="another depth"),
        pytest.param("xaaaaT", "xaaaaaaaaaA", 4, id="another place of the overflow"),
        pytest.param("abababab", "bababababab", 4, id="another start of the same cycle"),
        pytest.param("xaaaa", "qqxaaaaaaaaa", 4, id="further frames outside"),
        pytest.param("xaaaa", "yaaaaaaaaaa", 2, id="another way in"),
        pytest.param("xabab", "xbabababab", 2, id="the way in leads to another frame of the cycle"),
        pytest.param("xaaaa", "xAAAAAAAAAA", 0, id="another line"),
        pytest.param("xaaaaT", "xaaAAAAAAAAAAT", 1, id="only the overflow is the same, the cycle another"),
        pytest.param("xababab", "xacacacacac", 0, id="another partner"),
    ],
)
def test_level_is_that_of_the_cycle(want: str, got: str, level: int) -> None:
    recursion = Recursion.of(stack(want), {})
    assert recursion is not None
    assert recursion.judge(stack(got), level != 1).level == level
    if level == 4:
        assert recursion.judge(stack(got), False).level == 3


def test_without_a_repetition_there_is_nothing_to_judge_by() -> None:
    assert Recursion.of(stack("abc"), {}) is None
