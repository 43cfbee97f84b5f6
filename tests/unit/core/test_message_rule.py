"""DESIGN's rule, case by case."""

import pytest

from crashwright.core.message_rule import messages_agree, printed_message


@pytest.mark.parametrize(
    ("exception", "wanted", "got", "agree"),
    [
        ("AttributeError", "'NoneType' object has no attribute 'strip'", "'int' object has no attribute 'strip'", False),
        ("AttributeError", "'X' object has no attribute 'a'. Did you mean: 'b'?", "'X' object has no attribute 'a'", True),
        ("NameError", "name 'os' is not defined. Did you forget to import 'os'?", "name 'os' is not defined", True),
        ("TypeError", "<X object at 0x7f00> is bad", "<X object at 0x7fAB> is bad", True),
        ("TypeError", "f() takes 1 argument", "f() takes 2 arguments", False),
        ("ImportError", "cannot import name 'a' from 'b' (/x/b.py)", "cannot import name 'a' from 'b' (/y z/b.py)", True),
        ("ImportError", "cannot import name 'a' from 'b' (/x/b.py)", "cannot import name 'a' from 'c' (/x/b.py)", False),
        ("ValueError", "bad value 'x' at 3.5", "bad value 'it' at -7", True),
        ("inventory.PartError", 'no "M8" in 3', "no 'M10' in 12", True),
        ("ValueError", "bad value", "bad key", False),
        ("KeyError", "'a'", "('b', 2)", True),
        ("ValueError", "bad 1\nmake: *** [run] Error 1", "bad 2", True),
        ("x.ParseError", "line 1\n\n  here", "line 3\n\n  there", False),
        ("x.FormatError", "none (one of py, md, ipynb)", "none (one of ipynb, py, md)", True),
        ("x.FormatError", "none (one of py, md, ipynb)", "none (one of ipynb, py, rmd)", False),
        ("TypeError", "unknown: {'a', 'b'}", "unknown: {'b', 'a'}", True),
        ("TypeError", "'int' and 'str', not", "'str' and 'int', not", False),
        ("TypeError", "a, b", "b, a", False),
    ],
)
def test_agreement(exception: str, wanted: str, got: str, agree: bool) -> None:
    assert messages_agree(exception, wanted, got) is agree
    assert messages_agree(exception, got, wanted) is agree


def test_printed_message_is_what_a_traceback_prints() -> None:
    noted = ValueError("bad")
    noted.add_note("in a.cfg")
    assert printed_message(noted) == "bad\nin a.cfg"
    assert printed_message(KeyError("k")) == "'k'"
    assert printed_message(SyntaxError("invalid syntax", ("f", 1, 2, "x"))) == "invalid syntax"

    class Broken(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    assert printed_message(Broken()) == "<exception str() failed>"


@pytest.mark.parametrize(
    ("exception", "wanted", "got", "agree"),
    [
        ("TypeError", "no db at postgres://u:xxxxxx0@h/db", "no db at postgres://u:12@h/db", True),
        ("TypeError", "no db at postgres://u:xxxxxx0@h/db", "no db at postgres://u:12@h/other", False),
        ("ValueError", "key xxx_Xxx000 is refused 3 times", "key some thing is refused 4 times", True),
        ("ValueError", "key sk-xxxXXX000 is refused", "key sk-a1 is refused", True),
        ("ValueError", "key sk-xxxXXX000 is refused", "key is refused", False),
        ("TypeError", "x is not 0", "y is not 0", False),
    ],
)
def test_what_was_left_out_cannot_be_compared(exception: str, wanted: str, got: str, agree: bool) -> None:
    assert messages_agree(exception, wanted, got) is agree
