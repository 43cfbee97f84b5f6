"""What is called from outside in a test of an application: by requests to it, by command lines, as the report says or as the
application declares."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from crashwright.core.invocation import GivenCommand
from crashwright.core.location import CodeKey
from crashwright.core.mechanisms import Mechanism
from crashwright.core.messages import Start
from crashwright.core.report import Unknown
from crashwright.engine.frameworks.click import RETURNING, ClickProgram, programs_of
from crashwright.engine.frameworks.click_runner import runner_for
from crashwright.engine.frameworks.registry import commands_of, models_of, routes_of, web_of
from crashwright.engine.frameworks.saved_models import names_in, stores
from crashwright.engine.frameworks.web import METHODS
from crashwright.engine.search.message_facts import message_values
from crashwright.engine.sources.applications.client_sessions import (
    Readings,
    Sending,
    client_callees,
    client_names,
    client_sessions,
    names_of_tests,
)
from crashwright.engine.sources.applications.command_operations import LineProgram, command_operations
from crashwright.engine.sources.applications.operations import Asking, words_of
from crashwright.engine.sources.applications.pattern_words import pattern_words
from crashwright.engine.sources.applications.reported_commands import any_word, command_names, command_sessions
from crashwright.engine.sources.applications.request_seeds import request_names, request_sessions
from crashwright.engine.sources.applications.route_operations import route_operations
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.entry import Entry
from crashwright.engine.subject.introspection import class_name
from crashwright.engine.subject.project import packages_beside
from crashwright.engine.subject.source import Sources
from crashwright.engine.subject.usage.client_tests import client_tests
from crashwright.engine.subject.usage.lookups import index_names
from crashwright.engine.subject.usage.shapes import Plain
from crashwright.engine.subject.usage.usage import Session
from crashwright.engine.subject.walking import walk
from crashwright.engine.testcase.names.source import Known

Path = tuple[list[ast.AST], list[ast.AST]]
_LONGEST = 20
"""Characters of a word that is tried in a command line."""


class Invoked(NamedTuple):
    """``names`` are what the ``sessions`` name beyond the package; ``drivers`` lead to the crash though they are no entry."""

    names: dict[str, Known]
    sessions: tuple[Session, ...]
    drivers: tuple[Known, ...]
    asking: Asking = Asking()


class InvokedReads(NamedTuple):
    """What there is to ask of the sources: functions that some call, keys of tables that they look up, what they read of a
    document."""

    called: Callable[[Sequence[CodeKey]], Sequence[ast.AST]]
    looked_up: Callable[[Sequence[CodeKey]], Sequence[Plain]]
    bodies: Callable[[Sequence[CodeKey]], Iterable[str]]
    named: Callable[[Sequence[CodeKey]], Mapping[str, Sequence[Plain]]]


def invoked_by(
    start: Start, api: ApiModel, entry: Entry, sources: Sources, path: Path, chain: Sequence[CodeKey], reads: InvokedReads
) -> Invoked:
    """The requests and command lines that come to the crash. ``path``: its functions, and the modules that they are in."""
    said = [str(value) for value in message_values(start.target.message) if type(value) is str or type(value) is int]
    words = [*said, *(word for tree in path[0] for word in _words(tree))]
    search, preparation, told = start.settings.search, start.settings.preparation, start.target.invocations
    beside = packages_beside(start.target.package.partition(".")[0])
    own = beside.intersection(key.module.partition(".")[0] for key in chain)
    framework = web_of(preparation)
    names = {**request_names(framework, api, entry.callees), **client_names(framework, api)}
    sessions = request_sessions(framework, names, entry.callees, path[0])
    if not search.uses(Mechanism.OBJECTS):
        return Invoked(names, sessions, ())
    models = models_of(preparation, beside)
    asking = Asking()
    clients: tuple[Known, ...] = client_callees(framework, api)
    if clients:
        tests = client_tests(start.target.package.partition(".")[0], METHODS)
        readings = Readings(
            sources.node_of,
            reads.called,
            reads.looked_up,
            models,
            reads.bodies,
            path[1],
            tests=tests,
            source=partial(_tree, sources),
            indexed=index_names(path[1]),
            named=reads.named,
        )
        names = {**names_of_tests(api), **names} if tests else names
        routes = [one.with_functions_of(beside) if one.is_of(beside) else one for one in routes_of(preparation)]
        sessions = (*client_sessions(framework, names, routes, chain, readings, told.requests, beside), *sessions)
        if framework is not None:
            sending = Sending.of(framework, names, routes, chain, readings, beside)
            asking = route_operations(sending, routes, told.requests)
    programs = programs_of(own, chain)
    managed = commands_of(preparation)
    commands = command_names(programs, managed)
    stored = stores(models, names_in(models, [*path[0], *reads.called(chain)], path[1])) if told.commands else []
    rng = random.Random(search.seed)
    on_path = {key.module for key in chain}
    if not asking.targets:
        code = [*path[0], *reads.called(chain)]
        asked_with = (*words_of(path[0], (), ()), *(text for package in sorted(own) for text in pattern_words(code, package)))
        asked, asking = _asked_commands(programs_of(own), told.commands, asked_with, [key.name for key in chain])
        runner = None if asked is None else runner_for(asked.live)
        if runner is not None:
            asking, names = asking._replace(runner=class_name(runner)), {class_name(runner): api.constructor(runner), **names}
    run = command_sessions(told.commands, programs, managed, stored, partial(any_word, words, rng), rng, on_path)
    return Invoked({**commands, **names}, (*run, *sessions), (*clients, *commands.values()), asking)


def _asked_commands(
    programs: Sequence[ClickProgram], told: Sequence[GivenCommand], words: Sequence[Plain], leading: Sequence[str]
) -> tuple[ClickProgram | None, Asking]:
    for one in programs:
        program = LineProgram(one.name, one.lines, others={RETURNING: False})
        asking = command_operations(program, told, words, leading)
        if asking.targets or asking.session:
            return one, asking
    return None, Asking()


def _tree(sources: Sources, module: str) -> ast.AST | None:
    found = sources.of_module(module)
    return None if isinstance(found, Unknown) else found.tree


def _words(tree: ast.AST) -> Iterator[str]:
    """Texts of a function that somebody may type."""
    for node in walk(tree):
        value = node.value if isinstance(node, ast.Constant) else None
        if type(value) is str and value.isprintable() and 0 < len(value) < _LONGEST and not value.startswith("-"):
            yield value
