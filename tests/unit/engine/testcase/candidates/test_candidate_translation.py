"""Programs become tests of the entry, against a real small package (the standard library's)."""

from __future__ import annotations

import random
import textwrap

import pytest

from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.exports import Exports
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.candidates.programs import programs
from crashwright.engine.testcase.candidates.translation import Translatable, translations
from crashwright.engine.testcase.editing.edits import has_entry
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool

API = ApiModel("textwrap", ["textwrap"])
WRAP = next(callee for callee in API.methods_of(textwrap.TextWrapper) if callee.name == "wrap")


def printed(source: str, place: int = 0) -> str:
    factory = Factory(API, SeedPool(), (WRAP,))
    [program] = programs(source)
    made = list(translations(program, Translatable(API, Exports("textwrap", ("textwrap",)), factory, random.Random(1))))
    test = made[place].test
    assert test.is_valid()
    assert has_entry(test, frozenset((WRAP,)))
    return "\n".join(print_test(test).body)


def test_what_statements_say_is_said_by_statements() -> None:
    text = printed("from textwrap import TextWrapper as W\nw = W(width=3)\nw.tabsize = 2\nprint(w.wrap('a b'))\n")
    assert "TextWrapper(width=3)" in text
    assert ".tabsize = 2" in text
    assert 'wrap("a b")' in text or "wrap('a b')" in text


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("a, b = 'x y', 3\nw.wrap(a)", 'wrap("x y")'),
        ("a, b = 'x', 'y'\na, b = b, a\nw.wrap(a)", 'wrap("y")'),
        ("[w.width, n] = 3, 'z'\nw.wrap(n)", ".width = 3"),
    ],
)
def test_several_names_get_their_values_at_once(lines: str, said: str) -> None:
    text = printed(f"import textwrap\nw = textwrap.TextWrapper()\n{lines}\n")
    assert said in text
    assert "def " not in text


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        ("total = ''\nfor c in 'ab':\n    total += c\nw.wrap(total)", 'for c in "ab":'),
        ("with open('x') as f:\n    t = f.read()\nw.wrap(t)", 'with open("x") as f:'),
        ("try:\n    a, b = 1, 2\nexcept ValueError:\n    a = b = 3\nw.wrap(str(a) * b)", "except ValueError:"),
        ("w.wrap(' '.join(x for x in ['a', 'b'] if x))", "if x"),
        ("w.wrap(f'{1 + 1}')", "f'{1 + 1}'"),
        ("w.wrap('abc'[1:])", "[1:]"),
        ("import os\nw.wrap(','.join(sorted(os.environ)[:0]))", "environ"),
    ],
)
def test_what_they_cannot_say_stays_whole(lines: str, kept: str) -> None:
    text = printed(f"import textwrap\nw = textwrap.TextWrapper()\n{lines}\n")
    assert kept in text
    assert "TextWrapper()" in text


@pytest.mark.parametrize(
    ("lines", "given"),
    [
        ("with open('x', 'w') as f:\n    f.write('a;b')", ["a;b"]),
        ("with open('x', 'w') as f:\n    json.dump({'a': 1}, f)", [st.Display("dict", (("a", 1),))]),
        (
            "with open('x', 'w') as f:\n    g = csv.writer(f)\n    g.writerow(['a', 1])\n    f.seek(0)",
            [st.Display("list", ("a", 1))],
        ),
        ("for text in ('a', 'b'):\n    text.replace('a', b'c')", ["a", b"c"]),
        ("try:\n    int('a')\nexcept ValueError:\n    pass", []),
    ],
)
def test_what_is_written_within_a_step_is_given_to_it(lines: str, given: list[st.Value]) -> None:
    factory = Factory(API, SeedPool(), (WRAP,))
    [program] = programs(f"import csv, json, textwrap\n{lines}\ntextwrap.TextWrapper().wrap('z')\n")
    test = next(translations(program, Translatable(API, Exports("textwrap", ("textwrap",)), factory, random.Random(1)))).test
    assert test.is_valid()
    assert [one.value for one in test.statements if isinstance(one, st.Literal)] == [*given, "z"]
    step = next(one for one in test.statements if isinstance(one, st.CallValue))
    assert len(step.arguments.positional) == len(given)


def test_a_class_keeps_what_it_is_given_from_around_it() -> None:
    text = printed("import textwrap\nclass W(textwrap.TextWrapper):\n    width = 5\nW().wrap('a')\n")
    assert "class W(TextWrapper):" in text


def test_the_whole_program_is_one_too() -> None:
    text = printed("import textwrap\nw = textwrap.TextWrapper()\nw.wrap('a')\n", place=1)
    said = ["def candidate():", "import textwrap", 'w.wrap("a")', "candidate()"]
    places = [text.index(one, 20 * (one == said[-1])) for one in said]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("source", "mended"),
    [
        ("import textwrap\ntextwrap.TextWraper().wrap('a')\n", "TextWraper -> TextWrapper"),
        ("from textwrap import TextWraper\nTextWraper().wrap('a')\n", "TextWraper -> TextWrapper"),
        ("import textwrap\ntextwrap.TextWrapper().wrapp('a')\n", "wrapp -> wrap"),
        ("from textwrap import TextWrapper\nTextWarpper().wrap('a')\n", "TextWarpper -> TextWrapper"),
        ("TextWarpper().wrap('a')\n", "TextWarpper -> TextWrapper"),
        ("import textwrap\nwrapping = 'a'\ntextwrap.TextWrapper().wrap(wraping)\n", "wraping -> wrapping"),
    ],
)
def test_a_misspelt_name_is_taken_for_the_nearest(source: str, mended: str) -> None:
    factory = Factory(API, SeedPool(), (WRAP,))
    [program] = programs(source)
    made = list(translations(program, Translatable(API, Exports("textwrap", ("textwrap",)), factory, random.Random(1))))
    best = next(one for one in made if one.mended == (mended,) and one.in_parts)
    assert 'TextWrapper().wrap("a")' in "\n".join(print_test(best.test).body).replace("text_wrapper", "TextWrapper()")


def test_what_is_made_nowhere_is_made_up() -> None:
    assert "TextWrapper(" in printed("w.wrap('a')\n")
