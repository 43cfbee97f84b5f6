"""The trees of elements that code goes through: which element it looks for within which, what it reads of each, and as what.

Code that reads a document says its shape: a header is found in the root, a number in the header, its text becomes an ``int``. A
document of that shape gets past all that is looked for, where elements known one by one do not. Prefixes of namespaces are resolved
by the tables that the modules hold.

# Deviation: not in the papers; a type says of a text no more than that it is one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from crashwright.engine.subject.usage.conversions import written_for
from crashwright.engine.subject.usage.elements import ASKING, FINDING
from crashwright.engine.subject.walking import walk

TEXT, NUMBER, MOMENT = "text", "number", "moment"
MOST_TREES, MOST_ELEMENTS, DEEPEST = 3, 40, 3
"""Of a path; of a tree; calls that a tree is followed through."""
_STEP = re.compile(r"(?:\{(?P<uri>[^{}]*)\}|(?P<prefix>[\w.-]+):(?!:))?(?P<name>@?[A-Za-z_][\w.-]*|\*|\.|text\(\))")
_PREDICATE = re.compile(r"\[@(?P<name>[\w.:-]+)(?:\s*=\s*(?P<quote>['\"])(?P<value>.*?)(?P=quote))?\]")
_FILTER = re.compile(r"\[[^\]]*\]")
_ROOTS = frozenset({"fromstring", "parse", "XML", "fromstringlist", "parseString", "BeautifulSoup", "document_fromstring"})
_SAME = frozenset({"getroot", "documentElement", "attrib", "attrs", "attributes"})
_CONTENT = frozenset({"text", "tail", "string", "text_content", "get_text", "data", "nodeValue"})
_NUMBERS = frozenset({"int", "float", "Decimal", "Fraction"})
_MOMENTS = frozenset({"strptime", "fromisoformat", "parse_date", "parse_datetime", "parsedate_to_datetime"})


class Leaf(NamedTuple):
    """A text: what it is read as, what it has to be for the code to go on with it, and what it must not be for that."""

    kind: str = TEXT
    values: tuple[str, ...] = ()
    turned_away: tuple[str, ...] = ()


class Tree(NamedTuple):
    """``tag`` as ElementTree writes it, ``{uri}name``, empty where nothing tells it. ``text``: where it is read."""

    tag: str
    attributes: tuple[tuple[str, Leaf], ...] = ()
    text: Leaf | None = None
    children: tuple[Tree, ...] = ()


def element_trees(functions: Sequence[ast.AST], beside: Sequence[ast.AST], known: Mapping[str, object]) -> list[Tree]:
    """The trees that ``functions`` go through, those of most elements first; with what they pass elements to among ``beside``.
    ``known`` are the names of their modules."""
    named = {one.name: one for one in (*beside, *functions) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)}
    found: list[Tree] = []
    for function in functions:
        reader = _Reader(named, known)
        reader.read(function, {})
        found += [tree for root in reader.roots if (tree := root.grown()).children or tree.attributes]
    return sorted(dict.fromkeys(found), key=lambda tree: -_size(tree))[:MOST_TREES]


def _size(tree: Tree) -> int:
    return 1 + len(tree.attributes) + sum(map(_size, tree.children))


class _Text:
    """A leaf while it is read."""

    def __init__(self) -> None:
        self.kind = TEXT
        self.values: dict[str, None] = {}
        self.turned_away: dict[str, None] = {}

    def grown(self) -> Leaf:
        return Leaf(self.kind, tuple(self.values), tuple(one for one in self.turned_away if one not in self.values))


class _Node:
    """An element while it is read."""

    def __init__(self, tag: str, parent: _Node | None = None) -> None:
        self.tag, self.parent = tag, parent
        self.attributes: dict[str, _Text] = {}
        self.children: dict[str, _Node] = {}
        self.text: _Text | None = None

    def child(self, tag: str) -> _Node:
        return self.children.setdefault(tag, _Node(tag, self))

    def attribute(self, name: str) -> _Text:
        return self.attributes.setdefault(name, _Text())

    def content(self) -> _Text:
        self.text = self.text or _Text()
        return self.text

    def grown(self) -> Tree:
        children = [one.grown() for one in self.children.values()][:MOST_ELEMENTS]
        attributes = tuple((name, text.grown()) for name, text in self.attributes.items())
        text = None if self.text is None else self.text.grown()
        return Tree(self.tag, attributes, text, tuple(one for one in children if one.tag or one.children or one.attributes))


_Read = _Node | _Text | None


class _Reader(ast.NodeVisitor):
    """Reads functions in the order of their statements; each visit answers what the expression is."""

    def __init__(self, functions: Mapping[str, ast.AST], known: Mapping[str, object]) -> None:
        self._functions, self._known = functions, known
        self._held: dict[str, _Node | _Text] = {}
        self._deep = 0
        self._turned = False
        self.roots: list[_Node] = []

    def read(self, function: ast.AST, given: Mapping[str, _Node | _Text]) -> None:
        """``given`` are the arguments that are elements or texts of them."""
        around, self._held = self._held, dict(given)
        for part in ast.iter_child_nodes(function):
            if not isinstance(part, ast.arguments):
                self.visit(part)
        self._held = around

    def generic_visit(self, node: ast.AST) -> _Read:
        super().generic_visit(node)
        return None

    def visit_Assign(self, node: ast.Assign) -> None:
        """A name holds what is found."""
        value = self.visit(node.value)
        for target in node.targets:
            self._hold(target, value)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> _Read:
        """As an assignment."""
        value: _Read = self.visit(node.value)
        self._hold(node.target, value)
        return value

    def visit_For(self, node: ast.For) -> None:
        """The target is each of what is gone through."""
        self._hold(node.target, self._each(node.iter))
        for statement in (*node.body, *node.orelse):
            self.visit(statement)

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> _Read:
        """As a loop; what it makes of elements is gone through as they are."""
        self._generators(node.generators)
        made: _Read = self.visit(node.elt)
        return made

    visit_SetComp = visit_GeneratorExp = visit_ListComp

    def visit_DictComp(self, node: ast.DictComp) -> None:
        """As a loop."""
        self._generators(node.generators)
        self.visit(node.key)
        self.visit(node.value)

    def visit_If(self, node: ast.If) -> None:
        """Where the name of an element is asked for, one arm is about an element of that name: the body if it has to have it, else
        the other one, which is all that follows if the body leaves."""
        turned, leaves = _turns_away(node.body), _leaves(node.body)
        asked = self._asked_tag(node.test, turned)
        held, is_so = asked or (None, True)
        self._turned, around = turned, self._turned
        self._with(held, [node.test])
        self._turned = around
        self._with(held if is_so else None, node.body)
        self._with(None if is_so else held, node.orelse)
        if held is not None and leaves and not is_so:
            self._held[held[0]] = held[1]

    def _with(self, held: tuple[str, _Node] | None, parts: Sequence[ast.AST]) -> None:
        """Read ``parts``, while a name holds that element."""
        around = None if held is None else self._held.get(held[0])
        if held is not None:
            self._held[held[0]] = held[1]
        for part in parts:
            self.visit(part)
        if held is not None and around is not None:
            self._held[held[0]] = around

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """``not`` asks for the opposite."""
        self._turned ^= isinstance(node.op, ast.Not)
        self.visit(node.operand)
        self._turned ^= isinstance(node.op, ast.Not)

    def visit_BoolOp(self, node: ast.BoolOp) -> _Read:
        """One of what it chooses from."""
        found: list[_Read] = [self.visit(value) for value in node.values]
        return next((one for one in found if one is not None), None)

    def visit_IfExp(self, node: ast.IfExp) -> _Read:
        """One of what it chooses from."""
        self.visit(node.test)
        found: list[_Read] = [self.visit(node.body), self.visit(node.orelse)]
        return next((one for one in found if one is not None), None)

    def visit_Compare(self, node: ast.Compare) -> None:
        """A text is compared with values: those that it has to have, and those by which it is turned away."""
        left = self.visit(node.left)
        for other in node.comparators:
            self.visit(other)
        if isinstance(left, _Text) and isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.In | ast.NotIn):
            is_wanted = isinstance(node.ops[0], ast.Eq | ast.In) is not self._turned
            for part in walk(node.comparators[0]):
                if isinstance(part, ast.Constant) and type(part.value) is str:
                    (left.values if is_wanted else left.turned_away)[part.value] = None

    def visit_Name(self, node: ast.Name) -> _Read:
        """What it holds."""
        return self._held.get(node.id)

    def visit_Attribute(self, node: ast.Attribute) -> _Read:
        """The text of an element; its attributes stand for itself."""
        holder: _Read = self.visit(node.value)
        if isinstance(holder, _Node):
            return holder if node.attr in _SAME else holder.content() if node.attr in _CONTENT else None
        return self._held.get(ast.unparse(node))

    def visit_Subscript(self, node: ast.Subscript) -> _Read:
        """An attribute, or one of the elements found."""
        holder: _Read = self.visit(node.value)
        self.visit(node.slice)
        if isinstance(holder, _Node) and isinstance(node.slice, ast.Constant) and type(node.slice.value) is str:
            return holder.attribute(node.slice.value)
        return holder

    def visit_Call(self, node: ast.Call) -> _Read:
        """What is looked for, read, converted, or handed on."""
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        path = self._constant(node.args[0]) if node.args else None
        holder: _Read = self.visit(node.func.value) if isinstance(node.func, ast.Attribute) else None
        arguments: list[_Read] = [self.visit(argument) for argument in (*node.args, *(word.value for word in node.keywords))]
        if name in FINDING and type(path) is str:
            return self._found(node, holder, path)
        if isinstance(holder, _Node):
            if name in ASKING and type(path) is str:
                return holder.attribute(path)
            return holder if name in _SAME or name in FINDING else holder.content() if name in _CONTENT else None
        if isinstance(holder, _Text):
            return holder
        if name in _ROOTS:
            return self._root()
        for text in arguments:
            if isinstance(text, _Text) and (name in _NUMBERS or name in _MOMENTS):
                text.kind = NUMBER if name in _NUMBERS else MOMENT
                if name in _MOMENTS:
                    text.values |= {str(one): None for one in written_for(node.func, name, node.args)}
                return None
        return self._handed(name, node, arguments)

    def _handed(self, name: str, node: ast.Call, arguments: Sequence[_Read]) -> _Read:
        function = self._functions.get(name)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and any(arguments) and self._deep < DEEPEST:
            names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
            offset = isinstance(node.func, ast.Attribute) and names[:1] in (["self"], ["cls"])
            taken = [*names[offset : offset + len(node.args)], *(word.arg or "" for word in node.keywords)]
            self._deep += 1
            self.read(function, {one: value for one, value in zip(taken, arguments, strict=False) if value is not None})
            self._deep -= 1
        return next((one for one in arguments if isinstance(one, _Node)), None) if name in ("list", "iter", "sorted") else None

    def _root(self) -> _Node:
        self.roots.append(_Node(""))
        return self.roots[-1]

    def _found(self, node: ast.Call, holder: _Read, path: str) -> _Read:
        if holder is None and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name | ast.Attribute):
            holder = self._root()
            self._hold(node.func.value, holder)
        if not isinstance(holder, _Node):
            return None
        given = [*node.args[1:], *(word.value for word in node.keywords)]
        table = next((value for one in given if isinstance(value := self._constant(one), dict)), {})
        found = _walked(holder, path, table)
        return found.content() if isinstance(found, _Node) and _is(node, "findtext") else found

    def _each(self, node: ast.expr) -> _Read:
        """What a loop goes through: those that were looked for, or all that an element holds."""
        found: _Read = self.visit(node)
        if isinstance(found, _Node) and (isinstance(node, ast.Name | ast.Attribute) or _is(node, *_ROOTS, "getroot")):
            return found.child("") if found in self.roots or not found.tag or isinstance(node, ast.Name) else found
        return found

    def _generators(self, generators: Sequence[ast.comprehension]) -> None:
        for generator in generators:
            self._hold(generator.target, self._each(generator.iter))
            for condition in generator.ifs:
                self.visit(condition)

    def _asked_tag(self, test: ast.expr, turned: bool) -> tuple[tuple[str, _Node], bool] | None:
        """The element of the name that ``test`` asks for, by the source that it is held by; with whether the element has that name
        where ``test`` is true, or where it is false. ``turned``: the code does not go on with what passes it."""
        if isinstance(test, ast.BoolOp):
            found = [one for one in (self._asked_tag(value, turned) for value in test.values) if one is not None]
            return next((one for one in found if one[1] is isinstance(test.op, ast.And)), None)
        if not (isinstance(test, ast.Compare) and isinstance(test.left, ast.Attribute) and test.left.attr in ("tag", "name")):
            return None
        holder, tag = self.visit(test.left.value), self._constant(test.comparators[0])
        if not isinstance(holder, _Node) or type(tag) is not str or not isinstance(test.ops[0], ast.Eq | ast.NotEq):
            return None
        is_so = isinstance(test.ops[0], ast.Eq)
        if holder.parent is None:
            holder.tag = holder.tag or ("" if is_so and turned else tag)
            return None
        return (ast.unparse(test.left.value), holder.parent.child(tag)), is_so

    def _hold(self, target: ast.expr, value: _Read) -> None:
        if not isinstance(target, ast.Name | ast.Attribute):
            return
        if value is None:
            self._held.pop(ast.unparse(target), None)
        else:
            self._held[ast.unparse(target)] = value

    def _constant(self, node: ast.expr) -> object:
        """What a constant is, a name of the module, or a text made of these."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return _exact(self._known.get(node.id))
        if isinstance(node, ast.JoinedStr):
            parts = [self._constant(one.value if isinstance(one, ast.FormattedValue) else one) for one in node.values]
            return "".join(map(str, parts)) if all(type(part) is str for part in parts) else None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            left, right = self._constant(node.left), self._constant(node.right)
            return left + right if isinstance(left, str) and isinstance(right, str) else None
        if isinstance(node, ast.Dict):
            pairs = [
                (key and self._constant(key), self._constant(value)) for key, value in zip(node.keys, node.values, strict=True)
            ]
            return dict(pairs)
        return None


