"""What the catalogue knows of the callables that tests may call: method, no-exception, exception and output goals are theirs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from crashwright.core.location import CodeKey
from crashwright.engine.goals.coverage.output import declared_outputs
from crashwright.engine.subject.api.api import CONSTRUCTING, ApiModel
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.api.code_index import key_of
from crashwright.engine.subject.introspection import class_dict, class_mro, is_class
from crashwright.engine.subject.layers import layers_of


class CallableFacts(NamedTuple):
    """A callable under its public name, decorated or not. ``keys`` are the codes that calling it runs, the wrappers of decorators
    among them; ``outputs`` the classes of values that its annotation promises. ``makes_instance``: a class, of whose instances no
    output goals are made."""

    address: str
    qualname: str
    line: int = 0
    keys: tuple[CodeKey, ...] = ()
    outputs: tuple[str, ...] = ()
    makes_instance: bool = False


def facts_of(callees: Iterable[Callee], api: ApiModel) -> tuple[CallableFacts, ...]:
    """The facts of these callables of a module, in their order."""
    return tuple(_facts(callee, api) for callee in callees)


def _facts(callee: Callee, api: ApiModel) -> CallableFacts:
    makes = callee.kind is CalleeKind.CLASS
    keys = set(api.keys_of(callee))
    if makes and is_class(callee.live):
        keys |= frozenset(_constructing(callee.live))
    # What a generator promises is not what it gives.
    plain = not (makes or callee.is_generator)
    return CallableFacts(
        callee.address,
        callee.qualname,
        min((key.first_line for key in keys), default=0),
        tuple(sorted(keys)),
        declared_outputs(callee.returns) if plain else (),
        makes,
    )


def _constructing(cls: type) -> Iterator[CodeKey]:
    for parent in class_mro(cls):
        for name in sorted(CONSTRUCTING & class_dict(parent).keys()):
            for function in layers_of(class_dict(parent)[name]):
                yield key_of(function)


def wrapper_keys(callables: Collection[CallableFacts]) -> frozenset[CodeKey]:
    """The codes that stand between a public name and the function it names: those of functions made by decorators. A nested
    function that is all there is to call is none."""
    found: set[CodeKey] = set()
    for facts in callables:
        nested = {key for key in facts.keys if "<locals>" in key.qualname}
        if len(nested) < len(facts.keys):
            found |= nested
    return frozenset(found)
