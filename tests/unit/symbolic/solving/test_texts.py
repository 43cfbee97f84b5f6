"""Questions about texts and bytes that code asks: each is decided at once, and the answer is right."""

from __future__ import annotations

import re
import time

import pytest

from crashwright.core.terms import Op, Sort, Term
from crashwright.symbolic.solving.patterns import Unmodelled, Words, certain_groups, read, read_found
from crashwright.symbolic.solving.solver import Solver, SolverVerdict
from crashwright.symbolic.solving.z3_terms import Language
from crashwright.symbolic.values.literals import given, octets
from crashwright.symbolic.values.literals import integer as i
from crashwright.symbolic.values.literals import text as t
from crashwright.symbolic.values.logic import equal, not_
from crashwright.symbolic.values.numbers import add, bits, less, subtract
from crashwright.symbolic.values.substitution import substituted
from crashwright.symbolic.values.tags import bytes_in, integer_in, is_bytes, is_integer, is_text, text_in
from crashwright.symbolic.values.texts import (
    byte_at,
    concatenate,
    contains,
    ends,
    find,
    integer_of_text,
    length,
    lower,
    matches,
    part,
    replace_first,
    starts,
    stripped,
    text_of_integer,
    upper,
)

SECONDS = 30.0  # of a busy machine; an idle one takes 0.01 to 0.25 s for each
X, Y = given(Sort.VALUE, "x"), given(Sort.VALUE, "y")
S, U, B, N = text_in(X), text_in(Y), bytes_in(X), integer_in(Y)


def rest(whole: Term, start: Term) -> Term:
    return part(whole, start, subtract(length(whole), start))


COLON, EQUALS, FOUND = (find(S, t(one), i(0)) for one in ":=x")
QUESTIONS = {
    "key and value": [
        contains(S, t("=")), equal(part(S, i(0), EQUALS), t("width")),
        matches(rest(S, add(EQUALS, i(1))), r"\d+"), less(i(99), integer_of_text(rest(S, add(EQUALS, i(1))))),
    ],
    "int(s) > 41": [matches(S, r"-?[0-9]+"), less(i(41), integer_of_text(S))],
    "int(s) < -5": [matches(S, r"-?[0-9]+"), less(integer_of_text(S), i(-5))],
    "no int": [not_(matches(S, r"\s*[+-]?[0-9]+\s*")), less(i(0), length(S))],
    "a date": [matches(S, r"\d{4}-\d{2}-\d{2}"), less(i(12), integer_of_text(part(S, i(5), i(2))))],
    "a header": [starts(S, t("HTTP/")), contains(S, t("\r\n")), equal(part(S, i(5), i(3)), t("1.1")), less(i(20), length(S))],
    "a field without a value": [
        less(i(0), COLON), equal(stripped(part(S, i(0), COLON)), t("Host")), equal(stripped(rest(S, add(COLON, i(1)))), t("")),
    ],
    "replaced": [equal(replace_first(S, t("%20"), t(" ")), t("a b")), contains(S, t("%"))],
    "an open tag": [starts(S, t("<")), not_(ends(S, t(">"))), less(i(3), length(S))],
    "only blanks": [equal(stripped(S), t("")), not_(equal(S, t("")))],
    "a path": [equal(concatenate(S, t("/"), U), t("usr/local/bin")), less(i(0), length(U)), not_(contains(U, t("/")))],
    "nothing behind": [less(length(S), i(3)), less(i(-1), FOUND), equal(part(S, add(FOUND, i(1)), i(1)), t(""))],
    "in another case": [equal(upper(S), t("GET")), not_(equal(S, t("GET")))],
    "a mail address": [matches(S, r"[\w.]+@\w+\.(com|org)"), less(i(12), length(S)), not_(starts(S, t("a")))],
    "a version": [equal(concatenate(t("v"), text_of_integer(N)), S), less(i(999), N), ends(S, t("7"))],
}  # fmt: skip


@pytest.fixture(scope="module")
def language() -> Language:
    return Language()


def answer(language: Language, *conditions: Term) -> tuple[SolverVerdict, dict[Term, Term]]:
    solver = Solver(language, time.monotonic)
    solver.push()
    for number, one in enumerate(conditions):
        solver.add(one, number)
    verdict = solver.check(SECONDS).verdict
    if verdict is not SolverVerdict.SATISFIABLE:
        return verdict, {}
    found = {one: solver.assignment().value_of(one) for one in (X, Y)}
    return verdict, {one: value for one, value in found.items() if value is not None}


