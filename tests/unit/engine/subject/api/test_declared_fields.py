"""Constructors that take any keywords ask for what their classes declare."""

from __future__ import annotations

import datetime
from typing import Any, ClassVar, Generic, TypeVar

from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Parameter
from crashwright.engine.subject.api.types import ANY, NONE, ClassHint, Hint, union_of

T = TypeVar("T")


class Stored(Generic[T]):
    """As attributes of mapped classes are: annotated as what it is, and holding what its argument says."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        return self if instance is None else vars(instance).get(self.name)

    def __set__(self, instance: Any, value: Any) -> None:
        vars(instance)[self.name] = value


class Base:
    def __init__(self, **keywords: Any) -> None:
        for name, value in keywords.items():
            setattr(self, name, value)


class Owner(Base):
    name: Stored[str] = Stored()
    phone: Stored[str | None] = Stored()
    tools: Stored[list[Tool]] = Stored()


class Tool(Base):
    table: ClassVar[str] = "tool"
    _hidden: Stored[int] = Stored()
    since: Stored[datetime.date] = Stored()
    owner: Stored[Owner] = Stored()
    weight: float
    colour = Stored()

    @property
    def label(self) -> str:
        return str(self.colour)


class Drill(Tool):
    power: Stored[int] = Stored()


class Named(Base):
    """Says itself what it takes."""

    other: Stored[int] = Stored()

    def __init__(self, name: str, **keywords: Any) -> None:
        super().__init__(name=name, **keywords)


API = ApiModel(__name__, [__name__])


def fields(cls: type) -> dict[str, Parameter]:
    return {one.name: one for one in API.constructor(cls).parameters}


def hints(cls: type) -> dict[str, Hint]:
    return {name: one.hint for name, one in fields(cls).items() if name != "keywords"}


def test_declared_attributes_are_keywords_of_the_type_that_objects_hold() -> None:
    assert hints(Tool) == {"since": ClassHint(datetime.date), "owner": ClassHint(Owner), "weight": ClassHint(float), "colour": ANY}
    assert hints(Drill) == {**hints(Tool), "power": ClassHint(int)}


def test_what_may_be_none_and_collections_need_not_be_passed() -> None:
    found = fields(Owner)
    assert found["phone"].hint == union_of([ClassHint(str), NONE])
    assert found["tools"].hint == ClassHint(list, (ClassHint(Tool),))
    assert [name for name, one in found.items() if one.required] == ["name"]
    assert not fields(Tool)["colour"].required


def test_a_constructor_that_names_its_parameters_stays_as_it_is() -> None:
    assert list(fields(Named)) == ["name", "keywords"]
