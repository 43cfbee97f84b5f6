"""Seeds from the subject's documentation and its own tests: their values for the pool, and tests that make the calls they show
(EvoCrash's and Botsing's test seeding, SPEC 4).

# Deviation: the papers seed from tests alone; a package that is installed brings its documentation, but rarely its tests.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from crashwright.core.location import CodeKey
from crashwright.core.unparsable import UNPARSABLE
from crashwright.engine.sources.values.origin import DOCUMENTED
from crashwright.engine.sources.values.seeding import add_seed
from crashwright.engine.sources.values.shown_arguments import ShownArguments, literal_of
from crashwright.engine.subject.api.callee import Callee, CalleeKind, ParameterKind
from crashwright.engine.subject.api.types import ClassHint, UnionHint, is_any
from crashwright.engine.subject.introspection import class_module, class_name, loaded_dict, loaded_names, same_package
from crashwright.engine.subject.usage.documentation import Documentation, documentation_of
from crashwright.engine.subject.usage.shipped_tests import shipped_tests
from crashwright.engine.subject.usage.usage import Looks, Session, called_name, objects, uses
from crashwright.engine.subject.walking import walk
from crashwright.engine.testcase.echoing.echoed_tests import Echo, usage_test
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Value
from crashwright.engine.testcase.testcase import TestCase

IN_ENTRY_CALL, IN_CALL, SHOWN = 3.0, 1.0, 0.5
"""Weights of an example's values: argument of the entry, of another call, other code."""
MOST_VALUES = 200
MOST_TESTS = 24
MOST_OBJECTS = 12
"""Tests that call the entry on an object of an example that does not call it."""
MOST_OF_PARAMETER = 12
"""Values of one parameter that are kept, the first shown first."""


def examples_of(
    package: str, callables: Iterable[Callee], definitions: bool = False, near: Collection[CodeKey] = ()
) -> Documentation:
    """Usage examples of ``package``, of its tests those that call one of ``callables``, with their ``definitions``. Of much
    documentation what is said about the code ``near`` is read first."""
    names = frozenset(one.name for one in callables)
    around = names.union(part for key in near for part in key.qualname.split("."))
    shown = documentation_of(package, loaded_names(package), {key.module for key in near}, around)
    return shown._replace(sessions=shipped_tests(package, names, definitions) + shown.sessions)


class ShownExamples(NamedTuple):
    """What usage examples show, read once for all forks of an engine: ``values`` with their weights, the heaviest first, calls
    with what they depend on, by their texts, and the ``sessions`` themselves."""

    values: tuple[tuple[float, object], ...]
    calls: tuple[tuple[str, Session], ...]
    sessions: tuple[Session, ...]


def shown_in(documentation: Documentation, entry: frozenset[str], definitions: bool) -> ShownExamples:
    """What ``documentation`` shows of what is named in ``entry``."""
    return ShownExamples(_values(documentation, entry), _calls(documentation, entry, definitions), tuple(documentation.sessions))


def fill_from_examples(pool: SeedPool, documentation: Documentation, entry: frozenset[str]) -> None:
    """Add the values of the examples; those in calls of something named in ``entry`` weigh more."""
    fill_from_values(pool, _values(documentation, entry))


def fill_from_values(pool: SeedPool, values: Iterable[tuple[float, object]]) -> None:
    """Add ``ShownExamples.values``."""
    for weight, value in values:
        add_seed(pool, value, weight, DOCUMENTED)


def _values(documentation: Documentation, entry: frozenset[str]) -> tuple[tuple[float, object], ...]:
    weights: dict[str, tuple[float, object]] = {}
    for session in documentation.sessions:
        for statement in session:
            for node in walk(statement):
                if isinstance(node, ast.Call):
                    weight = IN_ENTRY_CALL if called_name(node) in entry else IN_CALL
                    for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
                        _note(weights, argument, weight)
                elif isinstance(node, ast.Assign):
                    _note(weights, node.value, IN_CALL)
    for text in documentation.texts:
        _note(weights, _parsed(text) or ast.Constant(text), SHOWN)
    ranked = sorted(weights.values(), key=lambda pair: -pair[0])  # stable: of equal weight, the first shown
    return tuple(ranked[:MOST_VALUES])


def values_by_parameter(documentation: Documentation, callables: Iterable[Callee]) -> dict[str, tuple[Value, ...]]:
    """What the examples pass for a parameter, by its name: by keyword, and to ``callables`` by position too. A language or a format
    is a value of that parameter and of no other."""
    found: dict[str, dict[str, Value]] = {}
    shown = ShownArguments(documentation.sessions, (), lambda _function: None)
    for callee in callables:
        for parameter in callee.parameters:
            for value in shown.of(callee, parameter.name).values:
                found.setdefault(parameter.name, {}).setdefault(repr(value), value)
    nodes = (node for session in documentation.sessions for statement in session for node in walk(statement))
    for node in nodes:
        for keyword in node.keywords if isinstance(node, ast.Call) else ():
            value = literal_of(keyword.value)
            if keyword.arg is not None and value is not None:
                found.setdefault(keyword.arg, {}).setdefault(repr(value), value)
    return {name: tuple(values.values())[:MOST_OF_PARAMETER] for name, values in found.items()}


def example_seeds(
    documentation: Documentation,
    entry: frozenset[str],
    names: NameChain,
    factory: Factory,
    rng: random.Random,
    most: int = MOST_TESTS,
) -> list[Echo]:
    """Tests that make the documented calls of the entry, the shortest first, at most ``most``."""
    return call_seeds(_calls(documentation, entry, names.defines), names, factory, rng, most)


