"""Values for parameters of which the code says what they have to look like: ``date.fromisoformat(day)`` wants no other text, and
``order["lines"]`` a record with lines (``subject.usage.shapes``)."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.types import NONE, accepts, is_any
from crashwright.engine.subject.source import Sources
from crashwright.engine.subject.usage.shapes import looks_of_parameters, records_of_parameters
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
) -> None:
    """Let ``factory`` pass what the parameters of ``callables`` are turned into something from, and records with the keys that are
    asked of them, by them or by the functions ``beside`` them that they hand it to. ``known`` and ``said`` as for documents."""
    for callee in callables:
        own = [node for key in sorted(api.keys_of(callee)) if (node := sources.node_of(key)) is not None]
        hints = {one.name: one.hint for one in callee.parameters}
        for name, value in _values(own, [*own, *(node for node in beside if node not in own)], known, said) if own else ():
            hint, cls = hints.get(name, NONE), class_of_value(value)
            if is_any(hint) or (cls is not None and accepts(hint, cls)):
                factory.shaped.learn(callee, name, (Literal(factory.new(), value),))


def _values(own: Sequence[ast.AST], functions: Sequence[ast.AST], known: Known, said: Sequence[str]) -> Iterator[tuple[str, Value]]:
    looks, records = looks_of_parameters(functions), records_of_parameters(functions)
    for node in own:
        for name, values in looks.get(id(node), {}).items():
            yield from ((name, value) for value in values)
        for name, shape in records.get(id(node), {}).items():
            yield from ((name, value) for value in records_like(shape, known, said))
