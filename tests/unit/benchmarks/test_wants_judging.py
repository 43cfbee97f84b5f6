"""The benchmark of wants: what is taken out of a package, what counts as right, and that both halves of the draw are apart."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from benchmarks.wants.packages import drawn
from benchmarks.wants.stripping import strip_package, stripped
from benchmarks.wants.truth import Judge, declared, read

SOURCE = """
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Optional

class Base: ...

class Cake(Base): ...

@dataclass
class Order:
    cake: Cake
    count: int = 1
    kinds: ClassVar[int] = 3

def bake(cakes: Sequence[Cake], base: Optional[Base], anything: object, n: "float" = 1.5) -> Iterable[str]:
    first: Cake = cakes[0]
    rest: list[Cake]
    return [first, n]
"""


def test_annotations_are_taken_out_and_the_rest_stays() -> None:
    tree = ast.parse(stripped(SOURCE))
    namespace: dict[str, object] = {}
    exec(compile(tree, "stripped", "exec"), namespace)
    assert "Sequence[" not in ast.unparse(tree)
    assert "Iterable[" not in ast.unparse(tree)
    order = namespace["Order"]
    assert callable(order)
    assert order("cake").count == 1
    assert "ClassVar[int]" in ast.unparse(tree)


def test_what_annotations_declare_is_asked(tmp_path: Path) -> None:
    (tmp_path / "sweets.py").write_text(SOURCE)
    assert declared(read(tmp_path, "sweets")) == {
        "sweets:bake:cakes": ("collections.abc.Sequence",),
        "sweets:bake:base": ("sweets.Base",),
        "sweets:bake:n": ("float",),
        "sweets:Order.cake": ("sweets.Cake",),
        "sweets:Order.count": ("int",),
        "sweets:Order.kinds": ("int",),
    }
    strip_package(tmp_path / "sweets.py", tmp_path / "scratch")
    assert not any(place.startswith("sweets:bake") for place in declared(read(tmp_path / "scratch", "sweets")))


@pytest.mark.parametrize(
    ("guess", "wanted", "right"),
    [
        ("list", "collections.abc.Sequence", True),
        ("str", "collections.abc.Sequence", False),
        ("sweets.Cake", "sweets.Base", True),
        ("sweets.Base", "sweets.Cake", False),
        ("int", "float", True),
        ("bool", "int", False),
        ("str", "str", True),
        ("no.such.Class", "str", False),
    ],
)
def test_a_guess_is_right_if_a_value_of_it_may_be_passed(tmp_path: Path, guess: str, wanted: str, right: bool) -> None:
    (tmp_path / "sweets.py").write_text(SOURCE)
    assert Judge(read(tmp_path, "sweets")).is_right(guess, (wanted,)) is right


def test_the_halves_are_ten_each_and_have_nothing_in_common() -> None:
    opened, closed = drawn()
    assert len(opened) == len(closed) == 10
    assert not set(opened) & set(closed)
