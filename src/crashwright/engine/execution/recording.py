"""Values that note what is asked of them, for probing runs: they stand where a test passes something unknown, and never in a test
that is kept.

Of a value whose kind is open, an operation that only one kind has decides it: the run is cut short (``Decided``) and the next one
passes a real dict, text or list, of a subclass that still notes. So what C code does with it is done to the real thing. What it
refuses otherwise its message tells (:meth:`Session.refine`).
"""

from __future__ import annotations

import dis
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any, cast

from crashwright.engine.execution.recorded import MAKERS, NOTING, SCALARS, members
from crashwright.engine.subject.introspection import class_dict, class_module, static_attribute
from crashwright.engine.testcase.making.demanded import FILLING
from crashwright.engine.testcase.making.demands import Demand, DemandKind, How
from crashwright.engine.testcase.statements import Scalar

MOST_LOOKS = 2000
"""After so many looks at recording values in one run it is ended: a loop that waits for one to be false has no end."""
_UNPACK = dis.opmap["UNPACK_SEQUENCE"]
_CACHE = dis.opmap.get("CACHE", -1)
_LOAD_METHOD = dis.opmap.get("LOAD_METHOD", -1)
_LOAD_ATTRIBUTE = dis.opmap["LOAD_ATTR"]
_METHODS: dict[str, DemandKind] = {
    name: kind
    for kind, cls in ((DemandKind.LIST, list), (DemandKind.BYTES, bytes), (DemandKind.TEXT, str), (DemandKind.MAPPING, dict))
    for name in class_dict(cls)
    if not name.startswith("_") and name != "copy"
}
"""Methods that builtins have, and whose they mostly are."""
_WITH_ARGUMENTS = frozenset("get setdefault append extend insert remove index count join startswith endswith replace".split())
"""Those of them that are of no use without arguments."""
_CALLS = frozenset(dis.opmap[name] for name in ("PRECALL", "CALL", "CALL_METHOD") if name in dis.opmap)
_KINDS: dict[int, DemandKind] = {
    id(str): DemandKind.TEXT,
    id(bytes): DemandKind.BYTES,
    id(int): DemandKind.NUMBER,
    id(bool): DemandKind.NUMBER,
    id(float): DemandKind.REAL,
}
_WORDS: tuple[tuple[str, DemandKind], ...] = (
    (r"\bstr(ing)?\b", DemandKind.TEXT),
    (r"\bbytes\b|\bbytes-like\b", DemandKind.BYTES),
    (r"\bint(eger)?\b", DemandKind.NUMBER),
    (r"\bfloat\b|\breal number\b|\bnumber\b", DemandKind.REAL),
    (r"\bdict\b|\bmapping\b|\bdictionary\b", DemandKind.MAPPING),
    (r"\btuple\b", DemandKind.TUPLE),
    (r"\blist\b|\bsequence\b|\biterable\b|\biterator\b", DemandKind.LIST),
    (r"\bcallable\b", DemandKind.CALLABLE),
)
"""Words for kinds, as messages of TypeErrors use them for what they expect."""
_GOT = re.compile(r"(, |\bnot |\bgot )?[^ ]*\bRecorded\w*")
_SAYS = re.compile(r"\b(expected|must be|should be|can only)\b")
_FEW = re.compile(r"(?:not enough|too many) values to unpack \(expected (?:at least )?(\d+)")


_LACKING = re.compile(r"\(\) missing \d+ required (?:positional|keyword-only) arguments?: (.+)", re.DOTALL)


class Decided(BaseException):
    """What a value is to be has become clear: the run may end."""


class EnoughAsked(BaseException):
    """The run asks on and on."""


