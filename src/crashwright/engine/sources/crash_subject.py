"""What is known of a crash and its package: read once, in the zygote, for all forks that search for it."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from crashwright.core.location import CodeKey
from crashwright.core.mechanisms import Mechanism
from crashwright.core.messages import Start
from crashwright.core.report import Unknown
from crashwright.core.target import CrashTarget, belongs
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.search.blocker_probes import BlockerProbes
from crashwright.engine.search.crash_goals import guiding_frames, path_nodes
from crashwright.engine.search.message_facts import message_values
from crashwright.engine.sources.applications.invoked import InvokedReads, invoked_by
from crashwright.engine.sources.applications.operations import Asking
from crashwright.engine.sources.candidate_tests import sessions_of
from crashwright.engine.sources.path_words import Writers, writers_of_guards
from crashwright.engine.sources.values.example_seeds import examples_of
from crashwright.engine.sources.values.samples import Beside, fields_for, groups_for, kinds_for, samples_for
from crashwright.engine.sources.values.seeding import ON_PATH, add_constants
from crashwright.engine.sources.values.used_types import UsedAnywhere
from crashwright.engine.sources.values.usual_types import UsualTypes, usual_in
from crashwright.engine.sources.values.wanted_types import WantedTypes
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.entry import Entry
from crashwright.engine.subject.api.types import ClassHint, is_any
from crashwright.engine.subject.flags.branches import FlagAnalysis
from crashwright.engine.subject.introspection import loaded_dict
from crashwright.engine.subject.source import Sources
from crashwright.engine.subject.usage.called import Called, called_from
from crashwright.engine.subject.usage.documentation import Documentation
from crashwright.engine.subject.usage.lookups import keys_by_name, keys_looked_up
from crashwright.engine.subject.usage.message_templates import NOT_FILLED, Filled, filled_in
from crashwright.engine.subject.usage.read_records import known_values, records_in
from crashwright.engine.subject.usage.shapes import Plain
from crashwright.engine.subject.usage.usage import Session
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.names.source import Known
from crashwright.engine.testcase.samples.formats import Sample
from crashwright.engine.testcase.samples.keyed import bodies
from crashwright.engine.testcase.samples.lined import Known as KnownValues
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.structure.record_edits import Fields
from crashwright.engine.wants.wanted import Wanted

MOST_BODIES = 6
"""Of each document that a view reads."""
MOST_SAID, MOST_TOLD = 3, 10
"""Words of the message that are tried in documents, and with the keys of tables."""


class CrashSubject(NamedTuple):
    """It never changes: what a search comes to is elsewhere (``crash_so_far``)."""

    start: Start
    recorder: Recorder
    api: ApiModel
    entry: Entry
    sources: Sources
    flags: FlagAnalysis | None
    path: tuple[list[ast.AST], list[ast.AST]]
    """The functions on the path, and the modules that they are in."""
    examples: Documentation
    """Of the documentation and of the tests that come with the package: reading them takes a second or more."""
    names: dict[str, Known]
    """What ``requests`` name beyond the package."""
    requests: tuple[Session, ...]
    """Calls of the entry with a web framework's request, and requests that come to it."""
    clients: tuple[Known, ...]
    """The methods of the framework's test client, and programs that are called with command lines: they drive the entry too."""
    asking: Asking
    """What users can ask of the application, if it has requests or commands."""
    samples: list[Sample]
    """Texts of the formats that the path seems to read."""
    fields: Fields
    lines: tuple[str, ...]
    """What stands under the keys that are read from these."""
    known: KnownValues
    """What things of a name may be."""
    matched: list[tuple[str, ...]]
    """Lines that expressions match whose groups these read."""
    filled: Filled
    """The texts that the message was put together of."""
    said: Sequence[str]
    """Texts that the message quotes."""
    writers: Writers
    """The functions that write what the guards of the path read."""
    called: Called
    """The functions that those on the path and the writers call, and these again."""
    keys: list[Plain]
    """What the tables have in which all these look things up."""
    used: UsedAnywhere
    """What callables use their parameters as."""
    wanted: WantedTypes | None
    """What the whole package wants of them, where that is asked for."""


