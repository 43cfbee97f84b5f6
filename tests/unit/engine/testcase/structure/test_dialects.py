"""Documents are written so that the parsers of their languages read the same in them."""

from __future__ import annotations

import configparser
import json
import tomllib

import pytest

from crashwright.engine.testcase.statements import Display, Value
from crashwright.engine.testcase.structure.dialects import DIALECTS, Dialect, NotInDialect
from crashwright.engine.testcase.structure.documents import edited_documents

DOCUMENT: dict[str, object] = {
    "title": 'a "b"\n',
    "tool": {"x y": {"many": [1, 1.5, True, "a", {"b": []}]}, "none": {}},
    "plain": "(a",
}


def named(name: str) -> Dialect:
    return next(one for one in DIALECTS if one.name == name)


def test_json_and_toml_have_all_of_it() -> None:
    assert json.loads(named("JSON").written(DOCUMENT)) == DOCUMENT
    assert tomllib.loads(named("TOML").written(DOCUMENT)) == DOCUMENT


@pytest.mark.parametrize("name", ["JSON", "TOML", "INI"])
def test_what_is_written_is_read(name: str) -> None:
    document = {"one": {"a": "x", "b": "(c"}, "two": {}}
    dialect = named(name)
    assert dialect.read(dialect.written(document)) == document


def test_sections_are_those_of_configparser() -> None:
    parser = configparser.ConfigParser()
    parser.read_string(named("INI").written({"a": {"number": 1, "names": ["b", "c"], "nothing": None}}))
    assert dict(parser["a"]) == {"number": "1", "names": "\nb\nc", "nothing": ""}


def test_yaml_is_indented() -> None:
    document = {"name": "plain text", "odd": "yes", "windows": [{"panes": 3, "more": [1]}, "b"], "empty": [], "none": None}
    assert named("YAML").written(document) == (
        'name: plain text\nodd: "yes"\nwindows:\n  -\n    panes: 3\n    more:\n      - 1\n  - b\nempty: []\nnone: null\n'
    )


@pytest.mark.parametrize(
    ("name", "document"),
    [("TOML", {"a": None}), ("TOML", [1]), ("INI", {"a": 1}), ("INI", {"a": {"b": {"c": 1}}}), ("INI", {"a]": {}})],
)
def test_what_a_language_has_not_is_not_written(name: str, document: object) -> None:
    with pytest.raises(NotInDialect):
        named(name).written(document)


def test_a_document_is_edited_in_its_own_language() -> None:
    def edited(text: str, value: Value) -> list[str]:
        return list(edited_documents(text, lambda document: iter([document._replace(items=(("x", value),))]), DIALECTS))

    assert edited("[a]\nb = 1\n", "y") == ['x = "y"\n']
    assert edited("[a]\nb = c d\n", Display("dict", (("b", 1),))) == ["[x]\nb = 1\n"]
    assert edited("[a]\nb = 1\n", None) == [], "TOML has no null"
    assert edited("no document", 1) == []
