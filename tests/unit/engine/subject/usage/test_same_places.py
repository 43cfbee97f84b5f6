"""Which parameters are names of files and folders, however their paths are spelled before they are used."""

from __future__ import annotations

import ast
import textwrap

import pytest

from crashwright.engine.subject.usage.use import FILE, FOLDER
from crashwright.engine.subject.usage.uses_of_values import ModuleUses


def places(source: str) -> set[str]:
    use = ModuleUses(ast.parse(textwrap.dedent(source))).use_of("f", "x")
    return set() if use is None else {FILE, FOLDER} & {*use.operations}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("open(x)", {FILE}),
        ("x = os.path.abspath(x)\n    return os.path.isfile(x)", {FILE}),
        ("y = Path(x).expanduser()\n    return y.read_text()", {FILE}),
        ("return Path(x).resolve().read_text()", {FILE}),
        ("root = pathlib.Path(x)\n    return root / 'setup.cfg'", {FOLDER}),
        ("x = os.path.normpath(x)\n    for name in os.listdir(x): pass", {FOLDER}),
        ("x = os.path.abspath(x)\n    return load(x)\ndef load(path):\n    return open(path)", {FILE}),
        ("x = os.path.abspath(x)\n    return x.upper()", set()),
        ("return x / 3", set()),
        ("x = find(x)\n    return open(x)", set()),
        ("x = str()\n    return open(x)", set()),
    ],
)
def test_a_path_is_the_same_in_another_spelling(body: str, expected: set[str]) -> None:
    assert places(f"def f(x):\n    {body}") == expected


def test_nothing_else_is_known_of_what_is_only_spelled_otherwise() -> None:
    use = ModuleUses(ast.parse("def f(x):\n    y = Path(x)\n    return y.parent.suffix, open(y)")).use_of("f", "x")
    assert use is not None
    assert not use.attributes
