"""What an object can be asked by a call without harm: methods of its class that give the same answer twice, and change nothing.

What a test has changed mostly shows in no attribute: ``repository.remove(1)`` in ``repository.list()``. Nothing says which methods
only answer, so each is tried once, in a run of its own at the end of a test.
"""

from __future__ import annotations

import ast
import inspect
import io
import operator
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import FunctionType
from typing import Any, NamedTuple

from crashwright.engine.assertions.looks import SeenFact
from crashwright.engine.execution.limits import TestTimeout
from crashwright.engine.subject.introspection import (
    class_dict,
    class_module,
    class_mro,
    function_home,
    identities,
    instance_dict,
    is_class,
)
from crashwright.engine.testcase.printing.literals import quoted
from crashwright.engine.testcase.statements import Variable

MOST_METHODS = 10
"""Of one class."""
MOST_VALUES = 2
"""With which a method that takes one argument is asked."""
LONGEST = 20
"""Characters of a text that is asked about."""
TRIES = 3
"""How often a method that raises, or gives nothing, is tried before it is given up."""
_OTHERWISE = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR | inspect.CO_VARARGS
_FAILED = object()
_STREAMS, _WRITTEN = identities(io.StringIO, io.BytesIO), "getvalue"
"""What code writes into is asked for what stands in it."""
_TAKEN: Mapping[str, type] = {"int": int, "str": str}
"""Types of values with which methods are asked, by their names."""
Direct = Callable[[object], "SeenFact | None"]


def is_written_into(value: object) -> bool:
    """Whether it is a text or bytes in memory that code of the subject may have written into."""
    return id(type(value)) in _STREAMS


class Query(NamedTuple):
    """A call of a method of what a variable holds; ``step`` is how it is written, as in ``Observed``."""

    variable: Variable
    cls: type
    name: str
    step: str


def asked(value: object, step: str) -> object:
    """The answer to a step that calls a method: ``.list()``, ``.get(1)``."""
    name, _, inner = step[1:-1].partition("(")
    arguments = ast.literal_eval(f"({inner},)") if inner else ()
    return operator.methodcaller(name, *arguments)(value)


class Queries:
    """Which methods are harmless, as far as that is known. ``direct`` says what can be written down of a value whole."""

    def __init__(self, direct: Direct) -> None:
        self._direct = direct
        self._harmless: dict[tuple[type, str], bool] = {}
        self._failures: dict[tuple[type, str], int] = {}

    def of(self, variable: Variable, value: object, given: Iterable[object]) -> Iterator[Query]:
        """What may be asked of ``value``; ``given`` are values that mean something to the test, the latest last."""
        cls = type(value)
        if is_written_into(value):
            yield Query(variable, cls, _WRITTEN, f".{_WRITTEN}()")
        if is_class(value) or class_module(cls) in sys.stdlib_module_names:
            return
        plain = [one for one in given if type(one) is int or (type(one) is str and 0 < len(one) <= LONGEST)]
        for name, function in _methods(cls):
            for inner in _arguments(function, plain):
                yield Query(variable, cls, name, f".{name}({inner})")

    def is_known(self, query: Query) -> bool:
        """Whether the method has been tried."""
        return (query.cls, query.name) in self._harmless

    def is_harmless(self, query: Query) -> bool:
        """Whether it was found to be so."""
        return self._harmless.get((query.cls, query.name), False)

    def give_up(self, query: Query) -> None:
        """It is not harmless after all."""
        self._harmless[query.cls, query.name] = False

    def answer(self, query: Query, value: object) -> SeenFact | None:
        """The answer, where it can be written down, and is the same when it is asked for again; else the method is given up."""
        facts = [self._fact(query, value) for _ in range(2)]
        if repr(facts[0]) != repr(facts[1]):
            self.give_up(query)
            return None
        return facts[0]

    def attempt(self, query: Query, env: Mapping[Variable, Any]) -> None:
        """Call the method at the end of a test, of which nothing more will be seen, and learn whether that does harm."""
        before = self._state(env)
        fact = self._fact(query, env[query.variable])
        again = self._fact(query, env[query.variable])
        place = query.cls, query.name
        nothing = fact == again and (fact is None or fact.expected is None)
        if nothing and before == self._state(env):  # a command, or a query of what is not there
            self._failures[place] = self._failures.get(place, 0) + 1
            if self._failures[place] >= TRIES:
                self._harmless[place] = False
            return
        self._harmless[place] = fact is not None and repr(fact) == repr(again) and before == self._state(env)

    def _fact(self, query: Query, value: object) -> SeenFact | None:
        try:
            answer = asked(value, query.step)
        except TestTimeout:
            raise
        except BaseException:  # noqa: BLE001 (whatever a method of the subject raises, SystemExit too: it has no answer)
            return None
        fact = self._direct(answer)
        return None if fact is None else fact._replace(path=(query.step,))

    def _state(self, env: Mapping[Variable, Any]) -> list[str]:
        """What the objects of a test hold, private attributes too, as far as it can be written down."""
        found = []
        for value in env.values():
            found.append(repr(self._direct(value)))
            found += [f"{name} {self._direct(held)!r}" for name, held in list(instance_dict(value).items())]
        return found


def _methods(cls: type) -> Iterator[tuple[str, FunctionType]]:
    """The public methods that are written in Python, not in the standard library, and are called in the usual way."""
    found: dict[str, object] = {}
    for parent in class_mro(cls):
        for name, member in class_dict(parent).items():
            found.setdefault(name, member)
    methods = (
        (name, member)
        for name, member in found.items()
        if type(member) is FunctionType
        and not name.startswith("_")
        and not member.__code__.co_flags & _OTHERWISE
        and function_home(member).partition(".")[0] not in sys.stdlib_module_names
    )
    yield from list(methods)[:MOST_METHODS]


def _arguments(function: FunctionType, plain: list[Any]) -> Iterator[str]:
    """How the arguments are written with which a method can be asked: none, or one of ``plain``."""
    code = function.__code__
    required = code.co_varnames[1 : code.co_argcount - len(function.__defaults__ or ())]
    keywords = code.co_kwonlyargcount - len(function.__kwdefaults__ or {})
    if keywords or len(required) > 1:
        return
    if not required:
        yield ""
        return
    kind = _annotated(function, required[0])
    fitting = [value for value in plain if _TAKEN.get(kind) in (None, type(value))]
    for value in list(dict.fromkeys(reversed(fitting)))[:MOST_VALUES]:
        yield quoted(value) if type(value) is str else repr(value)


def _annotated(function: FunctionType, name: str) -> str:
    """The name of the class that a parameter is annotated with; "" for what says less."""
    try:
        annotation = function.__annotations__.get(name)
    except Exception:  # noqa: BLE001 (since Python 3.14 it is evaluated when somebody asks)
        return ""
    return annotation if type(annotation) is str else "int" if annotation is int else "str" if annotation is str else ""
