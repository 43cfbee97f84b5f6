"""Preconditions in Python's words: golden sentences of terms made by hand."""

from __future__ import annotations

import pytest
from terms_by_hand import (
    HERE,
    attribute,
    element,
    equal,
    given,
    has_key,
    integer,
    is_a,
    is_none,
    leaf,
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

from crashwright.core.location import CodeKey
from crashwright.core.precondition import Guard, Precondition
from crashwright.core.terms import Op, Sort, Term
from crashwright.symbolic.values import arrays, literals, tags
from crashwright.symbolic.values.logic import choice
from crashwright.symbolic.wording.expressions import operand
from crashwright.symbolic.wording.preconditions import Condition, LineOrigin, in_order, is_readable, telling, worded

SELF, COUNT, WIDTH, ROW, TEXT, OTHER = map(given, ("self", "count", "width", "row", "text", "other"))
SLOTS = attribute(SELF, "slots")


def said(*terms: Term) -> list[str]:
    return [one.text for one in worded(needs(*terms))]


@pytest.mark.parametrize(
    ("terms", "sentences"),
    [
        ([equal(size(SLOTS), literal(0)), less(literal(3), integer(COUNT))], ["`self.slots` is empty", "`count` > 3"]),
        ([is_none(WIDTH)], ["`width` is None"]),
        ([negated(is_none(WIDTH))], ["`width` is not None"]),
        ([negated(has_key(ROW, of(literal("name"))))], ["'name' is not a key of `row`"]),
        ([has_key(ROW, OTHER)], ["`other` is a key of `row`"]),
        ([truth(Op.STARTS, text(TEXT), literal("#"))], ["`text` starts with '#'"]),
        ([negated(truth(Op.ENDS, text(TEXT), literal(".py")))], ["`text` does not end with '.py'"]),
        ([truth(Op.CONTAINS, text(TEXT), literal("="))], ["'=' is in `text`"]),
        ([truth(Op.MATCHES, text(TEXT), payload="[a-z]+")], ["`text` matches '[a-z]+'"]),
        ([equal(text(TEXT), literal(""))], ["`text` is empty"]),
        ([negated(equal(text(TEXT), literal("")))], ["`text` is not empty"]),
        ([equal(literal("x"), text(TEXT))], ["`text` == 'x'"]),
        ([truth(Op.TRUTH_IN, given("flag"))], ["`flag` is True"]),
        ([negated(truth(Op.TRUTH_IN, given("flag")))], ["`flag` is False"]),
        ([equal(reference(OTHER), reference(SELF))], ["`other` is `self`"]),
        ([equal(OTHER, leaf(Op.NONE, Sort.VALUE))], ["`other` is None"]),
        ([truth(Op.IS_UNDEFINED, attribute(OTHER, "lid"))], ["`other` has no attribute `lid`"]),
        ([truth(Op.IS_UNDEFINED, OTHER)], ["`other` has no value yet"]),
        ([is_a(OTHER, "shop.parts:Shelf.Item")], ["`other` is a Shelf.Item"]),
        ([negated(is_a(OTHER, "builtins:int"))], ["`other` is no int"]),
        ([truth(Op.IS_TEXT, COUNT)], ["`count` is a str"]),
        ([is_none(element(SLOTS, integer(COUNT)))], ["`self.slots[count]` is None"]),
        ([is_none(mapped(ROW, of(literal("name"))))], ["`row['name']` is None"]),
        ([equal(integer(attribute(attribute(SELF, "a"), "b")), literal(2))], ["`self.a.b` == 2"]),
        ([less(Term(Op.FIND, Sort.INTEGER, (text(TEXT), literal(":"), literal(0))), literal(0))], ["`text.find(':')` < 0"]),
        ([equal(Term(Op.PART, Sort.TEXT, (text(TEXT), literal(0), literal(2))), literal("--"))], ["`text[:2]` == '--'"]),
        (
            [
                less(
                    Term(Op.MULTIPLY, Sort.INTEGER, (Term(Op.ADD, Sort.INTEGER, (integer(COUNT), literal(1))), literal(2))),
                    size(SLOTS),
                )
            ],
            ["`(count + 1) * 2` < `len(self.slots)`"],
        ),
    ],
)
def test_one_condition(terms: list[Term], sentences: list[str]) -> None:
    assert said(*terms) == sentences


@pytest.mark.parametrize(
    ("terms", "sentences"),
    [
        pytest.param([negated(negated(is_none(WIDTH)))], ["`width` is None"], id="double negation"),
        pytest.param([truth(Op.IS_INTEGER, COUNT), less(literal(3), integer(COUNT))], ["`count` > 3"], id="a number is one"),
        pytest.param(
            [negated(is_none(SELF)), equal(size(SLOTS), literal(0))], ["`self.slots` is empty"], id="what has slots is there"
        ),
        pytest.param(
            [truth(Op.IS_INTEGER, COUNT), negated(equal(integer(COUNT), literal(3)))],
            ["`count` is an int", "`count` != 3"],
            id="a None is no 3 either",
        ),
        pytest.param(
            [truth(Op.IS_INTEGER, COUNT), equal(integer(COUNT), literal(3))],
            ["`count` == 3"],
            id="a 3 is a number",
        ),
        pytest.param([less(literal(1), integer(COUNT)), less(literal(3), integer(COUNT))], ["`count` > 3"], id="the tighter one"),
        pytest.param(
            [less(literal(3), integer(COUNT)), negated(less(literal(10), integer(COUNT)))], ["3 < `count` <= 10"], id="a range"
        ),
        pytest.param([less(literal(3), integer(COUNT)), less(integer(COUNT), literal(5))], ["`count` == 4"], id="a single one"),
        pytest.param([negated(equal(size(SLOTS), literal(0)))], ["`self.slots` is not empty"], id="a size is never negative"),
        pytest.param([negated(less(size(SLOTS), literal(0)))], [], id="and that is not said"),
        pytest.param([less(size(SLOTS), literal(1))], ["`self.slots` is empty"], id="fewer than one"),
        pytest.param(
            [less(integer(COUNT), literal(9)), negated(equal(integer(COUNT), literal(8)))], ["`count` < 8"], id="an end taken off"
        ),
        pytest.param(
            [truth(Op.AND, is_none(WIDTH), truth(Op.AND, is_none(ROW)))], ["`width` is None", "`row` is None"], id="conjunctions"
        ),
        pytest.param([truth(Op.OR, is_none(WIDTH), is_none(ROW))], ["`width` is None or `row` is None"], id="or"),
        pytest.param(
            [negated(truth(Op.AND, is_none(WIDTH), is_none(ROW)))], ["`width` is not None or `row` is not None"], id="not and"
        ),
        pytest.param(
            [truth(Op.OR, is_none(WIDTH), truth(Op.AND, is_none(ROW), less(integer(COUNT), literal(3))))],
            ["`width` is None, or `row` is None and `count` < 3"],
            id="and within or",
        ),
        pytest.param(
            [is_a(SELF, "shop:Shelf"), is_a(OTHER, "shop:Shelf"), truth(Op.IS_REFERENCE, SELF), truth(Op.IS_REFERENCE, OTHER)],
            ["`other` is a Shelf"],
            id="the method's own class",
        ),
        pytest.param([is_none(WIDTH), is_none(WIDTH)], ["`width` is None"], id="said once"),
        pytest.param(
            [truth(Op.CHOICE, is_none(WIDTH), is_none(ROW), less(integer(COUNT), literal(3)))],
            ["either `width` is None and `row` is None, or `width` is not None and `count` < 3"],
            id="either way",
        ),
    ],
)
def test_what_is_left_out_or_drawn_together(terms: list[Term], sentences: list[str]) -> None:
    assert said(*terms) == sentences


def test_what_is_unknown_is_told_by_its_reason() -> None:
    returned = leaf(Op.UNKNOWN, Sort.VALUE, (4, "what f(x) returns"))
    flag = leaf(Op.UNKNOWN, Sort.TRUTH, (5, "a slice"))
    assert said(is_none(returned), negated(flag)) == [
        "whatever f(x) returns is None",
        "something that is not known (a slice) is false",
    ]


def test_no_internal_name_is_shown() -> None:
    changed = Term(Op.STORE, Sort.FIELD, (leaf(Op.INPUT, Sort.FIELD, ".slots"), leaf(Op.LITERAL, Sort.REFERENCE, -3), OTHER))
    [told] = said(is_none(Term(Op.SELECT, Sort.VALUE, (changed, reference(SELF)))))
    assert told == "the changed `self.slots` is None"
    assert said(equal(reference(OTHER), leaf(Op.LITERAL, Sort.REFERENCE, -3))) == ["`other` is a new object"]


def test_lines_are_told_and_drawn_together() -> None:
    inner = CodeKey("shop", "check", 40)
    least, most = Guard(less(literal(3), integer(COUNT)), 7, HERE), Guard(less(integer(COUNT), literal(10)), 41, inner)
    crash = Guard(is_none(WIDTH), 42, inner, is_crash=True)
    ends = LineOrigin("Shelf.take", 7), LineOrigin("check", 41)
    assert worded(Precondition(2, HERE, (least, crash, most))) == (
        Condition("3 < `count` < 10", ends, False, frozenset({"count"}), guards=(least, most)),
        Condition("`width` is None", (LineOrigin("check", 42),), True, frozenset({"width"}), guards=(crash,)),
    )


def test_parts_at_a_separator_are_told_as_what_makes_them() -> None:
    zero, whole, comma = literal(0), text(TEXT), literal(",")
    found = Term(Op.FIND, Sort.INTEGER, (whole, comma, zero))
    before = Term(Op.PART, Sort.TEXT, (whole, zero, found))
    first = Term(Op.CHOICE, Sort.TEXT, (less(found, zero), whole, before))
    behind = Term(
        Op.PART, Sort.TEXT, (whole, Term(Op.ADD, Sort.INTEGER, (found, literal(1))), Term(Op.LENGTH, Sort.INTEGER, (whole,)))
    )
    last = Term(Op.CHOICE, Sort.TEXT, (less(found, zero), literal(""), behind))
    assert said(equal(first, literal("#"))) == ["`text.split(',')[0]` == '#'"]
    assert said(equal(last, literal(""))) == ["`text.partition(',')[2]` is empty"]
    assert said(equal(behind, literal(""))) == ["`text[text.find(',') + 1:]` is empty"]


def test_of_two_limits_the_one_that_says_more_is_read() -> None:
    long = size(SLOTS)
    within = truth(Op.AND, Term(Op.LESS_EQUAL, Sort.TRUTH, (literal(1), long)), less(literal(-1), long))
    assert said(negated(within)) == ["`self.slots` is empty"]


def test_what_fails_is_read_first_and_what_speaks_of_the_same_is_shown() -> None:
    unknown = leaf(Op.UNKNOWN, Sort.TRUTH, (1, "what parse() returns"))
    guards = [
        Guard(is_none(OTHER), 9, HERE),
        Guard(unknown, 4, HERE),
        Guard(less(literal(3), integer(COUNT)), 7, HERE),
        Guard(less(integer(COUNT), size(SLOTS)), 8, HERE, is_crash=True),
    ]
    conditions = in_order(worded(Precondition(1, HERE, tuple(guards))), HERE.qualname)
    assert [one.origins[0].line for one in conditions] == [8, 4, 7, 9]
    assert [conditions[place].origins[0].line for place in telling(conditions, 2)] == [8, 7]
    assert [conditions[place].origins[0].line for place in telling(conditions, 8)] == [8, 7, 9]


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("`row` is a dict", True),
        ("whatever load() returns is not None", True),
        ("whatever whatever load() returns.open() returns is not None", False),
        ("`a new object[some value]` == `x`", False),
        ("`x` == 'a' or " * 20 + "`x` == 'b'", False),
    ],
)
def test_what_nobody_can_read_is_not_told(text: str, is_told: bool) -> None:
    condition = Condition(text, (LineOrigin(HERE.qualname, 1),), False, frozenset({"x"}))
    assert is_readable(condition) is is_told
    assert telling([condition], 8) == ((0,) if is_told else ())