@pytest.mark.parametrize("name", QUESTIONS)
def test_questions_about_texts_are_answered(language: Language, name: str) -> None:
    kinds = [is_text(X), is_integer(Y) if name == "a version" else is_text(Y)]
    verdict, found = answer(language, *kinds, *QUESTIONS[name])
    assert verdict is SolverVerdict.SATISFIABLE
    assert [substituted(one, found).payload for one in QUESTIONS[name]] == [True] * len(QUESTIONS[name])


def test_contradictions_of_texts_are_seen(language: Language) -> None:
    assert answer(language, matches(S, r"\d{4}-\d{2}"), less(i(8), length(S)))[0] is SolverVerdict.CONTRADICTION
    assert answer(language, equal(stripped(S), t(" a")))[0] is SolverVerdict.CONTRADICTION
    assert answer(language, equal(lower(S), t("A")))[0] is SolverVerdict.CONTRADICTION


def test_bytes_are_below_256(language: Language) -> None:
    conditions = [is_bytes(X), starts(B, octets(b"\x89PNG")), less(i(200), byte_at(B, i(5))), less(length(B), i(8))]
    verdict, found = answer(language, *conditions)
    assert verdict is SolverVerdict.SATISFIABLE
    assert [substituted(one, found).payload for one in conditions] == [True] * 4
    assert answer(language, less(i(255), byte_at(B, i(0))), less(i(0), length(B)))[0] is SolverVerdict.CONTRADICTION


def test_bits_of_numbers(language: Language) -> None:
    masked = [is_integer(Y), equal(bits(Op.BIT_AND, N, i(12)), i(8)), less(i(100), N)]
    verdict, found = answer(language, *masked)
    assert verdict is SolverVerdict.SATISFIABLE
    assert [substituted(one, found).payload for one in masked] == [True] * 3
    assert answer(language, equal(bits(Op.BIT_OR, N, i(12)), i(3)))[0] is SolverVerdict.CONTRADICTION
    both = [is_integer(X), is_integer(Y), equal(bits(Op.BIT_AND, N, integer_in(X)), i(5)), less(i(5), N), less(N, integer_in(X))]
    verdict, found = answer(language, *both, less(integer_in(X), i(200)))
    assert verdict is SolverVerdict.SATISFIABLE
    assert [substituted(one, found).payload for one in both] == [True] * 5


@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        ("a|bc", ["a", "bc"], ["", "abc"]),
        (r"^[^a-c\d]+$", ["xyz"], ["xa", "1", ""]),
        (r"\w{2,3}?x*", ["ab", "abcxx"], ["a"]),
        (r"(?:ab)+(?P<c>c)?", ["abab", "abc"], ["ac"]),
        (r".\s\S", ["a b"], ["\n b", "a  "]),
        (r"(?s).", ["\n"], [""]),
        (r"\A\d\Z", ["7"], ["77"]),
        ("(?i)aB[c-e]", ["abc", "AbD", "aBE"], ["abf", "1bc"]),
    ],
)
def test_patterns_mean_what_they_mean_in_python(language: Language, pattern: str, yes: list[str], no: list[str]) -> None:
    z3 = language.z3
    words = Words(z3)
    expression = read(pattern, words)
    for one in yes + no:
        assert z3.is_true(z3.simplify(z3.InRe(words.text(one), expression))) is (one in yes)
        assert (re.fullmatch(pattern, one) is not None) is (one in yes)


@pytest.mark.parametrize("pattern", [r"(a)\1", r"(?=a)b", r"a\bb", "(?m)^a$", "a$b", "("])
def test_other_patterns_are_not_modelled(language: Language, pattern: str) -> None:
    with pytest.raises(Unmodelled):
        read(pattern, Words(language.z3))


@pytest.mark.parametrize("pattern", ["a+", "a+$", "^ab", "a|^b$", r"x\Z", "(?s)a.b", "(?i)q", ""])
@pytest.mark.parametrize("method", ["match", "search", "fullmatch"])
def test_where_a_pattern_is_found_is_where_python_finds_it(language: Language, method: str, pattern: str) -> None:
    z3, words = language.z3, Words(language.z3)
    expression = read_found(method, pattern, words)
    for one in ["", "a", "ab", "ba", "aab\n", "a\n", "b", "b\n", "x", "xx", "x\n", "a\nb", "Q", "qq"]:
        found = getattr(re, method)(pattern, one) is not None
        assert z3.is_true(z3.simplify(z3.InRe(words.text(one), expression))) is found, one


def test_groups_that_are_there_wherever_the_pattern_is_found() -> None:
    assert certain_groups("(a)(b)?(?:(c)|d)((e)f)") == {0, 1, 4, 5}
