"""Static types of operands. That they are true of running functions is tested with the interpreter in ``test_differential``."""

from __future__ import annotations

from textwrap import dedent

import pytest

from crashwright.symbolic.ir.functions import functions_of
from crashwright.symbolic.ir.nodes import Kind
from crashwright.symbolic.ir.type_names import annotated
from crashwright.symbolic.ir.types import TypesOfFile

HEAD = """
from __future__ import annotations
from other import Thing
class Box:
    limit = 3
    def __init__(self, name: str, inner=None):
        self.name = name
        self.inner = inner
        self.items = []
        self.inner = Box(name)
    def first(self) -> Box | None:
        return None
    @property
    def half(self):
        return self.limit / 2
def label(x):
    return "a" if x else None
"""


def returned(body: str, parameters: str = "a, b") -> set[str]:
    """The types of what a function returns at its end."""
    source = f"{HEAD}\ndef f({parameters}):\n" + "".join(f"    {line}\n" for line in dedent(body).strip().splitlines())
    functions = functions_of(source, "m")
    function = functions.function("f")
    assert function is not None
    last = [node for node in function.nodes if node.kind is Kind.RETURN][-1]
    return set(TypesOfFile(functions).of_function(function).of(last.number, last.operands[0]))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return 1", {"int"}),
        ("return a", {"unknown"}),
        ("x = 1 if a else 'b'\nreturn x", {"int", "str"}),
        ("x = 1\nfor y in a:\n    x = 'b'\nreturn x", {"int", "str"}),
        ("return len(a) / 2", {"float"}),
        ("return [x for x in 'ab']", {"list"}),
        ("return 'a,b'.split(',')[0]", {"str"}),
        ("return Box(a)", {"m:Box"}),
        ("return Box(a).items", {"list"}),
        ("return Box(a).inner", {"unknown", "NoneType", "m:Box"}),
        ("return Box(a).name", {"str"}),
        ("return Box(a).half", {"float"}),
        ("return Box(a).first()", {"m:Box", "NoneType"}),
        ("return label(a)", {"str", "NoneType"}),
        ("x = label(a)\nif x is None:\n    return 0\nreturn x", {"str"}),
        ("x = label(a)\nif not x:\n    return 0\nreturn x", {"str"}),
        ("if isinstance(a, Box):\n    return a.name\nreturn 0.5", {"float"}),
        ("if not isinstance(a, (int, Box)):\n    return 0\nreturn a", {"int", "m:Box"}),
        ("for k, v in {'a': 1}.items():\n    return v", {"NoneType"}),
        ("try:\n    a()\nexcept ValueError as e:\n    x = e\nelse:\n    x = 1\nreturn x", {"ValueError", "int"}),
    ],
)
def test_flow_within_a_function(body: str, expected: set[str]) -> None:
    assert returned(body) == expected


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ("int", {"int"}),
        ("'Box | None'", {"m:Box", "NoneType"}),
        ("Optional[List[int]]", {"list[int]", "NoneType"}),
        ("Thing", {"other:Thing"}),
        ("dict[str, Box]", {"dict[str, m:Box]"}),
        ("Any", {"unknown"}),
        ("list[int | str]", {"list"}),
        ("Literal['a', 1]", {"str", "int"}),
        ("not an annotation", {"unknown"}),
    ],
)
def test_annotations(annotation: str, expected: set[str]) -> None:
    classes = {"Box": "m:Box", "Thing": "other:Thing"}
    assert annotated(annotation, classes.get) == expected


def test_a_parameter_with_default_none_may_be_none() -> None:
    assert returned("return a", "a: int = None") == {"int", "NoneType"}
