"""The routes of a Django project, through all that its URL configuration includes: paths with converters, regular expressions, and
what routers of view sets make of these."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from crashwright.engine.frameworks.django_forms import form_of
from crashwright.engine.frameworks.web import Route, expressions, given_to_decorators, home_of_view, keys_of_view, methods_of
from crashwright.engine.subject.introspection import instance_dict, static_attribute

_GROUP = re.compile(r"\(\?P<(?P<name>\w+)>(?P<pattern>(?:[^()\\\[\]]|\\.|\[\^?\]?[^\]]*\])*)\)")
_ESCAPED, _SPECIAL = re.compile(r"\\([^\w])"), re.compile(r"[\\^$.*+?{}\[\]|()]")


def routes_below(resolver: Any) -> Iterator[Route]:
    """In the order in which they are looked for."""
    before: tuple[object, str] = None, ""
    for view, route in _below(resolver, Route("/", (), ())):
        # The same with a suffix, for another form of the answer.
        if view is not before[0] or not route.path.startswith(f"{before[1].removesuffix('/')}."):
            yield route
            before = view, route.path


def _below(resolver: Any, around: Route) -> Iterator[tuple[object, Route]]:
    for one in resolver.url_patterns:
        here = _beneath(around, one.pattern)
        if static_attribute(type(one), "url_patterns") is not None:
            yield from _below(one, here)
        else:
            view = one.callback
            told = here._replace(methods=methods_of(view), keys=keys_of_view(view), home=home_of_view(view))
            yield view, told._replace(description=form_of(view), given=given_to_decorators(view))


def _beneath(around: Route, pattern: Any) -> Route:
    """The route of a pattern below another: a path with places, or a regular expression, which is one place if it is more than text
    and named groups."""
    written = str(pattern)
    attributes = instance_dict(pattern)
    if "_regex" not in attributes or "_route" in attributes:  # a path keeps the expression that it is read as beside itself
        return around._replace(path=around.path + written, patterns=around.patterns + expressions(pattern.converters))
    parts = _parts_of_expression(written)
    if parts is not None:
        path, places = parts
        return around._replace(path=around.path + path, patterns=(*around.patterns, *places))
    name = f"pattern_{len(around.patterns)}"
    return around._replace(path=f"{around.path}<{name}>", patterns=(*around.patterns, (name, written.removeprefix("^"))))


def _parts_of_expression(written: str) -> tuple[str, tuple[tuple[str, str], ...]] | None:
    """Of an expression that is text with named groups the path with their places, and what may stand in these; None of any
    other."""
    path, end = "", 0
    places: list[tuple[str, str]] = []
    text = written.removeprefix("^").removesuffix("$").removesuffix(r"\Z").removesuffix("/?")
    for group in _GROUP.finditer(text):
        path += f"{text[end : group.start()]}<{group['name']}>"
        places.append((group["name"], group["pattern"]))
        end = group.end()
    path += text[end:]
    plain = _ESCAPED.sub(r"\1", path)
    return None if _SPECIAL.search(_ESCAPED.sub("", path)) else (plain, tuple(places))
