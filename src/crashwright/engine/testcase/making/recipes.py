"""How values of the standard library are made: dates, numbers, streams, paths, patterns, collections, iterators.

A recipe appends what the value needs to the statements and returns its variable.
"""

# ruff: noqa: ARG001 (all recipes have one signature)
from __future__ import annotations

import argparse
import array
import collections
import collections.abc
import datetime
import decimal
import fractions
import importlib.util
import io
import logging
import os
import pathlib
import random as random_module
import re
import types
import urllib.parse
import uuid
from collections.abc import Callable
from random import Random

from crashwright.engine.subject.api.types import ANY, VARIADIC, ClassHint, Hint
from crashwright.engine.subject.introspection import class_module, class_name
from crashwright.engine.testcase.making.numeric import random_int
from crashwright.engine.testcase.making.text import random_bytes, random_text
from crashwright.engine.testcase.making.vocabulary import StatementBuilder
from crashwright.engine.testcase.statements import (
    Arguments,
    Call,
    FileFixture,
    Named,
    Operation,
    Reference,
    Statement,
    Value,
    Variable,
)

Recipe = Callable[[StatementBuilder, list[Statement], Hint, Random, int], Variable]

_PATTERNS = (r"\d+", r"\w+", ".", "", "^a", "(a)|(b)", "(?P<name>x*)", r"\s*")
_NUMERALS = (
    "0",
    "1",
    "-1",
    "0.1",
    "1.50",
    "NaN",
    "Infinity",
    "-Infinity",
    "1E+30",
    "1E-30",
    "99999999999999999999",
    "-0",
    "3.14159",
)
_MODULES = (
    Named("os", "path", os.path),
    Named("urllib", "parse", urllib.parse),
    Named("importlib", "util", importlib.util),
    Named("collections", "abc", collections.abc),
)
_SUFFIXES = ("txt", "txt", "json", "py", "csv", "html", "ini", "bin")


def call(builder: StatementBuilder, statements: list[Statement], module: str, name: str, *values: Value) -> Variable:
    """Appends ``module.name(*values)``."""
    arguments = tuple([builder.literal(statements, value) for value in values])
    callee = builder.api.builtin(name) if module == "builtins" else builder.api.standard(module, name)
    variable = builder.new()
    statements.append(Call(variable, callee, Arguments(arguments)))
    return variable


def call_on(builder: StatementBuilder, statements: list[Statement], module: str, name: str, *arguments: Variable) -> Variable:
    """Appends ``module.name(*arguments)`` of variables."""
    callee = builder.api.builtin(name) if module == "builtins" else builder.api.standard(module, name)
    variable = builder.new()
    statements.append(Call(variable, callee, Arguments(arguments)))
    return variable


def file_fixture(builder: StatementBuilder, statements: list[Statement], rng: Random) -> Variable:
    """A file with text or bytes; the variable is its path as a string."""
    suffix = _SUFFIXES[int(rng.random() * len(_SUFFIXES))]
    content = random_bytes(rng, builder.pool) if suffix == "bin" else utf8(random_text(rng, builder.pool))
    before = sum(type(statement) is FileFixture for statement in statements)
    variable = builder.new()
    statements.append(FileFixture(variable, f"data{before + 1 if before else ''}.{suffix}", content))
    return variable


