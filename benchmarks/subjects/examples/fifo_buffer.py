"""Paper 002, Figure 13: ACC-53. An iterator removes behind the end of a buffer that has gone round."""


class UnboundedFifoBuffer:
    def __init__(self, initial_size: int):
        self.buffer = [None] * (initial_size + 1)
        self.head = 0
        self.tail = 0

    def add(self, item: object):
        if self.head - 1 == self.tail:
            raise OverflowError("it would have to grow")
        if self.head == 0 and self.tail == len(self.buffer) - 1:
            raise OverflowError("it would have to grow")
        self.buffer[self.tail] = item
        self.tail += 1
        if self.tail >= len(self.buffer):
            self.tail = 0

    def remove(self):
        if self.head == self.tail:
            raise ValueError("empty")
        self.head += 1
        if self.head >= len(self.buffer):
            self.head = 0


def put_checked(items: list, place: int, item: object):
    """As an array of Java: there are no places before the first."""
    if place < 0 or place >= len(items):
        raise IndexError("array index out of range")
    items[place] = item


class BufferIterator:
    def __init__(self, outer: UnboundedFifoBuffer):
        self.outer = outer
        self.index = outer.head
        self.last = -1

    def next(self):
        if self.index == self.outer.tail:
            raise StopIteration
        self.last = self.index
        self.index += 1
        if self.index >= len(self.outer.buffer):
            self.index = 0

    def remove(self):
        if self.last == -1:
            raise ValueError("nothing to remove")
        if self.last == self.outer.head:
            self.outer.remove()
            self.last = -1
            return
        place = self.last + 1
        while place != self.outer.tail:
            if place >= len(self.outer.buffer):
                put_checked(self.outer.buffer, place - 1, self.outer.buffer[0])
                place = 0
            else:
                put_checked(self.outer.buffer, place - 1, self.outer.buffer[place])
                place += 1
        self.last = -1
