"""The distance of a precondition on live objects: 0 just where Python finds that its guards hold, and never an exception."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from hypothesis import assume, settings
from hypothesis import given as for_all
from hypothesis import strategies as st
from terms_by_hand import (
    attribute,
    element,
    equal,
    given,
    has_key,
    integer,
    is_a,
    is_none,
    items,
    less,
    literal,
    mapped,
    needs,
    negated,
    of,
    reference,
    size,
    text,
    truth,
)

from crashwright.core.terms import Op, Sort, Term, is_well_sorted, parts
from crashwright.engine.goals.crash.precondition import MOST_PARTS, FrameDistance, distance


class Box:
    def __init__(self, width: int, inner: Box | None) -> None:
        self.width = width
        self.inner = inner


class Said(NamedTuple):
    """A term and the same in Python."""

    term: Term
    python: str


NUMBER, WORD, ANY, BOX, NUMBERS, ROW, FLAG = map(given, ("number", "word", "any", "box", "numbers", "row", "flag"))


def _binary(op: Op, sort: Sort, sign: str, one: Said, other: Said) -> Said:
    return Said(Term(op, sort, (one.term, other.term)), f"({one.python} {sign} {other.python})")


small = st.integers(-4, 9)
words = st.text("ab#", max_size=4)
integers = st.deferred(
    lambda: st.one_of(
        st.sampled_from(
            [
                Said(integer(NUMBER), "number"),
                Said(size(NUMBERS), "len(numbers)"),
                Said(size(ROW), "len(row)"),
                Said(Term(Op.LENGTH, Sort.INTEGER, (text(WORD),)), "len(word)"),
                Said(integer(attribute(BOX, "width")), "box.width"),
            ]
        ),
        small.map(lambda value: Said(literal(value), repr(value))),
        st.tuples(integers, integers).map(lambda pair: _binary(Op.ADD, Sort.INTEGER, "+", *pair)),
        st.tuples(integers, integers).map(lambda pair: _binary(Op.SUBTRACT, Sort.INTEGER, "-", *pair)),
        st.tuples(integers, st.integers(-3, -1)).map(
            lambda pair: _binary(Op.REMAINDER, Sort.INTEGER, "%", pair[0], Said(literal(pair[1]), repr(pair[1])))
        ),
        st.tuples(integers, st.integers(1, 3)).map(
            lambda pair: _binary(Op.QUOTIENT, Sort.INTEGER, "//", pair[0], Said(literal(pair[1]), repr(pair[1])))
        ),
        st.tuples(truths, integers, integers).map(
            lambda three: Said(
                Term(Op.CHOICE, Sort.INTEGER, tuple(one.term for one in three)),
                f"({three[1].python} if {three[0].python} else {three[2].python})",
            )
        ),
    )
)
texts = st.recursive(
    st.one_of(st.just(Said(text(WORD), "word")), words.map(lambda value: Said(literal(value), repr(value)))),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: _binary(Op.CONCATENATE, Sort.TEXT, "+", *pair)),
        inner.map(lambda one: Said(Term(Op.UPPER, Sort.TEXT, (one.term,)), f"{one.python}.upper()")),
        inner.map(lambda one: Said(Term(Op.CALLED, Sort.TEXT, (one.term,), "_.rstrip('ab')"), f"{one.python}.rstrip('ab')")),
        st.tuples(inner, st.integers(0, 3), st.integers(0, 3)).map(
            lambda three: Said(
                Term(Op.PART, Sort.TEXT, (three[0].term, literal(three[1]), literal(three[2]))),
                f"{three[0].python}[{three[1]} : {three[1] + three[2]}]",
            )
        ),
    ),
    max_leaves=4,
)


def _first_number(op: Op) -> Said:
    return Said(
        truth(Op.AND, less(literal(0), size(NUMBERS)), truth(op, integer(element(NUMBERS, literal(0))), integer(NUMBER))),
        f"(len(numbers) > 0 and numbers[0] {op.value} number)",
    )


atoms = st.one_of(
    st.sampled_from(
        [
            Said(is_none(ANY), "(any is None)"),
            Said(truth(Op.IS_INTEGER, ANY), "(type(any) is int)"),
            Said(truth(Op.IS_TEXT, ANY), "(type(any) is str)"),
            Said(truth(Op.IS_TRUTH, ANY), "(type(any) is bool)"),
            Said(truth(Op.IS_REFERENCE, ANY), "(type(any) in (Box, list))"),
            Said(truth(Op.TRUTH_IN, given("flag")), "flag"),
            Said(is_none(attribute(BOX, "inner")), "(box.inner is None)"),
            Said(truth(Op.IS_UNDEFINED, attribute(BOX, "lid")), "(not hasattr(box, 'lid'))"),
            Said(equal(given("any"), attribute(BOX, "inner")), "(any is box.inner or any == box.inner)"),
            Said(is_a(BOX, f"{__name__}:Box"), "True"),
            Said(is_a(NUMBERS, "builtins:tuple"), "False"),
            _first_number(Op.LESS),
            _first_number(Op.LESS_EQUAL),
            Said(
                truth(Op.AND, has_key(ROW, of(literal("a"))), less(integer(mapped(ROW, of(literal("a")))), literal(3))),
                "('a' in row and row['a'] < 3)",
            ),
        ]
    ),
    words.map(lambda key: Said(has_key(ROW, of(literal(key))), f"({key!r} in row)")),
    st.tuples(integers, integers).map(lambda pair: _binary(Op.LESS, Sort.TRUTH, "<", *pair)),
    st.tuples(integers, integers).map(lambda pair: _binary(Op.LESS_EQUAL, Sort.TRUTH, "<=", *pair)),
    st.tuples(integers, integers).map(lambda pair: _binary(Op.EQUAL, Sort.TRUTH, "==", *pair)),
    st.tuples(texts, texts).map(lambda pair: _binary(Op.EQUAL, Sort.TRUTH, "==", *pair)),
    st.tuples(texts, texts).map(lambda pair: _binary(Op.LESS, Sort.TRUTH, "<", *pair)),
    st.tuples(texts, texts).map(
        lambda pair: Said(truth(Op.CONTAINS, pair[0].term, pair[1].term), f"({pair[1][1]} in {pair[0][1]})")
    ),
    st.tuples(texts, texts).map(
        lambda pair: Said(truth(Op.STARTS, pair[0].term, pair[1].term), f"{pair[0][1]}.startswith({pair[1][1]})")
    ),
    st.tuples(texts, texts).map(
        lambda pair: Said(truth(Op.ENDS, pair[0].term, pair[1].term), f"{pair[0][1]}.endswith({pair[1][1]})")
    ),
)
truths = st.recursive(
    atoms,
    lambda inner: st.one_of(
        inner.map(lambda one: Said(negated(one.term), f"(not {one.python})")),
        st.lists(inner, max_size=3).map(
            lambda many: Said(truth(Op.AND, *(one.term for one in many)), f"all([{', '.join(one.python for one in many)}])")
        ),
        st.lists(inner, max_size=3).map(
            lambda many: Said(truth(Op.OR, *(one.term for one in many)), f"any_([{', '.join(one.python for one in many)}])")
        ),
        st.tuples(inner, inner).map(lambda pair: _binary(Op.EQUAL, Sort.TRUTH, "==", *pair)),
        st.tuples(inner, inner, inner).map(
            lambda three: Said(
                truth(Op.CHOICE, *(one.term for one in three)),
                f"({three[1].python} if {three[0].python} else {three[2].python})",
            )
        ),
    ),
    max_leaves=5,
)
worlds = st.fixed_dictionaries(
    {
        "number": small,
        "word": words,
        "any": st.one_of(st.none(), small, words, st.booleans(), st.just(Box(1, None)), st.just([1])),
        "box": st.builds(Box, small, st.one_of(st.none(), st.just(Box(2, None)))),
        "numbers": st.lists(small, max_size=3),
        "row": st.dictionaries(words, small, max_size=3),
        "flag": st.booleans(),
    }
)


def _is_measured(several: list[Said]) -> bool:
    """What has more parts is not measured, and adds nothing."""
    return len(list(parts([one.term for one in several]))) <= MOST_PARTS // 2


def _holds(python: str, world: dict[str, object]) -> bool:
    return bool(eval(python, {"Box": Box, "any_": any}, world))


@for_all(truths, worlds)
def test_the_distance_is_0_just_where_the_guard_holds(said: Said, world: dict[str, object]) -> None:
    assume(_is_measured([said]))
    assert all(map(is_well_sorted, parts([said.term])))
    holds = _holds(said.python, world)
    assert (distance([needs(said.term)], world) == 0) is holds
    assert (distance([needs(negated(said.term))], world) == 0) is not holds


@settings(max_examples=40)
@for_all(st.lists(st.lists(truths, min_size=1, max_size=3), min_size=1, max_size=3), worlds)
def test_one_of_several_preconditions_has_to_hold(several: list[list[Said]], world: dict[str, object]) -> None:
    assume(_is_measured([one for guards in several for one in guards]))
    frame = FrameDistance([needs(*(one.term for one in guards)) for guards in several], tuple(world))
    found = frame.of(tuple(world.values()))
    assert 0 <= found <= frame.farthest
    assert (found == 0) is any(all(_holds(one.python, world) for one in guards) for guards in several)


@settings(max_examples=40)
@for_all(truths, truths, worlds)
def test_one_guard_more_is_never_nearer(one: Said, other: Said, world: dict[str, object]) -> None:
    assume(_is_measured([one, other]))
    alone = distance([needs(one.term)], world)
    assert distance([needs(one.term, other.term)], world) == alone + distance([needs(other.term)], world)
    assert distance([needs(one.term), needs(other.term)], world) <= alone


@for_all(st.integers(-(10**30), 10**30), st.integers(0, 10**30), st.integers(0, 10**30))
def test_nearer_numbers_are_nearer(bound: int, one: int, other: int) -> None:
    near, far = sorted((one, other))
    for guard in (less(integer(NUMBER), literal(bound)), equal(integer(NUMBER), literal(bound))):
        assert distance([needs(guard)], {"number": bound + near}) <= distance([needs(guard)], {"number": bound + far})


# What is hostile

ASKED: list[str] = []


def _asked(name: str) -> object:
    ASKED.append(name)
    raise RuntimeError(name)


class Meta(type):
    __hash__ = None  # type: ignore[assignment]

    def __eq__(cls, other: object) -> bool:
        return bool(_asked("class ="))

    def __getattribute__(cls, name: str) -> object:
        return _asked(f"class {name}")


class Hostile(metaclass=Meta):
    def __getattribute__(self, name: str) -> object:
        return _asked(name)

    def __eq__(self, other: object) -> bool:
        return bool(_asked("="))

    def __hash__(self) -> int:
        return hash("a")

    def __len__(self) -> int:
        return int(str(_asked("len")))

    def __bool__(self) -> bool:
        return bool(_asked("bool"))

    def __getitem__(self, key: object) -> object:
        return _asked("[]")

    def __index__(self) -> int:
        return int(str(_asked("index")))


class Looping:
    slow: object = property(lambda self: _asked("property"))

    def __getattr__(self, name: str) -> object:
        return getattr(self, name + "x")


class Listed(list[object]):
    def __len__(self) -> int:
        return int(str(_asked("len")))

    def __getitem__(self, key: object) -> object:  # type: ignore[override]
        return _asked("[]")

    def __iter__(self) -> Iterator[object]:
        return iter([_asked("iter")])


class Keyed(dict[object, object]):
    def __contains__(self, key: object) -> bool:
        return bool(_asked("in"))

    def __getitem__(self, key: object) -> object:
        return _asked("[]")

    def __iter__(self) -> Iterator[object]:
        return iter([_asked("iter")])


class Text(str):
    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return bool(_asked("="))

    __hash__ = str.__hash__


class Slotted:
    __slots__ = ("width",)


ODD = [
    Hostile(),
    Hostile,
    Looping(),
    Listed([1, Hostile()]),
    Keyed({Text("a"): 1, "b": Hostile()}),
    {Hostile(): 1, "b": 2},
    {1, "b"},
    Text("a"),
    Slotted(),
    Slotted,
    [None] * 10_000_000,
    dict.fromkeys(range(100_000)),
    "a" * 10_000_000,
    deque([Hostile()]),
    range(10**30),
    float("nan"),
    10**5000,
    test_nearer_numbers_are_nearer,
    is_none.__get__(1),
    st,
    b"\xff",
    ...,
    NotImplemented,
    1j,
    "\ud800",
]
X, Y = given("x"), given("y")
LOOKS = [
    *(truth(op, value) for op in Op if op.name.startswith("IS_") for value in (X, attribute(X, "width"), element(X, literal(1)))),
    *(has_key(X, key) for key in (of(literal("a")), of(literal(1)), Y)),
    equal(X, Y),
    equal(reference(X), reference(Y)),
    equal(mapped(X, of(literal("a"))), Y),
    equal(items(X), items(Y)),
    is_a(X, "builtins:dict"),
    is_a(X, "nowhere:Nothing.At.All"),
    is_none(attribute(X, "slow")),
    is_none(attribute(X, "__class__")),
    less(size(X), literal(5)),
    less(integer(X), integer(Y)),
    less(text(X), text(Y)),
    truth(Op.CONTAINS, text(X), literal("b")),
    truth(Op.MATCHES, text(X), payload="(a|b"),
    truth(Op.MATCHES, text(X), payload="a*b?"),
    equal(Term(Op.TEXT_OF_INTEGER, Sort.TEXT, (integer(X),)), literal("1")),
    equal(Term(Op.INTEGER_OF_TEXT, Sort.INTEGER, (text(X),)), literal(1)),
    equal(Term(Op.SHIFT_LEFT, Sort.INTEGER, (integer(X), integer(X))), literal(1)),
    less(Term(Op.TO_REAL, Sort.REAL, (integer(X),)), literal(1.0)),
    less(Term(Op.MULTIPLY, Sort.INTEGER, (integer(X), integer(X))), literal(1)),
]


@settings(max_examples=40)
@for_all(st.integers(0, len(ODD) - 1), st.integers(0, len(ODD) - 1))
def test_nothing_is_asked_and_nothing_raises(x: int, y: int) -> None:
    ASKED.clear()
    for number, look in enumerate(LOOKS):
        for guard in (look, negated(look)):
            found = distance([needs(guard)], {"x": ODD[x], "y": ODD[y]})
            assert 0 <= found <= 1, number
            assert ASKED == [], number
