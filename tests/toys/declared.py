"""A small declarative package, as ones that users subclass are: fields of classes, annotations, things that are abstract.

``Catalogue`` fails for several fields with a unit, ``load`` for a reader that says nothing.
"""

from __future__ import annotations

import abc
from typing import ClassVar


class Field:
    unit: str | None = None

    def bind(self, owner: object) -> None:
        self.owner = owner


class Several(Field):
    def __init__(self, inner: Field) -> None:
        self.inner = inner

    def bind(self, owner: object) -> None:
        super().bind(owner)
        self.inner.bind(self)


class Measured(Field):
    def bind(self, owner: object) -> None:
        self.unit = owner.units[0]  # type: ignore[attr-defined]


class Declared(type):
    known: ClassVar[list[str]] = []

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> Declared:
        made = super().__new__(cls, name, bases, body)
        made.fields = {key: value for key, value in body.items() if isinstance(value, Field)}  # type: ignore[attr-defined]
        cls.known.append(name)
        return made


class Catalogue(metaclass=Declared):
    units = ("piece",)
    fields: dict[str, Field]

    def __init__(self) -> None:
        for name, field in self.fields.items():
            try:
                field.bind(self)
            except AttributeError as error:
                raise RuntimeError(f"{name} cannot be bound") from error


class Reader(abc.ABC):
    @abc.abstractmethod
    def read(self, size: int = -1) -> str: ...

    @property
    @abc.abstractmethod
    def name(self) -> str: ...


def load(reader: Reader) -> int:
    text = reader.read(10)
    return len(text) // text.count("a") + len(reader.name)
