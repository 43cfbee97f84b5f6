"""Names of types, and what is known of the builtin ones.

A builtin type is named by its name (``int``, ``NoneType``), with its parts where they are known (``list[int]``, ``dict[str, int]``,
``tuple[int, ...]``); any other ``module:qualname``. ``UNKNOWN`` in a set says that it may be anything else too.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence

Types = frozenset[str]
UNKNOWN = "unknown"
ANYTHING: Types = frozenset({UNKNOWN})
NONE = "NoneType"
BUILTIN = frozenset(
    "int float complex bool str bytes bytearray list tuple set frozenset dict object type range slice BaseException".split()
)
_NUMBERS = ("bool", "int", "float", "complex")
_GENERIC = {"List": "list", "Dict": "dict", "Set": "set", "FrozenSet": "frozenset", "Tuple": "tuple", "Text": "str", "Type": "type"}
_TYPING = frozenset({"typing", "typing_extensions", "t", "tp", "collections.abc"})
_SAME_TEXT = (
    "capitalize casefold center expandtabs format join ljust lower lstrip replace rjust rstrip strip swapcase title translate "
    "upper zfill removeprefix removesuffix"
)
_TESTS_OF_TEXT = (
    "startswith endswith isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle "
    "isupper"
)
_TEXT_RESULTS = {
    **dict.fromkeys(_SAME_TEXT.split(), "str"),
    **dict.fromkeys("split rsplit splitlines".split(), "list[str]"),
    **dict.fromkeys("partition rpartition".split(), "tuple[str, str, str]"),
    **dict.fromkeys("count find index rfind rindex".split(), "int"),
    **dict.fromkeys(_TESTS_OF_TEXT.split(), "bool"),
    "encode": "bytes",
}
_RESULTS: Mapping[str, Mapping[str, str]] = {
    "str": _TEXT_RESULTS,
    "bytes": {
        **{name: result.replace("str", "bytes") for name, result in _TEXT_RESULTS.items() if name != "encode"},
        "decode": "str",
        "hex": "str",
    },
    "list": {
        **dict.fromkeys("append extend insert remove clear sort reverse".split(), NONE),
        **dict.fromkeys("index count".split(), "int"),
    },
    "tuple": dict.fromkeys("index count".split(), "int"),
    "dict": dict.fromkeys("update clear".split(), NONE),
    "set": dict.fromkeys("add discard remove clear update".split(), NONE),
}
FUNCTION_RESULTS: Mapping[str, str] = {
    "len": "int", "ord": "int", "hash": "int", "id": "int", "chr": "str", "repr": "str", "ascii": "str", "hex": "str", "oct": "str",
    "bin": "str", "format": "str", "input": "str", "isinstance": "bool", "issubclass": "bool", "callable": "bool", "hasattr":
    "bool", "any": "bool", "all": "bool", "sorted": "list", "dir": "list[str]", "print": NONE, "setattr": NONE, "delattr": NONE,
    "range": "range",
}  # fmt: skip
"""What builtin functions give, where it is always the same."""


def stem(name: str) -> str:
    """``list`` of ``list[int]``."""
    return name.partition("[")[0]


def parts_of(name: str) -> list[str]:
    """``str`` and ``int`` of ``dict[str, int]``."""
    parts: list[str] = []
    depth = 0
    start = name.find("[") + 1
    if not start:
        return []
    for place, letter in enumerate(name[start:-1], start):
        depth += (letter == "[") - (letter == "]")
        if letter == "," and not depth:
            parts.append(name[start:place].strip())
            start = place + 1
    return [*parts, name[start:-1].strip()]


def with_part(name: str, part: Types) -> str:
    """A container whose parts have one known type."""
    return f"{name}[{next(iter(part))}]" if len(part) == 1 and UNKNOWN not in part else name


def of_display(kind: str, has_starred: bool, operands: Sequence[Types]) -> Types:
    """A list, tuple, set, dictionary or generator that is written with these operands."""
    if kind == "generator" or has_starred or not operands:
        return frozenset({kind})
    if kind == "dict":
        key, value = frozenset().union(*operands[::2]), frozenset().union(*operands[1::2])
        is_known = len(key) == len(value) == 1 and UNKNOWN not in key | value
        return frozenset({f"dict[{next(iter(key))}, {next(iter(value))}]" if is_known else "dict"})
    if kind == "tuple":
        is_known = all(len(one) == 1 and UNKNOWN not in one for one in operands)
        return frozenset({f"tuple[{', '.join(next(iter(one)) for one in operands)}]" if is_known else "tuple"})
    return frozenset({with_part(kind, frozenset().union(*operands))})


def element_of(name: str, place: int | None = None) -> Types:
    """What going through an object of a type gives, or what is at a place of it."""
    base, parts = stem(name), parts_of(name)
    if base == "str":
        return frozenset({"str"})
    if base in ("bytes", "bytearray", "range"):
        return frozenset({"int"})
    if base == "tuple" and parts:
        if parts[-1] == "...":
            return frozenset(parts[:1])
        return frozenset(parts) if place is None else frozenset(parts[place : place + 1 or None]) or ANYTHING
    if base in ("list", "set", "frozenset", "dict", "iterator") and parts:
        return frozenset(parts[:1])
    return ANYTHING


def value_of(name: str) -> Types:
    """What an object of a type gives for a key."""
    if stem(name) == "dict":
        return frozenset(parts_of(name)[1:]) or ANYTHING
    return element_of(name) if stem(name) in ("str", "bytes", "bytearray", "range", "list", "tuple") else ANYTHING


def method_result(receiver: str, method: str) -> Types:
    """What a method of a builtin type gives."""
    base = stem(receiver)
    found = _RESULTS.get(base, {}).get(method)
    if found is not None:
        return frozenset({found})
    if method == "copy" and base in ("list", "dict", "set"):
        return frozenset({receiver})
    if base == "list" and method == "pop":
        return element_of(receiver)
    if base == "dict" and method in ("keys", "values", "items") and len(parts_of(receiver)) == 2:
        key, value = parts_of(receiver)
        return frozenset({f"iterator[{ {'keys': key, 'values': value}.get(method, f'tuple[{key}, {value}]') }]"})
    if base == "dict" and method == "get":
        return value_of(receiver) | {NONE}
    return ANYTHING


def of_sign(name: str) -> Types:
    """What ``-``, ``+`` and ``~`` give."""
    return frozenset({"int" if name == "bool" else name}) if name in _NUMBERS else ANYTHING


def of_operator(operator: str, left: Types, right: Types) -> Types:
    """What an operator gives for any two of the types."""
    return frozenset().union(*[_operated(operator, stem(one), stem(other), one) for one in left for other in right])


def _operated(operator: str, left: str, right: str, whole: str) -> Types:
    """Of two builtin types."""
    if left in _NUMBERS and right in _NUMBERS:
        if operator in ("&", "|", "^") and left == right == "bool":
            return frozenset({"bool"})
        if operator == "**":
            return ANYTHING
        wider = _NUMBERS[max(_NUMBERS.index(left), _NUMBERS.index(right), 1)]
        return frozenset({"float" if operator == "/" and wider == "int" else wider})
    if operator == "%" and left in ("str", "bytes"):
        return frozenset({left})
    if operator == "+" and left == right and left in ("str", "bytes", "list", "tuple"):
        return frozenset({left})
    if operator == "*" and right in ("int", "bool") and left in ("str", "bytes", "list"):
        return frozenset({whole})
    if operator == "*" and left in ("int", "bool") and right in ("str", "bytes", "list"):
        return frozenset({right})
    if operator in ("|", "&", "-", "^") and left == right == "set":
        return frozenset({"set"})
    return ANYTHING


def constant_type(value: object) -> str:
    if isinstance(value, tuple):
        parts = [constant_type(one) for one in value]
        return f"tuple[{', '.join(parts)}]" if parts else "tuple"
    return type(value).__name__


def annotated(text: str, resolve: Callable[[str], str | None]) -> Types:
    """The types that an annotation allows. ``resolve`` says what a dotted name is, None if that cannot be known."""
    if not text:
        return ANYTHING
    try:
        return _allowed(ast.parse(text, mode="eval").body, resolve)
    except (SyntaxError, ValueError, RecursionError):
        return ANYTHING


def _allowed(node: ast.expr, resolve: Callable[[str], str | None]) -> Types:
    if isinstance(node, ast.Constant):
        if node.value is None:
            return frozenset({NONE})
        return annotated(node.value, resolve) if isinstance(node.value, str) else ANYTHING
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _allowed(node.left, resolve) | _allowed(node.right, resolve)
    if isinstance(node, ast.Subscript):
        return _parameterised(node, resolve)
    if isinstance(node, (ast.Name, ast.Attribute)):
        text = ast.unparse(node)
        name = _untyped(text)
        name = _GENERIC.get(name, name)
        if name in BUILTIN - {"object"}:
            return frozenset({name})
        return frozenset({resolve(text) or UNKNOWN})
    return ANYTHING


def _parameterised(node: ast.Subscript, resolve: Callable[[str], str | None]) -> Types:
    name = _untyped(ast.unparse(node.value))
    inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if name == "Optional":
        return _allowed(inner[0], resolve) | {NONE}
    if name == "Union":
        return frozenset().union(*[_allowed(one, resolve) for one in inner])
    if name in ("Final", "ClassVar", "Annotated", "Required", "NotRequired"):
        return _allowed(inner[0], resolve)
    if name == "Literal":
        return frozenset([constant_type(one.value) for one in inner if isinstance(one, ast.Constant)]) or ANYTHING
    name = _GENERIC.get(name, name)
    if name not in BUILTIN:
        return _allowed(node.value, resolve)
    parts = ["..." if isinstance(one, ast.Constant) and one.value is ... else _one(_allowed(one, resolve)) for one in inner]
    return frozenset({f"{name}[{', '.join(parts)}]" if UNKNOWN not in parts else name})


def _one(types: Types) -> str:
    return next(iter(types)) if len(types) == 1 else UNKNOWN


def _untyped(text: str) -> str:
    first, _, last = text.rpartition(".")
    return last if first in _TYPING else text
