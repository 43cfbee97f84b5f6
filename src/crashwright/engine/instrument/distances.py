"""Branch distances (Korel; Tracey et al. for the side not taken): how far operands are from the other outcome of a comparison.

Only operands of exact built-in types are measured (and Decimal and Fraction), because nothing here may run code of the subject;
of anything else only the outcome is known: ``OPAQUE``. The caller knows the outcome, so every distance is that of the side not
taken and above zero; it is infinite only where an operand is infinite or no number. Operands are ``Any`` where their exact type is
looked at first, through a name, which no type checker follows and which costs least.
"""

from __future__ import annotations

import sys
from itertools import islice
from types import ModuleType, NoneType
from typing import Any

from crashwright.engine.instrument import text_distances
from crashwright.engine.instrument.trace import INFINITE
from crashwright.engine.subject.flow.conditions import CHARACTER_TESTS
from crashwright.engine.subject.introspection import MODULES

OPAQUE = 1.0
MISMATCH = 65536.0
"""Of built-in values that can never be equal because of their types: worse than any likely difference within one type."""
LARGEST = sys.float_info.max
LARGEST_INT = int(LARGEST)
ITEMS = 16
DEPTH = 3
UNMEASURED = -1.0


def _is_number(kind: type) -> bool:
    # `is`, or a set only where the metaclass is `type`: looking a class up in a set runs the __hash__ of its metaclass.
    return kind is int or kind is float or kind is bool


def _is_text(kind: type) -> bool:
    return kind is str or kind is bytes


_BUILTINS = frozenset({int, float, bool, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, NoneType})
_SIZED = frozenset({str, bytes, bytearray, list, tuple, dict, set, frozenset})


def is_builtin(kind: type) -> bool:
    """Whether values of exactly this type can be measured and asked without running code of the subject."""
    return type(kind) is type and kind in _BUILTINS


def gap(left: float, right: float) -> float:
    """``abs(left - right)`` of exact int, float or bool; above zero wherever they differ."""
    try:
        distance = left - right
    except OverflowError:  # an int that no float can hold
        return INFINITE if left in (INFINITE, -INFINITE) or right in (INFINITE, -INFINITE) else LARGEST
    if distance < 0:
        distance = -distance
    if distance <= LARGEST:
        return distance if distance or left == right else 1.0  # an int and a float may differ by less than floats show
    if distance != distance or left in (INFINITE, -INFINITE) or right in (INFINITE, -INFINITE):
        return INFINITE
    return LARGEST


def separation(left: Any, right: Any) -> float:
    """How far apart two ordered values are; ``UNMEASURED`` where that cannot be told."""
    first, second = type(left), type(right)
    if _is_number(first) and _is_number(second):
        return gap(left, right)
    if first is second and _is_text(first):
        return text_distances.separation(left, right)
    return _exact_gap(left, right)


def to_equal_or_less(left: object, right: object) -> float:
    """To the side that begins at equality: from ``left > right`` to ``left <= right``, and its like."""
    distance = separation(left, right)
    return distance if distance > 0 else OPAQUE


def beyond_equal(left: object, right: object) -> float:
    """To the side that begins beyond equality: from ``left >= right`` to ``left < right``, and its like."""
    distance = separation(left, right)
    return distance + 1.0 if distance >= 0 else OPAQUE


def _ratio(value: Any) -> tuple[int, int] | None:
    """A finite number as numerator and denominator; None where it is none, or not of an exact known type."""
    kind = type(value)
    if kind is int or kind is bool:
        return int(value), 1
    if kind is float:
        return value.as_integer_ratio() if value - value == 0 else None
    if kind is _standard_class("fractions", "Fraction"):
        # The slots, not the properties: those are Python code, and may carry probes themselves.
        numerator, denominator = value._numerator, value._denominator
        return (numerator, denominator) if type(numerator) is int and type(denominator) is int else None
    if kind is _standard_class("_decimal", "Decimal"):
        sign, digits, exponent = value.as_tuple()
        if type(exponent) is not int or abs(exponent) > 400:
            return None
        number = int("".join(map(str, digits[:400]))) if len(digits) <= 400 else 0
        number = -number if sign else number
        return (number * 10**exponent, 1) if exponent >= 0 else (number, 10**-exponent)
    return None


def _standard_class(module: str, name: str) -> object:
    found = MODULES.get(module)
    return found.__dict__.get(name) if type(found) is ModuleType else None


def _exact_gap(left: object, right: object) -> float:
    one, other = _ratio(left), _ratio(right)
    if one is None or other is None:
        return UNMEASURED
    numerator = abs(one[0] * other[1] - other[0] * one[1])
    try:
        distance = numerator / (one[1] * other[1])
    except OverflowError:
        return LARGEST
    return distance if distance or not numerator else sys.float_info.min


def to_equal(left: object, right: object) -> float:
    """From ``left != right`` to ``left == right``."""
    return _unlike(left, right, DEPTH) or OPAQUE


