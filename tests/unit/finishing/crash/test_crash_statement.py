from __future__ import annotations

import re

from crashwright.finishing.crash.crash_statement import commented, crashing_lines, expected, match_pattern

BODY = ["shelf = Shelf(1)", "with shelf as opened:", "    opened.put(", "        1,", "    )", "    opened.get(2)"]


def test_last_statement_is_the_default_inside_with() -> None:
    assert crashing_lines(BODY, None) == (5, 5)


def test_statement_is_found_by_any_of_its_lines() -> None:
    assert crashing_lines(BODY, 3) == (2, 4)
    assert crashing_lines(BODY, 0) == (0, 0)
    assert crashing_lines(BODY, 1) == (1, 5)


def test_loops_and_awaits_are_one_statement() -> None:
    assert crashing_lines(["for _ in shelf:", "    pass"], None) == (0, 1)
    assert crashing_lines(["await shelf.get()"], None) == (0, 0)


def test_comment_stands_behind_or_above() -> None:
    place = crashing_lines(BODY, None)
    assert commented(BODY, place, "KeyError: 2", 84)[5] == "    opened.get(2)  # KeyError: 2"
    long = commented(BODY, place, "KeyError: " + "x" * 200, 84)
    assert long[5].startswith("    # KeyError: xxx")
    assert long[5].endswith("...")
    assert max(map(len, long)) <= 84
    assert long[6] == BODY[5]


def test_comment_with_line_breaks_stays_one_line() -> None:
    assert commented(["f()"], crashing_lines(["f()"], None), "ValueError: a\nb", 84) == ["f()  # ValueError: a\\nb"]


def test_only_the_crashing_statement_is_expected_to_raise() -> None:
    lines = expected(BODY, crashing_lines(BODY, None), "KeyError", "2", 84)
    assert lines[4:] == ["    )", '    with pytest.raises(KeyError, match="2"):', "        opened.get(2)"]


def test_pattern_matches_the_message_whatever_it_holds() -> None:
    for message in ["'1000'", "a (b) [c] $^.*+?", 'say "hi"', 'it\'s "both"', "a\\b"]:
        assert re.search(eval(match_pattern(message)), message), message
    assert match_pattern("a b") == '"a b"'
    assert match_pattern("<object at 0x7fa3> left") == 'r"<object at 0x[0-9a-fA-F]+> left"' or re.search(
        eval(match_pattern("<object at 0x7fa3>")), "<object at 0x1b>"
    )
    assert match_pattern("") == ""
