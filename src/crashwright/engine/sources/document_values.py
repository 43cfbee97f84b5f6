"""Documents that have what the code asked of one, least by least: each with what it needs and one place more, with an odd value
there.

A user's configuration says little, and one word of it is wrong.

# Deviation: the papers' subjects read no files.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from types import FunctionType
from typing import NamedTuple, cast

from crashwright.core.message_rule import messages_agree
from crashwright.core.target import CrashTarget
from crashwright.engine.subject.introspection import class_module, class_name, loaded_dict
from crashwright.engine.testcase.making.demanded import FILLING
from crashwright.engine.testcase.making.demands import Demand, DemandKind
from crashwright.engine.testcase.samples.formats import FORMATS
from crashwright.engine.testcase.statements import Display, Scalar, Value

MOST_PLACES, MOST_DENIED = 40, 5
ODD: tuple[Value, ...] = (
    1,
    "text",
    None,
    Display("list", ("text",)),
    Display("dict", (("text", 1),)),
    "",
    True,
    Display("list", ()),
)
_KEY = re.compile(r"[A-Za-z][\w-]{1,30}")
_OPTION = re.compile(r"--([a-z][\w-]+)")


class DocumentPlace(NamedTuple):
    """Where in a document something is: by its keys; 0 is the first item of a list."""

    keys: tuple[Scalar, ...]

    @property
    def name(self) -> str:
        """The last of its keys, in the spelling of a variable."""
        return spelt(next((key for key in reversed(self.keys) if type(key) is str), ""))


def spelt(name: str) -> str:
    """As a variable."""
    return name.lower().replace("-", "_")


def places_of(demand: Demand, words: Sequence[str]) -> list[DocumentPlace]:
    """All that was asked for, what was asked last first; in mappings that were gone through and
    have no others in them, and in sections, which are asked in many ways, ``words``, too."""
    return [DocumentPlace(keys) for keys in _below(demand, (), words)][::-1][:MOST_PLACES]


def _below(demand: Demand, above: tuple[Scalar, ...], words: Sequence[str]) -> Iterator[tuple[Scalar, ...]]:
    for (_, key), one in demand.keys.items():
        if not (demand.is_walked and words and key == FILLING and one.size() == 1):
            yield (*above, key)
            yield from _below(one, (*above, key), words)
    has_tables = any(one.kind is DemandKind.MAPPING for one in demand.keys.values())
    if (demand.is_walked and not has_tables) or demand.layout == (DemandKind.TEXT,):
        yield from ((*above, word) for word in reversed(words) if (str, word) not in demand.keys)
    for item in demand.items[:1]:
        yield (*above, 0)
        yield from _below(item, (*above, 0), words)


def least(demand: Demand, kept: Sequence[Scalar] = ()) -> Demand:
    """What is needed of ``demand``, and what is on the way to the place ``kept``, alone."""
    made = Demand(demand.name, demand.depth, demand.kind, demand.cls)
    made.wanted, made.width = dict(demand.wanted), demand.width
    for place, one in demand.keys.items():
        is_kept = bool(kept) and kept[0] == place[1]
        if is_kept or (place not in demand.optional and not (demand.is_walked and place[1] == FILLING)):
            made.keys[place] = least(one, kept[1:] if is_kept else ())
    made.items = [least(one, kept[1:]) for one in demand.items]
    return made


class DeniedKey(NamedTuple):
    """A key that a mapping has not got for once: what was asked before of all, when that was denied."""

    owner: Demand
    key: tuple[type, Scalar]
    size: int


def denies_more(demand: Demand, denied: list[DeniedKey]) -> bool:
    """Lets the mappings of ``demand`` lack one key more, the last one that was not tried: the program may go on without it, and ask
    for something else. If it did not, the key is there again. Whether there was one."""
    if denied and demand.size() == denied[-1].size:
        denied[-1].owner.absent.discard(denied[-1].key)
    elif denied:
        denied[-1].owner.optional.setdefault(denied[-1].key)
    tried = {(id(one.owner), one.key) for one in denied}
    for owner in [one for one in demand.nodes() if one.kind is DemandKind.MAPPING][::-1]:
        for key in reversed(owner.keys):
            if (id(owner), key) not in tried and not owner.is_walked and not owner.absent and len(denied) < MOST_DENIED:
                owner.absent.add(key)
                denied.append(DeniedKey(owner, key, demand.size()))
                return True
    return False


def with_value(whole: Value, keys: Sequence[Scalar], value: Value) -> Value:
    """``whole`` with ``value`` at that place; what is lacking on the way is made."""
    if not keys:
        return value
    key, *rest = keys
    if type(key) is int and isinstance(whole, Display) and whole.kind == "list":
        held_items = cast("tuple[Value, ...]", whole.items)
        items = tuple(with_value(one, rest, value) if place == key else one for place, one in enumerate(held_items))
        return Display("list", items or (with_value(None, rest, value),))
    if type(key) is int:
        return Display("list", (with_value(None, rest, value),))
    pairs = cast("tuple[tuple[Value, Value], ...]", whole.items) if isinstance(whole, Display) and whole.kind == "dict" else ()
    held: dict[Value, Value] = dict(pairs)
    held[key] = with_value(held.get(key), rest, value)
    return Display("dict", tuple(held.items()))


def diagonal(places: Sequence[DocumentPlace], values: Sequence[Value]) -> Iterator[tuple[DocumentPlace, Value]]:
    """Each place with each value, the first ones of both first."""
    for turn in range(len(places) + len(values)):
        for number in range(min(turn + 1, len(places))):
            if turn - number < len(values):
                yield places[number], values[turn - number]


def words_near(frames: Iterable[tuple[ast.AST, int]]) -> dict[str, int]:
    """Names and texts that functions have in them, as variables, with how near they are to the crash: those of its line first, then
    those of its function, then those of the frames around it. ``frames``: functions with lines, the innermost first."""
    found: dict[str, int] = {}
    for number, (node, line) in enumerate(frames):
        said = [(_line_of(one) != line, word) for one in ast.walk(node) for word in _words(one)]
        for is_away, word in said:
            found[spelt(word)] = min(found.get(spelt(word), 2 * number + is_away), 2 * number + is_away)
    return found


def _line_of(node: ast.AST) -> int:
    return node.lineno if isinstance(node, ast.expr | ast.arg | ast.keyword) else 0


def _words(node: ast.AST) -> tuple[str, ...]:
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
            return (name,)
        case ast.Constant(value=str(text)) if text and len(text) < 40 and text.isprintable():
            return (text,)
        case _:
            return ()


def option_words(trees: Iterable[ast.AST]) -> Iterator[str]:
    """The names of options of command lines: what configuration files set is mostly called like one."""
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and type(node.value) is str and (found := _OPTION.fullmatch(node.value)):
                yield found[1]


def key_words(tree: ast.AST) -> Iterator[str]:
    """Texts in the code that could be keys."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) is str and _KEY.fullmatch(node.value):
            yield node.value


def kind_of(value: Value) -> str:
    """Of a container."""
    return value.kind if isinstance(value, Display) else ""


def refused_texts(target: CrashTarget) -> list[Value]:
    """Texts that the function of the standard library in which it crashed refuses with the exception of the report, of those that
    parsers of its module have as samples; those that it refuses with the same words first."""
    inner = target.frames[len(target.frames) - [one.in_package for one in reversed(target.frames)].index(True) :]
    function = loaded_dict(inner[0].key.module).get(inner[0].key.qualname) if inner else None
    formats = [one for one in FORMATS if inner and inner[0].key.module in one.modules]
    if type(function) is not FunctionType:
        return []
    found: list[tuple[bool, Value]] = []
    for text in (one for each in formats for one in each.samples() if type(one) is str):
        try:
            function(text)
        except Exception as error:  # noqa: BLE001 - whatever it raises is its answer
            cls = type(error)
            if target.exception in (f"{class_module(cls)}.{class_name(cls)}", class_name(cls)):
                found.append((not messages_agree(target.exception, target.message, str(error)), text))
    return [text for _, text in sorted(found, key=lambda one: one[0])]
