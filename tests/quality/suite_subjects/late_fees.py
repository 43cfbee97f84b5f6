"""Books that come back late: each limit is compared with what is reckoned from several values."""

import datetime

PARDONED = 120


class Loan:
    def __init__(self, lent: datetime.date, days: int = 21) -> None:
        self.lent = lent
        self.days = days

    def late(self, on: datetime.date) -> int:
        return (on - self.lent).days - self.days

    def fee(self, on: datetime.date, books: int) -> int:
        cents = self.late(on) * 15 * books
        if cents <= 0:
            return 0
        if cents - books * 10 > PARDONED * books:
            return cents
        return cents // 2


def opened(lines: list[str]) -> int:
    minutes = 0
    for line in lines:
        begin, _, end = line.partition("-")
        minutes += int(end) - int(begin)
    if minutes >= 480:
        return minutes
    return 0
