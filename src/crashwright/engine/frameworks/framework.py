"""What a search knows of a framework: one row of the table in ``registry``.

To add one: a file with a class of the form of ``web.WebFramework`` and a row at its end, and a line in the table. What is left out
of a row, most frameworks have not. How it is found in a project, and what printed tests have for it, the host knows, in a table
of its own (``crash.frameworks``).
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

from crashwright.core.preparation import Application, FrameworkSetUp
from crashwright.engine.frameworks.saved_models import SavedModel
from crashwright.engine.frameworks.store import Store
from crashwright.engine.frameworks.web import ManagedCommands, WebFramework
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.testcase.names.source import Known


def import_application(set_up: FrameworkSetUp) -> None:
    """Of most frameworks that is all: a client starts the application itself."""
    importlib.import_module(Application.at(set_up.address).module)


def live_named(address: str) -> Any:
    """What stands at ``module:name``, imported as the user's own code would."""
    module, _, name = address.partition(":")
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def _nothing(_set_up: FrameworkSetUp) -> None: ...


def _no_models(_set_up: FrameworkSetUp, _packages: frozenset[str]) -> Sequence[SavedModel]:
    return ()


def _no_names(_callees: Sequence[Callee], _api: ApiModel) -> Mapping[str, Known]:
    return {}


def _no_calls(_known: frozenset[str], _callee: Callee, _functions: Sequence[ast.AST], _plain: str) -> Iterator[str]:
    yield from ()


class Framework(NamedTuple):
    """``name`` is what the host calls it by. First what is done where it is set up, then what holds wherever it is installed."""

    name: str
    application: Callable[[FrameworkSetUp], WebFramework | None]
    """The application that requests are sent to."""
    before_import: Callable[[FrameworkSetUp], None] = _nothing
    """What the subject's modules need to be imported."""
    after_import: Callable[[FrameworkSetUp], None] = import_application
    """What its functions need to be called. A context that is entered here stays for all tests."""
    listening: Callable[[FrameworkSetUp], AbstractContextManager[None]] = lambda _set_up: nullcontext()
    """While requests are asked: answers then have what their pages were made with, if the framework keeps it."""
    stores: Callable[[FrameworkSetUp], Sequence[Store]] = lambda _set_up: ()
    models: Callable[[FrameworkSetUp, frozenset[str]], Sequence[SavedModel]] = _no_models
    """Those of some top-level packages; what others refer to comes first."""
    commands: Callable[[FrameworkSetUp], ManagedCommands] = lambda _set_up: ManagedCommands()

    command_home: str = ""
    """What the name of a module that defines a command has."""
    lacks_settings: frozenset[tuple[str, str]] = frozenset()
    """The exceptions (module, name) by which it says that it needs settings."""
    complaints: Callable[[Any], Iterator[tuple[str, str]]] = lambda _response: iter(())
    """What an answer was made with that forms complain of, by their fields, "" for what is about a whole form."""
    context: Callable[[object], AbstractContextManager[Any] | None] = lambda _value: None
    """Of an application, the context in which its extensions find it; None for anything else."""
    request_names: Callable[[Sequence[Callee], ApiModel], Mapping[str, Known]] = _no_names
    request_calls: Callable[[frozenset[str], Callee, Sequence[ast.AST], str], Iterator[str]] = _no_calls
    """Calls of a view with a request that needs no application, in which all that is read is the same text; and what they name."""
