"""Values for parameters of which the code says what they have to look like: ``date.fromisoformat(day)`` wants no other text, and
``order["lines"]`` a record with lines (``subject.usage.shapes``)."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from crashwright.engine.sources.values.wanted_types import WantedTypes
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.types import NONE, accepts, is_any
from crashwright.engine.subject.source import Sources
from crashwright.engine.subject.usage.read_records import Reading
from crashwright.engine.subject.usage.shapes import Shape
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.samples.keyed import records_like
from crashwright.engine.testcase.samples.lined import Known
from crashwright.engine.testcase.seeds import class_of_value
from crashwright.engine.testcase.statements import Literal, Value


def learn_looks(
    factory: Factory,
    callables: Iterable[Callee],
    beside: Sequence[ast.AST],
    api: ApiModel,
    sources: Sources,
    known: Known,
    said: Sequence[str] = (),
    wanted: WantedTypes | None = None,
) -> None:
    """Let ``factory`` pass what the parameters of ``callables`` are turned into something from, and records with the keys that are
    asked of them: by them, by the functions ``beside`` them that they hand it to, and, as far as that is ``wanted``, by all others.
    ``known`` and ``said`` as for documents."""
    own = {callee: _functions(callee, api, sources) for callee in callables}
    reading = Reading(list(dict.fromkeys((*(node for nodes in own.values() for node in nodes), *beside))))
    for callee, nodes in own.items():
        hints = {one.name: one.hint for one in callee.parameters}
        records = {} if wanted is None else dict(wanted.records(callee))
        for name, value in _values(nodes, reading, records, known, said):
            hint, cls = hints.get(name, NONE), class_of_value(value)
            if is_any(hint) or (cls is not None and accepts(hint, cls)):
                factory.shaped.learn(callee, name, (Literal(factory.new(), value),))


def _functions(callee: Callee, api: ApiModel, sources: Sources) -> list[ast.AST]:
    return [node for key in sorted(api.keys_of(callee)) if (node := sources.node_of(key)) is not None]


def _values(
    functions: Sequence[ast.AST], reading: Reading, records: dict[str, Shape], known: Known, said: Sequence[str]
) -> Iterator[tuple[str, Value]]:
    for function in functions:
        for name, values in reading.looks(function).items():
            yield from ((name, value) for value in values)
        for name, shape in reading.parameters(function).items():
            if name in records:
                shape.absorb(records.pop(name))
            yield from ((name, value) for value in records_like(shape, known, said))
    for name, shape in records.items():
        yield from ((name, value) for value in records_like(shape, known, said))
