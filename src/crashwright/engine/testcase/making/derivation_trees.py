"""What a grammar's rules have become in a text, as a tree, and how one tree is made of another: a part of it is left out, doubled,
put in itself once more, exchanged with another of the same rule, or taken from another tree.

Parts of one rule may stand for each other wherever they stand, so all that is made is a text of the grammar.

# Deviation: not in the papers. Nautilus (Aschermann et al. 2019) mutates trees so, and Grammarinator (Hodován et al. 2018).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from crashwright.engine.subject.grammars.text_grammar import Production, Terminal

MOST_NODES = 400
"""Of a tree that is changed."""


class WrittenTerminal(NamedTuple):
    """What a terminal has become."""

    terminal: Terminal
    text: str


class Derivation(NamedTuple):
    """What a rule has become, by one of its productions."""

    rule: str
    production: Production
    parts: tuple[Node, ...]


Node = Derivation | WrittenTerminal
Path = tuple[int, ...]
"""Which part of which part it is."""
Change = Callable[["TreeChanges", "_PartWithin"], Derivation | None]


class _PartWithin(NamedTuple):
    """A rule within a tree, with all of that tree's."""

    root: Derivation
    path: Path
    node: Derivation
    all: Mapping[Path, Derivation]


def leaves(node: Node) -> Iterator[WrittenTerminal]:
    """From left to right."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if type(one) is WrittenTerminal:
            yield one
        elif type(one) is Derivation:
            waiting += reversed(one.parts)


def trees_in(root: Derivation) -> dict[Path, Derivation]:
    """All rules of a tree by their paths, the outer ones before what is within them."""
    found: dict[Path, Derivation] = {}
    waiting: list[tuple[Path, Derivation]] = [((), root)]
    while waiting:
        path, one = waiting.pop()
        found[path] = one
        waiting += [((*path, at), part) for at, part in enumerate(one.parts) if type(part) is Derivation]
    return found


def with_part(root: Derivation, path: Path, part: Derivation) -> Derivation:
    """``root`` with another part in place of the one at ``path``."""
    if not path:
        return part
    outer = [root]
    for at in path[:-1]:
        inner = outer[-1].parts[at]
        if type(inner) is Derivation:
            outer.append(inner)
    for one, at in zip(reversed(outer), reversed(path), strict=True):
        part = one._replace(parts=(*one.parts[:at], part, *one.parts[at + 1 :]))
    return part


class TreeChanges:
    """Draws changes of trees. ``derived``: another tree of a rule, by chance; ``nested``: a tree of a rule with parts of the same
    rule in it, and the paths of these, or None."""

    def __init__(
        self, rng: Random, derived: Callable[[str], Derivation], nested: Callable[[str], tuple[Derivation, Sequence[Path]] | None]
    ) -> None:
        self._rng = rng
        self.derived = derived
        self._nested = nested
        self._others: Sequence[Derivation] = ()

    def changed(self, root: Derivation, others: Sequence[Derivation]) -> Derivation | None:
        """``root`` after one change that is drawn; None if it has nothing to change so. ``others`` may give parts of theirs."""
        every = {path: tree for path, tree in trees_in(root).items() if tree.rule}
        if not every or len(every) > MOST_NODES:
            return None
        path = self._rng.choice([*every])
        self._others = others
        return self._rng.choice(CHANGES)(self, _PartWithin(root, path, every[path], every))

    def left_out(self, one: _PartWithin) -> Derivation | None:
        """What stands within it, of the same rule, in its place."""
        below = [tree for path, tree in one.all.items() if tree.rule == one.node.rule and _is_within(path, one.path)]
        return with_part(one.root, one.path, self._rng.choice(below)) if below else None

    def put_in_itself(self, one: _PartWithin) -> Derivation | None:
        """What it stands within, of the same rule, in its place: so this is there twice, one in the other."""
        above = [tree for path, tree in one.all.items() if tree.rule == one.node.rule and _is_within(one.path, path)]
        return with_part(one.root, one.path, self._rng.choice(above)) if above else None

    def doubled(self, one: _PartWithin) -> Derivation | None:
        """It twice, or more often, in what may stand in its place and has such parts; or once more within that."""
        made = self._nested(one.node.rule)
        if made is None:
            return None
        outer, holes = made
        for hole in holes if self._rng.random() < 0.5 else [self._rng.choice(holes)]:
            outer = with_part(outer, hole, one.node)
        return with_part(one.root, one.path, outer)

    def exchanged(self, one: _PartWithin) -> Derivation | None:
        """With another of the tree, of the same rule."""
        beside = [
            path
            for path, tree in one.all.items()
            if tree.rule == one.node.rule and tree != one.node and not _is_within(path, one.path) and not _is_within(one.path, path)
        ]
        if not beside:
            return None
        other = self._rng.choice(beside)
        return with_part(with_part(one.root, other, one.node), one.path, one.all[other])

    def taken_from_another(self, one: _PartWithin) -> Derivation | None:
        """Of another tree, of the same rule."""
        if not self._others:
            return None
        parts = trees_in(self._rng.choice(self._others)).values()
        fitting = [tree for tree in parts if tree.rule == one.node.rule and tree != one.node]
        return with_part(one.root, one.path, self._rng.choice(fitting)) if fitting else None

    def derived_anew(self, one: _PartWithin) -> Derivation | None:
        """By chance."""
        return with_part(one.root, one.path, self.derived(one.node.rule))


def _is_within(path: Path, outer: Path) -> bool:
    return len(path) > len(outer) and path[: len(outer)] == outer


CHANGES: tuple[Change, ...] = (
    TreeChanges.left_out,
    TreeChanges.put_in_itself,
    TreeChanges.doubled,
    TreeChanges.exchanged,
    TreeChanges.taken_from_another,
    TreeChanges.derived_anew,
)
