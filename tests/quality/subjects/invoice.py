"""A private helper that only a public function can reach."""


class Line:
    def __init__(self, text: str, amount: float, count: int = 1) -> None:
        self.text = text
        self.amount = amount
        self.count = count


def total(lines: list[Line], rebate: int = 0) -> float:
    amount = sum(line.amount * line.count for line in lines)
    return amount - _rebate(amount, lines, rebate)


def _rebate(amount: float, lines: list[Line], percent: int) -> float:
    if percent > 40 and amount > 100:
        return _per_line(amount * percent / 100, lines)
    return 0.0


def _per_line(amount: float, lines: list[Line]) -> float:
    return amount / sum(line.count for line in lines if line.text.startswith("*"))
