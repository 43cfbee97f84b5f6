"""Samples of the formats in sight, tried one by one where a test leaves a text open, before anything is bred.

# Deviation: not in the papers. What parses its input rejects random text at the first character; a well-formed sample reaches code
that no mutation of random text does. The stage is bounded, and given up when it brings nothing.
"""

from __future__ import annotations

import ast
import itertools
import re
import string
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from math import inf
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from crashwright.engine.sources.values.group_texts import group_texts
from crashwright.engine.sources.values.seeding import FEW_WORDS, patterns_in, patterns_named, words_in
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.types import ANY, ClassHint, Hint, UnionHint, is_any
from crashwright.engine.subject.introspection import class_module, class_name, loaded_dict
from crashwright.engine.subject.usage.element_trees import element_trees
from crashwright.engine.subject.usage.elements import elements_in
from crashwright.engine.subject.usage.line_kinds import PLAIN, line_kinds
from crashwright.engine.subject.usage.parsers import SEEN, in_sight
from crashwright.engine.subject.usage.read_records import delimiter_in, known_values, records_in
from crashwright.engine.subject.usage.shapes import Plain
from crashwright.engine.subject.usage.vocabulary import vocabulary_of
from crashwright.engine.testcase.binding import bound
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.matching_text import matching_text
from crashwright.engine.testcase.samples.choosing import chosen_samples
from crashwright.engine.testcase.samples.formats import PARSERS, Content, Sample, formats_in
from crashwright.engine.testcase.samples.grown import tree_documents
from crashwright.engine.testcase.samples.keyed import documents, fields_of
from crashwright.engine.testcase.samples.line_samples import told_texts
from crashwright.engine.testcase.samples.lined import Known, line_texts
from crashwright.engine.testcase.samples.machine import texts_for
from crashwright.engine.testcase.samples.marked import element_documents
from crashwright.engine.testcase.samples.python_code import STATEMENTS
from crashwright.engine.testcase.samples.syntax import kinds_read, programs_with
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.shape import shape_of
from crashwright.engine.testcase.statements import (
    Arguments,
    Await,
    Call,
    FileFixture,
    Iterate,
    Literal,
    MethodCall,
    Statement,
    Variable,
)
from crashwright.engine.testcase.structure.spelling import marks_in, spelled_text
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import used

MOST_HOLES = 2
MOST_LINES = 16
"""Texts of lines, as they are split, that are looked at for kinds of lines."""
FILLING = (PLAIN,) * 4
MOST_SAMPLES = 600
FIRST, MOST_SPELLED = 60, 60
"""Samples before those that are spelled with what the functions compare texts with, and with the marks of the formats; how many of
each there are."""
SHORTEST = ("", " ", "\n")
"""With each mark alone: what the shortest texts do is seldom thought of. They are worth the most where a test takes long, and stand
between the samples, one to two."""
TEMPLATES = 4
"""Tests whose holes are filled, for a crash; with each sample, for a module."""
MOST_LOOKED = 16
"""Echoed calls whose open literals are given what suits their parameters."""
_TRIES, _TRIES_TO_RUN = 8, 64
"""Calls of an entry of which the most open one is a template, or the most open one that comes nearest."""
_WRAPPERS = {("io", "StringIO"): ClassHint(str), ("_io", "StringIO"): ClassHint(str), ("_io", "BytesIO"): ClassHint(bytes)}

_STATEMENTS = frozenset(STATEMENTS)
_DOCUMENTS = frozenset(name for parser in PARSERS.values() for name in parser.classes)

Distances = Callable[[list[TestCase]], Mapping[TestCase, float]]
Template = tuple[TestCase, Container[Variable]]
"""A test, and the variables in it that hold what the report says."""


class Beside(NamedTuple):
    """Functions that those of a path call, and the names of the modules that they stand in."""

    functions: tuple[ast.AST, ...] = ()
    names: tuple[str, ...] = ()


NOTHING = Beside()


class Hole(NamedTuple):
    """The statement at ``place`` makes a text, a file with one, or a document, that nothing says anything of. ``hints`` are what
    the calls ask for that get it; where they say nothing, it may be anything."""

    place: int
    takes_text: bool
    takes_bytes: bool
    hints: tuple[Hint, ...] = ()


