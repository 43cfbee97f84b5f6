"""What a method of one class makes goes through a method of another before it breaks the third: nothing says who takes what."""


class _Bar:
    def __init__(self, mould, weight):
        self.mould = mould
        self.weight = weight


class _Tube:
    def __init__(self, bar, bore):
        self.bar = bar
        self.bore = bore


class Furnace:
    def __init__(self):
        self.heat = 0

    def pour(self, weight=3):
        self.heat += 1
        return _Bar("round", weight)


class Lathe:
    def drill(self, piece, bore=1):
        if not isinstance(piece, _Bar):
            raise TypeError("no bar")
        return _Tube(piece, bore)

    def rest(self):
        return None


class Bench:
    def __init__(self):
        self.pieces = []

    def fit(self, outer, inner):
        if not isinstance(outer, _Tube):
            raise TypeError("nothing to put it in")
        if not isinstance(inner, _Bar):
            raise TypeError("nothing to put in")
        return self._joined(outer, inner)

    def _joined(self, outer, inner):
        self.pieces.append(outer)
        return outer.bar.mould, inner.mould.width
