"""What the probes of rewritten code (``rewriting``) note in a run: what its decisions are about, where in the values of the test
that comes from, and what in its place would have decided otherwise.

The subject gets exactly what it would get without: each probe does what stood in its place, once, and hands the result on. Nothing
is asked of its own objects.

# Deviation: not in the papers. Input-to-state correspondence (Aschermann et al., REDQUEEN, 2019) puts operands of comparisons where
they stand in the input; here they are objects, and the input is the values of a test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from types import BuiltinFunctionType
from typing import Any

from crashwright.engine.instrument.operand_log.changes import AskedDecision, ChangeKind, WantedChange
from crashwright.engine.instrument.operations import COMPARISONS, ORDERINGS
from crashwright.engine.subject.introspection import derives, identities, is_class

MOST_NOTES, MOST_OF_ONE = 1500, 8
"""Of a run, and of one decision."""
CHOICES = 8
"""Items of a container that a value may become."""
LONGEST = 200
Places = Callable[[object], tuple[object, ...]]
"""Where in the values of the test something is."""
_NAME: Callable[[object], str] = vars(BuiltinFunctionType)["__name__"].__get__
_SCALARS = identities(type(None), bool, int, float, complex, str, bytes)
_SIZED = identities(list, tuple, dict, set, frozenset, str, bytes)
_HOLDING = identities(list, tuple, dict, set, frozenset)
_NEGATIVE = frozenset(("!=", "not in", "is not"))
_OTHERS: Mapping[type, Callable[[Any], tuple[object, ...]]] = {
    type(None): lambda _: (1, "a"),
    bool: lambda value: (not value,),
    int: lambda value: (value + 1, 0) if value else (1,),
    float: lambda value: (value + 1.0, 0.0) if value else (1.0,),
    str: lambda value: ("" if value else "a", None),
    bytes: lambda value: (b"" if value else b"a",),
}
"""For a plain value: others, whose truth is another one where that can be."""


class OperandLog:
    """``asked`` are the notes of the run in progress, which is one between ``begin`` and ``end``."""

    def __init__(self) -> None:
        self._places: Places | None = None
        self._asked: dict[AskedDecision, None] = {}
        self._of_site: dict[int, int] = {}
        self._lengths: dict[int, tuple[object, ...]] = {}

    def begin(self, places: Places) -> None:
        """A run begins."""
        self._places = places
        self._asked, self._of_site, self._lengths = {}, {}, {}

    def end(self) -> list[AskedDecision]:
        """What it noted, in order. Code that still runs notes in vain."""
        self._places = None
        return [*self._asked]

    # The probes

    def compare(self, symbol: str, left: Any, right: Any, site: int, /) -> Any:
        """A comparison."""
        result = COMPARISONS[symbol](left, right)
        if self._is_open(site):
            self._compared(symbol, left, right, site, result)
        return result

    def truth(self, value: Any, site: int, /) -> Any:
        """``value``, about to be asked for its truth or for its elements."""
        if self._is_open(site):
            kind = type(value)
            side = bool(value) if id(kind) in _SCALARS or id(kind) in _SIZED else None
            for one in _otherwise(value, side):
                self._note(site, side, value, *one)
        return value

    def item(self, value: Any, index: Any, site: int, /) -> Any:
        """``value[index]``."""
        try:
            return value[index]
        except (KeyError, IndexError, TypeError):
            if self._is_open(site):
                self._lacking(site, False, value, index)
            raise

    def wrap(self, function: Any, site: int, /) -> Any:
        """``function``, about to be called: itself, or what calls it and looks at the result."""
        if type(function) is not BuiltinFunctionType or not self._is_open(site):
            return function
        owner = function.__self__
        row = _FUNCTIONS.get(id(function))
        if row is None:
            row = _methods_of(type(owner)).get(_NAME(function))
        return function if row is None else partial(_called, function, row, self, owner, site)

    # What they note

    def _is_open(self, site: int) -> bool:
        return self._places is not None and self._of_site.get(site, 0) < MOST_OF_ONE and len(self._asked) < MOST_NOTES

    def _note(self, site: int, side: bool | None, value: object, way: ChangeKind, what: object) -> None:
        if self._places is None or not (spots := self._places(value)):
            return
        if way is ChangeKind.SAME:
            what = self._places(what)[:1]
            if not what or what[0] in spots:
                return
            what = what[0]
        self._keep(site, side, spots, way, what)

    def _keep(self, site: int, side: bool | None, spots: tuple[object, ...], way: ChangeKind, what: object) -> None:
        asked = AskedDecision(site, side, WantedChange(spots, way, what))
        if asked not in self._asked:
            self._asked[asked] = None
            self._of_site[site] = self._of_site.get(site, 0) + 1

    def _compared(self, symbol: str, left: Any, right: Any, site: int, result: object) -> None:
        side = result if result is True or result is False else None
        if symbol in ("in", "not in"):
            self._member(site, side, left, right, (side is True) is (symbol == "in"))
        elif symbol in ORDERINGS:
            for one, other in ((left, right), (right, left)):
                self._ordered(site, side, one, other)
        else:
            is_equal = (side is True) is (symbol not in _NEGATIVE)
            for one, other in ((left, right), (right, left)):
                for way in _otherwise(one, None) if is_equal else _like(other):
                    self._note(site, side, one, *way)
                if not is_equal and type(one) is int:
                    self._sized(site, side, one, other)

    def _ordered(self, site: int, side: bool | None, one: Any, other: Any) -> None:
        if type(other) is int or type(other) is float:
            if type(one) is int:
                self._sized(site, side, one, other)
            for value in (other, other + 1, other - 1):
                self._note(site, side, one, ChangeKind.VALUE, value)
        else:
            for way in _like(other):
                self._note(site, side, one, *way)

    def _sized(self, site: int, side: bool | None, length: int, other: Any) -> None:
        """``length`` may be that of something."""
        spots = self._lengths.get(length)
        if spots and type(other) is int:
            for wanted in (other, other + 1, other - 1):
                if 0 <= wanted <= LONGEST:
                    self._keep(site, side, spots, ChangeKind.LENGTH, wanted)

    def _member(self, site: int, side: bool | None, item: Any, items: Any, is_in: bool) -> None:
        kind = type(items)
        if is_in:
            for way in _otherwise(item, None):
                self._note(site, side, item, *way)
            self._note(site, side, items, ChangeKind.LENGTH, 0)
            return
        if id(kind) in _HOLDING:
            for one in [*islice(items, CHOICES)]:
                for way in _like(one):
                    self._note(site, side, item, *way)
        elif kind is str is type(item):
            self._note(site, side, item, ChangeKind.VALUE, items[:1])
        self._lacking(site, side, items, item)

    def _lacking(self, site: int, side: bool | None, items: Any, item: Any) -> None:
        kind = type(items)
        if kind is str or kind is bytes:
            if type(item) is kind and len(item) < LONGEST:
                self._note(site, side, items, ChangeKind.VALUE, items + item)
        elif id(type(item)) in _SCALARS:
            self._note(site, side, items, ChangeKind.ITEM, item)

    # What rows of calls note

    def choice(self, site: int, side: bool | None, value: object, ways: Iterable[tuple[ChangeKind, object]]) -> None:
        """Each of these would have changed it."""
        for way, what in ways:
            self._note(site, side, value, way, what)

    def lacks(self, site: int, items: object, item: object) -> None:
        """``item`` was looked for in vain."""
        self._lacking(site, False, items, item)

    def measured(self, value: object, length: int) -> None:
        """``value`` is so long."""
        if self._places is not None and (spots := self._places(value)):
            self._lengths[length] = spots


def _like(value: Any) -> Iterator[tuple[ChangeKind, object]]:
    """What equals ``value``."""
    kind = type(value)
    if id(kind) in _SCALARS:
        if (kind is not str and kind is not bytes) or len(value) < LONGEST:
            yield ChangeKind.VALUE, value
    else:
        yield ChangeKind.SAME, value


def _otherwise(value: Any, side: bool | None) -> Iterator[tuple[ChangeKind, object]]:
    """What does not equal ``value``, or is true where that is false."""
    kind = type(value)
    if id(kind) in _HOLDING:
        yield ChangeKind.LENGTH, 0 if len(value) else 1
    elif kind in _OTHERS:
        for one in _OTHERS[kind](value):
            yield ChangeKind.VALUE, one
    elif side is None:
        yield ChangeKind.VALUE, None


Row = Callable[[OperandLog, Any, tuple[Any, ...], Any, int], None]


def _called(function: Any, row: Row, log: OperandLog, owner: Any, site: int, *arguments: Any, **named: Any) -> Any:
    made = function(*arguments, **named)
    row(log, owner, arguments, made, site)
    return made


def _instance(log: OperandLog, _: Any, arguments: tuple[Any, ...], made: Any, site: int) -> None:
    value, classes = arguments
    if made is True:
        log.choice(site, True, value, ((ChangeKind.VALUE, None), *_otherwise(value, None)))
        return
    found = [one for one in (classes if type(classes) is tuple else (classes,)) if is_class(one)]
    log.choice(site, False, value, [(ChangeKind.INSTANCE, one) for one in found[:CHOICES]])


def _attribute(log: OperandLog, _: Any, arguments: tuple[Any, ...], made: Any, site: int) -> None:
    if len(arguments) > 1 and type(arguments[1]) is str and (made is False or (len(arguments) > 2 and made is arguments[2])):
        log.choice(site, False, arguments[0], [(ChangeKind.ATTRIBUTE, arguments[1])])


def _length(log: OperandLog, _: Any, arguments: tuple[Any, ...], made: Any, __: int) -> None:
    if type(made) is int:
        log.measured(arguments[0], made)


def _looked_up(log: OperandLog, table: Any, arguments: tuple[Any, ...], made: Any, site: int) -> None:
    if arguments and (made is None or (len(arguments) > 1 and made is arguments[1])):
        log.lacks(site, table, arguments[0])


def _affix(log: OperandLog, text: Any, arguments: tuple[Any, ...], made: Any, site: int, at_start: bool) -> None:
    wanted = arguments[0] if arguments else None
    for one in wanted if type(wanted) is tuple else (wanted,):
        if type(one) is type(text):
            if made is False:
                log.choice(site, False, text, [(ChangeKind.VALUE, one + text if at_start else text + one)])
            else:
                log.choice(site, True, text, [(ChangeKind.VALUE, text[len(one) :] if at_start else text[: -len(one) or None])])


def _kind(log: OperandLog, text: Any, _: tuple[Any, ...], made: Any, site: int, sample: str) -> None:
    log.choice(site, made, text, [(ChangeKind.VALUE, sample if made is False else "?")])


_FUNCTIONS: Mapping[int, Row] = {
    id(function): row
    for function, row in (
        (isinstance, _instance),
        (hasattr, _attribute),
        (getattr, _attribute),
        (len, _length),
    )
}
_TABLES: Mapping[str, Row] = dict.fromkeys(("get", "pop", "setdefault"), _looked_up)
_TEXTS: Mapping[str, Row] = {
    "startswith": partial(_affix, at_start=True),
    "endswith": partial(_affix, at_start=False),
    **dict.fromkeys(("isdigit", "isdecimal", "isnumeric", "isalnum"), partial(_kind, sample="0")),
    **dict.fromkeys(("isalpha", "isidentifier", "islower"), partial(_kind, sample="a")),
    "isupper": partial(_kind, sample="A"),
    "isspace": partial(_kind, sample=" "),
}
_NO_ROWS: Mapping[str, Row] = {}


def _methods_of(kind: type) -> Mapping[str, Row]:
    if derives(kind, dict):
        return _TABLES
    return _TEXTS if kind is str else _NO_ROWS


def probes_of(log: OperandLog) -> Mapping[str, object]:
    """By the names that rewritten code has for them."""
    return {"wrap": log.wrap, "compare": log.compare, "item": log.item, "truth": log.truth}
