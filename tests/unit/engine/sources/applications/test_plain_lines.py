"""Lines that somebody types who tries a program out."""

from __future__ import annotations

from crashwright.engine.sources.applications.plain_lines import KnownWords, plain_lines
from crashwright.engine.subject.usage.command_lines import Grammar, Taken

ADD = Grammar(
    (Taken(("-y", "--year"), ("3", "0", "-1"), 1, 1, True, "year"), Taken(("--shout",), (), 0, 0, False, "shout")),
    (Taken((), (), 1, 1, True, "title"),),
)
COUNT = Grammar((), (Taken((), ("3", "0", "-1"), 0, 2, False, "years"),))
WHOLE = Grammar((Taken(("--db",), (), 1, 1, False, "db_file"),), (), (("add", ADD), ("count", COUNT)))


def test_first_what_is_needed_then_all_then_one_thing_after_the_other() -> None:
    found = [" ".join(line.words) for line in plain_lines(WHOLE, [("add",), ("count",)])]
    assert found[:4] == [
        "add --year 3 title",
        "count",
        "--db db-file add --year 3 --shout title",
        "--db db-file count 3 0",
    ]
    assert "add --year 3 --shout title" in found
    assert "--db db-file add --year 3 title" in found
    assert "add --year 0 title" in found
    assert "count -- -1 0" in found
    assert len(set(found)) == len(found)


def test_a_second_line_has_other_words() -> None:
    found = [line.words for line in plain_lines(WHOLE, [("add",)], other=True) if line.whole is not None]
    assert found[0] == ("add", "--year", "0", "other-title")


def test_what_the_code_compares_with_is_tried() -> None:
    found = [line.words for line in plain_lines(WHOLE, [("add",)], known=KnownWords(("vinyl",), ("1900",)))]
    assert ("add", "--year", "3", "vinyl") in found
    assert ("add", "--year", "1900", "title") in found
    assert ("--db", "db-file", "add", "--year", "1900", "--shout", "title") in found
    assert not any("vinyl" in (words[words.index("--year") + 1]) for words in found)
