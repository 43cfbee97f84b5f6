"""Which functions tell what they decide on (``instrument.operand_log``): those of the path, and those of the package that tests run
through."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from crashwright.core.location import CodeKey
from crashwright.engine.instrument.comparison_log.code import LoggedCode
from crashwright.engine.instrument.operand_log.changes import AskedDecision
from crashwright.engine.instrument.operand_log.log import OperandLog
from crashwright.engine.instrument.operand_log.rewriting import asked_functions
from crashwright.engine.sources.carrying.arrivals import TestPlaces
from crashwright.engine.sources.wide_probes import entered, functions_in
from crashwright.engine.subject.introspection import loaded_dict, loaded_names
from crashwright.engine.subject.project import module_file
from crashwright.engine.testcase.statements import Variable

HOT = 1000
"""Calls of a function in one run above which it is left alone."""
MOST_TIMES, MOST_FUNCTIONS = 4, 300
"""How often functions off the paths are looked for, which takes a look at everything alive, and how many tell before that ends."""
OBJECTS = 240
"""Of the test's values: what decisions are about is not far within them."""


class OperandProbes:
    """Of one process: searches from several frames share them. ``exchanged`` is called where functions have been given other code.
    ``modules``: those that are looked at; None for all of the package."""

    def __init__(self, package: str, exchanged: Callable[[], None], modules: Collection[str] | None = None) -> None:
        self._package = package.partition(".")[0]
        self._modules = modules
        self._exchanged = exchanged
        self._log = OperandLog()
        self._code = LoggedCode(lambda source, path, site: asked_functions(source, path, self._log, site))
        self._known: set[CodeKey] = set()
        self._waiting: set[CodeKey] = set()
        self._times = 0
        self._files: dict[str, str] | None = None

    def watch(self, chain: Iterable[CodeKey]) -> None:
        """Functions of a path, whether a run enters them or not. They are looked for once, however many others tell by then."""
        self._waiting |= {*chain} - self._known

    def asked(self, run: Callable[[], object], variables: Callable[[], Mapping[Variable, object]]) -> list[AskedDecision]:
        """What the decisions of ``run`` are about; ``variables`` are those of the test while it runs."""
        self._discover(run)
        places = _PlacesInRun(variables)
        self._log.begin(places)
        try:
            with self._code.running(self._exchanged):
                run()
        finally:
            found = self._log.end()
        return found

    def _discover(self, run: Callable[[], object]) -> None:
        new = {*self._waiting}
        self._waiting.clear()
        if self._times < MOST_TIMES and len(self._known) <= MOST_FUNCTIONS:
            new |= self._entered(run)
        new -= self._known
        if not new:
            return
        self._times += 1
        self._known |= new
        modules = {id(loaded_dict(name)): name for name in {key.module for key in new}}
        alive = [
            (CodeKey(modules[id(one.__globals__)], one.__code__.co_qualname, one.__code__.co_firstlineno), one)
            for one in functions_in(modules)
        ]
        self._code.choose((key, function) for key, function in alive if key in new)

    def _entered(self, run: Callable[[], object]) -> set[CodeKey]:
        if self._files is None:
            self._files = {file: name for name in self._chosen() if (file := module_file(name))}
        files = self._files
        return {
            CodeKey(files[code.co_filename], code.co_qualname, code.co_firstlineno)
            for code, times in entered(run).items()
            if code.co_filename in files and times <= HOT and not code.co_name.startswith("<")
        }

    def _chosen(self) -> Collection[str]:
        return loaded_names(self._package) if self._modules is None else self._modules


class _PlacesInRun:
    """Of one run: where something is in the values that the test has made so far."""

    def __init__(self, variables: Callable[[], Mapping[Variable, object]]) -> None:
        self._variables = variables
        self._made = -1
        self._places = TestPlaces({}, OBJECTS)

    def __call__(self, value: object) -> tuple[object, ...]:
        variables = self._variables()
        if len(variables) != self._made:
            self._made = len(variables)
            self._places.add(variables)
        return self._places.spots(value)
