"""Hints from annotations, from their text, from values and from docstrings."""

from __future__ import annotations

import collections.abc
import enum
import io
import re
import typing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crashwright.engine.subject.api.docstrings import parse_docstring, type_of_words
from crashwright.engine.subject.api.hints import EMPTY_SCOPE, HintScope, enum_members, hint_of, hint_of_value
from crashwright.engine.subject.api.types import (
    ANY,
    NONE,
    VARIADIC,
    Assignability,
    ChoiceHint,
    ClassHint,
    Hint,
    TypeHint,
    UnionHint,
    accepts,
    is_any,
    union_of,
)

INT, STR, FLOAT = ClassHint(int), ClassHint(str), ClassHint(float)
CALLABLE = typing.cast(type, collections.abc.Callable)
Bound = typing.TypeVar("Bound", bound=int)
Choice = typing.TypeVar("Choice", int, str)
Free = typing.TypeVar("Free")
Number = typing.NewType("Number", int)
Parameters = typing.ParamSpec("Parameters")


class Colour(enum.Enum):
    RED = 1
    ROUGE = 1  # noqa: PIE796
    BLUE = 2


class Reader(typing.Protocol):
    encoding: str

    def read(self) -> str: ...


class Movie(typing.TypedDict):
    title: str


SCOPE = HintScope({"typing": typing, "t": typing, "Colour": Colour, "Reader": Reader}, Colour)


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (int, INT),
        (None, NONE),
        (object, ANY),
        (typing.Any, ANY),
        ("int", INT),
        ("t.Optional['Colour']", UnionHint((ClassHint(Colour), NONE))),
        ("int | None", UnionHint((INT, NONE))),
        ("Missing | int", UnionHint((ANY, INT))),
        ("list[Missing]", ClassHint(list, (ANY,))),
        ("Missing[int]", ANY),
        ("not an expression", ANY),
        ("f()", ANY),
        (typing.Union[int, str, int], UnionHint((INT, STR))),  # noqa: UP007
        (typing.Literal["a", -1, None], ChoiceHint(("a", -1, None))),
        ("typing.Literal['a', -1]", ChoiceHint(("a", -1))),
        (typing.Annotated[int, "meta"], INT),
        ("t.Annotated[int, missing()]", INT),
        (typing.ClassVar[int], INT),
        (typing.Final[int], INT),
        (Bound, INT),
        (Choice, UnionHint((INT, STR))),
        (Free, ANY),
        (Number, INT),
        (type[Bound], TypeHint(int)),
        (type, ClassHint(type)),
        (type[typing.Any], ClassHint(type)),
        (typing.Type[int | str], UnionHint((TypeHint(int), TypeHint(str)))),  # noqa: UP006
        (typing.Callable[..., int], ClassHint(CALLABLE, (VARIADIC, INT))),
        (typing.Callable[[int], str], ClassHint(CALLABLE, (INT, STR))),
        (typing.Callable[[], str], ClassHint(CALLABLE, (STR,))),
        (typing.Callable[Parameters, int], ClassHint(CALLABLE, (VARIADIC, INT))),
        ("t.Callable[[int], str]", ClassHint(CALLABLE, (INT, STR))),
        (typing.Callable, ClassHint(CALLABLE)),
        (tuple[int, ...], ClassHint(tuple, (INT, VARIADIC))),
        ("tuple[int, str]", ClassHint(tuple, (INT, STR))),
        (collections.abc.Iterable[int], ClassHint(collections.abc.Iterable, (INT,))),
        (typing.Sequence, ClassHint(collections.abc.Sequence)),
        (typing.Dict[str, int], ClassHint(dict, (STR, INT))),  # noqa: UP006
        (typing.IO[bytes], ClassHint(io.BufferedIOBase)),
        (typing.TextIO, ClassHint(io.TextIOBase)),
        (re.Pattern[str], ClassHint(re.Pattern, (STR,))),
        (Colour, ClassHint(Colour)),
        (Reader, ClassHint(Reader)),
        (Movie, ClassHint(Movie)),
        (typing.Self, ClassHint(Colour)),
        (typing.LiteralString, STR),
        (typing.NoReturn, NONE),
        (3, ANY),
    ],
)
def test_annotations(annotation: object, expected: Hint) -> None:
    found = hint_of(annotation, SCOPE)
    assert (type(found), found) == (type(expected), expected)


def test_a_recursive_alias_ends() -> None:
    names: dict[str, object] = {"Json": "list[Json] | int"}
    assert isinstance(hint_of("Json", HintScope(names)), UnionHint)


