"""What a request carries by the description that an application gives of itself."""

from __future__ import annotations

from crashwright.engine.sources.applications.described_requests import choices_of, described, invented, patterns_of, typed

SCHEMAS = {
    "Loan": {
        "type": "object",
        "required": ["tool", "lines"],
        "properties": {
            "tool": {"type": "string"},
            "days": {"type": "integer", "minimum": 2},
            "since": {"anyOf": [{"type": "null"}, {"type": "string", "format": "date"}]},
            "lines": {"type": "array", "items": {"$ref": "#/components/schemas/Line"}},
        },
    },
    "Line": {
        "type": "object",
        "properties": {"grade": {"enum": ["good", "bad"]}, "price": {"type": "number"}},
        "required": ["grade"],
    },
    "Tree": {"type": "object", "properties": {"left": {"$ref": "#/components/schemas/Tree"}}},
}


def body(name: str, kind: str = "application/json") -> dict[str, object]:
    return {"requestBody": {"content": {kind: {"schema": {"$ref": f"#/components/schemas/{name}"}}}}}


def test_a_document_is_whole_then_as_short_as_may_be() -> None:
    assert list(described(body("Loan"), SCHEMAS)) == [
        "json={'tool': tool, 'days': 2, 'since': '2026-01-01', 'lines': [{'grade': 'good', 'price': 0.0}]}".replace("0.0", "1.0"),
        "json={'tool': 'x', 'days': 2, 'since': '2026-01-01', 'lines': [{'grade': 'good', 'price': 1.0}]}",
        "json={'tool': 'x', 'lines': [{'grade': 'good'}]}",
        "json={'tool': tool, 'lines': [{'grade': 'good'}]}",
        "json={'tool': 'x', 'days': 2, 'since': '2026-01-01', 'lines': []}",
    ]


def test_a_form_is_sent_as_one_and_a_schema_within_itself_ends() -> None:
    first, *_ = described(body("Line", "multipart/form-data"), SCHEMAS)
    assert first == "data={'grade': 'good', 'price': 1.0}"
    assert next(described(body("Tree"), SCHEMAS)).count("left") == 5


def test_parameters_go_where_they_are_looked_for() -> None:
    operation = {
        "parameters": [
            {"in": "query", "name": "quick", "schema": {"type": "boolean"}},
            {"in": "header", "name": "x-key", "required": True, "schema": {"type": "string"}},
            {"in": "path", "name": "number", "required": True, "schema": {"type": "integer"}},
        ]
    }
    assert list(described(operation, {})) == [
        "params={'quick': False}, headers={'x-key': ''}",
        "params={'quick': False}, headers={'x-key': 'x'}",
        "headers={'x-key': 'x'}",
        "headers={'x-key': ''}",
    ]
    assert list(patterns_of(operation)) == [("number", r"\d+")]
    assert list(described({}, {})) == [""]


def test_what_is_few_may_be_chosen_from() -> None:
    operation = {**body("Loan"), "parameters": [{"name": "all", "in": "query", "schema": {"type": "boolean"}}]}
    assert dict(choices_of(operation, SCHEMAS)) == {"days": (2,), "grade": ("good", "bad"), "all": (True, False)}
    assert dict(choices_of(body("Tree"), SCHEMAS)) == {}
    assert typed({"parameters": [{"$ref": "#/x"}, {"name": "x", "schema": {"type": ["string", "null"]}}]}, SCHEMAS) == frozenset()
    assert typed(operation, SCHEMAS) == {"days", "since", "grade", "price", "all"}


def test_a_document_is_given_as_the_client_takes_it() -> None:
    schema = {"type": "object", "properties": {"unit": {"enum": ["d", "w"]}}, "required": ["unit"]}
    told = {"requestBody": {"content": {"application/json": {"schema": schema}}}}
    assert next(described(told, {})) == "json={'unit': 'd'}"
    assert next(described(told, {}, "data={}, content_type='text/json'")) == "data={'unit': 'd'}, content_type='text/json'"


def test_a_key_that_may_be_any_is_what_the_code_looks_for() -> None:
    schemas = {
        "Show": {
            "type": "object",
            "required": ["prices"],
            "properties": {"prices": {"type": "object", "additionalProperties": {"type": "number"}, "minProperties": 1}},
        },
        "Tags": {"type": "object", "required": ["tags"], "properties": {"tags": {"type": "object", "additionalProperties": {}}}},
    }
    assert next(described(body("Show"), schemas, indexed={"prices": "category"})) == "json={'prices': {'category': 1.0}}"
    assert next(described(body("Show"), schemas)) == "json={'prices': {'price': 1.0}}"
    assert list(described(body("Show"), schemas))[-1] == "json={'prices': {'price': 1.0}}"
    assert list(described(body("Tags"), schemas)) == ["json={'tags': {'tag': tag}}", "json={'tags': {}}"]
    assert invented(body("Show"), schemas, {"prices": "category"}) == {"category"}
    assert invented(body("Loan"), SCHEMAS, {}) == frozenset()