def _exact(held: object) -> object:
    """A text, or the pairs of texts in a mapping: other objects of the subject are not looked into."""
    if type(held) is dict:
        return {key: value for key, value in held.items() if type(key) is str and type(value) is str}
    return held if type(held) is str else None


def _leaves(body: Sequence[ast.stmt]) -> bool:
    return isinstance(body[-1], ast.Return | ast.Raise | ast.Continue | ast.Break)


def _turns_away(body: Sequence[ast.stmt]) -> bool:
    """Whether the code goes no further with what comes there: it complains, goes to the next one, or answers with a constant."""
    last = body[-1]
    if isinstance(last, ast.Return):
        return last.value is None or isinstance(last.value, ast.Constant)
    return isinstance(last, ast.Raise | ast.Continue | ast.Break)


def _is(node: ast.AST, *names: str) -> bool:
    function = node.func if isinstance(node, ast.Call) else None
    return (function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")) in names


def _walked(node: _Node, path: str, table: Mapping[object, object]) -> _Read:
    """What lies at a ``path`` below ``node``, made where it is not known yet."""
    predicates = list(_PREDICATE.finditer(path))
    for step in _STEP.finditer(_FILTER.sub("", path)):
        uri, name = step["uri"] or table.get(step["prefix"] or "", ""), step["name"]
        if name == "text()":
            return node.content()
        if name.startswith("@"):
            return node.attribute(name[1:])
        if name not in (".", "*"):
            node = node.child(f"{{{uri}}}{name}" if type(uri) is str and uri else name)
    for one in predicates:
        attribute = node.attribute(one["name"])
        if one["value"] is not None:
            attribute.values[one["value"]] = None
    return node