def test_a_fallback_finds_names_for_type_checkers() -> None:
    scope = HintScope({}, None, lambda name: Colour if name == "Colour" else None)
    assert hint_of("Colour", scope) == ClassHint(Colour)
    assert hint_of("somewhere.Colour", scope) == ClassHint(Colour)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, ANY),
        (object(), ANY),
        (True, ClassHint(bool)),
        ([1, "a"], ClassHint(list, (UnionHint((INT, STR)),))),
        ([], ClassHint(list)),
        ((1, "a"), ClassHint(tuple, (INT, STR))),
        ({"a": 1}, ClassHint(dict, (STR, INT))),
        (int, TypeHint(int)),
        (len, ClassHint(CALLABLE)),
        (Colour.RED, ClassHint(Colour)),
        (re, ANY),
    ],
)
def test_values(value: object, expected: Hint) -> None:
    found = hint_of_value(value)
    assert (type(found), found) == (type(expected), expected)


def test_a_list_in_itself_ends() -> None:
    loop: list[object] = []
    loop.append(loop)
    assert isinstance(hint_of_value(loop), ClassHint)


@pytest.mark.parametrize(
    ("hint", "yes", "no"),
    [
        (ANY, (int, str), ()),
        (FLOAT, (float, int, bool), (str,)),
        (INT, (int, bool), (float,)),
        (UnionHint((STR, NONE)), (str, type(None)), (int,)),
        (ChoiceHint(("a", 1)), (str, int), (float,)),
        (TypeHint(int), (type, enum.EnumMeta), (int,)),
        (ClassHint(collections.abc.Iterable), (list, str, dict), (int,)),
        (ClassHint(CALLABLE), (type(len), type), (int,)),
        (ClassHint(Reader), (io.StringIO,), (int, io.BytesIO)),
        (ClassHint(Movie), (dict,), (list,)),
    ],
)
def test_accepts(hint: Hint, yes: tuple[type, ...], no: tuple[type, ...]) -> None:
    memory = Assignability()
    for _ in range(2):
        assert all(accepts(hint, cls) and memory.accepts(hint, cls) for cls in yes)
        assert not any(accepts(hint, cls) or memory.accepts(hint, cls) for cls in no)


def test_a_hostile_metaclass_accepts_nothing() -> None:
    class Meta(type):
        def __subclasscheck__(cls, other: type) -> bool:
            raise RuntimeError

    class Strange(metaclass=Meta):
        pass

    assert not accepts(ClassHint(Strange), int)


def test_unions_are_flat() -> None:
    assert union_of([INT, UnionHint((STR, INT))]) == UnionHint((INT, STR))
    assert union_of([INT]) == INT
    assert is_any(union_of([]))
    assert not is_any(UnionHint(()))


def test_enum_members_leave_out_aliases() -> None:
    assert [name for name, _ in enum_members(Colour)] == ["RED", "BLUE"]
    assert enum_members(int) == ()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("str", STR),
        ("string, optional", STR),
        ("list of str", ClassHint(list, (STR,))),
        ("int or None", UnionHint((INT, NONE))),
        ("str/bytes", UnionHint((STR, ClassHint(bytes)))),
        ("{'a', 'b'}", ChoiceHint(("a", "b"))),
        ("bool, default: True", ClassHint(bool)),
        ("callable", ClassHint(CALLABLE)),
        ("the number of things", ANY),
        (":class:`int`", INT),
        ("a thing or str", ANY),
    ],
)
def test_words(words: str, expected: Hint) -> None:
    found = type_of_words(words)
    assert (type(found), found) == (type(expected), expected)


def test_styles_of_docstrings() -> None:
    sphinx = ":param str x: what\n:param y: why\n:type y: int\n:rtype: float"
    assert parse_docstring(sphinx) == {"x": STR, "y": INT, "return": FLOAT}
    assert parse_docstring("@type x: str") == {"x": STR}
    assert parse_docstring("Parameters\n----------\nx, y : int\n    Text.\nz : {1, 2}\n") == {
        "x": INT,
        "y": INT,
        "z": ChoiceHint((1, 2)),
    }
    assert parse_docstring("Args:\n    x (int): text\n    y (str, optional): text\n") == {"x": INT, "y": STR}
    assert parse_docstring("Note: nothing here.") == {}


@given(st.text(alphabet="abintsr[]|., 'or{}:()`\n", max_size=40))
def test_no_text_breaks_the_readers(text: str) -> None:
    hint_of(text, EMPTY_SCOPE)
    type_of_words(text)
    parse_docstring(":param x: y\n:type x: " + text)
