"""What code asks of markup: which elements, and which of their attributes.

It is read off the syntax: comparisons of what is called a tag or a name, paths of elements, keys of what is called attributes, and
names of methods that begin or end an element.

# Deviation: not in the papers; a type says of a text no more than that it is one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from crashwright.engine.subject.walking import nodes_of, walk

MOST_ATTRIBUTES = 5
"""Of an element."""
MOST_OTHERS = 60
"""Elements that the modules know beside those of the functions."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,23}")
_NAMED = re.compile(r".*(tag|name|elem|element)", re.IGNORECASE)
"""Names of what holds the name of an element."""
_PATH = re.compile(r"\.?//?[\w:*@]")
_STEP = re.compile(r"(?P<at>@?)(?:\{[^{}]*\}|[\w.-]+:(?!:))?(?P<name>[A-Za-z_][\w.-]*)")
_METHOD = re.compile(r"_*(?:start|end|do|enter|exit|leave|open|close)_(\w+)")
FINDING = frozenset(
    """find findall findtext iterfind iter getiterator getElementsByTagName getElementsByTagNameNS xpath find_all select
    select_one""".split()
)
ASKING = frozenset({"get", "pop", "getAttribute", "has_attr", "hasAttribute", "attr"})


class Element(NamedTuple):
    """``attributes`` are asked of it where it is near, and else of any element. ``is_near``: the lines in question are about it.
    ``within`` are elements in which it is looked for, the outermost first."""

    tag: str
    attributes: tuple[str, ...]
    is_near: bool
    within: tuple[str, ...] = ()


def elements_in(functions: Sequence[ast.AST], modules: Sequence[ast.AST], lines: Collection[int] = ()) -> list[Element]:
    """The elements that ``functions`` ask for, those first that ``lines`` of theirs are about, then others of the ``modules``.
    Attributes that nothing ties to an element may be of each; where the functions ask for none, those of the modules."""
    reader = _Reader(lines)
    for function in functions:
        reader.read(function)
    if not reader.tags:
        return []
    around = _Reader(())
    for module in modules:
        around.read_all(module)
    loose = sorted(reader.attributes, key=lambda name: name not in reader.near_attributes) or [*around.attributes]
    found = []
    for tag, own in reader.tags.items():
        is_near = tag in reader.near
        told = [one for one in own if one in reader.near_attributes] if is_near else []
        attributes = dict.fromkeys([*told, *own, *([] if own else loose)])
        found.append(Element(tag, tuple(attributes)[:MOST_ATTRIBUTES], is_near, reader.outer[tag]))
    others = [Element(tag, tuple(own)[:MOST_ATTRIBUTES], False) for tag, own in around.tags.items() if tag not in reader.tags]
    return sorted([*found, *others[:MOST_OTHERS]], key=lambda one: not one.is_near)


class _Reader(ast.NodeVisitor):
    def __init__(self, lines: Collection[int]) -> None:
        self._lines = lines
        self._within: list[str] = []
        self._looked_for: list[str] = []
        self.outer: dict[str, tuple[str, ...]] = {}
        self.tags: dict[str, dict[str, None]] = {}
        self.near: dict[str, None] = {}
        self.attributes: dict[str, None] = {}
        self.near_attributes: dict[str, None] = {}

    def read(self, function: ast.AST) -> None:
        """All of it, its name too."""
        named = _METHOD.fullmatch(function.name) if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) else None
        if named is not None:
            self._tag(named[1], True)
        self.visit(function)

    def read_all(self, module: ast.AST) -> None:
        """What it defines and asks for."""
        for node in nodes_of(module):
            named = _METHOD.fullmatch(node.name) if isinstance(node, ast.FunctionDef) else None
            if named is not None:
                self._tag(named[1], False)
        self.visit(module)

    def visit_If(self, node: ast.If) -> None:
        """What its body asks for is asked of the elements that its condition names."""
        self.visit(node.test)
        around = self._within
        asked = list(_tags_asked_for(node.test, is_so=True))
        for tag in asked:
            self._tag(tag, self._is_near(node.body[0].lineno, node.body[-1].end_lineno))
        self._within = asked or around
        for statement in node.body:
            self.visit(statement)
        self._within = around
        for statement in node.orelse:
            self.visit(statement)

    def visit_For(self, node: ast.For) -> None:
        """What the body looks for it looks for within the elements that the loop goes through."""
        before = len(self.tags)
        self.visit(node.iter)
        around, new = self._looked_for, list(self.tags)[before:]
        if new:
            self._looked_for = [*around, new[0]]
        for statement in (*node.body, *node.orelse):
            self.visit(statement)
        self._looked_for = around

    def visit_Compare(self, node: ast.Compare) -> None:
        """The name of an element, or a key of attributes."""
        self.generic_visit(node)
        for tag in _tags_asked_for(node):
            self._tag(tag, False)
        if isinstance(node.ops[0], ast.In | ast.NotIn) and isinstance(node.left, ast.Constant):
            self._attribute(node.left.value, node.comparators[0], node.lineno)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """A key of attributes."""
        self.generic_visit(node)
        if isinstance(node.slice, ast.Constant) and isinstance(node.ctx, ast.Load):
            self._attribute(node.slice.value, node.value, node.lineno)

    def visit_Call(self, node: ast.Call) -> None:
        """A path of elements, or a key of attributes."""
        self.generic_visit(node)
        first = node.args[0] if node.args else None
        if not isinstance(first, ast.Constant) or type(first.value) is not str:
            return
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if name in FINDING or _PATH.match(first.value):
            for step in _STEP.finditer(first.value):
                if step["at"]:
                    self._attribute(step["name"], None, node.lineno)
                else:
                    self._tag(step["name"], False)
        elif name in ASKING and isinstance(node.func, ast.Attribute):
            self._attribute(first.value, node.func.value, node.lineno)

    def _tag(self, tag: str, is_near: bool) -> None:
        if _NAME.fullmatch(tag):
            self.tags.setdefault(tag, {})
            self.outer.setdefault(tag, tuple(self._looked_for))
            if is_near:
                self.near[tag] = None

    def _attribute(self, name: object, holder: ast.expr | None, line: int) -> None:
        if type(name) is not str or not _NAME.fullmatch(name):
            return
        is_near = self._is_near(line, line)
        if holder is not None and not self._within and not is_near and "attr" not in _last_name(holder).lower():
            return
        for tag in self._within:
            self.tags[tag][name] = None
        if not self._within:
            self.attributes[name] = None
        if is_near:
            self.near_attributes[name] = None

    def _is_near(self, first: int, last: int | None) -> bool:
        return any(first <= line <= (last or first) for line in self._lines)


def _tags_asked_for(condition: ast.expr, is_so: bool = False) -> Iterator[str]:
    """Names that elements have to have, or must not have unless it ``is_so``."""
    for node in walk(condition):
        operator = node.ops[0] if isinstance(node, ast.Compare) else None
        if not isinstance(node, ast.Compare) or (is_so and isinstance(operator, ast.NotEq | ast.NotIn)):
            continue
        if isinstance(operator, ast.Eq | ast.In | ast.NotEq | ast.NotIn):
            for one, other in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
                if _NAMED.fullmatch(_last_name(one)):
                    for part in walk(other):
                        if isinstance(part, ast.Constant) and type(part.value) is str:
                            yield from (step["name"] for step in _STEP.finditer(part.value) if not step["at"])


def _last_name(node: ast.expr) -> str:
    while isinstance(node, ast.Call):
        node = node.func.value if isinstance(node.func, ast.Attribute) else node.func
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
