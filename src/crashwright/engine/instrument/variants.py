"""The source of one module and the variants of its chosen functions: the same code with probes at more or fewer predicates."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from types import CodeType

from crashwright.core.location import CodeKey, Position
from crashwright.engine.instrument.assembly import assemble
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.instrument.rewrite import ModuleRewriter
from crashwright.engine.instrument.trace import ProbedFunction
from crashwright.engine.subject.source import first_line

Wanted = frozenset[Position] | None
VariantKey = frozenset[tuple[int, int]]
"""The predicates (function, index) that carry probes in a function and in those nested in it, whose code is part of its own."""


class ProbedModule:
    """Compiles a module's chosen functions, first with the whole module, later alone. ``numbers`` are those of its functions."""

    def __init__(
        self,
        name: str,
        source: bytes | str,
        path: str,
        chosen: Collection[CodeKey],
        recorder: Recorder,
        sites: Mapping[CodeKey, Position] | None = None,
    ) -> None:
        self.name = name
        self.path = path
        self.chosen = chosen
        self.numbers: list[int] = []
        self.unprobed: dict[CodeKey, str] = {}
        self._source = source
        self._sites = sites
        self._recorder = recorder
        self._variants: dict[int, dict[VariantKey, CodeType]] = {}
        self._compiled: list[tuple[int, CodeType]] = []
        self._choices: dict[Wanted, dict[int, CodeType]] = {}

    def compile(self, wanted: Wanted) -> CodeType:
        """The whole module with its chosen functions instrumented. Registers them; raises what ``compile`` raises."""
        tree = ast.parse(self._source, self.path)
        rewriter = ModuleRewriter(self.name, self.chosen, wanted, self._sites)
        rewriter.rewrite(tree)
        for code in rewriter.probed_codes:
            function = ProbedFunction(code.key, tuple(code.predicates), tuple(code.markers))
            self.numbers.append(self._recorder.register(function, tuple(code.branchings)))
        self.unprobed = rewriter.unprobed
        module, functions = assemble(tree, self.path, self.numbers, self._recorder.probes)
        self._remember(functions, wanted)
        return module

    def variants(self, wanted: Wanted) -> dict[int, CodeType]:
        """The code of each chosen function with probes at the wanted predicates; compiled only if it never was before."""
        if wanted not in self._choices:
            self._choices[wanted] = self._chosen_variants(wanted)
        return self._choices[wanted]

    def _chosen_variants(self, wanted: Wanted) -> dict[int, CodeType]:
        keys = {number: self._key(number, wanted) for number in self.numbers}
        if any(key not in self._variants.get(number, {}) for number, key in keys.items()):
            tree = ast.parse(self._source, self.path)
            tree.body = _with_functions(tree.body, sorted(key.first_line for key in self.chosen if key not in self.unprobed))
            rewriter = ModuleRewriter(self.name, self.chosen, wanted, self._sites)
            rewriter.rewrite(tree)
            _, functions = assemble(tree, self.path, self.numbers, self._recorder.probes)
            self._remember(functions, wanted)
        return {number: self._variants[number][key] for number, key in keys.items() if key in self._variants.get(number, {})}

    def compiled(self) -> Iterator[tuple[int, CodeType]]:
        """Every code so far, with the number of its function: those in the constants of other variants too."""
        return iter(self._compiled)

    def _remember(self, functions: dict[int, CodeType], wanted: Wanted) -> None:
        self._compiled.extend(functions.items())
        for number, code in functions.items():
            self._variants.setdefault(number, {}).setdefault(self._key(number, wanted), code)

    def _key(self, number: int, wanted: Wanted) -> VariantKey:
        functions = self._recorder.functions
        inside = functions[number].key.qualname + ".<locals>."
        return frozenset(
            (other, index)
            for other in self.numbers
            if other == number or functions[other].key.qualname.startswith(inside)
            for index, predicate in enumerate(functions[other].predicates)
            if wanted is None or predicate.position in wanted
        )


def _with_functions(statements: list[ast.stmt], lines: list[int]) -> list[ast.stmt]:
    """Only the statements in which functions with these first lines are, and those that the compiler must see; classes are thinned
    likewise, functions stay whole because of the names that nested ones take from them."""
    kept: list[ast.stmt] = []
    for statement in statements:
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            kept.append(statement)
            continue
        decorated = isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        start = first_line(statement) if decorated else statement.lineno  # type: ignore[arg-type]
        end = statement.end_lineno or start
        if not any(start <= line <= end for line in lines):
            continue
        if isinstance(statement, ast.ClassDef):
            statement.body = _with_functions(statement.body, lines) or [ast.copy_location(ast.Pass(), statement)]
        kept.append(statement)
    return kept
