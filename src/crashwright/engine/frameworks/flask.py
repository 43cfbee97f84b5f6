"""Flask: its routes, its test client, and the contexts by which extensions and views find their application and request."""

from __future__ import annotations

import contextlib
import importlib
import os
import tempfile
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from itertools import islice
from types import FunctionType
from typing import Any

from crashwright.core.preparation import Application, FrameworkSetUp, SetUpPart
from crashwright.engine.frameworks.framework import Framework, live_named
from crashwright.engine.frameworks.model_rows import ModelRows, StoringWay
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
from crashwright.engine.subject.introspection import (
    instance_dict,
    instance_of,
    is_class,
    live_at,
    loaded_dict,
    loaded_names,
    static_attribute,
)
from crashwright.engine.subject.layers import layers_of
from crashwright.engine.subject.project import packages_beside
from crashwright.engine.subject.project_files import FOLDER
from crashwright.engine.testcase.names.source import Known
from crashwright.engine.testcase.statements import Named

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
_ENTERED = "with {}.app_context():\n    pass"
MOST_ALONE = 6
"""Keys that are set alone."""


class FlaskApplication:
    """At an ``address`` (``core.preparation.Application``)."""

    client = ("flask.testing", "FlaskClient")
    makes_client = False
    sends = "client.environ_base.update(HTTP_{header}={{value}})", "{answer}.json"

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
        stored = {} if self._database is None else {self._database.qualname: self._database}
        made = self._model_rows.names(api) if self._database is not None else {}
        return {**made, **application_named(self._address, api), **stored, **({} if callee is None else {callee.name: callee})}

    def opening(self, known: Collection[str]) -> list[str]:
        """See ``WebFramework``."""
        if self._application.name not in known:
            return []
        name = self._application_name
        made = [f"{name} = {self._name}"] if self._application.call else []
        maker = "" if self._table_maker is None else self._table_maker.__code__.co_name
        database = "" if self._database is None else self._database.qualname
        if maker in known:
            tables = [_ENTERED.format(name), f"{maker}()"]
        elif database in known and not self._makes_tables_itself:
            tables = [_ENTERED.format(name), f"{database}.create_all()"]
        elif self._table_maker is not None or self._database is not None:
            tables = []
        else:
            tables = [f"{name}.test_cli_runner().invoke(args={[one]!r})" for one in self._table_commands]
        return [*made, f"{name}.testing = True", *tables, f"client = {name}.test_client()"]

    def rows(self, known: Collection[str], named: Collection[str]) -> list[StoringWay]:
        """See ``WebFramework``."""
        if self._database is None or self._database.qualname not in known:
            return []
        is_entered = self._table_maker is not None or not self._makes_tables_itself
        entered = [] if is_entered else [_ENTERED.format(self._application_name)]
        ways = self._model_rows.ways(known, named, f"{self._database.qualname}.session", entered=True)
        return [way._replace(lines=[*entered, *way.lines]) for way in ways]

    @property
    def _application_name(self) -> str:
        return "app" if self._application.call else self._name

    @cached_property
    def _model_rows(self) -> ModelRows:
        return ModelRows(packages_beside(self._application.module.partition(".")[0]))

    @cached_property
    def _makes_tables_itself(self) -> bool:
        factory = live_at(self._application.module, self._application.name)
        return type(factory) is FunctionType and makes_tables(factory)

    @cached_property
    def _own_modules(self) -> list[str]:
        own = packages_beside(self._application.module.partition(".")[0])
        return [name for package in sorted(own) for name in loaded_names(package)]

    @cached_property
    def _database(self) -> Named | None:
        """An extension that makes the tables of what is declared with it, by its name in a module of the project."""
        held = ((module, name, live) for module in self._own_modules for name, live in loaded_dict(module).items())
        found = (Named(*one) for one in held if _is_database(one[2]))
        return next(found, None)

    @cached_property
    def _table_commands(self) -> list[str]:
        """The first command of the application that makes its tables and needs no argument."""
        flask: Any = importlib.import_module("flask")
        if self._makes_tables_itself or not flask.has_app_context():
            return []
        application = flask.current_app
        return list(islice((name for name, one in application.cli.commands.items() if _is_of_tables(one)), 1))

    @cached_property
    def _table_maker(self) -> FunctionType | None:
        """What makes the tables of the database, if the application does not do that itself: a function of the project that needs
        no argument."""
        if self._makes_tables_itself:
            return None
        functions = (one for module in self._own_modules for one in _functions_of(module))
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


def _is_database(live: object) -> bool:
    makes = static_attribute(type(live), "create_all")
    return makes is not None and type(makes[1]) is FunctionType and "session" in instance_dict(live)


def _is_of_tables(command: Any) -> bool:
    """Whether a command of click makes tables and asks for nothing."""
    layers = layers_of(instance_dict(command).get("callback"))
    return any(map(makes_tables, layers)) and not any(one.required for one in command.params)


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


def _context_of(value: object) -> contextlib.AbstractContextManager[Any] | None:
    """The context of an application; None for anything else."""
    cls = live_at("flask", "Flask")
    application: Any = value
    return application.app_context() if is_class(cls) and instance_of(value, cls) else None


def _before_import(set_up: FrameworkSetUp) -> None:
    if SetUpPart.FOLDER in set_up.parts:
        flask: Any = importlib.import_module("flask")
        flask.Flask.auto_find_instance_path = _own_folder


def _own_folder(_application: object) -> str:
    """That of a test: ``tmp_path`` in what is written."""
    folder = os.path.join(tempfile.gettempdir(), FOLDER)
    os.makedirs(folder, exist_ok=True)
    return folder


def _after_import(set_up: FrameworkSetUp) -> None:
    application = Application.at(set_up.address)
    found = live_named(f"{application.module}:{application.name}")
    application.made_by(found).test_request_context().push()


FLASK = Framework(
    "flask",
    lambda set_up: FlaskApplication(set_up.address),
    before_import=_before_import,
    after_import=_after_import,
    context=_context_of,
)
