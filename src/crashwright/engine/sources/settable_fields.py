"""Fields that stand in the way of a crash: public attributes that the decisions on the path read, and that their class sets to a
constant and to nothing that a caller passes. Tests set them (Korel's chaining approach, where no function does)."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from crashwright.core.report import Unknown
from crashwright.core.target import CrashTarget
from crashwright.engine.sources.path_words import guarding_fields
from crashwright.engine.subject.api.hints import hint_of_value
from crashwright.engine.subject.api.types import ANY
from crashwright.engine.subject.introspection import identities, is_class, is_sound, loaded_dict, static_attribute
from crashwright.engine.subject.source import Sources
from crashwright.engine.subject.walking import walk
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.instance_fields import InstanceField
from crashwright.engine.testcase.statements import Literal, SetAttribute
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.typed import type_of
from crashwright.engine.testcase.variables import defined

MOST_FIELDS = 12
"""Of one class."""
_PLAIN = identities(type(None), bool, int, float, str, bytes, tuple, list, set, dict)


def settable_fields(target: CrashTarget, sources: Sources) -> Mapping[type, tuple[InstanceField, ...]]:
    """The fields of the classes in the modules of the path, by class."""
    wanted = [name for name in guarding_fields(target, sources) if not name.startswith("_")]
    found: dict[type, tuple[InstanceField, ...]] = {}
    for module in dict.fromkeys(frame.key.module for frame in target.package_frames) if wanted else ():
        source = sources.of_module(module)
        if isinstance(source, Unknown):
            continue
        for node in source.tree.body:
            live = loaded_dict(module).get(node.name) if isinstance(node, ast.ClassDef) else None
            if isinstance(node, ast.ClassDef) and is_class(live) and is_sound(live):
                fields = _fields_of(node, live, wanted)
                if fields:
                    found[live] = fields[:MOST_FIELDS]
    return found


def field_seeds(tests: Sequence[TestCase], factory: Factory) -> Iterator[TestCase]:
    """``tests`` with one field of one of their objects set to what its default is not."""
    for test in tests:
        for place, statement in enumerate(test.statements):
            cls = None if type(statement) is Literal else type_of(statement, factory.observed)
            variable = defined(statement)
            if cls is None or variable is None:
                continue
            for field in factory.preferences.fields.of(cls):
                value = Literal(factory.new(), field.other)
                setting = (value, SetAttribute(variable, field.name, value.variable))
                changed = TestCase((*test.statements[: place + 1], *setting, *test.statements[place + 1 :]))
                if factory.has_room(changed.statements):
                    yield changed


def _fields_of(node: ast.ClassDef, live: type, wanted: Sequence[str]) -> tuple[InstanceField, ...]:
    """In the order of ``wanted``."""
    constants: dict[str, list[object]] = {}
    passed: set[str] = set()
    for name, value, parameters in _assigned(node):
        if isinstance(value, ast.Name) and value.id in parameters:
            passed.add(name)
        try:
            constant = ast.literal_eval(value)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            continue  # computed: it says nothing of what may stand there
        constants.setdefault(name, []).append(constant)
    fields: list[InstanceField] = []
    for name in wanted:
        if name in passed or name not in constants or _is_guarded(live, name):
            continue
        values = constants[name]
        telling = next((value for value in values if value is not None), None)
        fields.append(InstanceField(name, values[0], ANY if telling is None else hint_of_value(telling)))
    return tuple(fields)


def _is_guarded(live: type, name: str) -> bool:
    """Whether the class has something of that name that decides itself what is set: a property, a method."""
    found = static_attribute(live, name)
    return found is not None and id(type(found[1])) not in _PLAIN


def _assigned(node: ast.ClassDef) -> Iterator[tuple[str, ast.expr, frozenset[str]]]:
    """What the body of a class and its methods assign: name, value, and the parameters around it."""
    for inner in node.body:
        for name, value in _plain(inner):
            yield name, value, frozenset()
        if not isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        arguments = inner.args
        names = [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
        for part in walk(inner):
            match part:
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        if _is_own(target, names):
                            yield cast(ast.Attribute, target).attr, value, frozenset(names)
                case ast.AnnAssign(target=target, value=ast.expr() as value) if _is_own(target, names):
                    yield cast(ast.Attribute, target).attr, value, frozenset(names)


def _plain(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            yield name, value
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            yield name, value


def _is_own(target: ast.expr, names: Sequence[str]) -> bool:
    return bool(names) and isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == names[0]
