"""What a framework of web applications is to a search, in the terms of none: routes, and how a test sends a request.

To add one: see ``framework``.
"""

from __future__ import annotations

import ast
import contextlib
import keyword
import re
from collections.abc import Collection, Iterator, Mapping
from types import FunctionType, MappingProxyType
from typing import Any, NamedTuple, Protocol

from crashwright.core.location import CodeKey
from crashwright.core.preparation import Application
from crashwright.engine.frameworks.guarded_routes import Guard
from crashwright.engine.frameworks.model_rows import StoringWay
from crashwright.engine.frameworks.session_keys import Source
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee, CalleeKind, ParameterKind
from crashwright.engine.subject.api.code_index import key_of
from crashwright.engine.subject.introspection import (
    class_dict,
    class_module,
    class_mro,
    class_name,
    instance_dict,
    is_class,
    live_at,
    static_attribute,
    text,
)
from crashwright.engine.subject.layers import enclosed_functions, layers_of
from crashwright.engine.testcase.names.source import Known
from crashwright.engine.testcase.statements import Named

METHODS = ("get", "post", "put", "patch", "delete")
"""As the methods of test clients are called."""
WRITING = METHODS[1:]
WHOLE = frozenset({"get_json", "json", "body", "data", "post"})
"""What reads the document of a request."""
ASKED, SENT = frozenset({"GET", "query_params"}), frozenset({"body", "data"})
"""Of a request, or of what is built on one, the parts that are its query and its document."""
_NOTHING: Mapping[str, Any] = MappingProxyType({})
_LONGEST = 60
"""Of a text that a decorator is given."""


class Description(NamedTuple):
    """What an application says of a route: of each method what its requests carry, with the ``schemas`` that this refers to."""

    methods: Mapping[str, Any]
    schemas: Mapping[str, Any] = _NOTHING
    document: str = "json={}"
    """How the client is given a document."""


class Route(NamedTuple):
    """``path`` has its places in angle brackets: ``/rooms/<int:pk>``. ``methods``: of a request, those that the framework tells;
    ``keys``: of the functions that may answer it, decorators included. ``patterns`` are the names of places in the path, each with
    the regular expression of what may stand there."""

    path: str
    methods: tuple[str, ...]
    keys: tuple[CodeKey, ...]
    patterns: tuple[tuple[str, str], ...] = ()
    description: Description | None = None
    guards: tuple[Guard, ...] = ()
    """What runs before the view and may send the caller away, if the framework tells."""
    home: str = ""
    """The module of the class that the view stands for: what answers may all be inherited."""

    before: tuple[CodeKey, ...] = ()
    """Of the functions that run before all views."""
    given: tuple[str, ...] = ()
    """Texts that its decorators were given: roles, permissions."""

    def is_of(self, packages: Collection[str]) -> bool:
        """Whether it is of one of these top-level packages."""
        return any(module.partition(".")[0] in packages for module in (self.home, *(key.module for key in self.keys)))

    def with_functions_of(self, packages: Collection[str]) -> Route:
        """With those of its functions alone that are of these packages: what decorators and base classes read of a request is not
        what the view is about."""
        return self._replace(keys=tuple(key for key in self.keys if key.module.partition(".")[0] in packages))


class WebFramework(Protocol):
    """Of the application that is set up (``preparing``). All is read by asking the framework, before anything of the
    subject is traced. Statements are source."""

    client: tuple[str, str]
    """Where the class of its test client is."""
    makes_client: bool
    """Whether tests make one by calling that class."""

    def routes(self) -> Iterator[Route]:
        """In the order in which they were made."""

    def names(self, api: ApiModel) -> dict[str, Known]:
        """What the statements below name beyond the subject's own callables and the client."""

    def opening(self, known: Collection[str]) -> list[str]:
        """The statements that make ``client``, which lets exceptions through; none if a name is not ``known``."""

    sends: tuple[str, str]
    """The source of a call after which ``client`` sends a header with each request, with ``{header}`` and ``{value}``; that of
    the document of an ``{answer}``. Empty where nobody has to send one."""

    def signing_in(self, route: Route, known: Mapping[str, Known], source: Source) -> Iterator[list[str]]:
        """Statements that sign a caller in with ``client``, for requests to that route: after the opening, before the request. Each
        way in turn; none if nothing asks for a caller."""

    def rows(self, known: Collection[str], named: Collection[str]) -> list[StoringWay]:
        """Statements behind the opening that store objects, each way in turn: what the project itself stores for whoever tries it
        out, and objects of the models that the code ``named``."""

    def arguments(self, method: str, read: Collection[str], carried: str) -> Iterator[str]:
        """What a method of the client is given so that the request has what is ``carried``, by the attributes that a view
        ``read``."""

    def calls(self, known: Collection[str], callee: Callee, read: Collection[str], carried: str) -> Iterator[str]:
        """Statements that call a view with such a request, and no client."""


class ManagedCommands(NamedTuple):
    """Of a project: the ``names`` of commands that are run through the framework, and what a test calls with one of them."""

    names: frozenset[str] = frozenset()
    call: Named | None = None


# What views are


