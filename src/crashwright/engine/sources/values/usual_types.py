"""What one parameter usually takes, from everything that is known of it: the annotation; else docstring and default, what written
calls pass, what its function does with it; else its name.

Only annotations are a promise (``testcase.legality``). The rest is good enough to choose between two tests that show the same.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from crashwright.engine.sources.values.named_texts import NamedTexts
from crashwright.engine.sources.values.shown_arguments import ShownArguments
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter
from crashwright.engine.subject.api.types import ChoiceHint, ClassHint, Hint, TypeHint, UnionHint, accepts, is_any, union_of
from crashwright.engine.subject.introspection import class_module, identities, is_class, is_sound
from crashwright.engine.subject.usage.usage import Session
from crashwright.engine.subject.usage.use_hints import Weighted
from crashwright.engine.testcase.making.guessing import NameModel
from crashwright.engine.testcase.making.values import SCALARS
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.seeds import class_of_value
from crashwright.engine.testcase.statements import Display, Value
from crashwright.engine.wants.parameter_names import CALLABLE

_BARE: dict[type, Value] = {
    int: 1,
    float: 1.5,
    complex: 1j,
    bool: True,
    bytes: b"data",
    bytearray: Display("bytearray", (b"data",)),
    list: Display("list", (1, 2)),
    tuple: Display("tuple", (1, 2)),
    set: Display("set", (1, 2)),
    frozenset: Display("frozenset", (1, 2)),
    dict: Display("dict", (("key", "value"),)),
}
_FOR_ANY = (int, list, dict, bytes)
"""What is tried for protocols and abstract classes."""
_SCALARS = identities(*SCALARS)
_SHORTEST_NAME = 3
_TEXT = ClassHint(str)
_ANY_ITEMS = identities(list, tuple, set, frozenset)
_SEQUENCES = ("list", "tuple", "set", "frozenset")


class Usual(NamedTuple):
    """``hints``, likeliest first, and literals ``values`` for it that somebody has written. ``guessed`` where the name alone says
    so. Nothing is known where there are no hints. ``named`` are texts that parameters of that name take elsewhere.
    ``left_out``: where nothing else is known, others may leave it out, so that None is usual."""

    hints: tuple[Hint, ...] = ()
    values: tuple[Value, ...] = ()
    guessed: bool = False
    named: tuple[str, ...] = ()
    left_out: bool = False

    def takes(self, cls: type) -> bool:
        """Whether a value of ``cls`` is usual; a bool where numbers are is not."""
        return any(accepts(hint, cls) and not (cls is bool and _is_for_numbers(hint)) for hint in self.hints)

    def takes_only_as_collection(self, cls: type) -> bool:
        """Whether a value of ``cls`` is usual for nothing but holding plain values, as anything does that can be gone through."""
        return all(_is_of_plain_values(hint) for hint in self.hints if accepts(hint, cls))


class UsualTypes:
    """Of one subject; ``used`` tells what a function does with a parameter."""

    def __init__(
        self, shown: ShownArguments, used: Callable[[Callee, str], Weighted], names: NameModel, named: NamedTexts | None = None
    ) -> None:
        self._shown = shown
        self._named = named
        self._used = used
        self._names = names
        self._known: dict[tuple[Callee, str], Usual] = {}

    def of(self, callee: Callee, parameter: Parameter) -> Usual:
        """What is known of the parameter."""
        key = callee, parameter.name
        if key not in self._known:
            usual = self._of(callee, parameter)
            if self._named is not None and (not usual.hints or usual.takes(str)):
                left_out = not usual.hints and self._named.is_left_out(parameter.name)
                usual = usual._replace(named=() if left_out else self._named.of(parameter.name), left_out=left_out)
            self._known[key] = usual
        return self._known[key]

    def _of(self, callee: Callee, parameter: Parameter) -> Usual:
        shown = self._shown.of(callee, parameter.name)
        if parameter.declared and not is_any(parameter.hint):
            usual = Usual(_parts(parameter.hint), shown.values)
            return usual._replace(values=tuple(value for value in shown.values if _fits(usual, value)))
        told = [parameter.hint, *map(ClassHint, shown.classes), *_strongest(self._used(callee, parameter.name))]
        hints = _parts(union_of(told))
        named = self._names.said(parameter.name)
        if isinstance(named, TypeHint) and all(one == CALLABLE or _is_none(one) for one in hints):
            return Usual((named, *hints), shown.values)
        if not all(map(_is_none, hints)):
            return Usual(self._with_items(hints, named), shown.values)
        said = self._names.said(parameter.name)
        return Usual() if said is None else Usual((said, *hints), (), True)

    @staticmethod
    def _with_items(hints: tuple[Hint, ...], named: Hint | None) -> tuple[Hint, ...]:
        """Where a bare collection is asked for, that of the objects that the name says."""
        if not (isinstance(named, ClassHint) and named.arguments) or any(not _is_bare(one) for one in hints if not _is_none(one)):
            return hints
        return tuple(ClassHint(one.cls, named.arguments) if isinstance(one, ClassHint) and _is_bare(one) else one for one in hints)


def usual_in(
    sessions: Sequence[Session],
    modules: Sequence[ast.AST],
    names: NameChain,
    said: NameModel,
    used: Callable[[Callee, str], Weighted],
) -> UsualTypes:
    """What calls in examples and ``modules`` tell of a subject's parameters, read when it is asked for."""
    chance = Random(0)

    def made_by(function: ast.expr) -> type | None:
        callee = names.callee(function, chance)
        if callee is None:
            return None
        made = callee.live if callee.kind is CalleeKind.CLASS else None
        if is_class(made) and is_sound(made):
            return made
        return callee.returns.cls if isinstance(callee.returns, ClassHint) else None

    shown = ShownArguments(sessions, modules, made_by)
    return UsualTypes(shown, used, said, NamedTexts(modules, shown.calls))


