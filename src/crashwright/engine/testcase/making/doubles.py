"""Doubles: what stands in a test in the place of something that the code calls, made from what it does with the results.

They are mocks of the standard library, as people write them, with objects of the library's own classes where these can be made:
``Mock(return_value=CompletedProcess(args=[], returncode=1, stdout="", stderr="no"))``, ``Mock(spec=Response, status_code=404)``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random
from typing import NamedTuple

from crashwright.engine.subject.api.callee import MOCKS, Callee, ParameterKind
from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.subject.introspection import is_class, static_attribute
from crashwright.engine.testcase.making.definitions import constructor_of
from crashwright.engine.testcase.making.demanded import Demanded
from crashwright.engine.testcase.making.demands import Demand, DemandKind
from crashwright.engine.testcase.making.guessing import NameModel
from crashwright.engine.testcase.making.vocabulary import StatementBuilder
from crashwright.engine.testcase.statements import (
    Ambient,
    Arguments,
    Call,
    Display,
    Named,
    Ref,
    Reference,
    Statement,
    Value,
    Variable,
)

MOCK = MOCKS, "Mock"
SPECIAL = MOCKS, "MagicMock"
"""One that has special methods."""
_FAILS, _OTHER_TEXT, _OTHER_NUMBER, _RAISES, _ONE_ANSWER = 0.25, 0.4, 0.6, 0.2, 0.4
_FEW = 3


class Library(NamedTuple):
    """What the replaced thing comes with: classes that its results may be of, by how they are made, and the exceptions that it may
    raise; ``numbers`` are those that the module compares with."""

    classes: tuple[tuple[Callee, Named], ...] = ()
    errors: tuple[type[Exception], ...] = ()
    numbers: tuple[int, ...] = ()


class Doubles(Demanded):
    """Doubles for one test. ``is_full``: each call succeeds as far as that is known; else answers vary, and some calls fail."""

    def __init__(self, builder: StatementBuilder, names: NameModel, rng: Random, library: Library, is_full: bool) -> None:
        super().__init__(builder, names, lambda _names: (), rng, is_full)
        self._library = library
        self._fails = not is_full

    def replace(self, statements: list[Statement], name: str, demand: Demand, place: str = "attribute") -> Variable:
        """Append what puts a double in the place of ``name``; ``place`` is "absent" where nothing may be there."""
        variable = self._mock(statements, *self._answers(statements, demand))
        statements.append(Ambient(self._builder.new(), place, name, Ref(variable)))
        return variable

    def _answers(self, statements: list[Statement], demand: Demand) -> tuple[tuple[str, Variable], ...]:
        """What a mock is to answer: always the same, or one after the other, or that it raises."""
        items = demand.items[:]
        while items and items[-1].size() <= 1:
            items.pop()
        error = self._error(statements) if self._fails and self._rng.random() < _FAILS else None
        if not items:
            return () if error is None else (("side_effect", error),)
        if error is None and (len(items) == 1 or self._chance(_ONE_ANSWER)):
            return (("return_value", self._variable(statements, items[0])),)
        if error is not None and self._rng.random() < 0.5:
            return (("side_effect", error),)
        answers = [self._variable(statements, item) for item in items]
        if error is not None:
            answers[int(self._rng.random() * len(answers))] = error
            answers = answers[: answers.index(error) + 1] + answers[answers.index(error) :][1:]
        return (("side_effect", self._builder.literal(statements, Display("list", tuple(map(Ref, answers))))),)

    def _error(self, statements: list[Statement]) -> Variable | None:
        errors = self._library.errors
        if not errors:
            return None
        error = errors[int(self._rng.random() * len(errors))]
        return self._builder.argument(statements, ClassHint(error), self._rng, 1, legal=True)

    def _mock(self, statements: list[Statement], *keywords: tuple[str, Variable]) -> Variable:
        variable = self._builder.new()
        special = any(name.startswith("__") for name, _ in keywords)
        statements.append(Call(variable, self._builder.api.standard(*(SPECIAL if special else MOCK)), Arguments((), keywords)))
        return variable

    def _object(self, statements: list[Statement], demand: Demand) -> Value:
        made = dict(demand.attributes)
        for maker, _ in self._library.classes if demand.cls is None else ():
            if _takes(maker, made):
                return Ref(self._constructed(statements, maker, made))
        keywords = [(name, self._variable(statements, below)) for name, below in made.items()]
        named = self._specified(demand)
        if named is not None:
            spec = self._builder.new()
            statements.append(Reference(spec, named))
            keywords.insert(0, ("spec", spec))
        return Ref(self._mock(statements, *keywords))

    def _specified(self, demand: Demand) -> Named | None:
        """The class that a mock of the object has: what a signature says, or else one that has its methods."""
        if demand.cls is not None:
            home = constructor_of(self._builder, demand.cls)
            return Named(home.module, home.qualname, demand.cls)
        methods = [name for name, below in demand.attributes.items() if below.kind is DemandKind.CALLABLE]
        return next((named for _, named in self._library.classes if _has_all(named.live, methods)), None) if methods else None

    def _constructed(self, statements: list[Statement], maker: Callee, made: dict[str, Demand]) -> Variable:
        """By the library's own class; what nobody asks for is of no importance."""
        keywords = []
        for parameter in maker.parameters:
            if parameter.name in made:
                keywords.append((parameter.name, self._variable(statements, made[parameter.name])))
            elif parameter.required:
                keywords.append((parameter.name, self._builder.literal(statements, Display("list", ()))))
        variable = self._builder.new()
        statements.append(Call(variable, maker, Arguments((), tuple(keywords))))
        return variable

    def _callable(self, statements: list[Statement], demand: Demand) -> Value:
        if self._fails and self._library.errors and self._rng.random() < _RAISES:
            error = self._error(statements)
            if error is not None:
                return Ref(self._mock(statements, ("side_effect", error)))
        if demand.result is None or not demand.result.is_looked_at:
            return Ref(self._mock(statements))
        return Ref(self._mock(statements, ("return_value", self._variable(statements, demand.result))))

    def _text(self, statements: list[Statement], demand: Demand) -> Value:
        if self._chance(_OTHER_TEXT):
            return ""
        return super()._text(statements, demand)

    def _number(self, statements: list[Statement], demand: Demand) -> Value:
        numbers = self._library.numbers
        if numbers and self._chance(_OTHER_NUMBER):
            return numbers[int(self._rng.random() * len(numbers))] + int(self._rng.random() * _FEW) - 1
        return super()._number(statements, demand)


def _takes(maker: Callee, made: Collection[str]) -> bool:
    """Whether the class is made with all of these."""
    names = {parameter.name for parameter in maker.parameters if parameter.kind is not ParameterKind.POSITIONAL_ONLY}
    return bool(made) and names.issuperset(made)


def _has_all(cls: object, names: Sequence[str]) -> bool:
    return is_class(cls) and all(static_attribute(cls, name) is not None for name in names)
