"""One message in the words of several versions of Python: as their interpreters said it."""

import pytest

from crashwright.core.message_rule import messages_agree, same_words
from crashwright.core.wordings import wording_note

SAME = [
    ("TypeError", "m() missing 1 required positional argument: 'a'", "C.m() missing 1 required positional argument: 'a'"),
    ("TypeError", "m() takes 2 positional arguments but 3 were given",
     "outer.<locals>.C.m() takes 2 positional arguments but 3 were given"),
    ("TypeError", "f() got an unexpected keyword argument 'argumnt'",
     "f() got an unexpected keyword argument 'argumnt'. Did you mean 'argument'?"),
    ("TypeError", "append() takes exactly one argument (0 given)", "list.append() takes exactly one argument (0 given)"),
    ("TypeError", "int() argument must be a string, a bytes-like object or a number, not 'NoneType'",
     "int() argument must be a string, a bytes-like object or a real number, not 'NoneType'"),
    ("TypeError", "float() argument must be a string or a number, not 'list'",
     "float() argument must be a string or a real number, not 'list'"),
    ("TypeError", "%d format: a number is required, not str", "%d format: a real number is required, not str"),
    ("TypeError", "an integer is required (got type str)", "'str' object cannot be interpreted as an integer"),
    ("TypeError", "'type' object is not subscriptable", "type 'C' is not subscriptable"),
    ("TypeError", "'C' object does not support indexing", "'C' object is not subscriptable"),
    ("TypeError", "string indices must be integers", "string indices must be integers, not 'str'"),
    ("TypeError", "'NoneType' object is not iterable", "Value after * must be an iterable, not NoneType"),
    ("TypeError", "unhashable type: 'list'", "cannot use 'list' as a dict key (unhashable type: 'list')"),
    ("TypeError", "unhashable type: 'list'", "cannot use 'tuple' as a set element (unhashable type: 'list')"),
    ("TypeError", "expected string or bytes-like object", "expected string or bytes-like object, got 'NoneType'"),
    ("TypeError", "Can't instantiate abstract class C with abstract methods m, n",
     "Can't instantiate abstract class C without an implementation for abstract methods 'm', 'n'"),
    ("TypeError", "Object of type 'set' is not JSON serializable", "Object of type set is not JSON serializable"),
    ("TypeError", "bool expected at most 1 arguments, got 2", "bool expected at most 1 argument, got 2"),
    ("TypeError", "int() takes at most 2 arguments (3 given)", "int expected at most 2 arguments, got 3"),
    ("TypeError", "can't pickle _thread.lock objects", "cannot pickle '_thread.lock' object"),
    ("TypeError", 'must be str, not int', 'can only concatenate str (not "int") to str'),
    ("UnboundLocalError", "local variable 'x' referenced before assignment",
     "cannot access local variable 'x' where it is not associated with a value"),
    ("NameError", "free variable 'y' referenced before assignment in enclosing scope",
     "cannot access free variable 'y' where it is not associated with a value in enclosing scope"),
    ("AttributeError", "can't set attribute", "property 'p' of 'C' object has no setter"),
    ("AttributeError", "can't set attribute 'p'", "property 'p' of 'C' object has no setter"),
    ("AttributeError", "can't delete attribute", "property 'p' of 'C' object has no deleter"),
    ("AttributeError", "unreadable attribute 'p'", "property 'p' of 'C' object has no getter"),
    ("AttributeError", "'int' object has no attribute 'x'",
     "'int' object has no attribute 'x' and no __dict__ for setting new attributes"),
    ("AttributeError", "a", "'C' object has no attribute 'a'"),
    ("AttributeError", "module 'json' has no attribute 'lods'",
     "module 'json' has no attribute 'lods' (consider renaming '/x/json.py' since it has the name of a standard module)"),
    ("ImportError", "cannot import name 'a' from 'b' (/x/b.py)",
     "cannot import name 'a' from partially initialized module 'b' (most likely due to a circular import) (/x/b.py)"),
    ("ValueError", "max() arg is an empty sequence", "max() iterable argument is empty"),
    ("ValueError", "too many values to unpack (expected 2)", "too many values to unpack (expected 2, got 3)"),
    ("ValueError", "3 is not in list", "list.index(x): x not in list"),
    ("ValueError", "math domain error", "expected a nonnegative input, got -1.0"),
    ("ValueError", "Exceeds the limit (4300) for integer string conversion: value has 5000 digits",
     "Exceeds the limit (4300 digits) for integer string conversion: value has 5000 digits"),
    ("ValueError", "month must be in 1..12", "month must be in 1..12, not 13"),
    ("json.decoder.JSONDecodeError", "Expecting value: line 1 column 4 (char 3)",
     "Illegal trailing comma before end of array: line 1 column 3 (char 2)"),
    ("ZeroDivisionError", "integer division or modulo by zero", "division by zero"),
    ("ZeroDivisionError", "float divmod()", "float floor division by zero"),
    ("IndexError", "tuple index out of range", "Replacement index 0 out of range for positional args tuple"),
    ("struct.error", "ubyte format requires 0 <= number <= 255", "'B' format requires 0 <= number <= 255"),
]  # fmt: skip


