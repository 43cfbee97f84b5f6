"""The parameters that conditions decide on, with the values on the other side."""

from __future__ import annotations

import ast
import textwrap

from crashwright.engine.subject.usage.guards import Scalar, guards_of


def _guards(source: str, elsewhere: str = "") -> dict[str, tuple[Scalar, ...]]:
    return guards_of(ast.parse(textwrap.dedent(source)).body[0], [ast.parse(textwrap.dedent(elsewhere))] if elsewhere else ())


def test_values_of_comparisons() -> None:
    found = _guards("""
        def ship(order, mode, speed=1, label=None, *, size=0, unread=2):
            if mode == "air" or "sea" == mode and not (mode in ("rail", b"road")):
                return [x for x in order if label is not None]
            while -3 < speed:
                speed -= 1
            match size:
                case 7 | 8:
                    return unread
    """)
    assert found == {"mode": ("air", "sea", "rail", b"road"), "label": (None,), "speed": (-3, -4, -2), "size": (7, 8)}


def test_a_parameter_that_is_the_condition() -> None:
    assert _guards("def ship(quiet, x): return quiet and x.y") == {"quiet": (True, False)}


def test_a_field_is_decided_on_elsewhere() -> None:
    found = _guards(
        "def __init__(self, quiet=False, size=None): self.silent, self.width = 0, 0; self.silent = quiet; self.width = size or 80",
        "def show(self):\n    if not self.silent and self.width == 3 and self.other: pass",
    )
    assert found == {"quiet": (True, False), "size": (True, False, 3)}


def test_what_is_no_function_decides_nothing() -> None:
    assert guards_of(ast.parse("if a: pass")) == {}
