"""Source files of the subject, parsed once each, and the way from a code key to its syntax tree."""

from __future__ import annotations

import ast
import sys
import tokenize
from collections.abc import Iterator, Mapping

from crashwright.core.comprehensions import inlines
from crashwright.core.location import CodeKey
from crashwright.core.report import Unknown
from crashwright.core.unparsable import UNPARSABLE
from crashwright.engine.subject.introspection import loaded_dict
from crashwright.engine.subject.walking import children

CodeNode = (
    ast.FunctionDef
    | ast.AsyncFunctionDef
    | ast.Lambda
    | ast.ClassDef
    | ast.Module
    | ast.ListComp
    | ast.SetComp
    | ast.DictComp
    | ast.GeneratorExp
)
"""What the compiler makes code objects of."""

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp

_ANONYMOUS: dict[type[ast.AST], str] = {
    ast.Lambda: "<lambda>",
    ast.ListComp: "<listcomp>",
    ast.SetComp: "<setcomp>",
    ast.DictComp: "<dictcomp>",
    ast.GeneratorExp: "<genexpr>",
}


def comprehension_prefix(node: Comprehension) -> str:
    """What a comprehension adds to the qualified names in it: since Python 3.12 only generator expressions are functions."""
    if inlines(sys.version_info[:2]) and not isinstance(node, ast.GeneratorExp):
        return ""
    return f"{_ANONYMOUS[type(node)]}."


class ModuleSource:
    """One parsed file. Its codes are looked for when the first of them is asked for: most modules are read for their tree alone."""

    __slots__ = ("_known", "_parents", "module", "path", "text", "tree")

    def __init__(self, module: str, path: str, text: str) -> None:
        """Raises SyntaxError (or ValueError for null bytes) where the text is no Python of this version."""
        self.module = module
        self.path = path
        self.text = text
        self.tree = ast.parse(text)
        self._known: dict[CodeKey, list[CodeNode]] = {}
        self._parents: dict[CodeKey, CodeKey] = {}

    @property
    def parents(self) -> Mapping[CodeKey, CodeKey]:
        """Of each code key that of the code around it."""
        self._codes()
        return self._parents

    def node_of(self, key: CodeKey) -> CodeNode | None:
        """The tree of that code: the first one where several comprehensions or lambdas share a line."""
        nodes = self.nodes_of(key)
        return nodes[0] if nodes else None

    def nodes_of(self, key: CodeKey) -> tuple[CodeNode, ...]:
        """All trees with that key. Any first line is taken for ``<module>``, which Python counts from 0 or 1."""
        if key.qualname == "<module>":
            return (self.tree,)
        return tuple(self._codes().get(key, ()))

    def codes(self) -> Iterator[tuple[CodeKey, CodeNode]]:
        """All codes of the module in order of appearance."""
        for key, nodes in self._codes().items():
            for node in nodes:
                yield key, node

    def _codes(self) -> dict[CodeKey, list[CodeNode]]:
        if not self._known:
            key = CodeKey(self.module, "<module>", 1)
            self._known[key] = [self.tree]
            for child in children(self.tree):
                self._visit(child, key)
        return self._known

    def _visit(self, tree: ast.AST, parent: CodeKey) -> None:
        # Recursion only from code to code: machine-made expressions can be a thousand levels deep.
        waiting = [tree]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                self._definition(node, parent)
            elif isinstance(node, ast.Lambda):
                key = self._enter(node, _ANONYMOUS[ast.Lambda], parent)
                self._visit(node.args, parent)
                self._visit(node.body, key)
            elif isinstance(node, Comprehension):
                # The first iterable is evaluated by the code around the comprehension.
                key = self._enter(node, _ANONYMOUS[type(node)], parent)
                self._visit(node.generators[0].iter, parent)
                for child in children(node):
                    self._comprehended(child, node.generators[0].iter, key)
            else:
                waiting.extend(reversed(list(children(node))))

    def _comprehended(self, child: ast.AST, first: ast.expr, key: CodeKey) -> None:
        if not isinstance(child, ast.comprehension):
            self._visit(child, key)
            return
        for part in children(child):
            if part is not first:
                self._visit(part, key)

    def _definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, parent: CodeKey) -> None:
        key = self._enter(node, node.name, parent)
        inside = {id(statement) for statement in node.body}
        for child in children(node):
            self._visit(child, key if id(child) in inside else parent)

    def _enter(self, node: CodeNode, name: str, parent: CodeKey) -> CodeKey:
        key = CodeKey(self.module, self._prefix(parent) + name, first_line(node))
        self._known.setdefault(key, []).append(node)
        self._parents.setdefault(key, parent)
        return key

    def _prefix(self, parent: CodeKey) -> str:
        """What the compiler writes before the names of codes in that one."""
        if parent.qualname == "<module>":
            return ""
        node = self._known[parent][-1]
        if isinstance(node, Comprehension):
            return self._prefix(self._parents[parent]) + comprehension_prefix(node)
        return f"{parent.qualname}." if isinstance(node, ast.ClassDef) else f"{parent.qualname}.<locals>."


class Sources:
    """The sources of a subject: each file is read and parsed at most once."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[str, ModuleSource | Unknown] = {}

    def of_module(self, module: str) -> ModuleSource | Unknown:
        """The source of a module that is loaded. One that is not may be later: of that nothing is remembered."""
        if module not in self._known:
            path = loaded_dict(module).get("__file__")
            if type(path) is not str:
                return Unknown(f"{module} has no source file")
            self._known[module] = read_source(module, path)
        return self._known[module]

    def of_file(self, module: str, path: str) -> ModuleSource | Unknown:
        """The source of a module that need not be loaded."""
        if module not in self._known:
            self._known[module] = read_source(module, path)
        return self._known[module]

    def node_of(self, key: CodeKey) -> CodeNode | None:
        """The tree of a code of a loaded module; None where it is not known."""
        source = self.of_module(key.module)
        return None if isinstance(source, Unknown) else source.node_of(key)


def read_source(module: str, path: str) -> ModuleSource | Unknown:
    """Reads and parses a file in the encoding that it declares."""
    try:
        with tokenize.open(path) as file:
            text = file.read()
        return ModuleSource(module, path, text)
    except OSError as error:
        problem: Exception = error
    except UNPARSABLE as error:
        problem = error
    return Unknown(f"the source of {module} cannot be read: {type(problem).__name__}: {problem}")


def first_line(node: CodeNode) -> int:
    """``co_firstlineno``: that of the first decorator where there are any."""
    if isinstance(node, ast.Module):
        return 1
    decorators = getattr(node, "decorator_list", ())
    line: int = decorators[0].lineno if decorators else node.lineno
    return line