NUMBER_IN = Term(
    Op.CHOICE,
    Sort.REAL,
    (truth(Op.IS_REAL, COUNT), Term(Op.REAL_IN, Sort.REAL, (COUNT,)), Term(Op.TO_REAL, Sort.REAL, (integer(COUNT),))),
)
"""How the engine reads a number of which it does not know whether it is whole."""
MANY = truth(Op.CHOICE, truth(Op.IS_INTEGER, COUNT), less(literal(3), integer(COUNT)), less(literal(3.0), NUMBER_IN))


@pytest.mark.parametrize(
    ("terms", "sentences"),
    [
        ([MANY], ["`count` > 3"]),
        ([negated(MANY)], ["`count` <= 3"]),
        (
            [truth(Op.CHOICE, truth(Op.IS_REAL, COUNT), less(literal(3.0), NUMBER_IN), less(literal(3), integer(COUNT)))],
            ["`count` > 3"],
        ),
        (
            [truth(Op.CHOICE, truth(Op.IS_REAL, COUNT), less(NUMBER_IN, literal(3.5)), less(integer(COUNT), literal(4)))],
            ["`count` < 3.5"],
        ),
        (
            [MANY, truth(Op.OR, truth(Op.IS_INTEGER, COUNT), truth(Op.IS_REAL, COUNT)), negated(is_none(COUNT))],
            ["`count` > 3"],
        ),
        ([truth(Op.OR, truth(Op.IS_INTEGER, COUNT), truth(Op.IS_REAL, COUNT)), negated(is_none(COUNT))], ["`count` is a number"]),
        ([negated(truth(Op.AND, negated(is_none(COUNT)), negated(truth(Op.IS_TEXT, COUNT))))], ["`count` is None or a str"]),
        (
            [
                truth(
                    Op.OR,
                    truth(Op.AND, truth(Op.IS_INTEGER, COUNT), equal(integer(COUNT), literal(6))),
                    truth(Op.AND, truth(Op.IS_REAL, COUNT), equal(NUMBER_IN, literal(6.0))),
                )
            ],
            ["`count` == 6"],
        ),
        (
            [truth(Op.OR, is_a(OTHER, "builtins:list"), is_a(OTHER, "builtins:tuple"), is_a(OTHER, "collections:deque"))],
            ["`other` is a list, a tuple or a deque"],
        ),
        ([less(Term(Op.SUBTRACT, Sort.INTEGER, (literal(0), size(SLOTS))), literal(4))], []),
        ([equal(Term(Op.ADD, Sort.INTEGER, (integer(COUNT), literal(-4))), size(SLOTS))], ["`count - 4` == `len(self.slots)`"]),
        ([equal(Term(Op.PART, Sort.TEXT, (text(TEXT), literal(3), literal(1))), literal("x"))], ["`text[3]` == 'x'"]),
    ],
)
def test_what_only_the_engine_tells_apart(terms: list[Term], sentences: list[str]) -> None:
    assert said(*terms) == sentences


