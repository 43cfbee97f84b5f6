"""Steps within a list or dict: an item twice or not at all, cut off behind one, none in the place of one."""

from __future__ import annotations

from crashwright.engine.testcase.editing.item_steps import document_steps, item_steps, placed_steps, values_of_types
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


def test_a_message_names_types_and_one_of_each_stands_in_each_place() -> None:
    assert values_of_types("'<=' not supported between instances of 'NoneType' and 'Arrow'") == (None,)
    assert values_of_types("unsupported operand type(s) for +: 'int' and 'str'") == (1, "text")
    assert values_of_types("the interval is too short") == ()
    found = list(edited_documents('[[1, "a"], {"b": [2]}]', lambda document: placed_steps(document, (None,))))
    assert found == [
        '[[1, "a"], null]',
        '[null, {"b": [2]}]',
        '[[1, null], {"b": [2]}]',
        '[[null, "a"], {"b": [2]}]',
        '[[1, "a"], {"b": null}]',
        '[[1, "a"], {"b": [null]}]',
    ]


def test_nothing_takes_the_place_of_its_like() -> None:
    lists = values_of_types("list indices must be integers or slices, not str")
    assert list(edited_documents('["a", []]', lambda document: placed_steps(document, lists))) == ["[[], []]", '["a", "text"]']
