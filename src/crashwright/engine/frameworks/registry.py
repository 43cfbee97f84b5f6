"""The table of frameworks of web applications, and what is asked of the one that is set up, or of all."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from typing import Any

from crashwright.core.preparation import FrameworkSetUp, Preparation
from crashwright.engine.frameworks.aiohttp import AIOHTTP
from crashwright.engine.frameworks.asgi import ASGI
from crashwright.engine.frameworks.django import DJANGO
from crashwright.engine.frameworks.flask import FLASK
from crashwright.engine.frameworks.framework import Framework
from crashwright.engine.frameworks.saved_models import SavedModel
from crashwright.engine.frameworks.store import Store
from crashwright.engine.frameworks.web import ManagedCommands, Route, WebFramework
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.testcase.names.source import Known

FRAMEWORKS: tuple[Framework, ...] = (DJANGO, FLASK, ASGI, AIOHTTP)
MOST_ROUTES = 200


def row_of(set_up: FrameworkSetUp) -> Framework:
    """Of what is set up."""
    return next(one for one in FRAMEWORKS if one.name == set_up.framework)


# Of the one that is set up


def web_of(preparation: Preparation) -> WebFramework | None:
    """Its application."""
    set_up = preparation.framework
    return None if set_up is None else row_of(set_up).application(set_up)


def routes_of(preparation: Preparation) -> tuple[Route, ...]:
    """In the order in which they were made."""
    framework = web_of(preparation)
    return () if framework is None else tuple(islice(framework.routes(), MOST_ROUTES))


def listening(preparation: Preparation) -> AbstractContextManager[None]:
    """See ``Framework``."""
    return nullcontext() if preparation.framework is None else row_of(preparation.framework).listening(preparation.framework)


def stores_of(preparation: Preparation) -> Sequence[Store]:
    """What it stores in."""
    return () if preparation.framework is None else row_of(preparation.framework).stores(preparation.framework)


def models_of(preparation: Preparation, packages: frozenset[str]) -> Sequence[SavedModel]:
    """See ``Framework``."""
    return () if preparation.framework is None else row_of(preparation.framework).models(preparation.framework, packages)


def commands_of(preparation: Preparation) -> ManagedCommands:
    """What is run through it."""
    return ManagedCommands() if preparation.framework is None else row_of(preparation.framework).commands(preparation.framework)


# Of all


def commands_in(modules: Iterable[str]) -> set[str]:
    """The names of commands that these modules define, whatever is set up."""
    homes = [one.command_home for one in FRAMEWORKS if one.command_home]
    return {module.rpartition(".")[2] for module in modules if any(home in module for home in homes)}


def complaints_in(response: Any) -> dict[str, str]:
    """What forms complain of that an answer was made with, by their fields, "" for what is about a whole form."""
    return {name: said for one in FRAMEWORKS for name, said in one.complaints(response)}


def context_of(value: object) -> AbstractContextManager[Any] | None:
    """Of an application, the context in which its extensions find it; None for anything else."""
    return next((found for one in FRAMEWORKS if (found := one.context(value)) is not None), None)


def request_names(callees: Sequence[Callee], api: ApiModel) -> dict[str, Known]:
    """What :func:`request_calls` name beyond the subject's own callables."""
    return {name: known for one in FRAMEWORKS for name, known in one.request_names(callees, api).items()}


def request_calls(known: frozenset[str], callee: Callee, functions: Sequence[ast.AST], plain: str) -> Iterator[str]:
    """Calls of a view with a request that needs no application, in which all that is read is ``plain``."""
    for one in FRAMEWORKS:
        yield from one.request_calls(known, callee, functions, plain)
