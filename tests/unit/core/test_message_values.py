"""What messages quote, and how far other values are from it."""

import pytest

from crashwright.core.message_values import quoted_in, value_distance


@pytest.mark.parametrize(
    ("exception", "wanted", "got", "same"),
    [
        ("KeyError", "<VatRate.ZERO>", "0", False),
        ("KeyError", "'a'", "'a'", True),
        ("KeyError", "<Part object at 0x7f00>", "<Part object at 0x8abc>", True),
        ("KeyError", "<Part object at 0x7f00>", "<Bolt object at 0x8abc>", False),
        ("ValueError", "'x' is not in list", "'y' is not in list", False),
        ("ValueError", "invalid literal for int() with base 10: 'x'", "invalid literal for int() with base 10: 'x'", True),
        ("AssertionError", "(5, 64)", "(0, 48)", False),
        ("OSError", "no file '/srv/app/data/x.csv' 2", "no file '/tmp/a/b.csv' 2", True),
        ("OSError", "no file '/srv/app/data/x.csv' 2", "no file '/tmp/a/b.csv' 3", False),
        ("ValueError", "token '***' of 3", "token 'abc' of 3", True),
        ("ValueError", "object 140234567890123 of 3", "object 1 of 3", True),
        ("TypeError", "'int' object is not iterable", "'int' object is not iterable", True),
        ("ValueError", "bad 1\nmake: *** [run] Error 1", "bad 1", True),
    ],
)
def test_values_count_where_a_test_can_have_them(exception: str, wanted: str, got: str, same: bool) -> None:
    assert (value_distance(exception, wanted, got) == 0) is same


def test_nearer_values_are_nearer() -> None:
    far, near = (value_distance("IndexError", "index 17 of 3", f"index {number} of 3") for number in (400, 18))
    assert 0 < near < far <= 1
    far, near = (value_distance("KeyError", "'north-west'", repr(text)) for text in ("q", "north-east"))
    assert 0 < near < far <= 1


def test_an_apostrophe_in_a_word_quotes_nothing() -> None:
    message = "'ascii' codec can't encode character '\\xeb' in position 3"
    assert quoted_in("UnicodeEncodeError", message) == ("'ascii'", "'\\xeb'", "3")
    assert quoted_in("TypeError", "got 'Shelf'") == ("'Shelf'",)
