"""Basic block coverage: which of two runs with the same fitness is nearer to the line (paper 000, section 3 and listing 1.3).

A block is covered *fully* where its last statement began, and *semi* where only its first did: an exception stopped the run in
between. Coverage is that of one activation of the function that holds the first line not reached, the best one.

The paper wants tests told apart by the blocks "between the closest covered control dependency and the target". Of those a run that
took the wrong side at that decision covers none: no exception stopped it, and the branch distance tells how to go on. So coverage
is looked at where the right side was taken. # Deviation: section 3.2 then defines effective blocks from the entry of the function,
whichever side was taken. Of all runs that turn away at the same decision that prefers those with more detours before it; in long
functions with loops the search does not come back from there.

Listing 1.3 asks for the fully covered blocks of one run within those of the other and, apart from that, the semi-covered ones
within the semi-covered ones; the text asks whether "each of the tests has a unique covered block". Where the listing decides, the
text decides alike. # Deviation: the text is followed where they differ, for by the letter of the listing a run that stopped in one
block could not be compared with a run that passed it: the block is semi-covered for the one and fully for the other.
Both are there to the letter too, to compare (``compare_literally``, and coverage on wrong sides: ``--secondary bbc-literal``).
# Deviation: in Python every instruction may raise, but what is recorded are beginnings of statements: lines are statements here,
and a block of a single statement is covered fully or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import NamedTuple


class Coverage(NamedTuple):
    """What one run covered on the way to the first line that it did not reach: that of frame number ``frame``, counted from the
    target frame (0) to the crash frame. ``begun`` holds one byte for each statement of ``blocks``; empty where the frame was not
    entered, or (unless taken to the letter) left by the wrong side of a decision."""

    frame: int
    blocks: EffectiveBlocks
    begun: bytes


class BlockSummary(NamedTuple):
    """``covered`` and ``full`` are blocks as bits: those covered at all and those covered fully. ``statements`` counts what began
    in the closest semi-covered block."""

    covered: int
    full: int
    statements: int


class EffectiveBlocks:
    """The blocks between the entry of a function and a line, the closest to the line first, each a sequence of marker numbers.

    Remembers the summaries of what it has seen: few patterns of coverage occur, over and over.
    """

    __slots__ = ("_pick", "_spans", "_summaries")

    def __init__(self, blocks: Sequence[Sequence[int]]) -> None:
        markers: list[int] = []
        self._spans: list[tuple[int, int]] = []
        for block in blocks:
            self._spans.append((len(markers), len(markers) + len(block)))
            markers += block
        self._pick = _picker(markers)
        self._summaries: dict[bytes, BlockSummary] = {b"": BlockSummary(0, 0, 0)}

    def begun(self, marks: Sequence[float]) -> bytes:
        """One byte for each statement: 1 where it began."""
        return bytes(self._pick(marks))

    def summary(self, begun: bytes) -> BlockSummary:
        """The blocks that are covered where these statements began."""
        found = self._summaries.get(begun)
        if found is None:
            found = self._summaries[begun] = self._summarised(begun)
        return found

    def _summarised(self, begun: bytes) -> BlockSummary:
        covered = full = 0
        closest: int | None = None
        for number, (start, end) in enumerate(self._spans):
            if not begun[start]:
                continue
            covered |= 1 << number
            if begun[end - 1]:
                full |= 1 << number
            elif closest is None:
                closest = sum(begun[start:end])
        return BlockSummary(covered, full, closest or 0)


def compare_literally(one: object, other: object) -> int:
    """As :func:`compare`, by the letter of listing 1.3: fully covered blocks within fully covered ones, semi-covered ones within
    semi-covered ones.

    # Deviation: "within" where the listing has the sign of proper subsets, for by that no run would be better whose semi-covered
    blocks are the same.
    """
    if not isinstance(one, Coverage) or not isinstance(other, Coverage) or one.frame != other.frame:
        return compare(one, other)
    covered, full, statements = one.blocks.summary(one.begun)
    other_covered, other_full, other_statements = other.blocks.summary(other.begun)
    semi, other_semi = covered & ~full, other_covered & ~other_full
    if (full, semi) == (other_full, other_semi):
        return other_statements - statements
    if (not full & ~other_full and not semi & ~other_semi) or (not other_full & ~full and not other_semi & ~semi):
        return other_covered.bit_count() - covered.bit_count()
    return 0


def compare(one: object, other: object) -> int:
    """Positive where ``other`` is the better of two coverages, negative where ``one`` is, 0 where there is no preference (or where
    one of them is none: nothing was left to reach). The size tells by how many blocks or statements.

    "Better" is a strict partial order: it never runs in circles.
    """
    if not isinstance(one, Coverage) or not isinstance(other, Coverage):
        return 0
    if one.frame != other.frame:
        # The deeper of the two lines is looked at; a run that did not come to that function covers nothing of it.
        if one.frame > other.frame:
            return -one.blocks.summary(one.begun).covered.bit_count()
        return other.blocks.summary(other.begun).covered.bit_count()
    if one.begun == other.begun:
        return 0
    covered, full, statements = one.blocks.summary(one.begun)
    other_covered, other_full, other_statements = other.blocks.summary(other.begun)
    if covered != other_covered:
        return _contained(covered, other_covered)
    if full != other_full:
        return _contained(full, other_full)
    return other_statements - statements


def _contained(blocks: int, others: int) -> int:
    """How many more ``others`` are, where one of the sets holds the other; else 0."""
    common = blocks & others
    if common != blocks and common != others:
        return 0  # each has one of its own: nobody knows which path leads to the crash
    return others.bit_count() - blocks.bit_count()


def _picker(markers: list[int]) -> Callable[[Sequence[float]], tuple[int, ...]]:
    """Picks these entries, in C where it can."""
    if len(markers) > 1:
        return itemgetter(*markers)
    return lambda marks: tuple([int(marks[marker]) for marker in markers])
