"""The words with which names of handlers are computed."""

from __future__ import annotations

import ast

import pytest

from crashwright.engine.subject.usage.dispatch import dispatched_words


@pytest.mark.parametrize(
    ("body", "callee", "words"),
    [
        ("return getattr(self, 'visit_' + kind)(x)", "visit_Call", ["Call"]),
        ("m = f'on_{kind}_end'\nreturn getattr(self, m, None)(x)", "on_tag_end", ["tag"]),
        ("m = 'do_%s' % kind\nreturn getattr(self, m)()", "do_x_y", ["x_y", "x-y"]),
        ("return getattr(self, '{}_cmd'.format(kind))()", "quit_cmd", ["quit"]),
        ("return getattr(self, kind + '_cmd')()", "quit_cmd", ["quit"]),
        ("return getattr(self, 'visit_' + kind)(x)", "other", []),
        ("print('visit_' + kind)\nreturn getattr(self, 'fixed')(x)", "visit_Call", []),
        ("return self.visit(x)", "visit", []),
    ],
)
def test_computed_attributes(body: str, callee: str, words: list[str]) -> None:
    caller = ast.parse("def f(self, kind, x):\n" + "\n".join(f"  {line}" for line in body.split("\n")))
    assert dispatched_words(caller, callee, ()) == tuple(words)


def test_tables_of_handlers() -> None:
    module = ast.parse(
        """
HANDLERS = {"a": run, 7: (run, 1), "b": stop, key: run}
class C:
    def __init__(self):
        self.table = {"c": self.run, "d": "run"}
        self.table["e"] = self.run
"""
    )
    assert dispatched_words(ast.parse("f()"), "run", (module,)) == ("a", 7, "e", "c", "d")
