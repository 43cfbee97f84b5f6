"""What several comparisons with whole numbers come to: "3 < `count` <= 10", "`slots` is empty"."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from crashwright.core.terms import Op, Sort, Term
from crashwright.symbolic.wording.expressions import operand


class Limit(NamedTuple):
    """The least or largest number that is within; ``strict``: it was written with the number next to it."""

    number: int
    strict: bool

    def told(self, below: bool) -> tuple[str, int]:
        """The sign and the number, as it was written; ``below``: this is the lower limit."""
        if self.strict:
            return ("<", self.number - 1) if below else ("<", self.number + 1)
        return "<=", self.number


@dataclass(slots=True)
class Range:
    """The whole numbers that a term may be."""

    subject: Term
    low: Limit | None = None
    high: Limit | None = None
    others: set[int] = field(default_factory=set)
    """What it may not be."""

    def narrow(self, low: Limit | None, high: Limit | None) -> None:
        """Both limits hold besides."""
        if low is not None and (self.low is None or low.number > self.low.number):
            self.low = low
        if high is not None and (self.high is None or high.number < self.high.number):
            self.high = high

    def sentences(self) -> list[str]:
        """What is to be said of it: nothing where everything is within."""
        size = self.is_size
        if size:
            self.narrow(Limit(0, False), None)
        low, high = self._limits()
        what = operand(self.subject)
        left = [one for one in sorted(self.others) if (low is None or one > low.number) and (high is None or one < high.number)]
        told = [f"{what} != {one}" for one in left]
        if size and low is not None and low.number <= 0:
            low = None
        return [*self._between(what, low, high, size), *told]

    @property
    def is_size(self) -> bool:
        """Whether it is a length, which is never negative."""
        term = self.subject
        return term.op is Op.LENGTH or (term.op is Op.SELECT and term.args[0].sort is Sort.SIZES)

    def _limits(self) -> tuple[Limit | None, Limit | None]:
        """With the numbers at their ends that are excluded taken off."""
        low, high = self.low, self.high
        while low is not None and low.number in self.others:
            low = Limit(low.number + 1, True)
        while high is not None and high.number in self.others:
            high = Limit(high.number - 1, True)
        return low, high

    def _between(self, what: str, low: Limit | None, high: Limit | None, size: bool) -> list[str]:
        if size and high is not None and high.number == 0:
            return [f"{self._container()} is empty"]
        if size and high is None and low is not None and low.number == 1:
            return [f"{self._container()} is not empty"]
        if low is not None and high is not None:
            if low.number == high.number:
                return [f"{what} == {low.number}"]
            (one, least), (other, most) = low.told(True), high.told(False)
            return [f"{least} {one} {what} {other} {most}"]
        if low is not None:
            sign, number = low.told(True)
            return [f"{what} {'>' if sign == '<' else '>='} {number}"]
        if high is not None:
            sign, number = high.told(False)
            return [f"{what} {sign} {number}"]
        return []

    def _container(self) -> str:
        term = self.subject
        return operand(term.args[0] if term.op is Op.LENGTH else term.args[1])


def comparison(term: Term) -> tuple[Term, int, bool] | None:
    """What is compared with which whole number; the last says whether the number stands on the left. None where none is."""
    if term.op not in (Op.LESS, Op.LESS_EQUAL, Op.EQUAL) or term.args[0].sort is not Sort.INTEGER:
        return None
    left, right = term.args
    if right.op is Op.LITERAL and left.op is not Op.LITERAL and isinstance(right.payload, int):
        return left, right.payload, False
    if left.op is Op.LITERAL and right.op is not Op.LITERAL and isinstance(left.payload, int):
        return right, left.payload, True
    return None


def narrowed(found: Range, term: Term, holds: bool) -> None:
    """``found`` narrowed by a :func:`comparison` that holds, or does not."""
    compared = comparison(term)
    assert compared is not None
    _, number, on_the_left = compared
    if term.op is Op.EQUAL:
        if holds:
            found.narrow(Limit(number, False), Limit(number, False))
        else:
            found.others.add(number)
        return
    strict = (term.op is Op.LESS) is holds
    if on_the_left is holds:  # number < subject, or not subject < number
        found.narrow(Limit(number + strict, strict), None)
    else:
        found.narrow(None, Limit(number - strict, strict))
