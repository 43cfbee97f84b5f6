"""Makes statements: calls with everything they need, arguments for a hint, and whole random tests.

``random_test`` is EvoCrash's guided initialisation (Algorithm 2, "A guided genetic algorithm for automated crash reproduction").

Whoever needs a new statement asks the factory: the first tests of a search, the operators that insert and change, seeds that lack
an argument. It knows what can be called (the API model), values worth trying (the pool), and what earlier runs taught: classes
that calls returned, slices that made an object, types that fit untyped parameters. It knows no goal and sees no run.

It is long because it is one thing: the calls within each other by which a statement comes with all that it needs. What could be
told apart has a module of its own (named, nested and shaped values, instances, recipes, stand-ins, definitions, guesses by name).

Invariants:

- It appends to a list that its caller owns. What stands there when a method is called stays there, and nothing that is appended
  uses a variable that is not defined before it: cut off anywhere, the list is a valid test.
- New variables come from ``fresh`` alone, one iterator for all factories of a run: two tests made here have a variable in common
  only by a common ancestor, and statements can be taken from one into the other. (In tests from elsewhere a later definition
  simply binds again.)
- Every random number comes from the ``rng`` that is handed in. Whoever has learnt the same and draws the same makes the same.
- A random test calls an entry where there is one. Its length is a wish: a call comes with all that it needs. What inserts, and
  what crosses tests over, holds to ``max_length``.
- Making ends: an argument deeper than ``_DEEPEST`` is None.
- Arguments respect their hint but for a share that breaks it on purpose (``_ILLEGAL``); receivers are asked for as ``legal``.
- A factory that draws otherwise for one test (:meth:`Factory._drawing`) is a copy that shares everything learnt.

To add a *kind of statement*: its class and a place in the union ``Statement`` (``testcase.statements``), by which messages and
checkpoints carry it too; what it uses (``_USED`` and ``_MAP`` in ``testcase.variables``, and ``DEFINES_NOTHING`` where that
holds); a handler that runs it (``execution.handlers``; ``executor`` where it nests what follows); and a writer, of an expression
(``printing.expressions``) or of whole lines (``printing.printing``). Without these four nothing works, and the golden test of
printing fails until it shows the kind. The rest may wait, since what a table does not name is left alone: its type
(``testcase.typed``), a change (``editing.changes``), a simplification (``editing.simpler``), what it may be blamed for
(``testcase.quarantine``). Then somebody has to make it: a method here, or for a *type of argument* a recipe
(``making.recipes.RECIPES``, by class), which sees the factory as a :class:`StatementBuilder`.
"""

from __future__ import annotations

import builtins
import collections.abc
import itertools
from collections.abc import Iterator, Sequence
from random import Random
from typing import cast

from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.subject.api.types import ANY, Assignability, ChoiceHint, ClassHint, Hint, TypeHint, UnionHint
from crashwright.engine.subject.introspection import class_module, class_mro, identities, is_class
from crashwright.engine.testcase.making.entering import ENTERING, entered, within
from crashwright.engine.testcase.making.existing_parts import existing_name, existing_part_for
from crashwright.engine.testcase.making.file_trees import PathParameters
from crashwright.engine.testcase.making.guessing import NameModel, TypeSuggestions
from crashwright.engine.testcase.making.instances import InstanceMaker
from crashwright.engine.testcase.making.keywords import Understood
from crashwright.engine.testcase.making.mocked import is_meant_to_be_called, mocked_function
from crashwright.engine.testcase.making.named_values import callable_value, choice, class_value
from crashwright.engine.testcase.making.nested_values import nested_value
from crashwright.engine.testcase.making.preferences import Preferences
from crashwright.engine.testcase.making.recipes import RECIPES, file_fixture
from crashwright.engine.testcase.making.shaped import Shaped
from crashwright.engine.testcase.making.values import SCALARS, VALUE_TYPES, any_value, random_value
from crashwright.engine.testcase.making.variety import PLAIN, REUSES, Themes, Variety, object_test, twin
from crashwright.engine.testcase.making.vocabulary import Api, ClassDefiner, ImportedConstant, StatementBuilder
from crashwright.engine.testcase.operators import reflected
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.slices import Slices, graft
from crashwright.engine.testcase.statements import (
    HOME_OF_TESTS,
    NO_ARGUMENTS,
    Arguments,
    Await,
    Call,
    Display,
    GetAttribute,
    Iterate,
    Literal,
    MethodCall,
    Ref,
    Statement,
    Value,
    Variable,
    one_nan,
)
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.typed import ObservationKey, type_of
from crashwright.engine.testcase.variables import defined

