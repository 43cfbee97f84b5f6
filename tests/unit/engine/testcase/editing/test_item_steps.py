"""Steps within a list or dict: an item twice or not at all, cut off behind one, none in the place of one."""

from __future__ import annotations

from crashwright.engine.testcase.editing.item_steps import document_steps, item_steps
from crashwright.engine.testcase.structure.documents import edited_documents


def documents(text: str) -> list[str]:
    return list(edited_documents(text, document_steps))


def test_an_item_is_doubled_or_left_out_at_any_depth() -> None:
    found = list(edited_documents("[1, [2]]", item_steps))
    assert set(found) == {"[1, 1, [2]]", "[[2]]", "[1, [2], [2]]", "[1]", "[1, [2, 2]]", "[1, []]"}


def test_a_row_is_cut_off_behind_each_item() -> None:
    assert {"[[1, 2]]", "[[1]]", "[[]]", "[]"} <= set(documents("[[1, 2, 3]]"))


def test_none_and_an_empty_text_stand_in_the_place_of_a_value() -> None:
    assert {'{"a": null, "b": [1]}', '{"a": "", "b": [1]}', '{"a": "c", "b": [null]}'} <= set(documents('{"a": "c", "b": [1]}'))


def test_a_document_never_becomes_what_it_is() -> None:
    assert '{"a": null}' not in documents('{"a": null}')


def test_what_is_no_record_stands_behind_records() -> None:
    found = set(documents('{"rows": [{"a": 1}]}'))
    assert {'{"rows": [{"a": 1}, 1]}', '{"rows": [{"a": 1}, null]}', '{"rows": [{"a": 1}, "text"]}'} <= found
    assert '[1, 2, "text"]' not in documents("[1, 2]"), "numbers are no records"
