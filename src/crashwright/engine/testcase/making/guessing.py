"""What an untyped parameter probably takes, judged by its name: weights per kind of value, text the commonest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.types import ANY, NONE, ClassHint, Hint, TypeHint, accepts
from crashwright.engine.subject.introspection import class_name
from crashwright.engine.testcase.statements import Literal, Value
from crashwright.engine.testcase.typed import type_of
from crashwright.engine.wants.parameter_names import CALLABLE, INT, TEXT, said_by_name, snake_case

_BASE: tuple[tuple[Hint, float], ...] = (
    (TEXT, 0.42),
    (INT, 0.13),
    (NONE, 0.1),
    (ClassHint(list), 0.1),
    (ClassHint(dict), 0.08),
    (ClassHint(bytes), 0.06),
    (ClassHint(bool), 0.03),
    (ClassHint(float), 0.03),
    (ClassHint(tuple), 0.02),
    (CALLABLE, 0.03),
)
_PER_WEIGHT = 4  # tickets
_FOR_CLASSES = ("class", "cls", "type")
_SAID = 0.6  # how much the name decides
MOST_SHOWN = 12
"""Values that are suggested for parameters of one name."""
TRUSTED = 0.85
"""How often a suggestion is followed, where nothing else is said."""


class NameModel:
    """Draws hints for names. ``classes`` of the subject match parameters that are called after them."""

    __slots__ = ("_by_snake", "_classes", "_tables")

    def __init__(self, classes: Iterable[type]) -> None:
        self._classes = [ClassHint(cls) for cls in classes]
        self._by_snake = {snake_case(class_name(hint.cls)): hint for hint in self._classes}
        self._tables: dict[str, Hint | None] = {}

    def guess(self, name: str, rng: Random) -> Hint:
        """A hint for a parameter of that name: by its name six times of ten, else any kind."""
        roll = rng.random()
        if roll < _SAID and name:
            said = self.said(name)
            if said is not None:
                return said
        if roll > 0.93 and self._classes:
            return self._classes[int(rng.random() * len(self._classes))]
        roll = rng.random()
        for hint, weight in _BASE:
            roll -= weight
            if roll < 0:
                return hint
        return TEXT

    def said(self, name: str) -> Hint | None:
        """What the name alone says; None where that is nothing."""
        return self._tables[name] if name in self._tables else self._said(name)

    def _said(self, name: str) -> Hint | None:
        found = self._tables[name] = self._class_called(name) or said_by_name(name, self._by_snake)
        return found

    def _class_called(self, name: str) -> Hint | None:
        """The class that ``node_class`` asks for: ``Node``, or the one class of the subject whose name ends so."""
        stem, _, last = name.strip("_").lower().rpartition("_")
        if not stem or last not in _FOR_CLASSES:
            return None
        ends = [hint for snake, hint in self._by_snake.items() if snake.endswith(f"_{stem}")]
        found = self._by_snake.get(stem) or (ends[0] if len(ends) == 1 else None)
        return TypeHint(found.cls) if found is not None else None


_NONE: tuple[list[Hint], float] = ([], 0.0)


class TypeSuggestions:
    """Types for single parameters without a type, such as what their use in the function shows (``subject.usage.use_hints``). A
    draw is one index into a list of tickets."""

    __slots__ = ("_shown", "_tickets")

    def __init__(self) -> None:
        self._tickets: dict[tuple[Callee, str], tuple[list[Hint], float]] = {}
        self._shown: dict[str, tuple[Value, ...]] = {}

    def show(self, values: Mapping[str, tuple[Value, ...]]) -> None:
        """Suggest values for parameters by their names."""
        self._shown.update(values)

    def show_more(self, values: Mapping[str, tuple[Value, ...]]) -> None:
        """Likewise, beside those that are suggested already."""
        for name, more in values.items():
            known = {repr(one): one for one in self._shown.get(name, ())}
            self._shown[name] = tuple(({repr(one): one for one in more} | known).values())[:MOST_SHOWN]

    def shown(self, name: str, hint: Hint, share: float, rng: Random) -> Literal | None:
        """In ``share`` of the cases a value that is shown for a parameter of that name, where it is of the type that ``hint`` asks
        for. The literal has no variable yet."""
        values = self._shown.get(name)
        if not values or rng.random() >= share:
            return None
        literal = Literal(-1, values[int(rng.random() * len(values))])
        cls = type_of(literal, {})
        return literal if cls is not None and accepts(hint, cls) else None

    def add(self, callee: Callee, parameter: str, weighted: Iterable[tuple[Hint, float]], trust: float = TRUSTED) -> None:
        """Suggest these types, with their weights; ``trust`` is the chance that a draw follows that."""
        tickets = [hint for hint, weight in weighted for _ in range(max(1, round(weight * _PER_WEIGHT)))]
        if tickets:
            self._tickets[callee, parameter] = tickets, trust

    def draw(self, callee: Callee, parameter: str, rng: Random) -> Hint:
        """A type for the parameter; ANY where none is suggested, and now and then."""
        tickets, trust = self._tickets.get((callee, parameter), _NONE)
        if not tickets or rng.random() > trust:
            return ANY
        return tickets[int(rng.random() * len(tickets))]
