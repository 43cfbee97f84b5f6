"""Files in the user's folder or home that the program looks for and reads as a document: configuration and data. Which parser reads
one shows in what language it is written (``execution.document_parsers``); what the code asks of what that gives is a document, and
this is varied place by place (``sources.document_values``).

# Deviation: the papers' subjects read no files.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import chain, islice, zip_longest
from random import Random
from types import FunctionType
from typing import NamedTuple

from crashwright.core.report import Unknown
from crashwright.engine.execution.document_parsers import MARKED, ParsersMet, giving
from crashwright.engine.execution.executor import release
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.execution.recording import Decided, RecordingSession
from crashwright.engine.sources.answers import around_of
from crashwright.engine.sources.aside import noted_in
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.document_values import (
    ODD,
    DeniedKey,
    denies_more,
    diagonal,
    key_words,
    kind_of,
    least,
    option_words,
    places_of,
    refused_texts,
    spelt,
    with_value,
    words_near,
)
from crashwright.engine.sources.in_turn import ASKED_SECONDS
from crashwright.engine.sources.project_files import (
    beside,
    contents_of,
    files_named,
    fitness_of_last,
    own_name,
    read_texts,
    rewritten,
    with_file,
    words_said,
)
from crashwright.engine.sources.recording_runs import chain_of
from crashwright.engine.sources.sought_files import sought_files
from crashwright.engine.sources.told_files import asked_lines, called_lines, file_names
from crashwright.engine.subject.introspection import loaded_names
from crashwright.engine.testcase.editing.item_steps import values_of_types
from crashwright.engine.testcase.making.demanded import Demanded
from crashwright.engine.testcase.making.demands import Demand, DemandKind
from crashwright.engine.testcase.samples.formats import FORMATS
from crashwright.engine.testcase.statements import Value
from crashwright.engine.testcase.structure.dialects import DIALECTS, INI, Dialect
from crashwright.engine.testcase.structure.documents import text_of
from crashwright.engine.testcase.testcase import TestCase

MOST_SOUGHT = 8
"""Files that one line looks for."""
MOST_ROUNDS = 24
"""Probing runs for one file."""
MOST_KEYS, MOST_NEAR, MOST_OPTIONS = 200, 12, 30
"""Texts of the package that mappings have as keys while it is found out which are asked for; words of functions on the path, and
options of command lines, that are keys where all may be."""
MOST_SAID, MOST_STEPS = 3, 60
"""Words of the message that are values; steps from the document that came furthest."""


class KeptFile(NamedTuple):
    """A file that the program reads as a document, and by which functions."""

    path: str
    dialect: Dialect
    parsers: tuple[FunctionType, ...]
    in_sections: bool


class WantedDocuments:
    """See ``sources.source.Source``."""

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:
        """Each line of the report, with each file that it reads as a document."""
        kinds = (asked_lines(subject, so_far, rng), *called_lines(subject, so_far, rng))
        files = files_named(subject)
        runs: _Documents | None = None
        best: list[tuple[float, str, str, TestCase]] = []
        for base in (beside(one, files, so_far) for kind in kinds for one in islice(kind, 1)):
            if runs is None:
                clock = so_far.bench.clock
                clock.set_limit(max(clock.limit, ASKED_SECONDS))
                runs = _Documents(subject, so_far, rng)
            kept: dict[object, tuple[str, TestCase, Iterator[str]]] = {}
            for one in runs.kept(base):
                before = runs.with_named(base, one.path)
                demand = runs.asked(before, one)
                # Of those of which the same is asked one will do.
                alike = one.dialect.name, tuple(places_of(demand, ()))
                kept.setdefault(alike, (one.path, before, runs.documents(demand, one.dialect)))
            # One of them is the user's: they take turns.
            for turn in zip_longest(*(texts for *_, texts in kept.values())):
                for (path, before, _), text in zip(kept.values(), turn, strict=True):
                    if text is not None:
                        yield with_file(before, path, text, so_far)
                        best.append((fitness_of_last(so_far), path, text, before))
        for _, path, text, before in sorted(best, key=lambda one: one[0])[:1]:
            yield from islice(rewritten(before, {path: text}, subject, so_far), MOST_STEPS)


class _Documents:
    """Of one search."""

    def __init__(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> None:
        self._subject = subject
        self._so_far = so_far
        self._rng = rng
        self._around = around_of(subject, so_far)
        self._read = read_texts(subject)
        target = subject.start.target
        nodes = [(node, frame.line) for frame in reversed(target.package_frames) if (node := subject.sources.node_of(frame.key))]
        self._near = words_near(nodes)
        trees = [
            found.tree for name in loaded_names(target.package) if not isinstance(found := subject.sources.of_module(name), Unknown)
        ]
        options = [word for word in dict.fromkeys(option_words(trees)) if spelt(word) not in self._near]
        self._words = [*sorted(self._near, key=self._near.__getitem__)[:MOST_NEAR], *options[:MOST_OPTIONS]]
        self._keys = [*islice(dict.fromkeys(key for tree in (*subject.path[1], *trees) for key in key_words(tree)), MOST_KEYS)]
        named = values_of_types(target.message)
        like = [one for one in ODD if any(type(one) is type(other) and kind_of(one) == kind_of(other) for other in named)]
        values = [*refused_texts(target)[:MOST_SAID], *named, *like, *words_said(subject)[:MOST_SAID], *ODD]
        self._values: list[Value] = [one for number, one in enumerate(values) if one not in values[:number]]

    def with_named(self, base: TestCase, path: str) -> TestCase:
        """With what the line names but ``path``: some programs look for all of it before they read anything."""
        for name in filter(None, map(own_name, dict.fromkeys(file_names(self._subject)))):
            for text in islice(filter(None, contents_of(name, {}, self._read)), 1 if name != path else 0):
                base = with_file(base, name, text, self._so_far)
        return base

    def kept(self, base: TestCase) -> Iterator[KeptFile]:
        """The files that a run looks for and reads as documents."""
        guard = self._so_far.bench.guard
        guard.take_lacking()
        found = noted_in(self.with_named(base, ""), self._around, sought_files) or {}
        named = map(own_name, (*dict.fromkeys(file_names(self._subject)), *guard.take_lacking()))
        for path in islice(dict.fromkeys((*found, *filter(None, named))), MOST_SOUGHT):
            before = self.with_named(base, path)
            for dialect in _in_order(path):
                met = self._met(with_file(before, path, dialect.written(MARKED), self._so_far))
                if met is None or self._so_far.is_spent:
                    return
                if met.found or met.in_sections:
                    yield KeptFile(path, INI if met.in_sections else dialect, met.found, met.in_sections)
                    break
                if path not in map(own_name, guard.take_read()):
                    break  # it is no file, or nobody reads it

    def _met(self, test: TestCase) -> ParsersMet | None:
        package = self._subject.start.target.package.partition(".")[0]
        self._so_far.bench.guard.take_read()
        return noted_in(test, self._around, lambda: ParsersMet(package))

    def documents(self, demand: Demand, dialect: Dialect) -> Iterator[str]:
        """What a file may have."""
        places = sorted(places_of(demand, self._words), key=lambda one: self._near.get(one.name, len(self._near)))
        seen: set[str] = set()
        varied = (with_value(self._made(least(demand, one.keys)), one.keys, value) for one, value in diagonal(places, self._values))
        for whole in chain((self._made(least(demand)),), varied):
            text = text_of(whole, dialect)
            if text is not None and text not in seen:
                seen.add(text)
                yield text

    def _made(self, demand: Demand) -> Value:
        factory = self._so_far.factory
        return Demanded(factory, factory.names, self._around.classes, self._rng, is_full=True).document(demand)

    def asked(self, before: TestCase, kept: KeptFile) -> Demand:
        """What the code asks of the document, as probing runs find it out."""
        demand = Demand()
        if kept.in_sections:
            demand.kind, demand.layout = DemandKind.MAPPING, (DemandKind.MAPPING, DemandKind.TEXT)
        session = RecordingSession(words=self._keys)
        session.begin_anew()
        test = with_file(before, kept.path, kept.dialect.written(MARKED), self._so_far)
        denied: list[DeniedKey] = []
        for _ in range(MOST_ROUNDS):
            size = demand.size()
            outcome = self._noted(test, kept, session, demand)
            learnt = type(outcome.error) is Decided or any(
                session.refine(one) for one in chain_of(outcome.error) if type(one) is not KeyError
            )
            learnt |= session.settle()
            is_over = outcome.timed_out or self._around.meter.stopped
            release(outcome)
            if is_over:
                break
            if learnt or demand.size() > size:
                continue
            # Where its class decides, it is a table more often than not.
            tested = next((one for one in demand.nodes() if one.kind is DemandKind.OPEN and one.is_tested), None)
            if tested is not None:
                tested.kind = DemandKind.MAPPING
            elif not denies_more(demand, denied):
                break
        for one in denied:
            one.owner.absent.clear()
        return demand

    def _noted(self, test: TestCase, kept: KeptFile, session: RecordingSession, demand: Demand) -> Outcome:
        session.begin()
        self._around.tracer.reset()
        with giving(kept.parsers, kept.in_sections, lambda: session.value(demand)):
            outcome = self._around.runner.run_aside(test)
        self._around.tracer.drop_wanted()
        self._around.meter.spend()
        return outcome


def _in_order(path: str) -> Sequence[Dialect]:
    """Those first that files of such a name are written in; none where such files hold something else."""
    suffix = os.path.splitext(path)[1]
    known = {one.name for one in FORMATS if suffix and suffix in one.suffixes}
    likely = [one for one in DIALECTS if one.name in known]
    return [*likely, *(one for one in DIALECTS if one not in likely)] if likely or not known else []
