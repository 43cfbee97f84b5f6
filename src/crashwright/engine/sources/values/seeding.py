"""The first seeds: constants of the functions on the path and of their modules, values that the message names, literals of the
echoed callers' lines; and tests that make the echoed call (DESIGN, "A reproduction, step by step")."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

from crashwright.core.recursion import is_recursion
from crashwright.core.target import CallSite, CrashTarget
from crashwright.engine.search.message_facts import message_values
from crashwright.engine.sources.values.crash_classes import quoted_names
from crashwright.engine.sources.values.origin import REPORTED
from crashwright.engine.subject.api.callee import CalleeKind
from crashwright.engine.subject.introspection import class_dict, is_class
from crashwright.engine.subject.usage.built_texts import built_patterns
from crashwright.engine.subject.usage.constants import SourceConstant, SourcePattern, constants_of, patterns_of
from crashwright.engine.subject.usage.layouts import layouts_in
from crashwright.engine.subject.usage.shapes import MOMENT
from crashwright.engine.subject.usage.vocabulary import Vocabulary, merged, vocabulary_of
from crashwright.engine.subject.walking import REMEMBERED, nodes_of, walk
from crashwright.engine.testcase.echoing.echo import as_value
from crashwright.engine.testcase.echoing.echoed_tests import Echo, echo_tests
from crashwright.engine.testcase.echoing.reported_values import FrameLocals, reported_test
from crashwright.engine.testcase.echoing.repr_source import parse_repr
from crashwright.engine.testcase.echoing.shape import ShownCall, shown_calls, unlikeness
from crashwright.engine.testcase.echoing.source import decorated, decorating, parse_echo
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.matching_text import matching_text
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.shape import shape_of
from crashwright.engine.testcase.testcase import TestCase

ON_PATH, IN_MODULE, IN_MESSAGE, ECHOED, IN_LOCALS = 3.0, 0.5, 5.0, 3.0, 6.0
"""Weights of seeds by where they were seen."""
_NESTING = (("(", ")"), ("[", "]"), ("{", "}"), ("<a>", "</a>"), ("> ", ""), ("-", ""), ("not ", ""))
_IDENTIFIER = re.compile(r"[A-Za-z_][\w-]*")
_DIRECTIVE = re.compile(r"%[YymdHIMSfbBaApjzZ]")
LONGEST_FILLING, MOST_FILLINGS = 24, 12
"""Characters of a text that is put where a regular expression leaves much open, and how many there are of them."""
MOST_LAYOUTS = 48
"""Layouts of binary data that bytes are made of."""
FEW_WORDS = 4
"""Strings that a vocabulary has at least."""
MOST_PATTERNS = 200
"""Regular expressions of a module that give seeds."""
REPORTED_VARIANTS = 4
"""How many tests are made of the local values of a frame, with other values for what they leave open."""
MOST_ENTRIES = 4
"""Of several entries, for how many such tests are made."""
MOST_VALUES = 200
"""How many different local values become seeds, those of the outermost frames first."""
MOST_PARTS = 40
"""Parts of a local value that are seeds by themselves."""
ECHO_VARIANTS = 12
"""How many tests are made of each echoed line, with other values for what it does not show."""


def fill_pool(
    pool: SeedPool,
    target: CrashTarget,
    functions: Sequence[ast.AST],
    modules: Sequence[ast.AST],
    live: Sequence[Mapping[str, object]],
    rng: random.Random,
) -> None:
    """Add every seed that needs no running of the subject. ``live`` are the names of the modules, where patterns that the functions
    use by name are found."""
    for node in modules:
        add_constants(pool, node, IN_MODULE, "a constant of the module")
    for pattern in islice((pattern for node in modules for pattern in patterns_of(node)), MOST_PATTERNS):
        add_matches(pool, pattern.text, 0, 2, 0.3, rng)
    before = len(pool.tokens)
    for node in functions:
        add_constants(pool, node, ON_PATH, "a constant on the path")
    words = fillings(functions, target)
    built = patterns_built(functions, live) if pool.structured else ()
    for text, flags in dict.fromkeys((*patterns_in(functions), *patterns_named(functions, live), *built)):
        add_matches(pool, text, flags, 12, 1.0, rng, words)
    if pool.structured:
        pool.layouts = layouts_in(functions, modules, live)[:MOST_LAYOUTS]
        add_vocabulary(pool, functions, modules)
    on_path = [word for node in functions for word in words_in(node)]
    pool.favour_tokens([*on_path, *pool.tokens[before:]])
    if is_recursion(target.exception):
        for opening, closing in _NESTING:
            for depth in (300, 1000, 3000):
                add_seed(pool, opening * depth, 1.0, "deep nesting")
                add_seed(pool, opening * depth + closing * depth, 2.0, "deep nesting")
    for value in message_values(target.message):
        add_seed(pool, value, IN_MESSAGE, "the message")
    for site in target.call_sites:
        for value in _echoed_literals(site):
            add_seed(pool, value, ECHOED, "the echoed call")
    # Recursion shows the same values again and again.
    shown = dict.fromkeys(text for frame in target.frames for text in frame.local_values.values())
    for text in islice(shown, MOST_VALUES):
        _add_reported(pool, text)


def reported_seeds(target: CrashTarget, names: NameChain, factory: Factory, rng: random.Random) -> list[Echo]:
    """Tests that call the entry with the local values of the report: those of the entry's own frame, else of all frames together,
    the outermost first."""
    merged: dict[str, str] = {}
    for frame in reversed(target.package_frames):
        merged.update(frame.local_values)
    if not merged:
        return []
    found: list[Echo] = []
    every = FrameLocals("", merged)
    frames = [FrameLocals(frame.key.name, frame.local_values) for frame in target.package_frames if frame.local_values]
    for callee in factory.entry[:MOST_ENTRIES]:
        name = "__init__" if callee.kind is CalleeKind.CLASS else callee.name
        shown = next((one for one in frames if one.function == name), every)
        for _ in range(REPORTED_VARIANTS):
            test = reported_test(callee, shown, names, factory, rng)
            if test is None:
                break
            if test.test.is_valid() and factory.has_room(test.test.statements):
                found.append(test)
    return found


def _add_reported(pool: SeedPool, text: str) -> None:
    """A local value, and what it is made of; of what is no literal, the quoted texts and numbers in its repr."""
    found = parse_repr(text)
    try:
        value = ast.literal_eval(found.tree) if found is not None else None
    except (ValueError, TypeError, MemoryError, RecursionError):
        value = None
    if value is None:
        for part in islice(message_values(text), MOST_PARTS):
            add_seed(pool, part, IN_LOCALS / 2, REPORTED)
        return
    add_seed(pool, value, IN_LOCALS, REPORTED)
    for part in islice(_parts_of(value), MOST_PARTS):
        add_seed(pool, part, IN_LOCALS / 4, REPORTED)


def _parts_of(value: object) -> Iterator[object]:
    waiting = [value]
    while waiting:
        inner = waiting.pop()
        parts = [*inner, *inner.values()] if isinstance(inner, dict) else inner if isinstance(inner, (list, tuple, set)) else ()
        yield from parts
        waiting.extend(parts)


def echo_seeds(target: CrashTarget, names: NameChain, factory: Factory, rng: random.Random) -> list[Echo]:
    """Tests that make the call that the report echoes: the user's own lines first, whatever they call, the nearest caller first."""
    found: list[Echo] = []
    for site in target.callers:
        drawn = echo_tests(site.source, site.local_values, names, factory, rng, is_own=_is_way_in(site, names))
        found += [
            echo
            for echo in islice(drawn, ECHO_VARIANTS)  # the line is read once
            if echo.test.is_valid() and factory.has_room(echo.test.statements)
        ]
    return found


