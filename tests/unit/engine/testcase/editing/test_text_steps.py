"""What is one step from a text of records."""

from __future__ import annotations

from crashwright.engine.testcase.editing.text_steps import digit_steps, said_steps, text_steps

TABLE = "meter,building\nE-1,Ash House\nE-2,42\n"


def test_lines_fields_and_words_of_the_message_in_turn() -> None:
    found = list(text_steps(TABLE, ["/", "meter"]))
    assert len(found) == len(set(found))
    assert TABLE not in found
    assert found[0] == TABLE + "E-2,42\n", "the last line twice comes first"
    assert "meter,building\nE-1,Ash House\n" in found
    assert "meter,building\nE-1,Ash /House\nE-2,42\n" in found
    assert "meter,building\nE-1,/\nE-2,42\n" in found
    assert "meter,building\nE-1,\nE-2,42\n" in found
    assert "meter,building\nE-1,Ash House\nE-2,-1\n" in found
    assert not any("metermeter" in one for one in found), "a word that is there already is no step"


def test_what_the_message_lists_is_a_line() -> None:
    found = list(text_steps(TABLE, ["b", "a", "c d", "e"]))
    assert "b,a,c d,e\nE-1,Ash House\nE-2,42\n" in found
    assert "a,c d,e\nE-1,Ash House\nE-2,42\n" in found
    assert "meter,building\nc d,e\nE-2,42\n" in found
    assert "a,c\n" in list(text_steps("x\n", ["b", "a", "c"]))


def test_lines_without_an_end_and_an_empty_text() -> None:
    assert "a\na\n" in list(text_steps("a", []))
    assert list(text_steps("", ["x"])) == []


def test_a_field_of_several_words_has_one_less() -> None:
    found = list(text_steps('runs = "weekly sat 12:00"\n', []))
    assert {'runs = "weekly sat"\n', 'runs = "weekly 12:00"\n', 'runs = "sat 12:00"\n'} <= set(found)


def test_numbers_come_to_the_ends_of_their_digits_the_lower_one_first() -> None:
    assert list(digit_steps("on 2031-09")) == [
        "on 2031-00",
        "on 0000-09",
        "on 2031-99",
        "on 9999-09",
        "on 2031-08",
        "on 2030-09",
        "on 2031-10",
        "on 2032-09",
    ]


def test_a_number_keeps_its_digits() -> None:
    assert list(digit_steps("0")) == ["9", "1"]
    assert list(digit_steps("99")) == ["00", "98"]
    assert list(digit_steps("a")) == []


def test_words_of_the_message_come_between_any_two_tokens_the_last_ones_first() -> None:
    assert list(said_steps("{}.x", ["3", ""])) == ["{}.x3", "{}.3x", "{}3.x", "{3}.x"]
    assert list(said_steps("", ["3"])) == []


def test_a_field_is_spelt_in_capitals_and_those_in_small_letters() -> None:
    found = list(text_steps("- label: Linden 1\n  kind: BX\n", ()))
    assert {"- label: LINDEN 1\n  kind: BX\n", "- label: Linden 1\n  kind: bx\n"} <= set(found)
