"""Which keywords a function understands that takes any."""

from __future__ import annotations

from pathlib import Path

import pytest

from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.wants.wanted import Wanted

SHOP = """
class Order:
    def __init__(self, number, **details):
        self.number = number
        self.details = dict(details)


class Shop:
    def enter(self, number, **details):
        return Order(number, **details)

    def label(self, order):
        if order.details.get("gift"):
            return order.details["ribbon"]
        return order.details.get("colour", "brown") if "size" in order.details else ""
"""


def understood(source: str, qualname: str, folder: Path) -> dict[str, type | None]:
    """With the likeliest type of each."""
    file = folder / "given.py"
    file.write_text(source)
    found = Wanted([("given", str(file))], is_live=False).keywords("given", qualname)
    return {name: hint.cls if isinstance(hint, ClassHint) else None for name, hint in found.items()}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return options['a'] + options.get('b', 1) + options.pop('c', 0.5)", {"a", "b", "c"}),
        ("if 'a' in options: del options['b']", {"a", "b"}),
        ("if not options.get('a') or options['b']: return 1", {"a", "b"}),
        ("return [x for x in [1] if options.get('a')]", {"a"}),
        ("mine = {'z': 1, **options}\n    return mine['a']", {"a"}),
        ("mine = options.copy()\n    return (defaults | mine).get('a')", {"a"}),
        ("other['a']; options[x]", set()),
        ("return helper(1, **options)", {"width", "deep"}),
        ("return helper(1, width=2, **options)", {"deep"}),
        ("return unknown(**options)", set()),
        ("return f(**options)", {"x"}),
        ("return options[KEY]", {"named"}),
    ],
)
def test_what_a_function_asks_of_its_keywords(body: str, expected: set[str], tmp_path: Path) -> None:
    source = f"KEY = 'named'\n\n\ndef f(x, **options):\n    {body}\n\n\ndef helper(height, width, *, deep=None): ...\n"
    assert understood(source, "f", tmp_path).keys() == expected


def test_defaults_and_decisions_say_the_types(tmp_path: Path) -> None:
    asked = "if options.get('a') or not options['shown']: return options.get('b', 1), options.pop('c', 0.5)"
    assert understood(f"def f(**options):\n    {asked}\n", "f", tmp_path) == {"a": bool, "b": int, "c": float, "shown": bool}


def test_keywords_are_followed_to_where_they_are_kept_and_handed_on(tmp_path: Path) -> None:
    for qualname in ("Order.__init__", "Shop.enter"):
        found = understood(SHOP, qualname, tmp_path)
        assert found.keys() == {"gift", "ribbon", "colour", "size"}
        assert found["colour"] is str
        assert found["gift"] is bool
    assert understood(SHOP, "Shop.label", tmp_path) == {}


@pytest.mark.parametrize(
    "keeping",
    ["self.a = options", "self.a: dict = options", "self.a.update(options)", "self.a.update(**options)", "self.a = D | options"],
)
def test_ways_to_keep_them(keeping: str, tmp_path: Path) -> None:
    source = f"class K:\n    def f(self, **options):\n        {keeping}\n\n    def g(self):\n        return self.a['k']\n"
    assert understood(source, "K.f", tmp_path).keys() == {"k"}


def test_functions_that_call_each_other_come_to_an_end(tmp_path: Path) -> None:
    assert understood("def f(**o):\n    return g(**o)\n\n\ndef g(**o):\n    return f(**o) + o['a']\n", "f", tmp_path).keys() == {
        "a"
    }


@pytest.mark.parametrize(
    "gone_through", ["[one.details['hours'] for one in self.kept]", "max(one.details['hours'] for one in self.kept)"]
)
def test_keywords_of_what_an_attribute_collects(gone_through: str, tmp_path: Path) -> None:
    source = f"""
class Shift:
    def __init__(self, **details):
        self.details = details

class Plan:
    def __init__(self):
        self.kept = []

    def enter(self, **details):
        self.kept.append(Shift(**details))

    def hours(self):
        return {gone_through}
"""
    assert understood(source, "Plan.enter", tmp_path).keys() == {"hours"}
