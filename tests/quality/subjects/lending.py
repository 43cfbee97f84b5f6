"""A desk that lends things: the crash takes a member who has lent something and given it back, brought about by its own calls."""

from dataclasses import dataclass
from datetime import date


@dataclass
class Loan:
    member: str
    item: str
    day: date


class Desk:
    def __init__(self, limit: int = 3):
        self._limit = limit
        self._loans: dict[str, list[Loan]] = {}
        self._blocked: set[str] = set()

    def lend(self, member: str, item: str, day: date) -> Loan:
        if member in self._blocked:
            raise PermissionError(member)
        loan = Loan(member, item, day)
        self._loans.setdefault(member, []).append(loan)
        return loan

    def give_back(self, member: str, item: str) -> None:
        loans = self._loans[member]
        for loan in loans:
            if loan.item == item:
                loans.remove(loan)
                return
        raise KeyError(item)

    def block(self, member: str) -> None:
        self._blocked.add(member)

    def oldest(self, member: str) -> date:
        if member not in self._loans:
            raise LookupError(member)
        return self._first(self._loans[member])

    def _first(self, loans: list[Loan]) -> date:
        return sorted(loan.day for loan in loans)[0]