def echo_variants(target: CrashTarget, names: NameChain, factory: Factory, rng: random.Random) -> Iterator[Echo]:
    """Different tests that make the echoed call of the nearest caller that drives the entry, until nothing new is drawn; in turn
    with those of the user's nearest line, if that calls something else."""
    lines: list[Iterator[Echo]] = []
    for site in target.callers:
        readings = [
            echo_tests(text, site.local_values, names, factory, rng, target.message, _is_way_in(site, names) and not lines)
            for text in _readings(site, target, names.defines)
        ]
        drawn = _in_turn(readings)
        first = next(drawn, None)
        if first is not None:
            lines.append(_different(chain((first,), drawn), factory))
            if first.driver is None:
                break
    return _in_turn(lines)


def _is_way_in(site: CallSite, names: NameChain) -> bool:
    return names.are_exported and not site.in_library


def _different(echoes: Iterator[Echo], factory: Factory) -> Iterator[Echo]:
    """Until most of them are no news any more."""
    seen: set[object] = set()
    for drawn, echo in enumerate(echoes, 1):
        if drawn > 2 * len(seen) + ECHO_VARIANTS:
            return
        shape = shape_of(echo.test)
        if shape not in seen and echo.test.is_valid() and len(echo.test) <= factory.max_length:
            seen.add(shape)
            yield echo


