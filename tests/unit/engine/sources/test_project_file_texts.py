"""What is in a file that a program does not find."""

from __future__ import annotations

from crashwright.engine.sources.project_files import MOST_COPIES, contents_of


def test_files_of_its_kind_come_from_its_folder_first() -> None:
    texts = {"data/a.csv": "far", "b.csv": "near", "c.json": "{}"}
    assert list(contents_of("new.csv", texts, ["read"])) == ["near", "far"]
    assert list(contents_of("data/new.csv", texts, ["read"])) == ["far", "near"]
    assert len(list(contents_of("new.csv", {f"{number}.csv": str(number) for number in range(9)}, ()))) == MOST_COPIES


def test_without_one_it_has_what_such_files_have_and_what_is_read() -> None:
    found = list(contents_of("new.csv", {"c.json": "{}"}, ["sail,hours\n", "", "::"]))
    assert found[0] == ""
    assert {"alpha,beta\n1,2\n", "sail,hours\n", "::"} <= set(found)
    assert len(found) == len(set(found))
    assert found.index("sail,hours\n") < found.index("\n"), "blanks and marks come last"


def test_nothing_is_made_without_a_suffix_or_in_a_folder_that_is_not_there() -> None:
    assert list(contents_of("new", {}, ["read"])) == []
    assert list(contents_of("data/new.csv", {"b.csv": "near"}, ["read"])) == []
    assert list(contents_of("~/.shop/new.csv", {"b.csv": "near"}, ["read"])) == ["near"]
