"""Preconditions: what must hold when a frame of a crash is entered so that the crash happens (STAR, section 3.3).

The symbolic engine finds them by walking back from the crash, one for each path that it walked to the frame's entry. The search
measures on live arguments how far they are from holding (``engine.goals.crash.precondition``), and people read them in Python's
terms (``symbolic.wording``). This module is what both wings need: the noun, and the form in which it crosses between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from crashwright.core.codec import Undecodable
from crashwright.core.location import CodeKey
from crashwright.core.terms import Op, Sort, Term, TermRow, from_rows, parts, to_rows


class Guard(NamedTuple):
    """One thing that must hold: a TRUTH over constants, inputs and unknowns, with the line and function that it comes from (which
    need not be those of the frame: a callee has guards too). ``is_crash``: it is the condition of the crash itself; the others
    only lead there."""

    term: Term
    line: int
    function: CodeKey
    is_crash: bool = False


@dataclass(frozen=True, slots=True)
class Precondition:
    """All ``guards`` together, at the entry of ``function``, lead to the crash on one path.

    ``level`` counts frames from the crash frame, 1, outwards, as those of ``CrashTarget.frames`` that decide. ``unmodelled`` are
    the reasons why it may say too little or too much: what was not modelled on the path. Without any, it is exact.

    ``is_necessary``: it is no path but what all of them have in common, so far as is known: it holds wherever the crash happens
    (or another such one of the level does), and does not suffice for it.
    """

    level: int
    function: CodeKey
    guards: tuple[Guard, ...]
    unmodelled: tuple[str, ...] = ()
    is_necessary: bool = False

    @property
    def is_known(self) -> bool:
        """Nothing in it was left open: it says neither too little nor too much, as far as Python is modelled."""
        return not self.unmodelled and all(one.op is not Op.UNKNOWN for one in parts([guard.term for guard in self.guards]))

    @property
    def inputs(self) -> tuple[str, ...]:
        """The parameters, cells and globals that it speaks of, in the order in which it first does."""
        leaves = parts([guard.term for guard in self.guards])
        return tuple(dict.fromkeys(str(one.payload) for one in leaves if one.op is Op.INPUT and one.sort is Sort.VALUE))


class WrittenGuard(NamedTuple):
    """A :class:`Guard` whose term is row number ``row``."""

    row: int
    line: int
    function: CodeKey
    is_crash: bool


class WrittenPrecondition(NamedTuple):
    """See :class:`Precondition`."""

    level: int
    function: CodeKey
    guards: tuple[WrittenGuard, ...]
    unmodelled: tuple[str, ...]
    is_necessary: bool = False


@dataclass(frozen=True, slots=True)
class WrittenPreconditions:
    """Preconditions as they cross between the wings. They share their ``rows``: paths to one crash have much in common."""

    rows: tuple[TermRow, ...] = ()
    preconditions: tuple[WrittenPrecondition, ...] = ()


def written(preconditions: Sequence[Precondition]) -> WrittenPreconditions:
    """The form that crosses."""
    rows, numbers = to_rows([guard.term for one in preconditions for guard in one.guards])
    taken = iter(numbers)
    return WrittenPreconditions(
        rows,
        tuple(
            [
                WrittenPrecondition(
                    one.level,
                    one.function,
                    tuple([WrittenGuard(next(taken), guard.line, guard.function, guard.is_crash) for guard in one.guards]),
                    one.unmodelled,
                    one.is_necessary,
                )
                for one in preconditions
            ]
        ),
    )


def read(form: WrittenPreconditions) -> tuple[Precondition, ...]:
    """The inverse of :func:`written`. Raises Undecodable where a guard is missing, is no TRUTH, or has a symbol left in it."""
    terms = from_rows(form.rows, [guard.row for one in form.preconditions for guard in one.guards])
    _check(terms, form.preconditions)
    taken = iter(terms)
    return tuple(
        [
            Precondition(
                one.level,
                one.function,
                tuple([Guard(next(taken), guard.line, guard.function, guard.is_crash) for guard in one.guards]),
                one.unmodelled,
                one.is_necessary,
            )
            for one in form.preconditions
        ]
    )


def _check(terms: Sequence[Term], preconditions: Iterable[WrittenPrecondition]) -> None:
    if any(term.sort is not Sort.TRUTH for term in terms):
        raise Undecodable("a guard that is no truth")
    if any(part.op is Op.SYMBOL for part in parts(terms)):
        raise Undecodable("a guard with a symbol that nothing was put in for")
    if any(one.level < 1 for one in preconditions):
        raise Undecodable("levels count from 1")
