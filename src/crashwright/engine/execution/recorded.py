"""Real texts, dicts, lists and tuples that note what is asked of them (``execution.recording`` passes them in probing runs). They
are of subclasses, so that C code has the real thing."""

from __future__ import annotations

import dis
import itertools
import sys
from collections.abc import Callable, Iterator
from typing import Any, Protocol, cast

from crashwright.engine.subject.introspection import identities
from crashwright.engine.testcase.making.demanded import composed, number_of
from crashwright.engine.testcase.making.demands import Demand, DemandKind, How
from crashwright.engine.testcase.statements import Scalar

PLAIN_ITEMS = 2
MOST_RESULTS = 6
"""Calls of one asynchronous function that get something: whoever waits for the end of messages would wait for ever."""
SCALARS = identities(type(None), bool, int, float, complex, str, bytes)
"""What a key must be, to be written down."""


_WANTED = identities(int, float, str, bytes)
_CONTAINS, _LOAD_CONST = dis.opmap["CONTAINS_OP"], dis.opmap["LOAD_CONST"]


class Noter(Protocol):
    """The session of a probing run."""

    @property
    def notes_copies(self) -> bool:
        """Whether what is done with a copy of a mapping is to be known: there are values for it then."""

    def look(self, demand: Demand) -> None:
        """Something is asked."""

    def value(self, demand: Demand) -> Any:
        """A value that notes what is asked of it."""

    def convert(self, demand: Demand, kind: DemandKind) -> None:
        """It is of another kind than was thought: the run ends."""

    def walked_key(self) -> str:
        """A key for a mapping that is gone through."""

    def offered(self, demand: Demand) -> dict[str, Any]:
        """Other values in such a mapping, which count if something is asked of them."""


class RecordedText(str):
    """A text that notes what it is compared with."""

    session: Noter
    noted: Demand

    def __eq__(self, other: object) -> bool:
        if (type(other) is str or type(other) is bytes) and str.__str__(self) not in members(sys._getframe(1)):
            self._note(How.EQUAL, other)
        return str.__eq__(self, other) is True

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return str.__hash__(self)

    def __contains__(self, part: object) -> bool:
        self._note(How.HOLDS, part)
        return str.__contains__(self, cast(str, part))

    def startswith(self, prefix: Any, *rest: Any) -> bool:
        self._note(How.STARTS, prefix)
        return str.startswith(self, prefix, *rest)

    def endswith(self, suffix: Any, *rest: Any) -> bool:
        self._note(How.ENDS, suffix)
        return str.endswith(self, suffix, *rest)

    def split(self, *arguments: Any, **keywords: Any) -> list[str]:
        """Parts, of which the separator is noted."""
        self._note(How.HOLDS, arguments[0] if arguments else None)
        return str.split(self, *arguments, **keywords)

    def splitlines(self, *arguments: Any, **keywords: Any) -> list[str]:
        """Lines, of which what they are compared with is noted."""
        self.session.look(self.noted)
        return [_with_parts(RecordedText(line), self.session, self.noted) for line in str.splitlines(self, *arguments, **keywords)]

    def strip(self, *arguments: Any) -> str:
        """Still a text that notes: who strips compares what is left."""
        return cast(str, _with_parts(RecordedText(str.strip(self, *arguments)), self.session, self.noted))

    def lower(self) -> str:
        """As :meth:`strip`."""
        return cast(str, _with_parts(RecordedText(str.lower(self)), self.session, self.noted))

    def partition(self, separator: Any) -> tuple[str, str, str]:
        """As :meth:`split`."""
        self._note(How.HOLDS, separator)
        return str.partition(self, separator)

    def _note(self, how: How, other: object) -> None:
        self.session.look(self.noted)
        for one in other if type(other) is tuple else (other,):
            if type(one) is str and (one or how is How.EQUAL):
                self.noted.want(how, one)
            elif type(one) is bytes:
                self.noted.want(how, one)
                self.session.convert(self.noted, DemandKind.BYTES)


class RecordedBytes(bytes):
    """As :class:`RecordedText`."""

    session: Noter
    noted: Demand

    def __eq__(self, other: object) -> bool:
        if type(other) is bytes or type(other) is str:
            self._note(How.EQUAL, other)
        return bytes.__eq__(self, other) is True

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return bytes.__hash__(self)

    def __contains__(self, part: Any) -> bool:
        self._note(How.HOLDS, part)
        return bytes.__contains__(self, part)

    def startswith(self, prefix: Any, *rest: Any) -> bool:
        self._note(How.STARTS, prefix)
        return bytes.startswith(self, prefix, *rest)

    def endswith(self, suffix: Any, *rest: Any) -> bool:
        self._note(How.ENDS, suffix)
        return bytes.endswith(self, suffix, *rest)

    def decode(self, *arguments: Any, **keywords: Any) -> str:
        """Still a text that notes, for who reads a document in it."""
        return cast(str, _with_parts(RecordedText(bytes.decode(self, *arguments, **keywords)), self.session, self.noted))

    def _note(self, how: How, other: object) -> None:
        self.session.look(self.noted)
        for one in other if type(other) is tuple else (other,):
            if type(one) is bytes and one:
                self.noted.want(how, one)
            elif type(one) is str:
                self.noted.want(how, one)
                self.session.convert(self.noted, DemandKind.TEXT)


