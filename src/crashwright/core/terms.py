"""Terms: what the symbolic engine says about values and the heap, and what the search measures on live objects.

A term is a tree (a directed acyclic graph where parts are shared) of :class:`Term`, each with an operator and a sort. Terms are
made by the constructors of ``symbolic.values``, which fold what is known; they become solver expressions in ``symbolic.solving``
alone, and are measured on live objects by ``engine.goals.crash.precondition``. This module is what both wings need: the noun, its
operators with their sorts, and the form in which it crosses between them.

The value model: a Python value is one of the alternatives of ``Sort.VALUE`` (``OF_INTEGER`` and kin make one, ``IS_INTEGER`` and
kin ask which, ``INTEGER_IN`` and kin take it out again). An object is a reference; what it holds stands in arrays by the
reference, which are the heap: one array of fields for each attribute name, one of sizes, of elements by index, of keys, of values
by key, and one of classes, which never changes. Lists, tuples, sets and deques share sizes and elements.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from crashwright.core.codec import Undecodable


class Sort(Enum):
    """What a term stands for."""

    __hash__ = object.__hash__  # terms hash their sorts all the time

    VALUE = "value"
    """Any Python value, or UNDEFINED (an unbound local, an absent attribute)."""
    TRUTH = "truth"
    INTEGER = "integer"
    REAL = "real"
    TEXT = "text"
    BYTES = "bytes"
    REFERENCE = "reference"
    CLASS = "class"
    FIELD = "field"
    """REFERENCE -> VALUE"""
    SIZES = "sizes"
    """REFERENCE -> INTEGER"""
    ITEMS = "items"
    """INTEGER -> VALUE: what one sequence holds."""
    ELEMENTS = "elements"
    """REFERENCE -> ITEMS"""
    KEYS = "keys"
    """VALUE -> TRUTH: which keys one mapping or set has."""
    KEY_SETS = "key sets"
    """REFERENCE -> KEYS"""
    MAPPING = "mapping"
    """VALUE -> VALUE: what one mapping has for a key."""
    MAPPINGS = "mappings"
    """REFERENCE -> MAPPING"""
    CLASSES = "classes"
    """REFERENCE -> CLASS"""


ARRAYS: Final[Mapping[Sort, tuple[Sort, Sort]]] = MappingProxyType(
    {
        Sort.FIELD: (Sort.REFERENCE, Sort.VALUE),
        Sort.SIZES: (Sort.REFERENCE, Sort.INTEGER),
        Sort.ITEMS: (Sort.INTEGER, Sort.VALUE),
        Sort.ELEMENTS: (Sort.REFERENCE, Sort.ITEMS),
        Sort.KEYS: (Sort.VALUE, Sort.TRUTH),
        Sort.KEY_SETS: (Sort.REFERENCE, Sort.KEYS),
        Sort.MAPPING: (Sort.VALUE, Sort.VALUE),
        Sort.MAPPINGS: (Sort.REFERENCE, Sort.MAPPING),
        Sort.CLASSES: (Sort.REFERENCE, Sort.CLASS),
    }
)
"""The sorts that are arrays: by what, of what."""


class Op(Enum):
    """Operators. ``SIGNATURES`` has the sorts of those that are no leaf and take no array."""

    __hash__ = object.__hash__

    # Leaves. ``payload`` is the Python constant, the name, or the reason.
    LITERAL = "literal"
    """A constant: bool, int, float (REAL), str, bytes, of the sort that the term has; of CLASS a text ``module:qualname``; of
    REFERENCE an int: those of objects made on a path are negative and differ from each other."""
    NONE = "none"
    UNDEFINED = "undefined"
    INPUT = "input"
    """A parameter, cell or global of the frame at its entry (VALUE), by its name; or the heap at its entry, by the attribute's name
    (FIELD) or no name (the other arrays)."""
    SYMBOL = "symbol"
    """A constant without a meaning beyond what is said of it: a version of a variable or of the heap."""
    UNKNOWN = "unknown"
    """A result of what is not modelled; ``payload`` is (number, reason)."""
    # Alternatives of VALUE
    OF_TRUTH, OF_INTEGER, OF_REAL, OF_TEXT, OF_BYTES, OF_REFERENCE, OF_CLASS = (
        "of truth", "of integer", "of real", "of text", "of bytes", "of reference", "of class",
    )  # fmt: skip
    IS_NONE, IS_UNDEFINED, IS_TRUTH, IS_INTEGER, IS_REAL, IS_TEXT, IS_BYTES, IS_REFERENCE, IS_CLASS = (
        "is none", "is undefined", "is truth", "is integer", "is real", "is text", "is bytes", "is reference", "is class",
    )  # fmt: skip
    TRUTH_IN, INTEGER_IN, REAL_IN, TEXT_IN, BYTES_IN, REFERENCE_IN, CLASS_IN = (
        "truth in", "integer in", "real in", "text in", "bytes in", "reference in", "class in",
    )  # fmt: skip
    # Logic and equality; EQUAL and CHOICE take any sort.
    NOT, AND, OR, EQUAL, CHOICE = "not", "and", "or", "equal", "choice"
    """AND and OR take any number of terms; CHOICE is (condition, then, else)."""
    # Numbers: INTEGER by INTEGER and REAL by REAL. Division and remainder round like Python's.
    ADD, SUBTRACT, MULTIPLY, DIVIDE, QUOTIENT, REMAINDER = "+", "-", "*", "/", "//", "%"
    LESS, LESS_EQUAL = "<", "<="
    TO_REAL, TRUNCATE = "to real", "truncate"
    BIT_AND, BIT_OR, BIT_XOR, SHIFT_LEFT, SHIFT_RIGHT = "&", "|", "^", "<<", ">>"
    # Texts and bytes
    LENGTH, CONCATENATE, CONTAINS, STARTS, ENDS = "length", "concatenate", "contains", "starts", "ends"
    """CONTAINS (whole, part), STARTS (whole, beginning), ENDS (whole, end)."""
    PART, FIND, REPLACE_FIRST = "part", "find", "replace first"
    """PART (whole, start, length), FIND (whole, part, start): -1 where it is not."""
    BYTE_AT = "byte at"
    TEXT_OF_INTEGER, INTEGER_OF_TEXT = "text of integer", "integer of text"
    """INTEGER_OF_TEXT has a meaning where the text is an optional minus and digits."""
    MATCHES = "matches"
    """A text and a regular expression in Python's syntax (``payload``) that it matches as a whole."""
    UPPER, LOWER, STRIPPED = "upper", "lower", "stripped"
    CALLED = "called"
    """Of a text: what the call that ``payload`` writes (``core.text_calls``) makes of it; unspecified where it makes nothing."""
    # Arrays
    SELECT, STORE, SAME = "select", "store", "same"
    """SELECT (array, index), STORE (array, index, value), SAME (value): the array that has it everywhere; its sort is the
    term's."""
    INSERTED, DELETED, SHIFTED = "inserted", "deleted", "shifted"
    """Of ITEMS: (items, index, value), (items, index), (items, by): what was at ``index + by`` is at ``index``."""
    JOINED = "joined"
    """Of ITEMS: (items, size, items): the second behind the first ``size`` of the first."""


