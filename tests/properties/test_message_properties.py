"""Messages between the wings: every class comes back as it was; what is no message is refused with one error that says where."""

from __future__ import annotations

import dataclasses
import json
import typing
from enum import Enum
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crashwright.core.codec import Undecodable, from_json, to_json
from crashwright.core.messages import MESSAGES, decode, encode
from crashwright.crash.secrets.filter import SecretFilter
from crashwright.workflows.reproduce.sifted_engine import sifted_message

KINDS = MESSAGES.kinds
ANY_TEXT = st.text()
HARMLESS_TEXT = st.text("abé\n'\\ ", max_size=8)
"""Nothing in which a filter could find a secret: hypothesis also tries the constants of our own sources, and those have some."""
DEEPEST = 2
"""A target may have a cause, which is a target."""


@cache
def json_values(texts: st.SearchStrategy[str]) -> st.SearchStrategy[object]:
    """What a field without a type of its own may hold."""
    return st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
        lambda values: st.lists(values, max_size=2) | st.dictionaries(texts, values, max_size=2),
        max_leaves=4,
    )


@cache
def values(kind: object, texts: st.SearchStrategy[str] = ANY_TEXT, depth: int = 0) -> st.SearchStrategy[object]:
    """Values of a type of the schema."""
    if kind is typing.Any:
        return json_values(texts)
    if kind in (bool, int):
        return st.from_type(kind)
    if kind is str:
        return texts
    if kind is float:
        return st.floats(allow_nan=False)
    origin, arms = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple and arms[-1] is Ellipsis:
        return st.lists(values(arms[0], texts, depth), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*(values(arm, texts, depth) for arm in arms))
    if origin is dict:
        return st.dictionaries(texts, values(arms[1], texts, depth), max_size=2)
    if origin is typing.Literal:
        return st.sampled_from(arms)
    if origin is not None:
        (arm,) = set(arms) - {type(None)}
        return st.none() | values(arm, texts, depth + 1) if depth < DEEPEST else st.none()
    if issubclass(kind, Enum):
        return st.sampled_from(kind)
    hints = typing.get_type_hints(kind)
    names = kind._fields if issubclass(kind, tuple) else [one.name for one in dataclasses.fields(kind)]  # type: ignore[attr-defined]
    return st.builds(kind, **{name: values(hints[name], texts, depth) for name in names})


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_every_message_comes_back_as_it_was(kind: type, data: st.DataObject) -> None:
    message = data.draw(values(kind))
    back = decode(encode(message))
    assert type(back) is kind
    assert back == message
    assert repr(back) == repr(message)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_filter_that_finds_no_secret_leaves_every_type_as_it_is(kind: type, data: st.DataObject) -> None:
    # Compared by their reprs: a word of an enum is compared by identity, and 1 is True.
    message = data.draw(values(kind, texts=HARMLESS_TEXT))
    assert repr(sifted_message(message, SecretFilter())) == repr(message)


def _wrong(hint: object) -> object:
    """A JSON value that no field of this type has."""
    return 5 if hint is str else "?"


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, one.name) for kind in KINDS for one in dataclasses.fields(kind)], ids=lambda part: str(part)
)
@settings(max_examples=1, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_field_of_another_type_is_refused_by_name(kind: type, name: str, data: st.DataObject) -> None:
    told = MESSAGES.to_json(data.draw(values(kind)))
    wrong = _wrong(typing.get_type_hints(kind)[name])
    with pytest.raises(Undecodable, match=rf"^{kind.__name__}\.{name}: .* expected, not {wrong!r}".replace("?", r"\?")):
        MESSAGES.from_json(told | {name: wrong})


@pytest.mark.parametrize("kind", [kind for kind in KINDS if dataclasses.fields(kind)], ids=lambda kind: kind.__name__)
def test_a_field_that_is_needed_and_missing_is_told(kind: type) -> None:
    needed = [
        one.name
        for one in dataclasses.fields(kind)
        if one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING
    ]
    assert needed
    with pytest.raises(Undecodable, match=rf"{kind.__name__}\.{needed[0]} is missing"):
        MESSAGES.from_json({"message": kind.__name__})


@pytest.mark.parametrize("line", ["{}", "[]", "null", '"Stop"', '{"message": "Nobody"}', '{"message": 1}', '{"message": ["Stop"]}'])
def test_what_has_no_tag_of_ours_is_no_message(line: str) -> None:
    with pytest.raises(Undecodable, match="no message"):
        decode(line)


@dataclasses.dataclass(frozen=True)
class Pair:
    place: tuple[int, float]
    flag: bool = False


@pytest.mark.parametrize("wrong", [[1], [1, 2, 3], [True, 2.0], [1.0, 2.0], [1, "2"], "12", None, {"place": 1}])
def test_inside_a_field_types_are_exact(wrong: object) -> None:
    assert from_json(Pair, {"place": [1, 2], "unknown": 0}) == Pair((1, 2.0))
    with pytest.raises(Undecodable, match=r"Pair\.place"):
        from_json(Pair, {"place": wrong})


def test_what_has_no_form_in_json_is_not_written() -> None:
    with pytest.raises(TypeError):
        to_json(object())
    assert json.loads(json.dumps(to_json({"a": (1, None)}))) == {"a": [1, None]}
