"""What runs of a candidate, as statements."""

from __future__ import annotations

import ast

from crashwright.engine.testcase.candidates.programs import programs


def told(source: str) -> list[str]:
    return ["; ".join(map(ast.unparse, one.statements)) for one in programs(source)]


def test_a_script_runs_as_it_stands_and_its_main_guard_is_open() -> None:
    assert told("import a\nx = a.f()\nif __name__ == '__main__':\n    a.g(x)\n") == ["import a; x = a.f(); a.g(x)"]


def test_a_script_that_only_defines_means_its_last_function() -> None:
    assert told("import a\ndef go():\n    a.f()\n")[0].endswith("; go()")
    assert told("import a\nasync def go(n=1):\n    a.f()\n")[0].endswith("; await go()")
    assert not told("import a\ndef go(n):\n    a.f()\n")[0].endswith("go()")


def test_tests_run_with_what_they_are_given_and_without_what_they_expect() -> None:
    source = (
        "import pytest\nimport a\nBASE = 1\n@pytest.fixture\ndef box():\n    one = a.Box()\n    yield one\n    one.close()\n"
        "@pytest.mark.parametrize('n, m', [(1, 2), pytest.param(3, 4)])\ndef test_it(box, n, m, tmp_path):\n"
        "    '''Says.'''\n    with pytest.raises(ValueError, match='x'):\n        box.put(n, m)\n    assert box.full\n"
        "def test_other():\n    a.f()\n"
    )
    first, second, other = told(source)
    assert first.startswith("import a; BASE = 1; one = a.Box(); box = one; ")
    assert first.endswith("n = 1; m = 2; box.put(n, m); box.full; one.close()")
    assert "tmp_path = pathlib.Path(tempfile.mkdtemp())" in first
    assert "n = 3; m = 4" in second
    assert other == "import a; BASE = 1; a.f()"


def test_methods_of_test_classes_share_what_they_keep_on_themselves() -> None:
    source = (
        "import unittest, a\nclass TestBox(unittest.TestCase):\n    def setUp(self):\n        self.box = a.Box()\n"
        "    def test_it(self):\n        with self.assertRaises(ValueError):\n            self.box.put(1)\n"
        "        self.assertEqual(self.box.n, 2)\n"
    )
    assert told(source)[0].endswith("box = a.Box(); box.put(1); box.n; 2")


def test_what_is_no_program_is_none() -> None:
    assert told("this is no python") == told("'only said'") == told("import a") == []
