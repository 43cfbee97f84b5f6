"""Edits of documents by what is known of their keys."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crashwright.engine.testcase.structure.record_edits import LONGEST, edited_record

FIELDS = {"state": ("open", "late"), "size": ("1", "0")}


def edits(text: str, times: int = 300) -> list[str]:
    """What comes of it with as many random numbers."""
    found = [edited_record(Random(seed), text, FIELDS, lambda: "token") for seed in range(times)]
    return [one for one in found if one is not None]


def test_cells_get_what_is_known_of_their_column_and_the_head_stays() -> None:
    found = edits("state,size\nopen,1\n")
    assert {"state,size\nlate,1\n", "state,size\nopen,0\n", "state,size\ntoken,1\n"} <= set(found)
    assert {"state,size\n", "state,size\nopen,1\nopen,1\n"} <= set(found)
    assert all(one.startswith("state,size\n") for one in found)
    assert all(line.count(",") == 1 for one in found for line in one.splitlines())


def test_values_under_keys_of_json_change_and_items_move() -> None:
    found = [json.loads(one) for one in edits('{"rows": [{"state": "open", "other": 5}, {"size": "1"}]}')]
    assert {"rows": [{"state": "late", "other": 5}, {"size": "1"}]} in found
    assert {"rows": [{"state": "open", "other": 5}, {"size": "0"}]} in found
    assert {"rows": [{"size": "1"}]} in found
    assert {"rows": [{"size": "1"}, {"state": "open", "other": 5}]} in found
    assert {"rows": [{"other": 5}, {"size": "1"}]} in found
    assert all(row["other"] == 5 for one in found for row in one["rows"] if "other" in row)


@pytest.mark.parametrize(
    "text", ["", "a word", "a,b\n1,2\n", '"state",size\n1,2\n', "{", '{"a": 1}', "state", "[" * 5000, "x" * (LONGEST + 1)]
)
def test_other_texts_are_left_alone(text: str) -> None:
    assert edits(text, 20) == []


@given(
    st.text(max_size=60) | st.sampled_from(["state;size\n1;2;3\n\n;", "state\tx\n", '[{"size": []}]', "[null]"]), st.integers(0, 99)
)
def test_any_text_is_taken(text: str, seed: int) -> None:
    first = edited_record(Random(seed), text, FIELDS, str)
    assert first == edited_record(Random(seed), text, FIELDS, str)