class RecordingSession:
    """One probing run at a time. ``keys`` are those under which tables have what the code is to come to, the outermost first.
    ``doubts``: note also of which values it is asked whether they are true. ``words``: keys that mappings have when they are gone
    through: what is asked of a copy is noted nowhere else."""

    def __init__(self, keys: Sequence[str] = (), doubts: bool = False, words: Sequence[str] = ()) -> None:
        self._keys = keys
        self._words = words
        self._offered: list[tuple[Demand, Demand]] = []
        self._doubts = doubts
        self._walked = 0
        self._looks = 0
        self._choices = 0
        self._denied: Demand | None = None
        self._latest: Demand | None = None
        self._sequence: Demand | None = None
        self._mapping: Demand | None = None

    def begin_anew(self) -> None:
        """Before the runs of another test."""
        self._walked = 0

    def begin(self, denied: Demand | None = None) -> None:
        """Before a run, in which a value that is ``denied`` is false."""
        self._denied = denied
        self._looks = self._choices = 0
        self._latest = self._sequence = self._mapping = None

    @property
    def notes_copies(self) -> bool:
        """See :class:`recorded.Noter`."""
        return bool(self._words)

    @property
    def looks(self) -> int:
        """How often something was asked in this run: how far it came."""
        return self._looks

    def value(self, demand: Demand) -> Any:
        """A value that notes in ``demand`` what is asked of it, and is what is known so far."""
        self._remember(demand)
        maker = MAKERS.get(demand.kind)
        return RecordedValue(self, demand) if maker is None else maker(self, demand)

    def look(self, demand: Demand) -> None:
        """Something is asked."""
        self._looks += 1
        if self._looks > MOST_LOOKS:
            raise EnoughAsked
        self._remember(demand)

    def _remember(self, demand: Demand) -> None:
        """What is looked at last is what an error is about."""
        if demand.kind in (DemandKind.OPEN, DemandKind.OBJECT):
            self._latest = demand
        elif demand.kind is DemandKind.MAPPING:
            self._mapping = demand
        elif demand.kind in (DemandKind.LIST, DemandKind.TUPLE):
            self._sequence = demand

    def decide(self, demand: Demand, kind: DemandKind) -> None:
        """``demand`` is of ``kind``: so it shall be in the next run."""
        self.look(demand)
        demand.kind = kind if demand.kind in (DemandKind.OPEN, DemandKind.OBJECT) else demand.kind
        raise Decided

    def convert(self, demand: Demand, kind: DemandKind) -> None:
        """See :class:`recorded.Noter`."""
        demand.kind = kind
        raise Decided

    def truth(self, demand: Demand) -> bool:
        """Whether the value is true: so are all but one."""
        self.look(demand)
        demand.is_decided_on = self._doubts
        return demand is not self._denied

    def walked_key(self) -> str:
        """See :class:`recorded.Noter`. What is gone through by names of handlers is mostly one mapping within the other."""
        self._walked += 1
        return self._keys[self._walked - 1] if self._walked <= len(self._keys) else FILLING

    def offered(self, demand: Demand) -> dict[str, Any]:
        """See :class:`recorded.Noter`."""
        made: dict[str, Any] = {}
        for word in self._words if not demand.layout else ():
            below = Demand(word, demand.depth + 1)
            self._offered.append((demand, below))
            made[word] = self.value(below)
        return made

    def settle(self) -> bool:
        """After a run: what was asked of what was offered is asked of the mappings. Whether there was something."""
        asked = [(demand, below) for demand, below in self._offered if below.is_looked_at or below.is_tested]
        for demand, below in asked:
            demand.keys.setdefault((str, below.name), below)
            demand.optional.setdefault((str, below.name))
        self._offered.clear()
        return bool(asked)

    def choose(self, demand: Demand, among: Sequence[Scalar]) -> None:
        """``demand`` is one of these, each time another: of what comes in turn each way is seen."""
        place = self._choices % len(among)
        self._choices += 1
        for value in (*among[place + 1 :], *among[: place + 1]):
            demand.want(How.EQUAL, value)
        self.decide(demand, _KINDS[id(type(among[0]))])

    def refine(self, error: BaseException | None) -> bool:
        """Learn from what ended the run; whether there was something."""
        kind, text = type(error), _message(error)
        if kind is KeyError and error is not None and error.args and self._mapping is not None:
            key = error.args[0]
            if id(type(key)) in SCALARS and (type(key), key) not in self._mapping.keys:
                self._mapping.key(key)
                return True
        elif kind is AttributeError and error is not None:
            return self._lacks(cast(AttributeError, error))
        elif kind is ValueError and self._sequence is not None and (found := _FEW.match(text)):
            self._sequence.unpacked(int(found[1]))
            return True
        elif kind is IndexError and self._sequence is not None and "index out of range" in text:
            self._sequence.item(len(self._sequence.items))
            return True
        elif kind is TypeError and self._mapping is not None and (lacking := _LACKING.search(text)):
            return self._taken_apart(re.findall(r"'(\w+)'", lacking[1]), self._mapping)
        elif kind is TypeError and self._latest is not None and "Recorded" in text:
            return self._expected(_GOT.sub("", text), self._latest)
        return False

    def _lacks(self, error: AttributeError) -> bool:
        """A value of a kind that does not have what it is asked for is an object."""
        if id(type(error.obj)) not in NOTING or type(error.name) is not str or error.name.startswith("__"):
            return False
        try:
            demand: Demand = cast(Any, error.obj).noted
        except AttributeError:
            return False  # a copy that the subject has made without asking our classes
        demand.kind = DemandKind.OPEN
        demand.attribute(error.name)
        return True

    @staticmethod
    def _taken_apart(names: Sequence[str], mapping: Demand) -> bool:
        """Arguments that a call lacks which takes a mapping apart are its keys."""
        new = [name for name in names if (str, name) not in mapping.keys]
        for name in new:
            mapping.key(name)
        return bool(new)

    def _expected(self, text: str, demand: Demand) -> bool:
        if demand.kind not in (DemandKind.OPEN, DemandKind.OBJECT) or demand.attributes:
            return False  # it is about another one
        said = _SAYS.search(text)
        text = text[said.end() :] if said else text
        places = [(found.start(), kind) for word, kind in _WORDS if (found := re.search(word, text))]
        if not places:
            return False
        demand.kind = min(places, key=lambda place: place[0])[1]
        return True