__all__ = ["Api", "Factory", "ImportedConstant", "StatementBuilder"]

_ILLEGAL = 0.05  # an argument of any type at all, on purpose
_OPTIONAL = 0.3
_REUSE_VALUE = 0.5  # EvoSuite: primitive_reuse_probability
_REUSE_OBJECT = 0.9  # EvoSuite: object_reuse_probability
_SHOWN_BEFORE = 0.2  # how often a parameter gets what examples pass for one of that name
_FEW = (0, 1, 1, 2, 2, 2, 2, 3)  # arguments where all stand behind a star
_DEEPEST = 5
_LITERALS = 3  # times the longest test, literals included, where they hardly count
_SLICE = 0.6  # how often an instance is made as it was seen to work
_LIMIT = 50  # items taken from a generator that may be infinite
_FILE_NAMES = frozenset({"path", "filename", "file_name", "filepath", "file_path", "file", "pathname", "fname"})
_PLAIN = identities(bool, int, float, complex, str, bytes)
_CALLABLE = cast(type, collections.abc.Callable)


class Factory:
    """``entry`` are the callables that a test must call, ``max_length`` is how many statements it may have. ``observed`` remembers
    what calls returned: the executor fills it through :meth:`observe`. ``fresh`` gives variables that no test has yet; one iterator
    serves all factories of a run. ``diverse``: edits may do more (operators from both sides, more or fewer arguments behind a
    star), and literals hardly count for the length."""

    def __init__(
        self,
        api: Api,
        pool: SeedPool,
        entry: tuple[Callee, ...],
        max_length: int = 40,
        fresh: Iterator[int] | None = None,
        variety: Variety = PLAIN,
        definer: ClassDefiner | None = None,
        diverse: bool = False,
    ) -> None:
        self.api = api
        self.pool = pool
        self.entry = entry
        self.entry_set = frozenset(entry)
        self.max_length = max_length
        self.diverse = diverse
        self.fresh = itertools.count() if fresh is None else fresh
        self.new = self.fresh.__next__
        self.observed: dict[ObservationKey, type] = {}
        self.assignability = Assignability()
        self.suggestions = TypeSuggestions()
        """What untyped parameters probably take."""
        self.pools: dict[Callee, SeedPool] = {}
        self.variety = variety
        self.definer = definer
        self._themes = Themes()
        self._reuse = _REUSE_OBJECT
        self._names = NameModel(
            callee.live for callee in api.callables if callee.kind is CalleeKind.CLASS and is_class(callee.live)
        )
        self.instances = InstanceMaker(self)
        self.slices = Slices()
        self.shaped = Shaped()
        """Values that answer what was asked of single parameters."""
        self.understood = Understood()
        """Keywords of callables that take any."""
        self.paths = PathParameters()
        self._own_modules = frozenset(callee.module.partition(".")[0] for callee in api.callables)
        self._methods: dict[type, tuple[Callee, ...]] = {}
        self._relatives = self._relatives_of_entry()
        self.preferences = Preferences()

    def add_entries(self, entry: Sequence[Callee]) -> None:
        """From now on these are entries too."""
        self.entry = (*self.entry, *(callee for callee in entry if callee not in self.entry_set))
        self.entry_set = frozenset(self.entry)
        self._relatives = self._relatives_of_entry()

    def has_room(self, statements: Sequence[Statement]) -> bool:
        """Whether a test of these is not too long. Where it is ``diverse``, literals hardly count: a call with ten arguments is one
        thing that is done."""
        size = len(statements)
        if size <= self.max_length:
            return True
        if not self.diverse or size > _LITERALS * self.max_length:
            return False
        return sum([type(statement) is not Literal for statement in statements]) <= self.max_length

    def seed(self, callee: Callee, pool: SeedPool) -> None:
        """Seeds for the arguments of one callable, taken half the time in place of ``pool``."""
        self.pools[callee] = pool

    def accepts(self, hint: Hint, cls: type) -> bool:
        """:func:`types.accepts`, remembered."""
        return self.assignability.accepts(hint, cls)

    def observe(self, key: ObservationKey, cls: type) -> None:
        """A call of this callee (or an attribute or method of this name) gave an instance of ``cls``; of a class that a test
        defines other tests know what it has of its bases."""
        self.observed[key] = next(base for base in class_mro(cls) if class_module(base) != HOME_OF_TESTS)

    def learn_makers(self, cls: type, makers: tuple[Callee, ...]) -> None:
        """Instances of ``cls`` are got from these from now on."""
        self.instances.learn(cls, makers)
        others = (one for one in self._relatives if one.kind is not CalleeKind.CLASS or one.live is not cls)
        self._relatives = tuple(dict.fromkeys((*others, *makers)))
        for maker in makers:
            self.observe(maker, cls)

    def is_own(self, cls: type) -> bool:
        """Is it a class of the subject, so that instances of it are hard to come by?"""
        return class_module(cls).partition(".")[0] in self._own_modules

    def hint_of_statement(self, statement: Statement) -> Hint:
        """The type of the statement's variable, as far as it is known."""
        cls = type_of(statement, self.observed)
        return ANY if cls is None else ClassHint(cls)

    @property
    def relatives(self) -> tuple[Callee, ...]:
        """What tests call besides the entries: constructors and methods of their classes, public callables of their modules."""
        return self._relatives

    @property
    def names(self) -> NameModel:
        """What the names of untyped parameters say."""
        return self._names

    # Whole tests

    def random_test(self, rng: Random, length: int) -> TestCase:
        """A random test of about ``length`` statements with at least one call of an entry."""
        if self.variety == PLAIN:
            return self._any_test(rng, length)
        themes = Themes(rng.random() < self.variety.themes)
        if rng.random() < self.variety.objects:
            reuse = REUSES[int(rng.random() * len(REUSES))]
            statements = object_test(self._drawing(self.pool, themes, reuse), rng, length)
            if statements:
                return TestCase(tuple(statements))
        return self._drawing(self.pool, themes, _REUSE_OBJECT)._any_test(rng, length)

    def _drawing(self, pool: SeedPool, themes: Themes, reuse: float) -> Factory:
        """A factory for one test, or for one call in it, that draws otherwise. What one of them learns all of them know."""
        factory = object.__new__(Factory)  # copy.copy takes five times as long, for each second call of a suite
        factory.__dict__.update(self.__dict__)
        factory.pool, factory._themes, factory._reuse = pool, themes, reuse
        factory.instances = InstanceMaker(factory, self.instances)
        return factory

    def _any_test(self, rng: Random, length: int) -> TestCase:
        statements: list[Statement] = []
        size = min(length, self.max_length)
        chance = 1 / max(1, size)
        called = False
        while len(statements) < size:
            if rng.random() <= chance:
                called = self.call_entry(statements, rng) or called
                chance = 1 / size
            else:
                self.random_call(statements, rng)
                chance = 1 / max(1, size - len(statements) + 1)
        if not called:
            self.call_entry(statements, rng)
        return TestCase(tuple(statements))

    def call_entry(self, statements: list[Statement], rng: Random) -> bool:
        """Appends a call of one of the entries; False where there is none."""
        if self.entry and not self.preferences.enter(self, statements, rng):
            self.call(statements, self.entry[int(rng.random() * len(self.entry))], rng)
        return bool(self.entry)

    def random_call(self, statements: list[Statement], rng: Random) -> None:
        """Appends a method call on a variable at hand, or a call of a relative of the entries, or of anything."""
        if statements and rng.random() < 0.5 and self.call_on_variable(statements, rng):
            return
        callees = self._relatives if rng.random() < 1 - self.variety.elsewhere else self.api.callables
        if callees:
            self.call(statements, self.preferences.instead_of(callees, rng), rng)
        else:
            self.literal(statements, any_value(rng, self.pool))

    def call_on_variable(self, statements: list[Statement], rng: Random) -> bool:
        """Appends a call of a method (or reads a property) of one of the variables; False where none has a known one."""
        for _ in range(3):
            statement = statements[int(rng.random() * len(statements))]
            cls = None if type(statement) is Literal else type_of(statement, self.observed)
            methods = () if cls is None or (class_module(cls) == "builtins" and cls not in _CHANGEABLE) else self.methods_of(cls)
            if methods:
                callee = self.preferences.among(methods, rng)
                if not callee.private or rng.random() < 0.1:
                    self.call(statements, callee, rng, receiver=statement[0])
                    return True
        return False

    def methods_of(self, cls: type) -> tuple[Callee, ...]:
        """As the API model says, remembered."""
        if cls not in self._methods:
            self._methods[cls] = tuple(self.api.methods_of(cls))
        return self._methods[cls]

    def constructors_of(self, hint: Hint) -> tuple[Callee, ...]:
        """As the API model says, but for what no import can reach: types of the interpreter name modules that do not have
        them."""
        ways = self.api.constructors_of(hint)
        return tuple([c for c in ways if c.module and (c.module != "builtins" or c.qualname in vars(builtins))])

    def _relatives_of_entry(self) -> tuple[Callee, ...]:
        """Constructors and methods of the classes of the entries, and the public callables of their modules."""
        found: dict[Callee, None] = {}
        for callee in self.entry:
            owner = callee.owner  # of a class itself
            if owner is not None:
                found.update(dict.fromkeys(self.constructors_of(ClassHint(owner))))
                found.update(dict.fromkeys(self.methods_of(owner)))
            found.update(
                dict.fromkeys(other for other in self.api.callables if other.module == callee.module and not other.private)
            )
        return tuple(found)

    # Calls

    def call(
        self, statements: list[Statement], callee: Callee, rng: Random, depth: int = 0, receiver: Variable | None = None
    ) -> Variable:
        """Appends a call of ``callee`` with the receiver and arguments that it needs, and what drives its result."""
        kind = callee.kind
        if kind is _METHOD or kind is _PROPERTY:
            if receiver is None:
                owner = ANY if callee.owner is None else ClassHint(callee.owner)
                receiver = self.argument(statements, owner, rng, depth + 1, legal=True)
            if kind is _PROPERTY:
                variable = self.new()
                statements.append(GetAttribute(variable, receiver, callee.name))
                return self.drive(statements, callee, variable, rng, _DEEPEST)
            if callee.name in ENTERING and self.preferences.thrown:
                return within(self, statements, receiver, callee.name[:3] == "__a", self.preferences.thrown, rng)
            arguments = self.arguments(statements, callee, rng, depth)
            variable = self.new()
            operation = reflected(variable, receiver, callee.name, arguments) if self.diverse else None
            statements.append(operation or MethodCall(variable, receiver, callee.name, arguments, callee))
        else:
            declared = None if self.definer is None else self.instances.called(statements, callee, rng, depth)
            if declared is not None:
                return self.drive(statements, callee, declared, rng, depth)
            arguments = self.arguments(statements, callee, rng, depth)
            variable = self.new()
            statements.append(Call(variable, callee, arguments))
        return self.drive(statements, callee, variable, rng, depth)

    def drive(self, statements: list[Statement], callee: Callee, variable: Variable, rng: Random, depth: int) -> Variable:
        """Generators are consumed, coroutines awaited, context managers entered, functions called: else their bodies never run."""
        if callee.is_async:
            statements.append(Await(self.new(), variable, "list" if callee.is_generator else "await"))
            return statements[-1][0]
        if depth == 0 and (called := self.preferences.follow(self, statements, callee, variable, rng)) is not None:
            return called
        cls = type_of(statements[-1], self.observed)
        if callee.is_generator or cls in _GENERATORS:
            mode = "list" if rng.random() < 0.85 else "next"
            statements.append(Iterate(self.new(), variable, mode, _LIMIT if mode == "list" else None))
            return statements[-1][0]
        if depth == 0 and cls is not None:
            return entered(self, statements, variable, cls, self.preferences.thrown, self.is_own(cls), rng)
        return variable

    def arguments(self, statements: list[Statement], callee: Callee, rng: Random, depth: int) -> Arguments:
        """Appends the arguments of a call: all that are required, of the optional ones about a third, or none."""
        if not callee.parameters:
            return NO_ARGUMENTS
        own = self.pools.get(callee)
        if own is None or rng.random() < 0.5:
            return self._filled(statements, callee, rng, depth)
        return self._drawing(own, self._themes, self._reuse)._filled(statements, callee, rng, depth)

    def _filled(self, statements: list[Statement], callee: Callee, rng: Random, depth: int) -> Arguments:
        positional: list[Variable] = []
        keywords: list[tuple[str, Variable]] = []
        by_position = True
        optional = 0.0 if self.variety.omits(callee.parameters, rng) else _OPTIONAL
        for parameter in callee.parameters:
            _, kind, hint, required, *_ = parameter
            if required and by_position and kind <= _EITHER:  # most are such: the short way
                if positional and self.variety.twins and (like := self._twin(statements, positional[-1], hint, rng)) is not None:
                    positional.append(like)
                elif type(hint) is _ANY or self.shaped or self.paths:
                    positional.append(self.parameter(statements, callee, parameter, rng, depth))
                else:
                    positional.append(self.argument(statements, hint, rng, depth + 1, parameter[0]))
            elif kind is _VAR_POSITIONAL:
                for _ in range(self._more(callee, rng) if by_position else 0):
                    same = self._twin(statements, positional[-1], hint, rng) if positional else None
                    positional.append(self.parameter(statements, callee, parameter, rng, depth) if same is None else same)
            elif kind is _VAR_KEYWORD:
                others = self.understood.draw(callee, parameter, self.pool.tokens, rng)
                keywords += [(name, self.parameter(statements, callee, known, rng, depth)) for name, known in others]
            elif required or rng.random() < optional:
                if by_position and kind <= _EITHER and (required or rng.random() < 0.5):
                    positional.append(self.parameter(statements, callee, parameter, rng, depth))
                elif kind is not _POSITIONAL_ONLY:
                    by_position = False
                    keywords.append((parameter.name, self.parameter(statements, callee, parameter, rng, depth)))
            else:
                by_position = False
        return Arguments(tuple(positional), tuple(keywords))

    def _more(self, callee: Callee, rng: Random) -> int:
        """How many arguments stand behind the star: where all do, it mostly means a few."""
        if self.variety.few and len(callee.parameters) == 1:
            return _FEW[int(rng.random() * len(_FEW))]
        return int(rng.random() * rng.random() * 4)

    def _twin(self, statements: list[Statement], variable: Variable, hint: Hint, rng: Random) -> Variable | None:
        """Now and then something nearly the same as ``variable``."""
        if not self.variety.twins or rng.random() >= self.variety.twins:
            return None
        literal = twin(self, statements, variable, hint, rng)
        if literal is not None:
            statements.append(literal)
        return None if literal is None else literal.variable

    def parameter(self, statements: list[Statement], callee: Callee, parameter: Parameter, rng: Random, depth: int = 0) -> Variable:
        """A variable for one parameter of ``callee``."""
        hint = parameter.hint
        part = self.shaped.draw(callee, parameter.name, rng) if self.shaped else ()
        if part:
            statements.extend(graft(part, self.fresh))
            return cast(Variable, defined(statements[-1]))
        if self.paths and (path := self.paths.draw(self, statements, callee, parameter, rng)) is not None:
            return path
        if self.variety.existing and (asked := existing_part_for(statements, hint, self.variety.existing, rng)) is not None:
            return self.literal(statements, asked)
        if type(hint) is _ANY:
            hint = self._suggested(callee, parameter.name, rng)
        shown = self.suggestions.shown(parameter.name, hint, _SHOWN_BEFORE, rng)
        if shown is not None:
            return self.literal(statements, shown.value)
        if not parameter.required and id(type(parameter.default)) in _PLAIN and rng.random() < 0.1:
            return self.literal(statements, cast(Value, parameter.default))
        return self.argument(statements, hint, rng, depth + 1, parameter.name)

    def _suggested(self, callee: Callee, name: str, rng: Random) -> Hint:
        """What an untyped parameter is given in this test."""
        known = self._themes.known(name)
        if known is not None:
            return known
        hint = self.suggestions.draw(callee, name, rng)
        if self._themes.active:
            if type(hint) is _ANY:
                hint = self._names.guess(name, rng)
            self._themes.note(name, hint)
        return hint

    # Arguments

    def literal(self, statements: list[Statement], value: Value) -> Variable:
        """Appends a literal."""
        variable = self.new()
        statements.append(Literal(variable, one_nan(value)))
        return variable

    def argument(
        self, statements: list[Statement], hint: Hint, rng: Random, depth: int = 0, name: str = "", legal: bool = False
    ) -> Variable:
        """A variable that a parameter ``name`` of type ``hint`` can take: one at hand, or a new one with all that it needs.
        Unless ``legal``, now and then one of a wrong type."""
        if depth > _DEEPEST:
            return self.literal(statements, None)
        random = rng.random
        if not legal and not self.pool.legal and random() < _ILLEGAL:
            return self.literal(statements, any_value(rng, self.pool))
        while type(hint) is UnionHint:
            hint = hint.members[int(random() * len(hint.members))]
        kind = type(hint)
        if kind is _ANY or (kind is ClassHint and hint.cls is object):  # type: ignore[union-attr]
            hint = self._names.guess(name, rng)
            kind = type(hint)
        simple = kind is ClassHint and hint.cls in VALUE_TYPES  # type: ignore[union-attr]
        if statements and random() < (_REUSE_VALUE if simple else self._reuse):
            variable = self.reuse(statements, hint, rng)
            if variable is not None:
                return variable
        return self._new(statements, hint, rng, depth, name)

    def reuse(self, statements: list[Statement], hint: Hint, rng: Random, end: int | None = None) -> Variable | None:
        """A variable of an accepted type among the first ``end`` statements: the first from a random place on."""
        size = len(statements) if end is None else end
        if size == 0:
            return None
        accepts, observed = self.assignability.accepts, self.observed
        wanted = hint[0] if type(hint) is ClassHint else None
        start = int(rng.random() * size)
        for index in range(start - size, start):
            statement = statements[index if end is None else index % size]
            cls = type(statement[1]) if type(statement) is Literal else None
            if cls is None or cls is Display or cls is Ref:
                cls = type_of(statement, observed)
            fits = cls is not None and (cls is wanted or accepts(hint, cls))
            if fits and (wanted is not _CALLABLE or is_meant_to_be_called(statement, cast(type, cls), hint, self.is_own)):
                return statement[0]
        return None

    def value(self, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Value:
        """A value tree for an element of a container: a literal, or a reference to a variable made for it."""
        return nested_value(self, statements, hint, rng, depth)

    def _new(self, statements: list[Statement], hint: Hint, rng: Random, depth: int, name: str) -> Variable:
        if type(hint) is ChoiceHint:
            return choice(self, statements, hint, rng)
        if type(hint) is TypeHint:
            return class_value(self, statements, hint, rng)
        if type(hint) is not ClassHint:
            return self.literal(statements, any_value(rng, self.pool))
        cls = hint.cls
        if cls is str and name in _FILE_NAMES and rng.random() < 0.6:
            return file_fixture(self, statements, rng)
        if cls is str and self.preferences.returned and (named := existing_name(statements, rng)) is not None:
            return self.literal(statements, named)
        if cls in SCALARS:
            return self.literal(statements, random_value(rng, hint, self.pool, depth))
        if cls in VALUE_TYPES:
            return self.literal(statements, self.value(statements, hint, rng, depth))
        if cls is _CALLABLE:
            if self.variety.mocks and rng.random() < self.variety.mocks:
                return mocked_function(self, statements, hint, rng)
            return callable_value(self, statements, hint, rng)
        recipe = RECIPES.get(cls)
        if recipe is not None:
            return recipe(self, statements, hint, rng, depth)
        part = self.slices.draw(cls, rng) if rng.random() < _SLICE else ()
        if part:
            statements.extend(graft(part, self.fresh))
            return cast(Variable, defined(statements[-1]))
        return self.instances.make(statements, hint, rng, depth)


# Members of an enum are looked up slowly, and these are asked for all the time.
_METHOD, _PROPERTY = CalleeKind.METHOD, CalleeKind.PROPERTY
_POSITIONAL_ONLY, _EITHER = ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD
_VAR_POSITIONAL, _VAR_KEYWORD = ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD
_ANY = type(ANY)
_CHANGEABLE = frozenset({list, dict, set, bytearray})
_GENERATORS = frozenset({collections.abc.Iterator, collections.abc.Generator})