ALTERNATIVES: Final = (
    Op.IS_NONE,
    Op.IS_UNDEFINED,
    Op.IS_TRUTH,
    Op.IS_INTEGER,
    Op.IS_REAL,
    Op.IS_TEXT,
    Op.IS_BYTES,
    Op.IS_REFERENCE,
    Op.IS_CLASS,
)
"""The questions which alternative of VALUE a value is: exactly one holds."""
_V, _T, _I, _R, _S, _Y = Sort.VALUE, Sort.TRUTH, Sort.INTEGER, Sort.REAL, Sort.TEXT, Sort.BYTES
SIGNATURES: Final[Mapping[Op, tuple[tuple[tuple[Sort, ...], Sort], ...]]] = MappingProxyType(
    {
        **dict.fromkeys((Op.NONE, Op.UNDEFINED), (((), _V),)),
        **{
            op: (((sort,), _V),)
            for op, sort in (
                (Op.OF_TRUTH, _T),
                (Op.OF_INTEGER, _I),
                (Op.OF_REAL, _R),
                (Op.OF_TEXT, _S),
                (Op.OF_BYTES, _Y),
                (Op.OF_REFERENCE, Sort.REFERENCE),
                (Op.OF_CLASS, Sort.CLASS),
            )
        },
        **dict.fromkeys(ALTERNATIVES, (((_V,), _T),)),
        **{
            op: (((_V,), sort),)
            for op, sort in (
                (Op.TRUTH_IN, _T),
                (Op.INTEGER_IN, _I),
                (Op.REAL_IN, _R),
                (Op.TEXT_IN, _S),
                (Op.BYTES_IN, _Y),
                (Op.REFERENCE_IN, Sort.REFERENCE),
                (Op.CLASS_IN, Sort.CLASS),
            )
        },
        Op.NOT: (((_T,), _T),),
        **dict.fromkeys((Op.ADD, Op.SUBTRACT, Op.MULTIPLY), (((_I, _I), _I), ((_R, _R), _R))),
        Op.DIVIDE: (((_R, _R), _R),),
        **dict.fromkeys((Op.QUOTIENT, Op.REMAINDER), (((_I, _I), _I),)),
        **dict.fromkeys((Op.LESS, Op.LESS_EQUAL), (((_I, _I), _T), ((_R, _R), _T), ((_S, _S), _T))),
        Op.TO_REAL: (((_I,), _R),),
        Op.TRUNCATE: (((_R,), _I),),
        **dict.fromkeys((Op.BIT_AND, Op.BIT_OR, Op.BIT_XOR, Op.SHIFT_LEFT, Op.SHIFT_RIGHT), (((_I, _I), _I),)),
        Op.LENGTH: (((_S,), _I), ((_Y,), _I)),
        Op.CONCATENATE: (((_S, _S), _S), ((_Y, _Y), _Y)),
        **dict.fromkeys((Op.CONTAINS, Op.STARTS, Op.ENDS), (((_S, _S), _T), ((_Y, _Y), _T))),
        Op.PART: (((_S, _I, _I), _S), ((_Y, _I, _I), _Y)),
        Op.FIND: (((_S, _S, _I), _I), ((_Y, _Y, _I), _I)),
        Op.REPLACE_FIRST: (((_S, _S, _S), _S), ((_Y, _Y, _Y), _Y)),
        Op.BYTE_AT: (((_Y, _I), _I),),
        Op.TEXT_OF_INTEGER: (((_I,), _S),),
        Op.INTEGER_OF_TEXT: (((_S,), _I),),
        Op.MATCHES: (((_S,), _T),),
        **dict.fromkeys((Op.UPPER, Op.LOWER, Op.STRIPPED), (((_S,), _S),)),
        Op.CALLED: (((_S,), _S), ((_S,), _T), ((_S,), _I)),
        Op.INSERTED: (((Sort.ITEMS, _I, _V), Sort.ITEMS),),
        Op.DELETED: (((Sort.ITEMS, _I), Sort.ITEMS),),
        Op.SHIFTED: (((Sort.ITEMS, _I), Sort.ITEMS),),
        Op.JOINED: (((Sort.ITEMS, _I, Sort.ITEMS), Sort.ITEMS),),
    }
)
"""The sorts that an operator takes, and the sort that it makes of them."""
LEAVES: Final = frozenset({Op.LITERAL, Op.NONE, Op.UNDEFINED, Op.INPUT, Op.SYMBOL, Op.UNKNOWN})
Payload = bool | int | float | str | bytes | tuple[int, str] | None