def call_seeds(
    calls: Iterable[tuple[str, Session]], names: NameChain, factory: Factory, rng: random.Random, most: int = MOST_TESTS
) -> list[Echo]:
    """Tests that make ``ShownExamples.calls``, the shortest first, at most ``most``."""
    found: list[tuple[int, int, Echo]] = []
    for text, statements in calls:
        echo = usage_test(statements, names, factory, rng)
        if (
            echo is not None
            and factory.has_room(echo.test.statements)
            and echo.test.is_valid()
            and not _is_inside(echo.test, factory)
        ):
            found.append((len(text), len(found), echo))
    return [echo for _, _, echo in sorted(found, key=lambda one: one[:2])[:most]]


def _calls(documentation: Documentation, entry: frozenset[str], definitions: bool) -> tuple[tuple[str, Session], ...]:
    """The calls of the entry, each text once."""
    found: dict[str, Session] = {}
    looks = Looks()
    for session in documentation.sessions:
        for statements in uses(session, entry, definitions, looks):
            found.setdefault("\n".join(map(ast.unparse, statements)), statements)
    return tuple(found.items())


def object_seeds(documentation: Documentation, names: NameChain, factory: Factory, rng: random.Random) -> list[Echo]:
    """Tests that make an object as an example does, do with it what the example does, and then call the entry on it, or with it.
    What is said of a class is often said where something else is shown. Of many, some of every length."""
    found: dict[str, Session] = {}
    for callee in factory.entry:
        for makers, parameter in _wanted_objects(callee, factory):
            for session in documentation.sessions:
                for name, statements in objects(session, makers, "" if makers else parameter):
                    used = (*statements, *ast.parse(_use(callee, name, parameter)).body)
                    found.setdefault("\n".join(map(ast.unparse, used)), used)
    among = [found[text] for text in sorted(found, key=lambda text: (len(text), text))]
    step = max(1.0, len(among) / MOST_OBJECTS)
    chosen = [among[int(place * step)] for place in range(min(MOST_OBJECTS, len(among)))]
    echoes = [usage_test(session, names, factory, rng) for session in chosen]
    return [one for one in echoes if one and factory.has_room(one.test.statements) and not _is_inside(one.test, factory)]


def _wanted_objects(callee: Callee, factory: Factory) -> Iterator[tuple[frozenset[str], str]]:
    """The names of what makes an object that the call needs, with the parameter that takes it: arguments of the package's own
    classes; "" for what a method is called on. No names where only that of the parameter is known."""
    if callee.owner is not None and callee.kind in (CalleeKind.METHOD, CalleeKind.PROPERTY):
        yield _makers(callee.owner, factory), ""
    for parameter in callee.parameters:
        if is_any(parameter.hint):
            yield frozenset(), parameter.name
        hints = parameter.hint.members if isinstance(parameter.hint, UnionHint) else (parameter.hint,)
        for hint in hints:
            if isinstance(hint, ClassHint) and same_package(class_module(hint.cls), callee.module):
                yield _makers(hint.cls, factory), parameter.name


def _makers(owner: type, factory: Factory) -> frozenset[str]:
    """The names of what gives instances of a class, with those by which its module has it."""
    modules = (class_module(owner), class_module(owner).partition(".")[0])
    aliases = [name for module in modules for name, value in loaded_dict(module).items() if value is owner]
    return frozenset((class_name(owner), *aliases, *(maker.name for maker in factory.constructors_of(ClassHint(owner)))))


def _use(callee: Callee, name: str, taken: str) -> str:
    """The call as source, with the object of that ``name`` for the parameter ``taken``, or on it where that is ""."""
    owner = "_owner" if taken else name
    if callee.kind is CalleeKind.PROPERTY:
        return f"{owner}.{callee.name}"
    arguments: list[str] = []
    by_name = False
    for one in callee.parameters:
        if not one.name.isidentifier() or not (one.required or one.name == taken):
            by_name = True  # what follows one that is left out
            continue
        value = name if one.name == taken else f"_{one.name}"
        arguments.append(f"{one.name}={value}" if by_name or one.kind is ParameterKind.KEYWORD_ONLY else value)
    if callee.kind is CalleeKind.METHOD:
        return f"{owner}.{callee.name}({', '.join(arguments)})"
    of = "" if callee.owner is None or callee.kind is CalleeKind.CLASS else f"{class_name(callee.owner)}."
    return f"{of}{callee.name}({', '.join(arguments)})"


def _is_inside(test: TestCase, factory: Factory) -> bool:
    """Whether ``test`` uses private names other than the entry's, as tests of the project itself may."""
    for statement in test.statements:
        callee = getattr(statement, "callee", None)
        name = getattr(statement, "name", "")
        if isinstance(callee, Callee) and callee not in factory.entry and callee.private:
            return True
        if name.startswith("_") and not name.endswith("__") and callee not in factory.entry:
            return True
    return False


def _parsed(text: str) -> ast.expr | None:
    """The literal that ``text`` writes, if it is one of more than a name or number."""
    if text[:1] not in ("'", '"', "[", "{", "("):
        return None
    try:
        return ast.parse(text, mode="eval").body
    except UNPARSABLE:
        return None


def _note(weights: dict[str, tuple[float, object]], node: ast.expr, weight: float) -> None:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return  # not made of literals
    key = repr(value)
    if value in (None, "", True, False) or len(key) > 2000:
        return
    if key not in weights or weights[key][0] < weight:
        weights[key] = weight, value