def crash_subject(
    start: Start,
    recorder: Recorder,
    api: ApiModel,
    entry: Entry,
    sources: Sources,
    flags: FlagAnalysis | None,
    reading: Wanted | None = None,
) -> CrashSubject:
    """Read what the forks need of the package's files. ``reading`` is what has been read of the whole package."""
    top = start.target.package.partition(".")[0]
    chain = [frame.key for frame in start.target.package_frames]
    examples = examples_of(top, entry.callees, start.settings.search.uses(Mechanism.OBJECTS), chain)
    suggested = sessions_of(start.candidates)
    examples = examples._replace(sessions=suggested + examples.sessions, suggested=len(suggested))
    path = path_nodes(start.target, sources)
    search = start.settings.search
    reads = InvokedReads(
        called=lambda keys: [node for _, node in called_from(keys, sources)],
        looked_up=lambda keys: keys_looked_up(_reading(keys, called_from(keys, sources), sources)),
        bodies=lambda keys: _bodies(_reading(keys, called_from(keys, sources), sources), len(_reading(keys, (), sources))),
        named=lambda keys: keys_by_name(_reading(keys, called_from(keys, sources), sources)),
    )
    invoked = invoked_by(start, api, entry, sources, path, chain, reads)
    writers = writers_of_guards(start.target, sources, api) if search.uses(Mechanism.GUIDANCE) else Writers()
    chain = [*(frame.key for frame in start.target.package_frames), *writers.places]
    called = called_from(chain, sources) if search.uses(Mechanism.TEXTS) else []
    functions = _reading(chain, called, sources) if search.uses(Mechanism.TEXTS) else []
    keys, named = keys_looked_up(functions), keys_by_name(functions)
    lines = _lines(start, path[0], called, named)
    filled = _filled(start, path[1], sources)
    wanted = None if reading is None else WantedTypes(api, reading)
    used = UsedAnywhere(api, sources, wanted)
    # Nothing comes of this but what they remember: in a large package a fork would take seconds for it, and the next one again.
    for callee in needed_by(Factory(api, SeedPool(), entry.callees)):
        for parameter in callee.parameters:
            if is_any(parameter.hint):
                used.hints(callee, parameter.name)
            if wanted is not None:
                wanted.want(callee, parameter.name)
    values = known_values([loaded_dict(module) for module in dict.fromkeys(key.module for key in chain)], named)
    return CrashSubject(
        start=start,
        recorder=recorder,
        api=api,
        entry=entry,
        sources=sources,
        flags=flags,
        path=path,
        examples=examples,
        names=invoked.names,
        requests=invoked.sessions,
        clients=invoked.drivers,
        asking=invoked.asking,
        samples=_samples(start, path, called, keys, named, lines, filled),
        fields=_fields(start, path[0], called, keys, named, filled),
        lines=lines,
        known=values,
        matched=_matched(start, path[0], called, values),
        filled=filled,
        said=_told(start, [], filled),
        keys=keys,
        writers=writers,
        called=called,
        used=used,
        wanted=wanted,
    )


def _reading(chain: Sequence[CodeKey], called: Called, sources: Sources) -> list[tuple[ast.AST, Mapping[str, object]]]:
    """The functions of the chain and those that they call, with the names of their modules."""
    nodes = [(node, key.module) for key in chain if (node := sources.node_of(key)) is not None]
    return [(node, loaded_dict(module)) for node, module in (*nodes, *((node, key.module) for key, node in called))]


def usual_on_path(subject: CrashSubject, factory: Factory) -> UsualTypes:
    """What the parameters of the subject's callables usually take."""
    sessions, names = subject.requests + subject.examples.sessions, NameChain(subject.api, factory.entry)
    return usual_in(sessions, subject.path[1], names, factory.names, subject.used.hints)


def needed_by(factory: Factory, classes: Sequence[type] = ()) -> tuple[Callee, ...]:
    """What a test has to call to come to the target: the entries, and what makes their owners and ``classes``."""
    owners = dict.fromkeys((*(entry.owner for entry in factory.entry if entry.owner is not None), *classes))
    makers = [maker for owner in owners for maker in factory.constructors_of(ClassHint(owner))]
    return tuple(dict.fromkeys((*factory.entry, *makers)))


