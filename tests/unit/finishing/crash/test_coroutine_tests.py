"""Tests that are coroutine functions become plain ones, with their lines as they were."""

from __future__ import annotations

import pytest

from crashwright.finishing.crash.coroutine_tests import has_coroutines, synchronous

ALONE = '''
import pytest
from relay import serve


@pytest.mark.asyncio
async def test_it(tmp_path):
    """Says
nothing."""
    assert await serve(tmp_path) == """
a"""
'''
IN_CLASS = """
import asyncio


class TestRelay:
    async def test_it(self):
        await asyncio.sleep(0)

    def test_other(self):
        assert True
"""


def test_a_function_runs_its_lines_as_a_coroutine() -> None:
    made = synchronous(ALONE, "test_it[1]")
    assert "import asyncio\n" in made
    assert "def test_it(tmp_path):\n    async def scenario():\n" in made
    assert '        assert await serve(tmp_path) == """\na"""\n\n    asyncio.run(scenario())\n' in made
    assert "mark" not in made
    assert "import pytest" not in made
    compile(made, "made", "exec")


def test_a_method_too() -> None:
    made = synchronous(IN_CLASS, "TestRelay::test_it")
    assert (
        "    def test_it(self):\n        async def scenario():\n            await asyncio.sleep(0)\n\n        asyncio.run(" in made
    )
    assert made.count("import asyncio") == 1
    assert "    def test_other(self):\n        assert True" in made


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        (ALONE, True),
        (IN_CLASS, True),
        ("@fixture\nasync def client(): ...\n", True),
        ("async def helper(): ...\n", False),
        ("class Test(IsolatedAsyncioTestCase):\n    async def test_it(self): ...\n", False),
    ],
)
def test_which_need_a_plugin(source: str, wanted: bool) -> None:
    assert has_coroutines(source) is wanted


def test_what_is_none_stays() -> None:
    assert synchronous(ALONE, "test_other") == ALONE
    one_line = "async def test_it(): await f()\n"
    assert synchronous(one_line, "test_it") == one_line
