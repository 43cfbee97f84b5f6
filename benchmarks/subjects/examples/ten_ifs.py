"""Ten independent conditions, of which few sets of branches add up to what crashes."""


class Box:
    def __init__(self, size: int, weight: int):
        self.size = size
        self.weight = weight
        self.label = None
        self.bumps = 0

    def set_label(self, label: str):
        self.label = label

    def bump(self):
        self.bumps += 1

    def noisy(self, a: int, b: int, c: int, d: int, e: int, f: int, g: int, h: int, i: int, j: int):
        total = 0
        word = None
        if self.size > 3:
            word = self.label
        else:
            word = "k"
        if a > 0:
            total += 1
        if b > 0:
            total += 2
        if c > 0:
            total += 3
        if d > 0:
            total += 4
        if e > 0:
            total += 5
        if f > 0:
            total += 6
        if g > 0:
            total += 7
        if h > 0:
            total += 8
        if i > 0:
            total += 9
        if j > 0:
            total += 10
        if self.bumps == 2:
            if total == 31:
                return word.upper()
        return ""