def likely_methods(read: Collection[str]) -> tuple[str, ...]:
    """The methods that a view seems to answer which does not tell."""
    parts = (("get", ASKED), ("post", frozenset({"POST"})), ("post", SENT))
    return tuple(method for method, part in parts if not part.isdisjoint(read))[:1] or ("get",)


def expressions(converters: object) -> tuple[tuple[str, str], ...]:
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


def methods_of(view: Any) -> tuple[str, ...]:
    """Of a view that is a class those that it has, or is told to have (``actions``: method to attribute)."""
    attributes = instance_dict(view)
    actions = attributes.get("actions")
    if type(actions) is dict and actions:
        return tuple(method for method in METHODS if method in actions)
    cls = class_of_view(view)
    return () if cls is None else tuple(method for method in METHODS if static_attribute(cls, method) is not None)


def class_of_view(view: Any) -> type | None:
    """The class that a view stands for."""
    attributes = instance_dict(view)
    found = (attributes.get(name) for name in ("view_class", "cls"))
    return next((one for one in found if is_class(one)), None)


def keys_of_view(view: Any) -> tuple[CodeKey, ...]:
    """Of the view, or of the methods of the class that it stands for and what those enclose; of a class whose requests another
    package answers, what this calls back: the methods of its own package, and of the classes that it names in its attributes
    (serializers, forms)."""
    cls = class_of_view(view)
    actions = instance_dict(view).get("actions")
    names = (*METHODS, *(one for one in actions.values() if type(one) is str)) if type(actions) is dict else METHODS
    members = [static_attribute(cls, name) for name in names] if cls is not None else []
    found = [view, *(member[1] for member in members if member is not None), *own_methods(cls), *_methods_of_named(cls)]
    return tuple(dict.fromkeys(key_of(part) for one in found for part in (*layers_of(one), *enclosed_functions(one))))


def own_methods(cls: type | None) -> Iterator[FunctionType]:
    """What a class and its bases in the same package define, the class itself first."""
    home = "" if cls is None else class_module(cls).partition(".")[0]
    for parent in class_mro(cls) if cls is not None else ():
        if class_module(parent).partition(".")[0] == home:
            yield from (one for one in class_dict(parent).values() if type(one) is FunctionType)


def _methods_of_named(cls: type | None) -> Iterator[FunctionType]:
    """What classes define that stand in attributes of a class, or of its bases in the same package."""
    home = "" if cls is None else class_module(cls).partition(".")[0]
    for parent in class_mro(cls) if cls is not None else ():
        if class_module(parent).partition(".")[0] == home:
            for named in (one for one in class_dict(parent).values() if is_class(one)):
                yield from own_methods(named)


def home_of_view(view: Any) -> str:
    """The module of the class that it stands for; "" of a function."""
    cls = class_of_view(view)
    return "" if cls is None else class_module(cls)


def given_to_decorators(view: Any) -> tuple[str, ...]:
    """Texts that the layers around a view hold, alone or several: ``@roles_required("keeper", "admin")``."""
    cls = class_of_view(view)
    found = [view, *own_methods(cls)]
    held = [each for one in found for layer in layers_of(one) for value in _held_by(layer) for each in _items(value)]
    return tuple(dict.fromkeys(each for each in held if type(each) is str and each.isprintable() and len(each) < _LONGEST))


def _items(value: Any) -> list[Any]:
    several = any(type(value) is kind for kind in (tuple, list, set, frozenset))
    return list(value) if several else [value]


def _held_by(function: FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        with contextlib.suppress(ValueError):  # nothing is in it yet
            yield cell.cell_contents


# What statements are made of


def application_named(address: str, api: ApiModel) -> dict[str, Known]:
    """The application at ``address`` (``core.preparation.Application``), or what makes it."""
    module, name, call = Application.at(address)
    live = live_at(module, name)
    factory = api.callee_of(live) if call else None
    if factory is None and call:
        return {}
    return {name: factory if factory is not None else Named(module, name, live)}


def call_of(callee: Callee, given: tuple[str, ...]) -> str:
    """The call, with the names of required parameters for what is not given."""
    kinds = (ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD)
    required = [one.name for one in callee.parameters if one.required and one.kind in kinds][len(given) :]
    arguments = ", ".join((*given, *required))
    if callee.kind is CalleeKind.METHOD and callee.owner is not None:
        return f"{class_name(callee.owner)}().{callee.name}({arguments})"
    return f"{callee.qualname}({arguments})"


def open_value(key: str) -> str:
    """The name of a value that is left to the search, where the key can be one."""
    if not key.isidentifier():
        return "''"
    return f"{key}_" if keyword.iskeyword(key) else key


def parts_read(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """What is read of the parts of a request, by key, in the order of the source: ``request.headers["etag"]``."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Subscript | ast.Call)]
    for node in sorted(nodes, key=lambda node: (node.end_lineno or 0, node.end_col_offset or 0)):
        match node:
            case ast.Subscript(value=ast.Attribute(attr=part), slice=ast.Constant(value=str() as key)):
                yield part, key
            case ast.Call(
                func=ast.Attribute(value=ast.Attribute(attr=part), attr="get"), args=[ast.Constant(value=str() as key), *_]
            ):
                yield part, key
