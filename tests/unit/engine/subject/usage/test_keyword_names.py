from __future__ import annotations

import ast

import pytest

from crashwright.engine.subject.usage.keyword_names import MOST_NAMES, Keywords

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


def understood(source: str, name: str) -> dict[str, type | None]:
    """What the function of that name understands."""
    tree = ast.parse(source)
    functions = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and one.name == name]
    return Keywords([tree]).understood(functions[0])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return options['a'] + options.get('b', 1) + options.pop('c', 0.5)", {"a": None, "b": int, "c": float}),
        ("if 'a' in options: del options['b']", {"a": None, "b": None}),
        ("if not options.get('a') or options['b']: return 1", {"a": bool, "b": bool}),
        ("return [x for x in [1] if options.get('a')]", {"a": bool}),
        ("mine = {'z': 1, **options}\n    return mine['a']", {"a": None}),
        ("mine = options.copy()\n    return (defaults | mine).get('a')", {"a": None}),
        ("other['a']; options['not a name']; options[x]; options['a'] = 1", {}),
        ("return helper(1, **options)", {"width": None, "deep": None}),
        ("return helper(1, width=2, **options)", {"deep": None}),
        ("return unknown(**options)", {}),
        ("return f(**options)", {}),
    ],
)
def test_what_a_function_asks_of_its_keywords(body: str, expected: dict[str, type | None]) -> None:
    source = f"def f(x, **options):\n    {body}\n\n\ndef helper(height, width, *, deep=None): ...\n"
    assert understood(source, "f") == expected


def test_keywords_are_followed_to_where_they_are_kept_and_handed_on() -> None:
    expected = {"gift": bool, "ribbon": None, "colour": str, "size": None}
    assert understood(SHOP, "__init__") == expected
    assert understood(SHOP, "enter") == expected
    assert understood(SHOP, "label") == {}


@pytest.mark.parametrize(
    "keeping",
    ["self.a = options", "self.a: dict = options", "self.a.update(options)", "self.a.update(**options)", "self.a = D | options"],
)
def test_ways_to_keep_them(keeping: str) -> None:
    assert understood(f"def f(self, **options):\n    {keeping}\n\n\ndef g(self):\n    return self.a['k']\n", "f") == {"k": None}


def test_parameters_are_no_keywords_and_there_is_an_end() -> None:
    many = "\n".join(f"    options['k{number}']" for number in range(MOST_NAMES + 5))
    assert len(understood(f"def f(**options):\n{many}\n", "f")) == MOST_NAMES
    assert understood("def f(a, **options):\n    return options['a']\n", "f") == {}
    assert understood("def f(**o):\n    return g(**o)\n\n\ndef g(**o):\n    return f(**o) + o['a']\n", "f") == {"a": None}