def _fields(
    start: Start,
    functions: Sequence[ast.AST],
    called: Called,
    keys: Sequence[Plain],
    named: Mapping[str, list[Plain]],
    filled: Filled,
) -> Fields:
    if not start.settings.search.uses(Mechanism.TEXTS):
        return {}
    return fields_for([*functions, *(node for _, node in called)], _modules(start, called), named, _told(start, keys, filled))


def _lines(start: Start, functions: Sequence[ast.AST], called: Called, named: Mapping[str, list[Plain]]) -> tuple[str, ...]:
    if not start.settings.search.uses(Mechanism.TEXTS):
        return ()
    rng = random.Random(start.settings.search.seed)
    return kinds_for([*functions, *(node for _, node in called)], _modules(start, called), named, rng)


def _matched(start: Start, functions: Sequence[ast.AST], called: Called, known: KnownValues) -> list[tuple[str, ...]]:
    if not start.settings.search.uses(Mechanism.TEXTS):
        return []
    rng = random.Random(start.settings.search.seed)
    return groups_for([*functions, *(node for _, node in called)], _modules(start, called), known, rng)


def _modules(start: Start, called: Called) -> list[str]:
    """The names of those that the path goes through, and what it calls."""
    return list(dict.fromkeys((*(frame.key.module for frame in start.target.package_frames), *(key.module for key, _ in called))))


def _filled(start: Start, modules: Sequence[ast.AST], sources: Sources) -> Filled:
    """As the path's modules write it, that in which it crashed, or that of the exception's class."""
    if not start.settings.search.uses(Mechanism.TEXTS):
        return NOT_FILLED
    named = (start.target.frames[-1].key.module, start.target.exception.rpartition(".")[0])
    others = [found.tree for name in named if not isinstance(found := sources.of_module(name), Unknown)]
    nodes = [*modules, *(one for one in others if one not in modules)]
    return filled_in(nodes, start.target.message)


def _told(start: Start, keys: Sequence[Plain], filled: Filled) -> list[str]:
    """What the message quotes or was put together of, and what is looked up in tables."""
    quoted = [value for value in message_values(start.target.message) if type(value) is str and value]
    said = list(dict.fromkeys((*quoted, *filled.said)))
    return [*said[:MOST_SAID], *(key for key in keys if type(key) is str and key not in said)][:MOST_TOLD]


def _samples(
    start: Start,
    path: tuple[list[ast.AST], list[ast.AST]],
    called: Called,
    keys: Sequence[Plain],
    named: Mapping[str, list[Plain]],
    kinds: Sequence[str],
    filled: Filled,
) -> list[Sample]:
    search, target = start.settings.search, start.target
    if not search.uses(Mechanism.TEXTS):
        return []
    modules = [frame.key.module for frame in target.package_frames if belongs(frame.key.module, target.package)]
    top = target.package.partition(".")[0]
    lines = {frame.line for frame in target.package_frames}
    beside = Beside(tuple(node for _, node in called), tuple(dict.fromkeys(key.module for key, _ in called)))
    told = _told(start, keys, filled)
    return samples_for(
        *path, list(dict.fromkeys(modules)), top, random.Random(search.seed), told, lines, beside, named=named, apart=kinds
    )


def _bodies(reading: Sequence[tuple[ast.AST, Mapping[str, object]]], own: int) -> list[str]:
    """What functions read of a document, as source; first what the ``own`` first of them do."""
    known = known_values([namespace for _, namespace in reading], keys_by_name(reading))
    return list(bodies(records_in([node for node, _ in reading], own), known, MOST_BODIES))


def blocking(subject: CrashSubject, clear: Callable[[], None], pool: SeedPool) -> BlockerProbes:
    """What finds what blocks the way, and gives its constants to the seeds. ``clear`` forgets what was redefined: that was us."""
    target = subject.start.target
    return BlockerProbes(
        subject.recorder,
        subject.sources,
        target.package.partition(".")[0],
        [frame.key for frame in guiding_frames(target)],
        lambda node: add_constants(pool, node, ON_PATH, "a constant of what stops the tests"),
        clear,
        subject.writers.places,
    )


def granted_names(target: CrashTarget) -> Iterator[str]:
    """The names that a test of this crash may use though they are private: those of the report's outermost package frame."""
    key = target.package_frames[0].key
    for address in (key.module, key.qualname, target.exception):
        yield from address.split(".")
