"""Forms of Django, and serializers of its REST framework: what a view takes of a request, as they declare it, in the terms of
OpenAPI (``described_requests``).

# Deviation: the papers' subjects take no forms.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FunctionType, MappingProxyType
from typing import Any, cast

from crashwright.engine.frameworks.web import Description, class_of_view, own_methods
from crashwright.engine.subject.introspection import class_mro, class_name, instance_dict, is_class, static_attribute
from crashwright.engine.subject.layers import layers_of

_TYPES: Mapping[str, Mapping[str, Any]] = {
    "IntegerField": {"type": "integer"},
    "FloatField": {"type": "string", "format": "decimal"},
    "DecimalField": {"type": "string", "format": "decimal"},
    "BooleanField": {"type": "boolean"},
    "DateField": {"type": "string", "format": "date"},
    "DateTimeField": {"type": "string", "format": "date-time"},
    "TimeField": {"type": "string", "format": "time"},
    "DurationField": {"type": "string", "format": "duration"},
    "EmailField": {"type": "string", "format": "email"},
    "URLField": {"type": "string", "format": "uri"},
    "UUIDField": {"type": "string", "format": "uuid"},
    "GenericIPAddressField": {"type": "string", "format": "ipv4"},
    "ModelChoiceField": {"type": "integer"},
    "PrimaryKeyRelatedField": {"type": "integer"},
    "Field": {"type": "string"},
}
"""By the names of the classes, the first that a field's class derives from."""
_SERIALIZED = ("post", "put", "patch")
_AS_DOCUMENT = "data={}, content_type='application/json'"
"""How the client of Django is given a document."""
_NOTHING: Mapping[str, Any] = MappingProxyType({})
_WHOLE = "__all__"
"""What a form complains of that is about no field of it."""
_MOST_CHOICES = 8


def form_of(view: Any) -> Description | None:
    """What is sent to a view: of the form or serializer that its class or functions name; None where there is none."""
    form = next((one for one in map(_fields_of, _named_by(view)) if one), None)
    serializer = next((one for one in map(_serialized, _named_by(view)) if one), None)
    if form is not None:
        return Description({"post": _carrying("application/x-www-form-urlencoded", form)})
    if serializer is not None:
        return Description(dict.fromkeys(_SERIALIZED, _carrying("application/json", serializer)), document=_AS_DOCUMENT)
    return None


def _carrying(kind: str, fields: Mapping[str, Any]) -> Mapping[str, Any]:
    states = {name: instance_dict(field) for name, field in fields.items()}
    properties = {name: {**_type_of(fields[name]), **_bounds(state), **_choices(state)} for name, state in states.items()}
    needed = [name for name, state in states.items() if state.get("required") is True]
    schema = {"type": "object", "properties": properties, "required": needed}
    return {"requestBody": {"content": {kind: {"schema": schema}}}}


def _named_by(view: Any) -> Iterator[type]:
    """Classes that a view names: first those of the functions that answer, where it says which do."""
    cls = class_of_view(view)
    actions = instance_dict(view).get("actions")
    answering = [static_attribute(cls, one) for one in actions.values()] if cls is not None and type(actions) is dict else []
    named = [static_attribute(cls, name) for name in ("form_class", "serializer_class")] if cls is not None else []
    found = [each for one in answering if one is not None for layer in layers_of(one[1]) for each in _in_code(layer)]
    found += [one[1] for one in named if one is not None]
    for function in own_methods(cls) if cls is not None else layers_of(view):
        found += _in_code(function)
    yield from (one for one in found if is_class(one))


def _in_code(function: FunctionType) -> list[Any]:
    held = function.__globals__
    return [held[name] for name in function.__code__.co_names if name in held]


def _fields_of(cls: type) -> Mapping[str, Any]:
    fields = static_attribute(cls, "base_fields")
    return fields[1] if fields is not None and type(fields[1]) is dict else _NOTHING


def _serialized(cls: type) -> Mapping[str, Any]:
    """Those fields of a serializer that a request may have."""
    if static_attribute(cls, "_declared_fields") is None or static_attribute(cls, "to_internal_value") is None:
        return _NOTHING
    try:
        fields = dict(cast(Any, cls)().fields)
    except Exception:  # noqa: BLE001 - it is made with more than that, or names a model that is not there
        return _NOTHING
    return {name: field for name, field in fields.items() if instance_dict(field).get("read_only") is not True}


def _type_of(field: Any) -> Mapping[str, Any]:
    return next((_TYPES[name] for cls in class_mro(type(field)) if (name := class_name(cls)) in _TYPES), _TYPES["Field"])


def _bounds(state: Mapping[str, Any]) -> Mapping[str, Any]:
    said = {"minimum": state.get("min_value"), "maximum": state.get("max_value"), "minLength": state.get("min_length")}
    return {key: value for key, value in said.items() if type(value) is int or type(value) is float}


def _choices(state: Mapping[str, Any]) -> Mapping[str, Any]:
    """Those that are written down; groups of them by what is in these."""
    waiting, found = state.get("_choices"), []
    if issubclass(type(waiting), dict):
        waiting = list(cast(dict[Any, Any], waiting).items())
    for value, label in waiting if type(waiting) is list or type(waiting) is tuple else ():
        inner = label if type(label) is list or type(label) is tuple else [(value, label)]
        found += [one for one, _ in inner if (type(one) is str or type(one) is int) and one != ""]
    return {"enum": found[:_MOST_CHOICES]} if found else {}


def complaints_of(response: Any) -> Iterator[tuple[str, str]]:
    """What forms complain of that a page was made with, by their fields, "" for what is about the whole form: a page with these is
    no success."""
    layers: Any = instance_dict(response).get("context")
    for layer in layers if issubclass(type(layers), list) else ():
        held: Any = instance_dict(layer).get("dicts")
        for names in held if type(held) is list else ():
            for form in dict.values(names) if issubclass(type(names), dict) else ():
                errors: Any = instance_dict(form).get("_errors")
                for name, said in errors.items() if issubclass(type(errors), dict) else ():
                    yield "" if name == _WHOLE else str(name), " ".join(map(str, said))


@contextmanager
def pages_tell() -> Iterator[None]:
    """Meanwhile the answers of the test client have what their pages were made with, as in the test runner of Django."""
    template: Any = importlib.import_module("django.template.base").Template
    render = template._render
    template._render = importlib.import_module("django.test.utils").instrumented_test_render
    try:
        yield
    finally:
        template._render = render
