"""The strong mutants of the module under test, made live one at a time: the functions that a mutant touches run its code instead,
and values are others (``live_values``).

Live functions are found before the first fork, since the collector no longer tells of objects that were frozen there.
"""

from __future__ import annotations

import ast
import functools
import random
from collections.abc import Callable, Collection, Iterator
from types import CodeType, FrameType, FunctionType
from typing import Any

from crashwright.core.location import CodeKey
from crashwright.engine.assertions.causes import recording
from crashwright.engine.assertions.live_values import LiveValues, Put
from crashwright.engine.instrument.live import LiveFunctions
from crashwright.engine.subject.introspection import loaded_dict
from crashwright.engine.subject.mutants.clues import Clue, clue_of
from crashwright.engine.subject.mutants.enumeration import Mutant, Mutator, functions_of, strong_mutants_of
from crashwright.engine.subject.mutants.operators import Operator
from crashwright.engine.subject.source import ModuleSource

_Place = tuple[str, int]
"""``co_qualname`` and ``co_firstlineno``."""


class LiveModule:
    """The module's functions as they are loaded. ``names`` confine the mutants, as in ``ModuleTarget``."""

    def __init__(self, module: str, source: ModuleSource, names: tuple[str, ...] = ()) -> None:
        """Looks at every object of the process once."""
        self.module = module
        self._source = source
        self._globals = loaded_dict(module)
        self._numbers: dict[_Place, int] = {}
        self._originals: dict[int, CodeType] = {}
        self._twins: set[int] = set()
        """Lambdas on one line, which nothing tells apart."""
        self._live = LiveFunctions(self._number)
        self._starts = _statement_starts(source.tree)
        self._nodes = dict(functions_of(source.tree, module))
        keys = [key for key in self._nodes if _is_wanted(key.qualname, names)]
        alive = {qualname for qualname, _ in self._numbers}
        self._keys = frozenset(key for key in keys if not alive.isdisjoint(_around(key.qualname)))
        self._mutants: list[Mutant] | None = None
        self._values = LiveValues(module, source, lambda qualname: _is_wanted(qualname, names))
        self._mutated: dict[int, dict[int, CodeType]] = {}
        """What was compiled of mutants, by their numbers."""

    def mutants(self) -> list[Mutant]:
        """All mutants of live functions and values, one of each in turn, so that a short time sees something of each."""
        if self._mutants is None:
            self._mutants = self._in_turn()
        return self._mutants

    def _in_turn(self) -> list[Mutant]:
        by_key: dict[CodeKey, list[Mutant]] = {}
        for mutant in (*strong_mutants_of(self._source.tree, self.module, self._keys), *self._values.mutants()):
            by_key.setdefault(mutant.key, []).append(mutant)
        for key, mutants in by_key.items():
            random.Random(f"{key.qualname}:{key.first_line}").shuffle(mutants)
        longest = max(map(len, by_key.values()), default=0)
        return [mutants[turn] for turn in range(longest) for mutants in by_key.values() if turn < len(mutants)]

    def lines_of(self, mutant: Mutant) -> Collection[int] | None:
        """The lines of which a test runs one when it runs the mutated place; None where any test may."""
        if mutant.operator is Operator.VALUE:
            return self._values.lines_of(mutant)
        if mutant.operator is Operator.DEFAULT:
            return range(mutant.key.first_line, mutant.key.first_line + 1)
        start = self._starts.get(mutant.position.line, mutant.position.line)
        return range(start, mutant.position.end_line + 1)

    def clue(self, mutator: Mutator, mutant: Mutant) -> Clue:
        """What is read at its place."""
        return clue_of(mutator, mutant, self._globals)

    def recording(self, lines: set[int]) -> Callable[[FrameType, str, Any], Any]:
        """A trace function that adds the module's lines that are run to ``lines``."""
        return recording(self._globals, lines)

    def put(self, mutator: Mutator, mutant: Mutant) -> Put | None:
        """Make the mutant live; None if that cannot be done, or it compiles to the same code. A value is live once its
        :attr:`Put.again` was called."""
        if mutant.operator is Operator.VALUE:
            return self._values.put(mutator, mutant)
        if mutant.operator is Operator.DEFAULT:
            undo = self._put_default(mutator, mutant)
            return None if undo is None else Put(undo, _nothing)
        codes = self._mutated.get(mutant.number)
        if codes is None:
            codes = self._mutated[mutant.number] = self.codes(mutator, mutant)
        if all(code == self._written[number] for number, code in codes.items()):
            return None
        before = {number: live.__code__ for number in codes for live in self._live.of(number)[:1]}  # with probes, where it has some
        self._live.exchange(codes)
        return Put(lambda: self._live.exchange(before), _nothing)

    def _put_default(self, mutator: Mutator, mutant: Mutant) -> Callable[[], None] | None:
        number = self._numbers.get((mutant.key.qualname, mutant.key.first_line))
        node, function = mutator.node_of(mutant), self._nodes.get(mutant.key)
        if number is None or number in self._twins or function is None:
            return None
        value = ast.literal_eval(mutant.replacement)
        undo: list[Callable[[], None]] = []
        for live in self._live.of(number):
            undo.append(functools.partial(_set_defaults, live, live.__defaults__, live.__kwdefaults__))
            _set_defaults(live, *_changed_defaults(live, function.args, node, value))
        if not undo:
            return None

        def take_back() -> None:
            for one in undo:
                one()

        return take_back

    def codes(self, mutator: Mutator, mutant: Mutant) -> dict[int, CodeType]:
        """The mutated code of the live functions around the mutant's place; empty where it does not compile."""
        try:
            tree = mutator.apply(mutant, alone=True)
            code = compile(ast.fix_missing_locations(tree), self._source.path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, LookupError, RecursionError):
            return {}  # such as ``yield`` in a place that the change makes illegal
        places = ((inner, self._numbers.get((inner.co_qualname, inner.co_firstlineno))) for inner in _functions_in(code))
        return {number: inner for inner, number in places if number is not None and number not in self._twins}

    def mutator(self) -> Mutator:
        """For :meth:`codes`."""
        return Mutator(self._source.tree)

    @functools.cached_property
    def _written(self) -> dict[int, CodeType]:
        """The code of each live function as the source has it, without probes."""
        code = compile(self._source.tree, self._source.path, "exec", dont_inherit=True)
        places = ((inner, self._numbers.get((inner.co_qualname, inner.co_firstlineno))) for inner in _functions_in(code))
        return {number: inner for inner, number in places if number is not None}

    def _number(self, function: FunctionType) -> int | None:
        if function.__globals__ is not self._globals:
            return None
        code = function.__code__
        number = self._numbers.setdefault((code.co_qualname, code.co_firstlineno), len(self._numbers))
        if self._originals.setdefault(number, code) != code:
            self._twins.add(number)
        return number


