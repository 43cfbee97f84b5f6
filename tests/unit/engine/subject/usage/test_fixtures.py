"""What tests of pytest are given is written out around what they do."""

from __future__ import annotations

import ast
from pathlib import Path

from crashwright.engine.subject.usage.fixtures import MOST_RUNS, Fixtures, conftests


def runs(source: str, *outer: str) -> list[str]:
    """Those of the one test in ``source``."""
    body = ast.parse(source).body
    [test] = [one for one in body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and one.name.startswith("test")]
    found = Fixtures(*[ast.parse(text).body for text in outer], body).runs(test)
    return ["; ".join(ast.unparse(line) for line in run) for run in found]


def test_a_fixture_needs_others_and_comes_behind_them() -> None:
    source = "@pytest.fixture\ndef a(b):\n    return A(b)\n@fixture()\ndef b():\n    return 1\ndef test_it(a):\n    f(a)\n"
    assert runs(source) == ["b = 1; a = A(b); f(a)"]


def test_what_follows_the_yield_follows_the_test() -> None:
    assert runs("@pytest.fixture\ndef a():\n    one = A()\n    yield one\n    one.close()\ndef test_it(a):\n    f(a)\n") == [
        "one = A(); a = one; f(a); one.close()"
    ]
    around = runs("@pytest.fixture\ndef a():\n    with A() as one:\n        yield one\ndef test_it(a):\n    f(a)\n    g()\n")
    assert around == ["with A() as one:\n    a = one\n    f(a)\n    g()"]


def test_fixtures_are_made_with_each_of_their_parameters_and_tests_with_each_case() -> None:
    source = (
        "@pytest.fixture(params=[1, pytest.param(2, id='two')], name='a')\ndef made(request):\n    return A(request.param)\n"
        "@pytest.mark.parametrize('m, n', [(3, 4), pytest.param(5, 6)])\ndef test_it(a, m, n):\n    f(a, m, n)\n"
    )
    assert runs(source) == [f"a = A({one}); m = {m}; n = {m + 1}; f(a, m, n)" for m in (3, 5) for one in (1, 2)]
    assert runs("@pytest.mark.parametrize('n', [])\ndef test_it(n):\n    f(n)\n") == ["f(n)"]
    many = "@pytest.mark.parametrize('n', [1, 2, 3, 4])\n@pytest.mark.parametrize('m', [1, 2, 3, 4])\ndef test_it(n, m): f(n, m)\n"
    assert len(runs(many)) == MOST_RUNS


def test_fixtures_that_every_test_has_or_that_a_mark_names() -> None:
    source = (
        "@pytest.fixture(autouse=True)\ndef every():\n    start()\n@pytest.fixture\ndef named():\n    go()\n"
        "@pytest.mark.usefixtures('named')\ndef test_it():\n    f()\n"
    )
    assert runs(source) == ["start(); go(); f()"]


def test_a_fixture_in_the_place_of_an_outer_one_may_ask_for_it() -> None:
    outer = "@pytest.fixture\ndef a():\n    return 1\n"
    inner = "@pytest.fixture\ndef a(a):\n    return A(a)\n"
    assert runs(f"{inner}def test_it(a):\n    f(a)\n", outer) == ["a = 1; a = A(a); f(a)"]
    assert runs("def test_it(a):\n    f(a)\n", outer) == ["a = 1; f(a)"]
    assert runs(f"{inner}def test_it(a):\n    f(a)\n") == ["a = A(a); f(a)"]


def test_a_fixture_that_returns_here_and_there_is_called() -> None:
    source = "@pytest.fixture\ndef a(b):\n    if b:\n        return 1\n    return 2\ndef test_it(a):\n    f(a)\n"
    assert runs(source) == ["def make_a(b):\n    if b:\n        return 1\n    return 2; a = make_a(b); f(a)"]


def test_names_of_a_fixture_do_not_take_those_of_others() -> None:
    inner = "@pytest.fixture\ndef b():\n    a = 3\n    return B(a)\n"
    source = f"{inner}@pytest.fixture\ndef a():\n    return 1\ndef test_it(a, b):\n    f(a, b)\n"
    assert runs(source) == ["a = 1; a_of_b = 3; b = B(a_of_b); f(a, b)"]


def test_the_files_around_a_test_up_to_its_project(tmp_path: Path) -> None:
    inner = tmp_path / "project" / "tests" / "inner"
    inner.mkdir(parents=True)
    (tmp_path / "project" / "pyproject.toml").touch()
    files = [tmp_path / "project" / "conftest.py", inner / "conftest.py"]
    for file in (tmp_path / "conftest.py", *files):
        file.touch()
    assert conftests(str(inner / "test_it.py")) == [str(file) for file in files]


def test_a_fixture_that_yields_what_has_its_name_is_not_assigned_to_itself() -> None:
    around = runs("@pytest.fixture\ndef a():\n    with A() as a:\n        yield a\ndef test_it(a):\n    f(a)\n")
    assert "a = a" not in str(around)
    assert "f(a)" in str(around)
