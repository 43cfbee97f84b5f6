"""Random literals for a hint, and the typed mutation of every kind of literal."""

# ruff: noqa: ARG001, ARG005 (all makers and mutators have one signature)
from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable
from random import Random

from crashwright.engine.subject.api.types import ANY, VARIADIC, ChoiceHint, ClassHint, Hint, UnionHint
from crashwright.engine.testcase.making.casting import cast_value
from crashwright.engine.testcase.making.displays import hashable, mutate_display, random_size
from crashwright.engine.testcase.making.numeric import mutate_complex, mutate_float, mutate_int, random_float, random_int
from crashwright.engine.testcase.making.text import mutate_bytes, mutate_text, random_bytes, random_text
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Display, Ref, Value

_DEEPEST = 3
_ALIKE = 0.6  # how often the elements of a container are of one type where any will do, for a suite
_ELEMENTS = (int, int, int, str, str, float)
_KINDS: dict[type, str] = {
    list: "list",
    tuple: "tuple",
    set: "set",
    frozenset: "frozenset",
    dict: "dict",
    defaultdict: "dict",
    OrderedDict: "dict",
}
SCALARS: frozenset[type] = frozenset({type(None), bool, int, float, complex, str, bytes})
VALUE_TYPES: frozenset[type] = SCALARS | frozenset({list, tuple, set, frozenset, dict, bytearray})


def random_value(rng: Random, hint: Hint, pool: SeedPool, depth: int = 0) -> Value:
    """A literal for ``hint``: any kind of literal where the hint asks for none of the literal types (see ``VALUE_TYPES``)."""
    kind = type(hint)
    if kind is UnionHint:
        return random_value(rng, hint.members[int(rng.random() * len(hint.members))], pool, depth)  # type: ignore[union-attr]
    if kind is ChoiceHint:
        value = hint.values[int(rng.random() * len(hint.values))]  # type: ignore[union-attr]
        return value if type(value) in SCALARS else None  # type: ignore[return-value]
    if kind is not ClassHint:
        return any_value(rng, pool, depth)
    cls, arguments = hint  # type: ignore[misc]
    maker = _MAKERS.get(cls)
    if maker is not None:
        return maker(rng, pool)
    container = _KINDS.get(cls)
    return any_value(rng, pool, depth) if container is None else random_display(rng, container, arguments, pool, depth)


def any_value(rng: Random, pool: SeedPool, depth: int = 0) -> Value:
    """Any kind of literal; strings and numbers most often."""
    random = rng.random
    roll = random()
    if roll < 0.4:
        return random_text(rng, pool)
    if roll < 0.62:
        return random_int(rng, pool)
    if roll < 0.72:
        return None
    if roll < 0.78:
        return random() < 0.5
    if roll < 0.84:
        return random_float(rng, pool)
    if roll < 0.88:
        return random_bytes(rng, pool)
    if depth >= _DEEPEST:
        return ""
    kind = ("list", "list", "dict", "dict", "tuple", "set")[int(random() * 6)]
    return random_display(rng, kind, (), pool, depth)


def random_display(rng: Random, kind: str, arguments: tuple[Hint, ...], pool: SeedPool, depth: int = 0) -> Display:
    """A container whose elements obey ``arguments`` (as in ``list[int]``, ``dict[str, int]``, ``tuple[int, str]``)."""
    deeper = depth + 1
    if kind == "tuple" and arguments and arguments[-1] != VARIADIC:
        return Display(kind, tuple([random_value(rng, hint, pool, deeper) for hint in arguments]))
    size = random_size(rng) if depth < _DEEPEST else 0
    first = arguments[0] if arguments else ANY
    if kind == "dict":
        second = arguments[1] if len(arguments) > 1 else ANY
        keys = arguments[0] if arguments else ClassHint(str)
        pairs = [(_hashable(rng, keys, pool, deeper), random_value(rng, second, pool, deeper)) for _ in range(size)]
        return Display(kind, tuple(pairs))
    if pool.varied and first == ANY and size > 1 and rng.random() < _ALIKE:
        first = ClassHint(_ELEMENTS[int(rng.random() * len(_ELEMENTS))])
    if kind in ("set", "frozenset"):
        return Display(kind, tuple([_hashable(rng, first, pool, deeper) for _ in range(size)]))
    return Display(kind, tuple([random_value(rng, first, pool, deeper) for _ in range(size)]))


def mutate_value(rng: Random, value: Value, pool: SeedPool) -> Value:
    """Another literal, mostly of the same type: now and then None or a value of any type, unless the pool is ``legal``. References
    stay as they are."""
    mutator = _MUTATORS.get(type(value))
    if mutator is None:
        return value
    roll = rng.random()
    if not pool.legal:
        if roll < 0.03 and value is not None:
            return None if roll < 0.015 else any_value(rng, pool)
        if roll < 0.08:
            return cast_value(rng, value)
    return mutator(rng, value, pool)


def _hashable(rng: Random, hint: Hint, pool: SeedPool, depth: int) -> Value:
    value = random_value(rng, hint, pool, depth)
    return value if hashable(value) else random_text(rng, pool)


def _random_bool(rng: Random, pool: SeedPool) -> Value:
    return rng.random() < 0.5


def _mutate_none(rng: Random, value: Value, pool: SeedPool) -> Value:
    return any_value(rng, pool)


def _mutate_bool(rng: Random, value: Value, pool: SeedPool) -> Value:
    return not value


def _mutate_display(rng: Random, value: Display, pool: SeedPool) -> Value:
    if rng.random() < 0.1:
        seed = pool.draw(rng, _CLASSES[value.kind])
        if seed is not None:
            return seed
    return mutate_display(rng, value, pool, any_value, mutate_value)


def _random_bytearray(rng: Random, pool: SeedPool) -> Value:
    return Display("bytearray", (random_bytes(rng, pool),))


def _random_complex(rng: Random, pool: SeedPool) -> Value:
    return complex(random_float(rng, pool), random_float(rng, pool) if rng.random() < 0.7 else 0.0)


def _keep(rng: Random, value: Value, pool: SeedPool) -> Value:
    return value


_CLASSES: dict[str, type] = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset, "dict": dict, "bytearray": bytearray}
_MAKERS: dict[type, Callable[[Random, SeedPool], Value]] = {
    type(None): lambda rng, pool: None,
    bool: _random_bool,
    int: random_int,
    float: random_float,
    complex: _random_complex,
    str: random_text,
    bytes: random_bytes,
    bytearray: _random_bytearray,
}
_MUTATORS: dict[type, Callable[..., Value]] = {
    type(None): _mutate_none,
    bool: _mutate_bool,
    int: mutate_int,
    float: mutate_float,
    complex: mutate_complex,
    str: mutate_text,
    bytes: mutate_bytes,
    Display: _mutate_display,
    Ref: _keep,
}
