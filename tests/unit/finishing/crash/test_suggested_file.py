"""What somebody suggests, as a file of pytest: lines are moved and left out, never printed anew."""

from __future__ import annotations

import ast
import textwrap

import pytest

from crashwright.core.preparation import FrameworkSetUp, Preparation, SetUpPart
from crashwright.finishing.crash import suggested_file
from crashwright.finishing.crash.suggested_file import SuggestedCrash


def text(source: str) -> str:
    return textwrap.dedent(source).lstrip("\n")


TWO_TESTS = text("""
    import json  # for the second
    import os

    import pytest


    @pytest.fixture
    def box():
        return [os.sep]


    def test_first(box):
        assert box[3]  # out of range


    @pytest.mark.parametrize("n", [1, 2])
    def test_second(n):
        assert json.loads("1") == n


    class TestMore:
        def test_third(self):
            pass
    """)


def test_tests_are_named_as_pytest_names_them() -> None:
    assert suggested_file.tests_in(TWO_TESTS) == ("test_first", "test_second", "TestMore::test_third")


def test_a_file_with_tests_stays_as_it_is() -> None:
    assert suggested_file.as_test_files(TWO_TESTS, "test_x") == (TWO_TESTS,)


def test_one_test_stays_alone_with_what_it_uses() -> None:
    alone = suggested_file.alone(TWO_TESTS, "test_first")
    assert suggested_file.tests_in(alone) == ("test_first",)
    assert "json" not in alone
    assert "assert box[3]  # out of range\n" in alone
    assert "def box():" in alone
    assert suggested_file.tests_in(suggested_file.alone(TWO_TESTS, "test_second[2]")) == ("test_second",)
    assert suggested_file.tests_in(suggested_file.alone(TWO_TESTS, "TestMore::test_third")) == ("TestMore::test_third",)


SCRIPT = text('''
    """Tried by hand."""
    from shop import Basket


    class Line:
        weight = 3


    basket = Basket()
    basket.note = """first
    second"""
    if __name__ == "__main__":
        basket.add(Line())
    ''')


def test_a_script_becomes_one_test_after_what_it_defines() -> None:
    outside, inside = suggested_file.as_test_files(SCRIPT, "test_add_raises")
    assert [type(node).__name__ for node in ast.parse(outside).body] == ["Expr", "ImportFrom", "ClassDef", "FunctionDef"]
    assert [type(node).__name__ for node in ast.parse(inside).body] == ["Expr", "ImportFrom", "FunctionDef"]
    for made in (outside, inside):
        [test] = [node for node in ast.walk(ast.parse(made)) if isinstance(node, ast.FunctionDef)]
        assert test.name == "test_add_raises"
        assert ast.unparse(test.body[-1]) == "basket.add(Line())"
        texts = [node.value for node in ast.walk(test) if isinstance(node, ast.Constant)]
        assert "first\nsecond" in texts  # the lines within a text are not indented


def test_what_trying_left_behind_goes() -> None:
    made = suggested_file.without_idle(
        text("""
        from shop import work


        def unused():
            return 1


        def test_it():
            spare = [1, -2, {"a": None}]
            other = spare
            kept = work(1)
            work(2)
        """)
    )
    assert made == "from shop import work\n\n\ndef test_it():\n    kept = work(1)\n    work(2)\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            'def test_it():\n    with pytest.raises(ValueError, match="x") as caught:\n        work(1)\n        more()\n'
            '    assert "x" in str(caught.value)\n',
            "def test_it():\n    work(1)\n    more()\n",
        ),
        ("def test_it():\n    with raises(ValueError): work(1)\n", "def test_it():\n    work(1)\n"),
        (
            "class T(TestCase):\n    def test_it(self):\n        with self.assertRaises(ValueError):\n"
            "            work('''a\n  b''')\n",
            "class T(TestCase):\n    def test_it(self):\n        work('''a\n  b''')\n",
        ),
        (
            "def test_it():\n    with opened() as file, pytest.raises(ValueError):\n        work(file)\n",
            "def test_it():\n    with opened() as file:\n        work(file)\n",
        ),
        ("def test_it():\n    work(1)\n", "def test_it():\n    work(1)\n"),
    ],
)
def test_what_a_test_expects_is_simply_done(before: str, after: str) -> None:
    assert suggested_file.unexpected(before) == after


CRASH = SuggestedCrash("BadLine", "shop.errors", "too many", 4)
BARE = "from shop import work\n\ndef test_it():\n    work(1)\n    work(2)\n"


def test_the_statement_that_crashes_is_expected_to_raise() -> None:
    made = suggested_file.in_form(BARE, "raises", CRASH)
    assert made.startswith("import pytest\nfrom shop.errors import BadLine\nfrom shop import work\n")
    assert '    with pytest.raises(BadLine, match="too many"):\n        work(1)\n    work(2)\n' in made


def test_the_test_is_an_expected_failure() -> None:
    made = suggested_file.in_form(BARE, "xfail", CRASH)
    assert "@pytest.mark.xfail(strict=True, raises=BadLine)\ndef test_it():\n" in made
    assert suggested_file.in_form(BARE, "fail", CRASH) == BARE


def test_a_framework_is_set_up_before_anything_is_imported() -> None:
    made = suggested_file.prepared(
        '"""Said."""\nfrom shop.models import Team\n', Preparation(FrameworkSetUp("django", "shop.settings", (SetUpPart.DATABASE,)))
    )
    assert made.index("django.setup()") < made.index("from shop.models")
    assert '@pytest.fixture(autouse=True, scope="module")\ndef database():' in made
    assert ast.get_docstring(ast.parse(made)) == "Said."


def test_the_header_is_a_docstring_or_stands_above_the_author_s_own() -> None:
    header = ['"""ValueError in shop.py:3 (work).', "", "crashwright reproduce crash.txt", '"""']
    assert ast.get_docstring(ast.parse(suggested_file.headed("import shop\n", header))) is not None
    own = suggested_file.headed('"""Mine."""\nimport shop\n', header)
    assert own.startswith("# ValueError in shop.py:3 (work).\n#\n# crashwright reproduce crash.txt\n")
    assert ast.get_docstring(ast.parse(own)) == "Mine."


def test_a_lambda_beside_an_expectation_is_no_block() -> None:
    source = "def test_it():\n    f = lambda: g(1)\n    with raises(KeyError) as e:\n        f()\n    assert e.value\n"
    assert suggested_file.unexpected(source) == "def test_it():\n    f = lambda: g(1)\n    f()\n"