class Term:
    """An operator over terms. Equal terms are equal in structure; the hash is computed once. Never changed after it is made, but
    that equal terms come to share their arguments when they are compared: so no pair is compared twice, however parts are shared.
    """

    __slots__ = ("_hash", "args", "op", "payload", "sort")

    def __init__(self, op: Op, sort: Sort, args: tuple[Term, ...] = (), payload: Payload = None) -> None:
        self.op = op
        self.sort = sort
        self.args = args
        self.payload = payload
        # A float by its text: 0.0 is not -0.0, and a NaN is itself.
        self._hash = hash((op, sort, args, repr(payload) if isinstance(payload, float) else payload, type(payload)))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Term) and self._hash == other._hash and _are_equal(self, other)

    def __repr__(self) -> str:
        texts: dict[Term, str] = {}
        for term in parts((self,)):
            texts[term] = _written(term, [texts[one] for one in term.args])
        return texts[self]


LONGEST_REPR: Final = 2000
"""Characters of a term's text that are shown: parts that many share would be written out for each."""


def _written(term: Term, args: Sequence[str]) -> str:
    if term.op in LEAVES:
        return f"{term.op.value}({'' if term.payload is None else repr(term.payload)})"
    payload = "" if term.payload is None else f", {term.payload!r}"
    text = f"{term.op.name}({', '.join(args)}{payload})"
    return text if len(text) <= LONGEST_REPR else f"{text[:LONGEST_REPR]}..."


def _are_equal(first: Term, second: Term) -> bool:
    """Whether two terms of the same hash are equal; those that are share their arguments from now on."""
    waiting = [(first, second, False)]
    while waiting:
        one, other, compared = waiting.pop()
        if compared:
            other.args = one.args
        elif one is not other and one.args is not other.args:
            if not _are_alike(one, other) or len(one.args) != len(other.args):
                return False
            waiting.append((one, other, True))
            waiting.extend(zip(one.args, other.args, (False,) * len(one.args), strict=True))
        elif not _are_alike(one, other):
            return False
    return True