def _message(error: BaseException | None) -> str:
    """The text of an exception of the interpreter's own."""
    args = () if error is None or class_module(type(error)) != "builtins" else error.args
    return args[0] if args and type(args[0]) is str else ""


class RecordedValue:
    """A value of open kind, or an object."""

    __slots__ = ("__dict__", "_noted", "_session")

    def __init__(self, session: RecordingSession, noted: Demand) -> None:
        object.__setattr__(self, "_session", session)
        object.__setattr__(self, "_noted", noted)

    def __getattr__(self, name: str) -> Any:
        session, noted = _parts(self)
        session.look(noted)
        if name.startswith("__"):
            raise AttributeError(name)
        if noted.kind is DemandKind.OPEN and name in _METHODS and _is_of_builtin(name, sys._getframe(1)):
            session.decide(noted, _METHODS[name])
        value = session.value(noted.attribute(name))
        object.__setattr__(self, name, value)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        _parts(self)[1].is_tested = True
        return RecordedValue

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        session, noted = _parts(self)
        session.look(noted)
        owner = noted.owner
        is_apt = noted.name in _METHODS and (bool(args or kwargs) or noted.name not in _WITH_ARGUMENTS)
        if noted.kind is DemandKind.OPEN and owner is not None and is_apt and _is_all(noted, owner):
            owner.attributes.clear()  # a method that was fetched for later
            session.convert(owner, _METHODS[noted.name])
        if noted.kind is DemandKind.OPEN:
            noted.kind = DemandKind.CALLABLE
        return session.value(noted.returned())

    def __bool__(self) -> bool:
        session, noted = _parts(self)
        return session.truth(noted)

    def __getitem__(self, key: Any) -> Any:
        session, noted = _parts(self)
        if noted.cls is not None:
            return _special(self, "__getitem__")
        if id(type(key)) in SCALARS and type(key) is not int:
            noted.key(key)
            session.decide(noted, DemandKind.MAPPING)
        session.decide(noted, DemandKind.LIST)
        raise AssertionError  # decide raises

    def __setitem__(self, key: Any, _value: Any) -> None:
        session, noted = _parts(self)
        session.decide(noted, DemandKind.LIST if type(key) is int else DemandKind.MAPPING)

    def __iter__(self) -> Iterator[Any]:
        session, noted = _parts(self)
        width = unpacking(sys._getframe(1))
        if width:
            noted.unpacked(width)
        session.decide(noted, DemandKind.TUPLE if width else DemandKind.LIST)
        raise AssertionError  # decide raises

    def __len__(self) -> int:
        session, noted = _parts(self)
        if noted.cls is not None:
            return int(_special(self, "__len__"))
        session.decide(noted, DemandKind.LIST)
        raise AssertionError

    def __contains__(self, item: Any) -> bool:
        session, noted = _parts(self)
        if noted.cls is not None:
            return bool(_special(self, "__contains__"))
        if type(item) is str:
            noted.key(item, optional=True)
            session.decide(noted, DemandKind.MAPPING)
        session.decide(noted, DemandKind.LIST)
        raise AssertionError

    def __eq__(self, other: object) -> bool:
        return _same(self, other)

    def __ne__(self, other: object) -> bool:
        return not _same(self, other)

    def __hash__(self) -> int:
        among = members(sys._getframe(1))
        if among:
            session, noted = _parts(self)
            session.choose(noted, among)
        return 1

    def __await__(self) -> Iterator[Any]:
        session, noted = _parts(self)
        session.look(noted)
        if noted.caller is not None:
            session.convert(noted.caller, DemandKind.ASYNC)
        raise TypeError("a value that cannot be awaited")

    def __enter__(self) -> Any:
        session, noted = _parts(self)
        if noted.cls is not None:
            return _special(self, "__enter__")
        session.look(noted)
        noted.kind = DemandKind.MANAGER
        return session.value(noted.returned())

    def __exit__(self, *_: object) -> None:
        return None

    def __index__(self) -> int:
        session, noted = _parts(self)
        session.decide(noted, DemandKind.NUMBER)
        raise AssertionError

    __int__ = __index__

    def __float__(self) -> float:
        session, noted = _parts(self)
        session.decide(noted, DemandKind.REAL)
        raise AssertionError

    def __fspath__(self) -> str:
        session, noted = _parts(self)
        session.decide(noted, DemandKind.TEXT)
        raise AssertionError

    def __repr__(self) -> str:
        return "<a value>"