def test_keys_of_what_is_made_on_the_way_are_compared() -> None:
    none = Term(Op.SAME, Sort.KEYS, (literal(False),))
    one = Term(Op.STORE, Sort.KEYS, (none, of(literal("a")), literal(True)))
    has = Term(Op.SELECT, Sort.TRUTH, (one, OTHER))
    assert said(has) == ["`other` == 'a'"]
    assert said(negated(has)) == ["`other` != 'a'"]


def test_a_look_up_with_a_default_is_the_call_that_it_was() -> None:
    held = tags.reference_in(literals.given(Sort.VALUE, "settings"))
    key = tags.of(literals.text("port"))
    has = arrays.select(arrays.select(literals.given(Sort.KEY_SETS, "keys"), held), key)
    mapped = arrays.select(arrays.select(literals.given(Sort.MAPPINGS, "mappings"), held), key)
    default = literals.given(Sort.VALUE, "default")
    assert operand(choice(has, mapped, literals.NONE)) == "`settings.get('port')`"
    assert operand(choice(has, mapped, default)) == "`settings.get('port', default)`"


def test_of_an_attribute_that_only_the_object_itself_lacks_it_says_so() -> None:
    lacking = truth(Op.IS_UNDEFINED, attribute(OTHER, "lid"))
    crash = Precondition(1, HERE, (Guard(lacking, 3, HERE, is_crash=True),))
    assert [one.text for one in worded(crash)] == ["`other` has no attribute `lid`"]


