"""What is one step from a text of records."""

from __future__ import annotations

from crashwright.engine.testcase.editing.text_steps import text_steps

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


def test_lines_without_an_end_and_an_empty_text() -> None:
    assert "a\na\n" in list(text_steps("a", []))
    assert list(text_steps("", ["x"])) == []


def test_a_field_of_several_words_has_one_less() -> None:
    found = list(text_steps('runs = "weekly sat 12:00"\n', []))
    assert {'runs = "weekly sat"\n', 'runs = "weekly 12:00"\n', 'runs = "sat 12:00"\n'} <= set(found)