@pytest.mark.parametrize(("exception", "old", "new"), SAME)
def test_a_message_is_the_same_in_the_words_of_another_version(exception: str, old: str, new: str) -> None:
    assert messages_agree(exception, old, new)
    assert messages_agree(exception, new, old)


@pytest.mark.parametrize(
    ("exception", "one", "other"),
    [
        ("TypeError", "m() missing 1 required positional argument: 'a'", "C.n() missing 1 required positional argument: 'a'"),
        ("TypeError", "C.m() missing 1 required positional argument: 'a'", "D.m() missing 1 required positional argument: 'a'"),
        ("TypeError", "m() missing 1 required positional argument: 'a'", "C.m() missing 1 required positional argument: 'b'"),
        ("TypeError", "'int' object is not iterable", "cannot unpack non-iterable NoneType object"),
        ("TypeError", "unhashable type: 'list'", "cannot use 'dict' as a dict key (unhashable type: 'dict')"),
        ("UnboundLocalError", "local variable 'x' referenced before assignment",
         "cannot access local variable 'y' where it is not associated with a value"),
        ("AttributeError", "can't set attribute 'q'", "property 'p' of 'C' object has no setter"),
        ("AttributeError", "can't set attribute", "property 'p' of 'C' object has no deleter"),
        ("ValueError", "math domain error", "max() iterable argument is empty"),
        ("TypeError", "f() is odd", "C.f() is odd"),
        ("AttributeError", "'A' object has no attribute 'a'", "'B' object has no attribute 'a'"),
        ("ValueError", "expected a positive input", "expected a finite input, got inf"),
        ("AttributeError", "'A' object has no attribute 'a'", "type object 'A' has no attribute 'a'"),
    ],
)  # fmt: skip
def test_other_messages_stay_other_ones(exception: str, one: str, other: str) -> None:
    assert not messages_agree(exception, one, other)
    assert not messages_agree(exception, other, one)


def test_what_this_version_says_in_its_place_is_told() -> None:
    note = wording_note("UnboundLocalError", "local variable 'x' referenced before assignment", (3, 11))
    assert note.endswith("3.11 says: cannot access local variable 'x' where it is not associated with a value")
    assert wording_note("UnboundLocalError", "local variable 'x' referenced before assignment", (3, 10)) == ""
    old = wording_note("AttributeError", "property 'p' of 'C' object has no setter", (3, 10))
    assert old.endswith("3.10 says: can't set attribute 'p'")
    assert wording_note("TypeError", "'int' object is not iterable", (3, 13)) == ""
    assert wording_note("TypeError", "f() missing 1 required positional argument: 'a'", (3, 13)) == ""
    assert wording_note("ValueError", "no such thing", (3, 13)) == ""


def test_a_message_that_is_gone_is_said_to_be_gone() -> None:
    assert "cannot be reproduced" in wording_note("TypeError", "unhashable type: 'slice'", (3, 12))
    assert wording_note("TypeError", "unhashable type: 'slice'", (3, 11)) == ""
    assert "cannot be reproduced" in wording_note("AttributeError", "__enter__", (3, 11))


def test_the_words_alone_tell_versions_apart() -> None:
    assert not same_words("TypeError", "string indices must be integers", "string indices must be integers, not 'str'")
