"""Flask: its routes, its test client, and the contexts by which extensions and views find their application and request."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from types import FunctionType
from typing import Any

from crashwright.core.preparation import Application
from crashwright.engine.frameworks.session_keys import Source, keys_asked_of
from crashwright.engine.frameworks.web import (
    METHODS,
    WRITING,
    Route,
    application_named,
    call_of,
    expressions,
    given_to_decorators,
    keys_of_view,
)
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.code_index import key_of
from crashwright.engine.subject.introspection import instance_dict, instance_of, is_class, live_at, loaded_dict, loaded_names
from crashwright.engine.subject.layers import layers_of
from crashwright.engine.subject.project import packages_beside
from crashwright.engine.testcase.names.source import Known

_CARRYING = {
    "get_json": "json",
    "json": "json",
    "form": "data",
    "args": "query_string",
    "values": "query_string",
    "headers": "headers",
}
"""What a view reads, and the argument of ``test_request_context`` that says it."""
_SIGNED = "1", 1, "ann"
"""What a session has of a caller: a key of a row, as a text or a number, or a name."""
_OF_TABLES, _CREATES = frozenset({"create_all", "executescript"}), "CREATE TABLE"
"""Methods that make tables, and what begins the text of one."""
MOST_ALONE = 6
"""Keys that are set alone."""


class FlaskApplication:
    """At an ``address`` (``core.preparation.Application``)."""

    client = ("flask.testing", "FlaskClient")
    makes_client = False
    sends = "client.environ_base.update(HTTP_{header}={{value}})", ".json"

    def __init__(self, address: str) -> None:
        self._address = address
        self._name = address.partition(":")[2]
        self._application = Application.at(address)

    def routes(self) -> Iterator[Route]:
        """See ``WebFramework``."""
        application: Any = importlib.import_module("flask").current_app
        early = [one for each in application.before_request_funcs.values() for one in each]
        before = tuple(dict.fromkeys(key_of(layer) for one in early for layer in layers_of(one)))
        for rule in application.url_map.iter_rules():
            told = {method.lower() for method in rule.methods or ()}
            methods = tuple(method for method in METHODS if method in told)
            view = application.view_functions.get(rule.endpoint)
            places = expressions(instance_dict(rule).get("_converters"))
            yield Route(rule.rule, methods, keys_of_view(view), places, before=before, given=given_to_decorators(view))

    def names(self, api: ApiModel) -> dict[str, Known]:
        """The application, and what makes its tables."""
        callee = None if self._table_maker is None else api.callee_of(self._table_maker)
        return {**application_named(self._address, api), **({} if callee is None else {callee.name: callee})}

    def opening(self, known: Collection[str]) -> list[str]:
        """See ``WebFramework``."""
        if self._application.name not in known:
            return []
        name = "app" if self._application.call else self._name
        made = [f"{name} = {self._name}"] if self._application.call else []
        maker = "" if self._table_maker is None else self._table_maker.__code__.co_name
        tables = [f"with {name}.app_context():\n    pass", f"{maker}()"] if maker in known else []
        return [*made, f"{name}.testing = True", *tables, f"client = {name}.test_client()"]

    @cached_property
    def _table_maker(self) -> FunctionType | None:
        """What makes the tables of the database, if the application does not do that itself: a function of the project that needs
        no argument."""
        own = packages_beside(self._application.module.partition(".")[0])
        factory = live_at(self._application.module, self._application.name)
        if type(factory) is FunctionType and makes_tables(factory):
            return None
        modules = (name for package in sorted(own) for name in loaded_names(package))
        functions = (one for module in modules for one in _functions_of(module))
        return next((one for one in functions if _needs_nothing(one) and makes_tables(one, 0)), None)

    def signing_in(self, route: Route, known: Mapping[str, Known], source: Source) -> Iterator[list[str]]:  # noqa: ARG002
        """By what the application and its extensions read of the session: all that one package reads, then each key alone."""
        asked = keys_asked_of(live_at("flask", "session"), source, "flask")
        own = packages_beside(self._application.module.partition(".")[0])
        packages = sorted(asked, key=lambda package: package not in own)
        for value in _SIGNED:
            for package in packages:
                literals = asked[package] if package in own else {}
                yield _in_session({key: next(iter(literals.get(key, ())), value) for key in asked[package]})
            alone = [key for package in packages if len(asked[package]) > 1 for key in asked[package]]
            yield from (_in_session({key: value}) for key in alone[:MOST_ALONE])
            if len(packages) > 1:
                yield _in_session({key: value for package in packages for key in asked[package]})

    def arguments(self, method: str, read: Collection[str], carried: str) -> Iterator[str]:
        """See ``WebFramework``."""
        if method in WRITING and ("get_json" in read or "json" in read):
            yield f"json={carried}"
        elif method in WRITING and ("form" in read or "values" in read):
            yield f"data={carried}"
        if ("args" in read or "values" in read) and not (method in WRITING and "values" in read):
            yield f"query_string={carried}"

    def calls(self, known: Collection[str], callee: Callee, read: Collection[str], carried: str) -> Iterator[str]:
        """In the context of a request."""
        if self._application.name not in known:
            return
        for argument in dict.fromkeys(said for attribute, said in _CARRYING.items() if attribute in read):
            method = ", method='POST'" if argument in ("json", "data") else ""
            yield f"with {self._name}.test_request_context({argument}={carried}{method}):\n    pass\n{call_of(callee, ())}"


def makes_tables(function: FunctionType, depth: int = 3) -> bool:
    """Whether it, or what it calls by a name of its module, makes the tables of a database, by the names and texts of its code."""
    code = function.__code__
    texts = [one for one in code.co_consts if type(one) is str]
    if not _OF_TABLES.isdisjoint(code.co_names) or any(_CREATES in text.upper() for text in texts):
        return True
    called = [function.__globals__.get(name) for name in code.co_names] if depth else []
    return any(makes_tables(one, depth - 1) for one in called if type(one) is FunctionType and one is not function)


def _functions_of(module: str) -> list[FunctionType]:
    """Those that it defines."""
    live = list(loaded_dict(module).values())
    return [one for one in live if type(one) is FunctionType and one.__globals__.get("__name__") == module]


def _needs_nothing(function: FunctionType) -> bool:
    code = function.__code__
    return code.co_argcount == len(function.__defaults__ or ()) and code.co_kwonlyargcount == len(function.__kwdefaults__ or ())


def _in_session(items: Mapping[str, object]) -> list[str]:
    """The statement that puts these into the session of the client."""
    lines = [f"    session[{key!r}] = {value!r}" for key, value in items.items()]
    return ["\n".join(["with client.session_transaction() as session:", *lines])]


def context_of(value: object) -> contextlib.AbstractContextManager[Any] | None:
    """The context of an application; None for anything else."""
    cls = live_at("flask", "Flask")
    application: Any = value
    return application.app_context() if is_class(cls) and instance_of(value, cls) else None
