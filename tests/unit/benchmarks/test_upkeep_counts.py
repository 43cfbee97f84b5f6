"""What the maintainer of a suite would delete is counted from the printed file."""

from __future__ import annotations

from benchmarks.suites.upkeep import Upkeep, upkeep

SOURCE = '''
def is_isbn_10(): pass

def price(weight):
    """Raises KeyError for what is unknown."""
    if weight < 0:
        raise TypeError("negative")
    for step in range(weight):
        while True:
            break
    match weight:
        case 1:
            return 1
        case _:
            return 2
'''
TESTS = """
import pytest

@pytest.mark.parametrize(("weight", "expected"), [(1, 1), (2, 2), (2, 2)])
def test_price(weight, expected):
    assert price(weight) == expected

class TestPrice:
    def test_raises_7(self):
        with pytest.raises(TypeError):
            price(-1)

    def test_is_isbn_10(self):
        assert is_isbn_10() is None

    def test_key(self):
        with pytest.raises(KeyError):
            price({})

    def test_accident(self):
        with pytest.raises(AttributeError, match="None"):
            price(None)

    def test_value(self):
        with pytest.raises(ValueError):
            price("x")

    def test_silent(self):
        price(123456789012345678)

    def test_again(self):
        price(123456789012345678)

    def test_text(self):
        assert price("a\\x07b") == "two words, and a full stop."

    def test_signs(self):
        assert price("\\u20ac{]#;:\\u20ac%!=a") is None
"""


def test_each_count() -> None:
    found = upkeep(SOURCE, TESTS)
    assert found == Upkeep(cases=12, tests=10, branches=6, accidents=1, silent=2, numbered=1, garbled=4, duplicates=2)
    assert "12 cases, 10 tests, 1.67 a branch  accidents 1 (8.3%)" in found.text
    assert (found + found).cases == 24
