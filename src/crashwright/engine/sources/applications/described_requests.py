"""What a request carries, by the description that an application gives of itself (OpenAPI, JSON schemas): the source of the
arguments that a test client is given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from crashwright.engine.frameworks.web import open_value
from crashwright.engine.subject.usage.shapes import Plain

DEEPEST = 4
"""Levels of schemas within schemas."""
_FORMATS = {
    "date": "2026-01-01",
    "date-time": "2026-01-01T12:00:00",
    "time": "12:00:00",
    "duration": "P1D",
    "email": "ann@example.com",
    "uri": "https://example.com/",
    "uuid": "00000000-0000-4000-8000-000000000001",
    "ipv4": "127.0.0.1",
    "decimal": "1.00",
}
_JSON, _FORMS = "application/json", ("application/x-www-form-urlencoded", "multipart/form-data")
_TYPED = frozenset({"integer", "number", "boolean"})
_BOUNDS = ("minimum", "maximum")
_PLACES = {"query": "params", "header": "headers", "cookie": "cookies"}
"""Where a parameter is sent, and the argument of the client."""


class Style(NamedTuple):
    """How much is said: what need not be said ``as well``, texts ``left open`` for the search; ``empty``: lists have no items."""

    as_well: bool
    left_open: bool
    empty: bool = False


STYLES = (Style(True, True), Style(True, False), Style(False, False), Style(False, True), Style(True, False, True))


def described(
    operation: Mapping[str, Any],
    schemas: Mapping[str, Any],
    document: str = "json={}",
    indexed: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[str]:
    """The arguments of a request, in each style: ``json={'tool': tool, 'days': 1}, params={'quick': False}``. ``document``: how
    a document is given. ``indexed``: what a key is called, of what may have any."""
    yield from dict.fromkeys(", ".join(_arguments(operation, _Writer(schemas, style, indexed), document)) for style in STYLES)


def _arguments(operation: Mapping[str, Any], writer: _Writer, document: str) -> Iterator[str]:
    content = operation.get("requestBody", {}).get("content", {})
    form = next((content[one] for one in _FORMS if one in content), None)
    if _JSON in content:
        yield document.format(writer.value(content[_JSON].get("schema", {})))
    elif form is not None:
        yield f"data={writer.value(form.get('schema', {}))}"
    for place, argument in _PLACES.items():
        asked = [one for one in operation.get("parameters", ()) if one.get("in") == place]
        said = [one for one in asked if one.get("required") or writer.style.as_well]
        if said:
            values = ", ".join(f"{one['name']!r}: {writer.sent(one.get('schema', {}), one['name'])}" for one in said)
            yield f"{argument}={{{values}}}"


def patterns_of(operation: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Regular expressions of places in the path that take no text."""
    for one in operation.get("parameters", ()):
        schema = one.get("schema", {})
        kinds = {"integer": r"\d+", "number": r"\d+(\.\d+)?", "boolean": "true|false"}
        pattern = kinds.get(schema.get("type", ""), _FORMATS.get(schema.get("format", ""), schema.get("pattern", "")))
        if one.get("in") == "path" and pattern:
            yield one["name"], pattern


