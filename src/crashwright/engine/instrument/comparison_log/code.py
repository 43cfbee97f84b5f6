"""Lets functions that are alive run the code that tells of comparisons, and gives them back what they ran before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import CodeType, FunctionType
from weakref import ref

from crashwright.core.location import CodeKey
from crashwright.engine.instrument.comparison_log.rewriting import Place
from crashwright.engine.instrument.hook import source_of
from crashwright.engine.subject.introspection import attribute_of, loaded_module

Rewritten = Callable[[str | bytes, str, int], tuple[Mapping[Place, CodeType], int]]
"""From the source of a module, its path and the first free number of a site: the codes, and the number that is free then."""


class LoggedCode:
    """Of the functions that were chosen by :meth:`choose`; off at the beginning."""

    def __init__(self, rewritten: Rewritten) -> None:
        self._rewritten = rewritten
        self._sites = 0
        self._modules: dict[str, Mapping[Place, CodeType]] = {}
        self._functions: list[tuple[ref[FunctionType], CodeType]] = []
        self._before: list[tuple[ref[FunctionType], CodeType]] = []

    def choose(self, functions: Iterable[tuple[CodeKey, FunctionType]]) -> None:
        """These functions, too; what has no source is left alone."""
        for key, function in functions:
            logged = self._of_module(key.module).get((key.qualname, key.first_line))
            if logged is not None and logged.co_freevars == function.__code__.co_freevars:
                self._functions.append((ref(function), logged))

    def _of_module(self, name: str) -> Mapping[Place, CodeType]:
        if name not in self._modules:
            self._modules[name] = self._compiled(name)
        return self._modules[name]

    def _compiled(self, name: str) -> Mapping[Place, CodeType]:
        loader = attribute_of(attribute_of(loaded_module(name), "__spec__"), "loader")
        try:
            source, path = source_of(name, loader)
            codes, self._sites = self._rewritten(source, path, self._sites)
        except (OSError, ImportError, AttributeError, SyntaxError, ValueError, RecursionError):
            return {}  # there is no source of it: nothing is told of what it compares
        return codes

    def __bool__(self) -> bool:
        return bool(self._functions)

    @contextmanager
    def running(self, exchanged: Callable[[], None]) -> Iterator[None]:
        """They run it meanwhile; ``exchanged`` is called where functions have been given other code."""
        self.on()
        exchanged()
        try:
            yield
        finally:
            self.off()
            exchanged()

    def on(self) -> None:
        """From their next call on."""
        for reference, code in self._functions:
            function = reference()
            if function is not None:
                self._before.append((reference, function.__code__))
                function.__code__ = code

    def off(self) -> None:
        """They have again what they had."""
        for reference, code in reversed(self._before):  # one that was chosen twice has its own code first
            function = reference()
            if function is not None:
                function.__code__ = code
        self._before.clear()