def utf8(text: str) -> str:
    """``text`` as a file can hold it."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _path(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
    if rng.random() < 0.7:
        return call_on(builder, statements, "pathlib", "Path", file_fixture(builder, statements, rng))
    return call(builder, statements, "pathlib", "Path", random_text(rng, builder.pool))


def _text_stream(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
    return call(builder, statements, "io", "StringIO", random_text(rng, builder.pool))


def _byte_stream(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
    return call(builder, statements, "io", "BytesIO", random_bytes(rng, builder.pool))


def _stream(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
    return (_text_stream if rng.random() < 0.5 else _byte_stream)(builder, statements, hint, rng, depth)


def _between(rng: Random, low: int, high: int) -> int:
    roll = rng.random()
    return low if roll < 0.15 else high if roll < 0.3 else low + int(rng.random() * (high - low + 1))


def _year(rng: Random) -> int:
    return _between(rng, 1, 9999) if rng.random() < 0.3 else 1970 + int(rng.random() * 80)


def _date(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
    return call(builder, statements, "datetime", "date", _year(rng), _between(rng, 1, 12), _between(rng, 1, 28))


def _datetime(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
    clock = (_between(rng, 0, 23), _between(rng, 0, 59), _between(rng, 0, 59)) if rng.random() < 0.6 else ()
    return call(builder, statements, "datetime", "datetime", _year(rng), _between(rng, 1, 12), _between(rng, 1, 28), *clock)


def _time(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
    return call(builder, statements, "datetime", "time", _between(rng, 0, 23), _between(rng, 0, 59), _between(rng, 0, 59))


def _timedelta(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
    days = _between(rng, -3, 400) if rng.random() < 0.9 else 999999999
    return call(builder, statements, "datetime", "timedelta", days, _between(rng, 0, 86400), _between(rng, 0, 999999))


def _tzinfo(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
    if rng.random() < 0.6:
        variable = builder.new()
        statements.append(Reference(variable, Named("datetime", "timezone.utc", datetime.UTC)))
        return variable
    offset = call(builder, statements, "datetime", "timedelta", 0, _between(rng, -86399, 86399))
    return call_on(builder, statements, "datetime", "timezone", offset)


def _decimal(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
    value = _NUMERALS[int(rng.random() * len(_NUMERALS))] if rng.random() < 0.6 else str(random_int(rng, builder.pool))
    return call(builder, statements, "decimal", "Decimal", value)


def _fraction(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
    return call(builder, statements, "fractions", "Fraction", random_int(rng, builder.pool), _between(rng, 1, 12))


def _uuid(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
    return call(builder, statements, "uuid", "UUID", f"{rng.getrandbits(128):032x}")


def _pattern(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
    return call(builder, statements, "re", "compile", _PATTERNS[int(rng.random() * len(_PATTERNS))])


def _range(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
    return call(builder, statements, "builtins", "range", *[_between(rng, -2, 12) for _ in range(1 + int(rng.random() * 2))])


def _slice(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
    parts = [builder.literal(statements, None if rng.random() < 0.3 else _between(rng, -3, 5)) for _ in range(3)]
    variable = builder.new()
    statements.append(Operation(variable, "slice", tuple(parts)))
    return variable


def _memoryview(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
    return call(builder, statements, "builtins", "memoryview", random_bytes(rng, builder.pool))


def _generator(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
    return call(builder, statements, "random", "Random", _between(rng, 0, 9))


def _logger(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
    return call(builder, statements, "logging", "getLogger", "test")


def _namespace(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
    cls = hint.cls if isinstance(hint, ClassHint) else None
    if cls is types.SimpleNamespace:
        return call(builder, statements, "types", "SimpleNamespace")
    return call(builder, statements, "argparse", "Namespace")


def _exception(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
    name = class_name(hint.cls) if isinstance(hint, ClassHint) and class_module(hint.cls) == "builtins" else "ValueError"
    return call(builder, statements, "builtins", name, *([random_text(rng, builder.pool)] if rng.random() < 0.7 else []))


def _module(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
    """One that a test can import from its package, mostly of the standard library."""
    variable = builder.new()
    statements.append(Reference(variable, _MODULES[int(rng.random() * len(_MODULES))]))
    return variable


def _array(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
    return call(builder, statements, "array", "array", "b", random_bytes(rng, builder.pool))


def _collection(module: str, name: str, inner: type) -> Recipe:
    """``module.name(literal)`` with a literal of class ``inner`` that keeps the arguments of the hint."""

    def make(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
        arguments = hint.arguments if isinstance(hint, ClassHint) else ()
        content = builder.literal(statements, builder.value(statements, ClassHint(inner, arguments), rng, depth + 1))
        return call_on(builder, statements, module, name, content)

    return make


def _default_dict(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
    factory = builder.new()
    cls = (int, list, str)[int(rng.random() * 3)]
    statements.append(Reference(factory, Named("builtins", cls.__name__, cls)))
    return call_on(builder, statements, "collections", "defaultdict", factory)


def _as(*choices: type) -> Recipe:
    """One of the builtin containers in place of an abstract one."""

    def make(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
        cls = choices[int(rng.random() * len(choices))]
        arguments = hint.arguments if isinstance(hint, ClassHint) else (ANY,)
        if cls is str and arguments and arguments[0] not in (ANY, ClassHint(str)):
            cls = list
        if cls is str:
            arguments = ()
        elif cls is tuple and len(arguments) == 1:
            arguments = (arguments[0], VARIADIC)
        return builder.literal(statements, builder.value(statements, ClassHint(cls, arguments), rng, depth))

    return make


_LISTS_FIRST = _as(list, list, tuple, str)
_TEXTS_FIRST = _as(list, tuple, str, str)


def _sequence(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
    return (_TEXTS_FIRST if builder.pool.varied else _LISTS_FIRST)(builder, statements, hint, rng, depth)


def _connection(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Variable:
    return call(builder, statements, "sqlite3", "connect", ":memory:")


_BY_ADDRESS: dict[str, Recipe] = {"sqlite3.Connection": _connection}
"""Of modules that most subjects never load."""


def recipe_by_address(cls: type) -> Recipe | None:
    """The recipe of a class that is known by its name alone."""
    return _BY_ADDRESS.get(f"{class_module(cls)}.{class_name(cls)}")


RECIPES: dict[type, Recipe] = {
    pathlib.Path: _path,
    pathlib.PurePath: _path,
    os.PathLike: _path,
    io.TextIOBase: _text_stream,
    io.StringIO: _text_stream,
    io.TextIOWrapper: _text_stream,
    io.BufferedIOBase: _byte_stream,
    io.RawIOBase: _byte_stream,
    io.BytesIO: _byte_stream,
    io.BufferedReader: _byte_stream,
    io.IOBase: _stream,
    datetime.date: _date,
    datetime.datetime: _datetime,
    datetime.time: _time,
    datetime.timedelta: _timedelta,
    datetime.tzinfo: _tzinfo,
    datetime.timezone: _tzinfo,
    decimal.Decimal: _decimal,
    fractions.Fraction: _fraction,
    uuid.UUID: _uuid,
    re.Pattern: _pattern,
    range: _range,
    slice: _slice,
    memoryview: _memoryview,
    random_module.Random: _generator,
    logging.Logger: _logger,
    types.ModuleType: _module,
    argparse.Namespace: _namespace,
    types.SimpleNamespace: _namespace,
    BaseException: _exception,
    Exception: _exception,
    array.array: _array,
    collections.deque: _collection("collections", "deque", list),
    collections.Counter: _collection("collections", "Counter", list),
    collections.OrderedDict: _collection("collections", "OrderedDict", dict),
    collections.defaultdict: _default_dict,
    collections.abc.Iterator: _collection("builtins", "iter", list),
    collections.abc.Generator: _collection("builtins", "iter", list),
    collections.abc.Mapping: _as(dict),
    collections.abc.MutableMapping: _as(dict),
    collections.abc.Set: _as(set, frozenset),
    collections.abc.MutableSet: _as(set),
    collections.abc.MutableSequence: _as(list),
    collections.abc.Sequence: _sequence,
    collections.abc.Iterable: _as(list, list, tuple, str, set),
    collections.abc.Collection: _as(list, tuple, set),
    collections.abc.Sized: _as(list, str, dict),
    collections.abc.Container: _as(list, str, set),
    collections.abc.Reversible: _as(list, tuple),
    collections.abc.Hashable: _as(str, tuple),
}