def choices_of(operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[tuple[str, tuple[Plain, ...]]]:
    """What may stand under each name, where that is few: the members of an enumeration, yes and no, the bounds of a number."""
    for name, schema in _named(operation, schemas):
        bounds = [schema[one] for one in _BOUNDS if one in schema]
        several = [*schema.get("enum", ()), *((True, False) if schema.get("type") == "boolean" else ()), *bounds]
        plain = tuple(one for one in several if any(type(one) is kind for kind in (str, int, float, bool)))
        if plain:
            yield name, plain


def typed(operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> frozenset[str]:
    """The names under which nothing but values of one kind may stand: numbers, dates, one of a few; not any text."""
    return frozenset(name for name, schema in _named(operation, schemas) if not _is_free(schema))


def invented(operation: Mapping[str, Any], schemas: Mapping[str, Any], indexed: Mapping[str, str]) -> frozenset[str]:
    """The keys of its document that could have any name."""
    found = {key_of_any(name, indexed) for name, schema in _named(operation, schemas) if _has_any_keys(schema)}
    return frozenset(found)


def key_of_any(name: str, indexed: Mapping[str, str]) -> str:
    """What is written as a key where any may stand: the name under which the code looks for it."""
    return indexed.get(name) or name.removesuffix("s") or "key"


def _has_any_keys(schema: Mapping[str, Any]) -> bool:
    return schema.get("type") == "object" and not schema.get("properties") and type(schema.get("additionalProperties")) is dict


def _named(operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    writer = _Writer(schemas, STYLES[0])
    content = operation.get("requestBody", {}).get("content", {})
    for kind in (_JSON, *_FORMS):
        yield from writer.named(content.get(kind, {}).get("schema", {}))
    for one in operation.get("parameters", ()):
        if "name" in one:
            yield from writer.named(one.get("schema", {}), str(one["name"]))


def _is_free(schema: Mapping[str, Any]) -> bool:
    kind = schema.get("type")
    return "enum" not in schema and schema.get("format", "") not in _FORMATS and not (type(kind) is str and kind in _TYPED)


class _Writer:
    def __init__(self, schemas: Mapping[str, Any], style: Style, indexed: Mapping[str, str] = MappingProxyType({})) -> None:
        self._schemas = schemas
        self._indexed = indexed
        self.style = style

    def value(self, schema: Mapping[str, Any], name: str = "", depth: int = 0) -> str:
        """The source of a value that ``schema`` takes."""
        schema = self._meant(schema)
        if depth > DEEPEST:
            return "None"
        if schema.get("enum"):
            return repr(schema["enum"][0])
        if "const" in schema:
            return repr(schema["const"])
        return self._of_type(schema, name, depth)

    def named(self, schema: Mapping[str, Any], name: str = "", depth: int = 0) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """What it takes under ``name``, and what under each name within."""
        schema = self._meant(schema)
        if depth > DEEPEST:
            return
        if name and "properties" not in schema:
            yield name, schema
        for key, inner in schema.get("properties", {}).items():
            yield from self.named(inner, key, depth + 1)
        yield from self.named(schema["items"], name, depth + 1) if "items" in schema else ()

    def sent(self, schema: Mapping[str, Any], name: str) -> str:
        """A value as it stands in a query or a header: a text, or what becomes one."""
        written = self.value(schema, name, DEEPEST)
        return "''" if written == "None" else written

    def _meant(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """What a reference leads to; of several the first that is not null."""
        for _ in range(DEEPEST):
            among = schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf")
            if "$ref" in schema:
                schema = self._schemas.get(str(schema["$ref"]).rpartition("/")[2], {})
            elif among:
                schema = next((one for one in among if one.get("type") != "null"), {})
        return schema

    def _of_type(self, schema: Mapping[str, Any], name: str, depth: int) -> str:
        match schema.get("type"):
            case "string":
                return self._text(schema, name)
            case "integer" | "number" as kind:
                least = schema.get("minimum", schema.get("exclusiveMinimum", 0) + 1)
                return repr(int(least) if kind == "integer" else float(least))
            case "boolean":
                return "False"
            case "array":
                item = self.value(schema.get("items", {}), name, depth + 1)
                return "[]" if self.style.empty and not schema.get("minItems") else f"[{item}]"
            case "object" | None if schema.get("properties"):
                needed = frozenset(schema.get("required", ()))
                said = [one for one in schema["properties"].items() if one[0] in needed or self.style.as_well]
                return "{" + ", ".join(f"{key!r}: {self.value(inner, key, depth + 1)}" for key, inner in said) + "}"
            case "object":
                return self._mapping(schema, name, depth)
        return open_value(name) if name else "None"

    def _mapping(self, schema: Mapping[str, Any], name: str, depth: int) -> str:
        """One item, by the name under which the code looks for it."""
        if not _has_any_keys(schema) or (self.style.empty and not schema.get("minProperties")):
            return "{}"
        key = key_of_any(name, self._indexed)
        return f"{{{key!r}: {self.value(schema['additionalProperties'], key, depth + 1)}}}"

    def _text(self, schema: Mapping[str, Any], name: str) -> str:
        made = _FORMATS.get(schema.get("format", ""))
        if made is not None:
            return repr(made)
        if self.style.left_open and name:
            return open_value(name)
        return repr("x" * max(1, schema.get("minLength", 1)))
