"""The source of one module and the variants of its chosen functions: the same code with probes at more or fewer predicates."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from types import CodeType
from typing import NamedTuple

from crashwright.core.location import CodeKey, Position
from crashwright.engine.instrument import depth
from crashwright.engine.instrument.assembly import assemble
from crashwright.engine.instrument.infection import site_of
from crashwright.engine.instrument.marking import mark
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.instrument.rewrite import ModuleRewriter
from crashwright.engine.instrument.trace import ProbedFunction
from crashwright.engine.subject.mutants.enumeration import Mutant, mutants_of
from crashwright.engine.subject.source import first_line

Wanted = frozenset[Position] | None
WantedMutants = frozenset[int] | None
VariantKey = frozenset[tuple[int, int]]
"""The predicates (function, index) that carry probes in a function and in those nested in it, whose code is part of its own; and
its mutation sites (``_SITE``, number)."""
_SITE = -1


class _Inside(NamedTuple):
    """What is in a function: its predicates by place, and its mutants with their sites."""

    predicates: list[tuple[Position, tuple[int, int]]]
    sites: list[tuple[int, tuple[int, int]]]
    mutants: set[int]


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
        resumptions: bool = False,
    ) -> None:
        """``mutated``: chosen functions measure how far their mutants are from differing. ``resumptions``: see
        :mod:`resumptions`."""
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
        self._resumptions = resumptions
        self._mutants: tuple[Mutant, ...] = ()
        self._inside: dict[int, _Inside] = {}

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
            self.numbers.append(self._recorder.register(function, tuple(code.branchings), code.measured))
        self.unprobed = rewriter.unprobed
        self._inside = self._contents()
        module, functions = assemble(tree, self.path, self.numbers, self._recorder.probes, self._recorder.infections)
        self._remember(functions, {number: self._key(number, wanted, None) for number in functions})
        return module

    def _rewriter(
        self, tree: ast.Module, wanted: Wanted, mutants: WantedMutants, among: Collection[int] | None = None
    ) -> ModuleRewriter:
        """``among``: the numbers of the mutants that may be in the tree (None: all)."""
        infections = self._recorder.infections
        if self._mutants:
            there = self._mutants if among is None else [mutant for mutant in self._mutants if mutant.number in among]
            mark(tree, [mutant for mutant in there if mutants is None or mutant.number in mutants], infections)
        measured = self._recorder.measured
        return ModuleRewriter(self.name, self.chosen, wanted, self._sites, infections, self._resumptions, measured)

    def variants(self, wanted: Wanted, mutants: WantedMutants = None) -> dict[int, CodeType]:
        """The code of each chosen function with probes at the wanted predicates and mutants; only functions whose code with
        these probes never was before are compiled."""
        choice = (wanted, mutants if self._mutants else None)
        if choice not in self._choices:
            self._choices[choice] = self._chosen_variants(*choice)
        return self._choices[choice]

    def _chosen_variants(self, wanted: Wanted, mutants: WantedMutants) -> dict[int, CodeType]:
        keys = {number: self._key(number, wanted, mutants) for number in self.numbers}
        new = [number for number, key in keys.items() if key not in self._variants.get(number, {})]
        if new:
            self._compile_again(new, keys, wanted, mutants)
        return {number: self._variants[number][key] for number, key in keys.items() if key in self._variants.get(number, {})}

    def _compile_again(self, new: list[int], keys: Mapping[int, VariantKey], wanted: Wanted, mutants: WantedMutants) -> None:
        """These functions, and what stands on the same lines or around them."""
        functions = self._recorder.functions
        tree = ast.parse(self._source, self.path)
        tree.body = _with_functions(tree.body, sorted({functions[number].key.first_line for number in new}))
        among = frozenset(mutant for number in new for mutant in self._inside[number].mutants)
        rewriter = self._rewriter(tree, wanted, mutants, among)
        rewriter.rewrite(tree)
        waiting: dict[CodeKey, list[int]] = {}
        for number in reversed(self.numbers):
            waiting.setdefault(functions[number].key, []).append(number)
        there = [waiting[code.key].pop() for code in rewriter.probed_codes]
        _, codes = assemble(tree, self.path, there, self._recorder.probes, self._recorder.infections)
        self._remember(codes, {number: keys[number] for number in new})  # what only stands on the same lines may lack marks

    def compiled(self) -> Iterator[tuple[int, CodeType]]:
        """Every code so far, with the number of its function: those in the constants of other variants too."""
        return iter(self._compiled)

    def _remember(self, functions: dict[int, CodeType], keys: Mapping[int, VariantKey]) -> None:
        self._compiled.extend(functions.items())
        for number, code in functions.items():
            if number in keys:
                self._variants.setdefault(number, {}).setdefault(keys[number], code)

    def _contents(self) -> dict[int, _Inside]:
        """Of each function, with what is nested in it."""
        functions = self._recorder.functions
        found = {number: _Inside([], [], set()) for number in self.numbers}
        around: dict[str, list[_Inside]] = {}
        for number in self.numbers:
            around.setdefault(functions[number].key.qualname, []).append(found[number])
        for number in self.numbers:
            key = functions[number].key
            predicates = [(predicate.position, (number, index)) for index, predicate in enumerate(functions[number].predicates)]
            for inside in (found[number], *_around(key.qualname, around)):
                inside.predicates.extend(predicates)
        by_key: dict[CodeKey, list[_Inside]] = {}
        for number in self.numbers:
            by_key.setdefault(functions[number].key, []).append(found[number])
        for mutant in self._mutants:
            site = (_SITE, self._recorder.infections.number_of(site_of(mutant)))
            for inside in (*by_key.get(mutant.key, ()), *_around(mutant.key.qualname, around)):
                inside.sites.append((mutant.number, site))
                inside.mutants.add(mutant.number)
        return found

    def _key(self, number: int, wanted: Wanted, mutants: WantedMutants) -> VariantKey:
        inside = self._inside[number]
        predicates = [place for position, place in inside.predicates if wanted is None or position in wanted]
        return frozenset([*predicates, *[site for mutant, site in inside.sites if mutants is None or mutant in mutants]])


def _around(qualname: str, functions: Mapping[str, list[_Inside]]) -> Iterator[_Inside]:
    """The functions that the one with this name is nested in."""
    owner = qualname
    while ".<locals>." in owner:
        owner = owner.rpartition(".<locals>.")[0]
        yield from functions.get(owner, ())


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
