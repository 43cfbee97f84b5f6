"""The routes of the web application that is set up: which requests come to which functions. Read by asking the framework, after
:func:`preparing.after_import` and before anything of the subject is traced."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from crashwright.core.location import CodeKey
from crashwright.core.preparation import Preparation
from crashwright.engine.subject.api.code_index import key_of
from crashwright.engine.subject.asgi_routes import Operation, operations_of
from crashwright.engine.subject.introspection import instance_dict, is_class, static_attribute, text
from crashwright.engine.subject.layers import enclosed_functions, layers_of

METHODS = ("get", "post", "put", "patch", "delete")
"""As the methods of test clients are called."""
MOST = 200


class Route(NamedTuple):
    """``path`` is as the framework writes it: ``/rooms/<int:pk>``. ``methods``: of a request, those that the framework tells;
    ``keys``: of the functions that may answer it, decorators included. ``patterns`` are the names of places in the path, each with
    the regular expression of what may stand there. ``operation`` is what an ASGI application says of what a request carries."""

    path: str
    methods: tuple[str, ...]
    keys: tuple[CodeKey, ...]
    patterns: tuple[tuple[str, str], ...] = ()
    operation: Operation | None = None


def routes_of(preparation: Preparation) -> tuple[Route, ...]:
    """In the order in which they were made."""
    found = _flask() if preparation.flask else _django() if preparation.django else iter(())
    if preparation.asgi:
        found = _asgi(preparation.asgi)
    return tuple(islice(found, MOST))


def _flask() -> Iterator[Route]:
    application: Any = importlib.import_module("flask").current_app
    for rule in application.url_map.iter_rules():
        told = {method.lower() for method in rule.methods or ()}
        methods = tuple(method for method in METHODS if method in told)
        view = application.view_functions.get(rule.endpoint)
        yield Route(rule.rule, methods, _keys(view), _expressions(instance_dict(rule).get("_converters")))


def _asgi(address: str) -> Iterator[Route]:
    for one in operations_of(address):
        methods = tuple(method for method in METHODS if method in one.methods) or _methods(one.endpoint)
        yield Route(one.path, methods, _keys(one.endpoint), _expressions(one.converters), one)


def _django() -> Iterator[Route]:
    resolver: Any = importlib.import_module("django.urls").get_resolver()
    yield from _django_below(resolver, Route("/", (), ()))


def _django_below(resolver: Any, around: Route) -> Iterator[Route]:
    for one in resolver.url_patterns:
        here = _beneath(around, one.pattern)
        if static_attribute(type(one), "url_patterns") is not None:
            yield from _django_below(one, here)
        else:
            yield here._replace(methods=_methods(one.callback), keys=_keys(one.callback))


def _beneath(around: Route, pattern: Any) -> Route:
    """The route of a pattern below another: a path with places, or a regular expression, which is one place."""
    written = str(pattern)
    attributes = instance_dict(pattern)
    if "_regex" not in attributes or "_route" in attributes:  # a path keeps the expression that it is read as beside itself
        return around._replace(path=around.path + written, patterns=around.patterns + _expressions(pattern.converters))
    name = f"pattern_{len(around.patterns)}"
    return around._replace(path=f"{around.path}<{name}>", patterns=(*around.patterns, (name, written.removeprefix("^"))))


def _expressions(converters: object) -> tuple[tuple[str, str], ...]:
    """The places of a path, each with what its converter takes."""
    found = converters.items() if type(converters) is dict else ()
    return tuple((name, pattern) for name, one in found if (pattern := _expression(one)))


def _expression(converter: Any) -> str:
    """The regular expression of a converter; of numbers with a least one or so many digits such a number."""
    least, digits = (instance_dict(converter).get(name) for name in ("min", "fixed_digits"))
    if type(least) is int or type(least) is float:
        return re.escape(str(least).zfill(digits if type(digits) is int else 0))
    if type(digits) is int and digits:
        return rf"\d{{{digits}}}"
    told = static_attribute(type(converter), "regex")
    return text(instance_dict(converter).get("regex", told[1] if told is not None else ""))


def _methods(view: Any) -> tuple[str, ...]:
    """Of a view that is a class those that it has, or is told to have (``actions``: method to attribute)."""
    attributes = instance_dict(view)
    actions = attributes.get("actions")
    if type(actions) is dict and actions:
        return tuple(method for method in METHODS if method in actions)
    cls = _class_of(view)
    return () if cls is None else tuple(method for method in METHODS if static_attribute(cls, method) is not None)


def _class_of(view: Any) -> type | None:
    """The class that a view stands for."""
    attributes = instance_dict(view)
    found = (attributes.get(name) for name in ("view_class", "cls"))
    return next((one for one in found if is_class(one)), None)


def _keys(view: Any) -> tuple[CodeKey, ...]:
    """Of the view, or of the methods of the class that it stands for and what those enclose."""
    cls = _class_of(view)
    actions = instance_dict(view).get("actions")
    names = (*METHODS, *(one for one in actions.values() if type(one) is str)) if type(actions) is dict else METHODS
    members = [static_attribute(cls, name) for name in names] if cls is not None else []
    found = [view, *(member[1] for member in members if member is not None)]
    return tuple(dict.fromkeys(key_of(part) for one in found for part in (*layers_of(one), *enclosed_functions(one))))
