"""Documents against the schemas that docs/schemas publishes, closed: a field that a schema does not name is an error here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

FOLDER = Path(__file__).parents[2] / "docs" / "schemas"


def published(command: str) -> dict[str, Any]:
    """The schema of a command's document, as it is published."""
    schema: dict[str, Any] = json.loads((FOLDER / f"{command}.json").read_text(encoding="utf-8"))
    return schema


def faults(command: str, document: dict[str, Any]) -> list[str]:
    """Where the document is not what the schema says."""
    text = json.dumps(document, allow_nan=False)  # infinite numbers are no JSON
    schema = published(command)
    failed = "error" in document
    closed = _closed({**schema["anyOf"][int(failed)], "$defs": schema["$defs"]})
    return [f"{one.json_path}: {one.message}"[:300] for one in Draft202012Validator(closed).iter_errors(json.loads(text))]


def _closed(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {name: _closed(one) for name, one in schema.items()}
    return {**closed, "additionalProperties": False} if isinstance(closed.get("properties"), dict) else closed
