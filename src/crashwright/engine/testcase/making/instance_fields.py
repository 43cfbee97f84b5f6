"""Plain attributes that tests set on instances of the subject: switches and settings that a class gives a default and leaves to its
users (``parser.strict = True``). No call shows them, so that nothing else would change them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from crashwright.engine.subject.api.types import ANY, ClassHint, Hint
from crashwright.engine.subject.introspection import derives
from crashwright.engine.testcase.making.vocabulary import StatementBuilder
from crashwright.engine.testcase.statements import Display, SetAttribute, Statement, Value, Variable

SHARE = 0.12
"""Of the statements that are inserted."""
_OTHER = 0.5
"""How often the field gets what its default is not: the other truth value, or something empty."""
_EMPTY: dict[type, Value] = {
    int: 0,
    float: 0.0,
    str: "",
    bytes: b"",
    list: Display("list", ()),
    dict: Display("dict", ()),
    tuple: Display("tuple", ()),
    set: Display("set", ()),
}


class InstanceField(NamedTuple):
    """An attribute by its name, what it is by default, and of which type that is."""

    name: str
    default: object
    hint: Hint = ANY

    @property
    def other(self) -> Value:
        """What its default is not: of a switch the other position, of a thing with contents an empty one, else nothing."""
        if type(self.default) is bool:
            return not self.default
        empty = _EMPTY.get(self.hint.cls) if isinstance(self.hint, ClassHint) else None
        return empty if self.default else None


class Fields:
    """None at first: then nothing is drawn, and every choice stays as it was."""

    def __init__(self) -> None:
        self._known: dict[type, tuple[InstanceField, ...]] = {}

    def learn(self, cls: type, fields: Sequence[InstanceField]) -> None:
        """Instances of ``cls`` have these, the most promising first."""
        if fields:
            self._known[cls] = (*self._known.get(cls, ()), *fields)

    def __bool__(self) -> bool:
        return bool(self._known)

    def of(self, cls: type) -> tuple[InstanceField, ...]:
        """Those of instances of ``cls``."""
        return tuple(field for known, fields in self._known.items() if derives(cls, known) for field in fields)

    def among(self, made: Sequence[tuple[Variable, type | None]]) -> Iterator[tuple[Variable, InstanceField]]:
        """The fields of the variables ``made``, which are of these types."""
        for variable, cls in made:
            if cls is not None:
                yield from ((variable, field) for field in self.of(cls))

    def set_one(
        self, builder: StatementBuilder, statements: list[Statement], made: Sequence[tuple[Variable, type | None]], rng: Random
    ) -> bool:
        """Appends a statement that sets one of them; False where there is none."""
        found = list(self.among(made))
        if not found:
            return False
        variable, field = found[int(rng.random() * rng.random() * len(found))]
        if rng.random() < _OTHER:
            value = builder.literal(statements, field.other)
        else:
            value = builder.argument(statements, field.hint, rng, 2, field.name)
        statements.append(SetAttribute(variable, field.name, value))
        return True
