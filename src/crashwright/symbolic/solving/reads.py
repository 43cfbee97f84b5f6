"""Conditions on arrays as conditions on what is read of them.

What a walk says of the heap are definitions: the array after an instruction is the one before it with a store. The solver is told
no definition, but what it means for each item that somebody reads: of ``after = store(before, r, x)`` and a read of ``after`` at
``i``, that ``after[i]`` is ``x`` where ``i = r``, and ``before[i]`` otherwise. The new reads are treated likewise. So arrays come
to the solver as functions of which some values are known; it never has to compare whole arrays, or to think about lists whose
items move (of which it finds no models, however they are put).

It does not matter whether the definition or the read is told first. Everything is told in scopes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from crashwright.core.terms import ARRAYS, LEAVES, Op, Term, parts
from crashwright.symbolic.values.arrays import select
from crashwright.symbolic.values.literals import TRUE, integer
from crashwright.symbolic.values.logic import choice, equal, implies
from crashwright.symbolic.values.numbers import add, less, subtract
from crashwright.symbolic.values.substitution import folded

MOST_READS: Final = 500
"""Reads that follow from one condition; more are left out."""
MOST_PASSED: Final = 3
"""Definitions of single objects that one read leads through, each once: what an object holds is said of others than itself, but of
references that are not known nobody sees which they are."""


class NormalForm:
    """Terms in which only arrays of which nothing is known are read: constants, and what constants have at an index."""

    def __init__(self) -> None:
        self._made: dict[Term, Term] = {}

    def of(self, term: Term) -> Term:
        """The same with all other reads resolved."""
        for one in parts((term,), self._made):
            if one.op in LEAVES:
                self._made[one] = one
                continue
            args = [self._made[arg] for arg in one.args]
            if one.op is Op.SELECT:
                self._made[one] = self.read(args[0], args[1])
            else:
                same = all(new is old for new, old in zip(args, one.args, strict=True))
                self._made[one] = one if same else folded(one, args)
        return self._made[term]

    def read(self, array: Term, index: Term) -> Term:
        """What a normal array has at an index."""
        key = Term(Op.SELECT, ARRAYS[array.sort][1], (array, index))
        if key not in self._made:
            found = select(array, index)
            self._made[key] = self._resolved(*found.args) if found.op is Op.SELECT and found not in self._made else found
        return self._made[key]

    def _resolved(self, array: Term, index: Term) -> Term:
        match array.op, array.args:
            case Op.STORE, (before, place, value):
                return choice(equal(place, index), value, self.read(before, index))
            case Op.CHOICE, (condition, then, otherwise):
                return choice(condition, self.read(then, index), self.read(otherwise, index))
            case Op.INSERTED, (items, place, value):
                behind = self.read(items, subtract(index, integer(1)))
                return choice(less(index, place), self.read(items, index), choice(equal(index, place), value, behind))
            case Op.DELETED, (items, place):
                return choice(less(index, place), self.read(items, index), self.read(items, add(index, integer(1))))
            case Op.JOINED, (first, size, second):
                return choice(less(index, size), self.read(first, index), self.read(second, subtract(index, size)))
        return Term(Op.SELECT, ARRAYS[array.sort][1], (array, index))


class _Read(NamedTuple):
    """Of an array of arrays by two indices; otherwise by one. ``passed``: the definitions of single objects that led to it."""

    term: Term
    indices: tuple[Term, ...]
    passed: tuple[_Definition, ...] = ()


class _Definition(NamedTuple):
    """That the array (or what it has at ``place``) is another."""

    place: Term | None
    array: Term
    owner: int = 0


class ArrayReads:
    """What is read of which array, and what defines it, by scopes."""

    def __init__(self, normal: NormalForm) -> None:
        self._normal = normal
        self._seen: dict[Term, None] = {}
        self._fresh: list[Term] = []
        self._reads: dict[Term, dict[Term, _Read]] = {}
        self._definitions: dict[Term, list[_Definition]] = {}
        self._scopes: list[tuple[list[Term], list[tuple[Term, Term]], list[Term]]] = [([], [], [])]

    def push(self) -> None:
        """Open a scope."""
        self._scopes.append(([], [], []))

    def pop(self) -> None:
        """Forget what was told in the last scope."""
        seen, reads, defined = self._scopes.pop()
        for term in seen:
            del self._seen[term]
        for array, term in reads:
            del self._reads[array][term]
        for array in reversed(defined):
            self._definitions[array].pop()

    def told(self, condition: Term, owner: int) -> Iterator[tuple[Term, int]]:
        """What the solver has to be told instead of the condition: conditions, and whose they are."""
        waiting: list[tuple[Term, int, tuple[_Definition, ...]]] = [(self._normal.of(condition), owner, ())]
        left = MOST_READS
        while waiting:
            one, whose, passed = waiting.pop()
            if one.op is Op.AND:
                waiting.extend((part, whose, passed) for part in reversed(one.args))
                continue
            definition = self._defined(one)
            if definition is None:
                if one != TRUE:
                    yield one, whose
                reads = self._new(one, passed)
            else:
                array, known = definition
                known = known._replace(owner=whose)
                reads = [read for part in one.args for read in self._new(part, passed)]
                reads += [(array, read) for read in self._reads.get(array, {}).values()]
                self._definitions.setdefault(array, []).append(known)
                self._scopes[-1][2].append(array)
            for array, read in reads[:left]:
                for known in self._definitions.get(array, ()):
                    if known.place is None:
                        waiting.append((self._meant(known, read), known.owner, read.passed))
                    elif known not in read.passed and len(read.passed) < MOST_PASSED:
                        waiting.append((self._meant(known, read), known.owner, (*read.passed, known)))
            left = max(left - len(reads), 0)

    def new_parts(self) -> list[Term]:
        """Terms that were told since this was last asked, and not before in any scope that is open."""
        fresh, self._fresh = self._fresh, []
        return fresh

    def of(self, array: Term) -> list[tuple[Term, tuple[Term, ...]]]:
        """What is read of an array of which nothing is known, and by which indices."""
        return [(read.term, read.indices) for read in self._reads.get(array, {}).values()]

    def has_seen(self, term: Term) -> bool:
        """Whether a condition that holds speaks of it."""
        return term in self._seen

    def _defined(self, condition: Term) -> tuple[Term, _Definition] | None:
        """The array that an equality defines, and how; None where it is no definition."""
        if condition.op is not Op.EQUAL or condition.args[0].sort not in ARRAYS:
            return None
        left, right = condition.args
        for one, other in ((left, right), (right, left)):
            if one.op in LEAVES:
                return one, _Definition(None, other)
            if one.op is Op.SELECT and one.args[0].op in LEAVES:
                return one.args[0], _Definition(one.args[1], other)
        return None

    def _meant(self, definition: _Definition, read: _Read) -> Term:
        """What a definition says of a read."""
        array, indices = definition.array, read.indices
        if definition.place is not None:
            return implies(equal(indices[0], definition.place), equal(read.term, self._normal.read(array, indices[1])))
        for index in indices:
            array = self._normal.read(array, index)
        return equal(read.term, array)

    def _new(self, condition: Term, passed: tuple[_Definition, ...]) -> list[tuple[Term, _Read]]:
        """Reads within a term that were not there before, by the array."""
        found = []
        waiting = [condition]
        while waiting:
            term = waiting.pop()
            if term in self._seen:
                continue
            self._seen[term] = None
            self._scopes[-1][0].append(term)
            self._fresh.append(term)
            waiting.extend(term.args)
            read = _read_of(term)
            if read is not None:
                array, one = read[0], read[1]._replace(passed=passed)
                self._reads.setdefault(array, {})[term] = one
                self._scopes[-1][1].append((array, term))
                found.append((array, one))
        return found


def _read_of(term: Term) -> tuple[Term, _Read] | None:
    """The array that is read, and how, where a term reads an item that is no array itself."""
    if term.op is not Op.SELECT or term.sort in ARRAYS:
        return None
    array, index = term.args
    if array.op in LEAVES:
        return array, _Read(term, (index,))
    if array.op is Op.SELECT and array.args[0].op in LEAVES:
        return array.args[0], _Read(term, (array.args[1], index))
    return None