def _special(one: RecordedValue, name: str) -> Any:
    """What the special method of that name gives, which the class of the object has to have."""
    session, noted = _parts(one)
    if noted.cls is None or static_attribute(noted.cls, name) is None:
        raise TypeError(f"an object without {name}")
    session.look(noted)
    method = noted.attribute(name)
    method.kind = DemandKind.CALLABLE
    return session.value(method.returned())


def _same(one: RecordedValue, other: object) -> bool:
    session, noted = _parts(one)
    session.look(noted)
    kind = _KINDS.get(id(type(other)))
    if kind is not None and type(other) is not bool:
        noted.want(How.EQUAL, cast(Scalar, other))
        session.decide(noted, kind)
    return one is other


def _calculates(name: str) -> Any:
    def method(self: RecordedValue, other: Any = None) -> Any:
        session, noted = _parts(self)
        session.decide(noted, _KINDS.get(id(type(other)), DemandKind.NUMBER))

    method.__name__ = name
    return method


for _name in (
    *("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "floordiv", "mod", "rmod", "pow", "divmod"),
    *("and", "rand", "or", "ror", "lshift", "rshift", "neg", "invert", "abs", "round", "lt", "le", "gt", "ge"),
):
    setattr(RecordedValue, f"__{_name}__", _calculates(f"__{_name}__"))


def _is_all(attribute: Demand, owner: Demand) -> bool:
    """Whether nothing else was asked of an object that no signature describes."""
    return owner.kind is DemandKind.OBJECT and owner.cls is None and list(owner.attributes.values()) == [attribute]


def _parts(value: RecordedValue) -> tuple[RecordingSession, Demand]:
    return cast(RecordingSession, value._session), cast(Demand, value._noted)


def unpacking(frame: Any) -> int:
    """Into how many names the instruction that ``frame`` stands at unpacks; 0 where it is another."""
    code, place = frame.f_code.co_code, frame.f_lasti
    return code[place + 1] if 0 <= place < len(code) - 1 and code[place] == _UNPACK else 0


def _is_of_builtin(name: str, frame: Any) -> bool:
    """Whether ``frame`` is about to call the method ``name`` as one of a builtin would be."""
    return fetches_method(frame) and not (name in _WITH_ARGUMENTS and calls_with_nothing(frame))


def fetches_method(frame: Any) -> bool:
    """Whether the attribute that ``frame`` is about to get is called next."""
    code, place = frame.f_code.co_code, frame.f_lasti
    if not 0 <= place < len(code) - 1:
        return False
    if code[place] == _LOAD_METHOD:
        return True
    return sys.version_info >= (3, 12) and code[place] == _LOAD_ATTRIBUTE and bool(code[place + 1] & 1)


def calls_with_nothing(frame: Any) -> bool:
    """Whether the method that ``frame`` is about to get is called at once, without arguments."""
    code, place = frame.f_code.co_code, frame.f_lasti + 2
    while place < len(code) - 1 and code[place] == _CACHE:
        place += 2
    return place < len(code) - 1 and code[place] in _CALLS and code[place + 1] == 0
