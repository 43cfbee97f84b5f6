"""Fixtures of ``conftest.py`` files stand in the file that uses them, with what they use; or nothing is moved."""

from __future__ import annotations

import ast
import textwrap

from crashwright.finishing.crash.inlined_fixtures import inlined

OUTER = textwrap.dedent('''
    """Of all tests."""
    import os, sys
    from shop.db import Database, other

    import pytest

    URL = "sqlite://"


    def made(url):
        return Database(url)


    @pytest.fixture(scope="session")
    def database():
        return made(URL)


    @pytest.fixture
    def unused(tmp_path):
        return sys.path


    @pytest.fixture(autouse=True)
    def environment(monkeypatch):
        monkeypatch.setenv("SHOP", os.sep)
    ''')
INNER = textwrap.dedent("""
    import pytest


    @pytest.fixture
    def order(database):
        return database.order()
    """)
TEST = textwrap.dedent('''
    """Of orders."""
    from shop import pay

    def test_pays(order):
        assert pay(order)
    ''').lstrip()


def test_what_a_test_asks_for_stands_before_it_and_nothing_else() -> None:
    made = inlined(TEST, [OUTER, INNER])
    assert made is not None
    names = [node.name for node in ast.parse(made).body if isinstance(node, ast.FunctionDef)]
    assert names == ["made", "database", "environment", "order", "test_pays"]
    assert made.startswith('"""Of orders."""\nfrom shop import pay\nfrom shop.db import Database\nimport os\nimport pytest\n')
    assert 'URL = "sqlite://"\n' in made
    assert "\n\n\ndef test_pays(order):\n    assert pay(order)\n" in made


def test_what_a_conftest_does_when_it_is_imported_comes_first() -> None:
    made = inlined(TEST, ["import os\nos.environ['SHOP'] = 'x'\n", INNER.replace("database", "tmp_path")])
    assert made is not None
    assert made.startswith('"""Of orders."""\n\nimport os\nos.environ[\'SHOP\'] = \'x\'\nfrom shop import pay\n')


def test_markers_name_fixtures_too() -> None:
    made = inlined('import pytest\n\n@pytest.mark.usefixtures("order")\ndef test_it():\n    pass\n', [INNER])
    assert made is not None
    assert "def order(database):" in made


def test_a_fixture_of_the_file_itself_goes_before_one_of_the_project() -> None:
    own = "import pytest\n\n@pytest.fixture\ndef order():\n    return 1\n\ndef test_it(order):\n    assert order\n"
    assert inlined(own, [INNER]) is not None
    assert (inlined(own, [INNER]) or "").count("def order") == 1
    assert inlined(own.replace("def order()", "def order(order)"), [INNER]) is None


def test_nothing_is_moved_that_would_mean_something_else() -> None:
    assert inlined(TEST, ["from .sets import database\n", INNER]) is None
    assert inlined(TEST.replace("from shop import pay", "from shop import pay, made"), [OUTER, INNER]) is None