def _unlike(left: Any, right: Any, depth: int) -> float:
    """0 where the two are equal as far as can be told without asking them."""
    if left is right:
        return 0.0
    first, second = type(left), type(right)
    if _is_number(first) and _is_number(second):
        return gap(left, right)
    if first is not second:
        if is_builtin(first) and is_builtin(second):
            return MISMATCH
        distance = _exact_gap(left, right)
        return distance if distance >= 0 else OPAQUE
    if _is_text(first):
        return 0.0 if left == right else text_distances.difference(left, right)
    if depth and (first is list or first is tuple):
        return _unlike_items(left, right, depth)
    if depth and (first is set or first is frozenset):
        return _unlike_sets(left, right)
    if depth and first is dict:
        return _unlike_dicts(left, right, depth)
    distance = _exact_gap(left, right)
    return distance if distance >= 0 else OPAQUE


def _normalised(distance: float) -> float:
    return distance / (distance + 1.0) if distance <= LARGEST else 1.0


def _unlike_items(left: list[object] | tuple[object, ...], right: list[object] | tuple[object, ...], depth: int) -> float:
    pairs = zip(left[:ITEMS], right[:ITEMS], strict=False)
    return abs(len(left) - len(right)) + sum(_normalised(_unlike(one, other, depth - 1)) for one, other in pairs)


def _plain_items(items: Any) -> list[object] | None:
    """The items (keys) of a small container if all are strings, bytes or numbers, which hash without the subject; else None."""
    some = list(islice(items, 2 * ITEMS + 1))
    if len(some) > 2 * ITEMS or not all(_is_number(type(item)) or _is_text(type(item)) for item in some):
        return None
    return some


def _unlike_sets(left: set[object] | frozenset[object], right: set[object] | frozenset[object]) -> float:
    one, other = _plain_items(left), _plain_items(right)
    if one is None or other is None:
        return float(abs(len(left) - len(right))) or OPAQUE
    return float(len(set(one) ^ set(other)))


def _unlike_dicts(left: dict[object, object], right: dict[object, object], depth: int) -> float:
    one, other = _plain_items(left), _plain_items(right)
    if one is None or other is None:
        return float(abs(len(left) - len(right))) or OPAQUE
    shared = [key for key in one if key in right]
    return len(one) + len(other) - 2 * len(shared) + sum(_normalised(_unlike(left[key], right[key], depth - 1)) for key in shared)


def to_member(item: Any, items: Any) -> float:
    """From ``item not in items`` to ``item in items``."""
    kind = type(items)
    if kind is str or kind is bytes:
        return text_distances.containment(item, items) if type(item) is kind else OPAQUE
    if kind is list or kind is tuple or kind is dict or kind is set or kind is frozenset:
        nearest = min((to_equal(item, other) for other in list(islice(items, ITEMS))), default=MISMATCH)
        return float(nearest)
    if kind is range and items and type(item) is int:
        first, last = sorted((items[0], items[-1]))
        return gap(item, first) if item < first else gap(item, last) if item > last else OPAQUE
    return OPAQUE


def to_false(operand: Any) -> float:
    """From a true operand to a false one: the size of a number, the length of a container."""
    kind = type(operand)
    if type(kind) is type and kind in _SIZED:
        return float(len(operand)) or OPAQUE
    if _is_number(kind):
        return gap(operand, 0)
    return OPAQUE


def to_instance(instance: object, classes: object) -> float:
    """From no instance to an instance of ``classes``: nearer where the classes share a base."""
    kind = type(instance)
    if type(kind) is not type or type(classes) is not type:
        return OPAQUE
    bases = classes.__mro__[1:-1]
    return OPAQUE / 2 if any(base is other for base in bases for other in kind.__mro__) else OPAQUE


def to_affix(text: Any, affix: Any, at_start: bool) -> float:
    """To ``text.startswith(affix)`` (or ``endswith``): the nearest of a tuple of them."""
    kind = type(text)
    if not _is_text(kind):
        return OPAQUE
    measure = text_distances.prefix if at_start else text_distances.suffix
    if type(affix) is kind:
        return measure(text, affix)
    if type(affix) is tuple:
        return min((measure(text, one) for one in affix[:ITEMS] if type(one) is kind), default=OPAQUE)
    return OPAQUE


def to_text_test(text: object, method: object) -> float:
    """To ``text.isdigit()`` and its kin."""
    if type(text) is str and type(method) is str and method in CHARACTER_TESTS:
        return text_distances.failing_share(text, method)
    return OPAQUE


def raised_matches(raised: type[BaseException], classes: object) -> bool | None:
    """Whether ``except classes`` takes an exception of this class, decided as the interpreter does; None if that is an error."""
    wanted = classes if type(classes) is tuple else (classes,)
    bases = type.__dict__["__mro__"].__get__(raised)
    if not all(issubclass(type(one), type) for one in wanted):
        return None
    return any(base is one for base in bases for one in wanted)