def _are_alike(one: Term, other: Term) -> bool:
    """Whether all but the arguments is equal."""
    return (
        one._hash == other._hash
        and one.op is other.op
        and one.sort is other.sort
        and type(one.payload) is type(other.payload)
        and (repr(one.payload) == repr(other.payload) if isinstance(one.payload, float) else one.payload == other.payload)
    )


def is_well_sorted(term: Term) -> bool:
    """Whether the operator takes the sorts of its arguments and makes the term's; arguments are not looked into."""
    sorts = tuple([one.sort for one in term.args])
    if term.op in (Op.LITERAL, Op.INPUT, Op.SYMBOL, Op.UNKNOWN):
        return not sorts
    if term.op in (Op.AND, Op.OR):
        return term.sort is _T and all(sort is _T for sort in sorts)
    if term.op is Op.EQUAL:
        return term.sort is _T and len(sorts) == 2 and sorts[0] is sorts[1]
    if term.op is Op.CHOICE:
        return len(sorts) == 3 and sorts == (_T, term.sort, term.sort)
    if term.op is Op.SELECT:
        return len(sorts) == 2 and ARRAYS.get(sorts[0]) == (sorts[1], term.sort)
    if term.op is Op.STORE:
        return len(sorts) == 3 and sorts[0] is term.sort and ARRAYS.get(term.sort) == sorts[1:]
    if term.op is Op.SAME:
        return len(sorts) == 1 and term.sort in ARRAYS and ARRAYS[term.sort][1] is sorts[0]
    return (sorts, term.sort) in SIGNATURES[term.op]


def parts(terms: Sequence[Term], known: Container[Term] = ()) -> Iterator[Term]:
    """All terms within ``terms``, each once, arguments before what uses them. What is ``known`` is passed over with all within."""
    seen: set[Term] = set()
    waiting = [(term, False) for term in reversed(terms)]
    while waiting:
        term, ready = waiting.pop()
        if term in seen or term in known:
            continue
        if ready:
            seen.add(term)
            yield term
        else:
            waiting.append((term, True))
            waiting.extend((one, False) for one in reversed(term.args))


class TermRow(NamedTuple):
    """A term as it crosses between the wings: its arguments are numbers of earlier rows. Bytes are written in Latin-1, and floats
    that JSON has not by their ``repr``: ``kind`` is the payload's type."""

    op: Op
    sort: Sort
    args: tuple[int, ...]
    kind: str
    payload: Any


def to_rows(terms: Sequence[Term]) -> tuple[tuple[TermRow, ...], tuple[int, ...]]:
    """Rows, and which of them are ``terms``."""
    numbers: dict[Term, int] = {}
    rows: list[TermRow] = []
    for term in parts(terms):
        numbers[term] = len(rows)
        rows.append(TermRow(term.op, term.sort, tuple([numbers[one] for one in term.args]), *_told(term.payload)))
    return tuple(rows), tuple([numbers[term] for term in terms])


def from_rows(rows: Sequence[TermRow], wanted: Sequence[int]) -> tuple[Term, ...]:
    """The inverse of :func:`to_rows`. Raises Undecodable where a row refers to none before it or is badly sorted."""
    made: list[Term] = []
    for row in rows:
        if not all(0 <= one < len(made) for one in row.args):
            raise Undecodable(f"a term refers to none before it: {row!r:.80}")
        term = Term(row.op, row.sort, tuple([made[one] for one in row.args]), _heard(row.kind, row.payload))
        if not is_well_sorted(term):
            raise Undecodable(f"badly sorted: {row!r:.80}")
        made.append(term)
    if not all(0 <= one < len(made) for one in wanted):
        raise Undecodable("a term is missing")
    return tuple([made[one] for one in wanted])


def _told(payload: Payload) -> tuple[str, Any]:
    if isinstance(payload, bytes):
        return "bytes", payload.decode("latin-1")
    if isinstance(payload, float):
        return "float", repr(payload)
    if isinstance(payload, tuple):
        return "tuple", list(payload)
    return "", payload


def _heard(kind: str, payload: Any) -> Payload:
    try:
        if kind == "bytes":
            return str(payload).encode("latin-1")
        if kind == "float":
            return float(payload)
        if kind == "tuple":
            number, reason = payload
            return int(number), str(reason)
    except (TypeError, ValueError) as error:
        raise Undecodable(f"no {kind}: {payload!r:.80}") from error
    if payload is None or isinstance(payload, (bool, int, str)):
        return payload
    raise Undecodable(f"no constant: {payload!r:.80}")
