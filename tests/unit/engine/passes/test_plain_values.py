"""Which literals somebody would type, and what is put in place of others."""

from __future__ import annotations

import pytest

from crashwright.engine.passes.ordinary import ANOTHER_TYPE, EMPTY, STRANGE
from crashwright.engine.passes.plain_values import PlainLooks, oddness_of, plainer_values
from crashwright.engine.passes.written_words import WrittenWords
from crashwright.engine.subject.api.callee import Parameter, ParameterKind
from crashwright.engine.subject.api.types import ANY, ClassHint, Hint
from crashwright.engine.testcase.statements import Display, FileFixture, Literal, Ref, Value

INTS, NAMES = ClassHint(list, (ClassHint(int),)), ClassHint(dict, (ClassHint(str), ClassHint(int)))


def items(*values: Value) -> Display:
    return Display("list", values)


def pairs(*values: tuple[Value, Value]) -> Display:
    return Display("dict", values)


@pytest.mark.parametrize("value", ["a", "two words", "1", "item2", b"abc", 1, -3, 100, 5000, 1999, 1.5, -2.0, True, None])
def test_plain(value: Value) -> None:
    assert oddness_of(value) == 0


@pytest.mark.parametrize("value", ["", "1e309", "a,b\n1,2\n", "x=1;", b"", 0, 0.0])
def test_typed_only_with_a_reason(value: Value) -> None:
    assert oddness_of(value) == EMPTY


@pytest.mark.parametrize(
    "value", ["\x1f", "<${z}> x ax]t @  [no", b"\xe8\x00", 19701, 10**300, -257, 2.652553346401784e65, "a" * 300]
)
def test_typed_by_nobody(value: Value) -> None:
    assert oddness_of(value) == STRANGE


@pytest.mark.parametrize(
    ("value", "hint", "oddness"),
    [
        (items(1, 2), INTS, 0),
        (items(1, None), INTS, ANOTHER_TYPE),
        (items(True), INTS, ANOTHER_TYPE),
        (items(1, 19701), INTS, STRANGE),
        (items(), INTS, EMPTY),
        (items(), ANY, 0),
        (items(None), ANY, STRANGE),
        (items(Ref(3)), ANY, 0),
        (pairs(("a", 1)), NAMES, 0),
        (pairs((1, 1)), NAMES, ANOTHER_TYPE),
        (pairs((Ref(3), 1)), ANY, ANOTHER_TYPE),
        (pairs((b"k", 1)), ANY, STRANGE),
    ],
)
def test_containers_are_as_odd_as_what_is_in_them(value: Value, hint: Hint, oddness: int) -> None:
    assert oddness_of(value, hint) == oddness


@pytest.mark.parametrize(
    ("value", "hint", "first"),
    [
        (-401, ANY, -1),
        ("\x1f", ANY, "a"),
        (items(None, None), INTS, items(1, 2)),
        (items(), INTS, items(1, 2)),
        (items("\x1f", "b", "]["), ANY, items("a", "b", "c")),
        (pairs(), NAMES, pairs(("a", 1))),
        (pairs((Ref(3), 19701), ("k", 2)), ANY, pairs(("a", 1), ("k", 2))),
        (Display("tuple", (items(None),)), ClassHint(tuple, (INTS,)), Display("tuple", (items(1),))),
    ],
)
def test_what_is_plainer(value: Value, hint: Hint, first: Value) -> None:
    found = list(plainer_values(value, hint))
    assert found[0] == first
    assert all(oddness_of(one, hint) < oddness_of(value, hint) for one in found[:1])


def test_defaults_are_never_odd_and_files_are_where_a_word_does() -> None:
    looks = PlainLooks()
    parameter = Parameter("text", ParameterKind.POSITIONAL_OR_KEYWORD, ClassHint(str), required=False, default="")
    assert looks.oddness(Literal(0, ""), parameter) == 0
    assert looks.oddness(Literal(0, ""), parameter._replace(required=True)) == EMPTY
    assert looks.oddness(FileFixture(0, "data.txt", ""), parameter) == EMPTY
    assert list(looks.plainer(FileFixture(0, "data.txt", ""), parameter)) == ["a"]


@pytest.mark.parametrize(
    ("value", "oddness"),
    [
        ("unit price", 0),
        ("another_model", 0),
        ("x1", 0),
        ("lne", EMPTY),
        ("7", EMPTY),
        ("mostripdel", EMPTY),
        (items("model", "lne"), EMPTY),
        (pairs(("model", "lne")), EMPTY),
        (pairs(("model", items("price", 1))), 0),
        (12, 0),
    ],
)
def test_words_that_nobody_has_written_are_odd(value: Value, oddness: int) -> None:
    looks = PlainLooks(WrittenWords(["def unitPrice(model): ...", "a-b"]))
    parameter = Parameter("text", ParameterKind.POSITIONAL_OR_KEYWORD)
    assert looks.oddness(Literal(0, value), parameter) == oddness
    assert looks.is_plain(value) is (oddness == 0)
    assert PlainLooks().oddness(Literal(0, value), parameter) == 0


def _plainer(value: Value, name: str) -> list[Value]:
    parameter = Parameter(name, ParameterKind.POSITIONAL_OR_KEYWORD, ClassHint(str), required=True)
    return [*PlainLooks().plainer(Literal(1, value), parameter)]


def test_signs_alone_get_words_around_them() -> None:
    assert _plainer("@", "email")[:2] == ["email@email", "email@"]
    assert _plainer("::", "_")[:4] == ["text::text", "text::", "a", "b"]
    for other in ("a@", "\x00", " ", "@@@@"):
        assert _plainer(other, "email")[:2] == ["a", "b"], "it has words, nobody types it, or it is no sign"


def test_a_text_that_begins_with_a_sign_gets_a_word_before_it() -> None:
    assert _plainer(";1:30-2:10", "line")[:3] == ["line;1:30-2:10", "a", "b"]
    assert oddness_of("line;1:30-2:10") < oddness_of(";1:30-2:10")
    assert "a;1:30-2:10" in plainer_values(";1:30-2:10")
    assert _plainer("(1:30)", "line")[0] == "a"


def test_odd_texts_may_become_what_the_standard_library_reads() -> None:
    assert "http://example.org/" in plainer_values('{"items": null}: "x"')
    assert list(plainer_values("word")) == ["a", "b"]
