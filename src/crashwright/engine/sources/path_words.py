"""What the way of a crash depends on beyond the functions of the report, read from the sources: the words with which names of
handlers are computed, and the functions that write what the guards of the path read (Korel's chaining approach)."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from crashwright.core.location import CodeKey, Position
from crashwright.core.report import Unknown
from crashwright.core.target import CrashTarget
from crashwright.engine.search.crash_goals import guiding_frames
from crashwright.engine.sources.values.seeding import (
    IN_MESSAGE,
    ON_PATH,
    add_constants,
    add_matches,
    add_seed,
    fillings,
    patterns_in,
    patterns_named,
)
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.flow.control_dependence import ControlDependence
from crashwright.engine.subject.flow.data_dependence import fields_read, fields_written, lines_written
from crashwright.engine.subject.source import CodeNode, Sources
from crashwright.engine.subject.usage.dispatch import dispatched_words
from crashwright.engine.subject.usage.usage import called_name
from crashwright.engine.subject.walking import walk
from crashwright.engine.testcase.seeds import SeedPool

MOST_WRITERS = 8
"""A field that more functions write says nothing of the way."""
MATCHES = 24
MOST_CALLED = 12
"""Functions that writers call; of more the names are common ones."""
MOST_WORDS = 12


class Writers(NamedTuple):
    """``functions`` write what a guard reads, ``called`` are those of their modules that they call; ``callees`` are those of the
    writers that a test may call, ``places`` the lines where these write it, the nearest to the crash first."""

    functions: tuple[CodeNode, ...] = ()
    callees: tuple[Callee, ...] = ()
    called: tuple[CodeNode, ...] = ()
    places: Mapping[CodeKey, tuple[int, ...]] = MappingProxyType({})


def tabled_keys(target: CrashTarget, sources: Sources, modules: Sequence[ast.AST]) -> tuple[str, ...]:
    """The texts by which frames came to the next ones, the outermost first."""
    return tuple(word for word in _dispatched(target, sources, modules) if type(word) is str)


def add_dispatched(pool: SeedPool, target: CrashTarget, sources: Sources, modules: Sequence[ast.AST]) -> None:
    """Where a frame came to the next one by a computed name, what it was computed from is a seed."""
    chosen = _dispatched(target, sources, modules)
    for word in chosen:
        add_seed(pool, word, IN_MESSAGE, "the name of a frame")
    pool.favour_tokens([word for word in chosen if type(word) is str], share=0.1)


def _dispatched(target: CrashTarget, sources: Sources, modules: Sequence[ast.AST]) -> list[object]:
    words: dict[object, None] = {}
    for outer, inner in pairwise(target.package_frames):
        source = sources.of_module(outer.key.module)
        caller = None if isinstance(source, Unknown) else source.node_of(outer.key)
        if caller is not None and outer.key != inner.key:
            words |= dict.fromkeys(dispatched_words(caller, inner.key.name, modules))
    return list(words)[:MOST_WORDS]


def guarding_fields(target: CrashTarget, sources: Sources) -> dict[str, None]:
    """The fields and globals that what fails reads, and the decisions before the lines of the path: the nearest first."""
    frames = guiding_frames(target)
    fields: dict[str, None] = {}
    for frame in reversed(frames):
        source = sources.of_module(frame.key.module)
        node = None if isinstance(source, Unknown) else source.node_of(frame.key)
        if node is None:
            continue
        places: dict[int, set[Position]] = {}
        if frame is frames[-1] and frame.caret is not None:
            places[-1] = {frame.caret}
        for branch, level in ControlDependence(node).approach(frame.line):
            places.setdefault(level, set()).add(branch.position)
        for level in sorted(places):
            fields |= dict.fromkeys(fields_read(node, places[level]))
    return fields


def writers_of_guards(target: CrashTarget, sources: Sources, api: ApiModel) -> Writers:
    """The functions of the path's modules that write what the decisions before its lines read, and what fails there."""
    frames = guiding_frames(target)
    path = {frame.key for frame in frames}
    fields = guarding_fields(target, sources)
    found: dict[CodeKey, CodeNode] = {}
    writing: dict[str, list[tuple[CodeKey, CodeNode]]] = {name: [] for name in fields}
    functions = list(_functions(target, sources))
    for key, node in functions:
        for name in fields_written(node) & fields.keys():
            writing[name].append((key, node))
    for writers in writing.values():
        if len(writers) <= MOST_WRITERS:
            found.update(writers)
    names = {called_name(part) for node in found.values() for part in walk(node) if isinstance(part, ast.Call)}
    called = [node for key, node in functions if key.name in names and key not in found and key not in path]
    off = {key: node for key, node in found.items() if key not in path and key.name != "__init__"}
    callees = [callee for key in off for callee in api.callee_for(*key)]
    return Writers(
        tuple(node for key, node in found.items() if key not in path),
        tuple(dict.fromkeys(callee for callee in callees if not callee.private)),
        tuple(called) if len(called) <= MOST_CALLED else (),
        {key: lines_written(node, fields.keys()) for key, node in off.items()},
    )


def add_written(pool: SeedPool, writers: Writers) -> None:
    """Their constants are what the guards are about."""
    for node in writers.functions:
        add_constants(pool, node, ON_PATH / 2, "a constant of what a guard depends on")


def add_patterns(pool: SeedPool, target: CrashTarget, writers: Writers, live: Sequence[Mapping[str, object]], rng: Random) -> None:
    """What the regular expressions match that they, and what they call, read their arguments with."""
    functions = (*writers.functions, *writers.called)
    words = fillings(functions, target)
    for text, flags in dict.fromkeys((*patterns_in(functions), *patterns_named(functions, live))):
        add_matches(pool, text, flags, MATCHES, 1.0, rng, words)


def _functions(target: CrashTarget, sources: Sources) -> Iterator[tuple[CodeKey, CodeNode]]:
    for module in dict.fromkeys(frame.key.module for frame in target.package_frames):
        source = sources.of_module(module)
        if not isinstance(source, Unknown):
            for key, node in source.codes():
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield key, node
