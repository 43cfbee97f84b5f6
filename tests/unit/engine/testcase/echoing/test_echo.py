"""Echoed lines become tests of the entry, against a real small package (the standard library's)."""

from __future__ import annotations

import fractions
import random
import textwrap

import pytest

from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.api.exports import Exports
from crashwright.engine.testcase.echoing.echo import as_value
from crashwright.engine.testcase.echoing.echoed_tests import echo_tests
from crashwright.engine.testcase.editing.edits import has_entry
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Display, Operation
from crashwright.engine.testcase.typed import type_of

API = ApiModel("textwrap", ["textwrap"])
FILL = next(callee for callee in API.callables if callee.qualname == "fill")
WRAP = next(callee for callee in API.methods_of(textwrap.TextWrapper) if callee.name == "wrap")


def printed(source: str, *entry: Callee, local_values: dict[str, str] | None = None, seed: int = 1) -> str | None:
    factory = Factory(API, SeedPool(), entry)
    echo = next(echo_tests(source, local_values or {}, NameChain(API, entry), factory, random.Random(seed)), None)
    if echo is None:
        return None
    test = echo.test
    assert test.is_valid()
    assert has_entry(test, frozenset(entry))
    return "\n".join(print_test(test).body)


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("textwrap.fill('ab', width=3)", 'fill("ab", width=3)'),
        ("tw.fill('ab', width=3)", 'fill("ab", width=3)'),
        ("return print(fill('ab', 3))", 'fill("ab", 3)'),
        ("for line in fill('ab', *args):", 'fill("ab", *'),
        ("x[fill('a', width=len('abc'))] = 1", 'fill("a", width=len("abc"))'),
        ("fill('a',", 'fill("a")'),
        ("fill({'a': [1, -2]}, width=None)", 'fill({"a": [1, -2]}, width=None)'),
    ],
)
def test_the_very_call_with_its_literals(source: str, wanted: str) -> None:
    text = printed(source, FILL)
    assert text is not None
    assert wanted in text


def test_what_a_with_puts_into_what_it_enters_is_put_there_and_it_is_left() -> None:
    text = printed("with opened() as session:\n    session['user'] = fill('ab')\n    session['fresh'] = True", FILL)
    assert text is not None
    *made, opened, user, fresh = text.splitlines()
    assert made[-1].endswith('fill("ab")')
    assert opened.endswith(" as entered:")
    assert (user, fresh) == (f'    entered["user"] = {made[-1].partition(" = ")[0]}', '    entered["fresh"] = True')


def test_locals_give_values_and_names_stay_the_same_variable() -> None:
    text = printed("fill(data, initial_indent=data)", FILL, local_values={"data": "'secret'"})
    assert text is not None
    assert text.count("secret") in (1, 2)


def test_unknown_names_get_values_of_the_parameter() -> None:
    texts = {printed("fill(data, width=width)", FILL, seed=seed) for seed in range(20)}
    assert len(texts) > 10


def paths_in(line: str) -> int:
    """In how many of some tests of that line something is made a path."""
    found = 0
    for seed in range(40):
        factory = Factory(API, SeedPool(), (FILL,))
        names = NameChain(API, (FILL,), exports=Exports("textwrap"))
        echo = next(echo_tests(line, {}, names, factory, random.Random(seed)), None)
        assert echo is not None
        found += "Path(" in "\n".join(print_test(echo.test).body)
    return found


def test_what_stands_in_a_list_among_texts_is_mostly_a_text() -> None:
    among = paths_in("fill(['--check', path])")
    assert among < paths_in("fill([path])") / 2
    assert among < paths_in("fill(['--check', 1, path])") / 2


def test_a_method_needs_a_receiver() -> None:
    text = printed("wrapper.wrap('a b')", WRAP)
    assert text is not None
    assert 'wrap("a b")' in text
    assert "TextWrapper(" in text


def test_the_literals_of_the_line_are_known_by_their_variables() -> None:
    factory = Factory(API, SeedPool(), (FILL,))
    echo = next(echo_tests("fill(data, width=-8)", {}, NameChain(API, (FILL,)), factory, random.Random(1)), None)
    assert echo is not None
    assert list(echo.quoted.values()) == [-8]


def test_lines_that_do_not_drive_the_entry_give_nothing() -> None:
    assert printed("something_else(1)", FILL) is None
    assert printed("} # no python", FILL) is None


def test_operators_of_the_entry_are_calls_of_it() -> None:
    contains = Callee("shop", "Shelf.__contains__", CalleeKind.METHOD, live=None, owner=textwrap.TextWrapper)
    text = printed("print(1 in shelf)", contains)
    assert text is not None
    assert "1 in " in text


def test_literals_as_trees() -> None:
    assert as_value({"a": (1, {2})}) == Display("dict", (("a", Display("tuple", (1, Display("set", (2,))))),))
    with pytest.raises(TypeError):
        as_value(object())


def test_the_second_operand_is_the_object_whose_reflected_method_is_the_entry() -> None:
    api = ApiModel("fractions", ["fractions"])
    entry = next(one for one in api.methods_of(fractions.Fraction) if one.name == "__radd__")
    for seed in range(8):
        factory = Factory(api, SeedPool(), (entry,))
        names = NameChain(api, (entry,), exports=Exports("fractions"))
        echo = next(echo_tests("total = amount + rate", {}, names, factory, random.Random(seed)), None)
        assert echo is not None
        made, added = echo.test.statements[-2:]
        assert isinstance(added, Operation)
        assert added.operands[1] == made[0]
        assert type_of(made) is fractions.Fraction