def samples_for(
    functions: Sequence[ast.AST],
    modules: Sequence[ast.AST],
    names: Sequence[str],
    package: str,
    rng: Random,
    said: Sequence[str] = (),
    lines: Collection[int] = (),
    beside: Beside = NOTHING,
    named: Mapping[str, list[Plain]] = MappingProxyType({}),
    apart: Sequence[str] = (),
) -> list[Sample]:
    """Samples for the code of these ``functions``, which stand in ``modules`` with these ``names``. ``said`` are words of the
    report: they may stand in documents that have what the functions read. ``lines`` are those of the functions that matter most.
    ``beside`` is what they call: what that reads comes after what they read themselves. ``named``: what things of a name may be.
    ``apart`` are the lines that they tell apart."""
    sight = in_sight(functions, modules, names)
    formats = [(one, weight, one.parser_in(sight)) for one, weight in formats_in(sight)]
    further = in_sight(beside.functions, (), beside.names)
    formats += [
        (one, SEEN, one.parser_in(further)) for one, _ in formats_in(further) if all(one is not known for known, *_ in formats)
    ]
    words = [*dict.fromkeys(word for node in functions for word in words_in(node)), *sight.texts]
    shipped, statements = texts_for([one for one, _, _ in formats], package, rng)
    parser = next((parser for one, _, parser in formats if one.name == "Python"), None)
    tables = [loaded_dict(name) for name in names]
    records, known = records_in([*functions, *beside.functions]), known_values(tables, named)
    trees = element_trees(functions, beside.functions, {key: value for table in tables for key, value in table.items()})
    elements = elements_in(functions, modules, lines)
    mark = delimiter_in([*functions, *beside.functions])
    keyed = (Sample(text, read_by) for one, _, read_by in formats for text in documents(one.name, records, known, said, mark))
    grown = (Sample(text, read_by) for one, _, read_by in formats for text in tree_documents(one.name, trees))
    marked = (Sample(text, read_by) for one, _, read_by in formats for text in element_documents(one.name, elements))
    kinds = kinds_read(functions, said, beside.functions) if any(one.name == "Python" for one, _, _ in formats) else {}
    programs = (Sample(text, parser) for text in programs_with(kinds))
    lined = (Sample("".join(f"{line}\n" for line in lines)) for lines in line_texts(records, known, said))
    told = map(Sample, told_texts(apart, rng))
    own = [one for turn in itertools.zip_longest(grown, marked, keyed, lined, told, programs) for one in turn if one is not None]
    found = [*own, *map(Sample, shipped), *(Sample(statement, parser) for statement in statements)]
    chosen = chosen_samples(formats, found, words, MOST_SAMPLES, rng)
    vocabularies = (vocabulary_of(functions), marks_in(_texts(chosen)))
    known_words = [one for one in vocabularies if len(one.strings) >= FEW_WORDS]
    spelled = [Sample(spelled_text(rng, one)) for _ in range(MOST_SPELLED) for one in known_words]
    late = (one for pair in itertools.zip_longest(spelled, chosen[FIRST:]) for one in pair if one is not None)
    short = map(Sample, (*SHORTEST, *rng.sample(string.punctuation, len(string.punctuation))))
    early = [one for three in itertools.zip_longest(short, *[iter(chosen[:FIRST])] * 2) for one in three if one is not None]
    return list(dict.fromkeys([*early, *late]))


def fields_for(
    functions: Sequence[ast.AST], names: Sequence[str], named: Mapping[str, list[Plain]], said: Sequence[str] = ()
) -> dict[str, tuple[Plain, ...]]:
    """What may stand under the keys of the records that these ``functions`` read, in modules with these ``names``; ``named`` and
    ``said`` as for :func:`samples_for`."""
    return fields_of(records_in(functions), known_values([loaded_dict(name) for name in names], named), said)


def kinds_for(functions: Sequence[ast.AST], names: Sequence[str], named: Mapping[str, list[Plain]], rng: Random) -> tuple[str, ...]:
    """The lines that these ``functions`` tell apart, in modules with these ``names``; ``named`` as for :func:`samples_for`."""
    tables = [loaded_dict(name) for name in names]
    records, known = records_in(functions), known_values(tables, named)
    lines = [line for text in itertools.islice(line_texts(records, known, ()), MOST_LINES) for line in text]
    used = [(text, flags) for text, flags in (*patterns_in(functions), *patterns_named(functions, tables)) if type(text) is str]
    return line_kinds(functions, used, lines, lambda text, flags: matching_text(text, rng, flags & ~re.UNICODE, FILLING))


