"""The source of one module and the variants of its chosen functions: the same code with probes at more or fewer predicates."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from types import CodeType

from crashwright.core.location import CodeKey, Position
from crashwright.engine.instrument import depth
from crashwright.engine.instrument.assembly import assemble
from crashwright.engine.instrument.infection import site_of
from crashwright.engine.instrument.marking import mark
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.instrument.rewrite import ModuleRewriter
from crashwright.engine.instrument.trace import ProbedFunction
from crashwright.engine.subject.mutants import Mutant, mutants_of
from crashwright.engine.subject.source import first_line

Wanted = frozenset[Position] | None
WantedMutants = frozenset[int] | None
VariantKey = frozenset[tuple[int, int]]
"""The predicates (function, index) that carry probes in a function and in those nested in it, whose code is part of its own; and
its mutation sites (``_SITE``, number)."""
_SITE = -1


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
        mutated: bool = False,
        complete: bool = False,
    ) -> None:
        """``mutated``: chosen functions measure how far their mutants are from differing. ``complete``: they have probes at the
        decisions of :mod:`decisions` too."""
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
        self._choices: dict[tuple[Wanted, WantedMutants], dict[int, CodeType]] = {}
        self._mutated = mutated
        self._complete = complete
        self._mutants: tuple[Mutant, ...] = ()

    def compile(self, wanted: Wanted) -> CodeType:
        """The whole module with its chosen functions instrumented. Registers them; raises what ``compile`` raises."""
        tree = ast.parse(self._source, self.path)
        if self._mutated:
            with depth.recursion_limit(depth.PYTHON):
                self._mutants = mutants_of(tree, self.name, self.chosen)
                self._recorder.infections.add(self._mutants)
        rewriter = self._rewriter(tree, wanted, None)
        rewriter.rewrite(tree)
        for code in rewriter.probed_codes:
            function = ProbedFunction(code.key, tuple(code.predicates), tuple(code.markers))
            self.numbers.append(self._recorder.register(function, tuple(code.branchings)))
        self.unprobed = rewriter.unprobed
        module, functions = assemble(tree, self.path, self.numbers, self._recorder.probes, self._recorder.infections)
        self._remember(functions, wanted, None)
        return module

    def _rewriter(self, tree: ast.Module, wanted: Wanted, mutants: WantedMutants) -> ModuleRewriter:
        infections = self._recorder.infections
        if self._mutants:
            mark(tree, [mutant for mutant in self._mutants if mutants is None or mutant.number in mutants], infections)
        return ModuleRewriter(self.name, self.chosen, wanted, self._sites, infections, self._complete)

    def variants(self, wanted: Wanted, mutants: WantedMutants = None) -> dict[int, CodeType]:
        """The code of each chosen function with probes at the wanted predicates and mutants; compiled only if it never was
        before."""
        choice = (wanted, mutants if self._mutants else None)
        if choice not in self._choices:
            self._choices[choice] = self._chosen_variants(*choice)
        return self._choices[choice]

    def _chosen_variants(self, wanted: Wanted, mutants: WantedMutants) -> dict[int, CodeType]:
        keys = {number: self._key(number, wanted, mutants) for number in self.numbers}
        if any(key not in self._variants.get(number, {}) for number, key in keys.items()):
            tree = ast.parse(self._source, self.path)
            tree.body = _with_functions(tree.body, sorted(key.first_line for key in self.chosen if key not in self.unprobed))
            self._rewriter(tree, wanted, mutants).rewrite(tree)
            _, functions = assemble(tree, self.path, self.numbers, self._recorder.probes, self._recorder.infections)
            self._remember(functions, wanted, mutants)
        return {number: self._variants[number][key] for number, key in keys.items() if key in self._variants.get(number, {})}

    def compiled(self) -> Iterator[tuple[int, CodeType]]:
        """Every code so far, with the number of its function: those in the constants of other variants too."""
        return iter(self._compiled)

    def _remember(self, functions: dict[int, CodeType], wanted: Wanted, mutants: WantedMutants) -> None:
        self._compiled.extend(functions.items())
        for number, code in functions.items():
            self._variants.setdefault(number, {}).setdefault(self._key(number, wanted, mutants), code)

    def _key(self, number: int, wanted: Wanted, mutants: WantedMutants) -> VariantKey:
        functions = self._recorder.functions
        inside = functions[number].key.qualname + ".<locals>."
        return self._sites_in(number, mutants) | frozenset(
            (other, index)
            for other in self.numbers
            if other == number or functions[other].key.qualname.startswith(inside)
            for index, predicate in enumerate(functions[other].predicates)
            if wanted is None or predicate.position in wanted
        )

    def _sites_in(self, number: int, mutants: WantedMutants = None) -> VariantKey:
        key = self._recorder.functions[number].key
        inside = key.qualname + ".<locals>."
        return frozenset(
            (_SITE, self._recorder.infections.number_of(site_of(mutant)))
            for mutant in self._mutants
            if (mutant.key == key or mutant.key.qualname.startswith(inside)) and (mutants is None or mutant.number in mutants)
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
