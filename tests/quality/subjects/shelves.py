"""Items that are gone through while others are put beside them."""


class Shelves:
    def __init__(self):
        self._goods = {}

    def put(self, name, amount=1):
        self._goods[name] = amount

    def stock(self):
        for name in self._goods:
            yield name, self._goods[name]