class RecordedMapping(dict[Any, Any]):
    """A dict that gives what it is asked for."""

    session: Noter
    noted: Demand
    has_offered = False

    def __missing__(self, key: Any) -> Any:
        if id(type(key)) not in SCALARS or (type(key), key) in self.noted.absent:
            raise KeyError(key)
        return self._given(key)

    def __contains__(self, key: Any) -> bool:
        if not dict.__contains__(self, key) and id(type(key)) in SCALARS and (type(key), key) not in self.noted.absent:
            self._given(key, optional=True)
        return dict.__contains__(self, key)

    def get(self, key: Any, default: Any = None) -> Any:
        """The value that is asked for."""
        present = key in self
        return self[key] if present else default

    def pop(self, key: Any, *default: Any) -> Any:
        """As :meth:`get`; it is gone then."""
        return dict.pop(self, key) if key in self else dict.pop(self, key, *default)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """As :meth:`get`."""
        return self[key] if key in self else dict.setdefault(self, key, default)

    def __iter__(self) -> Iterator[Any]:
        self._walked()
        return dict.__iter__(self)

    def keys(self) -> Any:
        """As :meth:`items` where copies are walks, too: who makes one asks for the keys."""
        if self.session.notes_copies:
            self._walked()
        return dict.keys(self)

    def items(self) -> Any:
        """With one that nobody asked for by its key, which may be looked for among others. Copies (``dict(given)``) are not
        walks."""
        self._walked()
        return dict.items(self)

    def values(self) -> Any:
        """As :meth:`items`."""
        self._walked()
        return dict.values(self)

    def _walked(self) -> None:
        if not self.noted.is_walked:
            self.noted.is_walked = True
            self._given(self.session.walked_key())
        if not self.has_offered:
            self.has_offered = True
            for key, value in self.session.offered(self.noted).items():
                dict.setdefault(self, key, value)

    def _given(self, key: Scalar, optional: bool = False) -> Any:
        self.session.look(self.noted)
        value = self.session.value(self.noted.key(key, optional))
        dict.__setitem__(self, key, value)
        return value


class RecordedList(list[Any]):
    """A list with as many items as it is asked for."""

    session: Noter
    noted: Demand

    def __getitem__(self, place: Any) -> Any:
        self.session.look(self.noted)
        if type(place) is int:
            wanted = place if place >= 0 else -place - 1
            while len(self) <= wanted < 2 * PLAIN_ITEMS:
                self.append(self.session.value(self.noted.item(len(self))))
        return list.__getitem__(self, place)

    def __iter__(self) -> Iterator[Any]:
        self.session.look(self.noted)
        return list.__iter__(self)


class RecordedTuple(tuple[Any, ...]):
    """A tuple that says where it was."""

    session: Noter
    noted: Demand


def members(frame: Any) -> list[Scalar]:
    """The texts or numbers of the set or tuple that ``frame`` is about to look for something in, where it is written down there."""
    code, place = frame.f_code.co_code, frame.f_lasti
    if not 2 <= place < len(code) or code[place] != _CONTAINS or code[place - 2] != _LOAD_CONST:
        return []
    constants = frame.f_code.co_consts
    found: Any = constants[code[place - 1]] if code[place - 1] < len(constants) else None
    if type(found) is not frozenset and type(found) is not tuple:
        return []
    scalars = [one for one in found if id(type(one)) in _WANTED]
    return sorted(scalars) if len({type(one) for one in scalars}) == 1 else []


def _with_parts(value: Any, session: Noter, demand: Demand) -> Any:
    value.session, value.noted = session, demand
    return value


def _text(session: Noter, demand: Demand) -> Any:
    return _with_parts(RecordedText(composed(demand, str, len(demand.wanted) - 1)), session, demand)


def _bytes(session: Noter, demand: Demand) -> Any:
    return _with_parts(RecordedBytes(cast(bytes, composed(demand, bytes, len(demand.wanted) - 1))), session, demand)


def _mapping(session: Noter, demand: Demand) -> Any:
    made = _with_parts(RecordedMapping(), session, demand)
    for _, key in [one for one in demand.keys if one not in demand.absent]:
        dict.__setitem__(made, key, session.value(demand.keys[type(key), key]))
    return made


def _list(session: Noter, demand: Demand) -> Any:
    if not demand.items:
        demand.item(demand.width - 1 if demand.width else 0)
    return _with_parts(RecordedList([session.value(one) for one in demand.items]), session, demand)


def _tuple(session: Noter, demand: Demand) -> Any:
    if not demand.items:
        demand.item(demand.width - 1 if demand.width else 0)
    return _with_parts(RecordedTuple([session.value(one) for one in demand.items]), session, demand)


def _async(session: Noter, demand: Demand) -> Any:
    calls = itertools.count()

    async def recorded(*_arguments: object, **_keywords: object) -> Any:
        session.look(demand)
        number = next(calls)
        if number == MOST_RESULTS:
            raise IndexError("pop from empty list")
        return session.value(demand.item(number))

    return recorded


def _double(session: Noter, demand: Demand) -> Any:
    calls = itertools.count()

    def recorded(*_arguments: object, **_keywords: object) -> Any:
        session.look(demand)
        return session.value(demand.item(min(next(calls), MOST_RESULTS)))

    return recorded


MAKERS: dict[DemandKind, Callable[[Noter, Demand], Any]] = {
    DemandKind.ASYNC: _async,
    DemandKind.DOUBLE: _double,
    DemandKind.MAPPING: _mapping,
    DemandKind.LIST: _list,
    DemandKind.TUPLE: _tuple,
    DemandKind.TEXT: _text,
    DemandKind.BYTES: _bytes,
    DemandKind.NUMBER: lambda _session, demand: number_of(demand),
    DemandKind.REAL: lambda _session, demand: float(number_of(demand)),
    DemandKind.NOTHING: lambda _session, _demand: None,
}
NOTING = identities(RecordedText, RecordedBytes, RecordedMapping, RecordedList, RecordedTuple)
