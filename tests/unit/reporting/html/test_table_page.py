from __future__ import annotations

import json
from xml.etree.ElementTree import Element

from page_checks import HOSTILE, parsed, words

from crashwright.reporting.html.table_page import SHOWN, Column, ColumnKind, table_page

COLUMNS = (Column("Crash"), Column("State", ColumnKind.CHOICE), Column("Seen", ColumnKind.NUMBER), Column("Story", ColumnKind.LONG))


def page_of(rows: list[tuple[str | int | float | None, ...]], title: str = "A batch") -> Element:
    return parsed(table_page(title, COLUMNS, rows, [("Reports", str(len(rows)))], ["a note"]))


def data_of(root: Element) -> dict[str, list]:
    return json.loads("".join(next(one for one in root.iter("script") if one.get("id") == "data").itertext()))


def test_all_rows_are_data_and_the_first_of_them_are_there_to_read() -> None:
    root = page_of([(f"crash {number}", "found" if number % 3 else "open", number, None) for number in range(250)])
    assert len(data_of(root)["rows"]) == 250
    assert data_of(root)["kinds"] == ["text", "choice", "number", "long"]
    rows = [words(one) for one in next(root.iter("tbody")).iter("tr")]
    assert len(rows) == SHOWN
    assert rows[1] == "crash 1found1"
    assert words(next(one for one in root.iter() if one.get("id") == "count")) == "Rows 1 to 100 of 250"
    assert [words(one) for one in root.iter("option")] == ["all (250)", "found (166)", "open (84)"]


def test_no_cell_is_more_than_text() -> None:
    root = page_of([(HOSTILE, HOSTILE, 3, HOSTILE)] * 2, HOSTILE)
    shown = HOSTILE.replace("\u202e\0\ud800", "\\u202e\\x00\\ud800")
    assert data_of(root)["rows"] == [[shown, shown, 3, shown]] * 2
    assert words(next(root.iter("h1"))).startswith("</script><script>alert(1)</script>")


def test_what_is_no_number_is_not_known() -> None:
    root = page_of([("a", "b", float("inf"), None), ("a", None, float("nan"), "c")])
    assert [row[2] for row in data_of(root)["rows"]] == [None, None]
    assert "none (1)" in words(root)


def test_a_table_without_rows_has_a_page() -> None:
    root = page_of([])
    assert data_of(root)["rows"] == []
    assert [words(one) for one in root.iter("th")] == ["Crash", "State", "Seen", "Story"]
