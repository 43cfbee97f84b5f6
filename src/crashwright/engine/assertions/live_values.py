"""Values of the loaded module and of its classes under a mutant: the value is computed anew from the changed source and put where
the old one is."""

from __future__ import annotations

import ast
import builtins
import functools
import sys
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import NamedTuple

from crashwright.engine.subject.introspection import (
    class_dict,
    class_module,
    is_class,
    is_module,
    live_at,
    loaded_dict,
    module_dict,
)
from crashwright.engine.subject.mutants.enumeration import Mutant, Mutator
from crashwright.engine.subject.mutants.value_mutants import GivenValue, given_values, reading_lines, value_mutants_of
from crashwright.engine.subject.source import ModuleSource

_MISSING = object()


class Put(NamedTuple):
    """A mutant that is live. ``again`` makes it so at the beginning of each test, since what changes between tests is put back;
    ``undo`` takes it back."""

    undo: Callable[[], None]
    again: Callable[[], None]


class LiveValues:
    """Those of one module; what ``wanted`` refuses by its qualified name has no mutants."""

    def __init__(self, module: str, source: ModuleSource, wanted: Callable[[str], bool]) -> None:
        self._module = module
        self._source = source
        self._given = {one.qualname: one for one in given_values(source.tree) if wanted(one.qualname)}

    def mutants(self) -> list[Mutant]:
        """Of all values that the loaded module holds as its source gives them."""
        found = value_mutants_of(self._source.tree, self._module)
        return [one for one in found if one.key.qualname in self._given and self._holders(self._given[one.key.qualname])]

    def lines_of(self, mutant: Mutant) -> frozenset[int] | None:
        """The lines that read the value; None where others read it: any test may tell."""
        given = self._given[mutant.key.qualname]
        if any(type(holder) is FunctionType for holder, _, _ in self._holders(given)):
            return None
        return reading_lines(self._source.tree, given) or None

    def put(self, mutator: Mutator, mutant: Mutant) -> Put | None:
        """Not live yet: :attr:`Put.again` does that. None where the changed value cannot be computed, or is of another kind."""
        given = self._given[mutant.key.qualname]
        changed = self._computed(mutator, mutant, given)
        new: list[Callable[[], None]] = []
        old: list[Callable[[], None]] = []
        for target, name, value in self._holders(given):
            if type(changed) is not type(value):
                continue
            if type(target) is FunctionType:
                before = target.__defaults__, target.__kwdefaults__
                new.append(functools.partial(_set_defaults, target, *_exchanged(target, name, changed)))
                old.append(functools.partial(_set_defaults, target, *before))
            elif is_class(target):  # past the metaclass, which may refuse
                new.append(functools.partial(type.__setattr__, target, name, changed))
                old.append(functools.partial(type.__setattr__, target, name, value))
            else:
                new.append(functools.partial(loaded_dict(self._module).__setitem__, name, changed))
                old.append(functools.partial(loaded_dict(self._module).__setitem__, name, value))
        return Put(functools.partial(_all, old), functools.partial(_all, new)) if new else None

    def _holders(self, given: GivenValue) -> list[tuple[object, str, object]]:
        """What holds the value, and by which name: the module (None) or the class, and generated functions with it as a default,
        as data classes have them."""
        if not given.owner:
            value = loaded_dict(self._module).get(given.name, _MISSING)
            return [] if value is _MISSING or is_class(value) else [(None, given.name, value)]
        owner = live_at(self._module, given.owner)
        if not is_class(owner) or class_module(owner) != self._module:
            return []
        held = class_dict(owner)
        value = held.get(given.name, _MISSING)
        found: list[tuple[object, str, object]] = [] if value is _MISSING or is_class(value) else [(owner, given.name, value)]
        for raw in held.values():
            one = raw.__func__ if type(raw) is staticmethod else raw
            if type(one) is FunctionType and one.__code__.co_filename != self._source.path and given.name in _defaults(one):
                found.append((one, given.name, _defaults(one)[given.name]))
        return found

    def _computed(self, mutator: Mutator, mutant: Mutant, given: GivenValue) -> object:
        names = loaded_dict(self._module)
        if not all(_is_plain_call(node, names) for node in ast.walk(given.value)):
            return _MISSING
        owner = live_at(self._module, given.owner) if given.owner else None
        expression = ast.Expression(mutator.changed_within(mutant, given.value))
        try:
            code = compile(ast.fix_missing_locations(expression), self._source.path, "eval", dont_inherit=True)
            value = eval(code, names, dict(class_dict(owner)) if is_class(owner) else None)
        except Exception:  # noqa: BLE001 - operators and classes of the subject may raise anything: then there is no such mutant
            return _MISSING
        return _MISSING if class_module(type(value)) == "typing" else value  # for annotations, which nothing runs by


def _all(steps: list[Callable[[], None]]) -> None:
    for step in steps:
        step()


def _defaults(function: FunctionType) -> dict[str, object]:
    """By parameter."""
    code, given = function.__code__, function.__defaults__ or ()
    positional = code.co_varnames[: code.co_argcount]
    return {**dict(zip(positional[len(positional) - len(given) :], given, strict=True)), **(function.__kwdefaults__ or {})}


def _exchanged(function: FunctionType, name: str, value: object) -> tuple[tuple[object, ...] | None, dict[str, object] | None]:
    """Its defaults with another one for ``name``."""
    both = _defaults(function) | {name: value}
    positional = function.__code__.co_varnames[: function.__code__.co_argcount]
    given, keywords = function.__defaults__, function.__kwdefaults__
    return (
        None if given is None else tuple([both[one] for one in positional[len(positional) - len(given) :]]),
        None if keywords is None else {one: both[one] for one in keywords},
    )


def _set_defaults(function: FunctionType, positional: tuple[object, ...] | None, keywords: dict[str, object] | None) -> None:
    function.__defaults__, function.__kwdefaults__ = positional, keywords


def _is_plain_call(node: ast.AST, names: Mapping[str, object]) -> bool:
    """Whether it is no call, or one of a class of the standard library: the module's own functions may do anything once more."""
    if not isinstance(node, ast.Call):
        return True
    match node.func:
        case ast.Name(id=name):
            called = names.get(name, getattr(builtins, name, None))
        case ast.Attribute(value=ast.Name(id=module), attr=name) if is_module(names.get(module)):
            called = module_dict(names[module]).get(name)
        case _:
            return False
    return is_class(called) and class_module(called).partition(".")[0] in sys.stdlib_module_names