def groups_for(functions: Sequence[ast.AST], names: Sequence[str], known: Known, rng: Random) -> list[tuple[str, ...]]:
    """Lines that these ``functions`` match and read by the names of groups, in modules with these ``names``."""
    tables = [loaded_dict(name) for name in names]
    used = [(text, flags) for text, flags in (*patterns_in(functions), *patterns_named(functions, tables)) if type(text) is str]
    return list(group_texts(used, records_in(functions), known, rng))


def _texts(samples: Sequence[Sample]) -> list[str]:
    return [sample.content for sample in samples if type(sample.content) is str]


def stock(pool: SeedPool, samples: Sequence[Sample]) -> None:
    """Let tests that are made or changed draw ``samples`` too."""
    for sample in samples:
        pool.add_sample(sample.content)
    pool.programs = sum(sample.content in _STATEMENTS for sample in samples) >= FEW_WORDS
    marks = marks_in(_texts(samples))
    pool.marks = marks if len(marks.strings) >= FEW_WORDS else None


def holes_of(test: TestCase, quoted: Container[Variable]) -> list[Hole]:
    """The open texts of ``test``: literals before what the factory had to make with calls. A literal that holds other variables is
    none: what is open are these."""
    hints = _hints(test)
    receivers = {statement.receiver for statement in test.statements if type(statement) is MethodCall}
    literals: list[Hole] = []
    made: list[Hole] = []
    for index, statement in enumerate(test.statements):
        variable = statement[0]
        if type(statement) is FileFixture:
            literals.append(Hole(index, True, True))
        elif variable in hints and variable not in quoted and variable not in receivers:
            hole = _hole(index, statement, hints[variable])
            if hole is not None:
                (literals if type(statement) is Literal else made).append(hole)
    return (literals or made)[:MOST_HOLES]


def _hole(index: int, statement: Statement, hints: Sequence[Hint]) -> Hole | None:
    if not isinstance(statement, Literal | Call | MethodCall | Iterate | Await):
        return None
    if isinstance(statement, Literal) and used(statement):
        return None
    if all(is_any(hint) for hint in hints):  # what is untyped takes texts, but for what was made of bytes
        is_bytes = type(statement) is Literal and type(statement.value) is bytes
        return Hole(index, not is_bytes, is_bytes)
    text, data = (any(_takes(hint, cls) for hint in hints) for cls in (str, bytes))
    known = tuple(hint for hint in hints if not is_any(hint))
    return Hole(index, text, data, known) if text or data or any(_classes(hint) for hint in known) else None


def _takes(hint: Hint, cls: type) -> bool:
    if isinstance(hint, UnionHint):
        return any(_takes(member, cls) for member in hint.members)
    return isinstance(hint, ClassHint) and hint.cls is cls


def _classes(hint: Hint) -> list[str]:
    """The names of the classes that a hint asks for, as far as documents may be of them."""
    if isinstance(hint, UnionHint):
        return [name for member in hint.members for name in _classes(member)]
    name = f"{class_module(hint.cls)}.{class_name(hint.cls)}" if isinstance(hint, ClassHint) else ""
    return [name] if name in _DOCUMENTS else []


def _hints(test: TestCase) -> dict[Variable, list[Hint]]:
    """What the parameters ask for that get the variables of ``test``."""
    found: dict[Variable, list[Hint]] = {}
    for statement in test.statements:
        if isinstance(statement, Call | MethodCall):
            for variable, hint in _passed(statement):
                found.setdefault(variable, []).append(hint)
    return found


def _passed(statement: Call | MethodCall) -> Iterator[tuple[Variable, Hint]]:
    callee, arguments = statement.callee, statement.arguments
    wrapped = None if callee is None else _WRAPPERS.get((callee.module, callee.name))
    if callee is None or wrapped is not None:
        for variable in arguments.positional:
            yield variable, wrapped or ANY
        return
    for parameter, variable in bound(callee, arguments.positional, arguments.keywords):
        yield variable, parameter.hint


def filled(test: TestCase, hole: Hole, content: Content) -> TestCase | None:
    """``test`` with ``content`` in the hole; None where it does not take such a thing."""
    statement = test.statements[hole.place]
    if (type(content) is bytes and not hole.takes_bytes) or not (hole.takes_text or hole.takes_bytes):
        return None
    filling: Statement
    if type(statement) is FileFixture:
        filling = statement._replace(content=content.encode("utf-8", "replace").decode() if type(content) is str else content)
    elif type(content) is str and not hole.takes_text:
        filling = Literal(statement[0], content.encode("utf-8", "surrogatepass"))
    else:
        filling = Literal(statement[0], content)
    return _with(test, hole, [filling])


