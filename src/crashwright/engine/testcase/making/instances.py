"""Instances of the subject's classes as arguments: constructors, producers, constants, enum members, and stubs for what
cannot be made."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from random import Random
from typing import NamedTuple, Protocol

from crashwright.engine.subject.api.callee import Callee, CalleeKind, ParameterKind
from crashwright.engine.subject.api.hints import named_members
from crashwright.engine.subject.api.signatures import Signature, SignatureReader
from crashwright.engine.subject.api.types import ANY, ClassHint, Hint, accepts
from crashwright.engine.subject.introspection import (
    class_module,
    class_mro,
    class_name,
    derives,
    is_protocol,
    is_sound,
    is_typed_dict,
)
from crashwright.engine.subject.usage.node_classes import home_of
from crashwright.engine.testcase.making.definitions import constructor_of
from crashwright.engine.testcase.making.mocked import is_interface, mock_of, stands_for_others
from crashwright.engine.testcase.making.parsed_nodes import ParsedNodes
from crashwright.engine.testcase.making.recipes import RECIPES, Recipe, call, recipe_by_address
from crashwright.engine.testcase.making.stubs import can_stub, stub_class
from crashwright.engine.testcase.making.tables import Columns, makes_tables, table
from crashwright.engine.testcase.making.values import any_value
from crashwright.engine.testcase.making.variety import Variety
from crashwright.engine.testcase.making.vocabulary import ImportedConstant, StatementBuilder
from crashwright.engine.testcase.statements import (
    NO_ARGUMENTS,
    Arguments,
    CallValue,
    Display,
    MethodCall,
    Named,
    Reference,
    Statement,
    Variable,
)

_OF_CLASSES = frozenset({CalleeKind.CLASS, CalleeKind.CLASSMETHOD})
_SHALLOW = 3  # from this depth on only the simplest way
_PARSED = 0.9  # how often a node of a syntax tree is parsed
_DOUBLED = 0.7  # how often what only functions return is defined in the test
_MOCKED = 2  # mocks that answer with mocks
_TAUGHT = 0.95  # how often a framework's recipe is followed
_TABLE = 0.9  # how often a table is made of columns, not by any call of its constructor


class CallBuilder(StatementBuilder, Protocol):
    """A builder that can also append calls."""

    def call(self, statements: list[Statement], callee: Callee, rng: Random, depth: int = 0) -> Variable: ...
    def arguments(self, statements: list[Statement], callee: Callee, rng: Random, depth: int) -> Arguments: ...
    @property
    def variety(self) -> Variety: ...


class Ways(NamedTuple):
    """The ways to an instance of one class."""

    constructors: tuple[Callee, ...]
    producers: tuple[Callee, ...]
    constants: tuple[ImportedConstant, ...]
    simplest: Callee | None
    members: tuple[Named, ...]
    table: Callee | None = None
    """The constructor, of a class of tables."""
    nodes: ParsedNodes | None = None
    """Of a class of nodes of syntax trees."""
    doubled: bool = False
    """No call of a constructor gives one, but the test can define what passes for it."""
    mocked: bool = False
    """It only says what others do, so that a mock says more than an instance."""
    recipe: Recipe | None = None
    """How a framework has them made, with all that they need."""


class InstanceMaker:
    """Remembers the ways to each class; what the ``other`` maker was told counts here too."""

    __slots__ = ("_builder", "_mocking", "columns", "known")

    def __init__(self, builder: CallBuilder, other: InstanceMaker | None = None) -> None:
        self._builder = builder
        self._mocking = 0
        self.known: dict[type, Ways] = {} if other is None else other.known
        self.columns: Sequence[Columns] = () if other is None else other.columns
        """What tables are asked for."""

    def learn(self, cls: type, makers: tuple[Callee, ...]) -> None:
        """These return instances of ``cls``, though no annotation says so."""
        self.known[cls] = Ways(makers, (), (), min(makers, key=_need), ())

    def learn_recipe(self, cls: type, recipe: Recipe) -> None:
        """So instances of ``cls`` are made, most of the time."""
        self.known[cls] = (self.known.get(cls) or self._ways(cls))._replace(recipe=recipe)

    def make(self, statements: list[Statement], hint: ClassHint, rng: Random, depth: int) -> Variable:
        """Appends what makes an instance of ``hint``; where there is no way, a stub or a literal of another type."""
        ways = self.known.get(hint.cls)
        if ways is None:
            ways = self.known[hint.cls] = self._ways(hint.cls)
        builder = self._builder
        if ways.recipe is not None and rng.random() < _TAUGHT:
            return ways.recipe(builder, statements, hint, rng, depth)
        if ways.nodes is not None and rng.random() < _PARSED:
            parsed = ways.nodes.make(builder, statements, hint.cls, rng)
            if parsed is not None:
                return parsed
        if ways.mocked and self._mocking < _MOCKED and builder.variety.mocks and rng.random() < builder.variety.mocks:
            self._mocking += 1
            try:
                return mock_of(builder, statements, hint.cls, rng)
            finally:
                self._mocking -= 1
        if builder.definer is not None and depth < _SHALLOW and builder.definer.wants(hint.cls, rng):
            return self.declared(statements, hint.cls, rng, depth)
        if ways.members:
            return self._refer(statements, ways.members[int(rng.random() * len(ways.members))])
        if ways.constants and (rng.random() < 0.15 or not ways.simplest):
            constant = ways.constants[int(rng.random() * len(ways.constants))]
            return self._refer(statements, Named(constant.module, constant.qualname, constant.value))
        if ways.doubled and (depth >= _SHALLOW or rng.random() < _DOUBLED):
            return self._substitute(statements, hint.cls, rng, depth)
        if depth >= _SHALLOW and ways.simplest is not None:
            return builder.call(statements, ways.simplest, rng, depth + 1)
        if ways.table is not None and rng.random() < _TABLE:
            return table(builder, statements, ways.table, rng, self.columns)
        callee = self._choose(ways, rng)
        if callee is not None:
            return builder.call(statements, callee, rng, depth + 1)
        return self._substitute(statements, hint.cls, rng, depth)

    def _choose(self, ways: Ways, rng: Random) -> Callee | None:
        """Constructors mostly, near ones first."""
        callees = ways.producers if ways.producers and (not ways.constructors or rng.random() < 0.2) else ways.constructors
        return callees[int(rng.random() * rng.random() * len(callees))] if callees else None

    def _substitute(self, statements: list[Statement], cls: type, rng: Random, depth: int) -> Variable:
        builder = self._builder
        if is_typed_dict(cls):
            fields = [field for field in _constructor(cls).parameters if rng.random() < (0.95 if field.required else 0.5)]
            pairs = tuple((field.name, builder.value(statements, field.hint, rng, depth + 1)) for field in fields)
            return builder.literal(statements, Display("dict", pairs))
        if derives(cls, BaseException) and class_module(cls) == "builtins" and not derives(cls, UnicodeError):
            return call(builder, statements, "builtins", class_name(cls))
        for base in class_mro(cls)[1:]:
            if is_sound(base) and base in RECIPES and class_module(base) != "collections.abc":
                return RECIPES[base](builder, statements, ClassHint(base), rng, 0)
        if can_stub(cls):
            return self._stub(statements, cls, rng, depth)
        return builder.literal(statements, any_value(rng, builder.pool) if rng.random() < 0.7 else None)

    def _stub(self, statements: list[Statement], cls: type, rng: Random, depth: int) -> Variable:
        """An instance of a subclass made in the test, with the arguments that the initialiser of ``cls`` asks for."""
        builder = self._builder
        if builder.definer is not None:
            return self.declared(statements, cls, rng, depth)
        needed = () if is_protocol(cls) else _constructor(cls).parameters
        required = [parameter for parameter in needed if parameter.required]
        variable = builder.new()
        statements.append(stub_class(rng, variable, cls, builder.pool, instantiate=not required))
        if not required:
            return variable
        given = [builder.argument(statements, parameter.hint, rng, depth + 1, parameter.name) for parameter in required]
        by_position = [place for place, parameter in enumerate(required) if parameter.kind is not ParameterKind.KEYWORD_ONLY]
        keywords = [(parameter.name, given[place]) for place, parameter in enumerate(required) if place not in by_position]
        made = builder.new()
        statements.append(CallValue(made, variable, Arguments(tuple(given[place] for place in by_position), tuple(keywords))))
        return made

    def declared(self, statements: list[Statement], cls: type, rng: Random, depth: int) -> Variable:
        """An instance of a class that the test defines: of a subclass of ``cls``, or of what passes for that protocol."""
        builder = self._builder
        assert builder.definer is not None
        made = builder.definer.subclass(builder, statements, cls, rng)
        callee = None if is_protocol(cls) else constructor_of(builder, cls)
        arguments = NO_ARGUMENTS if callee is None else builder.arguments(statements, callee, rng, depth + 1)
        statements.append(CallValue(builder.new(), made, arguments, callee))
        return statements[-1][0]

    def called(self, statements: list[Statement], callee: Callee, rng: Random, depth: int) -> Variable | None:
        """Now and then, a call of a class or a class method as a call of a class that the test declares; None else."""
        definer, owner = self._builder.definer, callee.owner
        if definer is None or owner is None or depth > 1 or callee.kind not in _OF_CLASSES or not definer.wants(owner, rng):
            return None
        if callee.kind is CalleeKind.CLASS:
            return self.declared(statements, owner, rng, depth)
        made = definer.subclass(self._builder, statements, owner, rng)
        arguments = self._builder.arguments(statements, callee, rng, depth)
        statements.append(MethodCall(self._builder.new(), made, callee.name, arguments, callee))
        return statements[-1][0]

    def _refer(self, statements: list[Statement], named: Named) -> Variable:
        variable = self._builder.new()
        statements.append(Reference(variable, named))
        return variable

    def _ways(self, cls: type) -> Ways:
        api = self._builder.api
        hint: Hint = ClassHint(cls)
        every = self._builder.constructors_of(hint)
        constructors = tuple(one for one in every if not _asks_for(one, cls)) or (() if can_stub(cls) else every)
        producers = tuple(callee for callee in api.producers(hint) if callee not in every)
        constants = tuple(constant for constant in api.constants if accepts(hint, type(constant.value)))
        members: tuple[Named, ...] = ()
        if derives(cls, enum.Enum):
            home = constructor_of(self._builder, cls)
            members = tuple(Named(home.module, f"{home.qualname}.{name}", member) for name, member in named_members(cls))
        free = [callee for callee in (*constructors, *producers) if callee.kind not in (CalleeKind.METHOD, CalleeKind.PROPERTY)]
        simplest = min(free, key=_need, default=None)
        tables = next((callee for callee in constructors if callee.live is cls and makes_tables(callee)), None)
        nodes = None if home_of(cls) is None else ParsedNodes()
        doubled = can_stub(cls) and not any(callee.kind is CalleeKind.CLASS for callee in constructors)
        mocked = (doubled and stands_for_others(cls)) or (not can_stub(cls) and is_interface(cls))
        recipe = recipe_by_address(cls)
        ways = Ways(constructors, producers, constants, simplest, members, tables, nodes)
        return ways._replace(doubled=doubled, mocked=mocked, recipe=recipe)


def _asks_for(callee: Callee, cls: type) -> bool:
    """Whether it is a function that gives an instance of ``cls`` only to who has one already."""
    asked = [one.hint for one in callee.parameters if one.required]
    return callee.kind is not CalleeKind.CLASS and any(isinstance(hint, ClassHint) and derives(hint.cls, cls) for hint in asked)


def _constructor(cls: type) -> Signature:
    """What ``cls(...)`` takes, abstract classes and typed dictionaries included, which the API model leaves out."""
    return SignatureReader(lambda _name: None).constructor(cls)


def _need(callee: Callee) -> int:
    """How much a call needs: required parameters, those of unknown or class type counted double."""
    positional_kinds = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)
    required = [parameter for parameter in callee.parameters if parameter.required and parameter.kind not in positional_kinds]
    return sum(1 if type(parameter.hint) is type(ANY) else 2 for parameter in required)
