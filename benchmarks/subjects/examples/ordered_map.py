"""Paper 002, Figure 12: ACC-411. The place goes up though a key was only moved."""


class ListOrderedMap:
    def __init__(self):
        self.map = {}
        self.order = []

    def put(self, key: str, value: object):
        if key not in self.map:
            self.order.append(key)
        self.map[key] = value

    def put_at(self, index: int, key: str, value: object):
        if index < 0 or index > len(self.order):
            raise IndexError("index out of range")
        if key in self.map:
            place = self.order.index(key)
            self.order.pop(place)
            if place < index:
                index = index - 1
            self.order.insert(index, key)
            self.map[key] = value
            return value
        self.order.insert(index, key)
        self.map[key] = value
        return None

    def put_all(self, index: int, keys: list):
        for key in keys:
            self.put_at(index, key, None)
            index += 1