def _nothing() -> None:
    """What was put stays."""


def _set_defaults(function: FunctionType, positional: tuple[object, ...] | None, keywords: dict[str, object] | None) -> None:
    function.__defaults__, function.__kwdefaults__ = positional, keywords


def _changed_defaults(
    live: FunctionType, arguments: ast.arguments, node: ast.AST, value: object
) -> tuple[tuple[object, ...] | None, dict[str, object] | None]:
    """Those of ``live`` with ``value`` in the place of what ``node`` gives."""
    positional, keywords = live.__defaults__, live.__kwdefaults__
    if positional is not None and len(positional) == len(arguments.defaults):
        pairs = zip(arguments.defaults, positional, strict=True)
        positional = tuple([value if default is node else held for default, held in pairs])
    if keywords is not None:
        named = {one.arg for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if default is node}
        keywords = {name: value if name in named else held for name, held in keywords.items()}
    return positional, keywords


def _is_wanted(qualname: str, names: tuple[str, ...]) -> bool:
    return not names or any(qualname == name or qualname.startswith(name + ".") for name in names)


def _around(qualname: str) -> Iterator[str]:
    """The qualified names of a function and of those around it, whose code holds its own."""
    parts = qualname.split(".<locals>.")
    return (".<locals>.".join(parts[: count + 1]) for count in range(len(parts)))


def _functions_in(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _functions_in(constant)


def _statement_starts(tree: ast.Module) -> dict[int, int]:
    """For each line, where the innermost statement around it begins."""
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    statements.sort(key=lambda node: node.lineno)
    return {line: node.lineno for node in statements for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
