"""Functions of the package that stop tests on their way, or that write what a guard of the way reads: the former found by the
traceback, both given probes while the search runs."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType

from crashwright.core.location import CodeKey
from crashwright.core.report import Unknown
from crashwright.engine.execution.outcome import RaisedFrame
from crashwright.engine.goals.crash.blocker import BlockerGoal, can_be_passed
from crashwright.engine.goals.crash.writer import WriterGoal
from crashwright.engine.instrument.hook import Instrumentation
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.search.blockers import OpenBlocker
from crashwright.engine.subject.introspection import loaded_modules, loaded_names
from crashwright.engine.subject.project import module_file
from crashwright.engine.subject.source import Sources

Function = ast.FunctionDef | ast.AsyncFunctionDef


class BlockerProbes:
    """See ``search.blockers.Finder``. ``chain`` are the functions that have probes already; ``on_open`` hears of the tree of each
    function that gets some. ``exchanged`` is called where functions have been given other code: that was us, and is not to be
    undone after the next test as what a test redefines is (``Guard.redefined``). ``writers`` are functions off the chain that write
    what a guard of it reads, with the lines where they do."""

    def __init__(
        self,
        recorder: Recorder,
        sources: Sources,
        package: str,
        chain: Collection[CodeKey],
        on_open: Callable[[ast.AST], None] = lambda _node: None,
        exchanged: Callable[[], None] = lambda: None,
        writers: Mapping[CodeKey, Sequence[int]] = MappingProxyType({}),
    ) -> None:
        self._writers = writers
        self._recorder = recorder
        self._sources = sources
        self._package = package
        self._chain = frozenset(chain)
        self._on_open = on_open
        self._exchanged = exchanged
        self._modules: dict[str, str] = {}
        self._looked_at = -1

    def find(self, frames: Sequence[RaisedFrame], within_chain: bool) -> CodeKey | None:
        """From the innermost outwards: functions that do nothing but raise are passed over, for their callers decide."""
        found: CodeKey | None = None
        for code, line, _ in reversed(frames):
            module = self._module_of(code.co_filename)
            if module is None:
                continue
            key = CodeKey(module, code.co_qualname, code.co_firstlineno)
            if key in self._chain:
                return found if within_chain else None
            if found is None:
                node = self._node_of(key)
                if node is not None and can_be_passed(node, line):
                    found = key
        return None if within_chain else found

    def open(self, key: CodeKey) -> OpenBlocker | None:
        """The functions that are alive get code with probes; imports are left alone."""
        node = self._node_of(key)
        if node is None:
            return None
        probes = Instrumentation(self._recorder, {key.module: {key}}, resumptions=True)
        probes.attach()
        self._exchanged()
        numbers = [number for number, function in enumerate(self._recorder.functions) if function.key == key]
        if not numbers or key in probes.skipped:
            return None
        self._on_open(node)

        def close() -> None:
            probes.uninstall()
            self._exchanged()

        number, lines = numbers[-1], self._writers.get(key)
        probed = self._recorder.functions[number]
        distance = BlockerGoal(number, probed, node).distance if lines is None else WriterGoal(number, probed, node, lines).distance
        return OpenBlocker(distance, close)

    @property
    def writers(self) -> tuple[CodeKey, ...]:
        """The functions that write what a guard reads."""
        return tuple(self._writers)

    def _node_of(self, key: CodeKey) -> Function | None:
        source = self._sources.of_module(key.module)
        node = None if isinstance(source, Unknown) else source.node_of(key)
        return node if isinstance(node, Function) else None

    def _module_of(self, path: str) -> str | None:
        """The module of the package that has its code from this file."""
        if path not in self._modules and self._looked_at != loaded_modules():
            self._looked_at = loaded_modules()  # most paths are of no module of the package: others are not looked for again
            self._modules |= {file: name for name in loaded_names(self._package) if (file := module_file(name))}
        return self._modules.get(path)
