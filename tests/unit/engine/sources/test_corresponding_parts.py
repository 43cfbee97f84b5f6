"""What a run complained of is put where it is looked for."""

from __future__ import annotations

import random
from collections.abc import Sequence

import stockroom

from crashwright.engine.search.complaints import NOTHING, Complaint, NearRaising
from crashwright.engine.sources.corresponding_parts import LARGEST, MOST, CorrespondingParts
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Arguments, Call, Display, Literal, MethodCall, Value
from crashwright.engine.testcase.testcase import TestCase

API = ApiModel("stockroom", ["stockroom"])
VALUE_OF = next(one for one in API.functions_in("stockroom") if one.name == "value_of")
STORE = API.constructor(stockroom.Store)
FACTORY = Factory(API, SeedPool(), (VALUE_OF,))
AMOUNT = next(one for one in API.methods_of(stockroom.Store) if one.name == "amount")


def valued(lines: Value, prices: Value) -> TestCase:
    return TestCase((Literal(1, lines), Literal(2, prices), Call(3, VALUE_OF, Arguments((1, 2)))))


def written(
    test: TestCase, named: Sequence[Value], ended_at: int, quoted: Sequence[int] = (), seen: NearRaising = NOTHING
) -> list[str]:
    complaint = Complaint(test, tuple(named), ended_at, 0.5, ("", 1, 1, 1), seen)
    found = CorrespondingParts(FACTORY, quoted, random.Random(1)).tests(complaint)
    assert len(found) <= MOST
    assert all(one.is_valid() for one in found)
    return ["; ".join(print_test(one).body) for one in found]


def test_a_key_that_lacks_is_added_with_values_of_the_type_that_is_asked_for() -> None:
    found = written(valued(Display("list", ("bolt 3",)), Display("dict", ())), ["bolt"], 2)
    added = [one for one in found if '{"bolt": ' in one]
    assert added
    assert not any('{"bolt": "' in one or '{"bolt": [' in one for one in added), added


def test_several_keys_are_added_at_once_where_a_dict_is() -> None:
    rows = Display("list", (Display("dict", (("nut", 2),)), 7))
    found = written(valued(rows, Display("list", ())), ["bolt", "washer"], 2)
    assert any('[{"nut": 2, "bolt": 1, "washer": 1}, 7]' in one for one in found), found


def test_a_key_gets_what_others_have() -> None:
    found = written(valued(Display("list", ("bolt 3",)), Display("dict", (("nut", 12.5),))), ["bolt"], 2)
    assert any('{"nut": 12.5, "bolt": 12.5}' in one for one in found), found


def test_a_word_gives_way_to_what_stands_beside_it() -> None:
    found = written(valued(Display("list", ("bolt 3",)), Display("dict", (("nut", 12.5),))), ["bolt"], 2)
    assert any('["nut 3"], {"nut": 12.5}' in one for one in found), found


def test_what_is_asked_for_is_given_to_the_object_first() -> None:
    test = TestCase(
        (Call(901, STORE, Arguments(())), Literal(902, "bolt"), MethodCall(903, 901, "amount", Arguments((902,)), AMOUNT))
    )
    found = written(test, ["bolt"], 2)
    assert any('.add("bolt", ' in one and one.index(".add(") < one.index(".amount(") for one in found), found


def test_what_the_report_shows_stays() -> None:
    test = valued(Display("list", ("bolt 3",)), Display("dict", (("nut", 1.5),)))
    assert not any("{" in one and '"bolt":' in one for one in written(test, ["bolt"], 2, quoted=[2]))


def test_full_containers_stay_as_they_are() -> None:
    prices = Display("dict", tuple((f"n{number}", 1.5) for number in range(LARGEST)))
    found = written(valued(Display("list", ("bolt 3",)), prices), ["bolt"], 2)
    assert found
    assert not any('"bolt":' in one for one in found)


def test_containers_within_containers_are_added_to() -> None:
    inner = Display("dict", (("nut", 1.5),))
    found = written(valued(Display("list", ()), Display("dict", (("prices", inner),))), ["bolt"], 2)
    assert any('{"prices": {"nut": 1.5, "bolt": 1.5}}' in one for one in found), found


def test_nothing_is_made_of_nothing() -> None:
    assert written(valued(Display("list", ()), Display("dict", ())), [], 2) == []


def test_what_the_code_has_in_its_table_takes_the_place_of_what_it_has_not() -> None:
    found = written(valued(Display("list", ("bolt 3",)), Display("dict", ())), ["bolt"], 2, seen=NearRaising(("washer", 4)))
    assert any('["washer 3"]' in one for one in found), found


def test_the_record_that_lacks_the_key_gets_it_first() -> None:
    first, second = Display("dict", (("article", "bolt"),)), Display("dict", (("sort", "nut"),))
    seen = NearRaising(tables=frozenset({("article",)}))
    found = written(valued(Display("list", (first, second)), 1), ["amount"], 2, seen=seen)
    assert '{"article": "bolt", "amount": "bolt"}, {"sort": "nut"}' in found[0].replace("\n", " "), found
    assert any('{"article": "bolt", "amount": 1}' in one for one in found)