def _readings(site: CallSite, target: CrashTarget, defines: bool) -> tuple[str, ...]:
    """What the line may mean. One above a function, and where a function within another is what was entered, the other's result is
    called. ``defines``: with a function that the test defines."""
    others = decorating(site.source)
    if defines:
        others += decorated(site.source, quoted_names(target.message))
    if site.source.lstrip().startswith("@") or next(parse_echo(site.source), None) is None:
        return others
    nested = "<locals>" in target.frames[0].key.qualname
    return (site.source, *others) if nested or not _calls(site.source) else (site.source,)


def _calls(source: str) -> bool:
    return any(isinstance(node, ast.Call) for node in walk(next(parse_echo(source), ast.Pass())))


def _in_turn(sources: list[Iterator[Echo]]) -> Iterator[Echo]:
    """One of each, until none has any."""
    while sources:
        for source in tuple(sources):
            echo = next(source, None)
            if echo is None:
                sources.remove(source)
            else:
                yield echo


def calls_shown(target: CrashTarget, names: Collection[str], made: Sequence[TestCase]) -> tuple[ShownCall, ...]:
    """The calls of the echoed line that drives an entry with one of these ``names``, the user's nearest line first; only those that
    a test can make, as those ``made`` of the line show."""
    for site in target.callers:
        calls = shown_calls(site.source, names)
        if calls:
            return tuple(call for call in calls if any(unlikeness(test, (call,)) == 0 for test in made))
    return ()


def add_constants(pool: SeedPool, node: ast.AST, weight: float, origin: str) -> None:
    """Add the constants beneath ``node``, and the literal parts of its regular expressions as tokens."""
    add_written(pool, written_in(node), weight, origin)


class Written(NamedTuple):
    """What the source of a function says: constants, regular expressions, and the names and attributes that it uses."""

    constants: tuple[SourceConstant, ...]
    patterns: tuple[SourcePattern, ...]
    names: frozenset[str]
    attributes: frozenset[str]


@lru_cache(maxsize=REMEMBERED)
def written_in(node: ast.AST) -> Written:
    """Remembered: several pools need it, those of searches within a search too."""
    nodes = nodes_of(node)
    return Written(
        constants_of(node),
        patterns_of(node),
        frozenset(one.id for one in nodes if isinstance(one, ast.Name)),
        frozenset(one.attr for one in nodes if isinstance(one, ast.Attribute)),
    )


def add_written(pool: SeedPool, written: Written, weight: float, origin: str) -> None:
    """:func:`add_constants` for what has been read."""
    for constant in written.constants:
        add_seed(pool, constant.value, weight, origin)
        for moment in _moments(constant.value):
            add_seed(pool, moment, weight, origin)
    for pattern in written.patterns:
        for token in pattern_tokens(pattern.text):
            pool.add_token(token)


def add_seed(pool: SeedPool, value: object, weight: float, origin: str) -> None:
    """Add a live value where it is made of literals, and its words."""
    if value is None or isinstance(value, bool):
        return
    try:
        pool.add(as_value(value), weight, origin)
    except (TypeError, ValueError):
        return  # not made of literals: no seed
    if isinstance(value, str):
        for word in _words(value):
            pool.add_token(word)


def _words(value: object) -> tuple[str, ...]:
    return (value, *value.split(), *_IDENTIFIER.findall(value)) if isinstance(value, str) else ()


def words_in(node: ast.AST) -> Iterator[str]:
    """The words of the texts beneath ``node``, attributes and keys among them."""
    for constant in constants_of(node):
        yield from _words(constant.value)