def ordinary_values(usual: Usual, parameter: Parameter) -> list[Value]:
    """Literals that one would write for the parameter: what is shown, the default, then a plain value of each type; where nothing
    is known, a text or a number."""
    found: list[Value] = sorted(usual.values, key=lambda value: len(repr(value)))
    found += usual.named
    default = parameter.default
    if not parameter.required and id(type(default)) in _SCALARS and not is_degenerate(default):
        found.append(default)  # type: ignore[arg-type]
    for hint in usual.hints:
        if isinstance(hint, ChoiceHint):
            found += [value for value in hint.values if id(type(value)) in _SCALARS]  # type: ignore[misc]
        elif isinstance(hint, ClassHint):
            plain = _plain(hint, parameter.name)
            found += [] if plain is None else [plain]
    telling = [value for value in found if not is_degenerate(value)]
    if not usual.hints and not telling:
        telling = [_plain(_TEXT, parameter.name), _BARE[int]]
    return [None, *telling] if usual.left_out else telling


def is_degenerate(value: object) -> bool:
    """Zero, nothing, an empty text: what minimising leaves, and what code often treats by itself."""
    return id(type(value)) in _SCALARS and not value and value is not False


def _plain(hint: ClassHint, name: str) -> Value:
    if hint.cls is str:
        word = name.strip("_")
        return word if len(word) >= _SHORTEST_NAME else "text"
    first = hint.arguments[0] if hint.arguments else None
    bare = _BARE.get(hint.cls)
    if type(bare) is Display and bare.kind in _SEQUENCES and isinstance(first, ClassHint):
        item = "text" if first.cls is str else _BARE.get(first.cls)
        return None if item is None or type(item) is Display else Display(bare.kind, (item,))
    return bare or next((_BARE[cls] for cls in _FOR_ANY if accepts(hint, cls)), None)


def _parts(hint: Hint) -> tuple[Hint, ...]:
    parts = hint.members if isinstance(hint, UnionHint) else (hint,)
    return tuple(part for part in parts if not is_any(part))


def _strongest(weighted: Weighted) -> list[Hint]:
    """Those at least half as likely as the likeliest, the likeliest first."""
    ranked = sorted(weighted, key=lambda one: -one[1])
    return [hint for hint, weight in ranked if 2 * weight >= ranked[0][1]]


def _fits(usual: Usual, value: Value) -> bool:
    cls = class_of_value(value)
    return cls is not None and usual.takes(cls)


def _is_of_plain_values(hint: Hint) -> bool:
    """``Iterable[str]`` and its like."""
    if not isinstance(hint, ClassHint) or class_module(hint.cls) != "collections.abc" or not hint.arguments:
        return False
    return all(isinstance(part, ClassHint) and id(part.cls) in _SCALARS for part in hint.arguments)


def _is_bare(hint: Hint) -> bool:
    return isinstance(hint, ClassHint) and id(hint.cls) in _ANY_ITEMS and not hint.arguments


def _is_none(hint: Hint) -> bool:
    return isinstance(hint, ClassHint) and hint.cls is type(None)


def _is_for_numbers(hint: Hint) -> bool:
    """A bool may stand there because it is an int."""
    return isinstance(hint, ClassHint) and hint.cls is not object and accepts(hint, int)
