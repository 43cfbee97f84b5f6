"""The routes of the web application that is set up: which requests come to which functions. Read by asking the framework, after
:func:`preparing.after_import` and before anything of the subject is traced."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any, NamedTuple

from crashwright.core.location import CodeKey
from crashwright.core.preparation import Preparation
from crashwright.engine.subject.api.code_index import key_of
from crashwright.engine.subject.introspection import instance_dict, is_class, static_attribute
from crashwright.engine.subject.layers import layers_of

METHODS = ("get", "post", "put", "patch", "delete")
"""As the methods of test clients are called."""
MOST = 200


class Route(NamedTuple):
    """``path`` is as the framework writes it: ``/rooms/<int:pk>``. ``methods``: of a request, those that the framework tells;
    ``keys``: of the functions that may answer it, decorators included."""

    path: str
    methods: tuple[str, ...]
    keys: tuple[CodeKey, ...]


def routes_of(preparation: Preparation) -> tuple[Route, ...]:
    """In the order in which they were made."""
    found = [*_flask()] if preparation.flask else [*_django()] if preparation.django else []
    return tuple(found[:MOST])


def _flask() -> Iterator[Route]:
    application: Any = importlib.import_module("flask").current_app
    for rule in application.url_map.iter_rules():
        told = {method.lower() for method in rule.methods or ()}
        methods = tuple(method for method in METHODS if method in told)
        yield Route(rule.rule, methods, _keys(application.view_functions.get(rule.endpoint)))


def _django() -> Iterator[Route]:
    resolver: Any = importlib.import_module("django.urls").get_resolver()
    yield from _django_below(resolver, "/")


def _django_below(resolver: Any, prefix: str) -> Iterator[Route]:
    for one in resolver.url_patterns:
        path = instance_dict(one.pattern).get("_route")
        if type(path) is not str:
            continue  # a regular expression: which paths it matches is not known
        if static_attribute(type(one), "url_patterns") is not None:
            yield from _django_below(one, prefix + path)
        else:
            yield Route(prefix + path, (), _keys(one.callback))


def _keys(view: Any) -> tuple[CodeKey, ...]:
    """Of the view, or of the methods of the class that it stands for."""
    cls: Any = instance_dict(view).get("view_class")
    members = [static_attribute(cls, name) for name in METHODS] if is_class(cls) else []
    found = (view, *(member[1] for member in members if member is not None))
    return tuple(dict.fromkeys(key_of(part) for one in found for part in layers_of(one)))