def parsed(test: TestCase, hole: Hole, sample: Sample, factory: Factory) -> TestCase | None:
    """``test`` with the document in the hole that the sample's parser makes; None where it has none, or such a document is not
    asked for."""
    parser, statement = sample.parser, test.statements[hole.place]
    if parser is None or type(sample.content) is bytes or type(statement) is FileFixture:
        return None
    if hole.hints and not any(name in parser.classes for hint in hole.hints for name in _classes(hint)):
        return None
    try:
        callee = factory.api.standard(parser.module, parser.function)
    except (AttributeError, ImportError, ValueError):
        return None  # this Python has it not
    text = Literal(factory.new(), sample.content)
    return _with(test, hole, [text, Call(statement[0], callee, Arguments((text.variable,)))])


def _with(test: TestCase, hole: Hole, filling: Sequence[Statement]) -> TestCase:
    return TestCase((*test.statements[: hole.place], *filling, *test.statements[hole.place + 1 :]))


def sample_tests(
    templates: Sequence[Template], samples: Iterable[Sample], factory: Factory, at_once: int = 1
) -> Iterator[TestCase]:
    """Each sample in the holes of ``at_once`` of the templates, which take turns."""
    places = [[(test, hole) for hole in holes_of(test, quoted)] for test, quoted in templates]
    turns = itertools.cycle([place for place in places if place])
    for sample in samples:
        for test, hole in itertools.chain.from_iterable(itertools.islice(turns, at_once)):
            for made in (filled(test, hole, sample.content), parsed(test, hole, sample, factory)):
                if made is not None and made.is_valid():
                    yield made


def entry_templates(entry: Sequence[Callee], factory: Factory, rng: Random, distances: Distances | None = None) -> list[Template]:
    """Calls of the entries with nothing but what they need: of several, one with a file, else one with a text that is open. Where
    ``distances`` tells how far from the crash they end, the nearest open one."""
    found: list[Template] = []
    for callee in entry:
        made: list[TestCase] = []
        for _ in range(_TRIES if distances is None else _TRIES_TO_RUN):
            statements: list[Statement] = []
            factory.call(statements, callee, rng)
            test = TestCase(tuple(statements))
            if test.is_valid() and len(test) <= factory.max_length:
                made.append(test)
        if made:
            open_ones = [test for test in made if _openness(test)]
            known = distances(open_ones) if distances is not None and open_ones else {}
            # An argument that stands for two leaves less open.
            best = min(made, key=lambda test: (known.get(test, inf), -_openness(test), -len(holes_of(test, ()))))
            found.append((best, frozenset()))
    return found


def with_looks(test: TestCase, quoted: Container[Variable], factory: Factory) -> list[TestCase]:
    """``test`` with what is known to suit its parameters in the place of open literals, as often as something new is known."""
    literals = {one.variable: place for place, one in enumerate(test.statements) if type(one) is Literal and not used(one)}
    suiting: dict[int, list[Literal]] = {}
    for statement in test.statements:
        if isinstance(statement, Call | MethodCall) and statement.callee is not None:
            for parameter, variable in bound(statement.callee, statement.arguments.positional, statement.arguments.keywords):
                parts = factory.shaped.known(statement.callee, parameter.name)
                known = [part[0] for part in parts if len(part) == 1 and type(part[0]) is Literal]
                if known and variable in literals and variable not in quoted:
                    suiting[literals[variable]] = known
    found: list[TestCase] = []
    for turn in range(max(map(len, suiting.values()), default=0)):
        statements = list(test.statements)
        for place, known in suiting.items():
            statements[place] = known[turn % len(known)]._replace(variable=statements[place][0])
        found.append(TestCase(tuple(statements)))
    return found


def most_open(templates: Sequence[Template], most: int) -> list[Template]:
    """At most so many of those with a hole: those with a file, if there are some; of those that only differ in their holes, one.
    Each sample is tried in one alone."""
    having = [template for template in templates if holes_of(*template)]
    best = max((_openness(test) for test, _ in having), default=0)
    different: dict[int, Template] = {}
    for template in having:
        if _openness(template[0]) == best:
            different.setdefault(shape_of(_emptied(*template)), template)
    return [*different.values()][:most]


def _emptied(test: TestCase, quoted: Container[Variable]) -> TestCase:
    """With nothing in its holes."""
    for hole in holes_of(test, quoted):
        test = filled(test, hole, "") or filled(test, hole, b"") or test
    return test


def _openness(test: TestCase) -> int:
    return 2 * any(type(one) is FileFixture for one in test.statements) + bool(holes_of(test, ()))
