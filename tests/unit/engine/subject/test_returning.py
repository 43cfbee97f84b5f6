"""A function that returns something on one of its ways answers, and one that never does commands."""

from __future__ import annotations

from collections.abc import Iterator

from crashwright.engine.subject.returning import returns_something


def _find(names: list[str], name: str) -> str | None:
    for one in names:
        if one == name:
            return one
    return None


def _has(names: list[str], name: str) -> bool | None:
    if name in names:
        return True
    return None


def _put(names: list[str], name: str) -> None:
    if name in names:
        return
    names.append(name)


def _each(names: list[str]) -> Iterator[str]:
    yield from names


async def _first(names: list[str]) -> str:
    return names[0]


class _Shelf:
    @property
    def top(self) -> str | None:
        names: list[str] = []
        return names[0] if names else None


def test_one_way_with_a_value_is_enough() -> None:
    assert returns_something(_find)
    assert returns_something(_has)
    assert returns_something(_Shelf.top)


def test_what_only_commands_gives_nothing() -> None:
    assert not returns_something(_put)


def test_what_its_call_gives_is_not_what_a_generator_or_coroutine_returns() -> None:
    assert not returns_something(_each)
    assert not returns_something(_first)


def test_what_is_not_written_in_python_is_not_known() -> None:
    assert not returns_something(len)
