"""Rows to which a function of the caller's is applied."""


class Row:
    def __init__(self, names, values):
        self._cells = dict(zip(names, values, strict=False))

    def cell(self, name):
        return self._cells[name].strip()


class Sheet:
    def __init__(self, names):
        self._names = names
        self._rows = []

    def append(self, *values):
        self._rows.append(Row(self._names, values))

    def derive(self, function):
        return [function(row) for row in self._rows]