def patterns_in(functions: Sequence[ast.AST]) -> Iterator[tuple[str | bytes, int]]:
    """The regular expressions that the functions write out, with no flags."""
    for node in functions:
        yield from ((pattern.text, 0) for pattern in patterns_of(node))


def patterns_built(functions: Sequence[ast.AST], live: Sequence[Mapping[str, object]]) -> Iterator[tuple[str | bytes, int]]:
    """The regular expressions that the functions put together of constants and globals, with no flags."""
    for node in functions:
        yield from ((text, 0) for text in built_patterns(node, live))


def patterns_named(functions: Sequence[ast.AST], live: Sequence[Mapping[str, object]]) -> Iterator[tuple[str | bytes, int]]:
    """Compiled patterns that the functions reach by a global name, as an attribute of a module, or of one of the modules'
    classes."""
    return patterns_of_names([written_in(function) for function in functions], live)


def patterns_of_names(functions: Sequence[Written], live: Sequence[Mapping[str, object]]) -> Iterator[tuple[str | bytes, int]]:
    """:func:`patterns_named` for what has been read."""
    names = frozenset().union(*(function.names for function in functions))
    attributes = frozenset().union(*(function.attributes for function in functions))
    for module in live:
        for name, value in list(module.items()):
            if type(value) is re.Pattern and (name in names or name in attributes):
                yield value.pattern, value.flags
            elif is_class(value):
                for attribute, member in list(class_dict(value).items()):
                    if attribute in attributes and type(member) is re.Pattern:
                        yield member.pattern, member.flags


def add_matches(
    pool: SeedPool, pattern: str | bytes, flags: int, count: int, weight: float, rng: random.Random, words: Sequence[str] = ()
) -> None:
    """Add ``count`` strings (or bytes) that the regular expression matches, with ``words`` where it leaves much open."""
    text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    for _ in range(count):
        match = matching_text(text, rng, flags & ~re.UNICODE, words)
        if match is None:
            return
        if match:
            pool.add(match.encode("latin-1", "replace") if isinstance(pattern, bytes) else match, weight, "a pattern of the module")
            pool.add_token(match)


def fillings(functions: Iterable[ast.AST], target: CrashTarget) -> tuple[str, ...]:
    """What may stand where a regular expression leaves much open: texts that the functions write, and mostly moments in the
    formats that they name and texts of the echoed calls."""
    texts = [constant.value for node in functions for constant in constants_of(node) if type(constant.value) is str]
    found = dict.fromkeys(text for text in texts if 0 < len(text) <= LONGEST_FILLING and "\n" not in text)
    moments = tuple(dict.fromkeys(moment for text in texts for moment in _moments(text)))
    echoed = dict.fromkeys(one for site in target.call_sites for one in _echoed_literals(site) if type(one) is str and one)
    return (*islice(found, MOST_FILLINGS), *(*moments, *echoed) * 3 * MOST_FILLINGS)


def _moments(value: object) -> Iterator[str]:
    """A moment written in what seems to be a format of ``strftime``."""
    if type(value) is str and len(_DIRECTIVE.findall(value)) > 1 and not _DIRECTIVE.sub("", value).count("%"):
        yield MOMENT.strftime(value)


def add_vocabulary(pool: SeedPool, *sources: Iterable[ast.AST]) -> None:
    """What functions compare texts with: those of the first source, and of the next where that is little."""
    found = Vocabulary((), ())
    for functions in sources:
        if len(found.strings) < FEW_WORDS:
            found = merged((found, vocabulary_of(functions)))
    if len(found.strings) >= FEW_WORDS:
        pool.vocabulary = found


def _echoed_literals(site: CallSite) -> Iterator[object]:
    for node in parse_echo(site.source):
        yield from (found.value for found in constants_of(node))
        return


def pattern_tokens(pattern: str | bytes) -> Iterator[str]:
    """Literal stretches of a regular expression."""
    text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    stretch = ""
    index = 0
    while index < len(text):
        character = text[index]
        if character == "\\" and index + 1 < len(text):
            following = text[index + 1]
            index += 1
            if following.isalnum():
                if stretch:
                    yield stretch
                stretch = ""
            else:
                stretch += following
        elif character in "^$.|?*+()[]{}":
            if stretch:
                yield stretch
            stretch = ""
        else:
            stretch += character
        index += 1
    if stretch:
        yield stretch
