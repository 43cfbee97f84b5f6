"""Objects that hold themselves or each other: what endless recursion mostly runs in. One more edit of a test, asked for by name."""

from __future__ import annotations

import dis
from collections.abc import Set as AbstractSet
from random import Random
from types import FunctionType

from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.subject.introspection import class_dict, class_mro
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.statements import Arguments, Display, Ref, Statement, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.typed import type_of
from crashwright.engine.testcase.variables import defined

ITSELF = 0.6
"""How often an object is put into itself and not into another one."""
IN_A_LIST, IN_A_DICT = 0.25, 0.15
"""How often an attribute is given a list, or a dict, that holds the object, and not the object."""
_BUILTIN = frozenset({list, dict})
_NO_METHODS = frozenset({CalleeKind.PROPERTY, CalleeKind.CLASS})


def close_circle(test: TestCase, factory: Factory, rng: Random, on_path: AbstractSet[str]) -> TestCase:
    """``test`` with a statement that puts an object into itself or into another one, somewhere before its last statement; ``test``
    itself where it has no object for that. Attributes and methods named in ``on_path`` are preferred."""
    statements = test.statements
    classes = [type_of(statement, factory.observed) for statement in statements[:-1]]
    holders = [number for number, cls in enumerate(classes) if cls is not None and (cls in _BUILTIN or factory.is_own(cls))]
    if not holders:
        return test
    index = holders[int(rng.random() * len(holders))]
    position = index + 1 + int(rng.random() * (len(statements) - 1 - index))
    held = index if rng.random() < ITSELF else holders[int(rng.random() * sum(number < position for number in holders))]
    holder, other, cls = defined(statements[index]), defined(statements[held]), classes[index]
    if holder is None or other is None or cls is None:
        return test
    before = list(statements[:position])
    if cls is list:
        before.append(_method(factory, holder, "append", Arguments((other,)), list))
    elif cls is dict:
        key = _key(before, statements[index], factory, rng)
        before.append(st.SetItem(holder, key, other))
    elif not _into_own(before, (holder, other), cls, factory, rng, on_path):
        return test
    linked = TestCase((*before, *statements[position:]))
    return linked if len(linked.statements) <= factory.max_length else test


def _key(before: list[Statement], holder: Statement, factory: Factory, rng: Random) -> Variable:
    """A key that the dict has, or another one."""
    value = holder.value if type(holder) is st.Literal else None
    keys = [item[0] for item in value.items if type(item) is tuple] if type(value) is Display else []
    if keys and rng.random() < 0.5:
        return factory.literal(before, keys[int(rng.random() * len(keys))])
    return factory.argument(before, ClassHint(str), rng, 2, "key")


def _into_own(
    before: list[Statement],
    link: tuple[Variable, Variable],
    cls: type,
    factory: Factory,
    rng: Random,
    on_path: AbstractSet[str],
) -> bool:
    """Puts an object into one of the subject's own: by an attribute that its class sets, or by a method that takes an argument.
    False where it has neither."""
    holder, other = link
    methods = [callee for callee in factory.methods_of(cls) if _takes_one(callee) and callee not in factory.entry_set]
    ways: list[str | Callee] = [*attributes_set(cls), *methods]
    preferred = [way for way in ways if (way if isinstance(way, str) else way.name) in on_path]
    if preferred and rng.random() < 0.7:
        ways = preferred
    if not ways:
        return False
    way = ways[int(rng.random() * len(ways))]
    if isinstance(way, str):
        roll = rng.random()
        if roll < IN_A_LIST:
            other = factory.literal(before, Display("list", (Ref(other),)))
        elif roll < IN_A_LIST + IN_A_DICT:
            other = factory.literal(before, Display("dict", ((factory.value(before, ClassHint(str), rng, 2), Ref(other)),)))
        before.append(st.SetAttribute(holder, way, other))
        return True
    given = factory.arguments(before, way, rng, 1)
    place = int(rng.random() * max(1, len(given.positional)))
    arguments = given._replace(positional=(*given.positional[:place], other, *given.positional[place + 1 :]))
    before.append(st.MethodCall(factory.new(), holder, way.name, arguments, way))
    return True


def _takes_one(callee: Callee) -> bool:
    return callee.kind not in _NO_METHODS and not callee.private and not callee.name.startswith("__") and bool(callee.parameters)


def _method(factory: Factory, receiver: Variable, name: str, arguments: Arguments, cls: type) -> st.MethodCall:
    callee = next((one for one in factory.methods_of(cls) if one.name == name), None)
    return st.MethodCall(factory.new(), receiver, name, arguments, callee)


def attributes_set(cls: type) -> tuple[str, ...]:
    """The public attributes that the initialisers of a class and of its bases set, in order, and those that the classes have None
    for."""
    stored: list[object] = []
    for part in class_mro(cls):
        own = class_dict(part)
        initialiser = own.get("__init__")
        if type(initialiser) is FunctionType:
            stored += [one.argval for one in dis.get_instructions(initialiser) if one.opname == "STORE_ATTR"]
        stored += [name for name, value in own.items() if value is None]
    return tuple(dict.fromkeys(name for name in stored if isinstance(name, str) and not name.startswith("_")))
