"""Forms of Django: what a view takes of a request, in the terms of OpenAPI (``described_requests``), as its form declares it.

# Deviation: the papers' subjects take no forms.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

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
    "Field": {"type": "string"},
}
"""By the names of the classes, the first that a field's class derives from."""
_FIELDS = "base_fields"
_MOST_CHOICES = 8


def form_of(view: Any) -> Description | None:
    """What is posted to a view: of the form that its class names, or that its functions do; None where there is none."""
    form = next(_forms(view), None)
    if form is None:
        return None
    properties, needed = {}, []
    for name, field in form.items():
        state = instance_dict(field)
        properties[name] = {**_type_of(field), **_bounds(state), **_choices(state)}
        if state.get("required") is True:
            needed.append(name)
    schema = {"type": "object", "properties": properties, "required": needed}
    return Description({"post": {"requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": schema}}}}})


def _forms(view: Any) -> Iterator[Mapping[str, Any]]:
    cls = class_of_view(view)
    named = static_attribute(cls, "form_class") if cls is not None else None
    found = [named[1]] if named is not None else []
    for function in own_methods(cls) if cls is not None else layers_of(view):
        held = function.__globals__
        found += [held[name] for name in function.__code__.co_names if name in held]
    for one in found:
        fields = static_attribute(one, _FIELDS) if is_class(one) else None
        if fields is not None and type(fields[1]) is dict and fields[1]:
            yield fields[1]


def _type_of(field: Any) -> Mapping[str, Any]:
    return next((_TYPES[name] for cls in class_mro(type(field)) if (name := class_name(cls)) in _TYPES), _TYPES["Field"])


def _bounds(state: Mapping[str, Any]) -> Mapping[str, Any]:
    said = {"minimum": state.get("min_value"), "maximum": state.get("max_value"), "minLength": state.get("min_length")}
    return {key: value for key, value in said.items() if type(value) is int or type(value) is float}


def _choices(state: Mapping[str, Any]) -> Mapping[str, Any]:
    """Those that are written down; groups of them by what is in these."""
    waiting, found = state.get("_choices"), []
    for value, label in waiting if type(waiting) is list or type(waiting) is tuple else ():
        inner = label if type(label) is list or type(label) is tuple else [(value, label)]
        found += [one for one, _ in inner if (type(one) is str or type(one) is int) and one != ""]
    return {"enum": found[:_MOST_CHOICES]} if found else {}


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