def test_what_a_constructor_is_to_set_it_does_not_miss() -> None:
    guards = [Guard(truth(Op.IS_UNDEFINED, attribute(one, "lid")), 3, HERE) for one in (SELF, OTHER)]
    constructor = CodeKey("shop", "Shelf.__init__", 1)
    assert [one.text for one in worded(Precondition(1, constructor, tuple(guards)))] == ["`other` has no `lid` of its own"]


def test_what_is_so_whatever_its_parts_are_is_not_said() -> None:
    either = Term(Op.OR, Sort.TRUTH, (truth(Op.IS_TEXT, COUNT), negated(truth(Op.IS_TEXT, COUNT))))
    a_shelf = is_a(OTHER, "shop:Shelf")
    no_shelf = Term(Op.OR, Sort.TRUTH, (a_shelf, negated(a_shelf)))
    whichever = choice(truth(Op.IS_TEXT, COUNT), no_shelf, Term(Op.OR, Sort.TRUTH, (negated(a_shelf), a_shelf)))
    assert said(either, whichever) == []
    kinds = (truth(Op.IS_TEXT, COUNT), truth(Op.IS_NONE, COUNT))
    assert said(Term(Op.OR, Sort.TRUTH, kinds)) == ["`count` is None or a str"]
    assert said(negated(Term(Op.AND, Sort.TRUTH, kinds))) == []


def test_that_self_is_an_object_goes_without_saying_in_a_method() -> None:
    guards = [Guard(truth(Op.IS_REFERENCE, one), 3, HERE) for one in (SELF, OTHER)]
    for name, expected in (("Shelf.take", 1), ("take", 2)):
        assert len(worded(Precondition(1, CodeKey("shop", name, 1), tuple(guards)))) == expected


def test_alternatives_are_told_once_and_without_what_the_others_say() -> None:
    shelf, early = is_a(OTHER, "shop:Shelf"), is_none(WIDTH)

    def joined(op: Op, *args: Term) -> Term:
        return Term(op, Sort.TRUTH, args)

    late = joined(Op.AND, negated(shelf), less(literal(3), integer(COUNT)))
    assert said(joined(Op.OR, shelf, late, joined(Op.OR, shelf, early))) == ["`other` is a Shelf or `count` > 3 or `width` is None"]
    assert said(joined(Op.OR, shelf, joined(Op.AND, shelf, early))) == ["`other` is a Shelf"]
    assert said(joined(Op.OR, shelf, early, joined(Op.AND, negated(shelf), negated(early)))) == []
